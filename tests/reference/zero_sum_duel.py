"""Zero Sum Duel.

Both players have a score of their own, 20 at the start. In turn, a player subtracts one of the
numbers 1 to 5 from it (`subtract 5`): not the number that the opponent has just subtracted, and
not one that leaves the score below zero. Whoever reaches zero wins (`zero`); a player without a
valid move loses (`stuck`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, lose, put, win


@dataclass(frozen=True)
class ZeroSumDuel:
    """A position; `last` is the number subtracted last, None before the first move."""

    numbers: tuple[int, ...]
    mover: int
    score: tuple[int, ...]
    last: int | None = None
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        return tuple(
            f"subtract {number}"
            for number in self.numbers
            if number != self.last and number <= self.score[self.mover]
        )

    @property
    def values(self) -> dict[str, object]:
        return {"score": list(self.score), "last": self.last}

    def play(self, text: str) -> ZeroSumDuel:
        check(text, self.moves)
        number = int(text.removeprefix("subtract "))
        score = self.score[self.mover] - number
        after = replace(self, score=put(self.score, self.mover, score), last=number)
        if score == 0:
            return replace(after, result=win(self.mover, "zero"))
        return replace(after, mover=1 - self.mover).settled()

    def settled(self) -> ZeroSumDuel:
        """Return this position, lost by the mover if no move is valid."""
        return self if self.moves else replace(self, result=lose(self.mover, "stuck"))


def start(
    first: int = 0, *, start: int = 20, numbers: tuple[int, ...] = (1, 2, 3, 4, 5)
) -> ZeroSumDuel:
    """Return the first position."""
    return ZeroSumDuel(numbers, mover=first, score=(start, start)).settled()
