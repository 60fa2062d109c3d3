"""`rulegame replay`: replay or check a saved game or a list of moves."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from rulegame.files import disk
from rulegame.playing.telling import public_steps, public_texts
from rulegame.wording import counted
from rulegame_cli.calling.opening import open_game
from rulegame_cli.calling.options import (
    ANYWAY,
    FIRST,
    NAMES,
    OUTPUT,
    ReportOptions,
    ScreenOptions,
    SettingsOptions,
    argument,
    flag,
    option,
)
from rulegame_cli.calling.saved_games import find, load_save
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_delay, read_first, read_moves, read_names
from rulegame_cli.printing.painting import painter
from rulegame_cli.printing.terminal import Terminal, visible
from rulegame_cli.table.display import watch

if TYPE_CHECKING:
    from rulegame.game import Outcome
    from rulegame.playing.match import Match


class ReplayOptions(SettingsOptions, ScreenOptions, ReportOptions):
    """Replay a saved game or a list of moves, step by step."""

    game: str = argument(
        "ID|FILE|RULESET",
        "Saved game (an ID from `rulegame history`, or its file), or a ruleset with --moves.",
    )
    moves: str = option("MOVE,MOVE", "Moves and rolls, in order.")
    first: str = FIRST
    names: str = NAMES
    check: bool = flag("Only check whether every move is valid.")
    anyway: bool = ANYWAY
    delay: str = option("SECONDS", "Advance automatically after SECONDS.", heading=OUTPUT)


class Round(NamedTuple):
    """A game to show, and whether to reveal its secrets."""

    match: Match
    revealed: bool

    @property
    def outcome(self) -> Outcome | None:
        return self.match.outcome


def run(options: ReplayOptions) -> int:
    """Exit code 0: every move is valid; 1: one is not, or the save cannot be used."""
    from rulegame.game import GameError
    from rulegame.playing.saves import SaveError

    try:
        replayed = _of_moves(options) if options.moves else _of_save(options)
    except SaveError as problem:
        print(visible(f"{options.game}: {problem}"))
        return 1
    except GameError as error:
        from rulegame_cli.table.run_match import fault_text

        sys.stdout.write(fault_text(error, options.style))
        return 1
    if replayed is None:
        return 1
    names, rounds, lacking = replayed
    if options.as_json:
        print(json.dumps([_data(number, played) for number, played in enumerate(rounds)], indent=2))
    elif not options.check:
        _show(rounds, names, options)
    if lacking:
        place = sys.stderr if options.as_json else sys.stdout
        print(visible(f"{options.game}: {lacking}"), file=place)
        return 1
    if options.check and not options.as_json:
        print(visible(f"{options.game}: valid: {'; '.join(_summary(r, names) for r in rounds)}"))
    return 0


# ---- what is replayed


# The names, the rounds, and what there is no more of them, as far as one can tell.
Replayed = tuple[tuple[str, ...], list[Round], str]


def _of_save(options: ReplayOptions) -> Replayed:
    from rulegame.bundled import ruleset_path

    if ruleset_path(options.game) is not None and not disk.exists(Path(options.game)):
        raise WrongCall(f"'{options.game}' is a ruleset. Give the moves to replay with --moves.")
    saved = load_save(find(options.game), options, options.anyway)
    rounds = [Round(match, saved.match.is_over) for match in saved.match.replays()]
    missing = "" if saved.whole else "the save is incomplete"
    stopped = f"not valid under the current rules: {saved.stopped}" if saved.stopped else ""
    return saved.match.header.names, rounds, stopped or missing


def _of_moves(options: ReplayOptions) -> Replayed | None:
    from rulegame.playing.match import Match
    from rulegame.playing.reopening import new_header
    from rulegame.playing.saves import SaveError
    from rulegame.playing.seating import HUMAN
    from rulegame.playing.session import entries_of

    game = open_game(options.game, options)
    if game is None:
        return None
    first, players = read_first(options.first, game.ruleset), game.players
    names = tuple(read_names(options.names, len(players)) or players)
    seats = (HUMAN,) * len(players)
    match = Match.of(game, new_header(game.ruleset, seats, names=names, first=first, seed=0))
    try:
        match.follow(entries_of(match.state, read_moves("--moves", options.moves))[0])
    except ValueError as problem:
        raise SaveError(str(problem)) from None
    return names, [Round(match, True)], ""


# ---- how it is shown


def _show(rounds: Sequence[Round], names: tuple[str, ...], screen: ReplayOptions) -> None:
    from rulegame.playing.audience import Audience

    style = screen.style
    terminal = Terminal(style, painter(names, style), screen.plain)
    if terminal.draws:
        delay = read_delay(screen.delay)
        for played in rounds:
            watch(played.match, played.revealed, terminal, delay)
        return
    for number, (match, revealed) in enumerate(rounds):
        if len(rounds) > 1:
            heading = f"Round {number + 1}. {names[match.first]} moves first."
            terminal.write(f"{'' if number == 0 else chr(10)}{heading}\n\n")
        seats = range(len(names))
        audience = Audience(match, () if revealed else seats, (), narrates=False)
        for text, prompt, answer in audience.transcript():
            terminal.write(text)
            if prompt:
                terminal.show_answer(prompt, answer)
        if match.session.resigned is not None:
            terminal.write(f"{match.names[match.session.resigned]} resigns.\n")
        elif match.outcome is None:
            terminal.write("The game is not finished.\n")


def _summary(played: Round, names: Sequence[str]) -> str:
    length = counted(played.match.session.decisions, "move")
    outcome = played.outcome
    if outcome is None:
        return f"{length}, not finished"
    return f"{length}, {_end(outcome, played.match.names)}"


def _end(outcome: Outcome, names: Sequence[str]) -> str:
    if outcome.score is not None:
        return f"a score of {outcome.score}"
    winners, shared = " and ".join(names[seat] for seat in outcome.winners), len(names) > 1
    if shared and len(names) in (len(outcome.winners), len(outcome.losers)):
        return f"{'won' if winners else 'lost'} by everyone"
    return f"won by {winners}" if winners else "a draw" if outcome.draw else "lost"


def _play_texts(played: Round) -> list[str]:
    """The moves and rolls; as long as the game is not over, what all may see of them."""
    if played.revealed:
        return [step.move.text for step in played.match.session.line]
    return public_texts(public_steps(played.match.session.line))


def _data(number: int, played: Round) -> dict[str, object]:
    from rulegame.playing.saves import payoff_data

    outcome = played.outcome
    return {
        "round": number + 1,
        "first": played.match.session.first + 1,
        "play": _play_texts(played),
        "winners": None if outcome is None else [seat + 1 for seat in outcome.winners],
        "losers": None if outcome is None else [seat + 1 for seat in outcome.losers],
        "payoffs": None if outcome is None else payoff_data(outcome),
        "rule": None if outcome is None else outcome.rule,
    }
