"""The players of a simulated game, and their names.

Native code can play for `random` and `perfect`. All other players choose move by move, and so does
everybody at their table.
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
    """A player under the name that the report uses."""

    def __init__(self, name: str, player: Player) -> None:
        self.name = name
        self._player = player

    def choose(self, view: View, rng: Random) -> Move:
        return self._player.choose(view, rng)


def check_name(spec: str) -> None:
    """Raise ValueError unless the name belongs to a player whose games are repeatable, and
    MissingExtra if that player needs packages that are not installed.
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
    """One player for each seat; a single one plays all seats. ValueError if the number is wrong."""
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
    """The name of a player in a report."""
    return seat if isinstance(seat, str) else str(getattr(seat, "name", type(seat).__name__))
