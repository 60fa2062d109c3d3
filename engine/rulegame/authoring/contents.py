"""The table of contents of a ruleset's file: its sections and what each of them has, in order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from rulegame.authoring.study import Study
from rulegame.authoring.symbols import Declaration
from rulegame.diagnostics import Span
from rulegame.source.nodes import Entry, Mapping, Scalar

INNER: Final = ("choose", "let", "roll", "steps", "each player")  # their entries have headings
NOT_LISTED: Final = ("word", "argument")


class Heading(NamedTuple):
    """A key with all that belongs to it."""

    name: str
    kind: str  # of a symbol; "section", or "entry" of a section that declares no names
    detail: str
    key: Span
    whole: Span
    inner: tuple[Heading, ...]


def contents(checked: Study) -> tuple[Heading, ...]:
    """The sections of the ruleset's own file."""
    file = checked.outline.file
    found = _Contents(checked)
    return tuple(found.section(e) for e in file.root.entries.values() if not _is_line(e))


def _is_line(entry: Entry) -> bool:
    """`title: …`, a key with a plain value."""
    return isinstance(entry.value, Scalar)


class _Contents:
    def __init__(self, checked: Study) -> None:
        self._study = checked
        self._declared: dict[int, list[Declaration]] = {}  # by their lines
        own = checked.outline.file.shown_as
        for each in checked.outline.names.declared.values():
            for one in each:
                if one.span.file == own and one.symbol.kind not in NOT_LISTED:
                    self._declared.setdefault(one.span.line, []).append(one)

    def section(self, entry: Entry) -> Heading:
        return _heading(entry, "section", "", tuple(self._entries(entry.value, every=True)))

    def _entries(self, node: object, every: bool) -> Iterator[Heading]:
        """What a section or an entry has; `every` key of a section is listed."""
        for entry in node.entries.values() if isinstance(node, Mapping) else ():
            declared = self._declaration(entry.key.span)
            if declared is not None:
                symbol = declared.symbol
                inner = tuple(self._entries(entry.value, every=False))
                detail = self._study.type_of(symbol) or symbol.kind
                yield _heading(entry, symbol.kind, detail, inner)._replace(name=symbol.name)
            elif entry.key.text in INNER:
                yield from self._entries(entry.value, every=False)
            elif every:
                yield _heading(entry, "entry", "", ())

    def _declaration(self, key: Span) -> Declaration | None:
        here = self._declared.get(key.line, ())
        return next((d for d in here if key.column <= d.span.column < key.end_column), None)


def _heading(entry: Entry, kind: str, detail: str, inner: tuple[Heading, ...]) -> Heading:
    key, value = entry.key.span, entry.value.span
    whole = key
    if (value.file, value.line) >= (key.file, key.line):  # else it is an alias of what is above
        whole = key._replace(end_line=value.end_line, end_column=value.end_column)
    return Heading(entry.key.text, kind, detail, key, whole, inner)
