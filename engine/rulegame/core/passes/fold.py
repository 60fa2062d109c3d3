"""Folds constants: arithmetic and comparisons of constants, tests whose result is known, and the
branches that are never taken; and elements of slices, which are loads.
"""

from __future__ import annotations

from operator import eq, ge, gt, le, lt, ne
from typing import Final

from rulegame.core import ir
from rulegame.core.rewriting import with_children

COMPARE: Final = {"==": eq, "!=": ne, "<": lt, "<=": le, ">": gt, ">=": ge}


def fold_constants(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function with constants folded."""
    return with_children(function, _expression, _block)


def _block(statements: ir.Block) -> ir.Block:
    folded: ir.Block = []
    for statement in statements:
        s = with_children(statement, _expression, _block)
        match s:
            case ir.If(test=ir.Const(value=value)):
                folded += s.then if value else s.otherwise
            case _:
                folded.append(s)
        if folded and isinstance(folded[-1], (*ir.RETURNS, ir.Break)):
            break  # nothing behind it is reached
    return folded


def _expression(e: ir.Expr) -> ir.Expr:
    if not (e.__inside__ or e.__within__):
        return e
    e = with_children(e, _expression, _block)
    match e:
        case ir.Op(operator="not", operands=(ir.Const(value=value),)):
            return ir.Const(not value)
        case ir.Op(operands=(ir.Const(value=int() as a), ir.Const(value=int() as b))):
            return _calculated(e, a, b)
        case ir.Op(operator="+", operands=(left, right)):
            if isinstance(left, ir.Const) or isinstance(right, ir.Const):
                return ir.add(left, right)
        case ir.Compare(operands=operands, relations=relations):
            numbers = [one.value for one in operands if isinstance(one, ir.Const)]
            if len(numbers) == len(operands) and all(isinstance(n, int) for n in numbers):
                pairs = zip(numbers, relations, numbers[1:], strict=False)
                return ir.Const(all(COMPARE[relation](a, b) for a, relation, b in pairs))
            return _ranged(e)
        case ir.BoolOp():
            return _junction(e)
        case ir.Select(test=ir.Const(value=value)):
            return e.then if value else e.otherwise
        case ir.Item(items=ir.Slice(state=state, start=start), index=index):
            return ir.Load(state, ir.add(start, index))
        case ir.Call(function="different", arguments=(ir.ListExpr(items=items) as row,)):
            if all(isinstance(one, ir.Const) for one in items):
                return row.replace(items=tuple(dict.fromkeys(items)))
    return e


def _ranged(e: ir.Compare) -> ir.Expr:
    """A test that holds for every value of a name is true."""
    match e:
        case ir.Compare(
            operands=(ir.Const(value=int() as low), ir.Local() as number, ir.Const(value=high)),
            relations=("<=", "<="),
        ):
            least, most = number.bounds
            return ir.Const(True) if low <= least and most <= int(high) else e
    return e


def _calculated(e: ir.Op, a: int, b: int) -> ir.Expr:
    match e.operator:
        case "+":
            return ir.Const(a + b)
        case "-":
            return ir.Const(a - b)
        case "*":
            return ir.Const(a * b)
        case "//" if b:
            return ir.Const(a // b)
        case "%" if b:
            return ir.Const(a % b)
    return e


def _junction(e: ir.BoolOp) -> ir.Expr:
    """Without operands that change nothing, and up to one that decides."""
    if not any(isinstance(operand, ir.Const) for operand in e.operands):
        return e
    operands: list[ir.Expr] = []
    for operand in e.operands:
        if not isinstance(operand, ir.Const):
            operands.append(operand)
        elif bool(operand.value) == (e.operator == "or"):
            operands.append(ir.Const(e.operator == "or"))
            break
    if not operands:
        return ir.Const(e.operator == "and")
    return operands[0] if len(operands) == 1 else ir.BoolOp(e.operator, tuple(operands))
