"""Diagnostics: what is wrong with a ruleset, and where, as values.

Every stage returns these; only reporters turn them into text. Imports nothing but the limits.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Literal, NamedTuple

from rulegame.limits import LIMITS

Severity = Literal["error", "warning"]


class Span(NamedTuple):
    """A stretch of a source file; lines and columns count from 1, and the end column
    is exclusive.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    source: str = ""  # the text of the first line, for the caret

    @staticmethod
    def whole(file: str) -> Span:
        """The place for what concerns a file as a whole."""
        return Span(file, 1, 1, 1, 1)


class Passage(NamedTuple):
    """A text of a file that knows where each of its letters stands: `places` has the line, the
    column and the source line of each, unless the text is a single plain line.
    """

    span: Span
    text: str
    places: tuple[tuple[int, int, str], ...] = ()

    @property
    def written(self) -> str:
        """The text as its author wrote it, on one line."""
        return " ".join(self.text.split())

    def at(self, start: int, end: int) -> Span:
        """The span of `text[start:end]` in the file."""
        file, line, column, _, _, source = self.span
        if not self.places:
            first = column + min(start, len(self.text))
            last = column + min(max(end, start), len(self.text))
            return Span(file, line, first, line, last, source)
        line, column, source = self.places[min(start, len(self.places) - 1)]
        end_line, end_column, _ = self.places[min(max(end - 1, start), len(self.places) - 1)]
        return Span(file, line, column, end_line, end_column + 1, source)


class Related(NamedTuple):
    """Another place that explains a diagnostic."""

    message: str
    span: Span


class Diagnostic(NamedTuple):
    """One problem: its code has a page in docs/errors/."""

    code: str
    message: str
    span: Span
    hint: str = ""
    severity: Severity = "error"
    related: tuple[Related, ...] = ()

    def __str__(self) -> str:
        place = f"{self.span.file}:{self.span.line}:{self.span.column}"
        return f"{place}: {self.severity}[{self.code}] {self.message}"


class RulesetError(Exception):
    """A ruleset cannot be used; `diagnostics` says why."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__("\n".join(str(d) for d in self.diagnostics))


class RulesetNotFound(RulesetError, FileNotFoundError):
    """There is no ruleset of that name, and no such file."""

    def __str__(self) -> str:
        return self.diagnostics[0].message


def in_file_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Each diagnostic once, by file (in order of first mention), line and column."""
    unique = list(dict.fromkeys(diagnostics))
    files = {file: k for k, file in enumerate(dict.fromkeys(d.span.file for d in unique))}
    return tuple(
        sorted(unique, key=lambda d: (files[d.span.file], d.span.line, d.span.column, d.code))
    )


class Problems(list[Diagnostic]):
    """What is wrong, while it is being collected: up to ten times as much as is reported."""

    def append(self, problem: Diagnostic) -> None:
        """`TooManyProblems` if an error is one more than anybody wants to know."""
        super().append(problem)
        if len(self) >= 10 * LIMITS.problems and problem.severity == "error":
            raise TooManyProblems


class TooManyProblems(Exception):
    """There is no need to look for more."""


# How many letters may still be compared for suggestions; none is said outside of `few_suggestions`.
_LETTERS: ContextVar[list[int] | None] = ContextVar("letters", default=None)


@contextmanager
def few_suggestions(letters: int = LIMITS.suggestions) -> Iterator[None]:
    """Inside, suggestions end when so many letters have been compared: thousands of unknown names
    beside thousands of known ones would take minutes, and nobody reads so many.
    """
    token = _LETTERS.set([letters])
    try:
        yield
    finally:
        _LETTERS.reset(token)


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that `word` is most likely a misspelling of, if any is close."""
    left = _LETTERS.get() or [LIMITS.suggestions]
    if left[0] <= 0:
        return None
    wanted = word.lower()[: LIMITS.key_length]
    by_lower = {name.lower(): name for name in known if len(name) <= LIMITS.key_length}
    left[0] -= sum(map(len, by_lower)) + len(by_lower) * len(wanted)
    letters = sorted(wanted)
    for lower, name in by_lower.items():
        if len(lower) == len(letters) and sorted(lower) == letters:
            return name  # letters exchanged: in a short word nothing else is alike
    found = _most_alike(wanted, by_lower, left)
    return None if found is None else by_lower[found]


def _most_alike(word: str, known: Iterable[str], left: list[int]) -> str | None:
    """The name that is most like a word, if one is alike at all."""
    from difflib import SequenceMatcher  # costs start-up time, and most rulesets are right

    matcher = SequenceMatcher()
    matcher.set_seq2(word)
    best: tuple[float, str] = (0.6, "")
    for name in known:
        matcher.set_seq1(name)
        if matcher.real_quick_ratio() < best[0] or matcher.quick_ratio() < best[0]:
            continue
        best = max(best, (matcher.ratio(), name))
        left[0] -= len(word) * len(name)
        if left[0] <= 0:
            break
    return best[1] or None


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "expected one of") -> str:
    """A hint for an unknown name: the nearest known one, or all that there are."""
    names = list(known)
    close = nearest(word, names)
    if close is not None:
        return f"did you mean '{close}'?"
    if not names:
        return ""
    shown = names if len(names) <= 12 else [*names[:12], "…"]
    return f"{otherwise}: {', '.join(shown)}"


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether anything is worse than a warning."""
    return any(d.severity == "error" for d in diagnostics)
