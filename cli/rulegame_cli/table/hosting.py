"""Leads a match from the first question to the last word: lays the table, keeps the file, and says
why it stops if it does.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Final

from rulegame.playing.dice import Dice, WrongRoll
from rulegame.playing.saving import CannotSave, GameRecord, games_folder, new_path, portable
from rulegame.playing.scoring import Score
from rulegame_cli.calling.options import ScreenOptions, TableOptions
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_delay
from rulegame_cli.printing.painting import painter
from rulegame_cli.printing.reporters import problems_text
from rulegame_cli.printing.terminal import INTERRUPTED, Style, Terminal, visible
from rulegame_cli.table.match import Match
from rulegame_cli.table.seating import ComputerFailed, Computers

if TYPE_CHECKING:
    from rulegame.game import Game, GameError
    from rulegame.playing.saves import Header

NO_INPUT: Final = "Input ended. The game was not saved."


def new_match(
    game: Game, header: Header, options: TableOptions, kept: bool, file: str = ""
) -> Match:
    """A new match, kept on disk if it is to be: in a file, or with the others."""
    from rulegame.playing.saves import Chain, header_line

    chain = Chain()
    named = header.ruleset
    if file:
        named = portable(named, header.content, Path(file).parent)
    record = GameRecord(chain, chain.add(header_line(replace(header, ruleset=named))))
    match = make_match(game, header, record, options)
    match.table.computers.check(header.first)
    if kept:
        keep(record, file, match.table.terminal)
    return match


def make_match(game: Game, header: Header, record: GameRecord, screen: ScreenOptions) -> Match:
    """Everything that is needed to play, new or once more; without the options of a table, to look
    at what was played.
    """
    from rulegame_cli.table.sitting import Table

    style = screen.style
    seated = screen if isinstance(screen, TableOptions) else None
    table = Table(
        names=header.names,
        seats=header.players,
        computers=Computers(game, header.players, header.seed, screen.plain),
        terminal=Terminal(style, painter(header.names, style), screen.plain),
        record=record,
        seed=header.seed,
        plain=screen.plain,
        delay=0.0 if seated is None else read_delay(seated.delay),
        handover=seated is not None and not seated.no_handover,
    )
    return Match(
        game=game,
        table=table,
        dice=Dice(header.rolls, header.seed),
        first=header.first,
        rounds=header.rounds,
        best_of=header.best_of,
        score=Score([0] * len(header.names)),
    )


def keep(record: GameRecord, given: str, terminal: Terminal) -> None:
    """From now on the game is on disk; if it cannot be in the folder for all, that is told."""
    try:
        path = Path(given).expanduser()
        record.keep_in((lambda: path) if given else new_path, wanted=bool(given))
    except (CannotSave, ValueError, RuntimeError) as problem:
        if given:
            raise WrongCall(f"--save: cannot write '{given}': {problem}") from None
        record.told = True
        terminal.remark(f"This game will not be saved: {problem}.")


def sit_down(play: Callable[[], None], match: Match, screen: ScreenOptions) -> int:
    """Play, and say what it was if it stops before the end."""
    from rulegame.game import GameError
    from rulegame_cli.table.sitting import EndlessGame, Left

    terminal, record = match.table.terminal, match.table.record
    left = False
    try:
        with terminal.keeping_secrets() if match.table.asks_unseen(match.game) else nullcontext():
            play()
    except Left:
        left = True
        terminal.write(_farewell(record))
    except EOFError:
        return _stopped(terminal, _kept(record, "Input ended") or NO_INPUT, 1)
    except KeyboardInterrupt:
        said = "Interrupted"
        return _stopped(terminal, _kept(record, said) or f"{said}.", INTERRUPTED)
    except (WrongRoll, ComputerFailed, EndlessGame) as mistake:
        return _stopped(terminal, f"Game stopped: {mistake}.", 1)
    except GameError as error:
        terminal.end_line()
        terminal.write(error.said)
        sys.stdout.write(fault_text(error, screen.style))
        return 1
    finally:
        record.leave(asked=left)
        if record.problem:
            terminal.remark(_loss(record))
        elif record.told:
            terminal.remark("Saving works again; nothing was lost.")
    return 1 if record.problem and record.wanted else 0


def play_matches(
    play: Callable[[], None],
    match: Match,
    header: Header,
    options: TableOptions,
    kept: bool = True,
) -> int:
    """A match, and others after it, as long as people at a screen want to; the exit code."""
    while True:
        code = sit_down(play, match, options)
        if options.once or code or not _play_again(match):
            return code
        header = _next_header(header)
        match = new_match(match.game, header, options, kept)
        play = match.run


def _next_header(header: Header) -> Header:
    """The same game once more, with sides swapped and other dice."""
    return replace(
        header,
        first=(header.first + 1) % len(header.players),
        seed=Random(f"{header.seed}/again").getrandbits(48),
        rolls=(),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _play_again(match: Match) -> bool:
    """Whether people at a screen want another game; before that, they may watch this one again."""
    from rulegame_cli.table.rewatching import watch_all

    table = match.table
    if not table.terminal.draws or not table.humans or not match.is_over:
        return False
    while True:
        try:
            line = table.terminal.ask("\nPlay again (p), replay (w) or quit (Enter)? ", False)
        except (EOFError, KeyboardInterrupt):
            table.terminal.end_line()
            return False
        answer = line.strip().lower()
        if answer in ("p", "play", "play again", "y", "yes"):
            table.terminal.write("\n")
            return True
        if answer in ("w", "watch", "r", "replay"):
            watch_all(match.watched, table.terminal, None)
        elif answer in ("", "n", "no", "q", "quit", "leave"):
            return False


def _loss(record: GameRecord) -> str:
    what = "Game" if record.file is None else "Last moves"
    return f"{what} not saved: {record.problem}."


def _kept(record: GameRecord, why: str) -> str:
    """Why it stops and how to continue; empty if it cannot continue."""
    call = _resume_call(record) if record.is_worth_keeping else ""
    return f"{why}. Game saved; continue with `{call}`." if call else ""


def _farewell(record: GameRecord) -> str:
    call = _resume_call(record)
    return f"Game saved. Continue with `{call}`.\n" if call else ""


def _resume_call(record: GameRecord) -> str:
    """The command that continues this game; empty if it is not saved."""
    if record.file is None or record.problem:
        return ""
    path = record.file.path
    return "rulegame resume" if path.parent == games_folder() else f"rulegame resume {path}"


def _stopped(terminal: Terminal, message: str, code: int) -> int:
    terminal.end_line()
    print(visible(message), file=sys.stderr)
    return code


def fault_text(error: GameError, style: Style) -> str:
    """Where the rules failed, and the moves that led there."""
    moves = ", ".join(error.moves) or "none"
    return f"{problems_text([error.diagnostic], style)}Moves so far: {visible(moves)}\n"
