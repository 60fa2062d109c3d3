"""Arguments of intrinsics, and the function that calls them."""

from __future__ import annotations

from typing import Protocol

from rulegame.core import ir
from rulegame.native.assembly import Assembly, Num, Pointer, number
from rulegame.native.listing import ListWriter
from rulegame.native.lowering import Untranslatable
from rulegame.native.rows import Bits, Items, Lines, Listed, Progression, Stretch, Value


class Tables(Protocol):
    """Where constants are kept."""

    def table(self, values: tuple[int, ...]) -> Pointer: ...


class Caller(Protocol):
    """The function that calls: how its expressions are translated."""

    @property
    def out(self) -> Assembly: ...
    @property
    def lists(self) -> ListWriter: ...
    @property
    def code(self) -> Tables: ...
    @property
    def players(self) -> int: ...
    @property
    def function(self) -> ir.Function: ...
    def number(self, e: ir.Expr) -> Num: ...
    def value(self, e: ir.Expr) -> Value: ...
    def cells_from(self, name: str, first: Num, count: Num, step: Num) -> Stretch: ...


class Arguments:
    """Writes arguments of calls into a function of the rules."""

    def __init__(self, rules: Caller) -> None:
        self._rules = rules
        self._out = rules.out
        self._lists = rules.lists

    def _number(self, e: ir.Expr) -> Num:
        return self._rules.number(e)

    def _list(self, e: ir.Expr) -> Listed:
        found = self._rules.value(e)
        if not isinstance(found, (Progression, Stretch, Lines, Items, Bits)):
            raise Untranslatable(f"no list: {e}")
        return found

    def _known(self, e: ir.Expr) -> int:
        found = self._number(e).known
        assert found is not None
        return found

    def _or(self, a: Num, b: Num) -> Num:
        return self._out.plain("or", a, b)

    def _shift(self, place: Num) -> Num:
        """A number of bits that a number can be shifted by."""
        return self._out.plain("and", place, number(63))
