"""The text of a file as it is meant, where one slip of the pen keeps it from being read: a line
without its ':' or without the blank after it, or one that is indented wrongly.

The slip is reported; with what it hides mended, everything else in the file is checked as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, Literal, NamedTuple

from rulegame.codes import CODES, EXPRESSIONS, NOT_YAML
from rulegame.diagnostics import Diagnostic, Span
from rulegame.edits import BREAK, apply_edits
from rulegame.source.reading import read_text
from rulegame.source.structure import check_file

MOST: Final = 8  # slips of one file
LETTERS: Final = 60_000  # a file that is longer is mended once: it is read again and again


class Mended(NamedTuple):
    """A slip, and the text without it; how the places in its line have moved."""

    problem: Diagnostic
    text: str
    column: int  # from here on in the new line …
    by: int  # … things stand so much further to the right than in the file
    cause: Literal["space", "colon", "indentation", "neighbours"]

    def explains(self, left: Iterable[Diagnostic]) -> bool:
        """Whether this was the slip, by the problems that are left without it. Indentation must
        leave nothing but problems in expressions, and the key of the line must be right; where
        only the neighbours of a line speak for another indentation, nothing at all.
        """
        if self.cause in ("space", "colon"):
            return True
        errors = [p for p in left if p.severity == "error"]
        if self.cause == "neighbours":
            return not errors
        place = self.problem.span
        colon = self.text.split("\n")[place.line - 1].find(":")
        return not any(
            CODES[p.code].group is not EXPRESSIONS
            or (p.span[:2] == (place.file, place.line) and p.span.column <= colon)
            for p in errors
        )

    def as_written(self, span: Span) -> Span:
        """A place in the new text as a place in the file."""
        line = self.problem.span.line
        if span.line != line:
            return span

        def moved(column: int) -> int:
            return max(1, column - self.by) if column >= self.column else column

        end = moved(span.end_column) if span.end_line == line else span.end_column
        source = self.problem.span.source if span.source else ""
        return span._replace(column=moved(span.column), end_column=end, source=source)


def mend(
    text: str, file: str, problems: Sequence[Diagnostic], blaming: bool = True
) -> Mended | None:
    """The slip that these problems come from, if there is one; without `blaming` indentation is
    not looked at.
    """
    if len(BREAK.findall(text)) != text.count("\n"):
        return None  # lines that end otherwise: nobody writes them by hand
    first = problems[0]
    simple = None
    if first.code == NOT_YAML and any(edit.text in (" ", ":") for edit in first.fix):
        simple = _with_colon(text, file, first)
        if simple is not None and _is_sound(simple.text, file):
            return simple
    if not blaming:
        return simple
    from rulegame.source.indentation import blame

    found = blame(text, file, problems)
    if found is None:
        return simple
    was = found.problem.span.column - 1
    line = found.text.split("\n")[found.problem.span.line - 1]
    by = len(line) - len(line.lstrip()) - was
    return Mended(found.problem, found.text, 1, by, "indentation" if found.sure else "neighbours")


def _is_sound(text: str, file: str) -> bool:
    root, problems = read_text(text, file)
    return root is not None and not problems and not check_file(root, file)


def _with_colon(text: str, file: str, problem: Diagnostic) -> Mended | None:
    """The text with what is missing in a line; None if that does not help."""
    (place, missing), number = problem.fix[0], problem.span.line
    lines = apply_edits(text, problem.fix).split("\n")
    unfinished = missing == ":" and not place.source[place.column - 1 :].strip()
    if unfinished and not _has_lines(lines, number):
        lines[number - 1] = ""  # a key that is being typed
        problem = problem._replace(suggestions=())
    changed = "\n".join(lines)
    _, left = read_text(changed, file)
    if any(p.code == NOT_YAML and p.span.line <= number for p in left):
        return None
    return Mended(problem, changed, place.column, 1, "space" if missing == " " else "colon")


def _has_lines(lines: Sequence[str], number: int) -> bool:
    """Whether the next line is indented further than that one."""
    here, *below = (line for line in lines[number - 1 : number + 50] if line.strip())
    return bool(below) and len(below[0]) - len(below[0].lstrip()) > len(here) - len(here.lstrip())
