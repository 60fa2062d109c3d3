"""The moves of many states at once, and what follows them: by `lockstep` where the rules allow it,
state by state where they do not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import CHANCE, OVER, Cells, Kernel
from rulegame.compiling.layout import PASSES, POINT, SEAT
from rulegame.lockstep.interpreter import Interpreter
from rulegame.lockstep.many import Irregular, Many, Mask

Rows = NDArray[np.int64]
Column = int | NDArray[np.int64]  # what a cell is in some states; a plain number: in all of them
Columns = list[NDArray[np.int64]]

MOST_FAILURES: Final = 3  # of a function, before it is no longer tried for many states


@dataclass(frozen=True, slots=True)
class Expansion:
    """A move of some states, which wait at one point for one player; `rows` ascend."""

    point: int
    seat: int
    code: int
    rows: Rows
    weight: int | NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Piece:
    """States with numbers from `first` on, and their moves: each state's in the order of blocks."""

    first: int
    size: int
    blocks: list[Expansion]

    def parts(self, most: int) -> Iterator[Piece]:
        """The same in pieces that do not have more edges than that, if it can be."""
        if sum(len(block.rows) for block in self.blocks) <= most:
            yield self
            return
        degrees = np.zeros(self.size, np.int64)
        for block in self.blocks:
            degrees[block.rows] += 1
        ends = np.cumsum(degrees)
        low = 0
        while low < self.size:
            before = int(ends[low - 1]) if low else 0
            high = max(low + 1, int(np.searchsorted(ends, before + most, side="right")))
            yield self._part(low, min(high, self.size))
            low = high

    def _part(self, low: int, high: int) -> Piece:
        blocks = []
        for block in self.blocks:
            a, b = np.searchsorted(block.rows, [low, high]).tolist()
            if a < b:
                weight = block.weight if isinstance(block.weight, int) else block.weight[a:b]
                blocks.append(
                    Expansion(block.point, block.seat, block.code, block.rows[a:b] - low, weight)
                )
        return Piece(self.first + low, high - low, blocks)


class ArrayKernel:
    """Asks the rules of a game about many states."""

    def __init__(self, kernel: Kernel, weights: Callable[[Cells], tuple[int, ...]]) -> None:
        """`weights` are those of what can be rolled, or an exception if they are too large."""
        self._kernel, self._weights = kernel, weights
        self._program = kernel.program
        self._interpreter = Interpreter(kernel.program)
        self._failures: dict[str, int] = {}

    def players(self, columns: Columns) -> NDArray[np.int8]:
        """Who is to move in each of the states: a seat, CHANCE or OVER."""
        points = columns[POINT]
        rolls = np.isin(points, list(self._program.rolls))
        owner = np.where(points < 0, OVER, np.where(rolls, CHANCE, columns[SEAT]))
        return owner.astype(np.int8)

    def endings(self, columns: Columns) -> Columns:
        """Those of the columns of states that are over which tell one outcome from another: the
        rule, who won, and what is paid.
        """
        first = self._program.shape.payoffs
        paid = [] if first is None else columns[first : first + self._kernel.seats]
        return [columns[POINT], columns[PASSES], *paid]

    def found_moves(self, columns: Columns, rows: Rows) -> tuple[list[Expansion], Rows]:
        """The moves of some of the states, and those of them in which a player is stuck."""
        blocks: list[Expansion] = []
        stuck = [np.zeros(0, np.int64)]
        for point, seat, some in _groups(columns, rows):
            if point < 0:
                continue
            found = self._moves_of_group(point, seat, columns, some)
            blocks += found
            if point == 0:
                has = np.zeros(len(columns[0]), bool)
                for block in found:
                    has[block.rows] = True
                stuck.append(some[~has[some]])
        return blocks, np.sort(np.concatenate(stuck))

    def _moves_of_group(
        self, point: int, seat: int, columns: Columns, rows: Rows
    ) -> list[Expansion]:
        one = row_of(columns, int(rows[0]))
        if self._kernel.rolls_alike(one):
            pairs = zip(self._kernel.options(one), self._weights(one), strict=True)
            return [Expansion(point, seat, code, rows, weight) for code, weight in pairs]
        name = f"moves_{point}"
        if point == 0 and self._is_regular(name):
            try:
                found = self._interpreter.moves(name, _cells(columns, rows))
            except Irregular:
                self._failed(name)
            else:
                return [
                    Expansion(point, seat, code, _chosen(rows, mask), 0) for mask, code in found
                ]
        return self._moves_by_hand(point, seat, columns, rows)

    def _moves_by_hand(
        self, point: int, seat: int, columns: Columns, rows: Rows
    ) -> list[Expansion]:
        chance = point in self._program.rolls
        found: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
        for row, cells in zip(rows.tolist(), tuples_of([c[rows] for c in columns]), strict=True):
            options = self._kernel.options(cells)
            shares = self._weights(cells) if chance else (0,) * len(options)
            for place, (code, share) in enumerate(zip(options, shares, strict=True)):
                at, weights = found.setdefault((place, code), ([], []))
                at.append(row)
                weights.append(share)
        return [
            Expansion(point, seat, code, np.array(at), np.array(weights))
            for (_, code), (at, weights) in sorted(found.items())
        ]

    # ---- what follows

    def play_each(self, blocks: Sequence[Expansion], columns: Columns) -> Columns:
        """The same, one by one: what follows all the blocks' moves, one block after the other."""
        played = [after for block in blocks for after in self._played(block, columns)]
        return columns_of(played)

    def play_blocks(self, blocks: Sequence[Expansion], columns: Columns) -> list[list[Column]]:
        """What follows each block's move, in the block's states."""
        bounds = [(int(column.min()), int(column.max())) for column in columns]
        return [self._play_block(block, columns, bounds) for block in blocks]

    def _play_block(
        self, block: Expansion, columns: Columns, bounds: Sequence[tuple[int, int]]
    ) -> list[Column]:
        name = f"play_{block.point}"
        if self._is_regular(name):
            cells: list[int | Many] = []
            for column, (low, high) in zip(columns, bounds, strict=True):
                cells.append(low if low == high else Many(column[block.rows], low, high))
            cells[POINT], cells[SEAT] = block.point, block.seat
            try:
                words = self._kernel.actions[block.code].words
                after = self._interpreter.call(name, [cells, words])
                return [_column(value) for value in after]
            except Irregular:
                self._failed(name)
        return list(columns_of(list(self._played(block, columns))))

    def _played(self, block: Expansion, columns: Columns) -> Iterator[Cells]:
        step, code = self._kernel.step, block.code
        return (step(one, code) for one in tuples_of([column[block.rows] for column in columns]))

    def get_past(self, columns: Columns, rows: Rows) -> None:
        """Puts what happens by itself in place of states in which a player is stuck."""
        for _, _, some in _groups(columns, rows):
            after: Sequence[Column] | None = None
            if self._is_regular("stuck"):
                try:
                    found = self._interpreter.call("stuck", [_cells(columns, some)])
                    after = [_column(value) for value in found]
                except Irregular:
                    self._failed("stuck")
            if after is None:
                ones = tuples_of([column[some] for column in columns])
                after = columns_of([self._program.stuck(cells) for cells in ones])
            for column, value in zip(columns, after, strict=True):
                column[some] = value

    def _is_regular(self, name: str) -> bool:
        return self._failures.get(name, 0) < MOST_FAILURES

    def _failed(self, name: str) -> None:
        self._failures[name] = self._failures.get(name, 0) + 1


def _groups(columns: Columns, rows: Rows) -> Iterator[tuple[int, int, Rows]]:
    """The states that wait at the same point for the same player."""
    points, seats = columns[POINT][rows], columns[SEAT][rows]
    for point in np.unique(points).tolist():
        for seat in np.unique(seats[points == point]).tolist():
            yield point, seat, rows[(points == point) & (seats == seat)]


def picked(blocks: Sequence[Expansion], chosen: Rows, size: int) -> list[Expansion]:
    """The blocks for some of the states, which are numbered anew."""
    place = np.full(size, -1, np.int64)
    place[chosen] = np.arange(len(chosen))
    found = []
    for block in blocks:
        rows = place[block.rows]
        kept = rows >= 0
        if kept.any():
            weight = block.weight if isinstance(block.weight, int) else block.weight[kept]
            found.append(Expansion(block.point, block.seat, block.code, rows[kept], weight))
    return found


def _cells(columns: Columns, rows: Rows) -> list[int | Many]:
    """Copies: what comes of them is written to the columns one after the other."""
    cells: list[int | Many] = []
    for column in columns:
        some = column[rows]
        low, high = int(some.min()), int(some.max())
        cells.append(low if low == high else Many(some, low, high))
    return cells


def _column(value: object) -> Column:
    if isinstance(value, Many):
        return value.array
    if isinstance(value, int):
        return int(value)
    raise Irregular("a cell that is no number")


def _chosen(rows: Rows, mask: Mask) -> Rows:
    return rows if mask is True else rows[mask]


def columns_of(states: Sequence[Cells]) -> Columns:
    return list(np.array(states, np.int64).T.copy())


def tuples_of(columns: Columns) -> Iterator[Cells]:
    return zip(*(column.tolist() for column in columns), strict=True)


def row_of(columns: Columns, row: int) -> Cells:
    return tuple([int(column[row]) for column in columns])
