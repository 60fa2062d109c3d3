"""Located nodes: the values of a YAML file, each of which knows its file, line and column.

This module holds the values; `reading` makes them out of bytes, `inheritance` merges them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from rulegame.diagnostics import Passage, Span, Style

Plain = None | bool | int | float | str


class Scalar(NamedTuple):
    """A scalar by the YAML 1.2 core schema: null, true, 12, 1.5 or text.

    `text` is the scalar as written (after unquoting), and `places` has the place of each offset in
    it when it is not a single plain line.
    """

    span: Span
    value: Plain
    text: str
    style: Style = ""
    places: tuple[tuple[int, int, str], ...] = ()  # line, column and source line of each offset

    @property
    def passage(self) -> Passage:
        """The text alone, which knows where it stands."""
        return Passage(self.span, self.text, self.places, self.style)

    @property
    def quoted(self) -> bool:
        """Whether it could only be text."""
        return self.style in ("'", '"', "|", ">")

    def at(self, start: int, end: int) -> Span:
        """The span of `text[start:end]` in the file."""
        return self.passage.at(start, end)


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


def passage_of(node: Node) -> Passage:
    """What an expression is written as; a list is written in brackets."""
    if not isinstance(node, Scalar):
        items = ", ".join(passage_of(item).text for item in items_of(node))
        style: Style = "[" if isinstance(node, Sequence) and node.flow else ""
        return Passage(node.span, f"[{items}]", (), style)
    if isinstance(node.value, int):  # YAML knows more ways to write a number than expressions do
        return Passage(node.span, str(node.value).lower(), (), node.style)
    return node.passage


def written(node: Node | None) -> str:
    """An expression as its author wrote it, on one line."""
    return "" if node is None else passage_of(node).written


def is_null(node: Node) -> bool:
    """Whether it is null, be it written or left empty."""
    return isinstance(node, Scalar) and node.value is None


_EMPTY: Final = Mapping(Span.whole(""))
