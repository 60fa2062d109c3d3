"""Run the `tests:` of a ruleset and record the states of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rulegame.building.boards import draw_codes
from rulegame.building.checking import Variations, seats_to_one, state_codes, value_of_test
from rulegame.diagnostics import Diagnostic, RulesetError, Span
from rulegame.extras import require
from rulegame.language.types import Grid
from rulegame.model import Ruleset, RuleTest
from rulegame.wording import as_written

if TYPE_CHECKING:
    from rulegame.game import Event, Game, Move, State
    from rulegame.loading import RulesetText
    from rulegame.playing.conversation import Ask, Ending


MOST_STATES: Final = 1_000_000  # of a game whose value a test states


class Course(NamedTuple):
    """The record of a test."""

    last: State
    printed: str
    played: tuple[Move, ...]
    seen: tuple[State, ...]  # the states whose valid moves it examined
    events: tuple[Event, ...] = ()  # automatic events


class TestResult(NamedTuple):
    """The result of a test; `failures` is empty if it passed."""

    name: str
    span: Span
    failures: tuple[str, ...]
    course: Course | None = None  # None if it stopped early


class Tested(NamedTuple):
    """A ruleset with its test results; None without results if it has errors."""

    ruleset: Ruleset | None
    results: list[TestResult]
    diagnostics: tuple[Diagnostic, ...]


def run_tests(name: str | Path | RulesetText, only: str = "") -> Tested:
    """Run the tests of a ruleset whose names contain `only`. MissingExtra if one of them states the
    value of a position and solving is not installed.
    """
    from rulegame.loading import read_ruleset

    ruleset, diagnostics, document = read_ruleset(name)
    if ruleset is None or document is None:
        return Tested(None, [], diagnostics)
    tests = [test for test in ruleset.tests.values() if only.lower() in test.name.lower()]
    if any(test.expect.value is not None for test in tests):
        require("solve", "Testing a value")
    results = []
    games, variations = _Games(), Variations(document, ruleset)
    for test in tests:
        failures, course = _TestRun(test, games).run(variations.of(test.name))
        results.append(TestResult(test.name, test.span, tuple(failures), course))
    return Tested(ruleset, results, diagnostics)


class _Games:
    """The games of the tests, one for all tests with the same settings."""

    def __init__(self) -> None:
        self._made: dict[int, Game] = {}  # by the identity of their rulesets, which they hold

    def of(self, own: Ruleset) -> Game:
        from rulegame.loading import make_game

        if id(own) not in self._made:
            self._made[id(own)] = make_game(own)
        return self._made[id(own)]


class _TestRun:
    def __init__(self, test: RuleTest, games: _Games) -> None:
        self._test = test
        self._games = games
        self._expect = test.expect

    def run(self, own: Ruleset | list[Diagnostic]) -> tuple[list[str], Course | None]:
        """The failures of the test, and its record; `own` is the ruleset with the settings of the
        test.
        """
        from rulegame.game import GameError, IllegalMove

        if isinstance(own, list):
            return [str(d) for d in own], None
        try:
            game = self._games.of(own)
            start = self._start(game)
            typed = self._test.typed
            course = self._played(game, start) if typed is None else self._typed(game, start, typed)
            return self._compare(game, course.last, course.printed), course
        except RulesetError as error:
            return [str(d) for d in error.diagnostics], None
        except GameError as error:
            moves = f"\nafter {', '.join(error.moves)}" if error.moves else ""
            return [f"{error.diagnostic}{moves}"], None
        except IllegalMove as error:
            return [f"'{error.move}' is not valid: {error.reason}"], None
        except _Unexpected as problem:
            return [str(problem)], None

    def _start(self, game: Game) -> State:
        first = self._test.first - 1
        if not self._test.given:
            return game.start(first)
        values = {
            name: value_of_test(game.ruleset, name, value)
            for name, value in self._test.given.items()
        }
        return game.begin(values, first)

    def _played(self, game: Game, start: State) -> Course:
        """Play the moves; compute the printed lines only if the test states them."""
        play = self._test.play
        *_, state = states = list(_states(start, play))
        moves = [before.meant(text) for before, text in zip(states, play, strict=False)]
        printed = ""
        if self._expect.printed is not None:
            printed = _transcript(game, start, moves)
        looks = self._expect.valid is not None or bool(self._expect.invalid)
        seen = (state,) if looks else ()
        return Course(state, printed, tuple(moves), seen, _events(states))

    def _typed(self, game: Game, start: State, typed: tuple[str, ...]) -> Course:
        """Type the lines at the prompts."""
        rolls, lines = list(self._test.rolls), list(typed)

        def roll(state: State) -> Move:
            if not rolls:
                raise _Unexpected("a roll is due, but no roll is left")
            value = rolls.pop(0)
            found = next((m for m in state.moves if m.text.split(" ", 1)[1] == value), None)
            if found is None:
                possible = ", ".join(m.text for m in state.moves)
                raise _Unexpected(f"'{value}' cannot be rolled: only {possible}")
            return found

        course = _talk(game, start, roll, lambda: lines.pop(0) if lines else None)
        return course._replace(events=_events(_states(start, course.played)))

    # ---- comparing

    def _compare(self, game: Game, state: State, printed: str) -> list[str]:
        failures = self._compare_state(game, state)
        wanted = self._expect.printed
        return failures + (_compare_printed(wanted, printed) if wanted is not None else [])

    def _compare_state(self, game: Game, state: State) -> list[str]:
        failures: list[str] = []
        if self._expect.valid is not None:
            wanted = [state.meant(move).text for move in self._expect.valid]
            found = [m.text for m in state.moves]
            if sorted(wanted) != sorted(found):
                failures.append(_difference("valid moves", wanted, found))
        for move, rule in self._expect.invalid.items():
            failures += _compare_barred(state, move, rule)
        for name, value in self._expect.values.items():
            codes = state_codes(game.ruleset, name, value)
            at = game.kernel.places(name).start
            found_codes = list(state.cells[at : at + len(codes)])
            if found_codes == codes:
                continue
            declared = game.ruleset.state[name]
            type_ = declared.variable.type
            if isinstance(type_, Grid) and isinstance(value, str):
                is_now = draw_codes(found_codes, type_, declared.show.symbols)
                failures.append(f"{name} should be\n{value.rstrip()}\nbut it is\n{is_now}")
            else:
                is_now = as_written(seats_to_one(state[name], type_))
                failures.append(f"{name} should be {as_written(value)}, but it is {is_now}")
        seat = state.turn + 1  # also while a roll is due; 0 after the end
        player = self._expect.player
        if player is not None and seat != player:
            whose = f"player {seat}'s" if seat else "nobody's: the game is over"
            failures.append(f"it should be player {player}'s turn, but it is {whose}")
        return failures + self._compare_outcome(state) + self._compare_value(game, state)

    def _compare_value(self, game: Game, state: State) -> list[str]:
        if self._expect.value is None:
            return []
        wanted = Fraction(self._expect.value.replace(" ", ""))
        found = _value_of(game, self._test.first - 1, state)
        if isinstance(found, str):
            return [f"the value should be {wanted}, but it is unknown: {found}"]
        return [] if found == wanted else [f"the value should be {wanted}, but it is {found}"]

    def _compare_outcome(self, state: State) -> list[str]:
        outcome, expected = state.outcome, self._expect.outcome
        if self._expect.goes_on and outcome is not None:
            return [f"the game should go on, but it ended by rule {outcome.rule}"]
        if expected is None:
            return []
        if outcome is None:
            return ["the game should be over, but it continues"]
        failures = []
        winners = [s + 1 for s in outcome.winners]
        found = {
            "winner": winners[0] if len(winners) == 1 else winners,
            "winners": winners,
            "losers": [s + 1 for s in outcome.losers],
            "payoffs": list(map(str, outcome.payoffs)),
            "score": "none" if outcome.score is None else str(outcome.score),
            "draw": outcome.draw,
            "rule": outcome.rule,
        }
        for key, value in expected.items():
            if found[key] != _amounts(key, value):
                wanted, was = as_written(value), as_written(found[key])
                if outcome.draw and value == list(range(1, len(state.game.players) + 1)):
                    was += ": a game that all have won is a draw"
                failures.append(f"the outcome's {key} should be {wanted}, but it is {was}")
        return failures


def _value_of(game: Game, first: int, state: State) -> Fraction | str:
    """The value of a position for the first mover, or the reason why it is unknown, as a clause."""
    from rulegame.errors import CannotSolve, TooLarge
    from rulegame.solving import MultiplayerSolution, solve

    begins = game.kernel.who_begins(first)
    at = None if state == game.start(begins) else state
    try:
        solution = solve(game, first=first, at=at, max_states=MOST_STATES)
    except (CannotSolve, TooLarge) as reason:
        return str(reason)
    if isinstance(solution, MultiplayerSolution):
        return "its players are not opposed, so that there is no such value"
    if solution.value is None:
        return f"it is only known to be from {solution.lower!r} to {solution.upper!r}"
    return solution.value


def _amounts(key: str, value: Any) -> Any:
    """An expected value; payoffs and scores as fractions in lowest terms."""
    if key == "payoffs":
        return [str(Fraction(str(amount).replace(" ", ""))) for amount in value]
    return str(Fraction(str(value).replace(" ", ""))) if key == "score" else value


class _Unexpected(Exception):
    """A test cannot continue."""


def _states(start: State, moves: Iterable[Move | str]) -> Iterator[State]:
    """The states of a game, move by move."""
    from rulegame.game import GameError

    yield start
    played: list[str] = []
    for move in moves:
        played.append(str(move))
        try:
            start = start.play(move)
        except GameError as error:
            raise GameError(error.diagnostic, played) from None
        yield start


def _events(states: Iterable[State]) -> tuple[Event, ...]:
    return tuple(event for state in states for event in state.events)


def _transcript(game: Game, start: State, moves: Sequence[Move]) -> str:
    """The output if the moves are typed in full and rolls have the listed values."""
    remaining = list(moves)

    def roll(state: State) -> Move:
        return remaining.pop(0) if remaining else state.moves[0]

    return _talk(game, start, roll, lambda: remaining.pop(0).text if remaining else None).printed


def _talk(
    game: Game, start: State, roll: Callable[[State], Move], typed: Callable[[], str | None]
) -> Course:
    """Run a conversation until the input ends."""
    from rulegame.playing.conversation import converse

    printed = ""
    seen: list[State] = []
    played: list[Move] = []

    def play(state: State, move: Move) -> State:
        played.append(move)
        return state.play(move)

    conversation = converse(game, roll=roll, start=start, play=play)
    try:
        ask = next(conversation)
        while (line := typed()) is not None:
            printed += f"{ask.text}{ask.prompt}{line}\n"
            seen.append(ask.state)
            ask = conversation.send(line)
        printed += f"{ask.text}{ask.prompt}\n"
        last: Ask | Ending = ask
    except StopIteration as end:
        last = end.value
        printed += last.text
    return Course(last.state, printed, tuple(played), tuple(dict.fromkeys(seen)))


def _compare_barred(state: State, move: str, rule: str) -> list[str]:
    """Failures if this rule does not make the move invalid."""
    reason = state.why_not(state.game.parse_move(move))
    if reason is None:
        return [f"'{move}' should not be valid (rule {rule}), but it is"]
    if reason.rule is None:
        return [f"'{move}' should be barred by {rule}, but it is not on offer at all: {reason}"]
    if reason.rule != rule:
        return [f"'{move}' should be barred by {rule}, but it is by {reason}"]
    return []


def _compare_printed(lines: Sequence[str], printed: str) -> list[str]:
    """Failures unless the expected lines are consecutive lines of the output."""
    found = [line.rstrip() for line in printed.split("\n")]
    size = len(lines)
    for at in range(len(found) - size + 1):
        if [line.rstrip() for line in lines] == found[at : at + size]:
            return []
    shown = "\n".join(f"    {line}" for line in lines)
    return [
        f"these lines should be printed:\n{shown}\nbut this was:\n"
        + "\n".join(f"    {line}" for line in found)
    ]


def _difference(what: str, wanted: list[str], found: list[str]) -> str:
    missing = [m for m in wanted if m not in found]
    extra = [m for m in found if m not in wanted]
    parts = [f"{what}: expected {', '.join(wanted) or 'none'}; found {', '.join(found) or 'none'}"]
    if missing:
        parts.append(f"  missing: {', '.join(missing)}")
    if extra:
        parts.append(f"  not expected: {', '.join(extra)}")
    return "\n".join(parts)
