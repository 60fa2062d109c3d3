"""What a player is, and what can go wrong with one."""

from __future__ import annotations

from random import Random
from typing import Protocol

from rulegame.game import Move, View


class Player(Protocol):
    """Whoever can choose a move from what a seat knows. It may also have a `note`: a sentence for
    people, or None.
    """

    def choose(self, view: View, rng: Random) -> Move:
        """One of `view.moves`; randomness comes from `rng` alone."""
        ...


class UnknownPlayer(ValueError):
    """There is no such player, or it cannot be made; the message says what there is."""


class PlayerFailed(RuntimeError):
    """A player from elsewhere raised an error, or chose something that is no valid move."""
