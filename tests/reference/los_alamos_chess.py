"""Los Alamos chess: six by six squares, no bishops.

White (seat 0) begins. Moves are `move b1 c3` and, for pawns that reach the last row,
`promote a5 a6 4` (2 knight, 3 rook, 4 queen). Pawns go one square; there is no castling and no
capture in passing. A move must not leave the own king attacked. Who cannot move has lost if the
king is attacked (`stuck`), otherwise it is a draw. A position that comes for the third time with
the same player to move is a draw (`threefold`), and so are two kings alone (`bare_kings`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, win

SIZE = 6
FILES = "abcdef"
NAMES = " PNRQK"
START = ("RNQKNR", "PPPPPP", "......", "......", "pppppp", "rnqknr")  # from White's side up
JUMPS = ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2))
STRAIGHT = ((0, 1), (1, 0), (0, -1), (-1, 0))
SLANTED = ((1, 1), (1, -1), (-1, -1), (-1, 1))

Square = tuple[int, int]  # file and rank, from 0
Pieces = frozenset[tuple[Square, str]]
Key = tuple[Pieces, int]


@dataclass(frozen=True)
class Chess:
    """A position: the pieces by square, capitals for White, and the positions before it."""

    pieces: Pieces
    mover: int = 0
    earlier: tuple[Key, ...] = ()  # sorted
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        return () if self.result is not None else tuple(text for text, _ in self._legal())

    @property
    def values(self) -> dict[str, object]:
        board = dict(self.pieces)

        def code(square: Square) -> int:
            piece = board.get(square, " ")
            number = NAMES.index(piece.upper())
            return number if piece.isupper() else -number

        ranks = reversed(range(SIZE))
        kings = [next(s for s, piece in board.items() if piece == king) for king in "Kk"]
        return {
            "board": [[code((file, rank)) for file in range(SIZE)] for rank in ranks],
            "king": [(SIZE - rank, file + 1) for file, rank in kings],
        }

    def play(self, text: str) -> Chess:
        check(text, self.moves)
        pieces = next(after for found, after in self._legal() if found == text)
        earlier = tuple(sorted((*self.earlier, self._key()), key=repr))
        after = replace(self, pieces=pieces, mover=1 - self.mover, earlier=earlier)
        if earlier.count(after._key()) >= 2:
            return replace(after, result=Result((), (), draw=True, rule="threefold"))
        if len(pieces) == 2:
            return replace(after, result=Result((), (), draw=True, rule="bare_kings"))
        if any(True for _ in after._legal()):
            return after
        if after._attacked(dict(pieces), after.mover):
            return replace(after, result=win(self.mover, "stuck"))
        return replace(after, result=Result((), (), draw=True, rule="stuck"))

    def _key(self) -> Key:
        return self.pieces, self.mover

    def _legal(self) -> Iterator[tuple[str, Pieces]]:
        """Return the moves with the pieces after them, those without a promotion first."""
        found = [one for one in self._tried() if not self._attacked(one[1], self.mover)]
        for text, board in sorted(found, key=lambda one: one[0].startswith("promote")):
            yield text, frozenset(board.items())

    def _tried(self) -> Iterator[tuple[str, dict[Square, str]]]:
        for origin in _squares():
            piece = dict(self.pieces).get(origin)
            if piece is None or piece.isupper() != (self.mover == 0):
                continue
            for target in sorted(self._targets(origin, piece), key=lambda s: (-s[1], s[0])):
                board = dict(self.pieces)
                del board[origin]
                board[target] = piece
                way = f"{_name(origin)} {_name(target)}"
                if piece in "Pp" and target[1] in (0, SIZE - 1):
                    for number in (2, 3, 4):
                        made = NAMES[number]
                        board[target] = made if self.mover == 0 else made.lower()
                        yield f"promote {way} {number}", dict(board)
                else:
                    yield f"move {way}", board

    def _targets(self, origin: Square, piece: str) -> Iterator[Square]:
        board = dict(self.pieces)
        file, rank = origin
        if piece in "Pp":
            up = 1 if piece == "P" else -1
            if (file, rank + up) not in board and 0 <= rank + up < SIZE:
                yield file, rank + up
            for side in (-1, 1):
                other = board.get((file + side, rank + up))
                if other is not None and other.isupper() != piece.isupper():
                    yield file + side, rank + up
            return
        for target in _reach(board, origin, piece.upper()):
            other = board.get(target)
            if other is None or other.isupper() != piece.isupper():
                yield target

    def _attacked(self, board: dict[Square, str], seat: int) -> bool:
        """Tell whether the king of a seat is attacked."""
        king = next(square for square, piece in board.items() if piece == "Kk"[seat])
        for origin, piece in board.items():
            if piece.isupper() == (seat == 0):
                continue
            if piece in "Pp":
                up = 1 if piece == "P" else -1
                hit = king[1] == origin[1] + up and abs(king[0] - origin[0]) == 1
            else:
                hit = king in _reach(board, origin, piece.upper())
            if hit:
                return True
        return False


def _reach(board: dict[Square, str], origin: Square, kind: str) -> list[Square]:
    """Return the squares that a piece other than a pawn attacks."""
    directions = {"N": JUMPS, "R": STRAIGHT}.get(kind, STRAIGHT + SLANTED)
    found = []
    for right, up in directions:
        file, rank = origin
        while True:
            file, rank = file + right, rank + up
            if not (0 <= file < SIZE and 0 <= rank < SIZE):
                break
            found.append((file, rank))
            if (file, rank) in board or kind in "NK":
                break
    return found


def _squares() -> list[Square]:
    return [(file, rank) for rank in reversed(range(SIZE)) for file in range(SIZE)]


def _name(square: Square) -> str:
    return f"{FILES[square[0]]}{square[1] + 1}"


def start(first: int = 0) -> Chess:
    """Return the first position; White always begins."""
    pieces = {
        (file, rank): piece
        for rank, line in enumerate(START)
        for file, piece in enumerate(line)
        if piece != "."
    }
    return Chess(frozenset(pieces.items()))
