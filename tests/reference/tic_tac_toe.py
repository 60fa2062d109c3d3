"""Tic-tac-toe.

The players place marks in turn on the empty cells of a square board (3 by 3); `place 1 3` is the
third cell of the first row. Whoever has a line (3 marks of their own next to each other in a row,
a column or a diagonal) wins (`line`). A full board without a line is a draw (`full`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, put, win

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass(frozen=True)
class TicTacToe:
    """A position; a cell of the board, row by row, holds a seat or None."""

    size: int
    line: int
    mover: int
    board: tuple[int | None, ...]
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        return tuple(
            f"place {cell // self.size + 1} {cell % self.size + 1}"
            for cell, mark in enumerate(self.board)
            if mark is None
        )

    @property
    def values(self) -> dict[str, object]:
        rows = range(0, len(self.board), self.size)
        return {"board": [list(self.board[row : row + self.size]) for row in rows]}

    def play(self, text: str) -> TicTacToe:
        check(text, self.moves)
        row, column = (int(word) - 1 for word in text.split()[1:])
        after = replace(self, board=put(self.board, row * self.size + column, self.mover))
        if any(after._length(row, column, *step) >= self.line for step in DIRECTIONS):
            return replace(after, result=win(self.mover, "line"))
        if None not in after.board:
            return replace(after, result=Result((), (), draw=True, rule="full"))
        return replace(after, mover=1 - self.mover)

    def _length(self, row: int, column: int, down: int, right: int) -> int:
        """Return how many of the mover's marks are in a run through this cell."""
        return (
            1
            + self._run(row + down, column + right, down, right)
            + self._run(row - down, column - right, -down, -right)
        )

    def _run(self, row: int, column: int, down: int, right: int) -> int:
        inside = 0 <= row < self.size and 0 <= column < self.size
        if not inside or self.board[row * self.size + column] != self.mover:
            return 0
        return 1 + self._run(row + down, column + right, down, right)


def start(first: int = 0, *, size: int = 3, line: int = 3) -> TicTacToe:
    """Return the first position."""
    return TicTacToe(size, line, mover=first, board=(None,) * size**2)
