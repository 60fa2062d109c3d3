"""`rulegame play`: people at one terminal, or a script through a pipe."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Annotated

import typer

from rulegame_cli.arguments import Disable, Enable, NoColor, RulesetName, Set, read_seat, read_seed
from rulegame_cli.dice import Dice, WrongRoll, read_rolls
from rulegame_cli.mistakes import WrongCall
from rulegame_cli.opening import open_game, open_ruleset
from rulegame_cli.reporters import problems_text
from rulegame_cli.terminal import INTERRUPTED, Style, Terminal, style_for, visible

if TYPE_CHECKING:
    from rulegame.game import Game, GameError


@dataclass(frozen=True, slots=True)
class Options:
    """How a game is played, as the call said it."""

    sets: Sequence[str] = ()
    enable: Sequence[str] = ()
    disable: Sequence[str] = ()
    first: str = "1"
    names: str = ""
    seed: str = ""
    rolls: str = ""
    no_color: bool = False


def command(
    ruleset: RulesetName,
    sets: Set = None,
    enable: Enable = None,
    disable: Disable = None,
    first: Annotated[
        str, typer.Option(metavar="1|2|...|random", help="Who moves first, by number.")
    ] = "1",
    names: Annotated[
        str, typer.Option(metavar="NAME,NAME", help="The players' names, in seat order.")
    ] = "",
    seed: Annotated[str, typer.Option(metavar="NUMBER", help="Chance that can be repeated.")] = "",
    rolls: Annotated[
        str,
        typer.Option(metavar="5,3,6", help="Dice by hand; chance again when they run out."),
    ] = "",
    no_color: NoColor = False,
) -> int:
    """Play a game at this terminal."""
    options = Options(sets or (), enable or (), disable or (), first, names, seed, rolls, no_color)
    return run(ruleset, options)


def run(name: str, options: Options) -> int:
    """Exit code 0: played to the end; 1: problems, or no more input; 130: interrupted."""
    ruleset = open_ruleset(name, options.sets, options.enable, options.disable, options.no_color)
    if ruleset is None:
        return 1
    chance = Random(read_seed(options.seed))
    seat = _first_seat(options.first, len(ruleset.players), chance)
    names = read_names(options.names, len(ruleset.players))
    dice = Dice(read_rolls(options.rolls, ruleset), chance)
    game = open_game(name, ruleset, options.no_color)
    if game is None:
        return 1
    return play(game, seat, names, dice, style_for(sys.stdout, options.no_color))


def _first_seat(text: str, players: int, chance: Random) -> int:
    if text.strip().lower() == "random":
        return chance.randrange(players)
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


def play(game: Game, seat: int, names: Sequence[str], dice: Dice, style: Style) -> int:
    """One game, from the welcome to the end."""
    from rulegame.game import GameError

    terminal = Terminal(style)
    try:
        _converse(game, seat, names, dice, terminal)
    except EOFError:
        return _ended(terminal, "The game was ended: no more input.", 1)
    except KeyboardInterrupt:
        return _ended(terminal, "The game was interrupted.", INTERRUPTED)
    except WrongRoll as mistake:
        return _ended(terminal, f"The game was ended: {mistake}.", 1)
    except GameError as error:
        terminal.end_line()
        sys.stdout.write(error.said + fault_text(error, style))
        return 1
    return 0


def _converse(game: Game, seat: int, names: Sequence[str], dice: Dice, terminal: Terminal) -> None:
    from rulegame.dialogue import converse

    conversation = converse(game, first=seat, names=names, roll=dice.roll)
    try:
        ask = next(conversation)
        while True:
            terminal.write(ask.text)
            ask = conversation.send(terminal.ask(ask.prompt, ask.secret))
    except StopIteration as end:
        terminal.write(end.value.text)


def _ended(terminal: Terminal, message: str, code: int) -> int:
    terminal.end_line()
    print(visible(message), file=sys.stderr)
    return code


def fault_text(error: GameError, style: Style) -> str:
    """Where the rules failed, and the moves that led there."""
    moves = ", ".join(error.moves) or "none"
    return f"{problems_text([error.diagnostic], style)}The moves so far: {visible(moves)}\n"
