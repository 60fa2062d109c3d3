"""The player that searches: Monte Carlo tree search within a budget."""

from __future__ import annotations

from random import Random
from time import monotonic

from rulegame.game import Move, View
from rulegame.players.beliefs import believe
from rulegame.players.budget import Budget
from rulegame.players.findings import Findings
from rulegame.players.ismcts import Forest
from rulegame.players.mcts import SearchTree
from rulegame.players.table import FastTable

DEFAULT = Budget(seconds=1.0)


def search(view: View, rng: Random, budget: Budget = DEFAULT) -> Findings | None:
    """What a search finds out about the moves of a view; None if what is hidden cannot even be
    guessed.
    """
    table = view.game.companion(FastTable)
    if view.state is not None:
        return SearchTree(table, view.state.cells, rng).search(budget)
    began = monotonic()
    belief = believe(view, rng)
    if not len(belief):
        return None
    return Forest(table, view, belief, rng).search(budget.after(monotonic() - began))


class SearchPlayer:
    """Plays the move that a search has tried most often, or proved."""

    note = None

    def __init__(self, budget: Budget = DEFAULT) -> None:
        self.budget = budget

    def choose(self, view: View, rng: Random) -> Move:
        moves = view.moves
        if len(moves) == 1:
            return moves[0]
        found = search(view, rng, self.budget)
        return rng.choice(moves) if found is None else found.best
