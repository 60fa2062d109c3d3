"""Opponents by how hard they are to beat: what stands behind the names easy, medium and hard."""

from __future__ import annotations

from random import Random
from typing import Final

from rulegame.game import Move, View
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
