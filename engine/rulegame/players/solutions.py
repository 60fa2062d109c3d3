"""Solutions of games, each found once and shared by everyone who asks: perfect players, hints,
ratings and best responses.
"""

from __future__ import annotations

from math import inf
from typing import Final

from rulegame.errors import CannotSolve, OutOfTime, TooLarge
from rulegame.game import Game
from rulegame.progress import Progress, silent
from rulegame.solving import Method, MixedSolution, PerfectInformationSolution, solve

Playable = PerfectInformationSolution | MixedSolution

MOST_HISTORIES: Final = 400_000  # or states, that a player waits for, where something is hidden
SECONDS: Final = 20.0  # for what cannot be solved exactly
FAR: Final = 0.1  # of the payoff range: strategies that are more exploitable are not played


class Unsolved(Exception):
    """The game is not solved; the message says why, as a clause."""


class Solutions:
    """The solutions of one game, by who moves first."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._found: dict[int, Playable] = {}
        self._refused: dict[int, str] = {}  # whatever the budget
        self._too_large: dict[int, int] = {}  # the greatest budget that was not enough
        self._too_slow: dict[int, float] = {}  # the longest time that was not enough

    def adopt(self, first: int, solution: Playable) -> None:
        """Share a solution that was found elsewhere, if it is good enough to play by."""
        if is_playable(solution):
            self._found.setdefault(first, solution)

    def known(self, first: int) -> Playable | None:
        """The solution, if it was found already."""
        return self._found.get(first)

    def find(
        self,
        first: int,
        max_states: int,
        progress: Progress = silent,
        seconds: float = inf,
    ) -> Playable:
        """Return the solution; `Unsolved` if the game cannot be solved within the budget.
        Strategies that are not exact are improved for at most SECONDS; only the full time makes
        them final.
        """
        if first in self._found:
            return self._found[first]
        hidden = not self._game.kind.is_open
        budget = min(max_states, MOST_HISTORIES) if hidden else max_states
        found = self._solve(first, budget, min(seconds, SECONDS) if hidden else seconds, progress)
        if found.exact or not hidden or seconds >= SECONDS:
            self._found[first] = found
        return found

    def _solve(self, first: int, budget: int, seconds: float, progress: Progress) -> Playable:
        if first in self._refused:
            raise Unsolved(self._refused[first])
        if self._too_large.get(first, -1) >= budget:
            raise self._unsolved(budget)
        if self._too_slow.get(first, -1) >= seconds:
            raise self._out_of_time()
        try:
            found = self._solved(first, budget, seconds, progress)
        except CannotSolve as reason:
            self._refused[first] = str(reason)
            raise Unsolved(str(reason)) from None
        except OutOfTime:
            self._too_slow[first] = seconds
            raise self._out_of_time() from None
        except TooLarge:
            self._too_large[first] = budget
            raise self._unsolved(budget) from None
        if not is_playable(found):
            clause = "no strategy was found that is close enough to the best"
            if seconds >= SECONDS:
                self._refused[first] = clause
            raise Unsolved(clause)
        return found

    def _solved(self, first: int, budget: int, seconds: float, progress: Progress) -> Playable:
        """The solution of the game as it is."""
        opened = self._game.kind.is_open
        found = solve(
            self._game,
            Method.PERFECT_INFORMATION if opened else Method.AUTO,
            first=first,
            max_states=budget,
            max_time=None if seconds == inf else seconds,
            progress=progress,
        )
        assert isinstance(found, Playable)
        return found

    def _out_of_time(self) -> Unsolved:
        return Unsolved("solving this game takes too long")

    def _unsolved(self, budget: int) -> Unsolved:
        kind = self._game.kind
        if kind.hidden is not None:
            return Unsolved(f"{kind.hidden}, and the game is too big to solve")
        if not kind.is_open:
            return Unsolved("players choose at the same time, and the game is too big to solve")
        return Unsolved(f"this game is too big to solve exactly (over {budget:,} positions)")


def is_playable(solution: Playable) -> bool:
    """Whether a strategy is close enough to the best."""
    if isinstance(solution, PerfectInformationSolution) or solution.exact:
        return True
    return solution.exploitability <= FAR * solution.payoff_range
