"""How many states a game has at least, told from games at random before all of them are explored.

States that many games have come to after the same number of steps are drawn independently of each
other, and of few states, some would be drawn again. Whatever the distribution, n draws from S
states repeat at least as often as if all states were equally likely. That c or fewer of them are
repeats has then, by Chernoff's bound, at most the probability exp(c - m + c ln(m / c)), with
m = (n - c)² / 2S: few repeats among many draws prove that S is large, but for a doubt that can be
made as small as one likes. It says nothing about how much larger it is.
"""

from __future__ import annotations

from math import log
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import Cells
from rulegame.native.machine_kernel import MachineKernel

DOUBT: Final = 1e-12  # the probability that a number is too much, at one depth
PILOT: Final = 1 << 11  # games by which depths are chosen
DEEPEST: Final = 1000
DEPTHS: Final = 6  # at which states are drawn
LASTING: Final = 0.2  # the share of games that must last so long
FIRST_GAMES, MOST_GAMES = 1 << 12, 1 << 20
HOPELESS: Final = 30  # repeats that tell that more games would find yet more
SEED: Final = 0x5DEECE66D

Words = NDArray[np.int64]


class LeastStates(NamedTuple):
    """So many there are, or more; 0 if games at random do not tell."""

    states: float
    games: int  # that it was told from


class Sampler:
    """Games at random from one state on."""

    def __init__(self, machine: MachineKernel, start: Cells) -> None:
        self._sample = machine.code.function("sample", "ppppiiipip", "v")
        self._space = machine.memory()
        self._start = np.array(start, np.int64)
        self.games = 0

    def play(self, games: int, depths: Words) -> Words:
        """Of each game a row of hashes, by depth; 0 where it is over."""
        hashes = np.empty((games, len(depths)), np.int64)
        context, options, weights = self._space.addresses
        self._sample(
            context, self._start.ctypes.data, options, weights, SEED, self.games, games,
            depths.ctypes.data, len(depths), hashes.ctypes.data,
        )  # fmt: skip
        self.games += games
        return hashes


def least_states(machine: MachineKernel, start: Cells, wanted: float) -> LeastStates:
    """As soon as it is above `wanted`, or clearly is not going to be."""
    sampler = Sampler(machine, start)
    depths = _depths(sampler)
    found = np.empty((0, len(depths)), np.int64)
    least, games = 0.0, FIRST_GAMES
    while len(depths) and games <= MOST_GAMES:
        found = np.concatenate((found, sampler.play(games - len(found), depths)))
        drawn = [_repeats(column) for column in found.T]
        least = max(bound(n, c) for n, c in drawn)
        if least > wanted or all(c > HOPELESS and n * n < 2 * c * wanted for n, c in drawn):
            break
        games *= 2
    return LeastStates(least, sampler.games)


def _depths(sampler: Sampler) -> Words:
    """Where a few games have not met, and not much further: the fewer steps, the sooner it is told.
    None, if they always meet.
    """
    depths = np.unique(np.geomspace(1, DEEPEST, 120).astype(np.int64))
    hashes = sampler.play(PILOT, depths)
    lasting = (hashes != 0).mean(axis=0) > LASTING
    apart = [k for k in np.flatnonzero(lasting).tolist() if not _repeats(hashes[:, k])[1]]
    if not apart:
        return depths[:0]
    first = depths[apart[0]]
    near: Words = depths[lasting & (depths >= first) & (depths <= 2 * first)]
    return near[np.unique(np.linspace(0, len(near) - 1, DEPTHS).astype(np.int64))].copy()


def _repeats(hashes: Words) -> tuple[int, int]:
    """How many states were drawn, and how many of them had been drawn before."""
    drawn = hashes[hashes != 0]
    return len(drawn), len(drawn) - len(np.unique(drawn))


def bound(draws: int, repeats: int) -> float:
    """The least number of states of which so few would be drawn again, but for `DOUBT`."""
    mean = surprise = repeats - log(DOUBT)
    for _ in range(100):  # of what is larger, so few would be even less likely
        mean = surprise + (repeats * log(mean / repeats) if repeats else 0.0)
    return (draws - repeats) ** 2 / (2 * mean)
