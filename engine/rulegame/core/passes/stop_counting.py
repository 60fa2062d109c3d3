"""Ends counts and sums as soon as they decide a comparison: `count(…) >= 3` needs no fourth."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count

from rulegame.core import ir
from rulegame.core.analysis import is_total
from rulegame.core.nests import put
from rulegame.core.rewriting import rewritten


def stop_counting(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function with counts that end early."""
    names = (f"enough{k}" for k in count(1))
    change = partial(_stopped, metered=module.metered, names=names)
    return function.replace(body=rewritten(function.body, change))


def _stopped(node: ir.Node, metered: bool, names: Iterator[str]) -> ir.Node:
    match node:
        case ir.Compare(
            operands=(ir.BlockExpr(body=body, value=ir.Local(name=name)) as tally, ir.Const(value)),
            relations=(relation,),
        ):
            enough = int(value) if relation in ("<", ">=") else int(value) + 1
            step = _step(body, name)
            if enough <= 0 or step is None or not is_total([tally], metered):
                return node
            reached = ir.compare(ir.Local(name), ">=", ir.Const(enough))
            stopping = [step, ir.If(reached, [ir.Break()], [])]
            stopped = tally.replace(body=put(body, step, stopping, names))
            return node.replace(operands=(stopped, node.operands[1]))
    return node


def _step(body: ir.Block, name: str) -> ir.Assign | None:
    """The only addition to a number that begins with 0 and never becomes less."""
    assigned = [n for n in ir.walk(*body) if isinstance(n, ir.Assign) and n.name == name]
    used = [n for n in ir.walk(*body) if isinstance(n, ir.Local) and n.name == name]
    match assigned:
        case [
            ir.Assign(value=ir.Const(value=0)),
            ir.Assign(value=ir.Op(operator="+", operands=(ir.Local(name=same), more))) as step,
        ] if same == name and more.bounds[0] >= 0 and len(used) == 1:
            return step
    return None
