"""The hard level where games can be solved."""

from __future__ import annotations

from random import Random
from time import monotonic
from typing import Final

from rulegame.game import Game, Move, View
from rulegame.players.background import BackgroundSolutions
from rulegame.players.budget import Budget
from rulegame.players.interface import Player
from rulegame.players.perfect import solved_player
from rulegame.players.search import SearchPlayer

PATIENCE: Final = 0.5  # seconds of the first move that may pass until the solution is ready


class HardPlayer:
    """Searches within a budget; plays from the solution once a thread has found it."""

    note: str | None = None

    def __init__(self, game: Game, first: int, max_states: int, thinking: Budget) -> None:
        self._thinking = thinking
        self._solutions = game.companion(BackgroundSolutions)
        self._first = first
        self._patience = PATIENCE
        self._solved: Player | None = None
        self.spec = "hard"  # with what the last move came from: for the label of the seat
        self._solutions.begin(first, max_states)

    def choose(self, view: View, rng: Random) -> Move:
        if len(view.moves) == 1:
            return view.moves[0]
        began = monotonic()
        solved = self._solved_player()
        self.spec = "hard:search" if solved is None else "hard:solution"
        if solved is not None:
            return solved.choose(view, rng)
        return SearchPlayer(self._thinking.after(monotonic() - began)).choose(view, rng)

    def _solved_player(self) -> Player | None:
        """Plays from the solution, if that is ready or will be in a moment."""
        if self._solved is None:
            solution = self._solutions.ready(self._first, self._patience)
            self._patience = 0.0
            if solution is not None:
                self._solved = solved_player(solution, SearchPlayer(self._thinking))
        return self._solved
