"""Results of a search, advice to a player, and the rule by which a search weighs good moves against
untried ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final, Literal, NamedTuple

from rulegame.game import Move
from rulegame.players.proofs import Proof

EXPLORATION: Final = 0.6  # of the range of payoffs
FEWEST_TRIED: Final = 10  # moves of a state that are all tried before any is tried again
SHORTER: Final = 0.999  # what is left of a result for each move that it is away
ORIGINS: Final = {
    "solution": "from the exact solution",
    "bounds": "from proved bounds",
    "search": "by looking ahead",
}


class SearchResult(NamedTuple):
    """A move, what it is worth to the player who searched, and how often it was tried."""

    move: Move
    value: float | None  # None: never tried
    visits: int
    proof: Proof | None  # that the value is certain, this move counted


class Findings(NamedTuple):
    """All moves, and the best of them."""

    best: Move
    moves: tuple[SearchResult, ...]


class PayoffRange:
    """The least and the greatest payoff met so far."""

    __slots__ = ("high", "low")

    def __init__(self, plain: bool) -> None:
        self.low, self.high = (-1.0, 1.0) if plain else (0.0, 0.0)

    def meet(self, payoffs: tuple[float, ...]) -> None:
        low, high = min(payoffs), max(payoffs)
        if low < self.low:
            self.low = low
        if high > self.high:
            self.high = high

    @property
    def exploration(self) -> float:
        """By how much an uncertain mean is raised, before its uncertainty."""
        return EXPLORATION * ((self.high - self.low) or 1.0)


def allowed(visits: int) -> int:
    """How many different moves of a state are worth trying after so many visits."""
    return max(FEWEST_TRIED, int(3 * sqrt(visits)))


@dataclass(frozen=True, slots=True)
class RatedMove:
    """A move, what it is worth to the player who makes it (win 1, loss -1), and that in words."""

    move: Move
    value: float | None  # None: not looked at
    text: str
    decided: bool = False  # whether the text states a proved win, loss or draw


@dataclass(frozen=True, slots=True)
class Advice:
    """The moves to play, and their values. `worths` has all valid moves in their order; `best` is
    empty if none of them is known to be better than others.
    """

    best: tuple[Move, ...]
    worths: tuple[RatedMove, ...]
    source: Literal["solution", "bounds", "search"]  # `bounds`: a solution that is not exact
    note: str | None = None  # why there is no solution, or how far it is from exact

    @property
    def origin(self) -> str:
        """The source in words."""
        return ORIGINS[self.source]
