"""Lowers calls of built-in functions.

Most are a call of their intrinsic (`intrinsic`). The others are lowered by the functions below, to
which their rows refer (`language.functions`).
"""

from __future__ import annotations

from typing import Protocol

from rulegame.core import ir
from rulegame.language import typed
from rulegame.language.built_in import Intrinsic
from rulegame.language.costs import LISTED, SHOWN
from rulegame.language.functions import FUNCTIONS
from rulegame.language.syntax import Place
from rulegame.language.typed import Typed
from rulegame.language.types import Cell, Grid, Int, List, Set, Text, Type, Word


class Lowering(Protocol):
    """Lowers the expressions around a call (`emitting.Emitter`)."""

    @property
    def players(self) -> int:
        """How many play."""

    @property
    def move(self) -> ir.Expr:
        """The words of the move that a rule is about."""

    def site(self, place: Place) -> int:
        """The number of a place where generated code may fail."""

    def type_number(self, type_: Type) -> int:
        """The number of a type whose values generated code prints."""

    def emit(self, e: Typed) -> ir.Expr:
        """The code of an expression."""

    def iterate(self, e: Typed, weight: int = 1, place: Place | None = None) -> ir.Expr:
        """The elements of a collection; `weight` is what each of them costs."""

    def charged(self, items: ir.Expr, e: Typed, weight: int = 1) -> ir.Expr:
        """The elements of a list, charged for what going through them costs."""

    def repetitions(self, names: tuple[str, ...], after: bool) -> ir.Expr:
        """How often these values, or the whole position, have been as they are."""

    def displacement(self, type_: object, indices: tuple[Typed, ...], place: Place) -> ir.Expr:
        """How far an element is from the first one."""


def call(w: Lowering, e: typed.Call) -> ir.Expr:
    """The value of a call."""
    if e.function == "name":  # of a player, in a text
        return ir.Item(ir.Local("names"), w.emit(e.arguments[0]))
    function = FUNCTIONS[e.function]
    if function.lowered is not None:
        lowered: ir.Expr = function.lowered.load()(w, e)
        return lowered
    wide = isinstance(e.type, Set) and e.type.is_wide
    return intrinsic(w, e, function.intrinsics[1 if wide else 0])


def intrinsic(w: Lowering, e: typed.Call, one: Intrinsic) -> ir.Expr:
    """A call of an intrinsic, with the arguments that its row declares."""
    function = FUNCTIONS[e.function]
    first, *rest = e.arguments
    codes: list[ir.Expr] = []
    if function.passes_shape:
        assert isinstance(first.type, Grid)
        codes += [ir.Const(first.type.rows), ir.Const(first.type.columns)]
    if function.text:
        codes += [_as_text(w, argument) for argument in e.arguments]
    else:
        codes.append(w.iterate(first) if function.passes_elements else w.emit(first))
        codes += [w.emit(argument) for argument in rest]
    if function.passes_set_bounds:
        of = e.type.of if isinstance(e.type, List) else e.type
        assert isinstance(of, Set)
        codes += [ir.Const(of.low), ir.Const(of.high)]
    if function.passes_tiles and isinstance(first.type, Grid) and first.type.hexagons:
        codes.append(ir.Const(True))
    return ir.call(one.name, *codes, site=_site(w, e, one), sure=is_sure(e))


def is_sure(e: typed.Call) -> bool:
    """Whether a call that may fail does not with such arguments."""
    check = FUNCTIONS[e.function].is_sure
    return check is not None and check(e)


def _site(w: Lowering, e: typed.Call | typed.Aggregate, one: Intrinsic) -> int | None:
    return w.site(e.place) if one.fails else None


def gathered(w: Lowering, e: typed.Aggregate, items: ir.Expr) -> ir.Expr:
    """What a function with loops returns for the elements of a list."""
    one = FUNCTIONS[e.function].intrinsics[0]
    return ir.call(one.name, items, site=_site(w, e, one))


def _as_text(w: Lowering, e: Typed) -> ir.Expr:
    """An argument of a text function: text, a number, or a list of texts."""
    if isinstance(e.type, (Text, Int)):
        return w.emit(e)
    number = ir.Const(w.type_number(e.type))
    return ir.call("texts_of", w.charged(w.emit(e), e, SHOWN), number, ir.Local("names"))


# ---- moves


def can_move(w: Lowering, e: typed.Call) -> ir.Expr:
    """Whether a player is to move after a move, and can."""
    (player,) = e.arguments
    mover = ir.call("next_mover", ir.Array("s"), w.move, site=w.site(e.place))
    return ir.compare(mover, "==", w.emit(player))


def repetitions(w: Lowering, e: typed.Call) -> ir.Expr:
    """How often a position has occurred."""
    whole, after, *values = e.arguments
    assert isinstance(whole, typed.Constant) and isinstance(after, typed.Constant)
    names = tuple(one.variable.name if isinstance(one, typed.Value) else "me" for one in values)
    return w.repetitions(names, bool(after.code))


# ---- numbers and collections


def absolute(w: Lowering, e: typed.Call) -> ir.Expr:
    return ir.call("abs", w.emit(e.arguments[0]))


def extreme(w: Lowering, e: typed.Call) -> ir.Expr:
    """The least or the greatest of some numbers, or of a collection."""
    first = e.arguments[0]
    if len(e.arguments) > 1:
        return ir.call(e.function, *(w.emit(argument) for argument in e.arguments))
    one = FUNCTIONS[e.function].intrinsics[0]
    items = w.iterate(first, 1, e.place)
    return ir.call(one.name, items, site=_site(w, e, one), sure=is_sure(e))


def python_function(w: Lowering, e: typed.Call) -> ir.Expr:
    """What Python has a function of the same name for."""
    return ir.call(e.function, w.iterate(e.arguments[0], 1, e.place))


def listed(w: Lowering, e: typed.Call) -> ir.Expr:
    return ir.call("list", w.iterate(e.arguments[0], LISTED, e.place))


def joined(w: Lowering, e: typed.Call) -> ir.Expr:
    one = FUNCTIONS[e.function].intrinsics[0]
    return ir.call(one.name, *(w.iterate(part, LISTED, e.place) for part in e.arguments))


def size(w: Lowering, e: typed.Call) -> ir.Expr:
    of = e.arguments[0]
    if isinstance(of.type, Set) and of.type.is_wide:
        ends = ir.Const(of.type.low), ir.Const(of.type.high)
        return ir.call("wide_size", w.emit(of), *ends)
    if isinstance(of.type, Set):
        return ir.Op("popcount", (w.emit(of),))
    return ir.call("len", w.iterate(of, 0))


def united(w: Lowering, e: typed.Call) -> ir.Expr:
    """A set and others that are joined to it, taken out of it, or had in common with it."""
    assert isinstance(e.type, Set)
    ends, all_of = (ir.Const(e.type.low), ir.Const(e.type.high)), e.function == "union"
    wide = e.type.is_wide
    one = FUNCTIONS[e.function].intrinsics[1 if wide else 0]
    result = w.emit(e.arguments[0])
    for other in e.arguments[1:]:
        if _is_aligned(other.type, e.type):
            bits = w.emit(other)
        else:
            packing = "pack_all" if all_of else "pack_some"
            site = w.site(e.place) if all_of else None
            items = w.iterate(other)
            name, sure = f"wide_{packing}" if wide else packing, all_of and is_sure(e)
            bits = ir.call(name, items, *ends, site=site, sure=sure)
        checks, sure = ends if all_of or wide else (), is_sure(e)
        result = ir.call(one.name, result, bits, *checks, site=_site(w, e, one), sure=sure)
    return result


def _is_aligned(type_: Type, to: Set) -> bool:
    """Whether the bits of a set stand for the same numbers as those of another one."""
    return isinstance(type_, Set) and type_.low == to.low and type_.cells == to.cells


def subsets(w: Lowering, e: typed.Call) -> ir.Expr:
    of_size, of_any_size = FUNCTIONS[e.function].intrinsics
    return intrinsic(w, e, of_size if len(e.arguments) > 1 else of_any_size)


# ---- players


def next_player(w: Lowering, e: typed.Call) -> ir.Expr:
    """The player after or before another one."""
    players, seat_ = w.players, w.emit(e.arguments[0])
    if players == 2:
        return ir.Op("-", (ir.Const(1), seat_))
    shifted = ir.add(seat_, ir.Const(1 if e.function == "next" else players - 1))
    return ir.Op("%", (shifted, ir.Const(players)))


def seat(w: Lowering, e: typed.Call) -> ir.Expr:
    return ir.add(w.emit(e.arguments[0]), ir.Const(1))


def ordinal(w: Lowering, e: typed.Call) -> ir.Expr:
    """The place of a word among those of its type, whose codes follow one another."""
    of = e.arguments[0].type
    assert isinstance(of, Word) and of.order is not None
    return ir.add(w.emit(e.arguments[0]), ir.Const(1 - of.order.first))


# ---- boards and cells


def inside(w: Lowering, e: typed.Call) -> ir.Expr:
    """The shape tells: what is on the board is not looked at."""
    grid, row, column = e.arguments
    one = FUNCTIONS[e.function].intrinsics[0]
    if not isinstance(grid, typed.Value):
        return intrinsic(w, e, one)
    return ir.call(one.name, *_shape(grid.type), ir.ListExpr(()), w.emit(row), w.emit(column))


def _shape(of: Type) -> tuple[ir.Expr, ir.Expr]:
    assert isinstance(of, (Grid, Cell))
    return ir.Const(of.rows), ir.Const(of.columns)


def every_cell(w: Lowering, e: typed.Call) -> ir.Expr:
    return ir.call("list", w.iterate(e))


def cell(w: Lowering, e: typed.Call) -> ir.Expr:
    return w.displacement(e.arguments[0].type, e.arguments[1:], e.place)


def row_or_column(w: Lowering, e: typed.Call) -> ir.Expr:
    of = e.arguments[0].type
    assert isinstance(of, Cell)
    divide: ir.Operator = "//" if e.function == "row" else "%"
    return ir.add(ir.Op(divide, (w.emit(e.arguments[0]), ir.Const(of.columns))), ir.Const(1))


def near(w: Lowering, e: typed.Call) -> ir.Expr:
    """Cells that have to do with one; or what is in the cells of a grid near a place."""
    of, intrinsics = e.arguments[0], FUNCTIONS[e.function].intrinsics
    if not isinstance(of.type, Cell):
        return intrinsic(w, e, intrinsics[0])
    tiles = ir.Const(of.type.hexagons)
    return ir.call(intrinsics[-1].name, *_shape(of.type), tiles, w.emit(of))


def lines(w: Lowering, e: typed.Call) -> ir.Expr:
    of, length = e.arguments
    if not isinstance(of.type, Cell):
        return intrinsic(w, e, FUNCTIONS[e.function].intrinsics[0])
    through, size_ = w.emit(of), w.emit(length)
    tiles = ir.Const(of.type.hexagons)
    return ir.call("line_places_through", *_shape(of.type), size_, through, tiles)


def ray(w: Lowering, e: typed.Call) -> ir.Expr:
    codes = [w.emit(argument) for argument in e.arguments]
    one = FUNCTIONS[e.function].intrinsics[0]
    return ir.call(one.name, *_shape(e.arguments[0].type), *codes)
