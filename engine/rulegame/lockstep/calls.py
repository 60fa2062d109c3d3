"""What generated code calls (`runtime`, and a few built-ins), for many states at once.

Each function gets first whom it is called for and the names of the program, then its arguments.
One that fails for somebody raises `Irregular`: playing one by one says what went wrong.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from rulegame.limits import LIMITS
from rulegame.lockstep.many import (
    Irregular,
    ItemsOfMany,
    Many,
    Mask,
    array_of,
    both,
    bounds,
    choose,
    compare,
    either,
    fits,
    least_of,
    minus,
    narrowed,
    number,
    numbers,
    plus,
    times,
    truth,
    unless,
)

MOST_ITEMS: Final = 4096  # of a list that differs from state to state
BITS_SET: Final = np.array([byte.bit_count() for byte in range(256)], np.int64)


class Choosing(NamedTuple):
    """For whom a function is called, what it may look up, and who counts the steps of loops."""

    mask: Mask
    names: Mapping[str, Any]
    charge: Callable[[int], None]


def _is_plain(value: Any) -> bool:
    if isinstance(value, (tuple, list)):
        return all(map(_is_plain, value))
    return isinstance(value, (int, bool, range))


def _plainly(name: str, otherwise: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """The function itself where nothing differs between the states."""

    def called(at: Choosing, *given: Any) -> Any:
        if all(map(_is_plain, given)):
            return at.names[name](*given)
        if otherwise is None:
            raise Irregular(name)
        return otherwise(at, *given)

    return called


def _structural(name: str) -> Callable[..., Any]:
    """What only moves cells about (their list is the third argument), wherever they come from."""

    def called(at: Choosing, rows: int, columns: int, cells: Any, *more: Any) -> Any:
        if not all(map(_is_plain, more)) or not isinstance(cells, (tuple, list)):
            raise Irregular(name)
        return at.names[name](rows, columns, cells, *more)

    return called


# ---- numbers


def _mul(at: Choosing, a: Any, b: Any, site: int) -> Any:
    product = times(a, b, at.mask)
    return _fit(at, product, site)


def _fit(at: Choosing, value: Any, site: int) -> Any:
    low, high = bounds(number(value))
    if low < -LIMITS.integer or high > LIMITS.integer:
        low, high = least_of(value, at.mask)
    if -LIMITS.integer <= low and high <= LIMITS.integer:
        return value
    raise Irregular("a number that does not fit")


def _fit_or_none(at: Choosing, value: Any, site: int) -> Any:
    if fits(*bounds(number(value))):  # `none` is the least of what an array has room for
        return value
    raise Irregular("a number that does not fit")


def _each(check: Callable[..., Any]) -> Callable[..., Any]:
    """The same for the elements of a list."""

    def called(at: Choosing, values: Any, site: int) -> Any:
        if not isinstance(values, (tuple, list)):
            raise Irregular("a list that differs")
        for value in values:
            check(at, value, site)
        return values

    return called


def _divisor(at: Choosing, value: Any) -> int | Many:
    """A number that nobody divides zero by: elsewhere it does not matter."""
    value = number(value)
    zero = compare(ast.Eq, value, 0)
    if both(at.mask, zero) is not False:
        raise Irregular("division by zero")
    return value if zero is False else number(choose(zero, 1, value))


def _div(at: Choosing, a: Any, b: Any, site: int) -> Any:
    a, b = _magnitude(at, number(a)), _magnitude(at, _divisor(at, b))
    x, y = array_of(a), array_of(b)
    quotient = np.abs(x) // np.abs(y)
    quotient = np.where((x < 0) == (y < 0), quotient, -quotient)
    most = max(map(abs, bounds(a)))
    return numbers(quotient, -most, most)


def _f_mod(at: Choosing, a: Any, b: Any, site: int) -> Any:
    a, b = _magnitude(at, number(a)), _magnitude(at, _divisor(at, b))
    most = max(map(abs, bounds(b))) - 1
    return numbers(array_of(a) % np.abs(array_of(b)), 0, most)


def _magnitude(at: Choosing, value: int | Many) -> int | Many:
    """A number that fits, and whose absolute value does."""
    if bounds(value)[0] <= -(2**63):
        value = narrowed(value, at.mask)
    low, high = bounds(value)
    if low <= -(2**63) or high >= 2**63:
        raise Irregular("a number without an absolute value")
    return value


def _abs(at: Choosing, value: Any) -> Any:
    value = _magnitude(at, number(value))
    low, high = bounds(value)
    least = 0 if low <= 0 <= high else min(abs(low), abs(high))
    return numbers(np.abs(array_of(value)), least, max(abs(low), abs(high)))


def _extreme(relation: type[ast.cmpop]) -> Callable[..., Any]:
    def called(at: Choosing, *given: Any) -> Any:
        best = given[0]
        for value in given[1:]:
            best = choose(compare(relation, value, best), value, best)
        return best

    return called


def _extreme_of(relation: type[ast.cmpop]) -> Callable[..., Any]:
    def called(at: Choosing, items: Any, site: int) -> Any:
        best: Any = None
        known: Mask = False
        for some, value in ItemsOfMany.of(items):
            if best is None:
                best, known = value, some
                continue
            better = either(compare(relation, value, best), unless(True, known))
            best, known = choose(both(some, better), value, best), either(known, some)
        if best is None or unless(at.mask, known) is not False:
            raise Irregular("the least of nothing")
        return best

    return called


def floor_div(at: Choosing, a: Any, b: Any) -> Any:
    """`a // b`, which is written where neither can be negative."""
    a, b = _magnitude(at, number(a)), _magnitude(at, _divisor(at, b))
    most = max(map(abs, bounds(a)))
    return numbers(array_of(a) // array_of(b), -most, most)


def modulo(at: Choosing, a: Any, b: Any) -> Any:
    """`a % b`, likewise."""
    a, b = _magnitude(at, number(a)), _magnitude(at, _divisor(at, b))
    most = max(map(abs, bounds(b))) - 1
    return numbers(array_of(a) % array_of(b), -most, most)


def _bit_count(at: Choosing, value: Any) -> Any:
    value = narrowed(number(value), at.mask)
    if isinstance(value, int):
        return value.bit_count()
    if value.low < 0:
        raise Irregular("not a set")
    bytes_ = np.ascontiguousarray(value.array).view(np.uint8).reshape(-1, 8)
    return Many(BITS_SET[bytes_].sum(axis=1), 0, 63)


# ---- lists


def _tuple(at: Choosing, items: Any) -> Any:
    if isinstance(items, ItemsOfMany):
        return ItemsOfMany(list(items.pairs))
    return tuple(_list(at, items))


def _list(at: Choosing, items: Any) -> list[Any]:
    if isinstance(items, (tuple, list, range)):
        return list(items)
    raise Irregular("a list that differs")


def _len(at: Choosing, items: Any) -> Any:
    if not isinstance(items, ItemsOfMany):
        return len(_list(at, items))
    return _count(at, [some for some, _ in items.pairs])


def _count(at: Choosing, masks: Sequence[Mask]) -> Any:
    total: Any = 0
    for mask in masks:
        total = plus(total, mask, at.mask)
    return total


def _sum(at: Choosing, items: Any) -> Any:
    total: Any = 0
    for some, value in ItemsOfMany.of(items):
        total = plus(total, choose(some, value, 0), at.mask)
    return total


def _any(at: Choosing, items: Any) -> Mask:
    found: Mask = False
    for some, value in ItemsOfMany.of(items):
        found = either(found, both(some, truth(value)))
    return found


def _all(at: Choosing, items: Any) -> Mask:
    found: Mask = True
    for some, value in ItemsOfMany.of(items):
        found = both(found, either(unless(True, some), truth(value)))
    return found


def _span(at: Choosing, low: Any, high: Any, weight: int = 0, site: int = -1) -> Any:
    """A range; of all that differ, the longest one is charged for."""
    least, _ = least_of(low, at.mask)
    _, most = least_of(high, at.mask)
    if most - least >= MOST_ITEMS:
        raise Irregular("a long range")
    at.charge(max(0, most - least + 1) * weight)
    if isinstance(low, int) and isinstance(high, int):
        return range(low, high + 1)
    numbers = range(least, most + 1)
    masks = [both(compare(ast.LtE, low, n), compare(ast.LtE, n, high)) for n in numbers]
    return ItemsOfMany(
        [(some, n) for some, n in zip(masks, numbers, strict=True) if some is not False]
    )


def _through(at: Choosing, items: Any, weight: int, site: int) -> Any:
    """A list; of all that differ, what anybody has is charged for."""
    at.charge(weight * sum(1 for _ in ItemsOfMany.of(items)))
    return items


def _charge(at: Choosing, steps: int, site: int) -> None:
    at.charge(steps)


def _range(at: Choosing, low: Any, end: Any) -> Any:
    return _span(at, low, minus(end, 1, at.mask))


def _repetitions(at: Choosing, count: Any, site: int) -> Any:
    return _span(at, 0, minus(count, 1, at.mask))


def _different(at: Choosing, items: Any) -> Any:
    """Each element once; of equal ones the first."""
    kept: list[tuple[Mask, Any]] = []
    for some, value in ItemsOfMany.of(items):
        mask: Mask = some
        for earlier, other in kept:
            mask = unless(mask, both(earlier, compare(ast.Eq, value, other)))
        if mask is not False:
            kept.append((mask, value))
    return ItemsOfMany(kept)


def _index(at: Choosing, i: Any, size: int, site: int) -> Any:
    low, high = least_of(i, at.mask)
    if low >= 1 and high <= size:
        return i
    raise Irregular("an index outside")


def _element(at: Choosing, items: Any, i: Any, site: int) -> Any:
    if not isinstance(items, (tuple, list, range)) or not isinstance(i, int):
        raise Irregular("an element of a list that differs")
    return items[_index(at, i, len(items), site) - 1]


def _write_all(at: Choosing, cells: Any, writes: Any, site: int) -> None:
    if not isinstance(cells, list) or not isinstance(writes, ItemsOfMany):
        raise Irregular("cells or writes that came together from several states")
    places = [place for _, (place, _) in writes.pairs]
    known = all(isinstance(place, int) and 0 <= place < len(cells) for place in places)
    if not known or len(set(places)) != len(places):
        raise Irregular("writes that may collide")
    for some, (place, value) in writes.pairs:
        cells[place] = choose(both(at.mask, some), value, cells[place])


# ---- sets


def _members(at: Choosing, bits: Any, low: int) -> Any:
    least, most = least_of(bits, at.mask)
    if least < 0:
        raise Irregular("not a set")
    found = [(truth(_bit(bits, k)), low + k) for k in range(most.bit_length())]
    return ItemsOfMany([(some, item) for some, item in found if some is not False])


def _bit(bits: Any, place: Any) -> Any:
    return numbers((array_of(number(bits)) >> array_of(number(place))) & 1, 0, 1)


def _contains(at: Choosing, bits: Any, item: Any, low: int) -> Mask:
    place = minus(item, low, at.mask)
    inside = both(compare(ast.LtE, 0, place), compare(ast.LtE, place, 62))
    if inside is False:
        return False
    return both(inside, truth(_bit(bits, choose(inside, place, 0))))


def _f_with(at: Choosing, bits: Any, item: Any, low: int, high: int, site: int) -> Any:
    least, most = least_of(item, at.mask)
    if least < low or most > high:
        raise Irregular("not in a set")
    place = minus(narrowed(number(item), at.mask), low, at.mask)
    after = array_of(number(bits)) | (np.int64(1) << array_of(place))
    return numbers(after, 0, (1 << (high - low + 1)) - 1)


def _f_without(at: Choosing, bits: Any, item: Any, low: int, high: int, site: int) -> Any:
    inside = both(compare(ast.LtE, low, item), compare(ast.LtE, item, high))
    if inside is False:
        return bits
    place = minus(choose(inside, item, low), low, at.mask)
    after = array_of(number(bits)) & ~(np.int64(1) << array_of(place))
    return choose(inside, numbers(after, 0, (1 << (high - low + 1)) - 1), bits)


def _fit_set(at: Choosing, bits: Any, low: int, high: int, site: int) -> Any:
    least, most = least_of(bits, at.mask)
    if least >= 0 and most >> (high - low + 1) == 0:
        return bits
    raise Irregular("a set that does not fit")


# ---- outcomes


def _winners_by_result(at: Choosing, result: Any, me: Any, players: int) -> Any:
    if not isinstance(me, int):
        raise Irregular("players that differ")
    low, high = least_of(result, at.mask)
    found: Any = at.names["winners_by_result"](low, me, players)
    for one in range(low + 1, min(high, low + 8) + 1):
        bits = at.names["winners_by_result"](one, me, players)
        found = choose(compare(ast.Eq, result, one), bits, found)
    return found


def _winners_of(at: Choosing, winners: Any, players: int) -> Any:
    bits: Any = 0
    for seat in range(players):
        wins: Mask = False
        for some, winner in ItemsOfMany.of(winners):
            wins = either(wins, both(some, compare(ast.Eq, winner, seat)))
        bits = plus(bits, choose(wins, 1 << seat, 0), at.mask)
    found: Any = at.names["winners_of"]((), players)
    for one in range(1, 1 << players):
        seats = tuple(seat for seat in range(players) if one >> seat & 1)
        found = choose(compare(ast.Eq, bits, one), at.names["winners_of"](seats, players), found)
    return found


CALLS: Final[Mapping[str, Callable[..., Any]]] = {
    "mul": _plainly("mul", _mul),
    "fit": _plainly("fit", _fit),
    "fit_set": _plainly("fit_set", _fit_set),
    "fit_or_none": _plainly("fit_or_none", _fit_or_none),
    "fit_all": _plainly("fit_all", _each(_fit)),
    "fit_all_or_none": _plainly("fit_all_or_none", _each(_fit_or_none)),
    "div": _plainly("div", _div),
    "f_mod": _plainly("f_mod", _f_mod),
    "abs": _plainly("abs", _abs),
    "min": _plainly("min", _extreme(ast.Lt)),
    "max": _plainly("max", _extreme(ast.Gt)),
    "f_min": _plainly("f_min", _extreme_of(ast.Lt)),
    "f_max": _plainly("f_max", _extreme_of(ast.Gt)),
    "bit_count": _bit_count,
    "tuple": _tuple,
    "list": _list,
    "len": _len,
    "sum": _plainly("sum", _sum),
    "any": _plainly("any", _any),
    "all": _plainly("all", _all),
    "span": _span,
    "through": _through,
    "charge": _charge,
    "range": _plainly("range", _range),
    "repetitions": _plainly("repetitions", _repetitions),
    "different": _plainly("different", _different),
    "index": _plainly("index", _index),
    "element": _plainly("element", _element),
    "write_all": _write_all,
    "members": _plainly("members", _members),
    "contains": _plainly("contains", _contains),
    "f_with": _plainly("f_with", _f_with),
    "f_without": _plainly("f_without", _f_without),
    "f_subsets": _plainly("f_subsets"),
    "f_rows": _structural("f_rows"),
    "f_columns": _structural("f_columns"),
    "f_lines": _structural("f_lines"),
    "f_neighbours": _structural("f_neighbours"),
    "f_around": _structural("f_around"),
    "f_inside": _structural("f_inside"),
    "winners_of": _plainly("winners_of", _winners_of),
    "winners_by_result": _plainly("winners_by_result", _winners_by_result),
    "winners_by_payoff": _plainly("winners_by_payoff"),
}
