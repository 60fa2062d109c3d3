"""Who sits in a seat of a simulated game: what a player is, and what its name means.

`random` and `perfect` need not be asked: machine code can play for them. All others are asked move
by move, and whoever sits at a table with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.evaluation.runtime import Cells
from rulegame.exploring import StateGraph
from rulegame.game import Game, Move, View
from rulegame.players import Player, make_player

if TYPE_CHECKING:
    from rulegame.solving import Solution

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


class SolvedPlayer:
    """A perfect player at a table with others who are asked move by move."""

    def __init__(self, solution: Solution) -> None:
        self._graph = solution.graph
        self._chosen = solution.chosen

    def edges(self, seats: Sequence[int], graph: StateGraph) -> NDArray[np.int32]:
        """Of each state of these seats the edge which the solution's proof is about, -1 elsewhere.
        In a won state it leads nearer to the end, so that perfect play does not go round in
        circles.
        """
        return np.where(np.isin(graph.owner, seats), self._chosen, -1).astype(np.int32)

    def move_at(self, cells: Cells) -> Move:
        """The move that the solution's proof is about."""
        edge = int(self._chosen[self._graph.cells.number(cells)])
        return self._graph.move_table[int(self._graph.moves[edge])]


def check_name(spec: str) -> None:
    """ValueError unless games between such players can be played, and played again."""
    from rulegame.diagnostics import did_you_mean
    from rulegame.players.budget import read_budget
    from rulegame.players.registry import POLICY, player_names

    name, colon, argument = (part.strip() for part in spec.partition(":"))
    if name not in (*player_names(), POLICY):
        raise ValueError(f"there is no player '{name}': {did_you_mean(name, player_names())}")
    if name == "hard":
        raise ValueError("'hard': write perfect, or a search with a number, as search:5000")
    if name in (RANDOM, "greedy", PERFECT, "easy", "medium") and colon:
        raise ValueError(f"'{spec}': {name} takes nothing after its name")
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
        raise ValueError(f"there are {count} seats, but {len(given)} players were given")
    return tuple(_called(game, seat) if isinstance(seat, str) else seat for seat in given)


def _called(game: Game, spec: str) -> Seat:
    check_name(spec)
    if spec == PERFECT and _hides_something(game):
        from rulegame.players.mixed import MixedByFirst

        return Named(spec, MixedByFirst(game, make_player(RANDOM, game)))
    if spec in UNASKED:
        return spec
    return Named(spec, make_player(spec, game))


def _hides_something(game: Game) -> bool:
    """Whether best play mixes moves, so that it must be asked."""
    from rulegame.solving import has_secrets

    return has_secrets(game.ruleset)


def seat_name(seat: Seat) -> str:
    """What a player is called in a report."""
    return seat if isinstance(seat, str) else str(getattr(seat, "name", type(seat).__name__))
