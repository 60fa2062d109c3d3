"""The player that searches, whatever the game: by a tree of states, or of what a seat knows."""

from __future__ import annotations

from functools import partial
from random import Random
from time import monotonic

from rulegame.compiling import Cells
from rulegame.game import Move, View
from rulegame.players.beliefs import believe
from rulegame.players.budget import Budget, Pace
from rulegame.players.findings import Findings
from rulegame.players.ismcts import Forest
from rulegame.players.machinery import Machinery
from rulegame.players.mcts import SearchTree, Sprout, Trial
from rulegame.players.python_tree import PythonTree
from rulegame.players.table import FastTable
from rulegame.players.tree_memory import Beyond

DEFAULT = Budget(seconds=1.0)
THOROUGH = 0.3  # seconds for what is worked out when the result is certain


def search(view: View, rng: Random, budget: Budget = DEFAULT) -> Findings | None:
    """What a search finds out about the moves of a view; None if what is hidden cannot even be
    guessed.
    """
    table = view.game.companion(FastTable)
    if view.state is not None:
        return _Thinking(table, view.state.cells, rng.getrandbits(64), budget).findings()
    began = monotonic()
    belief = believe(view, rng)
    if not len(belief):
        return None
    return Forest(table, view, belief, rng).search(budget.after(monotonic() - began))


class _Thinking:
    """One search, begun in Python and begun again at machine speed as soon as that is possible:
    the same tree grows for the same number of iterations.
    """

    def __init__(self, table: FastTable, cells: Cells, seed: int, budget: Budget) -> None:
        self._table, self._cells, self._seed = table, cells, seed
        self._pace = Pace(budget)
        self._machinery = table.game.companion(Machinery)
        self._machinery.think(budget.seconds or 0.0)

    def findings(self) -> Findings:
        try:
            return self._search()
        except Beyond:
            self._machinery.refuse()
            self._pace.restart()
            return self._search()

    def _search(self) -> Findings:
        tree, pace = self._plant(), self._pace
        while tree.certain is None and pace.slice:
            began = monotonic()
            pace.spend(tree.grow(pace.slice))
            if tree.sprout is PythonTree:
                self._machinery.think(monotonic() - began)
                if self._machinery.look() is not None:
                    pace.restart()
                    tree = self._plant()
        if tree.certain is None or not pace.slice:
            return tree.findings(None)
        trial = Trial(tree, pace.lasts(THOROUGH))
        while pace.slice and not trial.decided:
            pace.spend(trial.grow(pace.slice))
        return tree.findings(trial.best)

    def _plant(self) -> SearchTree:
        machine = self._machinery.look()
        sprout: Sprout = PythonTree
        if machine is not None:
            from rulegame.players.machine_tree import MachineTree

            sprout = partial(MachineTree, machine)
        return SearchTree(self._table, self._cells, sprout, self._seed)


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
