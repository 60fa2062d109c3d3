"""A perfect player of games in which not everybody sees everything: it draws its moves as likely as
a best strategy has them, by what it has seen and nothing else.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Final

from rulegame.errors import CannotSolve, TooLarge
from rulegame.game import Game, Move, View
from rulegame.players.interface import Player
from rulegame.players.mixes import Mix, mix_of
from rulegame.progress import Progress, silent
from rulegame.solving import (
    HiddenSolution,
    TogetherSolution,
    solve_hidden,
    solve_together,
)

Mixed = HiddenSolution | TogetherSolution

MOST_HISTORIES: Final = 400_000  # or states, that a player waits for
SECONDS: Final = 20.0  # for what cannot be solved exactly
FAR: Final = 0.1  # of the payoff range: strategies that are more exploitable are not played


class HiddenSolutions:
    """The solutions of one game, by who moves first; each is found once."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._found: dict[int, Mixed] = {}
        self._refused: dict[int, int] = {}  # the greatest budget that was not enough

    def find(self, first: int, max_states: int, progress: Progress) -> Mixed | None:
        """The solution; None if nothing is hidden, or if it is not to be had, or not good enough
        to play by.
        """
        if self._game.kind.is_open:
            return None
        budget = min(max_states, MOST_HISTORIES)
        if self._refused.get(first, -1) < budget:
            try:
                found = self.need(first, budget, progress)
                return found if is_playable(found) else None
            except (CannotSolve, TooLarge) as reason:
                whatever = isinstance(reason, CannotSolve)
                self._refused[first] = MOST_HISTORIES if whatever else budget
        known = self._found.get(first)
        return known if known is not None and is_playable(known) else None

    def adopt(self, first: int, solution: Mixed) -> None:
        """Share a solution that was found elsewhere."""
        self._found.setdefault(first, solution)

    def need(self, first: int, max_states: int, progress: Progress = silent) -> Mixed:
        """The solution of a game in which something is hidden; CannotSolve or TooLarge if it is not
        to be had.
        """
        if first not in self._found:
            solving = solve_together if self._game.kind.is_staged else solve_hidden
            self._found[first] = solving(
                self._game, first=first, max_states=max_states, max_time=SECONDS, progress=progress
            )
        return self._found[first]


def is_playable(solution: Mixed) -> bool:
    """Whether a strategy is close enough to the best."""
    return solution.exact or solution.exploitability <= FAR * solution.payoff_range


def exploitability_note(solution: Mixed) -> str:
    """How far a strategy is from the best, for people."""
    return f"This strategy is exploitable by at most {solution.exploitability * 1.01:.1e}."


class MixedPlayer:
    """Plays a best strategy; where the game as it was solved never comes, like another player."""

    def __init__(self, solution: Mixed, otherwise: Player) -> None:
        self._solution, self._otherwise = solution, otherwise
        self.note = None if solution.exact else exploitability_note(solution)

    def knows(self, view: View) -> bool:
        """Whether the game as it was solved comes to this."""
        return self._solution.strategy(view) is not None

    def choose(self, view: View, rng: Random) -> Move:
        strategy = self._solution.strategy(view)
        if strategy is None:
            return self._otherwise.choose(view, rng)
        moves, shares = list(strategy), [float(share) for share in strategy.values()]
        return rng.choices(moves, shares)[0]

    def mix(self, view: View) -> Mix | None:
        """The strategy."""
        strategy = self._solution.strategy(view)
        if strategy is None:
            return mix_of(self._otherwise, view)
        shares = {move: Fraction(share) for move, share in strategy.items()}
        total = sum(shares.values())
        return {move: share / total for move, share in shares.items()}


class MixedByFirst:
    """Plays a best strategy, whoever has moved first: what it has seen tells who it was."""

    note = None

    def __init__(self, game: Game, otherwise: Player) -> None:
        begins = {game.kernel.who_begins(seat) for seat in range(len(game.players))}
        known = game.companion(HiddenSolutions)
        self._players = [
            MixedPlayer(known.need(first, MOST_HISTORIES), otherwise) for first in sorted(begins)
        ]

    def choose(self, view: View, rng: Random) -> Move:
        knowing = (one for one in self._players if one.knows(view))
        return next(knowing, self._players[0]).choose(view, rng)
