"""Computer players: who chooses a move."""

from __future__ import annotations

from random import Random
from typing import Protocol

from rulegame.game import Game, Move, View
from rulegame.progress import Progress, silent


class UnknownPlayer(ValueError):
    """A name that no computer player has."""


class PlayerFailed(RuntimeError):
    """A player chose something that is no valid move."""


class Player(Protocol):
    """Someone who chooses."""

    def choose(self, view: View, rng: Random) -> Move:
        """One of the valid moves."""
        ...


class RandomPlayer:
    """Any valid move."""

    note: str | None = None

    def choose(self, view: View, rng: Random) -> Move:
        return rng.choice(view.moves)


def player_names() -> tuple[str, ...]:
    """The kinds of players."""
    return ("random",)


def make_player(spec: str, game: Game, *, first: int = 0, progress: Progress = silent) -> Player:
    """The player that a text describes."""
    if spec != "random":
        raise UnknownPlayer(f"there is no computer player '{spec}'; there are: random")
    return RandomPlayer()
