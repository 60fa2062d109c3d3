"""Solutions of games, each found once and shared by everyone who asks."""

from __future__ import annotations

from rulegame.errors import CannotSolve, TooLarge
from rulegame.game import Game
from rulegame.progress import Progress, silent
from rulegame.solving import Solution, solve


class Unsolved(Exception):
    """The game is not solved; the message says why, as a clause."""


class Solutions:
    """The solutions of one game, by who moves first."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._found: dict[int, Solution] = {}
        self._refused: dict[int, str] = {}  # whatever the budget
        self._too_large: dict[int, int] = {}  # the greatest budget that was not enough

    def adopt(self, first: int, solution: Solution) -> None:
        """Share a solution that was found elsewhere."""
        self._found.setdefault(first, solution)

    def find(self, first: int, max_states: int, progress: Progress = silent) -> Solution:
        """The solution; `Unsolved` if the game cannot be solved within the budget."""
        if first in self._found:
            return self._found[first]
        kind = self._game.kind
        if kind.simultaneous:
            raise Unsolved("players choose at the same time")
        if kind.hidden is not None:
            raise Unsolved(kind.hidden)
        if first in self._refused:
            raise Unsolved(self._refused[first])
        if self._too_large.get(first, -1) >= max_states:
            raise _too_large(max_states)
        try:
            found = solve(self._game, first=first, max_states=max_states, progress=progress)
        except CannotSolve as reason:
            self._refused[first] = str(reason)
            raise Unsolved(str(reason)) from None
        except TooLarge:
            self._too_large[first] = max_states
            raise _too_large(max_states) from None
        self._found[first] = found
        return found


def _too_large(max_states: int) -> Unsolved:
    return Unsolved(f"this game is too big to solve exactly (over {max_states:,} positions)")
