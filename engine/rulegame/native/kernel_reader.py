"""Reads kernels, functions in a small Python, into the intermediate representation.

Kernels need a few statements that rules do not have; they are defined here.
"""

from __future__ import annotations

import ast
from typing import Final

from rulegame.core import ir
from rulegame.native.lowering import Untranslatable

OPERATORS: Final[dict[type[ast.operator], ir.Operator]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%", ast.Div: "/",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>",
}  # fmt: skip
RELATIONS: Final[dict[type[ast.cmpop], ir.Relation]] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


class While(ir.Stmt):
    """A loop with a condition."""

    test: ir.Expr
    body: ir.Block


class Continue(ir.Stmt):
    """Begin the next round of the innermost loop."""


class StoreItem(ir.Stmt):
    """Write an element of an array."""

    items: ir.Expr
    index: ir.Expr
    value: ir.Expr


class ReturnNothing(ir.Stmt):
    """Return without a value."""


def read_block(statements: list[ast.stmt]) -> ir.Block:
    """The statements of a kernel."""
    return [_statement(s) for s in statements if not _is_comment(s)]


def _is_comment(s: ast.stmt) -> bool:
    return isinstance(s, ast.Pass) or (
        isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant)
    )


def _statement(s: ast.stmt) -> ir.Stmt:
    match s:
        case ast.Assign(targets=[target], value=value):
            return _assignment(target, _expression(value))
        case ast.AnnAssign(target=target, value=ast.expr() as value):
            return _assignment(target, _expression(value))
        case ast.AugAssign(target=target, op=op, value=value):
            operands = _expression(target), _expression(value)
            return _assignment(target, ir.Op(OPERATORS[type(op)], operands))
        case ast.If(test=test, body=body, orelse=orelse):
            return ir.If(_expression(test), read_block(body), read_block(orelse))
        case ast.For(target=ast.Name(id=name), iter=items, body=body):
            return ir.For(name, _expression(items), read_block(body))
        case ast.While(test=test, body=body):
            return While(_expression(test), read_block(body))
        case ast.Break():
            return ir.Break()
        case ast.Continue():
            return Continue()
        case ast.Return(value=None):
            return ReturnNothing()
        case ast.Return(value=ast.expr() as value):
            return ir.Return(_expression(value))
        case ast.Expr(value=ast.Call(func=ast.Name(id=name), args=arguments)):
            return ir.Do(_call(name, arguments))
    raise Untranslatable(ast.dump(s))


def _assignment(target: ast.expr, value: ir.Expr) -> ir.Stmt:
    match target:
        case ast.Name(id=name):
            return ir.Assign(name, value)
        case ast.Subscript(value=items, slice=index):
            return StoreItem(_expression(items), _expression(index), value)
    raise Untranslatable(ast.dump(target))


def _expression(e: ast.expr) -> ir.Expr:
    match e:
        case ast.Constant(value=bool() | int() | float() as value):
            return ir.Const(value)
        case ast.Name(id=name):
            return ir.Local(name)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return ir.invert(_expression(operand))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return ir.Op("neg", (_expression(operand),))
        case ast.BinOp(left=left, op=op, right=right):
            return ir.Op(OPERATORS[type(op)], (_expression(left), _expression(right)))
        case ast.BoolOp(op=op, values=values):
            operands = tuple(_expression(one) for one in values)
            return ir.BoolOp("and" if isinstance(op, ast.And) else "or", operands)
        case ast.Compare(left=left, ops=ops, comparators=others):
            operands = tuple(_expression(one) for one in (left, *others))
            return ir.Compare(operands, tuple(RELATIONS[type(one)] for one in ops))
        case ast.IfExp(test=test, body=yes, orelse=no):
            return ir.Select(_expression(test), _expression(yes), _expression(no))
        case ast.Subscript(value=items, slice=ast.Slice(lower=ast.expr() as lower)):
            return ir.call("from", _expression(items), _expression(lower))
        case ast.Subscript(value=items, slice=index):
            return ir.Item(_expression(items), _expression(index))
        case ast.Call(func=ast.Name(id=name), args=arguments):
            return _call(name, arguments)
    raise Untranslatable(ast.dump(e))


def _call(name: str, arguments: list[ast.expr]) -> ir.Call:
    return ir.call(name, *(_expression(one) for one in arguments))
