"""Finds the one line whose indentation is wrong, where that explains everything else.

A line that is indented too far or not far enough shows only further down, or as keys that stand in
the wrong place. So lines near the first problem are indented otherwise, one at a time: if the file
as it is written has no problem any more, that line is the one to look at.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from rulegame.diagnostics import Diagnostic, Span
from rulegame.reading import read_text
from rulegame.structure import check_file

CODES: Final = frozenset(["E104", "E105", "E201", "E202", "E203", "E204", "E205"])
STEP: Final = 2  # spaces of a level
ABOVE: Final = 16  # lines above the first problem that may be its cause
WORK: Final = 1_500_000  # characters read again, in all attempts together


class _Attempt(NamedTuple):
    line: int
    indent: int
    was: int


def blame(text: str, file: str, problems: Sequence[Diagnostic]) -> Diagnostic | None:
    """The line whose indentation alone causes all these problems of a file, if there is one."""
    errors = [p for p in problems if p.severity == "error"]
    if not errors or not any(_may_be(p) for p in errors[:3]):
        return None
    lines = text.split("\n")
    work = 0
    found: list[_Attempt] = []
    for attempt in _attempts(lines, errors[0].span.line):
        work += len(text)
        if work > WORK:
            break
        if _is_sound(_changed(lines, attempt), file):
            found.append(attempt)
    if not found:
        return None
    return _diagnostic(min(found, key=lambda attempt: _unlikely(attempt, lines)), lines, file)


def _may_be(problem: Diagnostic) -> bool:
    if problem.code == "E201":
        return not problem.hint.startswith("did you mean")
    return problem.code in CODES


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


def _changed(lines: Sequence[str], attempt: _Attempt) -> str:
    text = " " * attempt.indent + lines[attempt.line - 1].lstrip(" ")
    return "\n".join([*lines[: attempt.line - 1], text, *lines[attempt.line :]])


def _is_sound(text: str, file: str) -> bool:
    root, problems = read_text(text, file)
    return root is not None and not problems and not check_file(root, file)


def _unlikely(attempt: _Attempt, lines: Sequence[str]) -> tuple[int, int, int]:
    """The likeliest slip leaves every level two spaces deeper than the one above it, and is small;
    of two lines it is the one above.
    """
    first = max(0, attempt.line - ABOVE)
    changed = [*lines[first : attempt.line + 8]]
    changed[attempt.line - 1 - first] = " " * attempt.indent + "x"
    levels = [_indent(text) for text in changed if text.strip()]
    steps = [after - before for before, after in pairwise(levels)]
    uneven = sum(step > 0 and step != STEP for step in steps) + sum(n % STEP for n in levels)
    return uneven, abs(attempt.indent - attempt.was), attempt.line


def _diagnostic(attempt: _Attempt, lines: Sequence[str], file: str) -> Diagnostic:
    text = lines[attempt.line - 1]
    span = Span(file, attempt.line, attempt.was + 1, attempt.line, len(text) + 1, text)
    message = "the indentation of this line does not fit the lines around it"
    return Diagnostic("E104", message, span, f"indent it by {attempt.indent}, not {attempt.was}")


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" "))
