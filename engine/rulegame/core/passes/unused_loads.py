"""Drops loads of cells that nothing reads afterwards: lowering loads the rolls of a turn at the
beginning of every function.
"""

from __future__ import annotations

from rulegame.core import ir


def drop_unused_loads(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function without unused loads outside of its inner blocks."""
    if _are_read(function):
        return function
    body: ir.Block = []
    read: set[str] = set()
    for statement in reversed(function.body):
        match statement:
            case ir.Assign(name=name, value=ir.Load()) if name not in read:
                continue
        body.append(statement)
        read.update(node.name for node in ir.walk(statement) if isinstance(node, ir.Local))
    return function.replace(body=body[::-1])


def _are_read(function: ir.Function) -> bool:
    """Whether all loaded names are read somewhere, and set once."""
    loaded = [
        s.name for s in function.body if isinstance(s, ir.Assign) and isinstance(s.value, ir.Load)
    ]
    unread = set(loaded)
    if len(unread) < len(loaded):
        return False
    for node in ir.walk(function):
        if isinstance(node, ir.Local):
            unread.discard(node.name)
            if not unread:
                break
    return not unread
