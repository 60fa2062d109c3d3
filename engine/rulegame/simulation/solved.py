"""Perfect players of simulated games, who play from a solution."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rulegame.evaluation.runtime import Cells
from rulegame.exploring import StateGraph
from rulegame.game import Move
from rulegame.solving import PerfectInformationSolution


class SolvedPlayer:
    """A perfect player at a table with others who are asked move by move."""

    def __init__(self, solution: PerfectInformationSolution) -> None:
        self._graph = solution.graph
        self._chosen = solution.chosen

    def edges(self, seats: Sequence[int], graph: StateGraph) -> NDArray[np.int32]:
        """Of each state of these seats the edge which the solution's proof is about, -1 elsewhere.
        In a won state it leads nearer to the end, so that perfect play does not go round in
        circles.
        """
        return np.where(np.isin(graph.owner, seats), self._chosen, -1).astype(np.int32)

    def move_at(self, cells: Cells) -> Move:
        """The move that the solution's proof is about."""
        edge = int(self._chosen[self._graph.cells.number(cells)])
        return self._graph.move_table[int(self._graph.moves[edge])]
