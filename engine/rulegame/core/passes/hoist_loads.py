"""Loads cells that rules read in the loops over choices once, before the loops."""

from __future__ import annotations

from collections.abc import Iterator

from rulegame.core import ir
from rulegame.core.analysis import reads
from rulegame.core.rewriting import rewritten


def hoist_loads(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function with the loads of loops before them."""
    begin = next((k for k, s in enumerate(function.body) if isinstance(s, ir.NewOffers)), None)
    if begin is None:
        return function
    loaded: dict[ir.Load, ir.Local] = {}
    for loop in _choices(function.body[begin:]):
        for node in ir.walk(*loop.body):
            if isinstance(node, ir.Load) and _is_fixed(node) and node not in loaded:
                name = f"load{len(loaded) + 1}"
                loaded[node] = ir.Local(name).typed(node.type).at(node.source)
    if not loaded:
        return function

    def change(node: ir.Node) -> ir.Node:
        return loaded.get(node, node) if isinstance(node, ir.Load) and _is_fixed(node) else node

    loads: ir.Block = [ir.Assign(local.name, load) for load, local in loaded.items()]
    body = [*function.body[:begin], *loads, *rewritten(function.body[begin:], change)]
    return function.replace(body=body)


def _choices(block: ir.Block) -> Iterator[ir.For]:
    """The outermost loops over choices."""
    for s in block:
        if any(isinstance(inner, ir.Offer) for inner in ir.statements(s)):
            if isinstance(s, ir.For):
                yield s
            else:
                for inner in ir.blocks(s):
                    yield from _choices(inner)


def _is_fixed(load: ir.Load) -> bool:
    """Whether a cell is the same everywhere in the function, and certainly one of the state."""
    if load.state != "s":
        return False
    simple = all(isinstance(n, (ir.Const, ir.Local, ir.Op)) for n in ir.walk(load.offset))
    return simple and reads(load.offset) <= {"me"}
