"""What can be told of the lists that a function of the rules makes, from its text."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator


def different_lists(definition: ast.FunctionDef) -> frozenset[str]:
    """The names of lists that are certain to have no element twice: each is begun once, and added
    to at one place, at most once in a round of one loop over numbers that follow one another.

        found = []
        for v in range(a, b):
            if …:
                found.append(v)
    """
    begun: Counter[str] = Counter()
    added: Counter[str] = Counter()
    for node in ast.walk(definition):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                begun[name] += 1
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))):
                added[name] += 1
    found = {name for block in _blocks(definition) for name in _filled_in(block)}
    return frozenset(name for name in found if begun[name] == added[name] == 1)


def _blocks(definition: ast.FunctionDef) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(definition):
        if isinstance(node, (ast.FunctionDef, ast.For, ast.While, ast.If)):
            yield node.body
        if isinstance(node, ast.If):
            yield node.orelse


def _filled_in(block: list[ast.stmt]) -> Iterator[str]:
    """The lists that are begun in a block and added to by a loop that stands in it, too."""
    begun: set[str] = set()
    for statement in block:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])):
                begun.add(name)
            case ast.For(
                target=ast.Name(id=one), iter=ast.Call(func=ast.Name(id="range" | "span"))
            ):
                if not _is_set(one, statement.body):
                    yield from (name for name in _added(one, statement.body) if name in begun)


def _is_set(name: str, body: list[ast.stmt]) -> bool:
    """Whether a name is given a value."""
    nodes = (node for statement in body for node in ast.walk(statement))
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store)
        for node in nodes
    )


def _added(one: str, body: list[ast.stmt]) -> Iterator[str]:
    """The lists that the name is added to, outside of loops within."""
    for statement in body:
        match statement:
            case ast.If():
                yield from _added(one, statement.body)
                yield from _added(one, statement.orelse)
            case ast.Expr(
                ast.Call(
                    func=ast.Attribute(value=ast.Name(id=name), attr="append"),
                    args=[ast.Name(id=added)],
                )
            ) if added == one:
                yield name
