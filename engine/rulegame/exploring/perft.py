"""perft: the number of move sequences of a given length, the standard check of move generators."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.exploring.explorer import Explorer
from rulegame.game import Game
from rulegame.memory import memory_budget
from rulegame.progress import silent

EXACT: Final = 2**53  # floats count as far as this
MOST_STATES: Final = 2**31 - 2


def perft(game: Game, depth: int) -> int:
    """Count the sequences of exactly `depth` calls of `play` from `start(0)`, including rolls and
    picks. Transpositions are expanded once.
    """
    explorer = Explorer(game, MOST_STATES, memory_budget(None), silent)
    successors, degrees = explorer.near(game.start(0).cells, depth)
    sources = np.repeat(np.arange(len(degrees)), degrees)
    ways: NDArray[Any] = np.ones(1)
    for _ in range(depth):
        ways = _after(ways, sources, successors)
    return int(ways.sum())


def _after(
    ways: NDArray[Any], sources: NDArray[np.int64], successors: NDArray[np.int32]
) -> NDArray[Any]:
    """The number of ways to reach each state with one more move."""
    leaving = sources < len(ways)
    moved, reached = ways[sources[leaving]], successors[leaving]
    if ways.dtype != object and moved.sum() < EXACT:
        return np.bincount(reached, moved)
    found = np.zeros(int(reached.max()) + 1, object)
    np.add.at(found, reached, moved.astype(object) if ways.dtype == object else _whole(moved))
    return found


def _whole(ways: NDArray[Any]) -> NDArray[Any]:
    """Exact integers from floats that still are."""
    return np.array([int(one) for one in ways.tolist()], object)
