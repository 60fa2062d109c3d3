"""Go, with positional superko and area scoring.

Black (seat 0) begins. The players put stones in turn on the empty points of a square board (9 by
9): `place c9` is the third point of the top row. Groups of the other player without a liberty are
taken; a move that leaves its own group without one is not valid, and neither is one that brings
back a board that has occurred before. `hold` passes. After two passes in a row, each player has
their stones and the empty regions that touch no stones of the other; White gets komi, in half
points (`both_pass`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, win

LETTERS = "abcdefghijklm"
Board = tuple[int | None, ...]


@dataclass(frozen=True)
class Go:
    """A position: the board row by row, and the boards before it."""

    size: int
    komi: int
    board: Board
    mover: int = 0
    passes: int = 0
    earlier: frozenset[Board] = frozenset()
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        points = (point for point in range(self.size**2) if self._after(point) is not None)
        return (*(self._text(point) for point in points), "hold")

    @property
    def values(self) -> dict[str, object]:
        rows = range(0, self.size**2, self.size)
        board = [list(self.board[row : row + self.size]) for row in rows]
        return {"board": board, "passes": self.passes}

    def play(self, text: str) -> Go:
        check(text, self.moves)
        earlier = self.earlier | {self.board}
        if text == "hold":
            after = replace(self, mover=1 - self.mover, passes=self.passes + 1, earlier=earlier)
            return replace(after, result=after._scored()) if after.passes == 2 else after
        (board,) = (
            self._after(point) for point in range(self.size**2) if self._text(point) == text
        )
        assert board is not None
        return replace(self, board=board, mover=1 - self.mover, passes=0, earlier=earlier)

    def _text(self, point: int) -> str:
        row, column = divmod(point, self.size)
        return f"place {LETTERS[column]}{self.size - row}"

    def _beside(self, point: int) -> list[int]:
        row, column = divmod(point, self.size)
        near = [(row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1)]
        inside = range(self.size)
        return [r * self.size + c for r, c in near if r in inside and c in inside]

    def _region(self, board: list[int | None], point: int) -> tuple[set[int], set[int | None]]:
        """Return the points of one kind that are connected, and what they touch."""
        found, waiting, touched = {point}, [point], set()
        while waiting:
            for other in self._beside(waiting.pop()):
                if board[other] != board[point]:
                    touched.add(board[other])
                elif other not in found:
                    found.add(other)
                    waiting.append(other)
        return found, touched

    def _after(self, point: int) -> Board | None:
        """Return the board after a stone, unless it is not valid."""
        if self.board[point] is not None:
            return None
        board = list(self.board)
        board[point] = self.mover
        for other in self._beside(point):
            if board[other] == 1 - self.mover:
                group, touched = self._region(board, other)
                if None not in touched:
                    for stone in group:
                        board[stone] = None
        if None not in self._region(board, point)[1]:
            return None
        after = tuple(board)
        return None if after in self.earlier or after == self.board else after

    def _scored(self) -> Result:
        points = [0, self.komi]
        for seat in (0, 1):
            for point, content in enumerate(self.board):
                if content is None:
                    touched = self._region(list(self.board), point)[1]
                    points[seat] += 2 * (touched == {seat})
                else:
                    points[seat] += 2 * (content == seat)
        if points[0] == points[1]:
            return Result((), (), draw=True, rule="both_pass")
        return win(int(points[1] > points[0]), "both_pass")


def start(first: int = 0, *, size: int = 9, komi: int = 15) -> Go:
    """Return the first position; Black always begins."""
    return Go(size, komi, (None,) * size**2)
