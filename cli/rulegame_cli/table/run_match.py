"""Runs matches at a terminal: opens the record, plays, and says why a match stops if it does."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from rulegame.playing.dice import WrongRoll
from rulegame.playing.match import EndlessGame, Match, new_record
from rulegame.playing.saving import CannotSave, GameRecord, games_folder, new_path, portable
from rulegame_cli.calling.options import ScreenOptions, TableOptions
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_delay
from rulegame_cli.printing.painting import painter
from rulegame_cli.printing.reporters import problems_text
from rulegame_cli.printing.terminal import INTERRUPTED, Style, Terminal, visible
from rulegame_cli.table.terminal_match import Left, TerminalMatch

if TYPE_CHECKING:
    from rulegame.game import Game, GameError
    from rulegame.playing.saves import Header

NO_INPUT: Final = "Input ended. The game was not saved."


def new_match(
    game: Game, header: Header, options: TableOptions, kept: bool, file: str = ""
) -> TerminalMatch:
    """A new match, kept on disk if it is to be: in a file, or with the others."""
    named = header.ruleset
    if file:
        named = portable(named, header.content, Path(file).parent)
    record = new_record(replace(header, ruleset=named))
    table = at_terminal(Match.of(game, header, record), options)
    table.make_players()
    if kept:
        keep(record, file, table.terminal)
    return table


def at_terminal(match: Match, screen: ScreenOptions) -> TerminalMatch:
    """A match, new or resumed, at this terminal."""
    style, names = screen.style, match.header.names
    seated = screen if isinstance(screen, TableOptions) else None
    return TerminalMatch(
        match,
        Terminal(style, painter(names, style), screen.plain),
        plain=screen.plain,
        delay=0.0 if seated is None else read_delay(seated.delay),
        handover=seated is not None and not seated.no_handover,
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


def run_match(play: Callable[[], None], table: TerminalMatch, screen: ScreenOptions) -> int:
    """Play, and say what it was if it stops before the end."""
    from rulegame.game import GameError
    from rulegame.players.interface import PlayerFailed

    terminal, record = table.terminal, table.match.record
    left = False
    try:
        with terminal.keeping_secrets() if table.asks_unseen else nullcontext():
            play()
    except Left:
        left = True
        terminal.write(_farewell(record))
    except EOFError:
        return _stopped(terminal, _kept(record, "Input ended") or NO_INPUT, 1)
    except KeyboardInterrupt:
        said = "Interrupted"
        return _stopped(terminal, _kept(record, said) or f"{said}.", INTERRUPTED)
    except (WrongRoll, PlayerFailed, EndlessGame) as mistake:
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


def run_matches(
    play: Callable[[], None], table: TerminalMatch, options: TableOptions, kept: bool = True
) -> int:
    """A match, and others after it, as long as people at a screen want to; the exit code."""
    while True:
        code = run_match(play, table, options)
        if options.once or code or not _play_again(table):
            return code
        match = table.match
        table = new_match(match.game, match.rematch_header(), options, kept)
        play = table.run


def _play_again(table: TerminalMatch) -> bool:
    """Whether people at a screen want another game; before that, they may watch this one again."""
    from rulegame_cli.table.display import watch

    match = table.match
    if not table.terminal.draws or not match.people or not match.is_over:
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
            for played in match.replays():
                watch(played, True, table.terminal)
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
