"""The shape of a graph: an order in which every state comes after all that it leads to, the cycles
that are in the way of one, and the shortest and longest play.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rulegame.progress import Progress, silent
from rulegame.solving.arena import Adjacency, Arena


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


def find_structure(graph: Adjacency, progress: Progress = silent) -> Structure:
    """The levels and cycles of a graph: the strongly connected components in which play can turn
    round.
    """
    progress("Looking for cycles", 0, None)
    size, room = len(graph), graph.room
    level, left, *work = (room.zeros(size, np.int32) for _ in range(7))
    left[:] = graph.degrees
    cycle = room.filled(size, -1, np.int32)
    if graph.run("peel", size, *graph.backward_sources, left, level, work[0]) < size:
        base = int(level.max()) + 1
        work[0][:] = 0
        graph.run("connect", size, graph.offsets, graph.successors, left, level, cycle, base, *work)
    return Structure(level, cycle)


def shortest_play(arena: Arena) -> int | None:
    """The least number of moves and rolls from the start to an end; None if no end is reachable."""
    depth = np.full(len(arena), -1, np.int32)
    queue = np.empty(len(arena), np.int32)
    found = arena.run("shortest", arena.offsets, arena.successors, arena.role, depth, queue)
    return found if found >= 0 else None
