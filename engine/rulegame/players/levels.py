"""Opponents by how hard they are to beat: what stands behind the names easy, medium and hard."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

from rulegame.game import Move, View
from rulegame.players.mixes import Mix
from rulegame.players.simple import GreedyPlayer, RandomPlayer

LEVELS: Final = {"medium": "search:200", "hard": "perfect"}  # who plays; `easy` is made here
CARELESS: Final = 0.5  # how often an easy opponent does not look at all


class CarelessPlayer:
    """Looks one move ahead, or does not look at all: as likely the one as the other."""

    note: str | None = None

    def __init__(self) -> None:
        self._greedy, self._random = GreedyPlayer(), RandomPlayer()

    def choose(self, view: View, rng: Random) -> Move:
        careless = rng.random() < CARELESS
        return (self._random if careless else self._greedy).choose(view, rng)

    def mix(self, view: View) -> Mix | None:
        """As likely what the one would play as what the other would."""
        careful, careless = self._greedy.mix(view), self._random.mix(view)
        if careful is None:
            return None
        share = Fraction(CARELESS)
        return {
            move: share * careless[move] + (1 - share) * careful.get(move, 0)
            for move in view.moves
        }
