"""The state graph: every reachable state, move and outcome of a game, as compact arrays.

Solving, proving and counting are functions over it. Explored within a budget: what does not fit is
refused with how far it got, never passed off as whole.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulegame.diagnostics import PortableError
from rulegame.exploring.state_table import StateKeys
from rulegame.exploring.symmetries import Symmetries
from rulegame.files.mapped import ArrayRoom
from rulegame.game import Game, Move, Outcome, State


class TooLarge(PortableError):
    """The game has more states than the budget allows."""

    def __init__(self, states: int, expanded: int, budget: str, then: str = "") -> None:
        super().__init__(
            f"the game has more states than the budget of {budget} allows: "
            f"{states:,} were found and {expanded:,} of them expanded{then}"
        )
        self.states = states
        self.expanded = expanded


class FarTooLarge(TooLarge):
    """The game has many times as many states as the budget allows, as games at random tell."""

    def __init__(self, states: int, expanded: int, budget: int, least: float, games: int) -> None:
        digits, power = f"{least:.0e}".split("e")
        Exception.__init__(
            self,
            f"the game has more states than the budget of {budget:,} states allows: at least "
            f"{digits} * 10^{int(power)}, as {games:,} games at random tell, and probably far more",
        )
        self.states = states
        self.expanded = expanded
        self.least = least


class TooMuchMemory(TooLarge):
    """The states of the game take more memory than there may be used."""

    def __init__(self, states: int, expanded: int, room: int, then: str) -> None:
        more = f"{then}; --max-memory (max_memory) allows more"
        super().__init__(states, expanded, f"{room:,} bytes", more)


class TooLargeForDisk(TooLarge):
    """The states of the game do not fit into memory, and not into temporary files either."""

    def __init__(self, reason: str) -> None:
        Exception.__init__(self, f"the game does not fit into the memory allowed, and {reason}")
        self.states = self.expanded = 0


class TooFine(TooLarge):
    """The weights of a roll are too large to be counted."""

    def __init__(self) -> None:
        Exception.__init__(self, "the weights of a roll are too large: they do not fit in 63 bits")
        self.states = self.expanded = 0


@dataclass(frozen=True, slots=True)
class StateGraph:
    """States are numbered from 0, the start or the state that was asked about; the edges of state k
    are those from offsets[k] up to offsets[k + 1].
    """

    game: Game
    owner: NDArray[np.int8]  # the seat to move, CHANCE or OVER
    offsets: NDArray[np.signedinteger[Any]]
    successors: NDArray[np.int32]
    moves: NDArray[np.signedinteger[Any]]  # of each edge, its move's place in `move_table`
    weights: NDArray[np.signedinteger[Any]]  # of each edge of a chance state; 0 elsewhere
    outcome: NDArray[np.signedinteger[Any]]  # of each state, its place in `outcomes`; or -1
    move_table: tuple[Move, ...]
    outcomes: tuple[Outcome, ...]
    cells: StateKeys  # of each state, packed
    symmetries: Symmetries | None = None  # if one state stands for all that are its images
    room: ArrayRoom = field(default_factory=ArrayRoom, compare=False, repr=False)

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
        """The number of a state; None if it is not reachable."""
        if state.game != self.game:
            return None
        cells = state.cells
        if self.symmetries is not None:
            cells = self.symmetries.representative(cells)
        found = self.cells.number(cells)
        return found if found >= 0 else None

    def following(self, number: int) -> list[tuple[Move, int]]:
        """The moves of a state, each with the number of the state that it leads to."""
        low, high = int(self.offsets[number]), int(self.offsets[number + 1])
        return [(self.move_table[self.moves[e]], int(self.successors[e])) for e in range(low, high)]

    def following_from(self, state: State) -> list[tuple[Move, int]]:
        """The same for a state as it is, not for the one that stands for it and its images."""
        if self.symmetries is None:
            return self.following(self.number(state))
        return [(move, self.number(state.play(move))) for move in state.moves]

    def chances(self, number: int) -> list[tuple[int, Fraction]]:
        """The states that chance may lead to from a chance state, with their probabilities."""
        low, high = int(self.offsets[number]), int(self.offsets[number + 1])
        total = int(self.weights[low:high].sum())
        return [
            (int(self.successors[e]), Fraction(int(self.weights[e]), total))
            for e in range(low, high)
        ]

    @property
    def nbytes(self) -> int:
        """How many bytes the states and their edges take."""
        arrays = (self.owner, self.offsets, self.successors, self.moves, self.weights, self.outcome)
        kept = sum(a.nbytes for a in arrays if 0 not in a.strides)  # a single number stands for all
        return kept + self.cells.nbytes

    @property
    def bytes_per_state(self) -> float:
        """How much memory a state takes, with its edges."""
        return self.nbytes / len(self)
