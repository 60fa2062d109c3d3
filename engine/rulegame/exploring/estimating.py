"""Bound the number of states from below by random games, before exploring them all.

States that many games reach after the same number of steps are independent draws, and draws from
few states repeat. For any distribution, n draws from S states repeat at least as often as uniform
draws. By Chernoff's bound, c or fewer repeats have a probability of at most exp(c - m + c ln(m /
c)), where m = (n - c)² / 2S. So few repeats among many draws prove that S is large, up to an error
that can be made arbitrarily small. They do not tell how large.
"""

from __future__ import annotations

from math import log
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import Cells
from rulegame.native.machine_kernel import MachineKernel

DOUBT: Final = 1e-12  # probability of a wrong bound, at one depth
DEEPEST: Final = 1000
DEPTHS: Final = 6  # number of depths that are sampled
LASTING: Final = 0.2  # share of the games that must reach a depth
HOPELESS: Final = 30  # repeats after which more games do not help
SEED: Final = 0x5DEECE66D

Words = NDArray[np.int64]


class SampleSize(NamedTuple):
    """Numbers of random games."""

    pilot: int = 1 << 11  # to choose the depths
    first: int = 1 << 12
    most: int = 1 << 20


SAMPLE_SIZE: Final = SampleSize()


class LeastStates(NamedTuple):
    """A lower bound of the number of states; 0 if the sample proves nothing."""

    states: float
    games: int  # the sample size


class Sampler:
    """Random games from one state."""

    def __init__(self, machine: MachineKernel, start: Cells) -> None:
        self._sample = machine.code.function("sample", "ppppiiipip", "v")
        self._space = machine.memory()
        self._start = np.array(start, np.int64)
        self.games = 0

    def play(self, games: int, depths: Words) -> Words:
        """One row of state hashes per game, by depth; 0 after its end."""
        hashes = np.empty((games, len(depths)), np.int64)
        context, options, weights = self._space.addresses
        self._sample(
            context, self._start.ctypes.data, options, weights, SEED, self.games, games,
            depths.ctypes.data, len(depths), hashes.ctypes.data,
        )  # fmt: skip
        self.games += games
        return hashes


def least_states(
    machine: MachineKernel, start: Cells, wanted: float, size: SampleSize = SAMPLE_SIZE
) -> LeastStates:
    """Sample until the bound exceeds `wanted`, or clearly will not."""
    sampler = Sampler(machine, start)
    depths = _depths(sampler, size.pilot)
    found = np.empty((0, len(depths)), np.int64)
    least, games = 0.0, size.first
    while len(depths) and games <= size.most:
        found = np.concatenate((found, sampler.play(games - len(found), depths)))
        drawn = [_repeats(column) for column in found.T]
        least = max(bound(n, c) for n, c in drawn)
        if least > wanted or all(c > HOPELESS and n * n < 2 * c * wanted for n, c in drawn):
            break
        games *= 2
    return LeastStates(least, sampler.games)


def _depths(sampler: Sampler, games: int) -> Words:
    """The depths just below the one where a few games never meet; fewer steps cost less. None if
    games always meet.
    """
    depths = np.unique(np.geomspace(1, DEEPEST, 120).astype(np.int64))
    hashes = sampler.play(games, depths)
    lasting = (hashes != 0).mean(axis=0) > LASTING
    apart = [k for k in np.flatnonzero(lasting).tolist() if not _repeats(hashes[:, k])[1]]
    if not apart:
        return depths[:0]
    first = depths[apart[0]]
    near: Words = depths[lasting & (depths >= first) & (depths <= 2 * first)]
    return near[np.unique(np.linspace(0, len(near) - 1, DEPTHS).astype(np.int64))].copy()


def _repeats(hashes: Words) -> tuple[int, int]:
    """The number of draws, and how many of them are repeats."""
    drawn = hashes[hashes != 0]
    return len(drawn), len(drawn) - len(np.unique(drawn))


def bound(draws: int, repeats: int) -> float:
    """The least number of states for which so few repeats have at least the probability `DOUBT`."""
    mean = surprise = repeats - log(DOUBT)
    for _ in range(100):  # larger numbers are even less likely
        mean = surprise + (repeats * log(mean / repeats) if repeats else 0.0)
    return (draws - repeats) ** 2 / (2 * mean)
