"""Drops checks of indices whose bounds are known, by their types or by the conditions around them:
`1 <= r <= 8 and board[r, c]` asks for no row beyond the board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final, TypeVar

from rulegame.core import ir
from rulegame.core.analysis import reads, sets, sets_itself
from rulegame.core.rewriting import is_same, with_children

Fact = tuple[ir.Expr, int | None, int | None]  # a number, the least and greatest that it can be
T = TypeVar("T")

MIRRORED: Final = {">": "<", ">=": "<="}


def drop_checks(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function without checks that cannot fail."""
    return function.replace(body=_Bounds().block(function.body))


class _Bounds:
    """Goes through a function with the tests that hold."""

    def __init__(self) -> None:
        self._tests: list[tuple[ir.Expr, int]] = []  # each with how many changes were before it
        self._changes: list[str] = []  # of names and of `t`, so far

    # ---- statements

    def block(self, statements: ir.Block) -> ir.Block:
        changed: ir.Block = []
        for s in statements:
            changed.append(self._statement(s))
            self._changes += sets_itself(s)
        return changed

    def _statement(self, s: ir.Stmt) -> ir.Stmt:
        match s:
            case ir.If(test=test, then=then, otherwise=otherwise):
                tested = self._expression(test)
                inside = self._knowing(tested, partial(self.block, then))
                return s.replace(test=tested, then=inside, otherwise=self.block(otherwise))
            case ir.For() if self._tests:  # the rounds before may have changed it
                self._changes += sets(s)
        return with_children(s, self._expression, self.block)

    def _knowing(self, test: ir.Expr, change: Callable[[], T]) -> T:
        """What `change` does where a test holds."""
        self._tests.append((test, len(self._changes)))
        found = change()
        self._tests.pop()
        return found

    # ---- expressions

    def _expression(self, e: ir.Expr) -> ir.Expr:
        match e:
            case ir.BoolOp(operator="and", operands=operands):
                return self._conjunction(e, operands)
            case ir.Select(test=test, then=then, otherwise=otherwise):
                tested = self._expression(test)
                chosen = self._knowing(tested, partial(self._expression, then))
                return e.replace(test=tested, then=chosen, otherwise=self._expression(otherwise))
            case ir.BlockExpr(body=body, value=value):
                return e.replace(body=self.block(body), value=self._expression(value))
        if not (e.__inside__ or e.__within__):
            return e
        e = with_children(e, self._expression, self.block)
        match e:
            case ir.Call(function="index", arguments=(index, size)):
                low, high = self._bounds(index)
                return index if 1 <= low <= high <= size.bounds[0] else e
        return e

    def _conjunction(self, e: ir.BoolOp, operands: tuple[ir.Expr, ...]) -> ir.Expr:
        known = len(self._tests)
        changed: list[ir.Expr] = []
        for operand in operands:
            changed.append(self._expression(operand))
            self._tests.append((changed[-1], len(self._changes)))
        del self._tests[known:]
        return e if is_same(changed, operands) else e.replace(operands=tuple(changed))

    def _bounds(self, e: ir.Expr) -> ir.Bounds:
        """The bounds of a number by its type, and by the tests that hold."""
        low, high = e.bounds
        if _has_statements(e):
            return low, high
        for test, changes in self._tests:
            for number, least, most in _implied(test):
                if number == e and reads(e).isdisjoint(self._changes[changes:]):
                    low = low if least is None else max(low, least)
                    high = high if most is None else min(high, most)
        return low, high


def _has_statements(e: ir.Expr) -> bool:
    return any(isinstance(node, ir.BlockExpr) for node in ir.walk(e))


def _implied(test: ir.Expr) -> Iterator[Fact]:
    """The bounds of numbers that follow from a test."""
    match test:
        case ir.BoolOp(operator="and", operands=operands):
            for operand in operands:
                yield from _implied(operand)
        case ir.Compare(operands=operands, relations=relations):
            for left, relation, right in zip(operands, relations, operands[1:], strict=False):
                yield from _compared(left, relation, right)
        case ir.Call(function="f_inside", arguments=(rows, columns, _, row, column)):
            yield row, 1, rows.bounds[1]
            yield column, 1, columns.bounds[1]
        case ir.BlockExpr(body=body, value=value):
            meant = {s.name: s.value for s in body if isinstance(s, ir.Assign)}
            for number, low, high in _implied(value):
                while isinstance(number, ir.Local) and number.name in meant:
                    number = meant[number.name]
                yield number, low, high


def _compared(left: ir.Expr, relation: ir.Relation, right: ir.Expr) -> Iterator[Fact]:
    if relation in MIRRORED:
        left, relation, right = right, MIRRORED[relation], left
    if relation not in ("==", "<", "<="):
        return
    (least, most), (low, high) = left.bounds, right.bounds
    if relation == "==":
        if (low, high) != ir.ANYTHING:
            yield left, low, high
        if (least, most) != ir.ANYTHING:
            yield right, least, most
    elif relation in ("<", "<="):
        apart = 1 if relation == "<" else 0
        if high < ir.ANYTHING[1]:
            yield left, None, high - apart
        if least > ir.ANYTHING[0]:
            yield right, least + apart, None
