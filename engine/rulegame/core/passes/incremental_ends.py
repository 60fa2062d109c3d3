"""Narrows end conditions that did not hold before a move to what the move has changed: of the lines
of a board only those with a changed cell are looked at.

Lowering marks such conditions (`compiling.narrowing` proves that they did not hold) and attaches
the changed cells; where there are none, the condition does not hold.
"""

from __future__ import annotations

from functools import partial

from rulegame.core import ir
from rulegame.core.rewriting import N, rewritten, with_children


def narrow_ends(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function with narrowed end conditions."""
    return function.replace(body=rewritten(function.body, _narrowed))


def _narrowed(node: ir.Node) -> ir.Node:
    match node:
        case ir.Incremental(cells=()):
            return ir.Const(False)
        case ir.Incremental(condition=condition):
            return _inside(condition, node, None)
    return node


def _inside(node: N, narrowed: ir.Incremental, found: ir.Local | None) -> N:
    """The same with a narrowed loop; `found` says that a line has been found."""
    match node:
        case ir.BlockExpr(value=ir.Local() as result):
            found = result
        case ir.For(name=name, collection=ir.Call(function="line_places")):
            if name == narrowed.loop:
                return _touching(node, narrowed.cells, found)  # type: ignore[return-value]
    return with_children(node, partial(_inside, narrowed=narrowed, found=found))


def _touching(loop: ir.For, cells: tuple[ir.Expr, ...], found: ir.Local | None) -> ir.For:
    """A loop over the lines that touch cells: one cell after the other, if there are several."""
    assert isinstance(loop.collection, ir.Call)
    rows, columns, length, *tiles = loop.collection.arguments
    name = f"at_{loop.name}"
    cell = cells[0] if len(cells) == 1 else ir.Local(name)
    inner = loop.replace(
        collection=ir.call("line_places_through", rows, columns, length, cell, *tiles)
    )
    if len(cells) == 1:
        return inner
    ended: ir.Block = [] if found is None else [ir.If(found, [ir.Break()], [])]
    return ir.For(name, ir.ListExpr(cells), [inner, *ended])
