"""Finds the one line whose indentation is wrong, where the lines around it show the slip.

A line that is indented too far or not far enough often shows only further down, or as keys that
stand in the wrong place. So lines near the first problem are indented otherwise, one at a time.
Blame needs three things: the file must have no such problem any more; the lines must follow each
other more evenly then, or else the line must begin like its neighbours with a key that is unknown
where it stands; and every line that looks like a key must be one: what would become part of a text
above it is not meant so, unless the text goes on below it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from rulegame.codes import CODES, SPLIT_EXPRESSION, UNKNOWN_KEY, WRONG_KIND
from rulegame.diagnostics import Diagnostic, Edit, Span, Suggestion, few_suggestions
from rulegame.keys.ruleset import spaced_keys
from rulegame.source.nodes import Mapping, Node, Scalar
from rulegame.source.nodes import Sequence as SequenceNode
from rulegame.source.reading import read_text
from rulegame.source.structure import check_file

ABOVE: Final = 24  # lines above the first problem that may be its cause
AROUND: Final = 60  # lines on either side that show how lines follow each other
UNSHOWN: Final = 2
FAR: Final = 200  # lines of a text that are looked through for its beginning
WORK: Final = 600_000  # characters read again, in all attempts together
KEY: Final = re.compile(
    r"""\s*(?:-\ +)*(?:"[^"]*"|'[^']*'|[^\s\#"'\[\]{},&*!|>%@`-](?:[^:\#]|:(?=\S)|(?<=\S)\#)*)
        :(?:\s+(?P<value>\S.*))?$""",
    re.VERBOSE,
)
COMMENT: Final = re.compile(r"(^|\s)#.*")
TARGET: Final = re.compile(r"\bof\b|\bfor\b|\[")
ANCHOR: Final = re.compile(r"&\S+$")
BLOCK: Final = re.compile(r"(?:.*:\s+|\s*-\s+)?[|>][-+0-9]*\s*$")


class Blame(NamedTuple):
    """The problem with a line, and the text of the file with that line mended."""

    problem: Diagnostic
    text: str
    sure: bool  # the lines around it show it; else only the names in it do


class _Row(NamedTuple):
    """A line that begins with a key, or with an item of a list."""

    line: int
    indent: int
    opens: bool  # a key without a value: what is indented below is in it
    item: bool


class _Attempt(NamedTuple):
    line: int
    indent: int
    was: int


def blame(text: str, file: str, problems: Sequence[Diagnostic]) -> Blame | None:
    """The line whose indentation alone causes these problems of a file, if there is one."""
    errors = [p for p in problems if p.severity == "error"]
    if not errors or not any(_may_be(p) for p in errors[:3]):
        return None
    lines = text.split("\n")
    page = _Page(lines)
    work = 0
    found: list[tuple[int, int, _Attempt]] = []
    strangers = {p.span.line for p in errors if p.code == UNKNOWN_KEY and _may_be(p)}
    hollow = {p.span.line for p in errors if p.code in (WRONG_KIND, SPLIT_EXPRESSION)}
    for attempt in _attempts(lines, errors[0].span.line):
        doubt = page.doubt(attempt)
        if doubt is None or (doubt == UNSHOWN and attempt.line not in strangers):
            continue
        if attempt.line in hollow - strangers and page.opens(attempt.line):
            continue  # a key that may stand there: what it lacks is its value
        work += len(text)
        if work > WORK:
            break
        left = _left(_changed(lines, attempt), file, page.rows_after(attempt))
        if left is not None:
            found.append((left, doubt, attempt))
    if not found:
        return None
    _, doubt, best = min(found, key=lambda one: (*one[:2], *_unlikely(one[2], lines)))
    return Blame(_diagnostic(best, lines, file), _changed(lines, best), doubt < UNSHOWN)


def _may_be(problem: Diagnostic) -> bool:
    if problem.code == UNKNOWN_KEY:
        return not problem.suggestions
    return CODES[problem.code].by_indentation


def _attempts(lines: Sequence[str], last: int) -> Iterator[_Attempt]:
    """Each line near the problem with every other indentation that its surroundings have."""
    first = max(1, last - ABOVE)
    near = [_indent(text) for text in lines[max(0, first - 8) : last + 4] if text.strip()]
    levels = sorted({*near, *(level + 2 for level in near)})
    for number in range(min(last, len(lines)), first - 1, -1):
        text = lines[number - 1]
        if text.strip() and not text.lstrip().startswith("#"):
            was = _indent(text)
            for level in levels:
                if level != was and abs(level - was) <= 4:
                    yield _Attempt(number, level, was)


class _Page:
    """How the lines of a file follow each other, as they are written."""

    def __init__(self, lines: Sequence[str]) -> None:
        self._lines = lines
        self._rows = list(_rows(lines))
        self._at = {row.line: k for k, row in enumerate(self._rows)}
        steps = Counter(
            below.indent - row.indent
            for row, below in pairwise(self._rows)
            if row.opens and below.indent > row.indent
        )
        self._step = steps.most_common(1)[0][0] if steps else 2

    def rows_after(self, attempt: _Attempt) -> list[_Row]:
        """The lines around one that is indented otherwise; none where it is part of a text."""
        at = self._at.get(attempt.line)
        if at is None or self._is_in_text(attempt):
            return []
        around = self._rows[max(0, at - AROUND) : at + AROUND]
        if BLOCK.match(self._lines[attempt.line - 1]):  # its text is no longer one of keys
            first = around[0].line
            lines = list(self._lines[first - 1 : around[-1].line])
            lines[attempt.line - first] = (
                " " * attempt.indent + lines[attempt.line - first].lstrip()
            )
            return [row._replace(line=row.line + first - 1) for row in _rows(lines)]
        return [r._replace(indent=attempt.indent) if r.line == attempt.line else r for r in around]

    def opens(self, line: int) -> bool:
        """Whether a line is a key without a value."""
        return line in self._at and self._rows[self._at[line]].opens

    def doubt(self, attempt: _Attempt) -> int | None:
        """What speaks for an attempt: 0 if the lines follow each other more evenly then, 1 if it
        goes on with a text, `UNSHOWN` if there is only a line beside it; None if nothing does.
        """
        if self._is_evener(attempt):
            return 0
        if self._is_in_text(attempt):
            return 1
        return UNSHOWN if self._is_beside(attempt) else None

    def _is_evener(self, attempt: _Attempt) -> bool:
        """Whether fewer lines stand out; a line that begins with no key shows nothing."""
        after = self.rows_after(attempt)
        before = [r._replace(indent=attempt.was) if r.line == attempt.line else r for r in after]
        return bool(after) and self._uneven(after) < self._uneven(before)

    def _is_beside(self, attempt: _Attempt) -> bool:
        """Whether the line would stand right beside one with the same indentation."""
        at = self._at.get(attempt.line)
        if at is None or self.opens(attempt.line):
            return False
        beside = self._rows[max(0, at - 1) : at] + self._rows[at + 1 : at + 2]
        return any(row.indent == attempt.indent for row in beside)

    def _is_in_text(self, attempt: _Attempt) -> bool:
        """Whether the line would go on with a text of several lines, which goes on below it."""
        lines, at = self._lines, attempt.line - 1
        above = next(self._written(range(at - 1, max(-1, at - FAR), -1), attempt.indent), None)
        if above is None or not BLOCK.match(COMMENT.sub("", lines[above]).rstrip()):
            return False
        below = next(self._written(range(at + 1, min(len(lines), at + FAR))), at)
        block = _indent(lines[above])
        goes_on = below > at and _indent(lines[below]) > block
        if (key := KEY.match(lines[at])) and (not goes_on or _is_rule(key)):
            return False
        beside = [_indent(lines[k]) for k in (above + 1, at - 1, below) if k != at]
        return (goes_on or attempt.was > block) and attempt.indent in beside

    def _written(self, numbers: Iterable[int], below: int = 1 << 30) -> Iterator[int]:
        """Lines with something in them that are indented less than that."""
        return (k for k in numbers if self._lines[k].strip() and _indent(self._lines[k]) < below)

    def _uneven(self, rows: Sequence[_Row]) -> int:
        """How many lines do not go on from those above them."""
        levels = [rows[0].indent]
        found = 0
        for above, row in pairwise(rows):
            if row.indent > above.indent:
                fits = above.item or (above.opens and row.indent == above.indent + self._step)
                found += not fits
                levels.append(row.indent)
                continue
            found += above.opens and not (row.item and row.indent == above.indent)
            while levels and levels[-1] > row.indent:
                levels.pop()
            if not levels or levels[-1] != row.indent:
                found += bool(levels)
                levels.append(row.indent)
        return found


def _rows(lines: Sequence[str]) -> Iterator[_Row]:
    """The lines that begin with a key or an item, without what stands in a text of several lines
    or in brackets.
    """
    block = -1  # the indentation of the line that begins a text
    inner = 0  # the indentation of that text
    depth = 0  # of brackets that are open
    for number, line in enumerate(lines, 1):
        text = COMMENT.sub("", line).rstrip()
        indent = _indent(line)
        if not text:
            continue
        if block >= 0 and indent >= (inner or block + 1):
            inner = inner or indent
            continue
        block, inner = -1, 0
        inside, depth = depth > 0, max(0, depth + _brackets(text))
        key = KEY.match(text)
        item = text.lstrip().startswith("- ") or text.strip() == "-"
        if not inside and (key or item):
            value = key["value"] if key else ""
            opens = bool(key) and not (value and not ANCHOR.match(value))
            yield _Row(number, indent, opens, item)
        if BLOCK.match(text):
            block = indent


def _is_rule(key: re.Match[str]) -> bool:
    """Whether a line with a ':' is more than a line of a text that has one."""
    name = key[0].strip().partition(":")[0]
    if " " in name:
        return name in spaced_keys() or bool(TARGET.search(name))
    return not key["value"] or not name[:1].isupper()


def _brackets(text: str) -> int:
    """How many brackets a line leaves open."""
    bare = re.sub(r"\"[^\"]*\"|'[^']*'", "", text)
    return sum(bare.count(c) for c in "[{") - sum(bare.count(c) for c in "]}")


def _changed(lines: Sequence[str], attempt: _Attempt) -> str:
    text = " " * attempt.indent + lines[attempt.line - 1].lstrip(" ")
    return "\n".join([*lines[: attempt.line - 1], text, *lines[attempt.line :]])


@few_suggestions(100_000)  # of its own: the file's are for what is reported
def _left(text: str, file: str, rows: Sequence[_Row]) -> int | None:
    """How many problems are left, if indentation causes none of them and each of these lines
    begins with what it looks like.
    """
    root, problems = read_text(text, file)
    if root is None or problems:
        return None
    problems = check_file(root, file)
    starts = set(_starts(root))
    if any(map(_may_be, problems)) or any(
        (row.line, row.indent + 1) not in starts for row in rows if not row.item
    ):
        return None
    return len(problems)


def _starts(node: Node) -> Iterator[tuple[int, int]]:
    """Line and column of every key."""
    if isinstance(node, Mapping):
        for key, value in node:
            yield key.span.line, key.span.column
            yield from _starts(value)
    elif isinstance(node, SequenceNode):
        for item in node.items:
            yield from _starts(item)
    else:
        assert isinstance(node, Scalar)


def _unlikely(attempt: _Attempt, lines: Sequence[str]) -> tuple[int, int, int]:
    """The likeliest slip leaves every level two spaces deeper than the one above it, and is small;
    of two lines it is the one above.
    """
    first = max(0, attempt.line - ABOVE)
    changed = [*lines[first : attempt.line + 8]]
    changed[attempt.line - 1 - first] = " " * attempt.indent + "x"
    levels = [_indent(text) for text in changed if text.strip()]
    steps = [after - before for before, after in pairwise(levels)]
    uneven = sum(step > 0 and step != 2 for step in steps) + sum(n % 2 for n in levels)
    return uneven, abs(attempt.indent - attempt.was), attempt.line


def _diagnostic(attempt: _Attempt, lines: Sequence[str], file: str) -> Diagnostic:
    text = lines[attempt.line - 1]
    span = Span(file, attempt.line, attempt.was + 1, attempt.line, len(text) + 1, text)
    message = "this line is indented differently from the lines around it"
    blanks = Edit(span._replace(column=1, end_column=attempt.was + 1), " " * attempt.indent)
    hint = f"indent it by {attempt.indent}, not {attempt.was}"
    suggestion = Suggestion(blanks.text, (blanks,))
    return Diagnostic("E104", message, span, hint, suggestions=(suggestion,))


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))
