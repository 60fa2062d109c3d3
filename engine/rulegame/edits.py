"""Edits of a file: how another text is written in place of a part of it, in the style that stands
there. An edit is exactly right, or there is none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from rulegame.diagnostics import Edit, Hint, Passage, Span, Suggestion

BREAK: Final = re.compile("(?:\r\n|[\r\n\x85])")
# Patterns that only wrong files need: they are compiled when they are.
NOT_PLAIN: Final = r":(?:\s|$)|\s#|^\s|\s$|\n|^(?:~|null|Null|NULL|)$"
NOT_IN_BRACKETS: Final = r"[,\[\]{}]|:$"
BEGINS: Final = r"[\w(.]"
HARMLESS: Final = r"[\w.()+*/<>=]+"  # what a value without quotation marks can hold
REPLACED: Final = "\ufffd"  # stands for a character that no file may have


def offered(
    passage: Passage, hint: Hint | str, start: int = 0, end: int | None = None
) -> tuple[Suggestion, ...]:
    """What a hint offers in place of a text, or of a stretch of it."""
    if isinstance(hint, str):
        return ()
    stop = len(passage.text) if end is None else end
    return tuple(
        Suggestion(right, written(passage, start, stop, right), hint.certain)
        for right in hint.offers
    )


def written(passage: Passage, start: int, end: int, right: str) -> tuple[Edit, ...]:
    """The edit that makes a stretch of a text another one; a list is replaced as a whole."""
    span = passage.at(start, end)
    if passage.style == "[":
        is_value = re.fullmatch(HARMLESS, right) or right.startswith('"')
        return in_place_of(passage.span, right)[0].edits if is_value else ()
    if start >= end or "\n" in right or not _stands_there(span, passage.text[start:end]):
        return ()
    match passage.style:
        case "'":
            return (Edit(span, right.replace("'", "''")),)
        case '"':
            return (Edit(span, right.replace("\\", "\\\\").replace('"', '\\"')),)
        case "|" | ">":
            return (Edit(span, right),) if right.strip() == right != "" else ()
        case "plain" | "flow":
            return _in_plain(passage, start, end, right)
    return ()


def _in_plain(passage: Passage, start: int, end: int, right: str) -> tuple[Edit, ...]:
    """In a text without quotation marks; it gets some if it cannot do without them any more."""
    span = passage.at(start, end)
    if passage.places:
        return (Edit(span, right),) if re.fullmatch(HARMLESS, right) and start else ()
    whole = passage.text[:start] + right + passage.text[end:]
    wants_marks = (
        (start == 0 and not re.match(BEGINS, right))
        or re.search(NOT_PLAIN, whole)
        or (passage.style == "flow" and re.search(NOT_IN_BRACKETS, whole))
    )
    if not wants_marks:
        return (Edit(span, right),)
    return (Edit(passage.span, quoted(whole)),) if whole and REPLACED not in whole else ()


def in_place_of(span: Span, right: str) -> tuple[Suggestion, ...]:
    """The suggestion to write something in place of a part of a line as it stands in the file."""
    fits = span.column < span.end_column and _stands_there(span, source_text(span))
    return (Suggestion(right, (Edit(span, right),) if fits and REPLACED not in right else ()),)


def _stands_there(span: Span, text: str) -> bool:
    """Whether a line of a file has that text at a place: an option of a call is no file, and what
    has escapes or several lines is not written as it reads.
    """
    return (
        not span.is_option
        and span.end_line == span.line
        and span.source[span.column - 1 : span.end_column - 1] == text
    )


def source_text(span: Span) -> str:
    """What stands in the file there; only the first line of it, if there are several."""
    if span.end_line > span.line:
        return span.source[span.column - 1 :].rstrip() + " …"
    return span.source[span.column - 1 : span.end_column - 1]


def behind(span: Span) -> Span:
    """The place behind a stretch of a line, where something is put in."""
    return span._replace(column=span.end_column)


def quoted(text: str) -> str:
    """A text in quotation marks."""
    if '"' in text or "\\" in text:
        return "'" + text.replace("'", "''") + "'"
    return f'"{text}"'


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text of one file after its edits."""
    mark = "\ufeff" if text.startswith("\ufeff") else ""  # which no place counts
    text = text.removeprefix(mark)
    starts = [0, *(found.end() for found in BREAK.finditer(text))]
    placed = {(*_offsets(starts, edit.span), edit.text) for edit in edits}
    for start, end, new in sorted(placed, reverse=True):
        text = text[:start] + new + text[end:]
    return mark + text


def _offsets(starts: list[int], span: Span) -> tuple[int, int]:
    return (
        starts[span.line - 1] + span.column - 1,
        starts[span.end_line - 1] + span.end_column - 1,
    )
