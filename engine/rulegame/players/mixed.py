"""A perfect player of games in which not everybody sees everything: it draws its moves as likely as
a best strategy has them, by what it has seen and nothing else.
"""

from __future__ import annotations

from fractions import Fraction
from random import Random

from rulegame.game import Game, Move, View
from rulegame.players.interface import Player
from rulegame.players.mixes import Mix, mix_of
from rulegame.players.solutions import MOST_HISTORIES, Solutions, Unsolved
from rulegame.solving import CannotSolve, MixedSolution


def exploitability_note(solution: MixedSolution) -> str:
    """How far a strategy is from the best, for people."""
    return f"This strategy is exploitable by at most {solution.exploitability * 1.01:.1e}."


class MixedPlayer:
    """Plays a best strategy; where the game as it was solved never comes, like another player."""

    def __init__(self, solution: MixedSolution, otherwise: Player) -> None:
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
        self._players = [MixedPlayer(_mixed(game, first), otherwise) for first in sorted(begins)]

    def choose(self, view: View, rng: Random) -> Move:
        knowing = (one for one in self._players if one.knows(view))
        return next(knowing, self._players[0]).choose(view, rng)


def _mixed(game: Game, first: int) -> MixedSolution:
    """The solution of a game in which something is hidden; CannotSolve if there is none to play
    by.
    """
    try:
        found = game.companion(Solutions).find(first, MOST_HISTORIES)
    except Unsolved as reason:
        raise CannotSolve(str(reason)) from None
    assert isinstance(found, MixedSolution)
    return found
