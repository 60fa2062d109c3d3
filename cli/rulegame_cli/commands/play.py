"""`rulegame play`: people at one terminal, a script through a pipe, computers, or all of them."""

from __future__ import annotations

import secrets
import sys
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Annotated, Final

import typer

from rulegame_cli.arguments import (
    Delay,
    Disable,
    Enable,
    Names,
    NoColor,
    Plain,
    Seed,
    Set,
    read_seat,
    read_seed,
)
from rulegame_cli.opening import open_game, open_ruleset
from rulegame_cli.printing.painting import painter
from rulegame_cli.printing.reporters import problems_text
from rulegame_cli.printing.terminal import INTERRUPTED, Style, Terminal, style_for, visible
from rulegame_cli.table.dice import Dice, WrongRoll, read_rolls
from rulegame_cli.table.match import Match, Score, read_rounds
from rulegame_cli.table.saving import CannotSave, GameRecord, games_folder, new_path
from rulegame_cli.table.seating import ComputerFailed, Computers, read_seats
from rulegame_cli.usage_errors import WrongCall

if TYPE_CHECKING:
    from rulegame.game import Game, GameError
    from rulegame.model import Ruleset
    from rulegame.playing.saves import Header

LONGEST_DELAY: Final = 60.0


@dataclass(frozen=True, slots=True)
class Look:
    """How a game is shown."""

    no_color: bool = False
    plain: bool = False
    delay: str = ""

    @property
    def style(self) -> Style:
        return style_for(sys.stdout, self.no_color or self.plain)


@dataclass(frozen=True, slots=True)
class PlayOptions:
    """How a game is played, as the call said it."""

    sets: Sequence[str] = ()
    enable: Sequence[str] = ()
    disable: Sequence[str] = ()
    first: str = "1"
    names: str = ""
    seed: str = ""
    rolls: str = ""
    opponent: str = ""
    seat: str = ""
    players: Sequence[str] = ()
    watch: bool = False
    rounds: str = ""
    best_of: str = ""
    save: str = ""
    no_save: bool = False


def command(
    ruleset: Annotated[
        str,
        typer.Argument(
            metavar="[RULESET]", help="A ruleset file, or a bundled name; without it, a list."
        ),
    ] = "",
    sets: Set = None,
    enable: Enable = None,
    disable: Disable = None,
    first: Annotated[
        str, typer.Option(metavar="1|2|...|random", help="Who moves first, by number.")
    ] = "1",
    names: Names = "",
    seed: Seed = "",
    rolls: Annotated[
        str,
        typer.Option(metavar="5,3,6", help="Dice by hand; chance again when they run out."),
    ] = "",
    opponent: Annotated[
        str, typer.Option("--vs", metavar="PLAYER", help="Play against the computer.")
    ] = "",
    seat: Annotated[
        str, typer.Option(metavar="NUMBER", help="Your seat against --vs; 1 if not given.")
    ] = "",
    players: Annotated[
        list[str] | None,
        typer.Option(
            "--player", metavar="NUMBER=PLAYER", help="Who plays: human, random, ... Repeatable."
        ),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Computer against computer.")] = False,
    delay: Delay = "",
    rounds: Annotated[str, typer.Option(metavar="NUMBER", help="A match of so many rounds.")] = "",
    best_of: Annotated[
        str, typer.Option(metavar="NUMBER", help="A match that stops once it is decided.")
    ] = "",
    save: Annotated[
        str, typer.Option(metavar="FILE", help="Keep the game in this file, not with the others.")
    ] = "",
    no_save: Annotated[bool, typer.Option("--no-save", help="Do not keep the game.")] = False,
    plain: Plain = False,
    no_color: NoColor = False,
) -> int:
    """Play a game at this terminal."""
    options = PlayOptions(
        sets=sets or (),
        enable=enable or (),
        disable=disable or (),
        first=first,
        names=names,
        seed=seed,
        rolls=rolls,
        opponent=opponent,
        seat=seat,
        players=players or (),
        watch=watch,
        rounds=rounds,
        best_of=best_of,
        save=save,
        no_save=no_save,
    )
    return run(ruleset, options, Look(no_color, plain, delay))


def run(name: str, options: PlayOptions, look: Look) -> int:
    """Exit code 0: played to the end, or left; 1: problems, or no more input; 130: interrupted."""
    if not name:
        from rulegame_cli.table.choosing import choose_game

        chosen = choose_game(look)
        if chosen is None:
            return 1
        name = chosen
    ruleset = open_ruleset(name, options.sets, options.enable, options.disable, look.no_color)
    if ruleset is None:
        return 1
    header = _header(name, ruleset, options)
    delay = read_delay(look.delay)
    game = open_game(name, ruleset, look.no_color)
    if game is None:
        return 1
    from rulegame.playing.saves import Chain, header_line

    header = replace(header, parameters=game.parameters)
    chain = Chain()
    record = GameRecord(chain, chain.add(header_line(header)))
    match = make_match(game, header, record, look, delay)
    match.table.computers.check(header.first)
    if not options.no_save:
        keep(record, options.save, match.table.terminal)
    return sit_down(match.run, match, look)


def _header(name: str, ruleset: Ruleset, options: PlayOptions) -> Header:
    """What the call says about the game; the parameters are known once it is compiled."""
    from rulegame.model.meaning import meaning
    from rulegame.playing.saves import Header

    players = len(ruleset.players)
    given = read_seed(options.seed)
    seed = secrets.randbits(48) if given is None else given
    rounds, best_of = read_rounds(options.rounds, options.best_of)
    found_as, content = identity(name)
    return Header(
        ruleset=found_as,
        content=content,
        meaning=meaning(ruleset),
        title=ruleset.title,
        sets=tuple(options.sets),
        enable=tuple(options.enable),
        disable=tuple(options.disable),
        parameters={},
        seed=seed,
        rolls=tuple(read_rolls(options.rolls, ruleset)),
        first=_first_seat(options.first, players, seed),
        names=tuple(read_names(options.names, players) or ruleset.players),
        players=read_seats(players, options.opponent, options.seat, options.players, options.watch),
        rounds=rounds,
        best_of=best_of,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def identity(name: str) -> tuple[str, str]:
    """The name under which a ruleset is found from anywhere, and its fingerprint."""
    from rulegame.bundled import ruleset_path
    from rulegame.loading import find
    from rulegame.source.lineage import fingerprint

    path, _ = find(name)
    try:
        content = fingerprint(path)
    except OSError:  # it was there a moment ago
        content = ""
    return (name if ruleset_path(name) == path else str(path.absolute())), content


def make_match(game: Game, header: Header, record: GameRecord, look: Look, delay: float) -> Match:
    """Everything that is needed to play, new or once more."""
    from rulegame_cli.table.sitting import Table

    style = look.style
    table = Table(
        names=header.names,
        seats=header.players,
        computers=Computers(game, header.players, header.seed, look.plain),
        terminal=Terminal(style, painter(header.names, style), look.plain),
        record=record,
        seed=header.seed,
        plain=look.plain,
        delay=delay,
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
            raise WrongCall(f"--save: '{given}' cannot be written: {problem}") from None
        record.told = True
        terminal.remark(f"This game will not be saved: {problem}.")


def sit_down(play: Callable[[], None], match: Match, look: Look) -> int:
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
        return _ended(terminal, "The game was ended: no more input.", 1)
    except KeyboardInterrupt:
        return _ended(terminal, "The game was interrupted.", INTERRUPTED)
    except (WrongRoll, ComputerFailed, EndlessGame) as mistake:
        return _ended(terminal, f"The game was ended: {mistake}.", 1)
    except GameError as error:
        terminal.end_line()
        terminal.write(error.said)
        sys.stdout.write(fault_text(error, look.style))
        return 1
    finally:
        record.leave(asked=left)
        if record.problem:
            terminal.remark(_loss(record))
        elif record.told:
            terminal.remark("The game is saved after all.")
    return 1 if record.problem and record.wanted else 0


def _loss(record: GameRecord) -> str:
    what = "This game is" if record.file is None else "The last moves of this game are"
    return f"{what} not saved: {record.problem}."


def _farewell(record: GameRecord) -> str:
    if record.file is None or record.problem:
        return ""
    path = record.file.path
    which = "" if path.parent == games_folder() else f" {path}"
    return f"The game is kept: `rulegame resume{which}` goes on with it.\n"


def _ended(terminal: Terminal, message: str, code: int) -> int:
    terminal.end_line()
    print(visible(message), file=sys.stderr)
    return code


def fault_text(error: GameError, style: Style) -> str:
    """Where the rules failed, and the moves that led there."""
    moves = ", ".join(error.moves) or "none"
    return f"{problems_text([error.diagnostic], style)}The moves so far: {visible(moves)}\n"


# ---- options


def _first_seat(text: str, players: int, seed: int) -> int:
    if text.strip().lower() == "random":
        return Random(f"{seed}/first").randrange(players)
    return read_seat(text, players, "random")


def read_names(text: str, players: int) -> tuple[str, ...]:
    """The players' names, one for each seat; none at all if they keep those of the ruleset."""
    if not text:
        return ()
    names = tuple(name.strip() for name in text.split(","))
    if len(names) != players or not all(names) or len(set(names)) != players:
        some = (
            "one name" if players == 1 else f"{players} different names, with commas between them"
        )
        raise WrongCall(f"--names: expected {some}, not '{text}'")
    return names


def read_delay(text: str) -> float:
    """Seconds to wait after the move of a computer."""
    if not text:
        return 0.0
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST_DELAY:
        raise WrongCall(f"--delay: expected seconds from 0 to 60, not '{text}'")
    return seconds
