"""Every name in the expressions and texts of a file, with what it stands for."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final

from rulegame.authoring.scopes import Known, known_at, resolve, resolve_call
from rulegame.authoring.symbols import DeclaredNames, Kind, Occurrence, Symbol
from rulegame.building.context import expression_of
from rulegame.building.together import NAME as TOGETHER
from rulegame.diagnostics import Span
from rulegame.keys.moves import EFFECTS
from rulegame.keys.ruleset import ITEM, Path, place_at
from rulegame.keys.values import BEFORE_KEY
from rulegame.language import syntax
from rulegame.language.functions import FUNCTIONS
from rulegame.language.parsing import (
    SyntaxProblem,
    parse_target,
    parse_text,
    parse_type,
)
from rulegame.language.syntax import Expression, Place, free_names, name_place
from rulegame.language.templates import FOR_HEAD, Tag, split_template
from rulegame.source.nodes import Mapping, Node, Scalar, Sequence, items_of

_NAME: Final = r"([A-Za-z][A-Za-z0-9_]*)"
_LOOP: Final = r"for\s+([A-Za-z][A-Za-z0-9_]*)"


def uses(names: DeclaredNames, root: Mapping) -> Iterator[Occurrence]:
    """The names in all expressions and texts of a file; its tests are for `testing`."""
    walk = _Walk(names)
    for section, entry in root.entries.items():
        if section != "tests":
            yield from walk.node((section,), entry.value)


SECTIONS: Final[dict[str, Kind]] = {
    "parameters": "parameter",
    "types": "type",
    "define": "definition",
    "state": "value",
    "setup": "setup",
    "operations": "operation",
    "validity": "validity rule",
    "end": "end rule",
    "choose": "choice",
    "let": "value of a move",
    "roll": "roll",
    "steps": "step",
    "each player": "value",
}


def section_of(path: Path) -> tuple[Kind | None, str]:
    """What the entries of the mapping at a path declare, and whose they are."""
    if len(path) > 1 and path[0] in ("operations", "setup"):
        inner = path[-1] in ("choose", "let", "roll", "steps") and len(path) > 2
        return (SECTIONS[path[-1]] if inner else None), path[1]
    of_all = path[:2] == ("turn", "steps")
    return SECTIONS.get(path[-1] if path else ""), TOGETHER if of_all else ""


class _Walk:
    def __init__(self, names: DeclaredNames) -> None:
        self._names = names
        self._choices = {  # the choices of each operation
            operation.name: {c.name for c in names.of("choice", owner=operation.name)}
            for operation in names.of("operation", "setup")
        }
        self._all_choices = {c.name for c in names.of("choice")}

    def node(self, path: Path, node: Node) -> Iterator[Occurrence]:
        part = place_at(path)
        if part is None:
            return
        if part.is_expression and not isinstance(node, Mapping):
            yield from self.value(node, self._known(path, node))
        elif isinstance(node, Mapping):
            for key, entry in node.entries.items():
                if part.kind is EFFECTS:
                    yield from self.effect(entry.key, entry.value, known_at(self._names, path))
                else:
                    yield from self.node((*path, key), entry.value)
                if path[-2:] == ("show", "symbols"):
                    yield from self.value(entry.key, known_at(self._names, path))
            if path[:1] == ("validity",) and len(path) == 2:
                for listed in ("for", "instead of"):
                    yield from self._listed(node.get(listed), "operation", "setup")
        elif isinstance(node, Sequence):
            if path[0] == "types" and path[2:3] != ("lines",):
                return  # words, which declare themselves
            if path[0] == "types":
                yield from self.word(node)
                return
            if path == ("turn", "ask"):
                yield from self._listed(node, "choice")
            for item in node.items:
                yield from self.node((*path, ITEM), item)
        elif part.is_text:
            yield from self.text(node, known_at(self._names, path, text=True))
        elif part.is_type:
            yield from self._type(node, known_at(self._names, path))
        elif path[-1] == "indexed by" or (path[0] == "types" and path[2:] in ((), ("values",))):
            yield from self._index(node, known_at(self._names, path))
        elif path[-1] == "before" and part.key is BEFORE_KEY:
            yield from self._sibling(path, node)
        elif path[0] == "parameters":
            yield from self.word(node)
        elif path[0] == "stuck":
            yield from self.value(node, self._known(path, node))  # `stuck: lose`

    def _known(self, path: Path, node: Node) -> Known:
        """In a validity rule a choice is that of the operations that the rule is about."""
        known = known_at(self._names, path)
        if path[:1] != ("validity",):
            return known
        try:
            free = free_names(expression_of(node))
        except SyntaxProblem:
            return known
        named = free & self._all_choices
        able = {operation for operation, own in self._choices.items() if named <= own}
        if not able:
            return known
        about = {
            name: tuple(s for s in known.locals[name] if s.kind != "choice" or s.owner in able)
            for name in named & known.locals.keys()
        }
        return replace(known, locals={**known.locals, **about})

    def _listed(self, node: Node | None, *kinds: Kind) -> Iterator[Occurrence]:
        for item in items_of(node):
            if isinstance(item, Scalar):
                yield from occurrence(item.span, self._names.named(item.text, *kinds))

    def _sibling(self, path: Path, node: Scalar) -> Iterator[Occurrence]:
        """`before: subtract` names another entry of the same section."""
        kind, owner = section_of(path[:-2])
        if kind is not None:
            found = self._names.named(node.text, kind)
            yield from occurrence(node.span, tuple(s for s in found if s.owner == owner))

    def word(self, node: Node) -> Iterator[Occurrence]:
        """A value that is a word, or a list of them."""
        if isinstance(node, Scalar) and isinstance(node.value, str):
            yield from occurrence(node.span, self._names.named(node.text, "word"))
        for item in items_of(node):
            yield from self.word(item)

    def _type(self, node: Scalar, known: Known) -> Iterator[Occurrence]:
        """The bounds in `set of 1..most`, the board in `cell of board`; the words of a type declare
        themselves.
        """
        try:
            found = parse_type(node.passage)
        except SyntaxProblem:
            return
        if len(found.names) == 1:
            at = node.text.rindex(found.names[0])
            named = self._names.named(found.names[0], "type")
            yield from occurrence(node.at(at, at + len(found.names[0])), named)
        if found.board:
            at = node.text.rindex(found.board)
            board = self._names.named(found.board, "value")
            yield from occurrence(node.at(at, at + len(found.board)), board)
        for bound in (found.low, found.high):
            if bound is not None:
                yield from self.expression(bound, known)

    def _index(self, node: Scalar, known: Known) -> Iterator[Occurrence]:
        """A declared type, the cells of a board, or a range; the words of a type declare
        themselves.
        """
        found = self._names.named(node.text.strip(), "type")
        if found:
            yield from occurrence(node.span, found)
        elif "|" not in node.text and " of " in node.text:
            yield from self._type(node, known)
        elif "|" not in node.text:
            yield from self.value(node, known)

    # ---- expressions

    def value(self, node: Node, known: Known) -> Iterator[Occurrence]:
        with suppress(SyntaxProblem):
            yield from self.expression(expression_of(node), known)

    def effect(self, key: Scalar, value: Node, known: Known) -> Iterator[Occurrence]:
        """What is written, and its new value, which knows the loops of the target."""
        try:
            target = parse_target(key.passage)
        except SyntaxProblem:
            yield from self.value(value, known)
            return
        for loop in target.loops:
            known = yield from self._loop(loop, known)
        own = known.locals.get(target.to.name, ()) if isinstance(target.to, syntax.Name) else ()
        lets = tuple(symbol for symbol in own if symbol.kind == "value of a move")
        written = lets or self._names.named(target.to.name, "value")
        yield from occurrence(name_place(target.to).span, written)
        if isinstance(target.to, syntax.OfPlayer):
            yield from self.expression(target.to.player, known)
        for index in target.indices:
            yield from self.expression(index, known)
        yield from self.value(value, known)

    def expression(self, e: Expression, known: Known) -> Iterator[Occurrence]:
        match e:
            case syntax.Name():
                found = resolve(self._names, known, e.name, e.era)
                yield from occurrence(name_place(e).span, found)
            case syntax.Owned() | syntax.OfPlayer():
                yield from occurrence(name_place(e).span, self._players_value(e.name, known))
                if isinstance(e, syntax.OfPlayer):
                    yield from self.expression(e.player, known)
            case syntax.Call():
                yield from occurrence(name_place(e).span, resolve_call(self._names, e.name))
                for loop in e.loops:
                    known = yield from self._loop(loop, known)
                function = FUNCTIONS.get(e.name)
                board = function is not None and function.board
                for k, argument in enumerate(e.arguments):
                    if k == 0 and board and isinstance(argument, syntax.Name):
                        yield from self._board(argument, known)
                    else:
                        yield from self.expression(argument, known)
            case syntax.Let():
                yield from occurrence(e.place.group(_NAME).span, resolve_call(self._names, e.name))
                for binding in e.bindings:
                    yield from self.expression(binding.value, known)
                    place = binding.place.group(_NAME)
                    known = yield from _declared_here(place, binding.name, known)
                yield from self.expression(e.body, known)
            case _:
                for part in syntax.operands(e):
                    yield from self.expression(part, known)

    def _board(self, e: syntax.Name, known: Known) -> Iterator[Occurrence]:
        """A board that cells are asked of, which is known where its values are not."""
        found = resolve(self._names, known, e.name, e.era)
        yield from occurrence(name_place(e).span, found or self._names.named(e.name, "value"))

    def _players_value(self, name: str, known: Known) -> tuple[Symbol, ...]:
        if name == "name" and known.texts:
            return (Symbol("special", "name"),)
        chosen = tuple(s for s in known.locals.get(name, ()) if s.kind == "choice")  # by all
        return self._names.named(name, "value") or chosen

    def _loop(self, loop: syntax.Loop, known: Known) -> Generator[Occurrence, None, Known]:
        """Yields what stands in the loop's head, and returns what is known inside."""
        yield from self.expression(loop.collection, known)
        inner = known
        if loop.name:  # not of a condition alone
            inner = yield from _declared_here(loop.place.group(_LOOP), loop.name, known)
        if loop.condition is not None:
            yield from self.expression(loop.condition, inner)
        return inner

    # ---- texts

    def text(self, node: Scalar, known: Known) -> Iterator[Occurrence]:
        try:
            tags = [piece for piece in split_template(node.passage) if isinstance(piece, Tag)]
        except SyntaxProblem:
            return
        inside = [known]
        for tag in tags:
            start = tag.start
            if tag.keyword == "end":
                inside = inside[:-1] or [known]
                continue
            if tag.keyword == "else":
                continue
            inner = inside[-1]
            head = FOR_HEAD.match(node.text, tag.start, tag.end)
            if tag.keyword == "for" and head is not None:
                start = head.end()
                inner = yield from _declared_here(
                    Place(node.passage, *head.span(1)), head[1], inside[-1]
                )
            with suppress(SyntaxProblem):
                yield from self.expression(parse_text(node.passage, start, tag.end), inside[-1])
            if tag.keyword in ("if", "for"):
                inside.append(inner)


def _declared_here(place: Place, name: str, known: Known) -> Generator[Occurrence, None, Known]:
    """A loop's name is declared where it stands; returns what is known inside."""
    span = place.span
    symbol = Symbol("loop", name, f"{span.file}:{span.line}:{span.column}")
    yield Occurrence(span, (symbol,), declares=True)
    return known.with_local(symbol)


def occurrence(span: Span, symbols: tuple[Symbol, ...]) -> Iterator[Occurrence]:
    if symbols:
        yield Occurrence(span, symbols)
