"""Expressions and texts that YAML has split at a comma, or read as a mapping."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rulegame.diagnostics import Diagnostic, Span, Suggestion, nearest
from rulegame.edits import in_place_of, quoted, source_text
from rulegame.keys.kinds import scalar_of
from rulegame.keys.ruleset import Place
from rulegame.keys.values import EXPRESSION
from rulegame.source.nodes import Entry, Mapping, Node, Scalar, Sequence
from rulegame.source.phrases import (
    NodePlace,
    inside,
    instead,
    is_empty,
    is_plain_text,
    listed,
    shown,
)

OPERATORS: Final = re.compile(r"[()<>=+*/]")  # what no key has
MOST_PIECES: Final = 20  # of one expression at its commas; more are not looked for
SPLIT: Final = "YAML splits this: inside {…} and […], a comma ends a value"


def rows(node: Mapping | Sequence) -> list[tuple[Node, ...]]:
    """The keys with their values, or the items."""
    if isinstance(node, Sequence):
        return [(item,) for item in node.items]
    return [(entry.key, entry.value) for entry in node.entries.values()]


def closing(rows: list[tuple[Node, ...]], start: int) -> int:
    """The row in which a parenthesis closes that the row `start` has left open, or `start`."""
    last = rows[start][-1]
    depth = _open_parentheses(rows[start][0] if is_empty(last) else last)
    for k in range(start + 1, min(start + MOST_PIECES, len(rows))):
        if depth <= 0 or not isinstance(rows[k][0], Scalar):
            return start
        depth += _open_parentheses(rows[k][0])
        if depth <= 0:
            return k
        if not is_empty(rows[k][-1]) and len(rows[k]) > 1:
            return start
    return start


def _open_parentheses(node: Node) -> int:
    if not isinstance(node, Scalar) or node.quoted:
        return 0
    return node.text.count("(") - node.text.count(")")


def is_piece(entry: Entry, node: Mapping, known: list[str]) -> bool:
    """Whether an unknown key is more likely a piece of an expression, or of a text with a comma."""
    if not is_empty(entry.value) or entry.key.quoted:
        return False
    if OPERATORS.search(entry.key.text):
        return True
    return nearest(entry.key.text, known) is None and (node.flow or " " in entry.key.text)


def runs(entries: list[Entry], pieces: set[int], flow: bool) -> Iterator[tuple[Entry, Entry]]:
    """First and last of the pieces that follow each other, with the entry that they were torn
    from.
    """
    runs: list[list[Entry]] = []
    before: Entry | None = None
    for entry in entries:
        if id(entry) not in pieces:
            before = entry
        elif before is None and runs:
            runs[-1].append(entry)
        else:
            led = flow and before is not None and is_plain_text(before.value)
            runs.append([before, entry] if led and before is not None else [entry])
            before = None
    return ((run[0], run[-1]) for run in runs)


def split(first: tuple[Node, ...], last: tuple[Node, ...]) -> Diagnostic:
    start = first[0] if is_empty(first[-1]) else first[-1]
    end = last[-1] if len(last) == 1 else last[0]
    span = Span(
        start.span.file,
        start.span.line,
        start.span.column,
        end.span.end_line,
        end.span.end_column,
        start.span.source,
    )
    what = "expression" if OPERATORS.search(source_text(span)) else "text"
    right = written = quoted(source_text(span))
    if len(first) == 2 and start is first[1] and isinstance(first[0], Scalar):
        written = f"{shown(first[0].text)}: {written}"
    message, suggestions = SPLIT, in_place_of(span, right)
    if first is last or start is end:  # which quotation marks alone would not change
        message, suggestions = "YAML reads this as a key without a value", (Suggestion(right),)
    hint = f"quote this {what}: {written}"
    return Diagnostic("E205", message, span, hint, suggestions=suggestions)


def split_mapping(place: NodePlace, node: Mapping, declared: Place) -> Diagnostic:
    """A mapping none of whose keys is known or has a value: `{a > 0}`."""
    message = f"YAML reads this as a mapping: {place.name} is {declared.kind.title}"
    text = inside(node)
    scalar = scalar_of(declared.kind)
    takes_text = scalar is not None and "string" in scalar.types
    suggestions: tuple[Suggestion, ...] = ()
    if takes_text and len(node.entries) > 1 and not OPERATORS.search(text):
        hint = f"write a list: {place.with_value(f'[{text}]')}"
        suggestions = listed(node, text)
    elif takes_text:
        hint = f"quote this expression: {place.with_value(quoted(text))}"
        suggestions = instead(node, quoted(text))
    else:
        kinds = ((key.name, scalar_of(key.value)) for key in declared.keys)
        first = next((n for n, kind in kinds if kind and kind.title == EXPRESSION.title), None)
        hint = f"quote this expression: {first + ': ' if first else ''}{quoted(text)}"
    return Diagnostic("E205", message, node.span, hint, suggestions=suggestions)
