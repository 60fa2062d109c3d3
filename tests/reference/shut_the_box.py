"""Shut the Box, for one.

Tiles from 1 to 9 are open. Two dice are thrown (`one 2`, `other 3`), and open tiles that add up to
both are shut (`shut 1 4`). If there are none, the game is over (`stuck`), and so it is when all are
shut (`shut`). The score is the sum of the tiles that are shut.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

from reference.interface import Result, Turn, check


@dataclass(frozen=True)
class ShutTheBox:
    """A position: the open tiles, and the dice that have fallen in this turn."""

    tiles: int
    sides: int
    open: frozenset[int]
    dice: tuple[int, ...] = ()

    @property
    def turn(self) -> Turn:
        if self.result is not None:
            return None
        return "chance" if len(self.dice) < 2 else 0

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        if len(self.dice) < 2:
            name = ("one", "other")[len(self.dice)]
            return tuple(f"{name} {face}" for face in range(1, self.sides + 1))
        return self._fitting

    @property
    def _fitting(self) -> tuple[str, ...]:
        tiles = sorted(self.open)
        found = [
            some
            for size in range(1, len(tiles) + 1)
            for some in combinations(tiles, size)
            if sum(some) == sum(self.dice)
        ]
        return tuple(" ".join(["shut", *map(str, some)]) for some in found)

    @property
    def values(self) -> dict[str, object]:
        return {"open": set(self.open)}

    @property
    def result(self) -> Result | None:
        shut = sum(range(1, self.tiles + 1)) - sum(self.open)
        if not self.open:
            return Result((), (), False, "shut", (shut,))
        if len(self.dice) == 2 and not self._fitting:
            return Result((), (), False, "stuck", (shut,))
        return None

    def play(self, text: str) -> ShutTheBox:
        check(text, self.moves)
        name, *numbers = text.split()
        if name != "shut":
            return replace(self, dice=(*self.dice, int(numbers[0])))
        return replace(self, open=self.open - set(map(int, numbers)), dice=())


def start(first: int = 0, *, tiles: int = 9, sides: int = 6) -> ShutTheBox:
    """Return the first position; there is one player alone."""
    return ShutTheBox(tiles, sides, frozenset(range(1, tiles + 1)))
