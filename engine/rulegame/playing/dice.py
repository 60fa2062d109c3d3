"""What falls where chance decides: values given by hand first, then exact probabilities."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulegame.game import Move, State
    from rulegame.playing.session import Fresh


class WrongRoll(Exception):
    """A value given by hand that cannot be rolled at this point of the game."""


class Dice:
    """What falls for the first time, in all rounds of a match. By chance, it depends on the seed,
    the round and the number of the roll alone: a game that goes on later rolls the same.
    """

    def __init__(self, by_hand: Sequence[str], seed: int) -> None:
        self._by_hand = deque(by_hand)
        self._seed = seed

    def skip(self, count: int) -> None:
        """So many have fallen before."""
        for _ in range(min(count, len(self._by_hand))):
            self._by_hand.popleft()

    def of_round(self, number: int) -> Fresh:
        """The dice of one round, for a session."""

        def fresh(state: State, name: str, before: int) -> Move:
            return self.roll(state, f"{number}/{name}/{before}")

        return fresh

    def roll(self, state: State, place: str) -> Move:
        """One of the events that are possible in the state."""
        if not self._by_hand:
            return state.roll(Random(f"{self._seed}/{place}").randrange)
        given = self._by_hand.popleft()
        from rulegame.game.visibility import Sight

        possible = {_value(move): move for move in state.moves}
        if given not in possible:
            name = state.moves[0].operation
            seen = state.game.companion(Sight).shows_roll_to_all(state.cells)
            rest = f"; it can be {_listed(possible)}" if seen else ""
            raise WrongRoll(f"{name} cannot be '{given}' here{rest}")
        return possible[given]


def _value(move: Move) -> str:
    return move.text.partition(" ")[2]


def _listed(values: Sequence[str] | dict[str, Move]) -> str:
    shown = list(values)[:20]
    return ", ".join([*shown, "…"] if len(values) > len(shown) else shown)
