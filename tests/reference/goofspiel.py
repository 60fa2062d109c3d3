"""Goofspiel.

Each player has the cards 1 to 13. A prize of the same numbers comes up, by chance (`prize 7`), or
the lowest that is left. Both bid a card for it at once: `bid 3`, first seat 0, then seat 1, who
does not know what seat 0 has bid. The higher card takes the points of the prize; if both are the
same, nobody does. When all prizes are gone, the most points win (`all_taken`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, put


@dataclass(frozen=True)
class Goofspiel:
    """A position; `prize` and `waiting` are 0 if nothing has come up, or been bid by seat 0."""

    shuffled: bool
    prizes: frozenset[int]
    hands: tuple[frozenset[int], ...]
    points: tuple[int, ...] = (0, 0)
    prize: int = 0
    waiting: int = 0

    @property
    def result(self) -> Result | None:
        if self.prizes:
            return None
        if self.points[0] == self.points[1]:
            return Result((), (), True, "all_taken")
        winner = 0 if self.points[0] > self.points[1] else 1
        return Result((winner,), (1 - winner,), False, "all_taken")

    @property
    def turn(self) -> Turn:
        if self.result is not None:
            return None
        if not self.prize:
            return "chance"
        return 1 if self.waiting else 0

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        if not self.prize:
            coming = sorted(self.prizes)
            return tuple(f"prize {n}" for n in (coming if self.shuffled else coming[:1]))
        return tuple(f"bid {n}" for n in sorted(self.hands[1 if self.waiting else 0]))

    @property
    def values(self) -> dict[str, object]:
        return {"prizes": self.prizes, "hand": list(self.hands), "points": list(self.points)}

    def play(self, text: str) -> Goofspiel:
        check(text, self.moves)
        number = int(text.split()[1])
        if not self.prize:
            return replace(self, prize=number)
        if not self.waiting:
            return replace(self, waiting=number)
        bids = (self.waiting, number)
        points = self.points
        if bids[0] != bids[1]:
            winner = bids.index(max(bids))
            points = put(points, winner, points[winner] + self.prize)
        hands = tuple(hand - {bid} for hand, bid in zip(self.hands, bids, strict=True))
        left = self.prizes - {self.prize}
        return Goofspiel(self.shuffled, left, hands, points)


def start(first: int = 0, *, cards: int = 13, shuffled: bool = True) -> Goofspiel:
    """Return the first position; all choose at once, so that nobody is first."""
    numbers = frozenset(range(1, cards + 1))
    return Goofspiel(shuffled, numbers, (numbers, numbers))
