"""A state graph laid out for walking: what many games at once need to take a step, in as few
look-ups as possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import gcd
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import OVER
from rulegame.exploring import StateGraph
from rulegame.game import CHANCE, Outcome
from rulegame.simulation.rng import HALF, Words
from rulegame.simulation.tally import Kind, Tally

OFFSET: Final = 33  # of a row: above this bit stands its first edge,
WEIGHED: Final = 32  # this one says that its edges are not equally likely
SAFE: Final = 2.0**62


@dataclass(frozen=True)
class Track:
    """A state is its row: where its edges begin, and among how many is drawn. An edge holds the row
    of the state that it leads to, so that a step takes one look-up.

    The ends come last. An end has one edge, which leads back to it: so games that are over can
    stand among those that are not.
    """

    targets: Words  # of each edge: the row of the state that it leads to
    kinds: NDArray[np.int64]  # of each edge: the kind of step; one more than there are at an end
    start: int  # the row of the state in which games begin
    ends: int  # the row of the first end; all rows from here on are ends
    outcome: NDArray[np.int64]  # of each end, its place in `outcomes`
    outcomes: tuple[Outcome, ...]
    most: int  # the greatest number that is drawn among
    weighed: bool  # whether any row is
    sums: NDArray[np.int64]  # of each edge: the weights of weighed rows before it, added up
    wide: dict[int, list[int]]  # by first edge: weights whose sum is too large for half a word


def lay(graph: StateGraph, kept: NDArray[np.bool_], tally: Tally) -> Track:
    """The track of the edges that games may take."""
    final = graph.owner == OVER
    going, ended = np.flatnonzero(~final), np.flatnonzero(final)
    sources = np.repeat(np.arange(len(final)), np.diff(graph.offsets))[kept]
    degrees = np.bincount(sources, minlength=len(final))[going]
    offsets = np.concatenate(([0], np.cumsum(degrees)))
    weights, limits, weighed, wide = _weights(graph, kept, going, degrees, offsets)

    first_edges = np.empty(len(final), np.uint64)
    first_edges[going] = offsets[:-1]
    first_edges[ended] = offsets[-1] + np.arange(len(ended))
    rows = first_edges << np.uint64(OFFSET)
    rows[going] |= weighed.astype(np.uint64) << np.uint64(WEIGHED) | limits.astype(np.uint64)
    rows[ended] |= np.uint64(1)
    at_weighed = np.repeat(weighed, degrees) == 1
    return Track(
        targets=np.concatenate((rows[graph.successors[kept]], rows[ended])),
        kinds=np.concatenate(
            (_kinds(graph, kept, sources, tally), np.full(len(ended), len(tally.kinds)))
        ),
        start=int(rows[0]),
        ends=int(offsets[-1]) << OFFSET,
        outcome=graph.outcome[ended].astype(np.int64),
        outcomes=graph.outcomes,
        most=int(limits.max(initial=1)),
        weighed=bool(weighed.any()),
        sums=np.concatenate(([0], np.cumsum(np.where(at_weighed, weights, 0)))),
        wide=wide,
    )


def _weights(
    graph: StateGraph,
    kept: NDArray[np.bool_],
    going: NDArray[np.int64],
    degrees: NDArray[np.int64],
    offsets: NDArray[np.int64],
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], dict[int, list[int]]]:
    """Of each edge its weight, as small as can be; of each state among how many is drawn, and
    whether its weights differ; and the weights of states where that is too many.
    """
    weights = graph.weights[kept].astype(np.int64)
    limits = degrees.copy()
    weighed = np.zeros(len(going), np.int64)
    wide: dict[int, list[int]] = {}
    rolls = np.flatnonzero(graph.owner[going] == CHANCE)
    if not len(rolls):
        return weights, limits, weighed, wide
    divisors = np.gcd.reduceat(weights, offsets[:-1])
    at_rolls = np.zeros(len(going), bool)
    at_rolls[rolls] = True
    weights //= np.repeat(np.where(at_rolls, divisors, 1), degrees)
    rough = np.add.reduceat(weights.astype(np.float64), offsets[:-1])
    totals = np.where(rough < SAFE, np.add.reduceat(weights, offsets[:-1]), HALF)
    limits[rolls] = totals[rolls]
    weighed[rolls] = limits[rolls] != degrees[rolls]
    for state in np.flatnonzero(limits >= HALF).tolist():
        own = weights[offsets[state] : offsets[state + 1]].tolist()
        wide[int(offsets[state])] = [weight // gcd(*own) for weight in own]
        limits[state] = weighed[state] = 0
    return weights, limits, weighed, wide


def _kinds(
    graph: StateGraph, kept: NDArray[np.bool_], sources: NDArray[np.int64], tally: Tally
) -> NDArray[np.int64]:
    """Of each edge in play, the number of its kind."""
    moved = {kind.name: n for kind, n in tally.number.items() if kind.sort != "roll"}
    by_move = np.array([moved.get(move.operation, 0) for move in graph.move_table], np.int64)
    by_roll = np.array(
        [tally.number.get(Kind("roll", move.operation), 0) for move in graph.move_table], np.int64
    )
    moves = graph.moves[kept]
    return np.where(graph.owner[sources] == CHANCE, by_roll[moves], by_move[moves])
