"""What machine code and those who call it both know: the words of the context that every function
is given, how many options there is room for, and the rules of which there is no machine code.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from rulegame.limits import LIMITS

# Words of the context that every function is given.
METER: Final = 0  # steps that are left
TOP: Final = 1  # of the heap: lists are laid one behind the other until the rules have been asked
END: Final = 2  # of the heap
STAMPS: Final = 3  # for each cell, the last set of effects that wrote to it
STAMP: Final = 4  # the number of that set
FLOOR: Final = 5  # where the heap begins
TOTAL: Final = 6  # the weights of what can be rolled, added up
DIFFERENT: Final = 7  # whether it is certain that all that can be rolled is different
BAIL_OUTS: Final = 16  # how often the rules bailed out, a word for each reason
CONTEXT_WORDS: Final = 24
MOST_OPTIONS: Final = LIMITS.moves + 1  # that a buffer has room for


class Reason(IntEnum):
    """Why Python answers a question instead: -1 - REASON is what functions of the rules return."""

    FAULT = 0  # the rules fail, or a budget is spent
    DIVISION = 1  # the rules divide by zero
    OVERFLOW = 2  # a number leaves 64 bits
    MEMORY = 3  # a list is too long
    MOVES = 4  # there are too many moves

    @property
    def status(self) -> int:
        """What a function returns that bails out."""
        return -1 - self


class TooLong(Exception):
    """Rules of which no machine code is made: they are too many, or too large."""


class Unsupported(TooLong):
    """Rules of which no machine code is made, however small they are."""
