"""The state graph: every reachable state, move and outcome of a game, as compact arrays.

Solving, proving and counting are functions over it. A game that exceeds the budget is refused with
the progress made; a partial graph is never returned.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulegame.exploring.state_table import StateKeys
from rulegame.exploring.symmetries import Symmetries
from rulegame.files.mapped import ArrayRoom
from rulegame.game import Game, Move, Outcome, State


@dataclass(frozen=True, slots=True)
class StateGraph:
    """States are numbered from 0, the start or the state `at`; the edges of state k are offsets[k]
    up to offsets[k + 1].
    """

    game: Game
    owner: NDArray[np.int8]  # the seat to move, CHANCE or OVER
    offsets: NDArray[np.signedinteger[Any]]
    successors: NDArray[np.int32]
    moves: NDArray[np.signedinteger[Any]]  # of each edge, an index into `move_table`
    weights: NDArray[np.signedinteger[Any]]  # of each edge of a chance state; 0 elsewhere
    outcome: NDArray[np.signedinteger[Any]]  # of each state, an index into `outcomes`, or -1
    move_table: tuple[Move, ...]
    outcomes: tuple[Outcome, ...]
    cells: StateKeys  # of each state, packed
    symmetries: Symmetries | None = None  # if one state represents all its images
    room: ArrayRoom = field(default_factory=ArrayRoom, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def edges(self) -> int:
        """The number of moves and rolls in all states."""
        return len(self.successors)

    @property
    def payoff_sum(self) -> Fraction:
        """The sum of the payoffs at every end of a constant-sum game; 0 if no end is reachable."""
        return Fraction(sum(self.outcomes[0].payoffs)) if self.outcomes else Fraction(0)

    def state(self, number: int) -> State:
        """The state with a number."""
        return self.game.resume(self.cells[number])

    def number(self, state: State) -> int:
        """The number of a state; KeyError if it is not reachable."""
        found = self.find(state)
        if found is not None:
            return found
        if state.game != self.game:
            raise KeyError(f"this is a state of another game, {state.game}, not of {self.game}")
        begin = self.state(0)
        firsts = [k for k in range(len(self.game.players)) if self.game.start(k) == begin]
        where = f"when {self.game.players[firsts[0]]} moves first" if firsts else f"from {begin}"
        raise KeyError(f"this state is never reached {where}: {state}")

    def find(self, state: State) -> int | None:
        """The number of a state, or None if it is not reachable."""
        if state.game != self.game:
            return None
        cells = state.cells
        if self.symmetries is not None:
            cells = self.symmetries.representative(cells)
        found = self.cells.number(cells)
        return found if found >= 0 else None

    def following(self, number: int) -> list[tuple[Move, int]]:
        """The moves of a state, each with the number of the next state."""
        low, high = int(self.offsets[number]), int(self.offsets[number + 1])
        return [(self.move_table[self.moves[e]], int(self.successors[e])) for e in range(low, high)]

    def following_from(self, state: State) -> list[tuple[Move, int]]:
        """The same for a given state instead of its representative."""
        if self.symmetries is None:
            return self.following(self.number(state))
        return [(move, self.number(state.play(move))) for move in state.moves]

    def chances(self, number: int) -> list[tuple[int, Fraction]]:
        """The successors of a chance state, with their probabilities."""
        low, high = int(self.offsets[number]), int(self.offsets[number + 1])
        total = int(self.weights[low:high].sum())
        return [
            (int(self.successors[e]), Fraction(int(self.weights[e]), total))
            for e in range(low, high)
        ]

    @property
    def nbytes(self) -> int:
        """The size of states and edges in bytes."""
        arrays = (self.owner, self.offsets, self.successors, self.moves, self.weights, self.outcome)
        kept = sum(a.nbytes for a in arrays if 0 not in a.strides)  # a broadcast takes none
        return kept + self.cells.nbytes

    @property
    def bytes_per_state(self) -> float:
        """The average size of a state with its edges."""
        return self.nbytes / len(self)
