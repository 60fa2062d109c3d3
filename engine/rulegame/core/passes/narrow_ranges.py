"""Narrows ranges to the numbers for which the first tests of a loop can hold: `p == following` for
one number, `abs(to - from) <= 1` for three. The loop need not go through the others.

What is not evaluated any more must be total, or a fault could disappear.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Final, Literal

from rulegame.core import ir
from rulegame.core.analysis import is_total, reads, sets
from rulegame.core.rewriting import rewritten

FEWEST: Final = 4  # a range in which the last is that much above the first is worth to be narrowed
MIRRORED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}
Limit = tuple[Literal["low", "high"], ir.Expr]  # the least or the greatest that a number can be


def narrow_ranges(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function with narrowed ranges."""
    names = (f"end{k}" for k in count(1))
    if not any(_range(node) is not None for node in ir.walk(function)):
        return function
    narrowed = partial(_narrowed, metered=module.metered, names=names)
    return function.replace(body=rewritten(function.body, narrowed))


def _narrowed(node: ir.Node, metered: bool, names: Iterator[str]) -> ir.Node:
    numbers = _range(node)
    if numbers is None:
        return node
    assert isinstance(node, ir.For)
    return _with_limits(node, numbers, list(_limits(node, metered)), names)


def _range(node: ir.Node) -> range | None:
    """The numbers that a loop goes through, if it is worth to leave some out."""
    match node:
        case ir.For(
            collection=ir.Call(
                function="range", arguments=(ir.Const(value=int() as low), ir.Const(value=end))
            ),
            body=[ir.If(), *_],
        ) if int(end) - 1 - low >= FEWEST:
            return range(low, int(end))
    return None


def _with_limits(loop: ir.For, numbers: range, limits: list[Limit], names: Iterator[str]) -> ir.For:
    """The loop through the numbers within some limits, each of which is evaluated once."""
    if not limits:
        return loop
    values: dict[ir.Expr, ir.Expr] = {}
    block: ir.Block = []
    for _, limit in limits:
        if limit in values:
            continue
        if isinstance(limit, (ir.Const, ir.Local)):
            values[limit] = limit
        else:
            name = next(names)
            block.append(ir.Assign(name, limit))
            values[limit] = ir.Local(name).typed(limit.type)
    lows = list(dict.fromkeys(values[limit] for which, limit in limits if which == "low"))
    highs = list(dict.fromkeys(values[limit] for which, limit in limits if which == "high"))
    least: ir.Expr = ir.Const(numbers[0])
    most: ir.Expr = ir.Const(numbers[-1])
    least = ir.call("max", least, *lows) if lows else least
    most = ir.call("min", most, *highs) if highs else most
    collection: ir.Expr = ir.call("range", least, ir.add(most, ir.Const(1)))
    return loop.replace(collection=ir.BlockExpr(block, collection) if block else collection)


def _limits(loop: ir.For, metered: bool) -> Iterator[Limit]:
    """The limits of the number that follow from the tests around the body of a loop."""
    changed = sets(loop)
    block = loop.body
    while True:
        match block:
            case [ir.If(test=test, then=then, otherwise=[])]:
                pass
            case [
                ir.If(test=test, then=then, otherwise=[]),
                ir.If(test=ir.Local(), then=[ir.Break()]),
            ]:
                pass  # whether to stop was decided in an earlier round
            case _:
                return
        for condition in _conditions(test):
            if not is_total([condition], metered):
                return
            for which, limit in _implied(condition, loop.name):
                if reads(limit).isdisjoint(changed):
                    yield which, limit
        block = then


def _conditions(test: ir.Expr) -> Iterator[ir.Expr]:
    """The conditions that a test consists of, in the order of evaluation."""
    match test:
        case ir.BoolOp(operator="and", operands=operands):
            for operand in operands:
                yield from _conditions(operand)
        case _:
            yield test


def _implied(condition: ir.Expr, name: str) -> Iterator[Limit]:
    """The limits of a name that follow from a condition."""
    match condition:
        case ir.Compare(operands=operands, relations=relations):
            for left, relation, right in zip(operands, relations, operands[1:], strict=False):
                if relation in MIRRORED:
                    yield from _compared(left, relation, right, name)
                    yield from _compared(right, MIRRORED[relation], left, name)


def _compared(left: ir.Expr, relation: str, right: ir.Expr, name: str) -> Iterator[Limit]:
    match left:
        case ir.Local(name=found) if found == name:
            if relation in ("<", "<=", "=="):
                yield "high", right
            if relation in (">", ">=", "=="):
                yield "low", right
        case ir.Op(operator="-", operands=(one, other)) if relation == "==":
            if _is_named(one, name):
                yield from _both(ir.Op("+", (other, right)))
            elif _is_named(other, name):
                yield from _both(ir.Op("-", (one, right)))
        case ir.Call(function="abs", arguments=(ir.Op(operator="-", operands=(one, other)),)):
            if relation in ("<", "<=", "==") and (_is_named(one, name) or _is_named(other, name)):
                middle = other if _is_named(one, name) else one
                yield "low", ir.Op("-", (middle, right))
                yield "high", ir.Op("+", (middle, right))


def _is_named(e: ir.Expr, name: str) -> bool:
    return isinstance(e, ir.Local) and e.name == name


def _both(limit: ir.Expr) -> Iterator[Limit]:
    yield "low", limit
    yield "high", limit
