"""Visits connected cells in any order where the order makes no difference: where nothing may fail,
and no list is made of them.
"""

from __future__ import annotations

from functools import partial

from rulegame.core import ir
from rulegame.core.analysis import is_total
from rulegame.core.rewriting import rewritten


def relax_order(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function with floods in any order."""
    return function.replace(
        body=rewritten(function.body, partial(_relaxed, metered=module.metered))
    )


def _relaxed(node: ir.Node, metered: bool) -> ir.Node:
    if not isinstance(node, ir.BlockExpr) or not is_total([node], metered):
        return node
    loops = [
        s for s in ir.walk(*node.body) if isinstance(s, ir.For) and _flood(s.collection) is not None
    ]
    free = {_flood(loop.collection) for loop in loops if not _keeps(loop)}
    return node.replace(body=rewritten(node.body, partial(_in_any_order, names=free)))


def _flood(collection: ir.Expr) -> str | None:
    """The flood that a loop goes through."""
    match collection:
        case ir.Call(function="waiting", arguments=(ir.Local(name=name),)):
            return name
    return None


def _keeps(loop: ir.For) -> bool:
    """Whether a loop adds elements to a list that is made outside of it."""
    own = {node.name for node in ir.walk(*loop.body) if isinstance(node, ir.NewList)}
    return any(isinstance(n, ir.Append) and n.name not in own for n in ir.walk(*loop.body))


def _in_any_order(node: ir.Node, names: set[str | None]) -> ir.Node:
    match node:
        case ir.Assign(name=name, value=ir.Call(function="flood", arguments=(r, c, tiles))):
            if name in names:
                return node.replace(value=ir.call("flood", r, c, tiles, ir.Const(True)))
    return node
