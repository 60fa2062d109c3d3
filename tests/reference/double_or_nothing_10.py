"""Double or Nothing, the game of two scores.

Both players have a score of their own, 0 at the start. In turn, a player adds one to it
(`add_one`) or doubles it (`double`, allowed for zero too); no result may be above the target
(10). Whoever reaches the target wins (`target`). A player without a valid move passes; when both
have passed in a row, the player whose turn would be next, the first of the two, loses
(`all_stuck`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, lose, put, select, win

OPERATIONS = ("add_one", "double")


def apply(operation: str, score: int) -> int:
    """Return the score after the operation."""
    return score + 1 if operation == "add_one" else score * 2


@dataclass(frozen=True)
class DoubleOrNothing10:
    """A position."""

    target: int
    operations: tuple[str, ...]
    mover: int
    score: tuple[int, ...]
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        return self._valid(self.mover) if self.result is None else ()

    @property
    def values(self) -> dict[str, object]:
        return {"score": list(self.score)}

    def play(self, text: str) -> DoubleOrNothing10:
        check(text, self.moves)
        score = apply(text, self.score[self.mover])
        after = replace(self, score=put(self.score, self.mover, score))
        if score == self.target:
            return replace(after, result=win(self.mover, "target"))
        return replace(after, mover=1 - self.mover).settled()

    def settled(self) -> DoubleOrNothing10:
        """Return this position after the passes of players without a valid move."""
        if self._valid(self.mover):
            return self
        if self._valid(1 - self.mover):
            return replace(self, mover=1 - self.mover)
        return replace(self, result=lose(self.mover, "all_stuck"))

    def _valid(self, seat: int) -> tuple[str, ...]:
        score = self.score[seat]
        return tuple(name for name in self.operations if apply(name, score) <= self.target)


def start(
    first: int = 0,
    *,
    target: int = 10,
    start: int = 0,
    enable: tuple[str, ...] = (),
    disable: tuple[str, ...] = (),
) -> DoubleOrNothing10:
    """Return the first position."""
    operations = select(OPERATIONS, enable, disable)
    return DoubleOrNothing10(target, operations, mover=first, score=(start, start)).settled()
