"""`rulegame play`: play a game at a terminal or through a pipe."""

from __future__ import annotations

import secrets
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Literal

from rulegame.extras import require_player
from rulegame.playing.seating import seated_names
from rulegame_cli.calling.gathering import STANDARD_INPUT
from rulegame_cli.calling.opening import compiled, open_ruleset
from rulegame_cli.calling.opponents import OPPONENTS
from rulegame_cli.calling.options import (
    FIRST_IN_MATCH,
    NAMES,
    SEED,
    SettingsOptions,
    TableOptions,
    Texts,
    argument,
    flag,
    option,
    repeatable,
)
from rulegame_cli.calling.rolls import read_rolls
from rulegame_cli.calling.seats import read_list, read_rounds, read_seats, split_seats
from rulegame_cli.calling.usage_errors import WrongCall
from rulegame_cli.calling.values import read_names, read_seat, read_seed
from rulegame_cli.printing.terminal import Terminal

if TYPE_CHECKING:
    from rulegame.model import Ruleset
    from rulegame.playing.saves import Header
    from rulegame_cli.calling.choosing import Wish


class PlayOptions(SettingsOptions, TableOptions):
    """Play a game in the terminal, against people or the computer.

    Type `help` during a game to see all commands. Games are saved automatically; continue with
    `rulegame resume`.
    """

    ruleset: str = argument(
        "RULESET",
        "Ruleset file or bundled game. Default: choose from a list.",
        required=False,
    )
    opponent: str = option(
        OPPONENTS, "Play against the computer. search:2s thinks for 2 s per move.", "--vs"
    )
    seat: str = option("NUMBER", "Your seat with --vs. Default: 1.")
    players: str = option(
        "PLAYER,PLAYER", "Players in seat order, e.g. human,search:2s, or one for all seats."
    )
    seats: Texts = repeatable(
        "NUMBER=PLAYER", "Players in some seats, e.g. 2=search:2s or 1=human,3=easy. Repeatable."
    )
    watch: bool = flag("Watch computer players play each other.")
    first: str = FIRST_IN_MATCH
    names: str = NAMES
    rounds: str = option("NUMBER", "Play a match of NUMBER rounds.")
    best_of: str = option("NUMBER", "Play a match that ends once it is decided.")
    seed: str = SEED
    rolls: str = option("ROLL,ROLL", "Use these dice rolls first (5,3,6), then roll randomly.")
    save: str = option("FILE", "Save the game to FILE.")
    no_save: bool = flag("Do not save the game.")


def run(options: PlayOptions) -> int:
    """Exit code 0: played to the end, or left; 1: problems, or no more input; 130: interrupted."""
    if options.save and options.no_save:
        raise WrongCall("--save and --no-save cannot be combined")
    if options.ruleset == STANDARD_INPUT:
        raise WrongCall(
            "Standard input is needed for the moves. Name a ruleset file or bundled game."
        )
    in_seats = (text.partition("=")[2] for text in split_seats(options.seats))
    for spec in (options.opponent, *options.players.split(","), *in_seats):
        require_player(spec)
    if not options.ruleset:
        from rulegame_cli.calling.choosing import choose_game

        wish = choose_game(options)
        if wish is None:
            return 1
        options = _as_wished(options, wish)
    name = options.ruleset
    ruleset = open_ruleset(name, options)
    if ruleset is None:
        return 1
    header = _header(name, ruleset, options)
    game = compiled(name, ruleset, options)
    if game is None:
        return 1
    header = replace(header, parameters=game.parameters)
    from rulegame_cli.table.run_match import new_match, run_matches

    table = new_match(game, header, options, not options.no_save, options.save)
    return run_matches(table.run, table, options, not options.no_save)


def _changed(options: PlayOptions, **others: Any) -> PlayOptions:
    return PlayOptions(**{**vars(options), **others})


def _as_wished(options: PlayOptions, wish: Wish) -> PlayOptions:
    """The call as if everything that was chosen had been given in it."""
    return _changed(
        options,
        ruleset=wish.name,
        sets=(*options.sets, *wish.sets),
        enable=(*options.enable, *wish.enable),
        disable=(*options.disable, *wish.disable),
        opponent=options.opponent or wish.opponent,
        first=wish.first or options.first,
    )


def _header(name: str, ruleset: Ruleset, options: PlayOptions) -> Header:
    """What the call says about the game; the parameters are known once it is compiled."""
    from rulegame.playing.reopening import identity, new_header

    players = len(ruleset.players)
    seed = read_seed(options.seed)
    rounds, best_of = read_rounds(options.rounds, options.best_of)
    found = identity(name)
    given = (*read_list(options.players, players), *split_seats(options.seats))
    seats = read_seats(players, options.opponent, options.seat, given, options.watch)
    at_screen = Terminal(options.style, plain=options.plain).draws
    names = seated_names(ruleset.players, seats) if at_screen else ruleset.players
    return new_header(
        ruleset,
        seats,
        found=found,
        names=tuple(read_names(options.names, players) or names),
        first=_first_seat(options.first, players),
        rounds=rounds,
        best_of=best_of,
        seed=secrets.randbits(48) if seed is None else seed,
        rolls=read_rolls(options.rolls, ruleset),
        sets=options.sets,
        enable=options.enable,
        disable=options.disable,
    )


def _first_seat(text: str, players: int) -> int | Literal["random"]:
    match text.strip().lower():
        case "random":
            return "random"
        case "alternate":  # as rounds do by themselves
            return 0
    return read_seat(text, players, "random", "alternate")
