"""Sealed bids: an auction for three.

Each has 10 gold. A lot worth 1 to 6 comes up by chance (`worth 4`), and all offer gold for it at
once, as much as they have or less: `offer 3`, seat after seat, none of whom knows what others have
offered. A single highest offer gets the worth of the lot, and pays what it has offered, or the
second highest offer. After 4 lots the most gold wins (`sold`); what each gets is the gold.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, put


@dataclass(frozen=True)
class SealedBids:
    """A position: `worth` is 0 if no lot has come up, `offers` are those that wait."""

    second_price: bool
    left: int
    gold: tuple[int, ...]
    worth: int = 0
    offers: tuple[int, ...] = ()

    @property
    def result(self) -> Result | None:
        if self.left:
            return None
        best = max(self.gold)
        winners = tuple(seat for seat, gold in enumerate(self.gold) if gold == best)
        if len(winners) == 3:
            return Result((), (), True, "sold", self.gold)
        losers = tuple(seat for seat in range(3) if seat not in winners)
        return Result(winners, losers, False, "sold", self.gold)

    @property
    def turn(self) -> Turn:
        if self.result is not None:
            return None
        return len(self.offers) if self.worth else "chance"

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        if not self.worth:
            return tuple(f"worth {n}" for n in range(1, 7))
        return tuple(f"offer {n}" for n in range(self.gold[len(self.offers)] + 1))

    @property
    def values(self) -> dict[str, object]:
        return {"left": self.left, "gold": list(self.gold)}

    def play(self, text: str) -> SealedBids:
        check(text, self.moves)
        number = int(text.split()[1])
        if not self.worth:
            return replace(self, worth=number)
        offers = (*self.offers, number)
        if len(offers) < 3:
            return replace(self, offers=offers)
        second, best = sorted(offers)[1:]
        gold = self.gold
        if second < best:
            buyer = offers.index(best)
            price = second if self.second_price else best
            gold = put(gold, buyer, gold[buyer] + self.worth - price)
        return SealedBids(self.second_price, self.left - 1, gold)


def start(
    first: int = 0, *, lots: int = 4, money: int = 10, second_price: bool = False
) -> SealedBids:
    """Return the first position; all choose at once, so that nobody is first."""
    return SealedBids(second_price, lots, (money,) * 3)
