"""Dice Duel.

Both players have a score of their own, 0 at the start. A turn is a roll of the die and then a
choice: `add` the number rolled to one's score or `subtract` it. Both are allowed even if they
lose. Whoever reaches the target (15) exactly wins (`exact`); whoever falls below 0 or exceeds
the target loses (`outside`). A player whose roll leaves no operation that keeps the score within
0 and the target loses at once, before choosing (`stuck`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, lose, put, select, win

OPERATIONS = ("add", "subtract")


@dataclass(frozen=True)
class DiceDuel:
    """A position; `roll` is None until the mover's die is rolled."""

    target: int
    sides: int
    operations: tuple[str, ...]
    mover: int
    score: tuple[int, ...]
    roll: int | None = None
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        if self.result is not None:
            return None
        return "chance" if self.roll is None else self.mover

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        if self.roll is None:
            return tuple(f"die {number}" for number in range(1, self.sides + 1))
        return self.operations

    @property
    def values(self) -> dict[str, object]:
        return {"score": list(self.score)}

    def play(self, text: str) -> DiceDuel:
        check(text, self.moves)
        if self.roll is None:
            return self._rolled(int(text.removeprefix("die ")))
        score = self._outcome(text, self.roll)
        after = replace(self, score=put(self.score, self.mover, score), roll=None)
        if score == self.target:
            return replace(after, result=win(self.mover, "exact"))
        if not 0 <= score <= self.target:
            return replace(after, result=lose(self.mover, "outside"))
        return replace(after, mover=1 - self.mover)

    def _rolled(self, roll: int) -> DiceDuel:
        outcomes = [self._outcome(operation, roll) for operation in self.operations]
        stuck = not any(0 <= score <= self.target for score in outcomes)
        return replace(self, roll=roll, result=lose(self.mover, "stuck") if stuck else None)

    def _outcome(self, operation: str, roll: int) -> int:
        return self.score[self.mover] + (roll if operation == "add" else -roll)


def start(
    first: int = 0,
    *,
    target: int = 15,
    sides: int = 6,
    start: int = 0,
    enable: tuple[str, ...] = (),
    disable: tuple[str, ...] = (),
) -> DiceDuel:
    """Return the first position."""
    operations = select(OPERATIONS, enable, disable)
    return DiceDuel(target, sides, operations, mover=first, score=(start, start))
