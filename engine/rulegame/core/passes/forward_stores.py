"""Reads what was just written to a cell of `t` from the local variable that was written."""

from __future__ import annotations

from rulegame.core import ir
from rulegame.core.analysis import reads, sets
from rulegame.core.rewriting import with_children


def forward_stores(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function without loads of cells whose value is known."""
    return function.replace(body=_Forwarding().block(function.body))


class _Forwarding:
    """Goes through a function in the order of evaluation."""

    def __init__(self) -> None:
        self._known: dict[ir.Expr, ir.Expr] = {}  # the values of cells, by their offsets

    def block(self, statements: ir.Block) -> ir.Block:
        return [self._statement(s) for s in statements]

    def _statement(self, s: ir.Stmt) -> ir.Stmt:
        match s:
            case ir.If(test=test, then=then, otherwise=otherwise):
                tested = self._expression(test)
                before = self._known
                branches = []
                left = []
                for branch in (then, otherwise):
                    self._known = dict(before)
                    branches.append(self.block(branch))
                    if not branch or not isinstance(branch[-1], (*ir.RETURNS, ir.Break)):
                        left.append(self._known)
                self._known = _common(left)
                return s.replace(test=tested, then=branches[0], otherwise=branches[1])
            case ir.For(collection=collection, body=body):
                through = self._expression(collection)
                if self._known:
                    self._forget(sets(s))
                before = dict(self._known)
                inside = self.block(body)
                self._known = before
                return s.replace(collection=through, body=inside)
            case ir.Attempt():
                self._known = {}
        changed = with_children(s, self._expression, self.block)
        match changed:
            case ir.Store(state="t", offset=offset, value=value):
                self._known = {
                    other: kept for other, kept in self._known.items() if _differ(other, offset)
                }
                if isinstance(value, (ir.Const, ir.Local)):
                    self._known[offset] = value
            case ir.Assign(name=name) | ir.NewList(name=name) | ir.Append(name=name):
                self._forget({name})
            case ir.Stmt() if isinstance(changed, ir.WRITES):
                self._known = {}
        return changed

    def _forget(self, changed: set[str]) -> None:
        """What depends on names that change, or on `t`, is not known any more."""
        if "t" in changed:
            self._known = {}
        elif self._known:
            self._known = {
                offset: value
                for offset, value in self._known.items()
                if reads(offset, value).isdisjoint(changed)
            }

    def _expression(self, e: ir.Expr) -> ir.Expr:
        if not self._known or not (e.__inside__ or e.__within__):
            return e
        if isinstance(e, ir.BlockExpr):
            return e.replace(body=self.block(e.body), value=self._expression(e.value))
        e = with_children(e, self._expression)
        match e:
            case ir.Load(state="t", offset=offset):
                return self._known.get(offset, e)
            case ir.Call(function="over"):
                self._known = {}
        return e


def _common(known: list[dict[ir.Expr, ir.Expr]]) -> dict[ir.Expr, ir.Expr]:
    """What is known on each of several paths."""
    if not known:
        return {}
    first, *others = known
    return {k: v for k, v in first.items() if all(other.get(k) == v for other in others)}


def _differ(one: ir.Expr, other: ir.Expr) -> bool:
    """Whether two offsets are certainly those of different cells."""
    (low, high), (least, most) = one.bounds, other.bounds
    return high < least or most < low
