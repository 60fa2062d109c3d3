"""Located nodes: the values of a YAML file, each of which knows its file, line and column.

This module holds the values; `reading` makes them out of bytes, `variants` merges them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from rulegame.diagnostics import Span

Plain = None | bool | int | float | str


class Scalar(NamedTuple):
    """A scalar by the YAML 1.2 core schema: null, true, 12, 1.5 or text.

    `text` is the scalar as written (after unquoting), `quoted` tells whether it could only be text,
    and `places` has the place of each offset in `text` when it is not a single plain line.
    """

    span: Span
    value: Plain
    text: str
    quoted: bool = False
    places: tuple[tuple[int, int, str], ...] = ()  # line, column and source line of each offset

    def at(self, start: int, end: int) -> Span:
        """The span of `text[start:end]` in the file."""
        if not self.places:
            first = self.span.column + min(start, len(self.text))
            last = self.span.column + min(max(end, start), len(self.text))
            return Span(
                self.span.file, self.span.line, first, self.span.line, last, self.span.source
            )
        line, column, source = self.places[min(start, len(self.places) - 1)]
        end_line, end_column, _ = self.places[min(max(end - 1, start), len(self.places) - 1)]
        return Span(self.span.file, line, column, end_line, end_column + 1, source)


class Sequence(NamedTuple):
    """A YAML sequence."""

    span: Span
    items: tuple[Node, ...]
    flow: bool = False


class Entry(NamedTuple):
    """A key of a mapping with its value."""

    key: Scalar
    value: Node


@dataclass(frozen=True, slots=True)
class Mapping:
    """A YAML mapping: entries by the text of their key, in file order."""

    span: Span
    entries: dict[str, Entry] = field(default_factory=dict)
    flow: bool = False

    def get(self, name: str) -> Node | None:
        """The value of a key, or None if there is no such key."""
        entry = self.entries.get(name)
        return None if entry is None else entry.value

    def __iter__(self) -> Iterator[tuple[Scalar, Node]]:
        return ((entry.key, entry.value) for entry in self.entries.values())


Node = Scalar | Sequence | Mapping


def to_plain(node: Node) -> Any:
    """The node as ordinary dicts, lists and scalars, without positions."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Sequence):
        return [to_plain(item) for item in node.items]
    return {name: to_plain(entry.value) for name, entry in node.entries.items()}


def mapping_of(node: Node | None) -> Mapping:
    """The mapping, or an empty one where there is none."""
    return node if isinstance(node, Mapping) else _EMPTY


def items_of(node: Node | None) -> tuple[Node, ...]:
    """The items of a sequence; none where there is no sequence."""
    return node.items if isinstance(node, Sequence) else ()


def text_of(node: Node | None) -> str:
    """The text of a scalar; empty where there is none."""
    return node.text if isinstance(node, Scalar) and node.value is not None else ""


def written(node: Node | None) -> str:
    """An expression as its author wrote it, on one line."""
    if isinstance(node, Scalar):
        return " ".join(node.text.split())
    return f"[{', '.join(written(item) for item in items_of(node))}]" if node is not None else ""


def is_null(node: Node) -> bool:
    """Whether it is null, be it written or left empty."""
    return isinstance(node, Scalar) and node.value is None


_EMPTY: Final = Mapping(Span.whole(""))
