"""The shape of a graph: an order in which every state comes after all that it leads to, the cycles
that are in the way of one, and the shortest and longest play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.native.graph_kernels import call
from rulegame.progress import Progress, silent
from rulegame.solving.arena import END, Arena, offsets_of, spans, transposed, view

NARROW: Final = 48  # so few states are followed one by one: arrays would cost more
REPORT_EVERY: Final = 1 << 16
TASK: Final = "Looking for cycles"


@dataclass(frozen=True)
class Structure:
    """Of each state its level, which is above the levels of all that it leads to, but for those of
    its own cycle; and the number of that cycle, or -1.
    """

    level: NDArray[np.int32]
    cycle: NDArray[np.int32]

    @property
    def is_acyclic(self) -> bool:
        """Whether no play can come back to a state."""
        return bool((self.cycle < 0).all())

    @property
    def longest_play(self) -> int | None:
        """The greatest number of moves and rolls from the start; None if play can be endless."""
        return int(self.level[0]) if self.is_acyclic else None

    def in_order(self) -> Iterator[NDArray[np.int64]]:
        """The states of each level, from the ends to the start."""
        order = np.argsort(self.level, kind="stable")
        cuts = np.flatnonzero(np.diff(self.level[order])) + 1
        ends = [0, *cuts.tolist(), len(order)]
        return (order[a:b] for a, b in pairwise(ends))


def find_structure(arena: Arena, progress: Progress = silent) -> Structure:
    """The levels and cycles of a graph."""
    size = len(arena)
    level = arena.room.zeros(size, np.int32)
    left = arena.room.zeros(size, np.int32)
    left[:] = np.diff(arena.offsets)
    offsets, sources = arena.backward_sources
    if arena.is_large:
        progress(TASK, 0, None)
        call("peel", size, offsets, sources, left, level, arena.room.zeros(size, np.int32))
    else:
        _peel(offsets, sources, left, level, progress)
    cycle = arena.room.filled(size, -1, np.int32)
    if arena.is_large:
        _connect(arena, left, level, cycle)
        return Structure(level, cycle)
    rest = np.flatnonzero(left > 0)  # from here a cycle can be reached
    if len(rest):
        _find_cycles(arena, rest, level, cycle, progress)
    return Structure(level, cycle)


def _peel(
    offsets: NDArray[Any],
    sources: NDArray[np.int32],
    left: NDArray[np.int32],
    level: NDArray[np.int32],
    progress: Progress,
) -> None:
    """Gives a level to all from which no cycle can be reached, a layer at a time; `left` counts the
    ways out that are not yet followed back.
    """
    layer = np.flatnonzero(left == 0)
    height = done = told = 0
    while len(layer):
        level[layer] = height
        height += 1
        done += len(layer)
        if done - told >= REPORT_EVERY:
            told = done
            progress(TASK, done, len(left))
        if len(layer) < NARROW:
            layer = _sources_narrow(offsets, sources, left, layer)
            continue
        into, ways = np.unique(sources[spans(offsets, layer)], return_counts=True)
        left[into] -= ways
        layer = into[left[into] == 0].astype(np.int64)


def _sources_narrow(
    offsets: NDArray[Any],
    sources: NDArray[np.int32],
    left: NDArray[np.int32],
    layer: NDArray[np.int64],
) -> NDArray[np.int64]:
    """The next layer, state by state."""
    starts, into, ways = view(offsets), view(sources), view(left)
    found = []
    for state in layer.tolist():
        for source in into[starts[state] : starts[state + 1]]:
            ways[source] -= 1
            if not ways[source]:
                found.append(source)
    return np.array(found, np.int64)


def _connect(
    arena: Arena, left: NDArray[np.int32], level: NDArray[np.int32], cycle: NDArray[np.int32]
) -> None:
    """The same as `_find_cycles`, by machine code."""
    if not (left > 0).any():
        return
    size, base = len(arena), int(level.max()) + 1
    work = [arena.room.zeros(size, np.int32) for _ in range(5)]
    call("connect", size, arena.offsets, arena.successors, left, level, cycle, base, *work)


def _find_cycles(
    arena: Arena,
    rest: NDArray[np.int64],
    level: NDArray[np.int32],
    cycle: NDArray[np.int32],
    progress: Progress,
) -> None:
    """Cycles among the rest, and levels for it: those of the graph in which each cycle is one."""
    progress(TASK, 0, None)
    place = np.full(len(arena), -1, np.int32)
    place[rest] = np.arange(len(rest), dtype=np.int32)
    edges = arena.outgoing(rest)
    tails = np.repeat(np.arange(len(rest), dtype=np.int32), arena.degrees[rest])
    heads = place[arena.successors[edges]]
    tails, heads = tails[heads >= 0], heads[heads >= 0]
    part, count = connected(len(rest), tails, heads)
    sizes = np.bincount(part, minlength=count)
    cyclic = sizes > 1
    cyclic[part[tails[tails == heads]]] = True
    cycle[rest] = np.where(cyclic, np.arange(count), -1)[part]
    between = part[tails] != part[heads]
    tails, heads = part[tails[between]], part[heads[between]]
    offsets, edges = transposed(count, heads)
    left = np.bincount(tails, minlength=count).astype(np.int32)
    heights = np.zeros(count, np.int32)
    _peel(offsets, tails[edges], left, heights, progress)
    level[rest] = int(level.max()) + 1 + heights[part]


def connected(
    size: int, tails: NDArray[np.int32], heads: NDArray[np.int32]
) -> tuple[NDArray[np.int32], int]:
    """The strongly connected component of each state, and how many there are; edges are sorted by
    their tails.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    graph = csr_array((np.ones(len(heads)), heads, offsets_of(size, tails)), (size, size))
    graph.sum_duplicates()  # with an edge twice, the search may not come to an end
    count, part = connected_components(graph, directed=True, connection="strong")
    return np.asarray(part, np.int32), int(count)


class Backward:
    """Edges by where they lead to."""

    def __init__(
        self, size: int, sources: NDArray[np.int32], successors: NDArray[np.int32]
    ) -> None:
        self._offsets, edges = transposed(size, successors)
        self._sources = sources[edges]

    def leading_to(self, goal: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The states from which one of the goal can be reached, those of the goal included."""
        found = goal.copy()
        layer = np.flatnonzero(goal)
        while len(layer):
            if len(layer) < NARROW:
                layer = _next_narrow(self._offsets, self._sources, found, layer)
                continue
            sources = np.unique(self._sources[spans(self._offsets, layer)])
            layer = sources[~found[sources]].astype(np.int64)
            found[layer] = True
        return found


def shortest_play(arena: Arena) -> int | None:
    """The least number of moves and rolls from the start to an end; None if no end is reachable."""
    if arena.is_large:
        depth = np.full(len(arena), -1, np.int32)
        queue = np.empty(len(arena), np.int32)
        found = call("shortest", arena.offsets, arena.successors, arena.role, depth, queue)
        return found if found >= 0 else None
    seen = np.zeros(len(arena), bool)
    seen[0] = True
    layer, length = np.array([0]), 0
    while len(layer):
        if (arena.role[layer] == END).any():
            return length
        length += 1
        if len(layer) < NARROW:
            layer = _next_narrow(arena.offsets, arena.successors, seen, layer)
            continue
        following = np.unique(arena.successors[arena.outgoing(layer)])
        layer = following[~seen[following]].astype(np.int64)
        seen[layer] = True
    return None


def _next_narrow(
    offsets: NDArray[Any],
    targets: NDArray[np.int32],
    seen: NDArray[np.bool_],
    layer: NDArray[np.int64],
) -> NDArray[np.int64]:
    known, starts, into = view(seen), view(offsets), view(targets)
    found = []
    for state in layer.tolist():
        for other in into[starts[state] : starts[state + 1]]:
            if not known[other]:
                known[other] = True
                found.append(other)
    return np.array(found, np.int64)
