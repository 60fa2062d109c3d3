"""Solutions whose best play mixes moves: with hidden information, or choices at once."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from rulegame.game import Move, View
from rulegame.shown import Large
from rulegame.solving.result import MoveValue, Place, Solution, number_data


class MixedMove(NamedTuple):
    """A move, how likely it is in a best strategy, and about what it is worth to the player who
    makes it, if both go on with their strategies; None if the other one never lets it come to that.
    """

    move: Move
    probability: Fraction | float
    value: float | None


class ChoicePoint(NamedTuple):
    """What a player knows when it is to choose, and how it chooses."""

    seat: int
    knows: str  # in words: own values that others do not see, and the moves so far
    moves: tuple[MixedMove, ...]
    used: bool  # whether the player's own strategy ever comes to this


class MixedSolution(Large, Solution):
    """A strategy of each of two players, and what they prove."""

    __slots__ = ()
    values = None
    payoffs: tuple[Fraction, Fraction]  # the least and the greatest

    @property
    def payoffs_between(self) -> tuple[Fraction, Fraction]:
        return self.payoffs

    @property
    def payoff_range(self) -> float:
        """The difference between the greatest and the least payoff."""
        return float(self.payoffs[1] - self.payoffs[0])

    @property
    def exploitability(self) -> float:
        """At most so much less than the value does either of the two strategies get against the
        best answer to it.
        """
        return 0.0 if self.exact else float(np.nextafter(self.upper - self.lower, np.inf))

    @property
    def seats(self) -> tuple[int, ...]:
        """Who is first, and the other one, if there is one."""
        return (self.first,) if self.kind.players == 1 else (self.first, 1 - self.first)

    # ---- strategies

    def strategy(self, view: View) -> dict[Move, Fraction | float] | None:
        if len(view.moves) == 1:
            return {view.moves[0]: Fraction(1)}
        return self._mix(view)

    @abstractmethod
    def _mix(self, view: View) -> dict[Move, Fraction | float] | None:
        """The strategy where there are several moves."""

    @abstractmethod
    def worth(self, view: View) -> dict[Move, tuple[float, float]]:
        """Bounds on what each move is worth to the player who makes it, if both go on with their
        strategies; nothing, if that is not known.
        """

    @abstractmethod
    def information_sets(self, seat: int, opening: bool = False) -> Iterator[ChoicePoint]:
        """Where a player chooses between several moves, in the order in which that comes about;
        with `opening` only where somebody does so for the first time.
        """

    def moves(self, at: Place = None) -> tuple[MoveValue, ...]:
        view = self._view(at)
        strategy = None if view is None else self.strategy(view)
        if view is None or strategy is None:
            return ()
        worths = self.worth(view)
        most = max((sum(bounds) / 2 for bounds in worths.values()), default=0.0)
        found = []
        for move, share in strategy.items():
            one = MoveValue(move, None, best=bool(share), probability=share)
            if move in worths:
                low, high = worths[move]
                loss = max(0.0, most - (low + high) / 2)
                value = low if low == high else None
                one = replace(one, value=value, lower=low, upper=high, loss=loss)
            found.append(one)
        return tuple(sorted(found, key=lambda one: (-(one.probability or 0), one.loss or 0.0)))

    def _view(self, at: Place) -> View | None:
        """What the player to move sees; None at a roll, and when the game is over."""
        if isinstance(at, View):
            return at
        state = self.graph.state(at or 0) if at is None or isinstance(at, int) else at
        seat = state.player
        return None if seat is None or seat < 0 else state.view(seat)

    # ---- for programs

    def details(self, top: int | None) -> dict[str, Any]:
        seats = () if self.is_vacuous else self.seats
        return super().details(top) | {
            "exploitability": self.exploitability,
            **number_data("win_probability", self.win_probability),
            "strategies": {
                name: [_point_data(one) for one in islice(self.information_sets(seat, True), top)]
                for name, seat in zip(("first", "second"), seats, strict=False)
            },
        }


def _point_data(one: ChoicePoint) -> dict[str, Any]:
    return {
        "player": one.seat + 1,
        "knows": one.knows,
        "used": one.used,
        "moves": [
            {
                "move": move.move.text,
                **number_data("probability", move.probability),
                "value": move.value,
            }
            for move in one.moves
        ],
    }
