"""What rules are about: a state value, or a number that follows from several of them.

The families, all of them general: single values and elements of short lists; sums, differences and
distances of two; the sum, the greatest, the least and the nim-sum of a list or of all shared
numbers; the nim-sum of their remainders; two remainders with different moduli, or a number and a
remainder; how many elements have a value, and the nim-sum of the places where they stand.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, permutations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.explaining.positions import Positions, Row, Value

MOST_SINGLE: Final = 8  # numbers that are compared with each other
MOST_ELEMENTS: Final = 6  # of a list whose elements are taken one by one
MOST_GROUP: Final = 5  # single numbers of which every group has its nim-sum
MOST_KINDS: Final = 4  # different elements that are counted
MOST_MODULUS: Final = 16  # of the remainders in a nim-sum
MOST_MIXED_MODULUS: Final = 8  # of two remainders with different moduli
MOST_MIXED: Final = 100_000  # positions in which those are compared
ELEMENT: Final = 3  # the size of an element of a list: what the list has in common is shorter
LARGEST: Final = 1 << 40  # numbers beyond are left out, so that sums stay whole


@dataclass(frozen=True, eq=False)
class Term:
    """A number, or a word, in every position."""

    text: str
    cells: NDArray[np.int64]
    columns: frozenset[int]  # of the raw cells that it depends on
    size: int  # how long it is, in words
    constants: int = 0
    sides: tuple[str, str] | None = None  # of a difference
    texts: Mapping[int, str] | None = None  # of values that are no numbers
    is_nim: bool = False  # only being 0, or something else, means anything


@dataclass(frozen=True)
class _Group:
    """Numbers that belong together."""

    name: str
    cells: NDArray[np.int64]
    columns: tuple[int, ...]
    members: tuple[str, ...] = field(default=())


def terms_of(positions: Positions) -> list[Term]:
    """All terms, the shortest first."""
    numbers = [value for value in positions.values if value.is_number and _is_small(value.cells)]
    for row in positions.rows:
        if row.is_number and len(row.columns) <= MOST_ELEMENTS and _is_small(row.cells):
            numbers += _elements(row)
    found = [*map(_single, numbers), *_words(positions)]
    found += _pairs(numbers[:MOST_SINGLE])
    for row in positions.rows:
        found += _row_terms(row)
    shared = [value for value in positions.values if value.is_number and _is_small(value.cells)]
    for group in _groups(shared):
        found += _group_terms(group, numbers=2 if len(group.columns) == len(shared) else 3)
    different = [one for one in found if (one.cells != one.cells[:1]).any()]
    return sorted(different, key=lambda one: (one.size, one.constants))


def _is_small(cells: NDArray[Any]) -> bool:
    return bool((np.abs(cells) < LARGEST).all())


def _single(value: Value) -> Term:
    size = ELEMENT if "[" in value.name else 1
    return Term(value.name, value.cells, frozenset([value.column]), size)


def _words(positions: Positions) -> Iterator[Term]:
    for value in positions.values:
        if not value.is_number:
            yield Term(
                value.name, value.cells, frozenset([value.column]), 1, texts=dict(value.texts)
            )


def _elements(row: Row) -> list[Value]:
    return [
        Value(f"{row.name}[{k + 1}]", row.cells[:, k], column, True)
        for k, column in enumerate(row.columns)
        if (row.cells[:, k] != row.cells[0, k]).any()
    ]


def _pairs(numbers: Sequence[Value]) -> Iterator[Term]:
    for one, other in combinations(numbers, 2):
        columns = frozenset([one.column, other.column])
        difference = one.cells - other.cells
        sides = one.name, other.name
        yield Term(f"{one.name} - {other.name}", difference, columns, 3, sides=sides)
        yield Term(f"{one.name} + {other.name}", one.cells + other.cells, columns, 3)
        yield Term(f"abs({one.name} - {other.name})", np.abs(difference), columns, 4)


def _groups(shared: Sequence[Value]) -> Iterator[_Group]:
    """Several single numbers as one list: every few of them."""
    for size in range(2, len(shared) + 1):
        if size < len(shared) and len(shared) > MOST_GROUP:
            continue
        for chosen in combinations(shared, size):
            names = tuple(one.name for one in chosen)
            cells = np.stack([one.cells for one in chosen], axis=1)
            yield _Group(", ".join(names), cells, tuple(one.column for one in chosen), names)


def _row_terms(row: Row) -> Iterator[Term]:
    if row.is_number and _is_small(row.cells):
        yield from _group_terms(_Group(row.name, row.cells, row.columns), numbers=1)
    yield from _counts(row)


def _group_terms(group: _Group, numbers: int) -> Iterator[Term]:
    """What can be asked of a list of numbers; `numbers` is the size of its name."""
    name, cells, columns = group.name, group.cells, frozenset(group.columns)
    size = 1 + numbers
    yield Term(f"max({name})", cells.max(axis=1), columns, size)
    if (cells >= 0).all():
        yield from _nim_sums(group, size)
    yield Term(f"sum({name})", cells.sum(axis=1), columns, size)
    yield Term(f"min({name})", cells.min(axis=1), columns, size)


def _nim_sums(group: _Group, size: int) -> Iterator[Term]:
    name, cells, columns = group.name, group.cells, frozenset(group.columns)
    nim_sum = np.bitwise_xor.reduce
    yield Term(f"nim-sum({name})", nim_sum(cells, axis=1), columns, size, is_nim=True)
    for modulus in range(2, min(MOST_MODULUS, int(cells.max()))):
        text = f"nim-sum({', '.join(f'{one} mod {modulus}' for one in group.members or [name])})"
        remainders = nim_sum(cells % modulus, axis=1)
        yield Term(text, remainders, columns, size + 2, constants=1, is_nim=True)
    if len(group.members) == 2 and len(cells) <= MOST_MIXED:
        yield from _mixed_remainders(group, size)


def _mixed_remainders(group: _Group, size: int) -> Iterator[Term]:
    """The difference of two remainders, each by its own modulus, or of a number and a remainder."""
    (one, other), cells = group.members, group.cells
    for left, right in permutations((0, *range(2, MOST_MIXED_MODULUS + 1)), 2):
        sides = _remainder_text(one, left), _remainder_text(other, right)
        difference = _remainder(cells[:, 0], left) - _remainder(cells[:, 1], right)
        constants = bool(left) + bool(right)
        yield Term(
            " - ".join(sides), difference, frozenset(group.columns), size + 1 + constants,
            constants=constants, sides=sides, is_nim=True,
        )  # fmt: skip


def _remainder(numbers: NDArray[np.int64], modulus: int) -> NDArray[np.int64]:
    """The remainders; the numbers themselves by a modulus of 0."""
    return numbers % modulus if modulus else numbers


def _remainder_text(name: str, modulus: int) -> str:
    return f"{name} mod {modulus}" if modulus else name


def _counts(row: Row) -> Iterator[Term]:
    columns = frozenset(row.columns)
    kinds = np.unique(row.cells)
    if len(kinds) > MOST_KINDS:
        if row.is_number and (kinds >= 0).all():
            some = (row.cells > 0).sum(axis=1)
            yield Term(f"count({row.name} > 0)", some, columns, 4, constants=1)
        return
    places = np.arange(1, len(row.columns) + 1)
    for kind in sorted(kinds.tolist(), reverse=not row.is_number):
        text = str(kind) if row.is_number else row.texts[kind]
        there = row.cells == kind
        about = f"{row.name} = {text}"
        yield Term(f"count({about})", there.sum(axis=1), columns, 4, constants=1)
        for first in (1, 0):
            where = np.where(there, places - 1 + first, 0)
            from_ = "" if first else ", counted from 0"
            yield Term(
                f"nim-sum(places of {about}{from_})", np.bitwise_xor.reduce(where, axis=1),
                columns, 6 + (not first), constants=1, is_nim=True,
            )  # fmt: skip
