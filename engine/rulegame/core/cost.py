"""Estimates what expressions cost."""

from __future__ import annotations

from typing import Final

from rulegame.core import ir
from rulegame.core.intrinsics import HEAVY
from rulegame.language.types import List, Type, most_elements

UNKNOWN: Final = 10**6  # steps of a loop over a list of any length


def steps(*nodes: ir.Node) -> int:
    """About how many steps one evaluation takes."""
    total = 0
    for node in nodes:
        match node:
            case ir.Const() | ir.Local():
                continue
            case ir.For(collection=collection, body=body):
                total += steps(collection) + _elements(collection) * (1 + steps(*body))
            case ir.BlockExpr(body=body, value=value):
                total += steps(*body, value)
            case _:
                total += 1 + steps(*ir.children(node))
                if isinstance(node, ir.Slice):
                    total += node.size
                elif isinstance(node, ir.Call) and node.function in HEAVY:
                    total += _most(node.type)
    return total


def _elements(collection: ir.Expr) -> int:
    """The most elements that a loop goes through."""
    numbers = ir.constants_of(collection)
    if numbers is not None:
        return len(numbers)
    match collection:
        case ir.Slice(size=size):
            return size
        case ir.Call(function="list" | "through" | "different", arguments=(items, *_)):
            return _elements(items)
        case ir.Call(function="range" | "span", arguments=(low, high, *_)):
            return min(UNKNOWN, max(0, high.bounds[1] - low.bounds[0] + 1))
        case ir.Call(function="members", arguments=(_, *_)):
            return 64
    return _most(collection.type)


def _most(type_: Type | None) -> int:
    known = None if not isinstance(type_, List) else most_elements(type_)
    return UNKNOWN if known is None else known
