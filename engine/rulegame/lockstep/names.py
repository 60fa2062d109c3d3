"""Which names of a generated function `lockstep` has to keep apart for states that take different
ways through it.

It carries out statements in the order in which they are written, those of all branches, each for
some of the states. So what a name was given in one branch can be overwritten by another branch
before it is read. Most names are read only where nothing can have come between; they are simply
overwritten, which is much faster.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence


def mixed_names(function: ast.FunctionDef) -> frozenset[str]:
    """The names of which some read may find what different statements have assigned."""
    reader = _Reader()
    reader.block(function.body)
    return frozenset(reader.mixed)


class _Reader:
    def __init__(self) -> None:
        self.mixed: set[str] = set()
        self._doubtful: set[str] = set()  # names whose last assignment may be another state's

    def block(self, statements: Sequence[ast.stmt]) -> None:
        for statement in statements:
            self._statement(statement)

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign(targets=[target], value=value):
                self._read(value, target)
                self._doubtful -= _names(target)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                self._read(value)
                self.mixed |= self._doubtful & {name}
            case ast.If(test=test, body=body, orelse=orelse):
                self._read(test)
                for branch in (body, orelse):
                    self._aside(branch)
            case ast.For(target=target, iter=collection, body=body):
                self._read(collection)
                self._doubtful |= _assigned(body)  # by the round before
                before = set(self._doubtful)
                self._doubtful -= _names(target)
                self.block(body)
                self._doubtful = before | _names(target)
            case _:
                self._read(statement)

    def _aside(self, branch: Sequence[ast.stmt]) -> None:
        """A branch that some take and others do not, who read what it has assigned no less."""
        before = set(self._doubtful)
        self.block(branch)
        self._doubtful = before | _assigned(branch)

    def _read(self, *parts: ast.AST) -> None:
        self.mixed |= self._doubtful & {
            node.id
            for part in parts
            for node in ast.walk(part)
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store)
        }


def _assigned(statements: Sequence[ast.stmt]) -> set[str]:
    """The names that statements overwrite. `x += 1` is none: it leaves the others' as it was."""
    found: set[str] = set()
    for statement in statements:
        for node in ast.walk(statement):
            if isinstance(node, ast.Assign):
                found |= _names(node.targets[0])
            elif isinstance(node, ast.For):
                found |= _names(node.target)
    return found


def _names(target: ast.expr) -> set[str]:
    nodes = ast.walk(target)
    return {n.id for n in nodes if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
