"""What can be folded in a ruleset: whatever is indented below a line, and comments. Told by the
lines alone, so that a file that cannot be read folds as well.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rulegame.edits import BREAK


class Fold(NamedTuple):
    """Lines, from 1, of which only the first is shown when it is folded."""

    first: int
    last: int
    comment: bool = False


class _Row(NamedTuple):
    number: int
    indent: int
    item: bool


def folds(text: str) -> list[Fold]:
    """All that can be folded, by their first lines."""
    lines = BREAK.split(text)
    return sorted([*_comments(lines), *_blocks(lines)])


def _comments(lines: list[str]) -> Iterator[Fold]:
    """Comments on several lines, one below the other."""
    first = 0
    for number, line in enumerate([*lines, ""], 1):
        if line.lstrip().startswith("#"):
            first = first or number
            continue
        if first and number - first > 1:
            yield Fold(first, number - 1, comment=True)
        first = 0


def _blocks(lines: list[str]) -> Iterator[Fold]:
    open_: list[_Row] = []
    last = 0  # the last line with something in it
    for row in _rows(lines):
        while open_ and not _is_inside(row, open_[-1]):
            closed = open_.pop()
            if last > closed.number:
                yield Fold(closed.number, last)
        open_.append(row)
        last = row.number
    yield from (Fold(row.number, last) for row in open_ if last > row.number)


def _rows(lines: list[str]) -> Iterator[_Row]:
    for number, line in enumerate(lines, 1):
        bare = line.lstrip(" \t")
        if bare and not bare.startswith("#"):
            is_item = bare == "-" or bare.startswith("- ")
            yield _Row(number, len(line) - len(bare), is_item)


def _is_inside(row: _Row, of: _Row) -> bool:
    """Whether a line belongs to another; the items of a list may stand below the key itself."""
    return row.indent > of.indent or (row.indent == of.indent and row.item and not of.item)
