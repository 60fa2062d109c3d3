"""The `tests:` of a ruleset: checked when it is loaded, and run by `rulegame test`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from rulegame.building import Settings, build
from rulegame.diagnostics import Diagnostic, RulesetError, Span, did_you_mean
from rulegame.model import Ruleset
from rulegame.moves import NotAMove, read_move
from rulegame.nodes import Mapping as MappingNode
from rulegame.nodes import Node, Scalar, items_of, mapping_of, text_of, to_plain
from rulegame.nodes import Sequence as SequenceNode
from rulegame.types import Type
from rulegame.values import encode

if TYPE_CHECKING:
    from rulegame.dialogue import Conversation, Ending
    from rulegame.game import Game, Move, State


class TestResult(NamedTuple):
    """A test that was run; `failures` is empty if it passed."""

    name: str
    span: Span
    failures: tuple[str, ...]


# ---- checking


def check_tests(ruleset: Ruleset) -> list[Diagnostic]:
    """What is wrong with the tests themselves: moves, names of values and rules that
    do not exist.
    """
    found: list[Diagnostic] = []
    for node in ruleset.tests.values():
        if isinstance(node, MappingNode):
            found += _TestChecker(ruleset, node).check()
    return found


class _TestChecker:
    def __init__(self, ruleset: Ruleset, node: MappingNode) -> None:
        self._ruleset = ruleset
        self._node = node
        self._found: list[Diagnostic] = []

    def _report(self, code: str, message: str, node: Node, hint: str = "") -> None:
        self._found.append(Diagnostic(code, message, node.span, hint))

    def check(self) -> list[Diagnostic]:
        own = _with_operations(self._ruleset, self._node) or variation(self._ruleset, self._node)
        if isinstance(own, list):
            return own
        self._own = own
        expect = mapping_of(self._node.get("expect"))
        self._player(self._node.get("first"))
        self._player(expect.get("player"))
        self._values(mapping_of(self._node.get("given")))
        for move in items_of(self._node.get("play")):
            self._move(move)
        for move in items_of(expect.get("valid")):
            self._move(move)
        rules = [*(r.name for r in own.validity), "division_by_zero", "when"]
        for key, rule in mapping_of(expect.get("invalid")):
            self._move(key)
            if isinstance(rule, Scalar) and rule.text not in rules:
                self._report(
                    "E421",
                    f"there is no validity rule '{rule.text}'",
                    rule,
                    did_you_mean(rule.text, rules),
                )
        self._values(mapping_of(expect.get("values")))
        outcome = expect.get("outcome")
        if isinstance(outcome, MappingNode):
            self._outcome(outcome)
        return self._found

    def _player(self, node: Node | None) -> None:
        """The number of a player, where one is given."""
        players = len(self._own.players)
        if isinstance(node, Scalar) and not (
            isinstance(node.value, int) and 1 <= node.value <= players
        ):
            self._report(
                "E421", f"there is no player {node.text}", node, f"a number from 1 to {players}"
            )

    def _outcome(self, outcome: MappingNode) -> None:
        rules = [*(r.name for r in self._own.end), "stuck", "all_stuck"]
        rule = outcome.get("rule")
        if isinstance(rule, Scalar) and rule.text not in rules:
            self._report(
                "E421", f"there is no end rule '{rule.text}'", rule, did_you_mean(rule.text, rules)
            )
        for node in (*items_of(outcome.get("winners")), outcome.get("winner")):
            self._player(node)

    def _values(self, node: MappingNode) -> None:
        for key, value in node:
            declared = self._own.state.get(key.text)
            if declared is None:
                self._report(
                    "E421",
                    f"there is no value '{key.text}' in the state",
                    key,
                    did_you_mean(key.text, self._own.state),
                )
                continue
            try:
                state_codes(self._own, key.text, value)
            except ValueError as problem:
                self._report("E422", f"'{key.text}' must be {problem}", value)

    def _move(self, node: Node) -> None:
        if not isinstance(node, Scalar):
            self._report("E420", "a move is expected here", node, "such as 'subtract 5'")
            return
        try:
            read_move(self._own, node.text)
        except NotAMove as problem:
            self._report("E420", problem.message, node, problem.hint)


def state_codes(ruleset: Ruleset, name: str, node: Node) -> list[int]:
    """The cells of a value that a test gives; ValueError if it does not fit."""
    variable = ruleset.state[name].variable
    value = _seats_from_one(to_plain(node), variable.type)
    players = len(ruleset.players)
    if not variable.each_player:
        return encode(variable.type, value, ruleset.words, players)
    if not isinstance(value, list) or len(value) != players:
        raise ValueError(f"a list of {players}, one for each player")
    return [code for one in value for code in encode(variable.type, one, ruleset.words, players)]


def _seats_from_one(value: Any, type_: Type) -> Any:
    """Players are counted from 1 in rulesets, from 0 in Python."""
    from rulegame.types import Grid, List, Optional, Player

    inner = type_.of if isinstance(type_, (List, Grid)) else type_
    inner = inner.of if isinstance(inner, Optional) else inner
    if not isinstance(inner, Player):
        return value
    if isinstance(value, list):
        return [_seats_from_one(v, type_) for v in value]
    return value - 1 if isinstance(value, int) else value


def variation(ruleset: Ruleset, node: MappingNode) -> Ruleset | list[Diagnostic]:
    """The ruleset with the parameters and operations that a test sets, or what is
    wrong with them.
    """
    sets = mapping_of(node.get("set"))
    enable = tuple(i for i in items_of(node.get("enable")) if isinstance(i, Scalar))
    disable = tuple(i for i in items_of(node.get("disable")) if isinstance(i, Scalar))
    if not sets.entries and not enable and not disable:
        return ruleset
    names = {key.text: key for key, _ in sets}
    settings = Settings({key.text: value for key, value in sets}, enable, disable, names)
    changed, problems = build(ruleset.root, ruleset.file, settings)
    return list(problems) if changed is None else changed


def _with_operations(ruleset: Ruleset, node: MappingNode) -> Ruleset | None:
    """Where a test only switches operations that exist on and off: the ruleset with those; it
    need not be built again to see whether the test makes sense.
    """
    switched = [
        i.text
        for key in ("enable", "disable")
        for i in items_of(node.get(key))
        if isinstance(i, Scalar)
    ]
    known = {o.name: o for o in (*ruleset.operations, *ruleset.disabled)}
    off = {i.text for i in items_of(node.get("disable")) if isinstance(i, Scalar)}
    if node.get("set") is not None or not switched or any(name not in known for name in switched):
        return None
    on = {o.name for o in ruleset.operations} | set(switched) - off
    enabled = tuple(o for name, o in known.items() if name in on - off)
    rest = tuple(o for name, o in known.items() if name not in on - off)
    return ruleset._replace(operations=enabled, disabled=rest) if enabled else None


# ---- running


def run_tests(name: str | Path, only: str = "") -> tuple[list[TestResult], tuple[Diagnostic, ...]]:
    """Runs the tests of a ruleset whose names contain `only`."""
    from rulegame.loading import load_ruleset

    ruleset, diagnostics = load_ruleset(name)
    if ruleset is None:
        return [], diagnostics
    keys = mapping_of(ruleset.root.get("tests")).entries
    results = []
    for test, node in ruleset.tests.items():
        if only.lower() in test.lower() and isinstance(node, MappingNode):
            failures = _TestRun(ruleset, node).run()
            results.append(TestResult(test, keys[test].key.span, tuple(failures)))
    return results, diagnostics


class _TestRun:
    def __init__(self, ruleset: Ruleset, node: MappingNode) -> None:
        self._ruleset = ruleset
        self._node = node
        self._expect = mapping_of(node.get("expect"))

    def run(self) -> list[str]:
        """Everything that is not as expected."""
        from rulegame.game import GameError, IllegalMove
        from rulegame.loading import make_game

        own = variation(self._ruleset, self._node)
        if isinstance(own, list):
            return [str(d) for d in own]
        try:
            game = make_game(own)
            start = self._start(game)
            state, printed = (
                self._typed(game, start) if self._node.get("type") else self._played(game, start)
            )
        except RulesetError as error:
            return [str(d) for d in error.diagnostics]
        except GameError as error:
            return [str(error.diagnostic)]
        except IllegalMove as error:
            return [f"'{error.move}' is not valid: {error.reason}"]
        except _Unexpected as problem:
            return [str(problem)]
        return self._compare(game, state, printed)

    def _start(self, game: Game) -> State:
        first_node = self._node.get("first")
        first = (
            first_node.value - 1
            if isinstance(first_node, Scalar) and isinstance(first_node.value, int)
            else 0
        )
        given = mapping_of(self._node.get("given"))
        if not given.entries:
            return game.start(first)
        values = {
            key.text: _seats_from_one(to_plain(value), game.ruleset.state[key.text].variable.type)
            for key, value in given
        }
        return game.begin(values, first)

    def _played(self, game: Game, start: State) -> tuple[State, str]:
        """Plays the moves; what would be printed is worked out only if the test asks for it."""
        moves = [game.parse_move(text_of(node)) for node in items_of(self._node.get("play"))]
        state = start
        for move in moves:
            state = state.play(move)
        wanted = self._expect.get("printed") is not None
        return state, _transcript(game, start, moves) if wanted else ""

    def _typed(self, game: Game, start: State) -> tuple[State, str]:
        """Types the lines at the prompts."""
        rolls = [text_of(n) for n in items_of(self._node.get("rolls"))]
        lines = [text_of(n) for n in items_of(self._node.get("type"))]

        def roll(state: State) -> Move:
            if not rolls:
                raise _Unexpected("a roll is due, but no roll is left")
            value = rolls.pop(0)
            found = next((m for m in state.moves if m.text.split(" ", 1)[1] == value), None)
            if found is None:
                possible = ", ".join(m.text for m in state.moves)
                raise _Unexpected(f"'{value}' cannot be rolled: only {possible}")
            return found

        from rulegame.dialogue import converse

        return _talk(
            converse(game, roll=roll, start=start), lambda: lines.pop(0) if lines else None
        )

    # ---- comparing

    def _compare(self, game: Game, state: State, printed: str) -> list[str]:
        failures = self._compare_state(game, state)
        wanted = self._expect.get("printed")
        return failures + (_compare_printed(wanted, printed) if wanted is not None else [])

    def _compare_state(self, game: Game, state: State) -> list[str]:
        from rulegame.compiling import SEAT

        failures: list[str] = []
        valid = self._expect.get("valid")
        if valid is not None:
            wanted = [game.parse_move(text_of(n)).text for n in items_of(valid)]
            found = [m.text for m in state.moves]
            if sorted(wanted) != sorted(found):
                failures.append(_difference("valid moves", wanted, found))
        for key, rule in mapping_of(self._expect.get("invalid")):
            reason = state.why_not(game.parse_move(key.text))
            if reason is None:
                failures.append(
                    f"'{key.text}' should not be valid (rule {text_of(rule)}), but it is"
                )
            elif reason.rule != text_of(rule):
                failures.append(
                    f"'{key.text}' should be barred by {text_of(rule)}, but it is by {reason}"
                )
        for key, value in mapping_of(self._expect.get("values")):
            codes = state_codes(game.ruleset, key.text, value)
            at = game.program.shape.layout.offsets[key.text]
            if list(state.cells[at : at + len(codes)]) != codes:
                failures.append(
                    f"{key.text} should be {to_plain(value)}, but it is {_plain(state[key.text])}"
                )
        player = self._expect.get("player")
        if isinstance(player, Scalar) and isinstance(player.value, int):
            seat = state.cells[SEAT] + 1  # also while a roll is due; 0 when the game is over
            if seat != player.value:
                whose = f"player {seat}'s" if seat else "nobody's: the game is over"
                failures.append(f"it should be player {player.value}'s turn, but it is {whose}")
        return failures + self._compare_outcome(state)

    def _compare_outcome(self, state: State) -> list[str]:
        node = self._expect.get("outcome")
        if node is None:
            return []
        outcome = state.outcome
        if isinstance(node, Scalar):
            return (
                []
                if outcome is None
                else [f"the game should go on, but it ended by rule {outcome.rule}"]
            )
        if outcome is None:
            return ["the game should be over, but it goes on"]
        assert isinstance(node, MappingNode)
        failures = []
        expected: Mapping[str, Any] = to_plain(node)
        winners = [s + 1 for s in outcome.winners]
        found = {
            "winner": winners[0] if len(winners) == 1 else winners,
            "winners": winners,
            "draw": outcome.draw,
            "rule": outcome.rule,
        }
        for key, value in expected.items():
            if found[key] != value:
                failures.append(f"the outcome's {key} should be {value}, but it is {found[key]}")
        return failures


class _Unexpected(Exception):
    """A test cannot go on."""


def _transcript(game: Game, start: State, moves: Sequence[Move]) -> str:
    """What is printed when the moves are typed in full, and rolls fall as they are listed."""
    from rulegame.dialogue import converse

    remaining = list(moves)

    def roll(state: State) -> Move:
        return remaining.pop(0) if remaining else state.moves[0]

    conversation = converse(game, roll=roll, start=start)
    return _talk(conversation, lambda: remaining.pop(0).text if remaining else None)[1]


def _talk(conversation: Conversation, typed: Callable[[], str | None]) -> tuple[State, str]:
    """Holds a conversation until nothing more is typed: the state that it came to, and all text."""
    printed = ""
    try:
        ask = next(conversation)
        while (line := typed()) is not None:
            printed += f"{ask.text}{ask.prompt}{line}\n"
            ask = conversation.send(line)
        return ask.state, f"{printed}{ask.text}{ask.prompt}\n"
    except StopIteration as end:
        ending: Ending = end.value
        return ending.state, printed + ending.text


def _compare_printed(wanted: Node, printed: str) -> list[str]:
    """The wanted lines must stand in the printed ones, in a row."""
    lines = (
        [text_of(n) for n in wanted.items]
        if isinstance(wanted, SequenceNode)
        else text_of(wanted).rstrip("\n").split("\n")
    )
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


def _plain(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    return [_plain(v) for v in value] if isinstance(value, list) else value
