"""Repeatable randomness: numbers that depend on the seed, the game's number and the step alone.

There is no state between draws, so games may be played in any order, in any batches and on any
machine. The arithmetic uses 64-bit integers: SplitMix64 over a counter; `native.kernels.chance` is
the native version.
"""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

GOLDEN: Final = 0x9E3779B97F4A7C15
ALL: Final = 2**64 - 1
HALF: Final = 2**32  # a draw takes half a word
_LOW: Final = HALF - 1
_FACTORS: Final = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB
_SHIFTS: Final = 30, 27, 31


def mixed(word: int) -> int:
    """SplitMix64's finalizer: a word that depends on all bits of the input."""
    word = (word ^ word >> _SHIFTS[0]) * _FACTORS[0] & ALL
    word = (word ^ word >> _SHIFTS[1]) * _FACTORS[1] & ALL
    return word ^ word >> _SHIFTS[2]


@dataclass(frozen=True, slots=True)
class Seeded:
    """A seed, as two words."""

    start: int
    stride: int

    @staticmethod
    def by(seed: int) -> Seeded:
        """The words of any integer seed."""
        digest = blake2b(str(seed).encode(), digest_size=16, person=b"rulegame").digest()
        return Seeded(int.from_bytes(digest[:8], "big"), int.from_bytes(digest[8:], "big"))

    def game(self, number: int) -> Draws:
        """The random numbers of one game."""
        along = number * GOLDEN
        return Draws(mixed(self.start + along & ALL), mixed(self.stride + along & ALL) | 1)


class Draws:
    """The random numbers of one game at its current `step`. Two steps share a word: even steps take
    its upper half.
    """

    __slots__ = ("_at", "_counter", "_stride", "_word", "step")

    def __init__(self, counter: int, stride: int) -> None:
        self._counter = counter
        self._stride = stride
        self.step = 0
        self._at = -1  # the pair of steps of the word below
        self._word = 0

    def below(self, limit: int) -> int:
        """A uniform number from 0 to limit - 1, by rejection: biased words are replaced by further
        ones.
        """
        if limit == 1:
            return 0
        step = self.step
        pair = step >> 1
        if pair != self._at:
            self._at = pair
            self._word = mixed(self._counter + (pair + 1) * self._stride & ALL)
        half = self._word & _LOW if step & 1 else self._word >> 32
        return below(limit, half, self._stride, step)

    def words(self) -> int:
        """128 bits, as a seed for players."""
        return _spare(self._stride, self.step, 1) << 64 | _spare(self._stride, self.step, 2)


def below(limit: int, half: int, stride: int, step: int) -> int:
    """One of the numbers 0 to limit - 1, exactly equally likely: what would favour some of them is
    rejected, and another word is taken.
    """
    attempt = 0
    if limit < HALF:
        rejected = HALF % limit
        while (product := half * limit) & _LOW < rejected:
            attempt += 1
            half = _spare(stride, step, attempt) >> 32
        return product >> 32
    bits = (limit - 1).bit_length()
    while True:
        number = 0
        for _ in range(-(-bits // 64)):
            attempt += 1
            number = number << 64 | _spare(stride, step, attempt)
        number &= (1 << bits) - 1
        if number < limit:
            return number


def _spare(stride: int, step: int, attempt: int) -> int:
    """Further words for a step whose half word was rejected."""
    return mixed(mixed(stride + (step + 1) * GOLDEN & ALL) + attempt * GOLDEN & ALL)
