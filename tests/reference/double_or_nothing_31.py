"""Double or Nothing, the game of one shared number.

The number is 1 at the start. In turn, the players `double` it or add one (`add_one`); two more
operations can be switched on: `subtract_one`, whose result must not be below 1, and `triple`.
No result may be above the target (31). Whoever reaches the target wins (`target`); a player
without a valid move loses (`stuck`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, lose, select, win

OPERATIONS = ("double", "add_one", "subtract_one", "triple")
OFF = ("subtract_one", "triple")


def apply(operation: str, number: int) -> int:
    """Return the number after the operation."""
    return {
        "double": number * 2,
        "add_one": number + 1,
        "subtract_one": number - 1,
        "triple": number * 3,
    }[operation]


@dataclass(frozen=True)
class DoubleOrNothing31:
    """A position."""

    target: int
    operations: tuple[str, ...]
    mover: int
    number: int
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        return self.mover if self.result is None else None

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        return tuple(operation for operation in self.operations if self._valid(operation))

    @property
    def values(self) -> dict[str, object]:
        return {"number": self.number}

    def play(self, text: str) -> DoubleOrNothing31:
        check(text, self.moves)
        after = replace(self, number=apply(text, self.number))
        if after.number == self.target:
            return replace(after, result=win(self.mover, "target"))
        return replace(after, mover=1 - self.mover).settled()

    def settled(self) -> DoubleOrNothing31:
        """Return this position, lost by the mover if no move is valid."""
        return self if self.moves else replace(self, result=lose(self.mover, "stuck"))

    def _valid(self, operation: str) -> bool:
        number = apply(operation, self.number)
        return number <= self.target and (operation != "subtract_one" or number >= 1)


def start(
    first: int = 0,
    *,
    target: int = 31,
    start: int = 1,
    enable: tuple[str, ...] = (),
    disable: tuple[str, ...] = (),
) -> DoubleOrNothing31:
    """Return the first position."""
    operations = select(OPERATIONS, enable, disable, off=OFF)
    return DoubleOrNothing31(target, operations, mover=first, number=start).settled()
