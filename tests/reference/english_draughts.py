"""English draughts.

On the dark cells of a board (8 by 8) seat 0 has three rows of men at the bottom, seat 1 at the top,
so that two rows are empty (three if the number of rows is odd).
A man goes one step aslant ahead to an empty cell: `move 6 1 5 2`; a king goes back as well. A piece
takes one of the other player's beside it, in the directions in which it goes, by jumping over it to
the empty cell behind: `jump 5 2 3 4`. Who can jump must, and must go on with the same piece while
it can jump again. A piece that comes to the far row is a king, and its turn is over. Who cannot
move loses (`stuck`). After 40 moves without a jump the game is a draw (`quiet`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, lose

Cell = tuple[int, int]
Pieces = dict[Cell, tuple[int, bool]]  # the seat, and whether it is a king


@dataclass(frozen=True)
class EnglishDraughts:
    """A position: each piece as its cell, its seat and whether it is a king."""

    size: int
    quiet: int
    mover: int
    pieces: frozenset[tuple[Cell, int, bool]]
    jumping: Cell | None = None
    calm: int = 0
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        board = self._board()
        jumps = [
            ("jump", *cell, *to)
            for cell in sorted(board)
            if self.jumping in (None, cell)
            for to in self._jumps(board, cell)
        ]
        steps = [("move", *cell, *to) for cell in sorted(board) for to in self._steps(board, cell)]
        return tuple(" ".join(map(str, move)) for move in jumps or steps)

    @property
    def values(self) -> dict[str, object]:
        numbers = range(1, self.size + 1)
        board = self._board()
        return {
            "board": [[board.get((r, c), (None, False))[0] for c in numbers] for r in numbers],
            "kings": [[board.get((r, c), (None, False))[1] for c in numbers] for r in numbers],
            "jump_row": self.jumping[0] if self.jumping else None,
            "jump_column": self.jumping[1] if self.jumping else None,
            "calm": self.calm,
        }

    def play(self, text: str) -> EnglishDraughts:
        check(text, self.moves)
        name, *numbers = text.split()
        row, column, to_row, to_column = map(int, numbers)
        board, to = self._board(), (to_row, to_column)
        board[to] = board.pop((row, column))
        jumping = None
        if name == "jump":
            del board[(row + to_row) // 2, (column + to_column) // 2]
            jumping = to if self._jumps(board, to) else None
        if to_row == (1 if self.mover == 0 else self.size):
            board[to] = (self.mover, True)
        after = replace(
            self,
            pieces=frozenset((cell, *piece) for cell, piece in board.items()),
            mover=self.mover if jumping else 1 - self.mover,
            jumping=jumping,
            calm=0 if name == "jump" else self.calm + 1,
        )
        if after.calm >= self.quiet:
            return replace(after, result=Result((), (), draw=True, rule="quiet"))
        return after if after.moves else replace(after, result=lose(after.mover, "stuck"))

    def _board(self) -> Pieces:
        return {cell: (seat, king) for cell, seat, king in self.pieces}

    def _ways(self, board: Pieces, cell: Cell) -> list[tuple[int, int]]:
        """Return the directions in which the mover's piece on this cell goes; none for others."""
        seat, king = board[cell]
        ahead = -1 if self.mover == 0 else 1
        if seat != self.mover:
            return []
        return [(down, right) for down in (-1, 1) for right in (-1, 1) if king or down == ahead]

    def _steps(self, board: Pieces, cell: Cell) -> list[Cell]:
        found = [(cell[0] + down, cell[1] + right) for down, right in self._ways(board, cell)]
        return [to for to in found if self._free(board, to)]

    def _jumps(self, board: Pieces, cell: Cell) -> list[Cell]:
        found = []
        for down, right in self._ways(board, cell):
            over = board.get((cell[0] + down, cell[1] + right))
            to = (cell[0] + 2 * down, cell[1] + 2 * right)
            if over and over[0] != self.mover and self._free(board, to):
                found.append(to)
        return found

    def _free(self, board: Pieces, cell: Cell) -> bool:
        return all(1 <= number <= self.size for number in cell) and cell not in board


def start(first: int = 0, *, size: int = 8, quiet: int = 40) -> EnglishDraughts:
    """Return the first position."""
    numbers, ranks = range(1, size + 1), size // 2 - 1
    dark = [(row, column) for row in numbers for column in numbers if (row + column) % 2]
    top = [(cell, 1, False) for cell in dark if cell[0] <= ranks]
    bottom = [(cell, 0, False) for cell in dark if cell[0] > size - ranks]
    return EnglishDraughts(size, quiet, first, frozenset(top + bottom))
