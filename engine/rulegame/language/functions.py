"""The built-in functions: one table that the binder, the emitter and the reference page read.

A new function is one entry here and, if no Python built-in does it, one function in
`evaluation.runtime`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Final, NamedTuple

from rulegame.language.typed import Constant, Loop, Typed
from rulegame.language.types import (
    ANY_NUMBER,
    Bool,
    Grid,
    Int,
    List,
    Optional,
    PlayerType,
    Set,
    Text,
    Type,
    between,
    element_of,
    join,
    known_size,
    most_elements,
)
from rulegame.limits import LIMITS


class Mismatch(Exception):
    """An argument has the wrong type: which one (from 0), and what is expected of it."""

    def __init__(self, argument: int, expected: str) -> None:
        super().__init__(expected)
        self.argument = argument
        self.expected = expected


Check = Callable[[Sequence[Typed]], Type]
Work = Callable[[Sequence[Typed]], int]


class Function(NamedTuple):
    """A built-in: how it is called, what it gives, and how it is run."""

    name: str
    usage: str
    about: str
    check: Check
    least: int = 1
    most: int = 1
    loops: bool = False  # may be called as f(x for v in collection)
    only_loops: bool = False  # must be
    text: bool = False  # only in texts
    shape: bool = False  # the emitter puts the rows and columns of the grid in front
    low: bool = False  # the emitter appends the least and the greatest element of the set
    fails: bool = False  # can fail at run time: the emitter appends where it stands
    work: Work | None = None  # the most elements that it makes, where its type does not tell


def _int(arguments: Sequence[Typed], k: int) -> Int:
    type_ = arguments[k].type
    if not isinstance(type_, Int):
        raise Mismatch(k, "a number")
    return type_


def _grid(arguments: Sequence[Typed]) -> Grid:
    type_ = arguments[0].type
    if not isinstance(type_, Grid):
        raise Mismatch(0, "a grid")
    return type_


def _set(arguments: Sequence[Typed]) -> Set:
    type_ = arguments[0].type
    if not isinstance(type_, Set):
        raise Mismatch(0, "a set")
    return type_


def _elements(arguments: Sequence[Typed], k: int = 0) -> Type:
    of = element_of(arguments[k].type)
    if of is None:
        raise Mismatch(k, "a collection (a range, a list, a set or a grid)")
    return of


def _numbers(arguments: Sequence[Typed]) -> Int:
    """One collection of numbers, or several numbers."""
    if len(arguments) == 1:
        of = _elements(arguments)
        if not isinstance(of, Int):
            raise Mismatch(0, "a collection of numbers")
        return of
    bounds = [_int(arguments, k) for k in range(len(arguments))]
    return Int(min(b.low for b in bounds), max(b.high for b in bounds))


def _extreme(pick: Callable[[int, int], int]) -> Check:
    def check(arguments: Sequence[Typed]) -> Type:
        if len(arguments) == 1:
            return _numbers(arguments)
        first, *rest = (_int(arguments, k) for k in range(len(arguments)))
        low, high = first.low, first.high
        for other in rest:
            low, high = pick(low, other.low), pick(high, other.high)
        return Int(low, high)

    return check


def _sum(arguments: Sequence[Typed]) -> Type:
    _numbers(arguments)
    return ANY_NUMBER


def _condition(arguments: Sequence[Typed]) -> Type:
    if not isinstance(_elements(arguments), Bool):
        raise Mismatch(0, "conditions")
    return Bool()


def _mod(arguments: Sequence[Typed]) -> Type:
    _int(arguments, 0)
    by = _int(arguments, 1)
    return between(0, max(abs(by.low), abs(by.high), 1) - 1)


def _abs(arguments: Sequence[Typed]) -> Type:
    of = _int(arguments, 0)
    least = 0 if of.low <= 0 <= of.high else min(abs(of.low), abs(of.high))
    return between(least, max(abs(of.low), abs(of.high)))


def _size(arguments: Sequence[Typed]) -> Type:
    _elements(arguments)
    known = arguments[0].type
    if isinstance(known, List) and known.size is not None:
        return Int(known.size, known.size)
    return Int(0)


def _list(arguments: Sequence[Typed]) -> Type:
    return List(_elements(arguments), None, most_elements(arguments[0].type))


def _player(arguments: Sequence[Typed]) -> Type:
    if not isinstance(arguments[0].type, PlayerType):
        raise Mismatch(0, "a player")
    return PlayerType()


def _seat(arguments: Sequence[Typed]) -> Type:
    _player(arguments)
    return Int(1)


def _with(arguments: Sequence[Typed]) -> Type:
    of = _set(arguments)
    _int(arguments, 1)
    return of


def _subsets(arguments: Sequence[Typed]) -> Type:
    of = _elements(arguments)
    if not isinstance(of, Int):
        raise Mismatch(0, "a collection of numbers")
    if of.low < -LIMITS.integer or of.low == Int().low:  # every set would be too wide
        raise Mismatch(0, "numbers whose least is known")
    _int(arguments, 1)
    return List(Set(of.low, of.high))


def _rows(arguments: Sequence[Typed]) -> Type:
    grid = _grid(arguments)
    return List(List(grid.of, grid.columns), grid.rows)


def _columns(arguments: Sequence[Typed]) -> Type:
    grid = _grid(arguments)
    return List(List(grid.of, grid.rows), grid.columns)


def _lines(arguments: Sequence[Typed]) -> Type:
    grid = _grid(arguments)
    _int(arguments, 1)
    length = max(0, arguments[1].code) if isinstance(arguments[1], Constant) else None
    return List(List(grid.of, length), line_count(grid, length) if length is not None else None)


def line_count(grid: Grid, length: int) -> int:
    """How many straight lines of that length there are in a grid."""
    if length < 1:
        return 0
    across = max(0, grid.columns - length + 1)
    down = max(0, grid.rows - length + 1)
    if length == 1:
        return grid.rows * grid.columns
    return grid.rows * across + grid.columns * down + 2 * across * down


def _line_work(arguments: Sequence[Typed]) -> int:
    """The cells of all lines; of the length with most of them, if the length is not known."""
    grid, length = _grid(arguments), arguments[1]
    if isinstance(length, Constant):
        return line_count(grid, length.code) * max(length.code, 0)
    return max(line_count(grid, k) * k for k in range(1, max(grid.rows, grid.columns) + 1))


def _subset_work(arguments: Sequence[Typed]) -> int:
    of, size = _elements(arguments), arguments[1]
    assert isinstance(of, Int)
    among = known_size(arguments[0].type)
    among = of.high - of.low + 1 if among is None else among
    among = max(0, min(among, LIMITS.set_width))
    chosen = size.code if isinstance(size, Constant) else among // 2
    return min(comb(among, chosen) if chosen >= 0 else 0, LIMITS.collection)


def _cell(result: Callable[[Grid], Type]) -> Check:
    def check(arguments: Sequence[Typed]) -> Type:
        grid = _grid(arguments)
        _int(arguments, 1)
        _int(arguments, 2)
        return result(grid)

    return check


def _text(arguments: Sequence[Typed]) -> Type:
    if not isinstance(arguments[0].type, Text):
        raise Mismatch(0, "text")
    return Text()


def _texts(arguments: Sequence[Typed]) -> Type:
    _elements(arguments)
    return Text()


def _of_number(arguments: Sequence[Typed]) -> Type:
    type_ = arguments[0].type
    if not isinstance(type_, (Int, Text)) and not (
        isinstance(type_, Optional) and isinstance(type_.of, Int)
    ):
        raise Mismatch(0, "a number or text")
    return Text()


def _plural(arguments: Sequence[Typed]) -> Type:
    _int(arguments, 0)
    for k in range(1, len(arguments)):
        if not isinstance(arguments[k].type, Text):
            raise Mismatch(k, "text")
    return Text()


def _two_texts(arguments: Sequence[Typed]) -> Type:
    for k in (0, 1):
        if not isinstance(arguments[k].type, Text):
            raise Mismatch(k, "text")
    return Text()


MANY: Final = 1000

FUNCTIONS: Final[dict[str, Function]] = {
    f.name: f
    for f in (
        Function("any", "any(condition for v in collection)", "whether it holds for at least one",
                 _condition, loops=True),
        Function("all", "all(condition for v in collection)", "whether it holds for every one",
                 _condition, loops=True),
        Function("count", "count(x for v in collection if condition)",
                 "how many there are; if x is a condition, how many times it holds",
                 _size, loops=True, only_loops=True),
        Function("sum", "sum(collection), sum(x for …)", "the sum; 0 of nothing", _sum, loops=True),
        Function("min", "min(a, b, …), min(collection), min(x for …)", "the least",
                 _extreme(min), most=MANY, loops=True, fails=True),
        Function("max", "max(a, b, …), max(collection), max(x for …)", "the greatest",
                 _extreme(max), most=MANY, loops=True, fails=True),
        Function("list", "list(x for v in collection if condition)", "a list of all of them", _list,
                 loops=True),
        Function("size", "size(collection)", "how many elements it has", _size),
        Function("abs", "abs(a)", "the number without its sign", _abs),
        Function("mod", "mod(a, b)", "the remainder in 0..b-1: mod(-1, 5) is 4", _mod, least=2,
                 most=2, fails=True),
        Function("next", "next(p)", "the player in the seat after p's; after the last the first",
                 _player),
        Function("previous", "previous(p)", "the player in the seat before p's", _player),
        Function("seat", "seat(p)", "the number of p's seat, from 1", _seat),
        Function("with", "with(s, n)", "the set s and the number n", _with, least=2, most=2,
                 low=True, fails=True),
        Function("without", "without(s, n)", "the set s without the number n", _with, least=2,
                 most=2, low=True, fails=True),
        Function("subsets", "subsets(collection, k)",
                 "all sets of k different numbers of the collection, to choose from", _subsets,
                 least=2, most=2, low=True, fails=True, work=_subset_work),
        Function("rows", "rows(grid)", "the rows, each a list from left to right", _rows,
                 shape=True),
        Function("columns", "columns(grid)", "the columns, each a list from top to bottom",
                 _columns, shape=True),
        Function("lines", "lines(grid, k)",
                 "all straight lines of k cells: along rows, columns and diagonals", _lines,
                 least=2, most=2, shape=True, work=_line_work),
        Function("inside", "inside(grid, r, c)", "whether the grid has that cell",
                 _cell(lambda grid: Bool()), least=3, most=3, shape=True),
        Function("neighbours", "neighbours(grid, r, c)",
                 "what is in the cells above, below, left and right of that one",
                 _cell(lambda grid: List(grid.of, None, 4)), least=3, most=3, shape=True),
        Function("around", "around(grid, r, c)", "what is in the up to eight cells around that one",
                 _cell(lambda grid: List(grid.of, None, 8)), least=3, most=3, shape=True),
        Function("or_list", "or_list(collection)", "`1, 2 or 3`", _texts, text=True),
        Function("and_list", "and_list(collection)", "`1, 2 and 3`", _texts, text=True),
        Function("one_per_line", "one_per_line(collection)", "each on a line of its own", _texts,
                 text=True),
        Function("a", "a(n)", "with its article: `a 7`, `an 8`, `an apple`", _of_number, text=True),
        Function("words", "words(n)", "a number up to twelve in words: `three`", _of_number,
                 text=True),
        Function("plural", 'plural(n, "point", "points")', "`1 point`, `2 points`", _plural,
                 least=3, most=3, text=True),
        Function("capital", "capital(text)", "with a capital first letter", _text, text=True),
        Function("keyed", "keyed(label, key)", "`(A)dd`: the label with its key letter marked",
                 _two_texts, least=2, most=2, text=True),
    )
}  # fmt: skip


def aggregate_type(function: str, body: Type, loops: Sequence[Loop]) -> Type | None:
    """The type of f(body for …), or None if the body has the wrong type."""
    if function in ("any", "all"):
        return Bool() if isinstance(body, Bool) else None
    if function == "count":
        return Int(0)
    if function == "list":
        return _listed(body, loops)
    if not isinstance(body, Int):
        return None
    return ANY_NUMBER if function == "sum" else body


def _listed(body: Type, loops: Sequence[Loop]) -> List:
    """A list of what loops go through, with its size, or the most that it may be."""
    exact = all(loop.condition is None for loop in loops)
    size: int | None = 1
    most: int | None = 1
    for loop in loops:
        type_ = loop.collection.type
        known = type_.size if isinstance(type_, List) else None
        size = None if size is None or known is None else size * known
        longest = most_elements(type_)
        most = None if most is None or longest is None else most * longest
    if most is not None and most > LIMITS.collection:
        most = None
    return List(body, size if exact else None, most)


def joined(types: Sequence[Type]) -> Type | None:
    """The least type that holds all."""
    result: Type | None = types[0]
    for one in types[1:]:
        result = None if result is None else join(result, one)
    return result
