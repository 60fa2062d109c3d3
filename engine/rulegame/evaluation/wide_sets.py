"""Sets that one cell cannot hold, as generated code calls them: rows of cells, each with the bits
of `SET_CELL` numbers.

Bit j of cell k is the number low + k * SET_CELL + j. All rows of one range are equally long, so
that two sets of it are equal if their rows are.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rulegame.evaluation.runtime import Cells, Fault
from rulegame.language.types import SET_CELL, Set

Row = Sequence[int]


@lru_cache(maxsize=65_536)
def _members(row: Cells, low: int) -> Cells:
    found: list[int] = []
    for k, bits in enumerate(row):
        first = low + k * SET_CELL
        found += [first + j for j in range(bits.bit_length()) if bits >> j & 1]
    return tuple(found)


def wide_members(row: Row, low: int, high: int) -> Cells:
    """The numbers in a set, ascending."""
    return _members(tuple(row), low)


def wide_pack(items: Sequence[int], low: int, high: int) -> Cells:
    """The set of the numbers, all of which have a place in it."""
    row = [0] * Set(low, high).cells
    for item in items:
        cell, bit = divmod(item - low, SET_CELL)
        row[cell] |= 1 << bit
    return tuple(row)


def wide_pack_all(items: Sequence[int], low: int, high: int, site: int) -> Cells:
    """The set of the numbers, all of which must have a place in it."""
    for item in items:
        if not low <= item <= high:
            raise _no_place(item, low, high, site)
    return wide_pack(items, low, high)


def wide_pack_some(items: Sequence[int], low: int, high: int) -> Cells:
    """The set of those of the numbers that have a place in it."""
    return wide_pack([item for item in items if low <= item <= high], low, high)


def wide_fit(row: Row, low: int, high: int, site: int) -> Cells:
    """A set of as many cells as low..high takes; numbers beyond have no place in it."""
    cells = Set(low, high).cells
    for k in range(len(row) - 1, cells - 2, -1):
        last = low + k * SET_CELL + row[k].bit_length() - 1
        if row[k] and last > high:
            raise _no_place(last, low, high, site)
    return (*row[:cells], *[0] * (cells - len(row)))


def wide_contains(row: Row, item: int, low: int, high: int) -> bool:
    if not low <= item <= high:
        return False
    cell, bit = divmod(item - low, SET_CELL)
    return bool(row[cell] >> bit & 1)


def wide_size(row: Row, low: int, high: int) -> int:
    return sum([bits.bit_count() for bits in row])


def wide_with(row: Row, item: int, low: int, high: int, site: int) -> Cells:
    if not low <= item <= high:
        raise _no_place(item, low, high, site)
    cell, bit = divmod(item - low, SET_CELL)
    return (*row[:cell], row[cell] | 1 << bit, *row[cell + 1 :])


def wide_without(row: Row, item: int, low: int, high: int, site: int) -> Cells:
    if not low <= item <= high:
        return tuple(row)
    cell, bit = divmod(item - low, SET_CELL)
    return (*row[:cell], row[cell] & ~(1 << bit), *row[cell + 1 :])


def wide_union(row: Row, others: Row, low: int, high: int, site: int) -> Cells:
    return wide_fit([a | b for a, b in zip(row, others, strict=True)], low, high, site)


def wide_intersection(row: Row, others: Row, low: int, high: int) -> Cells:
    return tuple([a & b for a, b in zip(row, others, strict=True)])


def wide_difference(row: Row, others: Row, low: int, high: int) -> Cells:
    return tuple([a & ~b for a, b in zip(row, others, strict=True)])


def wide_complement(row: Row, low: int, high: int) -> Cells:
    return wide_difference(wide_pack(range(low, high + 1), low, high), row, low, high)


def _no_place(item: int, low: int, high: int, site: int) -> Fault:
    return Fault("E508", site, f"{item} cannot be in a set of {low}..{high}")
