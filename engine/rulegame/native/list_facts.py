"""Facts about the lists that a function of the rules makes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from rulegame.core import ir
from rulegame.native.lowering import assignments


def different_lists(body: ir.Block) -> frozenset[str]:
    """The names of lists that are certain to have no element twice: each is begun once, and added
    to at one place, at most once in a round of one loop over numbers that follow one another.

        found = []
        for v in range(a, b):
            if …:
                append v to found
    """
    nodes = list(ir.walk(*body))
    begun = assignments(body)
    added = Counter(node.name for node in nodes if isinstance(node, ir.Append))
    inner = [block for node in nodes if isinstance(node, ir.Stmt) for block in ir.blocks(node)]
    found = {name for block in (body, *inner) for name in _filled_in(block)}
    return frozenset(name for name in found if begun[name] == added[name] == 1)


def _filled_in(block: ir.Block) -> Iterator[str]:
    """The lists that are begun in a block and added to by a loop in it."""
    begun: set[str] = set()
    for statement in block:
        match statement:
            case ir.NewList(name=name):
                begun.add(name)
            case ir.For(name=one, collection=ir.Call(function="range" | "span"), body=body):
                if one not in assignments(body):
                    yield from (name for name in _added(one, body) if name in begun)


def _added(one: str, body: ir.Block) -> Iterator[str]:
    """The lists that the name is added to, outside of loops within."""
    for statement in body:
        match statement:
            case ir.If() | ir.Attempt():
                for block in ir.blocks(statement):
                    yield from _added(one, block)
            case ir.Append(name=name, value=ir.Local(name=added)) if added == one:
                yield name
