"""Diagnostics: what is wrong with a ruleset, and where, as values.

Every stage returns these; only reporters turn them into text. Imports nothing of the other stages.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, NamedTuple

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


def nearest(word: str, known: Iterable[str]) -> str | None:
    """The known name that `word` is most likely a misspelling of, if any is close."""
    from difflib import get_close_matches  # costs start-up time, and most rulesets are right

    candidates = list(known)
    by_lower = {name.lower(): name for name in candidates}
    letters = sorted(word.lower())
    for lower, name in by_lower.items():
        if sorted(lower) == letters:  # letters exchanged: in a short word nothing else is alike
            return name
    found = get_close_matches(word.lower(), by_lower, n=1, cutoff=0.6)
    return by_lower[found[0]] if found else None


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
