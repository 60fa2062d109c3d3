"""Liar's dice for two, with one die each.

A die is thrown under each player's cup: `die 4` for the first seat, `die 1` for the second. In turn
they `bid` how many of both dice show a face, at least (`bid 2 4`): more than the last bid, or as
many of a higher face; or, after a bid, call the other a `liar`. Then the last bidder wins if the
bid was true, and loses if not (`called`). A six counts as every face.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, win


@dataclass(frozen=True)
class LiarsDice:
    """A position: the dice by seat, and the last bid."""

    sides: int
    wild: bool
    mover: int
    dice: tuple[int, ...] = ()
    bid: tuple[int, int] = (0, 0)
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        if self.result is not None:
            return None
        return "chance" if len(self.dice) < 2 else self.mover

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        faces = range(1, self.sides + 1)
        if len(self.dice) < 2:
            return tuple(f"die {face}" for face in faces)
        bids = [(number, face) for number in (1, 2) for face in faces]
        higher = tuple(f"bid {number} {face}" for number, face in bids if (number, face) > self.bid)
        return higher if self.bid == (0, 0) else (*higher, "liar")

    @property
    def values(self) -> dict[str, object]:
        return {
            "quantity": self.bid[0],
            "face": self.bid[1],
            "called": self.result is not None,
            "cup": [*self.dice, 0, 0][:2],
        }

    def play(self, text: str) -> LiarsDice:
        check(text, self.moves)
        name, *numbers = text.split()
        if name == "liar":
            return replace(self, result=win(self._winner(), "called"))
        if name == "bid":
            number, face = map(int, numbers)
            return replace(self, bid=(number, face), mover=1 - self.mover)
        return replace(self, dice=(*self.dice, int(numbers[0])))

    def _winner(self) -> int:
        """Return who wins when the mover calls the last bid a lie."""
        number, face = self.bid
        counted = {face, self.sides} if self.wild else {face}
        true = sum(die in counted for die in self.dice) >= number
        return 1 - self.mover if true else self.mover


def start(first: int = 0, *, sides: int = 6, wild: bool = True) -> LiarsDice:
    """Return the first position."""
    return LiarsDice(sides, wild, mover=first)
