"""Loads cells that rules read in the loops over choices once, before the loops."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulegame.core import ir
from rulegame.core.rewriting import rewritten
from rulegame.language.types import Int, bounds_of


def hoist_loads(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function with the loads of loops before them."""
    begin = next((k for k, s in enumerate(function.body) if isinstance(s, ir.NewOffers)), None)
    if begin is None:
        return function
    known = dict(_known(function.body[:begin], module))

    def fixed(load: ir.Load) -> bool:
        """Whether a cell is the same everywhere, and certainly one of the state."""
        cells = _range(load.offset, known) if load.state == "s" else None
        return cells is not None and cells[0] >= 0 and cells[1] < module.size

    loaded: dict[ir.Load, ir.Local] = {}
    for loop in _choices(function.body[begin:]):
        for node in ir.walk(*loop.body):
            if isinstance(node, ir.Load) and node not in loaded and fixed(node):
                name = f"load{len(loaded) + 1}"
                loaded[node] = ir.Local(name).typed(node.type).at(node.source)
    if not loaded:
        return function

    def change(node: ir.Node) -> ir.Node:
        return loaded.get(node, node) if isinstance(node, ir.Load) else node

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


def _known(block: ir.Block, module: ir.Module) -> Iterator[tuple[str, ir.Bounds]]:
    """The names under which cells are loaded whose bounds are certain."""
    for s in block:
        match s:
            case ir.Assign(name=name, value=ir.Load(state="s", offset=ir.Const(value=cell))):
                for value in module.values:
                    if cell in value.cells and value.low is not None and value.high is not None:
                        yield name, (value.low, value.high)


def _range(offset: ir.Expr, known: Mapping[str, ir.Bounds]) -> ir.Bounds | None:
    """The bounds of an offset that is the same everywhere in the function."""
    match offset:
        case ir.Const(value=int() as value):
            return value, value
        case ir.Local(name=name):
            return known.get(name)
        case ir.Op(operator="+" | "-" | "*" as operator, operands=(left, right)):
            one, other = _range(left, known), _range(right, known)
            if one is not None and other is not None:
                of = bounds_of(operator, (Int(*one), Int(*other)))
                return of.low, of.high
    return None
