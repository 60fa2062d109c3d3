"""Goes through lists that loops make without making them, and counts their elements.

A list is made before the first of its elements is visited. To do both at once must not move a
fault: so what makes the list has to be total, and must not see what the visits change.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import NamedTuple

from rulegame.core import ir
from rulegame.core.analysis import is_total, reads, sets
from rulegame.core.nests import put
from rulegame.core.rewriting import rewritten, with_children


def fuse_lists(function: ir.Function, module: ir.Module) -> ir.Function:
    """The function without lists that are only visited or counted."""
    names = (f"left{k}" for k in count(1))
    return function.replace(body=_Fusion(module.metered, names).block(function.body))


class _Made(NamedTuple):
    """A list that is made by loops."""

    name: str
    body: ir.Block  # the loops, and what is before them
    append: ir.Append  # the only one


class _Fusion:
    def __init__(self, metered: bool, names: Iterator[str]) -> None:
        self._metered = metered
        self._names = names

    def block(self, statements: ir.Block) -> ir.Block:
        done: ir.Block = []
        for statement in statements:
            s = with_children(statement, self._expression, self.block)
            if isinstance(s, ir.For):
                done += self._loop(s)
            else:
                done.append(s)
        return done

    def _expression(self, e: ir.Expr) -> ir.Expr:
        if not (e.__inside__ or e.__within__):
            return e
        e = with_children(e, self._expression, self.block)
        match e:
            case ir.Call(function="len", arguments=(items,)):
                made = self._made(items)
                return e if made is None else self._counted(made)
        return e

    def _made(self, items: ir.Expr) -> _Made | None:
        """How a list is made, if it makes no difference when."""
        match items:
            case ir.BlockExpr(
                body=body, value=ir.Call(function="list", arguments=(ir.Local(name),))
            ):
                pass
            case _:
                return None
        appends = [n for n in ir.walk(*body) if isinstance(n, ir.Append) and n.name == name]
        rest = [s for s in body if not (isinstance(s, ir.NewList) and s.name == name)]
        if len(appends) != 1 or len(rest) == len(body) or not is_total(body, self._metered):
            return None
        return _Made(name, rest, appends[0])

    def _loop(self, loop: ir.For) -> ir.Block:
        made = self._made(loop.collection)
        if made is None or sets(*loop.body) & (reads(*made.body) | sets(*made.body)):
            return [loop]
        value = made.append.value
        if isinstance(value, (ir.Const, ir.Local)) and loop.name not in sets(*loop.body):
            change = partial(_renamed, name=loop.name, to=value)
            return put(made.body, made.append, rewritten(loop.body, change), self._names)
        visit = [ir.Assign(loop.name, value), *loop.body]
        return put(made.body, made.append, visit, self._names)

    def _counted(self, made: _Made) -> ir.Expr:
        """The number of the elements."""
        count = ir.Local(made.name)
        more = ir.Assign(made.name, ir.Op("+", (count, ir.Const(1))))
        body = [
            ir.Assign(made.name, ir.Const(0)),
            *put(made.body, made.append, [more], self._names),
        ]
        return ir.BlockExpr(body, count)


def _renamed(node: ir.Node, name: str, to: ir.Const | ir.Local) -> ir.Node:
    return to if isinstance(node, ir.Local) and node.name == name else node
