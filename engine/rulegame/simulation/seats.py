"""Who sits in a seat of a simulated game: what a player is, and what its name means.

`random` and `perfect` need not be asked: machine code can play for them. All others are asked move
by move, and whoever sits at a table with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final

from rulegame.extras import require_player
from rulegame.game import Game, Move, View
from rulegame.players import Player, make_player

RANDOM: Final = "random"
PERFECT: Final = "perfect"
UNASKED: Final = (RANDOM, PERFECT)


Seat = str | Player  # a text is one of `UNASKED`


class Named:
    """A player that was asked for by name, and is called so in the report."""

    def __init__(self, name: str, player: Player) -> None:
        self.name = name
        self._player = player

    def choose(self, view: View, rng: Random) -> Move:
        return self._player.choose(view, rng)


def check_name(spec: str) -> None:
    """ValueError unless games between such players can be played, and played again; MissingExtra
    if a player needs packages that are not installed.
    """
    from rulegame.diagnostics import did_you_mean
    from rulegame.players.budget import read_budget
    from rulegame.players.registry import LEVELS, POLICY, player_names

    name, colon, argument = (part.strip() for part in spec.partition(":"))
    if name not in (*player_names(), POLICY):
        raise ValueError(f"unknown player '{name}': {did_you_mean(name, player_names())}")
    if name in (RANDOM, "greedy", PERFECT, *LEVELS) and colon:
        raise ValueError(f"'{spec}': {name} takes no argument")
    require_player(name)
    if name == "search":
        budget = read_budget(argument)
        if budget is None or budget.iterations is None:
            raise ValueError(
                f"'{spec}': write a number of iterations, as search:200; "
                "with a time limit the same games would not be played again"
            )


def seats_of(game: Game, players: Sequence[Seat]) -> tuple[Seat, ...]:
    """One player for each seat; one alone stands for all. ValueError if they do not fit."""
    given = tuple(players)
    count = len(game.players)
    if len(given) == 1:
        given *= count
    if len(given) != count:
        raise ValueError(f"expected {count} players, not {len(given)}")
    return tuple(_called(game, seat) if isinstance(seat, str) else seat for seat in given)


def _called(game: Game, spec: str) -> Seat:
    check_name(spec)
    if spec == PERFECT and not game.kind.is_open:
        from rulegame.players.mixed import MixedByFirst

        return Named(spec, MixedByFirst(game, make_player(RANDOM, game)))
    if spec in UNASKED:
        return spec
    return Named(spec, make_player(spec, game, repeatable=True))


def seat_name(seat: Seat) -> str:
    """What a player is called in a report."""
    return seat if isinstance(seat, str) else str(getattr(seat, "name", type(seat).__name__))
