"""What a player is, and what can go wrong with one."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import Protocol

from rulegame.game import Move, View
from rulegame.players.budget import Budget
from rulegame.players.slices import Thinking, finish


class Player(Protocol):
    """Whoever can choose a move from what a seat knows. It may also have a `note`: a sentence for
    people, or None.
    """

    def choose(self, view: View, rng: Random) -> Move:
        """One of `view.moves`; randomness comes from `rng` alone."""
        ...


class SlicedPlayer(ABC):
    """A player that can be interrupted while it chooses, and limited to a time."""

    budget: Budget  # for each choice

    @abstractmethod
    def thinking(self, view: View, rng: Random) -> Thinking[Move]:
        """Choose one of `view.moves`."""

    def choose(self, view: View, rng: Random) -> Move:
        """Choose without interruption."""
        return finish(self.thinking(view, rng))


class UnknownPlayer(ValueError):
    """There is no such player, or it cannot be made; the message says what there is."""


class PlayerFailed(RuntimeError):
    """A player from elsewhere raised an error, or chose something that is no valid move."""
