"""Plays through a state graph: shortest paths to a state or into a cycle, and sets of states where
play can be forced to a goal or kept from it.

All players are alike here: the question is what they can do, not what they want.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import OVER
from rulegame.exploring import StateGraph
from rulegame.game import CHANCE, Move
from rulegame.solving.arena import Adjacency, offsets_of
from rulegame.solving.components import find_structure

Mask = NDArray[np.bool_]
Edges = NDArray[np.int64]
Cycle = tuple[list[int], list[int]]  # the edges of a path, and the edges that lead back to its end

NEVER: Final = -1
NEAR: Final = 8  # search for cycles near the start first
MOST_WORK: Final = 5_000_000  # edges examined in the search for a shorter cycle


@dataclass(frozen=True)
class PlayGraph(Adjacency):
    """The edges of a state graph, with its moves."""

    graph: StateGraph

    @cached_property
    def ends(self) -> Mask:
        return np.asarray(self.graph.owner == OVER)

    @cached_property
    def rolls(self) -> Mask:
        return np.asarray(self.graph.owner == CHANCE)

    @cached_property
    def every_edge(self) -> Mask:
        return np.ones(len(self.successors), bool)

    def moves(self, edges: Sequence[int]) -> tuple[Move, ...]:
        """The moves of edges."""
        return tuple(self.graph.move_table[self.graph.moves[e]] for e in edges)


@dataclass(frozen=True, slots=True)
class ShortestPaths:
    """Shortest paths from the start."""

    plays: PlayGraph
    distance: NDArray[np.int32]  # NEVER: unreachable
    arrival: Edges  # of each state but the start, the last edge of a shortest path

    def nearest(self, states: Mask) -> int | None:
        """The nearest of some states; None if all are unreachable."""
        found = np.flatnonzero(states & (self.distance != NEVER))
        return int(found[np.argmin(self.distance[found])]) if len(found) else None

    def to(self, state: int) -> list[int]:
        """The edges of a shortest path to a state."""
        edges: list[int] = []
        while self.distance[state] > 0:
            edges.append(int(self.arrival[state]))
            state = int(self.plays.sources[edges[-1]])
        return edges[::-1]


def shortest_paths(plays: PlayGraph, allowed: Mask | None = None) -> ShortestPaths:
    """Shortest paths from the start over the allowed edges."""
    distance = np.full(len(plays), NEVER, np.int32)
    arrival = np.full(len(plays), -1, np.int64)
    distance[0] = 0
    layer = np.array([0], np.int64)
    away = 0
    while len(layer):
        away += 1
        edges = plays.outgoing(layer)
        if allowed is not None:
            edges = edges[allowed[edges]]
        edges = edges[distance[plays.successors[edges]] == NEVER]
        found, first = np.unique(plays.successors[edges], return_index=True)
        layer = found.astype(np.int64)
        distance[layer] = away
        arrival[layer] = edges[first]
    return ShortestPaths(plays, distance, arrival)


def forced(
    plays: PlayGraph, goal: Mask, one: Mask, allowed: Mask | None = None
) -> NDArray[np.int32]:
    """The greatest number of steps to the goal, if states of `one` choose their edge and all others
    must be led there by every edge; NEVER where the goal cannot be forced.
    """
    usable = plays.every_edge if allowed is None else allowed
    distance = np.full(len(plays), NEVER, np.int32)
    distance[goal] = 0
    left = np.bincount(plays.sources[usable], minlength=len(plays))
    layer = np.flatnonzero(goal)
    away = 0
    while len(layer):
        away += 1
        edges = plays.incoming(layer)
        sources = plays.sources[edges[usable[edges]]]
        sources = sources[distance[sources] == NEVER]
        hesitant = sources[~one[sources]]
        np.subtract.at(left, hesitant, 1)
        hesitant = np.unique(hesitant)
        layer = np.union1d(sources[one[sources]], hesitant[left[hesitant] == 0]).astype(np.int64)
        distance[layer] = away
    return distance


def almost_surely(plays: PlayGraph, one: Mask, allowed: Mask) -> Mask:
    """The states from which the player of `one` can make sure that play ends with probability 1,
    against the player of the others, over the allowed edges.
    """
    usable = allowed.copy()
    inside = np.ones(len(plays), bool)
    helping = one | plays.rolls
    hindering = ~one | plays.rolls
    while True:
        hopeful = forced(plays, plays.ends & inside, helping, usable) != NEVER
        lost = inside & ~hopeful
        if not lost.any():
            return inside
        lost = forced(plays, lost, hindering, usable) != NEVER
        inside &= ~lost
        usable &= inside[plays.sources] & inside[plays.successors]


def find_cycle(plays: PlayGraph, paths: ShortestPaths, inside: Mask, allowed: Mask) -> Cycle | None:
    """The edges of a shortest play that returns to a state and stays inside from there on: the path
    to that state, and the cycle. None if there is no such play.

    All states of a play with n steps that ends where it has been before are fewer than n steps from
    the start. So the states near the start are searched first, and of a large graph rarely more.
    """
    inside = inside & (paths.distance != NEVER)
    furthest = int(paths.distance[inside].max(initial=0))
    reach = NEAR
    while True:
        found = _cycle_within(plays, paths, inside & (paths.distance <= reach), allowed)
        length = len(found[0]) + len(found[1]) if found else 0
        if reach >= furthest or (found and length <= reach + 2):
            return found
        reach = length - 2 if found else 2 * reach


def _cycle_within(
    plays: PlayGraph, paths: ShortestPaths, inside: Mask, allowed: Mask
) -> Cycle | None:
    following = _cycles_within(plays, inside, allowed)
    best: Cycle | None = None
    work = 0
    for entry in sorted(following, key=lambda state: int(paths.distance[state])):
        away = int(paths.distance[entry])
        limit = len(following) if best is None else len(best[0]) + len(best[1]) - away - 1
        if limit < 1 or (best is not None and work > MOST_WORK):
            break
        found, looked = _shortest_cycle(following, entry, limit)
        work += looked
        if found:
            best = paths.to(entry), found
    return best


def _cycles_within(
    plays: PlayGraph, inside: Mask, allowed: Mask
) -> dict[int, list[tuple[int, int]]]:
    """The edges that are part of cycles, by state: each edge and its target."""
    edges = np.flatnonzero(allowed & inside[plays.sources] & inside[plays.successors])
    sources, targets = plays.sources[edges], plays.successors[edges]
    place = np.cumsum(inside) - 1
    offsets = offsets_of(int(inside.sum()), place[sources])
    cycle = find_structure(Adjacency(offsets, place[targets].astype(np.int32))).cycle
    on_cycle = (cycle[place[sources]] == cycle[place[targets]]) & (cycle[place[sources]] >= 0)
    following: dict[int, list[tuple[int, int]]] = {}
    for edge, source, target in zip(
        edges[on_cycle].tolist(),
        sources[on_cycle].tolist(),
        targets[on_cycle].tolist(),
        strict=True,
    ):
        following.setdefault(source, []).append((edge, target))
    return following


def _shortest_cycle(
    following: dict[int, list[tuple[int, int]]], entry: int, limit: int
) -> tuple[list[int], int]:
    """The edges of the shortest cycle through a state, or none if it has more than `limit`; and the
    number of edges examined.
    """
    arrival: dict[int, tuple[int, int]] = {}
    layer = [entry]
    looked = 0
    for _ in range(limit):
        after: list[int] = []
        for state in layer:
            for edge, target in following[state]:
                looked += 1
                if target == entry:
                    return [*_back(arrival, state, entry), edge], looked
                if target not in arrival:
                    arrival[target] = edge, state
                    after.append(target)
        layer = after
        if not layer:
            break
    return [], looked


def _back(arrival: dict[int, tuple[int, int]], state: int, entry: int) -> list[int]:
    edges: list[int] = []
    while state != entry:
        edge, state = arrival[state]
        edges.append(edge)
    return edges[::-1]
