"""Hex.

The players put stones in turn on the empty cells of a rhombus of hexagons (11 by 11); `place 1 3`
is the third cell of the first row. A cell touches those left and right of it, the one above and
the one above to the right, the one below and the one below to the left. Seat 0 wins with stones
that connect the first row to the last, seat 1 the first column to the last (`connected`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, win

Cell = tuple[int, int]
TOUCHING = ((0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1))


@dataclass(frozen=True)
class Hex:
    """A position: the cells of the stones of each seat, rows and columns from 1."""

    size: int
    mover: int
    stones: tuple[frozenset[Cell], frozenset[Cell]] = (frozenset(), frozenset())
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        taken = self.stones[0] | self.stones[1]
        return tuple(f"place {r} {c}" for r, c in self._cells() if (r, c) not in taken)

    @property
    def values(self) -> dict[str, object]:
        board: list[list[int | None]] = [[None] * self.size for _ in range(self.size)]
        for seat in (0, 1):
            for row, column in self.stones[seat]:
                board[row - 1][column - 1] = seat
        return {"board": board}

    def play(self, text: str) -> Hex:
        check(text, self.moves)
        row, column = map(int, text.split()[1:])
        own, other = self.stones[self.mover] | {(row, column)}, self.stones[1 - self.mover]
        after = replace(self, stones=(own, other) if self.mover == 0 else (other, own))
        if any(cell[self.mover] == self.size for cell in after._anchored(self.mover)):
            return replace(after, result=win(self.mover, "connected"))
        return replace(after, mover=1 - self.mover)

    def _cells(self) -> list[Cell]:
        numbers = range(1, self.size + 1)
        return [(row, column) for row in numbers for column in numbers]

    def _anchored(self, seat: int) -> set[Cell]:
        """Return the stones that are connected to the first row, or column, of this seat."""
        found = {cell for cell in self.stones[seat] if cell[seat] == 1}
        waiting = list(found)
        while waiting:
            row, column = waiting.pop()
            for down, right in TOUCHING:
                cell = (row + down, column + right)
                if cell in self.stones[seat] and cell not in found:
                    found.add(cell)
                    waiting.append(cell)
        return found


def start(first: int = 0, *, size: int = 11) -> Hex:
    """Return the first position."""
    return Hex(size, first)
