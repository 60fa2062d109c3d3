"""Type rules of the built-in functions: the arguments that they take, the types that they return,
the steps that they need, and the calls that certainly do not fail.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import comb
from typing import Final, NamedTuple

from rulegame.language.cells import Steps, axes, steps_around
from rulegame.language.cells import lines as lines_of
from rulegame.language.typed import Call, Constant, ListLiteral, Loop, Range, Typed, Value
from rulegame.language.types import (
    ANY_NUMBER,
    Bool,
    Cell,
    Grid,
    Int,
    List,
    Optional,
    Order,
    PlayerType,
    Set,
    Text,
    Type,
    Word,
    between,
    board_of_points,
    cell_of,
    element_of,
    join,
    known_size,
    most_elements,
    plural,
    points_of,
)
from rulegame.limits import LIMITS


class Mismatch(Exception):
    """An argument has the wrong type: which one (from 0), and what is expected of it. In a loop, it
    is the expression in front.
    """

    def __init__(self, argument: int, expected: str, *types: type) -> None:
        super().__init__(expected)
        self.argument = argument
        self.expected = expected
        self.types = types  # those of such an argument, if they are simple


class Refusal(NamedTuple):
    """What is wrong with an argument (from 0) of the right type."""

    argument: int
    code: str
    message: str
    hint: str


class Refused(Exception):
    """Arguments of the right types that cannot be used."""

    def __init__(self, *refusals: Refusal) -> None:
        super().__init__(refusals)
        self.refusals = refusals


Check = Callable[[Sequence[Typed]], Type]  # of arguments; raises Mismatch or Refused
Gather = Callable[[Type, Sequence[Loop]], Type]  # of the expression and the loops behind it


def number_at(arguments: Sequence[Typed], k: int) -> Int:
    type_ = arguments[k].type
    if not isinstance(type_, Int):
        raise Mismatch(k, "a number", Int)
    return type_


def grid_in(arguments: Sequence[Typed]) -> Grid:
    type_ = arguments[0].type
    if not isinstance(type_, Grid):
        raise Mismatch(0, "a grid", Grid)
    return type_


def set_in(arguments: Sequence[Typed]) -> Set:
    type_ = arguments[0].type
    if not isinstance(type_, Set):
        raise Mismatch(0, "a set", Set)
    return type_


def elements_in(arguments: Sequence[Typed], k: int = 0) -> Type:
    of = element_of(arguments[k].type)
    if of is None:
        raise Mismatch(k, "a collection (a range, a list, a set or a grid)")
    return of


def _ordered_words(types: Sequence[Type | None]) -> Word | None:
    """The type of words of which one declared type has all."""
    found: Type | None = types[0]
    for one in types[1:]:
        found = join(found, one) if isinstance(found, Word) and isinstance(one, Word) else None
    return found if isinstance(found, Word) and found.order else None


def numbers_in(arguments: Sequence[Typed]) -> Int:
    """One collection of numbers, or several numbers."""
    if len(arguments) == 1:
        of = elements_in(arguments)
        if not isinstance(of, Int):
            raise Mismatch(0, "a collection of numbers")
        return of
    bounds = [number_at(arguments, k) for k in range(len(arguments))]
    return Int(min(b.low for b in bounds), max(b.high for b in bounds))


def extreme(pick: Callable[[int, int], int]) -> Check:
    def check(arguments: Sequence[Typed]) -> Type:
        types = [argument.type for argument in arguments]
        words = _ordered_words([element_of(types[0])] if len(types) == 1 else types)
        if words is not None:
            return words
        if len(arguments) == 1:
            return numbers_in(arguments)
        first, *rest = (number_at(arguments, k) for k in range(len(arguments)))
        low, high = first.low, first.high
        for other in rest:
            low, high = pick(low, other.low), pick(high, other.high)
        return Int(low, high)

    return check


def known_extreme(
    pick: Callable[[Sequence[int]], int],
) -> Callable[[Type, Sequence[Typed]], Constant | None]:
    """The least or the greatest of numbers that are known."""

    def fold(_: Type, arguments: Sequence[Typed]) -> Constant | None:
        only = arguments[0] if len(arguments) == 1 else None
        given = only.items if isinstance(only, ListLiteral) else arguments
        codes = [one.code for one in given if isinstance(one, Constant)]
        if not given or len(codes) < len(given) or not isinstance(given[0].type, Int):
            return None
        return Constant(Int(pick(codes), pick(codes)), pick(codes))

    return fold


def total(arguments: Sequence[Typed]) -> Type:
    numbers_in(arguments)
    return ANY_NUMBER


def condition(arguments: Sequence[Typed]) -> Type:
    if not isinstance(elements_in(arguments), Bool):
        raise Mismatch(0, "conditions")
    return Bool()


def numbers(result: Callable[..., Int]) -> Check:
    """The rule of a function of numbers; `result` takes their types."""

    def check(arguments: Sequence[Typed]) -> Type:
        return result(*(number_at(arguments, k) for k in range(len(arguments))))

    return check


@numbers
def remainder(_: Int, by: Int) -> Int:
    return between(0, max(abs(by.low), abs(by.high), 1) - 1)


@numbers
def distance(of: Int) -> Int:
    least = 0 if of.low <= 0 <= of.high else min(abs(of.low), abs(of.high))
    return between(least, max(abs(of.low), abs(of.high)))


def size(arguments: Sequence[Typed]) -> Type:
    elements_in(arguments)
    known = arguments[0].type
    if isinstance(known, List) and known.size is not None:
        return Int(known.size, known.size)
    most = most_elements(known)
    return Int(0) if most is None else Int(0, most)


def known_elements(type_: Type, arguments: Sequence[Typed]) -> Constant | None:
    """How many elements a list has, where that is known and making it cannot fail."""
    known = isinstance(arguments[0], (ListLiteral, Value))
    if known and isinstance(type_, Int) and type_.low == type_.high:
        return Constant(type_, type_.low)
    return None


def listed(arguments: Sequence[Typed]) -> Type:
    return List(elements_in(arguments), None, most_elements(arguments[0].type))


def player(arguments: Sequence[Typed]) -> Type:
    if not isinstance(arguments[0].type, PlayerType):
        raise Mismatch(0, "a player", PlayerType)
    return PlayerType()


def counted_positions(_: Sequence[Typed]) -> Type:
    """Of two truths, whether it is the whole position and after the move, and the values."""
    return Int(0, 2**31)


def asked_of_player(arguments: Sequence[Typed]) -> Type:
    player(arguments)
    return Bool()


def ordinal(arguments: Sequence[Typed]) -> Type:
    type_ = arguments[0].type
    if not isinstance(type_, Word) or type_.order is None:
        raise Mismatch(0, "a word of a declared type")
    return Int(1, type_.order.size)


def seat(arguments: Sequence[Typed]) -> Type:
    player(arguments)
    return Int(1)


def changed_set(arguments: Sequence[Typed]) -> Type:
    of = set_in(arguments)
    number_at(arguments, 1)
    return of


def united(arguments: Sequence[Typed]) -> Type:
    """A set, and others; or collections of numbers, of which a set could be made."""
    of = set_in(arguments)
    for k in range(1, len(arguments)):
        if not isinstance(elements_in(arguments, k), Int):
            raise Mismatch(k, "a set, or a collection of numbers")
    return of


def sorted_(arguments: Sequence[Typed]) -> Type:
    of = arguments[0].type
    return List(_ordered(arguments), known_size(of), most_elements(of))


def _single_elements(arguments: Sequence[Typed], k: int) -> Type:
    """The elements of a collection, which are no collections themselves."""
    of = elements_in(arguments, k)
    if isinstance(of, (List, Grid, Text)) or (isinstance(of, Set) and of.is_wide):
        raise Mismatch(k, "a collection whose elements are no collections")
    return of


def reversed_(arguments: Sequence[Typed]) -> Type:
    of = arguments[0].type
    return List(_single_elements(arguments, 0), known_size(of), most_elements(of))


def joined(arguments: Sequence[Typed]) -> Type:
    of: Type | None = None
    for k, argument in enumerate(arguments):
        if known_size(argument.type) == 0:
            continue  # [] is a list of anything
        one = _single_elements(arguments, k)
        both = one if of is None else join(of, one)
        if both is None or (of is not None and type(both) is not type(one)):
            raise Mismatch(k, f"a collection of {plural(one if of is None else of)}")
        of = both
    sizes = [known_size(argument.type) for argument in arguments]
    most = [most_elements(argument.type) for argument in arguments]
    return List(of or elements_in(arguments), _sum_of(sizes), _sum_of(most))


def _sum_of(sizes: Sequence[int | None]) -> int | None:
    known = [size for size in sizes if size is not None]
    return sum(known) if len(known) == len(sizes) else None


def some_of(arguments: Sequence[Typed]) -> Type:
    of, among = _ordered(arguments), arguments[0].type
    wanted = number_at(arguments, 1)
    size, most = known_size(among), most_elements(among)
    if wanted.high <= LIMITS.collection:
        most = max(0, wanted.high) if most is None else min(most, max(0, wanted.high))
    exact = size is not None and wanted.low == wanted.high
    return List(of, max(0, min(size or 0, wanted.low)) if exact else None, most)


def _ordered(arguments: Sequence[Typed]) -> Int:
    of = elements_in(arguments)
    if not isinstance(of, Int):
        raise Mismatch(0, "a collection of numbers")
    return of


CHOSEN_OTHERWISE: Final = "choose single numbers, move by move, or from fewer numbers"


def not_chosen(low: int, high: int) -> str:
    """What is wrong with sets of that range, where one of them is to be chosen."""
    return f"a set to choose can span at most {LIMITS.chosen_set} numbers, not {low}..{high}"


def subsets(arguments: Sequence[Typed]) -> Type:
    of = elements_in(arguments)
    if not isinstance(of, Int):
        raise Mismatch(0, "a collection of numbers")
    if of.low < -LIMITS.integer or of.low == Int().low:  # every set would be too wide
        raise Mismatch(0, "numbers whose least is known")
    if len(arguments) > 1:
        number_at(arguments, 1)
    span = _certain_span(arguments[0])
    if span is not None and span[1] - span[0] >= LIMITS.chosen_set:
        raise Refused(Refusal(0, "E470", not_chosen(*span), CHOSEN_OTHERWISE))
    return List(Set(of.low, min(of.high, of.low + LIMITS.chosen_set - 1)))


def _certain_span(among: Typed) -> tuple[int, int] | None:
    """The least and the greatest of numbers, if they are certainly those."""
    match among:
        case Range(low=Constant(code=low), high=Constant(code=high)):
            return low, high
    of = among.type
    return (of.low, of.high) if isinstance(of, Set) and of.is_wide else None


def rows(arguments: Sequence[Typed]) -> Type:
    grid = grid_in(arguments)
    return List(List(grid.of, grid.columns), grid.rows)


def columns(arguments: Sequence[Typed]) -> Type:
    grid = grid_in(arguments)
    return List(List(grid.of, grid.rows), grid.columns)


def lines(arguments: Sequence[Typed]) -> Type:
    number_at(arguments, 1)
    length = max(0, arguments[1].code) if isinstance(arguments[1], Constant) else None
    through = arguments[0].type
    order = points_of(through) or board_of_points(through)
    if order is not None and order.graph is not None:
        if length is None:
            raise Mismatch(1, "a number that is known before the game")
        count = len(order.graph.stretches(length))
        if isinstance(through, List):
            return List(List(through.of, length), count)
        return List(List(_all_points(order), length), None, count)
    if isinstance(through, Cell):
        longest = max(through.rows, through.columns)
        most = len(axes(through.hexagons)) * (longest if length is None else min(length, longest))
        return List(List(through, length, longest), None, most)
    if not isinstance(through, Grid):
        raise Mismatch(0, "a grid or a cell")
    grid = through
    return List(List(grid.of, length), line_count(grid, length) if length is not None else None)


def _all_points(order: Order) -> Word:
    return Word(order.words, order)


def line_count(grid: Grid, length: int) -> int:
    """How many straight lines of that length there are in a grid."""
    if grid.hexagons:
        return len(lines_of(grid.rows, grid.columns, True, length))
    if length < 1:
        return 0
    across = max(0, grid.columns - length + 1)
    down = max(0, grid.rows - length + 1)
    if length == 1:
        return grid.rows * grid.columns
    return grid.rows * across + grid.columns * down + 2 * across * down


def line_work(arguments: Sequence[Typed]) -> int:
    """The cells of all lines; of the length with most of them, if the length is not known."""
    of, length = arguments[0].type, arguments[1]
    order = points_of(of) or board_of_points(of)
    if order is not None and order.graph is not None and isinstance(length, Constant):
        return len(order.graph.stretches(length.code)) * max(length.code, 0)
    if isinstance(of, Cell):
        return len(axes(of.hexagons)) * max(of.rows, of.columns) ** 2
    grid = grid_in(arguments)
    if isinstance(length, Constant):
        return line_count(grid, length.code) * max(length.code, 0)
    return max(line_count(grid, k) * k for k in range(1, max(grid.rows, grid.columns) + 1))


def subset_work(arguments: Sequence[Typed]) -> int:
    of = elements_in(arguments)
    assert isinstance(of, Int)
    among = known_size(arguments[0].type)
    among = of.high - of.low + 1 if among is None else among
    among = max(0, min(among, LIMITS.chosen_set))
    if len(arguments) == 1:
        return min(1 << among, LIMITS.collection)
    chosen = arguments[1].code if isinstance(arguments[1], Constant) else among // 2
    return min(comb(among, chosen) if chosen >= 0 else 0, LIMITS.collection)


def inside(arguments: Sequence[Typed]) -> Type:
    grid_in(arguments)
    number_at(arguments, 1)
    number_at(arguments, 2)
    return Bool()


# ---- cells


def cell_in(arguments: Sequence[Typed]) -> Cell:
    type_ = arguments[0].type
    if not isinstance(type_, Cell):
        raise Mismatch(0, "a cell", Cell)
    return type_


def every_cell(arguments: Sequence[Typed]) -> Type:
    grid = grid_in(arguments)
    return List(cell_of(grid), grid.rows * grid.columns)


def one_cell(arguments: Sequence[Typed]) -> Type:
    grid = grid_in(arguments)
    refusals: list[Refusal] = []
    for k, size in ((1, grid.rows), (2, grid.columns)):
        place = number_at(arguments, k)
        if place.high < 1 or place.low > size:
            message = f"this index is outside 1..{size}"
            refusals.append(Refusal(k, "E309", message, "counting starts at 1"))
    if refusals:
        raise Refused(*refusals)
    return cell_of(grid)


def known_cell(type_: Type, arguments: Sequence[Typed]) -> Constant | None:
    """A cell whose row and column are known."""
    _, row, column = arguments
    if isinstance(type_, Cell) and isinstance(row, Constant) and isinstance(column, Constant):
        return Constant(type_, (row.code - 1) * type_.columns + column.code - 1)
    return None


def row_of_cell(arguments: Sequence[Typed]) -> Type:
    return Int(1, cell_in(arguments).rows)


def column_of_cell(arguments: Sequence[Typed]) -> Type:
    return Int(1, cell_in(arguments).columns)


def near(steps: Callable[[bool], Steps]) -> Check:
    """What is in the cells near a place, or the cells near a cell."""

    def check(arguments: Sequence[Typed]) -> Type:
        of = arguments[0].type
        order = points_of(of) if len(arguments) == 1 else None
        if order is not None and order.graph is not None:
            return List(_all_points(order), None, order.graph.most_beside)
        if isinstance(of, Cell) and len(arguments) == 1:
            return List(of, None, len(steps(of.hexagons)))
        if not isinstance(of, Grid):
            if len(arguments) == 1:
                raise Mismatch(0, "a cell", Cell)
            raise Mismatch(0, "a grid", Grid)
        if len(arguments) != 3:
            raise Mismatch(0, "a cell", Cell)
        number_at(arguments, 1)
        number_at(arguments, 2)
        return List(of.of, None, len(steps(of.hexagons)))

    return check


def rays(arguments: Sequence[Typed]) -> Type:
    order = points_of(arguments[0].type)
    if order is not None and order.graph is not None:
        of_one = List(_all_points(order), None, max(0, order.graph.longest - 1))
        return List(of_one, None, 2 * len(order.graph.lines))
    of = cell_in(arguments)
    return List(List(of, None, max(of.rows, of.columns) - 1), len(steps_around(of.hexagons)))


def ray(arguments: Sequence[Typed]) -> Type:
    of = cell_in(arguments)
    number_at(arguments, 1)
    number_at(arguments, 2)
    return List(of, None, max(of.rows, of.columns) - 1)


def ray_work(arguments: Sequence[Typed]) -> int:
    order = points_of(arguments[0].type)
    if order is not None and order.graph is not None:
        return 2 * sum(map(len, order.graph.lines))
    of = cell_in(arguments)
    return len(steps_around(of.hexagons)) * max(of.rows, of.columns)


def text(arguments: Sequence[Typed]) -> Type:
    if not isinstance(arguments[0].type, Text):
        raise Mismatch(0, "text", Text)
    return Text()


def texts(arguments: Sequence[Typed]) -> Type:
    elements_in(arguments)
    return Text()


def of_number(arguments: Sequence[Typed]) -> Type:
    type_ = arguments[0].type
    if not isinstance(type_, (Int, Text)) and not (
        isinstance(type_, Optional) and isinstance(type_.of, Int)
    ):
        raise Mismatch(0, "a number or text", Int, Text)
    return Text()


def padded(arguments: Sequence[Typed]) -> Type:
    number_at(arguments, 1)
    return of_number(arguments)


def counted(arguments: Sequence[Typed]) -> Type:
    number_at(arguments, 0)
    for k in range(1, len(arguments)):
        if not isinstance(arguments[k].type, Text):
            raise Mismatch(k, "text", Text)
    return Text()


def two_texts(arguments: Sequence[Typed]) -> Type:
    for k in (0, 1):
        if not isinstance(arguments[k].type, Text):
            raise Mismatch(k, "text", Text)
    return Text()


# ---- loops: the type of f(body for …)


def all_conditions(body: Type, loops: Sequence[Loop]) -> Type:
    if not isinstance(body, Bool):
        raise Mismatch(0, "a condition")
    return Bool()


def tally(body: Type, loops: Sequence[Loop]) -> Type:
    return Int(0)


def one_of_all(body: Type, loops: Sequence[Loop]) -> Type:
    return body if _ordered_words([body]) else all_numbers(body, loops)


def all_numbers(body: Type, loops: Sequence[Loop]) -> Type:
    if not isinstance(body, Int):
        raise Mismatch(0, "numbers")
    return body


def all_summed(body: Type, loops: Sequence[Loop]) -> Type:
    all_numbers(body, loops)
    return ANY_NUMBER


def all_listed(body: Type, loops: Sequence[Loop]) -> Type:
    """With its size, or the most that it may be."""
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


def reached(body: Type, loops: Sequence[Loop]) -> Type:
    if points_of(body) is not None and isinstance(body, Word):
        return List(body, None, len(body.words))
    if not isinstance(body, Cell):
        raise Mismatch(0, "cells")
    return List(body, None, body.rows * body.columns)


# ---- calls that certainly do not fail


def divides(call: Call) -> bool:
    return is_never_zero(call.arguments[1].type)


def is_never_zero(type_: Type) -> bool:
    return isinstance(type_, Int) and not type_.low <= 0 <= type_.high


def has_extreme(call: Call) -> bool:
    return len(call.arguments) > 1 or has_some(call.arguments[0])


def has_some(collection: Typed) -> bool:
    """Whether a collection certainly has an element."""
    return (known_size(collection.type) or 0) > 0


def has_places(call: Call) -> bool:
    """Whether a set can certainly hold all of some numbers."""
    place = call.type
    assert isinstance(place, Set)
    numbers = (element_of(one.type) for one in call.arguments)
    return all(
        isinstance(of, Int) and place.low <= of.low and of.high <= place.high for of in numbers
    )


def is_on_board(call: Call) -> bool:
    return is_inside(call.arguments[0], call.arguments[1:])


def is_inside(base: Typed, indices: Sequence[Typed]) -> bool:
    """Whether indices are certainly those of an element."""
    if isinstance(indices[0].type, (Cell, Word)):
        return True
    least = 1
    if isinstance(base.type, Grid):
        sizes: tuple[int | None, ...] = (base.type.rows, base.type.columns)
    elif isinstance(base, Value) and base.owner is None and base.variable.each_player:
        return False
    else:
        sizes = (known_size(base.type),)
        if isinstance(base.type, List) and base.type.index is not None:
            least = base.type.index.first
    return all(
        size is not None
        and isinstance(i.type, Int)
        and i.type.low >= least
        and i.type.high < size + least
        for i, size in zip(indices, sizes, strict=True)
    )
