"""Dots and Boxes.

A board of boxes between dots. In turn, the players draw a line from a dot to the next one, to the
right (`across 2 1`) or down (`down 1 2`). Who closes boxes owns them and draws again. When all are
closed, more boxes win (`all_closed`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, win

Line = tuple[str, int, int]  # the operation, the row and the column, from 0


@dataclass(frozen=True)
class DotsAndBoxes:
    """A position: the lines that are drawn, and the owners of closed boxes."""

    rows: int
    columns: int
    mover: int
    lines: frozenset[Line] = frozenset()
    owners: frozenset[tuple[int, int, int]] = frozenset()  # row, column and seat
    filled: int = 0

    @property
    def turn(self) -> Turn:
        return None if len(self.owners) == self.rows * self.columns else self.mover

    @property
    def _all(self) -> list[Line]:
        across = [("across", r, c) for r in range(self.rows + 1) for c in range(self.columns)]
        return across + [("down", r, c) for r in range(self.rows) for c in range(self.columns + 1)]

    @property
    def moves(self) -> tuple[str, ...]:
        free = (line for line in self._all if line not in self.lines)
        return tuple(f"{name} {r + 1} {c + 1}" for name, r, c in free)

    @property
    def result(self) -> Result | None:
        if self.turn is not None:
            return None
        mine = sum(seat == 0 for _, _, seat in self.owners)
        theirs = len(self.owners) - mine
        if mine == theirs:
            return Result((), (), draw=True, rule="all_closed")
        return win(0 if mine > theirs else 1, "all_closed")

    @property
    def values(self) -> dict[str, object]:
        owners = {(r, c): seat for r, c, seat in self.owners}
        return {
            "across": self._drawn("across", self.rows + 1, self.columns),
            "down": self._drawn("down", self.rows, self.columns + 1),
            "boxes": [
                [owners.get((r, c)) for c in range(self.columns)] for r in range(self.rows)
            ],
            "filled": self.filled,
        }

    def _drawn(self, name: str, rows: int, columns: int) -> list[list[bool]]:
        return [[(name, r, c) in self.lines for c in range(columns)] for r in range(rows)]

    def play(self, text: str) -> DotsAndBoxes:
        check(text, self.moves)
        name, row, column = text.split()
        line = name, int(row) - 1, int(column) - 1
        lines = self.lines | {line}
        closed = {(r, c, self.mover) for r, c in self._beside(line) if self._sides(r, c) <= lines}
        mover = self.mover if closed else 1 - self.mover
        owners = self.owners | closed
        return replace(self, lines=lines, owners=owners, mover=mover, filled=len(closed))

    def _beside(self, line: Line) -> list[tuple[int, int]]:
        """Return the boxes on both sides of a line."""
        name, r, c = line
        boxes = [(r, c), (r - 1, c) if name == "across" else (r, c - 1)]
        return [(r, c) for r, c in boxes if 0 <= r < self.rows and 0 <= c < self.columns]

    def _sides(self, r: int, c: int) -> set[Line]:
        return {("across", r, c), ("across", r + 1, c), ("down", r, c), ("down", r, c + 1)}


def start(first: int = 0, *, rows: int = 3, columns: int = 3) -> DotsAndBoxes:
    """Return the first position."""
    return DotsAndBoxes(rows, columns, first)
