"""The hard level where games can be solved."""

from __future__ import annotations

from random import Random
from typing import Final

from rulegame.game import Game, Move, View
from rulegame.players.background import BackgroundSolutions
from rulegame.players.budget import Budget
from rulegame.players.interface import Player, SlicedPlayer
from rulegame.players.perfect import solved_player
from rulegame.players.search import SearchPlayer
from rulegame.players.slices import Thinking

PATIENCE: Final = 0.02  # seconds at the start of a move that may pass until the solution is ready


class HardPlayer(SlicedPlayer):
    """Searches within a budget, until a thread has found the solution; then it plays from that."""

    note: str | None = None

    def __init__(self, game: Game, first: int, max_states: int, thinking: Budget) -> None:
        self.budget = thinking
        self._solutions = game.companion(BackgroundSolutions)
        self._first = first
        self._solved: Player | None = None
        self.spec = "hard"  # with what the last move came from: for the label of the seat
        self._solutions.begin(first, max_states)

    def thinking(self, view: View, rng: Random) -> Thinking[Move]:
        if len(view.moves) == 1:
            return view.moves[0]
        searching = SearchPlayer(self.budget).thinking(view, rng)
        solved = self._solved_player(PATIENCE)
        while solved is None:
            try:
                next(searching)
            except StopIteration as end:
                self.spec = "hard:search"
                move: Move = end.value
                return move
            yield
            solved = self._solved_player(0.0)
        self.spec = "hard:solution"
        return solved.choose(view, rng)

    def _solved_player(self, patience: float) -> Player | None:
        """A player by the solution, if that is ready within so many seconds."""
        if self._solved is None:
            solution = self._solutions.ready(self._first, patience)
            if solution is not None:
                self._solved = solved_player(solution, SearchPlayer(self.budget))
        return self._solved
