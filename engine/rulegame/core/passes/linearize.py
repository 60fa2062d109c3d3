"""Places the statements of expressions before the statement that evaluates them, in the order of
evaluation. Behind this pass no expression holds statements, as backends need it.

The statements of operands come first, then the operands themselves; those of the later operands of
`and`, `or` and a choice of two values run only if these are evaluated.
"""

from __future__ import annotations

from rulegame.core import ir
from rulegame.core.rewriting import N, is_same, with_children


def linearize(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function without statements in expressions."""
    return function.replace(body=_Linearizer().block(function.body))


class _Linearizer:
    def __init__(self) -> None:
        self._results = 0

    def block(self, statements: ir.Block) -> ir.Block:
        placed: ir.Block = []
        for s in statements:
            placed.append(self._parts(s, placed))
        return placed

    def _parts(self, node: N, before: ir.Block) -> N:
        """A node whose expressions hold no statements: they are added to those `before` it."""

        def change(child: ir.Node) -> ir.Node:
            return self._expression(child, before) if isinstance(child, ir.Expr) else child

        return with_children(node, change, self.block)

    def _expression(self, e: ir.Expr, before: ir.Block) -> ir.Expr:
        match e:
            case ir.Const() | ir.Local() | ir.Array():
                return e
            case ir.BlockExpr(body=body, value=value):
                before += self.block(body)
                return self._expression(value, before)
            case ir.BoolOp():
                return self._junction(e, before)
            case ir.Select(test=test, then=then, otherwise=otherwise):
                return self._select(test, then, otherwise, before)
        return self._parts(e, before)

    def _junction(self, e: ir.BoolOp, before: ir.Block) -> ir.Expr:
        first, *others = e.operands
        done, result = [self._expression(first, before)], ""
        for operand in others:
            block: ir.Block = []
            code = self._expression(operand, block)
            if not block:
                done.append(code)
                continue
            if not result or len(done) > 1:
                result = self._result()
                before.append(ir.Assign(result, _joined(e, done)))
            test: ir.Expr = ir.Local(result)
            block.append(ir.Assign(result, code))
            before.append(ir.If(test if e.operator == "and" else ir.invert(test), block, []))
            done = [ir.Local(result)]
        return _joined(e, done)

    def _select(
        self, test: ir.Expr, then: ir.Expr, otherwise: ir.Expr, before: ir.Block
    ) -> ir.Expr:
        condition = self._expression(test, before)
        yes: ir.Block = []
        no: ir.Block = []
        values = self._expression(then, yes), self._expression(otherwise, no)
        if not yes and not no:
            return ir.Select(condition, *values)
        result = self._result()
        for block, value in zip((yes, no), values, strict=True):
            block.append(ir.Assign(result, value))
        before.append(ir.If(condition, yes, no))
        return ir.Local(result)

    def _result(self) -> str:
        self._results += 1
        return f"r{self._results}"


def _joined(e: ir.BoolOp, operands: list[ir.Expr]) -> ir.Expr:
    if len(operands) == 1:
        return operands[0]
    return e if is_same(operands, e.operands) else ir.BoolOp(e.operator, tuple(operands))
