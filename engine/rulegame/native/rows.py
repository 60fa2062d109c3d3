"""Lists as machine code knows them: where the elements come from, without making them as long as
nobody needs them in a row in memory.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from rulegame.native.assembly import GREATEST, LEAST, Bit, Num, Pointer, number

ONE: Final = number(1)


@dataclass(frozen=True, slots=True)
class Progression:
    """Numbers that follow one another, by one step after the other."""

    first: Num
    count: Num
    step: Num = ONE


@dataclass(frozen=True, slots=True)
class Stretch:
    """Elements in memory. `depth` is 0 for numbers, 1 for lists of numbers (an address and a count
    each), and so on. What is `lasting` stays as it is until the rules have been asked; what is
    `fleeting` may change with the next write to the cells. Elements are `different` if it is
    certain that none is there twice.
    """

    base: Pointer
    count: Num
    step: Num = ONE
    depth: int = 0
    lasting: bool = False
    fleeting: bool = False
    low: int = LEAST
    high: int = GREATEST
    different: bool = False


@dataclass(frozen=True, slots=True)
class Lines:
    """Lists of cells (or of their numbers, if there are no cells): list k begins at the k-th place
    of a table and goes on by the step that stands beside it. With `lengths` there stands a third
    number, how long it is.
    """

    cells: Stretch | None
    table: Pointer
    count: Num
    length: Num
    lengths: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """A list that is written out."""

    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Bits:
    """The numbers of a set: bit k is low + k."""

    bits: Num
    low: int


@dataclass(frozen=True, slots=True)
class NoValue:
    """None."""


Listed = Progression | Stretch | Lines | Items | Bits
Value = Num | Bit | Listed | NoValue


def depth_of(value: Value) -> int:
    """How deep lists lie in one another: -1 for a number."""
    if isinstance(value, (Num, Bit, NoValue)):
        return -1
    if isinstance(value, Stretch):
        return value.depth
    if isinstance(value, Lines):
        return 1
    if isinstance(value, Items):
        return max((1 + depth_of(one) for one in value.values), default=0)
    return 0
