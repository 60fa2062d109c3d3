"""Fixing: a ruleset's text after all edits that its problems are certain of. An edit that does not
leave less wrong than there was is taken back.

What is wrong with the YAML hides what is wrong with expressions, and that what is wrong with tests.
So an edit may bring other problems to light, of a later stage, in the same line or in those below
it; they are fixed as well, and if all of it does not come to less than there was, it is taken back
as a whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from rulegame.codes import CODES
from rulegame.diagnostics import Diagnostic, Edit
from rulegame.edits import BREAK, apply_edits, source_text
from rulegame.limits import LIMITS

Check = Callable[[str], tuple[Diagnostic, ...]]  # all that is wrong with a text

MOST_CHECKS: Final = 300  # of one file
MOST_STEPS: Final = 8  # edits until it shows that less is wrong: one slip may hide another


class Fixed(NamedTuple):
    """The text of a file, what is still wrong with it, and the edits that were made, in order."""

    text: str
    problems: tuple[Diagnostic, ...]
    edits: tuple[Edit, ...] = ()


def fix(text: str, file: str, check: Check) -> Fixed:
    """A text after everything in it that is certain is fixed; `file` is what its problems call it,
    and those of other files stay.
    """
    return _Fixing(file, check).fixed(text)


def sentence(edit: Edit) -> str:
    """What an edit has done, for people."""
    was, now, line = source_text(edit.span), edit.text, edit.span.source
    if not was.strip():
        after = line[: edit.span.column - 1] + now + line[edit.span.end_column - 1 :]
        if not line[: edit.span.column - 1].strip() and not now.strip():
            return f"the line is now indented by {len(now)}"
        return f"the line is now '{after.strip()}'"
    return f"'{was}' is now '{now}'" if now else f"{was!a} is gone"


class _Fixing:
    """The way of one file; checks are counted, so that it has an end."""

    def __init__(self, file: str, check: Check) -> None:
        self._file = file
        self._check = check
        self._left = MOST_CHECKS

    def fixed(self, text: str) -> Fixed:
        return min(self._way(text), key=lambda one: _sum(one.problems))

    def _way(self, text: str) -> Iterator[Fixed]:
        """The text as it is, and after each step that leaves less wrong at its stage."""
        now = Fixed(text, self._check(text))
        yield now
        refused: set[tuple[str, str, int]] = set()
        while wanted := [p for p in self._apart(now) if _key(p) not in refused]:
            every = self._after(now, wanted)
            if every is not None and len(every.problems) <= len(now.problems) - len(wanted):
                yield (now := every)
                continue
            for problem in wanted:
                better = self._pursued(now, problem)
                if better is not None:
                    yield (now := better)
                    break  # the others may stand elsewhere now
                refused.add(_key(problem))

    def _apart(self, now: Fixed, lines: range | None = None) -> Iterator[Diagnostic]:
        """The problems of this file, or of some lines, with a fix, without those that touch one
        before them.
        """
        taken: list[tuple[int, int, int]] = []  # line, first and last column of each edit
        words: Counter[str] | None = None
        for problem in now.problems:
            if lines is not None and problem.span.line not in lines:
                continue
            if problem.fix and _stage(problem) in (2, 3):
                words = _words(now.text) if words is None else words
                if any(_is_of_declaration(edit, words) for edit in problem.fix):
                    continue
            own = [(e.span.line, e.span.column, e.span.end_column) for e in problem.fix]
            here = all(e.span.file == self._file for e in problem.fix)
            if own and here and not any(_touch(one, other) for one in own for other in taken):
                taken += own
                yield problem

    def _after(self, now: Fixed, problems: Sequence[Diagnostic]) -> Fixed | None:
        """What is left after the fixes of some problems; None if there was enough of checking."""
        if self._left <= 0:
            return None
        self._left -= 1
        edits = [edit for problem in problems for edit in problem.fix]
        text = apply_edits(now.text, edits)
        return Fixed(text, self._check(text), (*now.edits, *edits))

    def _pursued(self, now: Fixed, problem: Diagnostic) -> Fixed | None:
        """What is left after the fix of one problem, and of those that come to light in its line or
        in what belongs to it, as soon as that is less; None if it never is.
        """
        known = {(_key(p), p.span.column) for p in now.problems}
        all_told = len(now.problems) < LIMITS.problems
        after = self._after(now, [problem])
        for _ in range(MOST_STEPS):
            if after is None or _stages(after.problems) < _stages(now.problems):
                return after
            if not all_told and _key(problem) not in map(_key, after.problems):
                return after
            here = self._apart(after, _block(after.text, problem.span.line))
            new = [p for p in here if (_key(p), p.span.column) not in known]
            known |= {(_key(p), p.span.column) for p in new}
            after = self._after(after, new) if new else None
        return None


def _block(text: str, number: int) -> range:
    """A line and those below it that are indented further."""
    lines = BREAK.split(text)
    deep = _indent(lines[number - 1])
    below = enumerate(lines[number:], number + 1)
    end = next((k for k, line in below if line.strip() and _indent(line) <= deep), len(lines) + 1)
    return range(number, end)


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _words(text: str) -> Counter[str]:
    """How often each word stands in a text, comments left out."""
    return Counter(re.findall(r"\w+", re.sub(r"(?m)(?:^|\s)#.*$", "", text)))


def _is_of_declaration(edit: Edit, words: Mapping[str, int]) -> bool:
    """Whether a name that is used more than once would get the spelling of a declaration which
    nothing else shares: that is where the slip must be.
    """
    from rulegame.keys.values import RESERVED
    from rulegame.language.functions import FUNCTIONS

    is_known = edit.text in RESERVED or edit.text in FUNCTIONS
    return (
        not is_known and words.get(edit.text, 0) == 1 and words.get(source_text(edit.span), 0) > 1
    )


def _sum(problems: Sequence[Diagnostic]) -> tuple[int, int]:
    """How much is wrong: errors, then warnings."""
    errors = sum(p.severity == "error" for p in problems)
    return errors, len(problems) - errors


def _stages(problems: Sequence[Diagnostic]) -> tuple[int, ...]:
    """How much is wrong at each stage, in the order in which they hide one another."""
    found = Counter(_stage(problem) for problem in problems)
    return tuple(found[stage] for stage in range(5))


def _stage(problem: Diagnostic) -> int:
    """The stage that found a problem; warnings come last."""
    if problem.severity == "warning":
        return 4
    return CODES[problem.code].group.stage


def _key(problem: Diagnostic) -> tuple[str, str, int]:
    """What a problem is known by, wherever in its line it stands."""
    return problem.code, problem.message, problem.span.line


def _touch(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    return one[0] == other[0] and one[1] <= other[2] and other[1] <= one[2]
