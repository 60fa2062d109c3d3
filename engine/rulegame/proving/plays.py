"""Plays through a state graph: the shortest way to a state, the shortest way into a circle, and
where play can be kept from or forced to a goal.

Players are all alike here: what is asked is what they can do, not what they want.
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
Circle = tuple[list[int], list[int]]  # the edges of a way, and those that lead back to its end

NEVER: Final = -1
NEAR: Final = 8  # how far from the start circles are looked for first
MOST_WORK: Final = 5_000_000  # edges looked at in the search for a shorter circle


@dataclass(frozen=True)
class Board(Adjacency):
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
        """The moves of some edges."""
        return tuple(self.graph.move_table[self.graph.moves[e]] for e in edges)


@dataclass(frozen=True, slots=True)
class Ways:
    """The shortest ways from the start."""

    board: Board
    distance: NDArray[np.int32]  # NEVER: cannot be reached
    arrival: Edges  # of each state but the start, the last edge of a shortest way

    def nearest(self, states: Mask) -> int | None:
        """The state that is reached soonest."""
        found = np.flatnonzero(states & (self.distance != NEVER))
        return int(found[np.argmin(self.distance[found])]) if len(found) else None

    def to(self, state: int) -> list[int]:
        """The edges of a shortest way to a state."""
        edges: list[int] = []
        while self.distance[state] > 0:
            edges.append(int(self.arrival[state]))
            state = int(self.board.sources[edges[-1]])
        return edges[::-1]


def shortest_ways(board: Board, allowed: Mask | None = None) -> Ways:
    """The shortest ways from the start over the allowed edges."""
    distance = np.full(len(board), NEVER, np.int32)
    arrival = np.full(len(board), -1, np.int64)
    distance[0] = 0
    layer = np.array([0], np.int64)
    away = 0
    while len(layer):
        away += 1
        edges = board.outgoing(layer)
        if allowed is not None:
            edges = edges[allowed[edges]]
        edges = edges[distance[board.successors[edges]] == NEVER]
        found, first = np.unique(board.successors[edges], return_index=True)
        layer = found.astype(np.int64)
        distance[layer] = away
        arrival[layer] = edges[first]
    return Ways(board, distance, arrival)


def forced(board: Board, goal: Mask, one: Mask, allowed: Mask | None = None) -> NDArray[np.int32]:
    """In how many steps the goal is reached at the latest: from states of `one` by any edge, from
    all others only if every edge leads on to it. NEVER where that is not so.
    """
    usable = board.every_edge if allowed is None else allowed
    distance = np.full(len(board), NEVER, np.int32)
    distance[goal] = 0
    left = np.bincount(board.sources[usable], minlength=len(board))
    layer = np.flatnonzero(goal)
    away = 0
    while len(layer):
        away += 1
        edges = board.incoming(layer)
        sources = board.sources[edges[usable[edges]]]
        sources = sources[distance[sources] == NEVER]
        hesitant = sources[~one[sources]]
        np.subtract.at(left, hesitant, 1)
        hesitant = np.unique(hesitant)
        layer = np.union1d(sources[one[sources]], hesitant[left[hesitant] == 0]).astype(np.int64)
        distance[layer] = away
    return distance


def almost_surely(board: Board, one: Mask, allowed: Mask) -> Mask:
    """From where whoever decides in the states of `one` can make sure that play ends with
    probability 1, against whoever decides in the others, over the allowed edges.
    """
    usable = allowed.copy()
    inside = np.ones(len(board), bool)
    helping = one | board.rolls
    hindering = ~one | board.rolls
    while True:
        hopeful = forced(board, board.ends & inside, helping, usable) != NEVER
        lost = inside & ~hopeful
        if not lost.any():
            return inside
        lost = forced(board, lost, hindering, usable) != NEVER
        inside &= ~lost
        usable &= inside[board.sources] & inside[board.successors]


def circle(board: Board, ways: Ways, inside: Mask, allowed: Mask) -> Circle | None:
    """The edges of a shortest play that comes back to a state, staying inside from there on: the
    way to that state, and round. None if there is no such play.

    All states of a play with n steps that ends where it has been before are fewer than n steps
    from the start. So those near it are searched first, and of a large graph seldom more.
    """
    inside = inside & (ways.distance != NEVER)
    furthest = int(ways.distance[inside].max(initial=0))
    reach = NEAR
    while True:
        found = _circle_within(board, ways, inside & (ways.distance <= reach), allowed)
        length = len(found[0]) + len(found[1]) if found else 0
        if reach >= furthest or (found and length <= reach + 2):
            return found
        reach = length - 2 if found else 2 * reach


def _circle_within(board: Board, ways: Ways, inside: Mask, allowed: Mask) -> Circle | None:
    following = _circling(board, inside, allowed)
    best: Circle | None = None
    work = 0
    for entry in sorted(following, key=lambda state: int(ways.distance[state])):
        away = int(ways.distance[entry])
        limit = len(following) if best is None else len(best[0]) + len(best[1]) - away - 1
        if limit < 1 or (best is not None and work > MOST_WORK):
            break
        found, looked = _round(following, entry, limit)
        work += looked
        if found:
            best = ways.to(entry), found
    return best


def _circling(board: Board, inside: Mask, allowed: Mask) -> dict[int, list[tuple[int, int]]]:
    """The edges that lie on circles: of each state, the edges and where they lead."""
    edges = np.flatnonzero(allowed & inside[board.sources] & inside[board.successors])
    sources, targets = board.sources[edges], board.successors[edges]
    place = np.cumsum(inside) - 1
    offsets = offsets_of(int(inside.sum()), place[sources])
    cycle = find_structure(Adjacency(offsets, place[targets].astype(np.int32))).cycle
    on_circle = (cycle[place[sources]] == cycle[place[targets]]) & (cycle[place[sources]] >= 0)
    following: dict[int, list[tuple[int, int]]] = {}
    for edge, source, target in zip(
        edges[on_circle].tolist(),
        sources[on_circle].tolist(),
        targets[on_circle].tolist(),
        strict=True,
    ):
        following.setdefault(source, []).append((edge, target))
    return following


def _round(
    following: dict[int, list[tuple[int, int]]], entry: int, limit: int
) -> tuple[list[int], int]:
    """The edges of the shortest circle through a state, empty if it has more than `limit`; and how
    many edges were looked at.
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
