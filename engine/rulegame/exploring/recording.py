"""The record of an exploration: owners, outcomes and edges, each in the smallest integer type that
fits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import Outcome
from rulegame.files.mapped import ArrayRoom

MANY: Final = 4096
SHARE: Final = 0.5  # of the memory; the state table needs the rest more
WIDER: Final = {np.int8: np.int16, np.int16: np.int32, np.int32: np.int64}


class Growing:
    """An append-only array; small additions are buffered in a list."""

    def __init__(self, room: ArrayRoom, kind: type[np.signedinteger[Any]] = np.int8) -> None:
        self._kind: Any = kind
        self._room = room
        self._values: NDArray[Any] = room.growing(1024, kind)
        self._size = 0
        self._few: list[int] = []

    def __len__(self) -> int:
        return self._size + len(self._few)

    @property
    def nbytes(self) -> int:
        return self._values.nbytes + 8 * len(self._few)

    def add(self, values: NDArray[Any] | Sequence[int]) -> None:
        """Append numbers."""
        if isinstance(values, np.ndarray):
            self._pack()
            self._add_many(values)
            return
        self._few += values
        if len(self._few) >= MANY:
            self._pack()

    def add_one(self, value: int) -> None:
        self.add((value,))

    def _pack(self) -> None:
        few, self._few = self._few, []
        if few:
            self._add_many(np.array(few, np.int64))

    def _add_many(self, more: NDArray[Any]) -> None:
        if not len(more):
            return
        fits = more.dtype == self._values.dtype
        least, greatest = (0, 0) if fits else (int(more.min()), int(more.max()))
        while least < np.iinfo(self._kind).min or greatest > np.iinfo(self._kind).max:
            self._kind = WIDER[self._kind]
            narrow, self._values = self._values, self._room.growing(len(self._values), self._kind)
            self._values[:] = narrow
            self._room.dropped(narrow)
        end = self._size + len(more)
        if end > len(self._values):
            self._set_length(max(end, len(self._values) * 5 // 4))
        self._values[self._size : end] = more
        self._size = end

    def __getitem__(self, place: int) -> int:
        self._pack()
        return int(self._values[place])

    def whole(self) -> NDArray[Any]:
        """The finished array."""
        self._pack()
        self._set_length(self._size)
        return self._values

    def _set_length(self, length: int) -> None:
        # Append-only data goes to a file first: it is written sequentially.
        self._values = self._room.grown(self._values, length, SHARE)


class EdgeWeights(Growing):
    """The weights of edges. While all are 0, only their number is stored."""

    def __init__(self, room: ArrayRoom) -> None:
        super().__init__(room)
        self._zeros = 0

    def add(self, values: NDArray[Any] | Sequence[int]) -> None:
        if len(self) == 0 and not (values.any() if isinstance(values, np.ndarray) else any(values)):
            self._zeros += len(values)
            return
        if self._zeros:
            zeros, self._zeros = self._zeros, 0
            super().add(np.zeros(zeros, np.int8))
        super().add(values)

    def whole(self) -> NDArray[Any]:
        if self._zeros:
            return np.broadcast_to(np.zeros((), np.int8), self._zeros)
        return super().whole()


class GraphRecord:
    """States and edges in the order of their numbers."""

    def __init__(self, room: ArrayRoom) -> None:
        self._room = room
        self.owner, self.outcome, self.degrees = Growing(room), Growing(room), Growing(room)
        self.successors, self.moves = Growing(room, np.int32), Growing(room)
        self.weights = EdgeWeights(room)
        self.acts: dict[tuple[int, ...], int] = {}  # the point and the words of an option
        self.outcomes: dict[Outcome, int] = {}
        self.numbers_of_ends: list[int] = []  # outcomes that native code has found

    def add_state(self, owner: int, outcome: Outcome | None) -> None:
        """Record who moves in the next state, or its outcome."""
        self.owner.add_one(owner)
        self.outcome.add_one(-1 if outcome is None else self.number_of(outcome))

    def add_act(self, act: tuple[int, ...]) -> int:
        """The number of a move or roll, in order of discovery."""
        return self.acts.setdefault(act, len(self.acts))

    def number_of(self, outcome: Outcome) -> int:
        return self.outcomes.setdefault(outcome, len(self.outcomes))

    def add_edges(
        self, successors: Sequence[int], moves: Sequence[int], weights: Sequence[int]
    ) -> None:
        """Record the edges of that state; moves are numbers from `add_act`."""
        self.degrees.add_one(len(successors))
        self.successors.add(successors)
        self.moves.add(moves)
        self.weights.add(weights)

    @property
    def nbytes(self) -> int:
        arrays = (
            self.owner, self.outcome, self.degrees, self.successors, self.moves, self.weights,
        )  # fmt: skip
        return sum(array.nbytes for array in arrays)

    def offsets(self) -> NDArray[Any]:
        """The offset of the first edge of each state, and the total."""
        degrees = self.degrees.whole()
        found = self._room.zeros(len(degrees) + 1, offset_type(len(self.successors)))
        np.cumsum(degrees, out=found[1:])
        return found


def offset_type(edges: int) -> type[np.signedinteger[Any]]:
    """The integer type for offsets into this many edges; kernels read 32 bits."""
    return np.int32 if edges < 2**31 else np.int64
