"""`rulegame explain-move`: why a move is valid or not, rule by rule."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from rulegame.wording import as_written
from rulegame_cli.calling.opening import open_game
from rulegame_cli.calling.options import (
    FIRST,
    RULESET,
    ReportOptions,
    RulesetOptions,
    argument,
    option,
)
from rulegame_cli.calling.reaching import listed, reach, read_as_move
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_first
from rulegame_cli.printing.paging import page
from rulegame_cli.printing.reporters import problems_text
from rulegame_cli.printing.terminal import Style, one_line

if TYPE_CHECKING:
    from rulegame.game import Check, Game, Move, State
    from rulegame.game.explanation import Explanation

INDENT: Final = " " * 11
WIDTH: Final = 100


class ExplainMoveOptions(RulesetOptions, ReportOptions):
    """Explain why a move is valid or not, rule by rule."""

    ruleset: str = RULESET
    asked: str = argument("MOVE", 'Move to explain, e.g. "subtract 4".', required=False)
    move: str = option("MOVE", "The same, as an option.")
    at: str = option("MOVES", 'Moves and rolls played before it, e.g. "die 5, add".')._replace(
        may_be_empty=True  # as at the start
    )
    first: str = FIRST


def run(options: ExplainMoveOptions) -> int:
    """Exit code 0 if the question could be answered, 1 if the ruleset has problems."""
    from rulegame.game import GameError

    if options.asked and options.move:
        raise WrongCall("MOVE and --move cannot be combined")
    if not _move(options):
        raise WrongCall('MOVE is missing, e.g. "subtract 4"')
    game = open_game(options.ruleset, options)
    if game is None:
        return 1
    first = read_first(options.first, game.ruleset)
    try:
        return _explain(game, first, options)
    except GameError as error:
        sys.stdout.write(problems_text([error.diagnostic], options.style))
        return 1


def _move(options: ExplainMoveOptions) -> str:
    return (options.asked or options.move).strip()


def _explain(game: Game, first: int, options: ExplainMoveOptions) -> int:
    from rulegame.game.explanation import explain_move

    played, state = reach(game, first, options.at)
    option = "--move" if options.move else "MOVE"
    explanation = explain_move(state, read_as_move(game, option, _move(options)))
    if options.as_json:
        print(json.dumps(as_data(explanation, played), indent=2, default=str))
    else:
        lines = report(explanation, played, options.style)
        page("".join(f"{line.rstrip()}\n" for line in lines))
    return 0


# ---- for programs


def as_data(explanation: Explanation, played: Sequence[Move]) -> dict[str, Any]:
    """The explanation as JSON has it."""
    from rulegame.game.explanation import position

    state, reason = explanation.state, explanation.reason
    return {
        "at": [move.text for move in played],
        "player": None if state.player is None or state.player < 0 else state.player + 1,
        "values": position(state),
        "move": explanation.move.text,
        "valid": explanation.valid,
        "rule": None if reason is None else reason.rule,
        "because": None if reason is None else reason.message,
        "checks": [_check_data(check) for check in explanation.checks],
    }


def _check_data(check: Check) -> dict[str, Any]:
    said = {"about": check.about, "meanings": dict(check.meanings)}
    return {
        "kind": check.kind,
        "rule": check.rule,
        "expression": check.expression,
        "values": dict(check.values),
        "holds": check.holds,
        "because": check.message or None,
        **{key: value for key, value in said.items() if value},
    }


# ---- for people


def report(explanation: Explanation, played: Sequence[Move], style: Style) -> Iterator[str]:
    """The explanation for people to read."""
    state = explanation.state
    yield one_line(state.game.ruleset.title)
    yield one_line(_whose_turn(state, played))
    yield from _position(state)
    yield ""
    move, reason = one_line(explanation.move.text), explanation.reason
    if reason is None:
        yield style.green(f"{move} is valid.")
    else:
        because = one_line(reason.message)
        yield style.red(f"{move} is not valid: {because}{'' if because[-1:] in '.!?' else '.'}")
    for check in explanation.checks:
        yield from _check(check, style)


def _whose_turn(state: State, played: Sequence[Move]) -> str:
    when = f"After {listed(played)}" if played else "At the start"
    if state.outcome is not None:
        return f"{when} the game is over."
    assert state.player is not None
    if state.player < 0:
        events = ", ".join(move.text for move in state.moves[:6])
        more = ", …" if len(state.moves) > 6 else ""
        return f"{when} a roll is due: {events}{more}."
    return f"{when} it is {state.game.players[state.player]}'s turn."


def _position(state: State) -> Iterator[str]:
    """The values of the state, each on a line."""
    from rulegame.game.explanation import position
    from rulegame.language.types import Grid

    values = position(state)
    width = max((len(name) for name in values), default=0)
    if values:
        yield ""
    for name, value in values.items():
        variable = state.game.ruleset.state[name].variable
        if variable.each_player:
            players = zip(state.game.players, value, strict=True)
            texts = [f"{_shown(one)} ({one_line(player)})" for player, one in players]
            yield f"  {name.ljust(width)}  {', '.join(texts)}"
        elif isinstance(variable.type, Grid):
            rows = " / ".join(_shown(row) for row in value)
            yield f"  {name.ljust(width)}  {rows}"
        else:
            yield f"  {name.ljust(width)}  {_shown(value)}"


def _check(check: Check, style: Style) -> Iterator[str]:
    words = {True: style.green("passed "), False: style.red("failed "), None: "skipped"}
    of = {"choice": " from", "compulsory": " must", "gives way": " gives way to"}.get(
        check.kind, ":"
    )
    written = f": {one_line(check.about)}" if check.about else f"{of} {one_line(check.expression)}"
    expression = written if check.expression else ""
    yield f"  {words[check.holds]}  {one_line(check.rule)}{expression}"
    yield from _in_lines([_part(one_line(part), value) for part, value in check.values.items()])
    for part, about in check.meanings.items():
        yield f"{INDENT}{one_line(part)}: {one_line(about)}"
    if check.message:
        yield INDENT + one_line(check.message)


def _part(expression: str, value: Any) -> str:
    """`n = 4`; a condition `is true`."""
    condition = isinstance(value, bool) and " " in expression
    return f"{expression} {'is' if condition else '='} {_shown(value)}"


def _in_lines(values: Sequence[str]) -> Iterator[str]:
    """The values side by side, as many as fit on a line."""
    line = ""
    for number, value in enumerate(values):
        piece = value + ("," if number + 1 < len(values) else "")
        if line and len(line) + len(piece) >= WIDTH - len(INDENT):
            yield INDENT + line
            line = ""
        line = f"{line} {piece}".strip()
    if line:
        yield INDENT + line


def _shown(value: Any) -> str:
    return one_line(as_written(value))
