"""The operations and rules that the tests of a ruleset exercise.

A test exercises the operations it plays and the end rule that ends its game. It exercises a
validity rule by looking at the valid moves of a state in which the rule bars one. Of `stuck`, it
exercises the result if a player is stuck, `unless` if that player had moves that `unless` excludes,
and `all` if all players pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final, Literal, NamedTuple

from rulegame.diagnostics import Span
from rulegame.game import CHANCE, Event, State
from rulegame.game.candidates import offers_of
from rulegame.model import VERDICTS, Ruleset
from rulegame.ruletests.running import Course, TestResult

WAYS: Final = (*VERDICTS, "unless", "all")  # keys of `stuck` to exercise

Kind = Literal["operation", "validity", "stuck", "end"]


class Covered(NamedTuple):
    """A rule that tests should exercise, and the names of those that do."""

    kind: Kind
    name: str
    span: Span
    tests: tuple[str, ...]


class Coverage(NamedTuple):
    """All rules to exercise, in the order of the file."""

    file: str  # of the ruleset; inherited rules are in other files
    items: tuple[Covered, ...]

    @property
    def exercised(self) -> int:
        return sum(bool(item.tests) for item in self.items)

    @property
    def percent(self) -> int:
        """The share of exercised rules, rounded down: 100 means all."""
        return 100 * self.exercised // len(self.items) if self.items else 100


def coverage(ruleset: Ruleset, results: Sequence[TestResult]) -> Coverage:
    """The coverage of a ruleset by these results; disabled operations do not count."""
    found: dict[tuple[Kind, str], list[str]] = {}
    for result in results:
        if result.course is not None:
            for key in set(_exercised(result.course)):
                found.setdefault(key, []).append(result.name)
    return Coverage(
        ruleset.file,
        tuple(
            Covered(kind, name, span, tuple(found.get((kind, name), ())))
            for kind, name, span in _to_exercise(ruleset)
        ),
    )


def _to_exercise(ruleset: Ruleset) -> Iterator[tuple[Kind, str, Span]]:
    for operation in sorted(ruleset.chosen, key=lambda o: not o.setup):
        yield "operation", operation.name, operation.place.span
    for rule in ruleset.validity:
        yield "validity", rule.name, rule.place.span
    stuck = ruleset.stuck
    for key, span in stuck.keys.items():
        if key in WAYS:
            yield "stuck", stuck.sources["result"].passage.text if key == "result" else key, span
    for end in ruleset.end:
        yield "end", end.name, end.place.span


def _exercised(course: Course) -> Iterator[tuple[Kind, str]]:
    for move in course.played:
        yield "operation", move.operation
    for name in _barring(course.seen):
        yield "validity", name
    for event in course.events:
        for name in _stuck_with(event):
            yield "stuck", name
    if course.last.outcome is not None:
        yield "end", course.last.outcome.rule


def _stuck_with(event: Event) -> Iterator[str]:
    """The keys of `stuck` that an event exercises."""
    if event.kind == "all_stuck":
        yield "all"
        return
    if _has_moves(event.before):
        yield "unless"
    result = event.before.game.ruleset.stuck.sources.get("result")
    yield from ("" if result is None else result.passage.text, *VERDICTS[1:])


def _has_moves(state: State) -> bool:
    """Whether a stuck player would have a valid move without `unless`."""
    offers = offers_of(state.game)
    return any(next(offers.barring(state, move), None) is None for move in offers.candidates(state))


def _barring(states: Iterable[State]) -> Iterator[str]:
    for state in states:
        if state.outcome is None and state.player != CHANCE:
            offers = offers_of(state.game)
            for move in offers.candidates(state):
                yield from offers.barring(state, move)
