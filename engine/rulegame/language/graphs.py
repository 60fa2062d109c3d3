"""Boards that are graphs: points, the lines through them, and what lies beside and in line with
each point. Rules know a graph by its number, points by the codes of their words.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from typing import Final, NamedTuple

Codes = tuple[int, ...]


class Graph(NamedTuple):
    """Points, each a column and a row from 1, and lines of points, which count from 0: those that
    follow one another on a line are neighbours.
    """

    points: tuple[tuple[int, int], ...]
    lines: tuple[tuple[int, ...], ...]

    @property
    def most_beside(self) -> int:
        """The most neighbours of a point."""
        return max(map(len, _beside(self)), default=0)

    @property
    def longest(self) -> int:
        """The points of the longest line."""
        return max(map(len, self.lines), default=0)

    def stretches(self, length: int) -> tuple[tuple[int, ...], ...]:
        """All that many points that follow one another on a line, each once."""
        if length == 1:
            return tuple((point,) for point in range(len(self.points)))
        found: dict[tuple[int, ...], None] = {}
        for line in self.lines if length > 0 else ():
            for at in range(len(line) - length + 1):
                part = line[at : at + length]
                if part[::-1] not in found:
                    found[part] = None
        return tuple(found)


_KNOWN: Final[dict[int, Graph]] = {}


def number_of(graph: Graph) -> int:
    """The number by which code knows a graph; the same in every process."""
    number = int.from_bytes(sha256(repr(tuple(graph)).encode()).digest()[:7])
    _KNOWN[number] = graph
    return number


def _beside(graph: Graph) -> tuple[Codes, ...]:
    found: list[set[int]] = [set() for _ in graph.points]
    for line in graph.lines:
        for one, other in pairwise(line):
            if one != other:
                found[one].add(other)
                found[other].add(one)
    return tuple(tuple(sorted(some)) for some in found)


@lru_cache(maxsize=64)
def beside(number: int, first: int) -> tuple[Codes, ...]:
    """The neighbours of each point, in the order of the points."""
    return tuple(tuple(first + k for k in some) for some in _beside(_KNOWN[number]))


@lru_cache(maxsize=256)
def lines_through(number: int, first: int, length: int) -> tuple[tuple[Codes, ...], ...]:
    """The lines of that many points that each point is on."""
    graph = _KNOWN[number]
    lines = graph.stretches(length)
    return tuple(
        tuple(tuple(first + k for k in line) for line in lines if point in line)
        for point in range(len(graph.points))
    )


@lru_cache(maxsize=64)
def rays(number: int, first: int) -> tuple[tuple[Codes, ...], ...]:
    """The points of each line from a point on, without it, one way and the other."""
    graph = _KNOWN[number]
    found: list[list[Codes]] = [[] for _ in graph.points]
    for line in graph.lines:
        for at, point in enumerate(line):
            for way in (line[:at][::-1], line[at + 1 :]):
                if way:
                    found[point].append(tuple(first + k for k in way))
    return tuple(map(tuple, found))
