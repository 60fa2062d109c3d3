"""The player that searches, whatever the game: by a tree of states, or of what a seat knows."""

from __future__ import annotations

from functools import partial
from math import inf
from random import Random

from rulegame.compiling import Cells
from rulegame.game import Move, View
from rulegame.players.answer import best_answer
from rulegame.players.beliefs import believing
from rulegame.players.budget import Budget, Pace
from rulegame.players.findings import Findings
from rulegame.players.interface import SlicedPlayer
from rulegame.players.ismcts import Forest
from rulegame.players.machinery import Machinery
from rulegame.players.mcts import SearchTree, Sprout, Trial
from rulegame.players.python_tree import PythonTree
from rulegame.players.slices import Thinking, finish
from rulegame.players.table import FastTable
from rulegame.players.tree_memory import Beyond

DEFAULT = Budget(seconds=1.0)
THOROUGH = 0.3  # seconds for what is worked out when the result is certain,
AT_ONCE = 0.05  # and of them without a pause


def search(view: View, rng: Random, budget: Budget = DEFAULT) -> Findings | None:
    """What a search finds out about the moves of a view; None if what is hidden cannot even be
    guessed.
    """
    return finish(searching(view, rng, budget))


def searching(view: View, rng: Random, budget: Budget) -> Thinking[Findings | None]:
    """The same in slices."""
    table = view.game.companion(FastTable)
    if view.state is not None:
        tree = _TreeSearch(table, view.state.cells, rng.getrandbits(64), budget)
        return (yield from tree.findings())
    pace = Pace(budget)
    belief = yield from believing(view, rng, pace)
    if not len(belief):
        return None
    return (yield from Forest(table, view, belief, rng).search(pace))


class _TreeSearch:
    """One search, begun in Python and begun again at machine speed as soon as that is possible:
    the same tree grows for the same number of iterations.
    """

    def __init__(self, table: FastTable, cells: Cells, seed: int, budget: Budget) -> None:
        self._table, self._cells, self._seed = table, cells, seed
        self._pace = Pace(budget)
        self._machinery = table.game.companion(Machinery)
        self._machinery.think(budget.seconds or 0.0)

    def findings(self) -> Thinking[Findings]:
        try:
            return (yield from self._search())
        except Beyond:
            self._machinery.refuse()
            self._pace.restart()
            return (yield from self._search())

    def _search(self) -> Thinking[Findings]:
        tree, pace = self._plant(), self._pace
        while tree.certain is None and pace.slice:
            began = pace.now
            done = tree.grow(pace.slice)
            if tree.sprout is PythonTree:
                self._machinery.think(pace.now - began)
                if self._machinery.look() is not None:
                    pace.restart()
                    tree = self._plant()
                    continue
            yield from pace.spend(done)
        if tree.certain is None or not pace.slice:
            return tree.findings(None)
        return tree.findings((yield from self._hardest(tree)))

    def _hardest(self, tree: SearchTree) -> Thinking[int]:
        """Of moves that are proved equal the hardest for opponents who err: reckoned out if that is
        feasible, and otherwise tried.
        """
        pace, thorough = self._pace, self._pace.lasts(THOROUGH)
        seconds = AT_ONCE if pace.is_timed else inf
        rivals = tree.rivals(seconds if thorough else 0)
        if len(rivals) == 1:
            return rivals[0]
        reckoned = None
        if thorough:
            reckoned = yield from best_answer(tree.table, tree.cells, rivals, pace)
        if reckoned is not None:
            return reckoned
        trial = Trial(tree, rivals)
        while pace.slice and not trial.decided:
            yield from pace.spend(trial.grow(pace.slice))
        return trial.best

    def _plant(self) -> SearchTree:
        machine = self._machinery.look()
        sprout: Sprout = PythonTree
        if machine is not None:
            from rulegame.players.machine_tree import MachineTree

            sprout = partial(MachineTree, machine)
        return SearchTree(self._table, self._cells, sprout, self._seed)


class SearchPlayer(SlicedPlayer):
    """Plays the move that a search has tried most often, or proved."""

    note = None

    def __init__(self, budget: Budget = DEFAULT) -> None:
        self.budget = budget

    def thinking(self, view: View, rng: Random) -> Thinking[Move]:
        moves = view.moves
        if len(moves) == 1:
            return moves[0]
        found = yield from searching(view, rng, self.budget)
        return rng.choice(moves) if found is None else found.best
