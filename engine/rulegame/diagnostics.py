"""Diagnostics: what is wrong with a ruleset, and where, as values.

Every stage returns these; only reporters turn them into text. Imports nothing but the limits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, Literal, NamedTuple

from rulegame.limits import LIMITS

Severity = Literal["error", "warning"]
# How a text is written in YAML: "flow" is without quotation marks inside of brackets, "[" a list in
# brackets, and "" is what no file has as it stands.
Style = Literal["", "plain", "flow", "'", '"', "|", ">", "["]


class OptionName(str):
    """An option of a call, such as `--set target`, where a span has the name of a file."""

    __slots__ = ()


class AliasedFile(str):
    """The file of what an alias repeats: the same name, with the alias and its place."""

    alias: str
    place: Span


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

    @property
    def is_option(self) -> bool:
        """Whether it is in an option of a call, not in a file."""
        return isinstance(self.file, OptionName)

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
    style: Style = ""

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


class Edit(NamedTuple):
    """Another text for a stretch of a file."""

    span: Span
    text: str


class Suggestion(NamedTuple):
    """What to write in place of what is wrong, and the edits that together do so in the file. There
    are none where the file says it in such a way (with escapes, over several lines, in a call) that
    they could not be exactly right. It is not `certain` if it guesses at what was meant.
    """

    text: str
    edits: tuple[Edit, ...] = ()
    certain: bool = True

    @property
    def title(self) -> str:
        """What it does, in a line."""
        if not self.text:
            return "Take it out"
        return f"Indent by {len(self.text)}" if self.text.isspace() else f"Write '{self.text}'"


MISSING: Final = "…"  # in a hint: something that only the author can say


class Hint(NamedTuple):
    """What helps, in words, and the texts that it offers in place of what is wrong: several if
    someone has to choose. A single one is not `certain` if it guesses at what was meant.
    """

    words: str = ""
    offers: tuple[str, ...] = ()
    certain: bool = True

    def __bool__(self) -> bool:
        return bool(self.words)

    def __str__(self) -> str:
        return self.words


class Diagnostic(NamedTuple):
    """One problem: its code has a page in docs/errors/."""

    code: str
    message: str
    span: Span
    hint: str = ""
    severity: Severity = "error"
    related: tuple[Related, ...] = ()
    suggestions: tuple[Suggestion, ...] = ()

    @property
    def fix(self) -> tuple[Edit, ...]:
        """The edits that are certain to help; none where there is something to choose."""
        only = self.suggestions[0] if len(self.suggestions) == 1 else None
        return only.edits if only is not None and only.certain else ()

    @property
    def is_repeated(self) -> bool:
        """Whether it is about what an alias repeats."""
        return isinstance(self.span.file, AliasedFile)

    @property
    def in_one_line(self) -> str:
        """The message with its hint."""
        return f"{self.message}; {self.hint}" if self.hint else self.message

    def offers(self, text: str) -> bool:
        """Whether that is among what it suggests to write."""
        return any(suggestion.text == text for suggestion in self.suggestions)

    def __str__(self) -> str:
        place = f"{self.span.file}:{self.span.line}:{self.span.column}"
        return f"{place}: {self.severity}[{self.code}] {self.message}"


class PortableError(Exception):
    """An error that comes back from a pickle as it was, whatever its constructor asks for: those of
    worker processes arrive that way.
    """

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored_error, (type(self), self.args, self.__dict__)


def _restored_error(
    kind: type[PortableError], args: tuple[Any, ...], fields: dict[str, Any]
) -> PortableError:
    error = kind.__new__(kind)
    error.args = args
    error.__dict__.update(fields)
    return error


class RulesetError(PortableError):
    """A ruleset cannot be used; `diagnostics` says why."""

    def __init__(self, diagnostics: Iterable[Diagnostic]) -> None:
        self.diagnostics: tuple[Diagnostic, ...] = tuple(diagnostics)
        super().__init__("\n".join(str(d) for d in self.diagnostics))


class RulesetNotFound(RulesetError, FileNotFoundError):
    """There is no ruleset of that name, and no such file."""

    def __str__(self) -> str:
        return self.diagnostics[0].message


_ALLOWED: Final = r"(?:^|\s)#\s*allow((?:[\s,]+E[0-9]{3})+)\s*$"


def is_allowed(problem: Diagnostic) -> bool:
    """Whether it is a warning that a comment at the end of its line allows: `# allow E435`."""
    if problem.severity != "warning" or "#" not in problem.span.source:
        return False
    found = re.search(_ALLOWED, problem.span.source)
    return found is not None and problem.code in re.findall("E[0-9]{3}", found[1])


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

    def report(self, problems: Iterable[Diagnostic]) -> None:
        """Add problems that were collected elsewhere."""
        for problem in problems:
            self.append(problem)


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
    return next(iter(candidates(word, known)), None)


def candidates(word: str, known: Iterable[str]) -> tuple[str, ...]:
    """The same, with any others that are just as close."""
    left = _LETTERS.get() or [LIMITS.suggestions]
    if left[0] <= 0:
        return ()
    wanted = word.lower()[: LIMITS.key_length]
    by_lower = {name.lower(): name for name in known if len(name) <= LIMITS.key_length}
    left[0] -= sum(map(len, by_lower)) + len(by_lower) * len(wanted)
    letters = sorted(wanted)
    # letters exchanged: in a short word nothing else is alike
    found = [low for low in by_lower if len(low) == len(letters) and sorted(low) == letters]
    return tuple(by_lower[low] for low in found or _most_alike(wanted, by_lower, left))


def _most_alike(word: str, known: Iterable[str], left: list[int]) -> list[str]:
    """The names that are most like a word, if any is alike at all; the last in the alphabet first,
    so that the order in which they are declared does not count.
    """
    from difflib import SequenceMatcher  # costs start-up time, and most rulesets are right

    matcher = SequenceMatcher()
    matcher.set_seq2(word)
    best, found = 0.6, list[str]()
    for name in known:
        matcher.set_seq1(name)
        if matcher.real_quick_ratio() < best or matcher.quick_ratio() < best:
            continue
        ratio = matcher.ratio()
        if ratio >= best:
            found = [*found, name] if ratio == best else [name]
            best = ratio
        left[0] -= len(word) * len(name)
        if left[0] <= 0:
            break
    return sorted(found, reverse=True)


def did_you_mean(word: str, known: Iterable[str], otherwise: str = "expected one of") -> Hint:
    """A hint for an unknown name: the nearest known one, or all that there are."""
    names = list(known)
    if close := candidates(word, names):
        return meant(*close, wrong=word)
    if not names:
        return Hint()
    shown = names if len(names) <= 12 else [*names[:12], "…"]
    return Hint(f"{otherwise}: {', '.join(shown)}")


def meant(*close: str, wrong: str = "") -> Hint:
    """The hint for a word that is near to a right one; others may be just as near. Where the
    `wrong` one has other digits, nobody can tell: `pile_3` may be a pile that is missing.
    """
    certain = not wrong or _digits(wrong) == _digits(close[0])
    return Hint(f"did you mean '{close[0]}'?", close, certain)


def write_instead(right: str, note: str = "") -> Hint:
    """The hint that offers something for what is underlined, unless a part of it is missing."""
    sign = "" if not note else " " if note.startswith(("to ", "for ")) else ": "
    return Hint(f"write '{right}'{sign}{note}", () if MISSING in right else (right,))


def guess_instead(right: str, note: str = "") -> Hint:
    """The same where it may mean something else than what was written: someone has to decide."""
    return write_instead(right, note)._replace(certain=False)


def _digits(word: str) -> str:
    return "".join(filter(str.isdigit, word))


def has_errors(diagnostics: Iterable[Diagnostic]) -> bool:
    """Whether anything is worse than a warning."""
    return any(d.severity == "error" for d in diagnostics)
