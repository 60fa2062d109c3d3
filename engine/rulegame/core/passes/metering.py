"""Places the charges for steps. Lowering attaches the cost of each number to ranges whose size the
state decides: `span(low, high, cost)`. Where a move cannot spend its budget, they are not charged.
"""

from __future__ import annotations

from rulegame.core import ir
from rulegame.core.rewriting import rewritten


def place_charges(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function with charges only where a move may spend its budget."""
    if module.metered:
        return function
    return function.replace(body=rewritten(function.body, _uncharged))


def _uncharged(node: ir.Node) -> ir.Node:
    match node:
        case ir.Call(function="span", arguments=(low, high, _)):
            return ir.call("range", low, ir.add(high, ir.Const(1)))
    return node
