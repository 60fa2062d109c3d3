"""Breakthrough.

On a board (8 by 8) seat 0 has the two top rows, seat 1 the two bottom rows; one row each if there
are fewer than six. In turn, a piece moves one step forward (down for seat 0), straight or aslant,
to an empty cell, or aslant onto a piece of the other player, which it takes: `move 2 3 4` moves the
piece in row 2, column 3 to column 4 of the next row. Whoever reaches the last row wins
(`far_side`), and so does who takes the other's last piece (`all_captured`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, win

Cell = tuple[int, int]


@dataclass(frozen=True)
class Breakthrough:
    """A position: the cells of the pieces of each seat, rows and columns from 1."""

    rows: int
    columns: int
    mover: int
    pieces: tuple[frozenset[Cell], frozenset[Cell]]
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def forward(self) -> int:
        return 1 if self.mover == 0 else -1

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        found = []
        for row, column in sorted(self.pieces[self.mover]):
            for to in range(column - 1, column + 2):
                target = (row + self.forward, to)
                barred = self.pieces[self.mover] | (
                    self.pieces[1 - self.mover] if to == column else set()
                )
                if 1 <= to <= self.columns and target not in barred:
                    found.append(f"move {row} {column} {to}")
        return tuple(found)

    @property
    def values(self) -> dict[str, object]:
        board: list[list[int | None]] = [[None] * self.columns for _ in range(self.rows)]
        for seat, cells in enumerate(self.pieces):
            for row, column in cells:
                board[row - 1][column - 1] = seat
        return {"board": board}

    def play(self, text: str) -> Breakthrough:
        check(text, self.moves)
        row, column, to = map(int, text.split()[1:])
        target = (row + self.forward, to)
        own = self.pieces[self.mover] - {(row, column)} | {target}
        other = self.pieces[1 - self.mover] - {target}
        after = replace(self, pieces=(own, other) if self.mover == 0 else (other, own))
        if target[0] in (1, self.rows):
            return replace(after, result=win(self.mover, "far_side"))
        if not other:
            return replace(after, result=win(self.mover, "all_captured"))
        return replace(after, mover=1 - self.mover)


def start(first: int = 0, *, rows: int = 8, columns: int = 8) -> Breakthrough:
    """Return the first position."""
    deep = 2 if rows >= 6 else 1
    cells = [(row, column) for row in range(1, rows + 1) for column in range(1, columns + 1)]
    top = frozenset(cell for cell in cells if cell[0] <= deep)
    bottom = frozenset(cell for cell in cells if cell[0] > rows - deep)
    return Breakthrough(rows, columns, first, (top, bottom))
