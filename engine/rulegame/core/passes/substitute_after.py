"""Substitutes what rules read of the state `u`: `after.left >= 0` becomes `left - n >= 0`.

`u` is the state after an operation as validity rules see it. Its cells are those of `s`, except
those for which lowering states a value; a value is evaluated where it is read. So nothing is
computed of the next state that no rule asks for, and nothing fails for it.
"""

from __future__ import annotations

from rulegame.core import ir
from rulegame.core.rewriting import with_children


def substitute_after(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function without the state `u`."""
    if function.role not in (ir.Role.MOVES, ir.Role.MUST):
        return function
    return function.replace(body=_Substitution().block(function.body))


class _Substitution:
    """Goes through the function in the order of the text: each `u` is read behind its values."""

    def __init__(self) -> None:
        self._values: list[tuple[ir.Expr, ir.Expr]] = []  # with their first cells

    def block(self, statements: ir.Block) -> ir.Block:
        found: ir.Block = []
        for s in statements:
            match s:
                case ir.CopyState(state="u"):
                    self._values = []
                case ir.Store(state="u", offset=first, value=value):
                    self._values.append((first, value))
                case ir.StoreSlice(state="u", start=first, value=value):
                    self._values.append((first, value))
                case _:
                    found.append(with_children(s, self._expression, self.block))
        return found

    def _expression(self, e: ir.Expr) -> ir.Expr:
        match e:
            case ir.Load(state="u", offset=first) | ir.Slice(state="u", start=first):
                for cell, value in self._values:
                    if cell == first:
                        return value
                e = e.replace(state="s")
        if not (e.__inside__ or e.__within__):
            return e
        return with_children(e, self._expression, self.block)
