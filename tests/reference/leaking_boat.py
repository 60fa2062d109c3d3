"""Leaking Boat, for two, who win or lose together.

In each turn the sea presses on a hold (`leak 2`): water comes into it, unless it is mended. Then a
player bails two measures out of a hold (`bail 2`) or, as long as they have nails, mends one that is
dry (`mend 3`). All lose when a hold is full (`sunk`), all win when all are mended (`mended`), and
all lose when the hours are over (`night`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, put


@dataclass(frozen=True)
class LeakingBoat:
    """A position; `leak` is the hold that the sea presses on in this turn, 0 before that."""

    deep: int
    hours: int
    mover: int
    water: tuple[int, ...]
    mended: tuple[bool, ...]
    left: tuple[int, ...]
    hour: int = 0
    leak: int = 0

    @property
    def turn(self) -> Turn:
        if self.result is not None:
            return None
        return self.mover if self.leak else "chance"

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        holds = range(1, len(self.water) + 1)
        if not self.leak:
            return tuple(f"leak {hold}" for hold in holds)
        can = [h for h in holds if self.left[self.mover] and self._is_open_and_dry(h)]
        return (*(f"bail {hold}" for hold in holds), *(f"mend {hold}" for hold in can))

    def _is_open_and_dry(self, hold: int) -> bool:
        return not self.mended[hold - 1] and not self._risen()[hold - 1]

    def _risen(self) -> tuple[int, ...]:
        """The water after that of this turn has come in."""
        at = self.leak - 1
        return put(self.water, at, self.water[at] + (not self.mended[at]))

    @property
    def values(self) -> dict[str, object]:
        return {
            "water": list(self.water),
            "mended": list(self.mended),
            "hour": self.hour,
            "left": list(self.left),
        }

    @property
    def result(self) -> Result | None:
        if not self.hour:
            return None
        seats = (0, 1)
        if max(self.water) >= self.deep:
            return Result((), seats, False, "sunk", (-1, -1))
        if all(self.mended):
            return Result(seats, (), False, "mended", (1, 1))
        return Result((), seats, False, "night", (-1, -1)) if self.hour == self.hours else None

    def play(self, text: str) -> LeakingBoat:
        check(text, self.moves)
        what, hold = text.split()
        at = int(hold) - 1
        if what == "leak":
            return replace(self, leak=int(hold))
        water, mended, left = self._risen(), self.mended, self.left
        if what == "bail":
            water = put(water, at, max(0, water[at] - 2))
        else:
            mended = put(mended, at, True)
            left = put(left, self.mover, left[self.mover] - 1)
        after = replace(self, water=water, mended=mended, left=left, hour=self.hour + 1, leak=0)
        return after if after.result is not None else replace(after, mover=1 - self.mover)


def start(
    first: int = 0, *, holds: int = 3, deep: int = 3, nails: int = 2, hours: int = 9
) -> LeakingBoat:
    """Return the first position."""
    return LeakingBoat(deep, hours, first, (0,) * holds, (False,) * holds, (nails, nails))
