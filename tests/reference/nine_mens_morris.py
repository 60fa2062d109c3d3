"""Nine men's morris.

The board has 24 points, called by their column and row, a1 at the bottom left. In turn, the players
first put their nine men on empty points (`place d6`), then move one along a line to the next point
if that is empty (`move d6 d7`), or, with three men left, to any empty point. Who closes a mill,
three own men on a line, then takes a man of the other player (`take b6`), one in a mill only if all
are. Who has
two men left loses (`two_left`), and so does who cannot move (`blocked`). After 200 turns the game
is a draw (`too_long`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, put, win

# The places of the points on a grid of 7 by 7, in the order of their numbers.
GRID = [
    (row, column)
    for row in range(-3, 4)
    for column in range(-3, 4)
    if (row, column) != (0, 0) and (abs(row) == abs(column) or 0 in (row, column))
]


NAMES = ["abcdefg"[column + 3] + str(4 - row) for row, column in GRID]


def _lines() -> list[tuple[int, ...]]:
    """Return the points of each line: along a row or a column, not across the middle."""
    found = []
    for place in (0, 1):  # rows, then columns
        for number in range(-3, 4):
            points = [i for i, cell in enumerate(GRID) if cell[place] == number]
            found += [tuple(points[k : k + 3]) for k in range(0, len(points), 3)]
    return found


LINES = _lines()
NEXT = {frozenset(pair) for a, b, c in LINES for pair in ((a, b), (b, c))}


@dataclass(frozen=True)
class NineMensMorris:
    """A position; `milled` while the mover is to take a man."""

    flying: bool
    longest: int
    mover: int
    hands: tuple[int, ...]
    board: tuple[int | None, ...] = (None,) * 24
    milled: bool = False
    turns: int = 0
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        return () if self.result is not None else self._moves()

    @property
    def values(self) -> dict[str, object]:
        return {
            "board": list(self.board),
            "milled": self.milled,
            "turns": self.turns,
            "hand": list(self.hands),
        }

    def play(self, text: str) -> NineMensMorris:
        check(text, self.moves)
        name, *named = text.split()
        points = [NAMES.index(point) for point in named]
        after = replace(self, board=put(self.board, points[0], None), milled=False)
        if name == "place":
            hands = put(self.hands, self.mover, self.hands[self.mover] - 1)
            after = replace(after, hands=hands)
        if name != "take":
            board = put(after.board, points[-1], self.mover)
            after = replace(after, board=board)
            after = replace(after, milled=after._in_mill(points[-1]))
        if after.milled:
            return after
        return replace(after, turns=self.turns + 1, mover=1 - self.mover)._ended()

    def _ended(self) -> NineMensMorris:
        """Return this position, over if it is, the mover being who is next."""
        if self._left(self.mover) < 3:
            return replace(self, result=win(1 - self.mover, "two_left"))
        if not self._moves():
            return replace(self, result=win(1 - self.mover, "blocked"))
        if self.turns >= self.longest:
            return replace(self, result=Result((), (), draw=True, rule="too_long"))
        return self

    def _moves(self) -> tuple[str, ...]:
        if self.milled:
            theirs = self._points(1 - self.mover)
            safe = [point for point in theirs if self._in_mill(point)]
            taken = theirs if len(safe) == len(theirs) else [p for p in theirs if p not in safe]
            return tuple(f"take {NAMES[point]}" for point in taken)
        if self.hands[self.mover]:
            return tuple(f"place {NAMES[point]}" for point in self._points(None))
        flies = self.flying and self._left(self.mover) == 3
        return tuple(
            f"move {NAMES[point]} {NAMES[to]}"
            for point in self._points(self.mover)
            for to in self._points(None)
            if flies or frozenset((point, to)) in NEXT
        )

    def _points(self, seat: int | None) -> list[int]:
        return [point for point, man in enumerate(self.board) if man == seat]

    def _left(self, seat: int) -> int:
        return self.hands[seat] + len(self._points(seat))

    def _in_mill(self, point: int) -> bool:
        man = self.board[point]
        return any(point in line and all(self.board[p] == man for p in line) for line in LINES)


def start(
    first: int = 0, *, men: int = 9, flying: bool = True, longest: int = 200
) -> NineMensMorris:
    """Return the first position."""
    return NineMensMorris(flying, longest, first, (men, men))
