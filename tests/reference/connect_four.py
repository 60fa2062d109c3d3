"""Connect Four.

The players drop discs in turn into the columns of an upright board (6 rows, 7 columns); a disc
falls to the lowest empty cell of its column (`drop 4`). Whoever has a line (4 discs of their own
next to each other in a row, a column or a diagonal) wins (`line`). A full board without a line is
a draw (`full`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, put, win

DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


@dataclass(frozen=True)
class ConnectFour:
    """A position: the discs of each column from the bottom up."""

    rows: int
    line: int
    mover: int
    discs: tuple[tuple[int, ...], ...]
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        numbered = enumerate(self.discs, start=1)
        return tuple(f"drop {number}" for number, column in numbered if len(column) < self.rows)

    @property
    def values(self) -> dict[str, object]:
        heights = reversed(range(self.rows))
        columns = range(len(self.discs))
        return {"board": [[self._at(height, column) for column in columns] for height in heights]}

    def play(self, text: str) -> ConnectFour:
        check(text, self.moves)
        column = int(text.removeprefix("drop ")) - 1
        stack = (*self.discs[column], self.mover)
        after = replace(self, discs=put(self.discs, column, stack))
        if any(after._through(len(stack) - 1, column, *step) for step in DIRECTIONS):
            return replace(after, result=win(self.mover, "line"))
        if all(len(stack) == self.rows for stack in after.discs):
            return replace(after, result=Result((), (), draw=True, rule="full"))
        return replace(after, mover=1 - self.mover)

    def _at(self, height: int, column: int) -> int | None:
        if not 0 <= column < len(self.discs) or not 0 <= height < len(self.discs[column]):
            return None
        return self.discs[column][height]

    def _through(self, height: int, column: int, up: int, right: int) -> bool:
        """Tell whether the mover has a line through this cell in this direction."""
        reach = range(1 - self.line, self.line)
        run = longest = 0
        for k in reach:
            run = run + 1 if self._at(height + k * up, column + k * right) == self.mover else 0
            longest = max(longest, run)
        return longest >= self.line


def start(first: int = 0, *, rows: int = 6, columns: int = 7, line: int = 4) -> ConnectFour:
    """Return the first position."""
    return ConnectFour(rows, line, mover=first, discs=((),) * columns)
