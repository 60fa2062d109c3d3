"""The state graph: every reachable state, move and outcome of a game, as compact arrays.

Solving, proving and counting are functions over it. Explored within a budget: what does not fit is
refused with how far it got, never passed off as whole.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import POINT, SEAT
from rulegame.game import CHANCE, Game, Move, Outcome, State
from rulegame.progress import Progress, silent
from rulegame.runtime import Cells, Fault

FINAL: Final = -2
CHECK_EVERY: Final = 4096


class TooLarge(Exception):
    """The game has more states than the budget allows."""

    def __init__(self, states: int, expanded: int, budget: str) -> None:
        super().__init__(
            f"the game has more states than the budget of {budget} allows: "
            f"{states:,} were found and {expanded:,} of them expanded"
        )
        self.states = states
        self.expanded = expanded


@dataclass(frozen=True, slots=True)
class StateGraph:
    """States are numbered from 0, the start; the edges of state k are those from offsets[k] up to
    offsets[k + 1].
    """

    game: Game
    owner: NDArray[np.int8]  # the seat to move, CHANCE or FINAL
    offsets: NDArray[np.int64]
    successors: NDArray[np.int32]
    moves: NDArray[np.int32]  # of each edge, its move's place in `move_table`
    weights: NDArray[np.int64]  # of each edge of a chance state; 0 elsewhere
    outcome: NDArray[np.int32]  # of each state, its place in `outcomes`; -1 while the game goes on
    move_table: tuple[Move, ...]
    outcomes: tuple[Outcome, ...]
    cells: tuple[Cells, ...]
    numbers: dict[Cells, int]

    def __len__(self) -> int:
        return len(self.cells)

    @property
    def edges(self) -> int:
        """How many moves and rolls there are in all states together."""
        return len(self.successors)

    def state(self, number: int) -> State:
        """The state of a number."""
        return self.game.resume(self.cells[number])

    def number(self, state: State) -> int:
        """The number of a state; KeyError if it is not reachable."""
        return self.numbers[state.cells]

    def following(self, number: int) -> list[tuple[Move, int]]:
        """The moves of a state, each with the number of the state that it leads to."""
        low, high = int(self.offsets[number]), int(self.offsets[number + 1])
        return [(self.move_table[self.moves[e]], int(self.successors[e])) for e in range(low, high)]

    def chances(self, number: int) -> list[tuple[int, Fraction]]:
        """The states that chance may lead to from a chance state, with their probabilities."""
        low, high = int(self.offsets[number]), int(self.offsets[number + 1])
        total = int(self.weights[low:high].sum())
        return [
            (int(self.successors[e]), Fraction(int(self.weights[e]), total))
            for e in range(low, high)
        ]

    @property
    def bytes_per_state(self) -> float:
        """About how much memory a state takes, with its edges."""
        arrays = (self.owner, self.offsets, self.successors, self.moves, self.weights, self.outcome)
        size = sum(a.nbytes for a in arrays)
        one = 56 + 8 * len(self.cells[0]) + 32  # a tuple of integers, mostly small and shared
        return size / len(self) + one + 100  # and its entry in the dictionary


def explore(
    game: Game,
    *,
    first: int = 0,
    max_states: int = 5_000_000,
    max_memory: int | None = None,
    progress: Progress = silent,
) -> StateGraph:
    """All states that can be reached from the start."""
    return _Explorer(game, max_states, max_memory, progress).explore(game.start(first).cells)


class _Explorer:
    def __init__(
        self, game: Game, max_states: int, max_memory: int | None, progress: Progress
    ) -> None:
        self._game = game
        self._program = game.program
        self._budget = max_states
        self._memory = max_memory
        self._expanded = 0
        self._progress = progress
        self._numbers: dict[Cells, int] = {}
        self._cells: list[Cells] = []
        self._aliases: dict[Cells, int] = {}  # where a player is stuck, and what comes of it
        self._found_moves: list[tuple[Move, ...]] = []  # of states that are not expanded yet
        self._outcomes: dict[Outcome, int] = {}
        self._move_numbers: dict[int, int] = {}
        self._move_table: list[Move] = []
        self._fixed_shares: dict[int, dict[Move, int]] = {}  # of rolls that are always the same

    def explore(self, start: Cells) -> StateGraph:
        try:
            return self._explore(start)
        except Fault as fault:
            raise self._game.error(fault) from None

    def _explore(self, start: Cells) -> StateGraph:
        owner, outcome = array("b"), array("i")
        offsets, successors = array("q", [0]), array("i")
        edge_moves, weights = array("i"), array("q")
        self._number(start)
        while self._expanded < len(self._cells):
            k = self._expanded
            cells = self._cells[k]
            moves, self._found_moves[k] = self._found_moves[k], ()
            if cells[POINT] < 0:
                owner.append(FINAL)
                outcome.append(self._outcome(cells))
            else:
                chance = cells[POINT] in self._program.events
                owner.append(CHANCE if chance else cells[SEAT])
                outcome.append(-1)
                self._expand(cells, moves, successors, edge_moves)
                shares = self._shares(cells) if chance else {}
                weights.extend([shares[move] for move in moves] if chance else [0] * len(moves))
            offsets.append(len(successors))
            self._expanded += 1
            if self._expanded % CHECK_EVERY == 0:
                self._check()
        return StateGraph(
            game=self._game,
            owner=np.frombuffer(owner, np.int8),
            offsets=np.frombuffer(offsets, np.int64),
            successors=np.frombuffer(successors or array("i", [0]), np.int32)[: len(successors)],
            moves=np.frombuffer(edge_moves or array("i", [0]), np.int32)[: len(edge_moves)],
            weights=np.frombuffer(weights or array("q", [0]), np.int64)[: len(weights)],
            outcome=np.frombuffer(outcome, np.int32),
            move_table=tuple(self._move_table),
            outcomes=tuple(self._outcomes),
            cells=tuple(self._cells),
            numbers=self._numbers,
        )

    def _expand(
        self, cells: Cells, moves: tuple[Move, ...], successors: array[int], edge_moves: array[int]
    ) -> None:
        """Adds an edge for every move; the innermost loop of exploring, so its names are local."""
        numbers, aliases, move_numbers = self._numbers, self._aliases, self._move_numbers
        play = self._program.play[cells[POINT]]
        metered, meter = self._program.metered, self._program.meter
        for move in moves:
            if metered:
                meter.reset()
            after = play(cells, move.codes)
            number = numbers.get(after)
            if number is None:
                number = aliases.get(after)
                if number is None:
                    number = self._number(after)
            successors.append(number)
            known = move_numbers.get(id(move))
            edge_moves.append(self._move_number(move) if known is None else known)

    def _number(self, cells: Cells) -> int:
        """The number of a state that is met for the first time; a stuck player is dealt with."""
        met = cells
        point = cells[POINT]
        moves = () if point < 0 else self._game.moves_at(cells)
        while point == 0 and not moves:
            cells = self._program.stuck(cells)
            point = cells[POINT]
            moves = () if point < 0 else self._game.moves_at(cells)
        number = self._numbers.get(cells)
        if number is None:
            number = len(self._cells)
            if number >= self._budget:
                raise TooLarge(number, self._expanded, f"{self._budget:,} states")
            self._numbers[cells] = number
            self._cells.append(cells)
            self._found_moves.append(moves)
        if met is not cells:
            self._aliases[met] = number
        return number

    def _shares(self, cells: Cells) -> dict[Move, int]:
        """Whole numbers in proportion to the probabilities of what can be rolled."""
        point = cells[POINT]
        known = self._fixed_shares.get(point)
        if known is not None:
            return known
        chances = self._game.chances_at(cells)
        common = lcm(*(chance.denominator for _, chance in chances))
        shares = {move: int(chance * common) for move, chance in chances}
        if self._game.is_always_alike(point):
            self._fixed_shares[point] = shares
        return shares

    def _outcome(self, cells: Cells) -> int:
        outcome = self._game.outcome_at(cells)
        return self._outcomes.setdefault(outcome, len(self._outcomes))

    def _move_number(self, move: Move) -> int:
        self._move_table.append(move)  # kept here, so that its identity stays its own
        number = self._move_numbers[id(move)] = len(self._move_table) - 1
        return number

    def _check(self) -> None:
        self._progress("Exploring, states expanded", self._expanded, None)
        if self._memory is not None and self._used() > self._memory:
            raise TooLarge(len(self._cells), self._expanded, f"{self._memory:,} bytes")

    def _used(self) -> int:
        """About how many bytes the states take so far."""
        return len(self._cells) * (220 + 8 * len(self._cells[0]))
