"""What is noted about the states of a game while they are found: owners, outcomes, edges."""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import OVER, Cells, Kernel, Outcome
from rulegame.exploring.graph import TooFine
from rulegame.exploring.state_table import first_of_each
from rulegame.lockstep.kernel import ArrayKernel, Columns


def weights_at(kernel: Kernel, cells: Cells) -> tuple[int, ...]:
    """The weights of what can be rolled, if they can be counted."""
    weights = kernel.weights(cells)
    if sum(weights) >= 2**63:
        raise TooFine
    return weights


class GraphRecord:
    """States and edges in the order of their numbers."""

    def __init__(self, kernel: Kernel, arrays: ArrayKernel) -> None:
        self._kernel, self._arrays = kernel, arrays
        self.owner, self.outcome = array("b"), array("i")
        self.offsets, self.successors = array("q", [0]), array("i")
        self.codes, self.weights = array("i"), array("b")
        self.outcomes: dict[Outcome, int] = {}

    @property
    def nbytes(self) -> int:
        arrays = (self.owner, self.outcome, self.offsets, self.successors, self.codes, self.weights)
        return sum(a.itemsize * len(a) for a in arrays)

    def add_state(self, cells: Cells) -> None:
        """Notes who moves in the next state, or how the game has ended."""
        owner = self._kernel.player(cells)
        self.owner.append(owner)
        self.outcome.append(self._outcome_at(cells) if owner == OVER else -1)

    def add_states(self, columns: Columns) -> None:
        """The same for many."""
        owner = self._arrays.players(columns)
        self.owner.frombytes(owner.tobytes())
        outcome = np.full(len(owner), -1, np.int32)
        over = np.flatnonzero(owner == OVER)
        if len(over):
            outcome[over] = self._outcomes_of([column[over] for column in columns])
        self.outcome.frombytes(outcome.tobytes())

    def _outcome_at(self, cells: Cells) -> int:
        return self.outcomes.setdefault(self._kernel.outcome(cells), len(self.outcomes))

    def _outcomes_of(self, columns: Columns) -> NDArray[np.int32]:
        words = np.stack(self._arrays.endings(columns), axis=1).view(np.uint64)
        at, which = first_of_each(words)
        numbers = [
            self._outcome_at(tuple([int(column[k]) for column in columns])) for k in at.tolist()
        ]
        return np.array(numbers, np.int32)[which]

    def add_weights(self, weights: int | NDArray[np.int64]) -> None:
        """In as few bytes as the greatest weight so far takes."""
        most = weights if isinstance(weights, int) else int(weights.max(initial=0))
        while most >= 1 << 8 * self.weights.itemsize - 1:
            wider = {"b": "h", "h": "i", "i": "q"}[self.weights.typecode]
            self.weights = array(wider, self.weights)
        if isinstance(weights, int):
            self.weights.append(weights)
        else:
            self.weights.frombytes(weights.astype(self.weights.typecode).tobytes())
