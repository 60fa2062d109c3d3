"""Pig.

Both players have a score of their own, 0 at the start; the turn total is 0 when a turn begins.
The player to move chooses to `roll` the die, unless score and total together are at the target,
or, if the total is above 0, to `hold`. A roll of 1 sets the total to 0 and ends the turn; any
other adds to the total, and the same player goes on. Holding adds the total to the player's score
and ends the turn; a player whose score is then at or above the target (100) wins (`target`).
Without holding, a player who has the target in hand has no move left, and loses (`stuck`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, lose, put, select, win

OPERATIONS = ("roll", "hold")


@dataclass(frozen=True)
class Pig:
    """A position; `rolling` while the die is in the air."""

    target: int
    sides: int
    operations: tuple[str, ...]
    mover: int
    score: tuple[int, ...] = (0, 0)
    total: int = 0
    rolling: bool = False
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        if self.result is not None:
            return None
        return "chance" if self.rolling else self.mover

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        if self.rolling:
            return tuple(f"die {number}" for number in range(1, self.sides + 1))
        enough = self.score[self.mover] + self.total >= self.target
        offered = {"roll": not enough, "hold": self.total > 0}
        return tuple(name for name in self.operations if offered[name])

    @property
    def values(self) -> dict[str, object]:
        return {"score": list(self.score), "total": self.total}

    def play(self, text: str) -> Pig:
        check(text, self.moves)
        if text == "roll":
            return replace(self, rolling=True)
        if text == "hold":
            return self._held()
        if text == "die 1":
            return replace(self, total=0, rolling=False, mover=1 - self.mover)
        total = self.total + int(text.removeprefix("die "))
        after = replace(self, total=total, rolling=False)
        return after if after.moves else replace(after, result=lose(self.mover, "stuck"))

    def _held(self) -> Pig:
        score = self.score[self.mover] + self.total
        after = replace(self, score=put(self.score, self.mover, score), total=0)
        if score >= self.target:
            return replace(after, result=win(self.mover, "target"))
        return replace(after, mover=1 - self.mover)


def start(
    first: int = 0,
    *,
    target: int = 100,
    sides: int = 6,
    enable: tuple[str, ...] = (),
    disable: tuple[str, ...] = (),
) -> Pig:
    """Return the first position; raise ValueError if nobody could roll."""
    operations = select(OPERATIONS, enable, disable)
    if "roll" not in operations:
        raise ValueError("a turn begins with a roll")
    return Pig(target, sides, operations, mover=first)
