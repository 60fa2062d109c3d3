"""The names in the `tests:` and `claims:` of a ruleset: parameters, operations, moves, values,
rules, words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rulegame.authoring.symbols import DeclaredNames, Kind, Occurrence
from rulegame.authoring.uses import occurrence
from rulegame.building.claims import FOR, blocks
from rulegame.source.nodes import Mapping, Node, Scalar, Sequence, items_of, mapping_of

_PART: Final = re.compile(r"\S+")
MOVERS: Final[tuple[Kind, ...]] = ("operation", "setup", "roll")  # what a move can begin with


def uses_in_tests(names: DeclaredNames, root: Mapping) -> Iterator[Occurrence]:
    """The names in all tests of a file, and in what its claims are for."""
    for _, node in mapping_of(root.get("tests")):
        if isinstance(node, Mapping):
            yield from _Names(names, node).uses()
    for block in blocks(root.get("claims")):
        yield from _Names(names, block.node).uses_in_claims()


class _Names:
    """The names in one test, or in claims that stand together."""

    def __init__(self, names: DeclaredNames, node: Mapping) -> None:
        self._names = names
        self._node = node

    def uses(self) -> Iterator[Occurrence]:
        expect = mapping_of(self._node.get("expect"))
        yield from self._keyed(self._node.get("set"), "parameter")
        yield from self._keyed(self._node.get("given"), "value")
        yield from self._keyed(expect.get("values"), "value")
        for key in ("enable", "disable"):
            for item in items_of(self._node.get(key)):
                yield from self._named(item, "operation")
        for item in (*items_of(self._node.get("play")), *items_of(expect.get("valid"))):
            yield from self._move(item)
        for key_node, rule in mapping_of(expect.get("invalid")):
            yield from self._move(key_node)
            yield from self._named(rule, "validity rule")
        yield from self._named(mapping_of(expect.get("outcome")).get("rule"), "end rule")
        yield from self._typed()
        yield from self._printed(expect.get("printed"))
        yield from self._words(self._node.get("rolls"))

    def uses_in_claims(self) -> Iterator[Occurrence]:
        yield from self._keyed(self._node.get(FOR), "parameter")

    def _named(self, node: Node | None, kind: Kind) -> Iterator[Occurrence]:
        if isinstance(node, Scalar):
            yield from occurrence(node.span, self._names.named(node.text, kind))

    def _keyed(self, node: Node | None, kind: Kind) -> Iterator[Occurrence]:
        for key, value in mapping_of(node):
            yield from self._named(key, kind)
            yield from self._words(value)

    def _words(self, node: Node | None) -> Iterator[Occurrence]:
        if isinstance(node, Scalar) and isinstance(node.value, str):
            yield from self._named(node, "word")
        for item in items_of(node):
            yield from self._words(item)

    def _move(self, node: Node, begins: tuple[Kind, ...] = MOVERS) -> Iterator[Occurrence]:
        """`paint 3 red`: an operation or a roll, and its choices, which may be words."""
        if not isinstance(node, Scalar):
            return
        for k, part in enumerate(_PART.finditer(node.text)):
            found = self._names.first(part[0], *begins) if k == 0 else ()
            found = found or self._names.named(part[0], "word")
            yield from occurrence(node.at(*part.span()), found)

    def _typed(self) -> Iterator[Occurrence]:
        """What people type may begin with the name of an operation."""
        typed = self._node.get("type")
        if isinstance(typed, Sequence):
            for item in typed.items:
                yield from self._move(item, ("operation", "setup"))

    def _printed(self, node: Node | None) -> Iterator[Occurrence]:
        """A move is printed as it is typed, at the end of a line, behind the prompt."""
        typed = self._node.get("type")
        moves = {
            item.text
            for listed in (self._node.get("play"), typed)
            for item in items_of(listed)
            if isinstance(item, Scalar)
        }
        for line in items_of(node) or (node,):
            if isinstance(line, Scalar):
                yield from self._echoes(line, moves)

    def _echoes(self, node: Scalar, moves: set[str]) -> Iterator[Occurrence]:
        for move in sorted(moves):
            name = move.split(" ", 1)[0]
            operation = self._names.first(name, "operation", "setup")
            if not operation:
                continue
            for found in re.finditer(rf"(?<=[ :?>]){re.escape(move)}[ \t]*$", node.text, re.M):
                yield from occurrence(node.at(found.start(), found.start() + len(name)), operation)
