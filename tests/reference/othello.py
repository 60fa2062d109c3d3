"""Othello.

The players put discs in turn on a square board (8 by 8); four lie in the middle, those of seat 1
where row and column are the same. A disc must enclose others: between it and one of the player's
own there must be, in a row, a column or a diagonal, nothing but discs of the other player. All
that are enclosed become the player's. `place 3 4` is the fourth cell of the third row. Who has no
such move passes. When the board is full (`full`) or neither can move (`all_stuck`), whoever has
more discs wins.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

from reference.interface import Result, Turn, check, win

Cell = tuple[int, int]
DIRECTIONS = [step for step in product((-1, 0, 1), repeat=2) if step != (0, 0)]


@dataclass(frozen=True)
class Othello:
    """A position: a seat or None for each cell, row by row."""

    size: int
    mover: int
    board: tuple[int | None, ...]
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        return () if self.result is not None else self._moves()

    @property
    def values(self) -> dict[str, object]:
        rows = range(0, len(self.board), self.size)
        return {"board": [list(self.board[row : row + self.size]) for row in rows]}

    def play(self, text: str) -> Othello:
        check(text, self.moves)
        row, column = (int(word) - 1 for word in text.split()[1:])
        board = list(self.board)
        for r, c in [(row, column), *self._turned((row, column))]:
            board[r * self.size + c] = self.mover
        after = replace(self, board=tuple(board), mover=1 - self.mover)
        if None not in board:
            return after._counted("full")
        passed = replace(after, mover=self.mover)
        if after._moves():
            return after
        return passed if passed._moves() else after._counted("all_stuck")

    def _moves(self) -> tuple[str, ...]:
        cells = product(range(self.size), repeat=2)
        return tuple(
            f"place {row + 1} {column + 1}"
            for row, column in cells
            if self.board[row * self.size + column] is None and self._turned((row, column))
        )

    def _turned(self, cell: Cell) -> list[Cell]:
        """Return the cells whose discs the mover would turn over with a disc on this one."""
        turned = []
        for down, right in DIRECTIONS:
            run: list[Cell] = []
            row, column = cell[0] + down, cell[1] + right
            while self._at(row, column) == 1 - self.mover:
                run.append((row, column))
                row, column = row + down, column + right
            if self._at(row, column) == self.mover:
                turned += run
        return turned

    def _at(self, row: int, column: int) -> int | None:
        if 0 <= row < self.size and 0 <= column < self.size:
            return self.board[row * self.size + column]
        return None

    def _counted(self, rule: str) -> Othello:
        lead = self.board.count(0) - self.board.count(1)
        if lead == 0:
            return replace(self, result=Result((), (), draw=True, rule=rule))
        return replace(self, result=win(0 if lead > 0 else 1, rule))


def start(first: int = 0, *, size: int = 8) -> Othello:
    """Return the first position."""
    board: list[int | None] = [None] * size**2
    middle = (size // 2 - 1, size // 2)
    for row, column in product(middle, repeat=2):
        board[row * size + column] = 1 if row == column else 0
    return Othello(size, first, tuple(board))
