"""What is noted about the states of a game while they are found: owners, outcomes, edges."""

from __future__ import annotations

from array import array
from math import lcm

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import PASSES, POINT, SEAT
from rulegame.evaluation.runtime import Cells
from rulegame.exploring.graph import FINAL, TooFine
from rulegame.exploring.state_table import first_of_each
from rulegame.game import CHANCE, Game, Move, Outcome


class GraphRecord:
    """States and edges in the order of their numbers."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._program = game.program
        self.owner, self.outcome = array("b"), array("i")
        self.offsets, self.successors = array("q", [0]), array("i")
        self.moves, self.weights = array("i"), array("b")
        self.outcomes: dict[Outcome, int] = {}
        self.move_table: list[Move] = []
        self.fixed_shares: dict[int, dict[Move, int]] = {}  # of rolls that are always the same
        self._move_numbers: dict[int, int] = {}

    @property
    def nbytes(self) -> int:
        arrays = (self.owner, self.outcome, self.offsets, self.successors, self.moves, self.weights)
        return sum(a.itemsize * len(a) for a in arrays)

    def moves_at(self, cells: Cells) -> tuple[Move, ...]:
        """The moves of a state, or what can be rolled."""
        if cells[POINT] < 0:
            return ()
        return self._game.moves_at(cells)

    def add_state(self, cells: Cells) -> None:
        """Notes who moves in the next state, or how the game has ended."""
        self.owner.append(self._owner_at(cells))
        self.outcome.append(self._outcome_at(cells) if cells[POINT] < 0 else -1)

    def add_states(self, columns: list[NDArray[np.int64]]) -> None:
        """The same for many."""
        points, seats = columns[POINT], columns[SEAT]
        rolls = np.isin(points, list(self._program.events))
        owner = np.where(points < 0, FINAL, np.where(rolls, CHANCE, seats)).astype(np.int8)
        self.owner.frombytes(owner.tobytes())
        outcome = np.full(len(points), -1, np.int32)
        over = np.flatnonzero(points < 0)
        if len(over):
            outcome[over] = self._outcomes_of([column[over] for column in columns])
        self.outcome.frombytes(outcome.tobytes())

    def _owner_at(self, cells: Cells) -> int:
        if cells[POINT] < 0:
            return FINAL
        return CHANCE if cells[POINT] in self._program.events else cells[SEAT]

    def _outcome_at(self, cells: Cells) -> int:
        outcome = self._game.outcome_at(cells)
        return self.outcomes.setdefault(outcome, len(self.outcomes))

    def _outcomes_of(self, columns: list[NDArray[np.int64]]) -> NDArray[np.int32]:
        """An outcome is told by the rule, by who won, and by what is paid."""
        telling = [columns[POINT], columns[PASSES]]
        first = self._program.shape.payoffs
        if first is not None:
            telling += columns[first : first + len(self._game.players)]
        words = np.stack(telling, axis=1).view(np.uint64)
        at, which = first_of_each(words)
        numbers = [
            self._outcome_at(tuple([int(column[k]) for column in columns])) for k in at.tolist()
        ]
        return np.array(numbers, np.int32)[which]

    def shares(self, cells: Cells) -> dict[Move, int]:
        """Whole numbers in proportion to the probabilities of what can be rolled."""
        point = cells[POINT]
        known = self.fixed_shares.get(point)
        if known is not None:
            return known
        self.moves_at(cells)  # which notes whether it is always alike
        chances = self._game.chances_at(cells)
        common = lcm(*(chance.denominator for _, chance in chances))
        shares = {move: int(chance * common) for move, chance in chances}
        if sum(shares.values()) >= 2**63:
            raise TooFine
        if self._game.is_always_alike(point):
            self.fixed_shares[point] = shares
        return shares

    def move_number(self, move: Move) -> int:
        number = self._move_numbers.get(id(move))
        if number is None:
            self.move_table.append(move)  # kept here, so that its identity stays its own
            number = self._move_numbers[id(move)] = len(self.move_table) - 1
        return number

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
