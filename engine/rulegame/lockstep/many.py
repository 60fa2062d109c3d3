"""Numbers that differ from state to state, with bounds, and conditions that hold for some.

`Many` is an array of 64-bit integers with two bounds on its elements: they show beforehand whether
a sum could overflow, and decide many comparisons without looking at the elements. A `Mask` says for
which states something holds: True for all, False for none. What stands at places where a mask does
not hold is arbitrary.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Mask = bool | NDArray[np.bool_]


class Irregular(Exception):
    """This cannot be done for all states at once."""


@dataclass(frozen=True, slots=True, eq=False)
class Many:
    """A number for each state; none is outside low..high."""

    array: NDArray[np.int64]
    low: int
    high: int


@dataclass(frozen=True, slots=True, eq=False)
class ItemsOfMany:
    """A list that differs from state to state: each element with those who have it."""

    pairs: list[tuple[Mask, Any]]

    @staticmethod
    def of(items: Any) -> Iterator[tuple[Mask, Any]]:
        """The elements of any list."""
        if isinstance(items, ItemsOfMany):
            yield from items.pairs
        elif isinstance(items, (tuple, list, range)):
            for item in items:
                yield True, item
        else:
            raise Irregular("not a list")


def many(array: NDArray[np.int64]) -> int | Many:
    """An array with its bounds; a plain number if all are the same."""
    low, high = int(array.min()), int(array.max())
    return low if low == high else Many(array, low, high)


def numbers(values: Any, low: int, high: int) -> int | Many:
    """What was worked out: an array, or one number, where the arguments do not differ."""
    return Many(values, low, high) if np.ndim(values) else int(values)


# ---- masks


def both(a: Mask, b: Mask) -> Mask:
    """For whom both hold."""
    if a is False or b is False:
        return False
    if a is True:
        return b
    if b is True:
        return a
    return _settled(a & b)


def either(a: Mask, b: Mask) -> Mask:
    """For whom at least one holds."""
    if a is True or b is True:
        return True
    if a is False:
        return b
    if b is False:
        return a
    return a | b


def unless(a: Mask, b: Mask) -> Mask:
    """For whom the first holds, but not the second."""
    if b is True or a is False:
        return False
    if b is False:
        return a
    return _settled(~b if a is True else a & ~b)


def _settled(mask: NDArray[np.bool_]) -> Mask:
    return mask if mask.any() else False


def truth(value: Any) -> Mask:
    """For whom a value counts as true."""
    if isinstance(value, (bool, np.ndarray)):
        return value
    return compare(ast.NotEq, value, 0)


# ---- numbers


def number(value: Any) -> int | Many:
    """A number as it is, a condition as 0 or 1."""
    if isinstance(value, Many):
        return value
    if isinstance(value, (bool, int)):
        return int(value)
    if isinstance(value, np.ndarray):
        return Many(value.astype(np.int64), 0, 1)
    raise Irregular(f"not a number: {type(value).__name__}")


def bounds(value: int | Many) -> tuple[int, int]:
    return (value.low, value.high) if isinstance(value, Many) else (value, value)


def least_of(value: Any, mask: Mask) -> tuple[int, int]:
    """The bounds of a number, as tight as can be where the mask holds."""
    return bounds(narrowed(number(value), mask))


def narrowed(value: int | Many, mask: Mask) -> int | Many:
    """The same where the mask holds, and nothing unusual elsewhere."""
    if not isinstance(value, Many):
        return value
    if mask is True:
        return many(value.array)
    some = value.array[mask]
    if not len(some):
        raise Irregular("nobody is left")
    low, high = int(some.min()), int(some.max())
    return low if low == high else Many(np.where(mask, value.array, low), low, high)


def array_of(value: int | Many) -> Any:
    return value.array if isinstance(value, Many) else value


def fits(*ends: int) -> bool:
    return all(-(2**63) <= end < 2**63 for end in ends)


def plus(a: Any, b: Any, mask: Mask) -> int | Many:
    a, b = number(a), number(b)
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    for _ in range(2):
        (al, ah), (bl, bh) = bounds(a), bounds(b)
        if fits(al + bl, ah + bh, bl, bh, al, ah):
            return numbers(array_of(a) + array_of(b), al + bl, ah + bh)
        a, b = narrowed(a, mask), narrowed(b, mask)
    raise Irregular("a sum that may not fit")


def minus(a: Any, b: Any, mask: Mask) -> int | Many:
    a, b = number(a), number(b)
    if isinstance(a, int) and isinstance(b, int):
        return a - b
    for _ in range(2):
        (al, ah), (bl, bh) = bounds(a), bounds(b)
        if fits(al - bh, ah - bl, bl, bh, al, ah):
            return numbers(array_of(a) - array_of(b), al - bh, ah - bl)
        a, b = narrowed(a, mask), narrowed(b, mask)
    raise Irregular("a difference that may not fit")


def times(a: Any, b: Any, mask: Mask) -> int | Many:
    a, b = number(a), number(b)
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    for _ in range(2):
        ends = [x * y for x in bounds(a) for y in bounds(b)]
        if fits(*ends, *bounds(a), *bounds(b)):
            return numbers(array_of(a) * array_of(b), min(ends), max(ends))
        a, b = narrowed(a, mask), narrowed(b, mask)
    raise Irregular("a product that may not fit")


def choose(mask: Mask, a: Any, b: Any) -> Any:
    """The first where the mask holds, the second elsewhere: of numbers, conditions or lists."""
    if mask is True or a is b:
        return a
    if mask is False:
        return b
    if isinstance(a, ItemsOfMany) or isinstance(b, ItemsOfMany):
        pairs = [(both(mask, some), item) for some, item in ItemsOfMany.of(a)]
        pairs += [(unless(some, mask), item) for some, item in ItemsOfMany.of(b)]
        return ItemsOfMany([(some, item) for some, item in pairs if some is not False])
    if isinstance(a, (tuple, list)):
        if not isinstance(b, (tuple, list)) or len(a) != len(b):
            raise Irregular("lists of different kinds")
        return tuple([choose(mask, x, y) for x, y in zip(a, b, strict=True)])
    if isinstance(a, (bool, np.ndarray)) and isinstance(b, (bool, np.ndarray)):
        return either(both(mask, a), unless(b, mask))
    a, b = number(a), number(b)
    (al, ah), (bl, bh) = bounds(a), bounds(b)
    if isinstance(a, int) and isinstance(b, int) and a == b:
        return a
    if not fits(al, ah, bl, bh):
        raise Irregular("a number that does not fit")
    return Many(np.where(mask, array_of(a), array_of(b)), min(al, bl), max(ah, bh))


# ---- comparisons


def compare(relation: type[ast.cmpop], a: Any, b: Any) -> Mask:
    """For whom a relation holds."""
    if relation is ast.Gt:
        return compare(ast.Lt, b, a)
    if relation is ast.GtE:
        return compare(ast.LtE, b, a)
    if relation is ast.NotEq:
        return unless(True, compare(ast.Eq, a, b))
    a, b = number(a), number(b)
    (al, ah), (bl, bh) = bounds(a), bounds(b)
    x, y = array_of(a), array_of(b)
    if relation is ast.Eq:
        if al == ah == bl == bh:
            return True
        return False if ah < bl or bh < al else _mask(x == y)
    if relation is ast.Lt:
        return True if ah < bl else False if al >= bh else _mask(x < y)
    if relation is ast.LtE:
        return True if ah <= bl else False if al > bh else _mask(x <= y)
    raise Irregular(f"the relation {relation.__name__}")


def _mask(found: Any) -> Mask:
    mask: NDArray[np.bool_] = np.asarray(found)
    if mask.all():
        return True
    return mask if mask.any() else False
