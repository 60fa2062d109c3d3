"""`rulegame replay`: a saved game, or a list of moves, shown move by move, or only checked."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulegame.files import disk
from rulegame.playing.dice import Dice
from rulegame.playing.saving import GameRecord
from rulegame.playing.scoring import outcome_of
from rulegame.playing.seating import swapped
from rulegame.playing.telling import public_texts
from rulegame.wording import counted
from rulegame_cli.calling.opening import open_game
from rulegame_cli.calling.options import (
    ANYWAY,
    FIRST,
    JSON,
    NAMES,
    OUTPUT,
    ScreenOptions,
    SettingsOptions,
    argument,
    flag,
    option,
)
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_delay, read_first, read_moves, read_names
from rulegame_cli.printing.painting import painter
from rulegame_cli.printing.terminal import Terminal, visible
from rulegame_cli.table.hosting import fault_text, make_match
from rulegame_cli.table.recalling import open_save, recall_round
from rulegame_cli.table.rewatching import Watched, watch_all
from rulegame_cli.table.saving import find

if TYPE_CHECKING:
    from rulegame.game import Game, Move, Outcome, State
    from rulegame.playing.session import Session


class ReplayOptions(SettingsOptions, ScreenOptions):
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
    as_json: bool = JSON


@dataclass(frozen=True, slots=True)
class Round:
    """One game that is shown: a session, how it ended if it did, and whether secrets are told."""

    session: Session
    outcome: Outcome | None
    revealed: bool


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
    from rulegame.playing.saves import Chain

    if ruleset_path(options.game) is not None and not disk.exists(Path(options.game)):
        raise WrongCall(f"'{options.game}' is a ruleset. Give the moves to replay with --moves.")
    opened = open_save(find(options.game), options, options.anyway)
    saved = opened.saved
    match = make_match(opened.game, saved.header, GameRecord(Chain()), options)
    match.dice = NoDice([], 0)
    rounds = []
    for number, played in enumerate(saved.rounds):
        match.number = number
        session = recall_round(match, played)
        outcome = played.outcome or outcome_of(session, None)
        rounds.append(Round(session, outcome, saved.over))
    missing = "" if saved.whole else "the save is incomplete"
    stopped = f"not valid under the current rules: {opened.stopped}" if opened.stopped else ""
    return saved.header.names, rounds, stopped or missing


def _of_moves(options: ReplayOptions) -> Replayed | None:
    game = open_game(options.game, options)
    if game is None:
        return None
    first = read_first(options.first, game.ruleset)
    names = read_names(options.names, len(game.players)) or game.players
    session, end = _play(game, first, read_moves("--moves", options.moves))
    return tuple(names), [Round(session, end.outcome, True)], ""


def _play(game: Game, first: int, moves: Sequence[str]) -> tuple[Session, State]:
    from rulegame.game import CHANCE
    from rulegame.playing.saves import SaveError
    from rulegame.playing.session import Session, SessionEntry, step_of

    entries = []
    state = game.start(first)
    for number, text in enumerate(moves, 1):
        kind = state.player
        try:
            move, state = step_of(state, text)
        except ValueError as problem:
            raise SaveError(f"move {number}: {problem}") from None
        entries.append(SessionEntry("roll" if kind == CHANCE else "move", move.text))
    session = Session(game, fresh=NoDice([], 0).of_round(0), first=first)
    return session, session.recall(entries)


class NoDice(Dice):
    """What has not fallen yet does not fall in a replay."""

    def roll(self, state: State, place: str) -> Move:
        from rulegame.playing.conversation import NothingRolled

        raise NothingRolled


# ---- how it is shown


def _show(rounds: Sequence[Round], names: tuple[str, ...], screen: ReplayOptions) -> None:
    style = screen.style
    terminal = Terminal(style, painter(names, style), screen.plain)
    if terminal.draws:
        delay = read_delay(screen.delay) if screen.delay else None
        watched = [
            Watched(r.session, swapped(names, r.session.game, r.session.first), r.revealed)
            for r in rounds
        ]
        watch_all(watched, terminal, delay)
        return
    for number, played in enumerate(rounds):
        if len(rounds) > 1:
            heading = f"Round {number + 1}. {names[played.session.first]} moves first."
            terminal.write(f"{'' if number == 0 else chr(10)}{heading}\n\n")
        seated = swapped(names, played.session.game, played.session.first)
        for text, prompt, answer in transcript(played, seated):
            terminal.write(text)
            if prompt:
                terminal.show_answer(prompt, answer)
        if played.session.resigned is not None:
            terminal.write(f"{seated[played.session.resigned]} resigns.\n")
        elif played.outcome is None:
            terminal.write("The game is not finished.\n")


def transcript(played: Round, names: Sequence[str]) -> Iterator[tuple[str, str, str]]:
    """What was printed, and each prompt with its answer; some texts have no prompt. What all may
    see, as long as the game is not over.
    """
    from rulegame.playing.conversation import NothingRolled, Reply, converse

    session = played.session
    session.tell_again()
    seats = range(len(names))
    talk = converse(
        session.game,
        roll=session.roll,
        first=session.first,
        names=names,
        played=session.played,
        discreet=() if played.revealed else seats,
        audience=() if played.revealed else seats,
    )
    try:
        ask = next(talk)
        while (move := session.pending) is not None:
            reply: Reply = move
            if ask.exchange is not None:
                yield ask.text, "", ""
                yield from (("", prompt, answer) for prompt, answer in ask.exchange(move))
            else:
                option = ask.question.option_of(move)
                reply = move if option is None else option
                answer = move.text if option is None else ask.question.entry(option)
                yield ask.text, ask.prompt, answer
            ask = talk.send(reply)
        yield ask.text.removesuffix(ask.menu), "", ""
    except StopIteration as end:
        yield end.value.text, "", ""
    except NothingRolled as stop:
        yield stop.said, "", ""


def _summary(played: Round, names: Sequence[str]) -> str:
    length = counted(played.session.decisions, "move")
    outcome = played.outcome
    if outcome is None:
        return f"{length}, not finished"
    names = swapped(names, played.session.game, played.session.first)
    return f"{length}, {_end(outcome, names)}"


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
        return [step.move.text for step in played.session.line]
    return public_texts(played.session.public_line)


def _data(number: int, played: Round) -> dict[str, object]:
    from rulegame.playing.saves import payoff_data

    outcome = played.outcome
    return {
        "round": number + 1,
        "first": played.session.first + 1,
        "play": _play_texts(played),
        "winners": None if outcome is None else [seat + 1 for seat in outcome.winners],
        "losers": None if outcome is None else [seat + 1 for seat in outcome.losers],
        "payoffs": None if outcome is None else payoff_data(outcome),
        "rule": None if outcome is None else outcome.rule,
    }
