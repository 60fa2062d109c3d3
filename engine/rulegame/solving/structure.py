"""The shape of a graph: its strongly connected components, and its shortest and longest play."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from rulegame.solving.arena import END, Arena


def components(arena: Arena) -> tuple[NDArray[np.int32], int]:
    """The strongly connected component of each state, and how many there are; a component has a
    higher number than all that can be reached from it.
    """
    return _tarjan(arena.offsets.tolist(), arena.successors.tolist())


def connected(
    size: int, sources: NDArray[np.int64], targets: NDArray[np.int64]
) -> NDArray[np.int32]:
    """The strongly connected components of some edges, which are sorted by their sources."""
    counts = np.bincount(sources, minlength=size)
    offsets = np.concatenate(([0], np.cumsum(counts)))
    return _tarjan(offsets.tolist(), targets.tolist())[0]


def _tarjan(offsets: list[int], successors: list[int]) -> tuple[NDArray[np.int32], int]:
    """Tarjan's algorithm, without recursion."""
    count = len(offsets) - 1
    order, low, found = [-1] * count, [0] * count, [-1] * count
    place = offsets[:-1]
    waiting: list[int] = []
    path: list[int] = []
    clock = number = 0
    for root in range(count):
        if order[root] >= 0:
            continue
        path.append(root)
        while path:
            state = path[-1]
            if order[state] < 0:
                order[state] = low[state] = clock
                clock += 1
                waiting.append(state)
            edge, end = place[state], offsets[state + 1]
            lowest = low[state]
            following = -1
            while edge < end:
                other = successors[edge]
                edge += 1
                if order[other] < 0:
                    following = other
                    break
                if found[other] < 0 and order[other] < lowest:
                    lowest = order[other]
            place[state], low[state] = edge, lowest
            if following >= 0:
                path.append(following)
                continue
            path.pop()
            if path and low[path[-1]] > lowest:
                low[path[-1]] = lowest
            if lowest == order[state]:
                while True:
                    member = waiting.pop()
                    found[member] = number
                    if member == state:
                        break
                number += 1
    return np.array(found, np.int32), number


def in_order(component: NDArray[np.int32]) -> list[NDArray[np.int64]]:
    """The states of each component, from those near the ends to the start."""
    order = np.argsort(component, kind="stable")
    cuts = np.flatnonzero(np.diff(component[order])) + 1
    return np.split(order, cuts)


def is_acyclic(arena: Arena, component: NDArray[np.int32], count: int) -> bool:
    """Whether no play can come back to a state."""
    return count == len(arena) and not bool((arena.sources == arena.successors).any())


def shortest_play(arena: Arena) -> int | None:
    """The least number of moves and rolls from the start to an end; None if no end is reachable."""
    seen = np.zeros(len(arena), bool)
    layer = np.array([0])
    seen[0] = True
    length = 0
    while len(layer):
        if (arena.role[layer] == END).any():
            return length
        following = np.unique(arena.successors[arena.outgoing(layer)])
        layer = following[~seen[following]].astype(np.int64)
        seen[layer] = True
        length += 1
    return None


def longest_play(arena: Arena, component: NDArray[np.int32]) -> int:
    """The greatest number of moves and rolls from the start, of a graph without cycles."""
    longest = [0] * len(arena)
    offsets, successors = arena.offsets.tolist(), arena.successors.tolist()
    for state in np.argsort(component, kind="stable").tolist():
        following = successors[offsets[state] : offsets[state + 1]]
        if following:
            longest[state] = 1 + max(longest[other] for other in following)
    return longest[0]
