"""The levels easy, medium and hard, defined once for every front end.

`easy` is `CarelessPlayer`. `medium` searches `MEDIUM` iterations. `hard` searches for `THINKING`
and plays from the solution of the game as soon as that is ready (if solving is installed); where
games must be repeatable, it searches `REPEATABLE` iterations instead.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

from rulegame.extras import is_installed
from rulegame.game import Game, Move, View
from rulegame.players.budget import Budget
from rulegame.players.interface import Player
from rulegame.players.mixes import Mix
from rulegame.players.search import SearchPlayer
from rulegame.players.simple import GreedyPlayer, RandomPlayer
from rulegame.players.slices import Thinking

CARELESS: Final = 0.5  # of the moves of an easy opponent are random
MEDIUM: Final = Budget(iterations=200)
THINKING: Final = Budget(seconds=1.0)  # for a move of a hard opponent
REPEATABLE: Final = Budget(iterations=2000)  # the same in simulations


def make_level(name: str, game: Game, first: int, max_states: int, *, repeatable: bool) -> Player:
    """The player of a level; a repeatable one chooses the same moves with the same seed."""
    if name == "easy":
        return CarelessPlayer()
    if name == "medium":
        return SearchPlayer(MEDIUM)
    if repeatable:
        return SearchPlayer(REPEATABLE)
    if not is_installed("solve"):
        return SearchPlayer(THINKING)
    from rulegame.players.hard import HardPlayer

    return HardPlayer(game, first, max_states, THINKING)


class CarelessPlayer(GreedyPlayer):
    """Looks one move ahead, or plays at random: equally likely."""

    def thinking(self, view: View, rng: Random) -> Thinking[Move]:
        if rng.random() < CARELESS:
            return RandomPlayer().choose(view, rng)
        return (yield from super().thinking(view, rng))

    def mix(self, view: View) -> Mix | None:
        """The average of both."""
        careful, careless = super().mix(view), RandomPlayer().mix(view)
        if careful is None:
            return None
        share = Fraction(CARELESS)
        return {
            move: share * careless[move] + (1 - share) * careful.get(move, 0) for move in view.moves
        }
