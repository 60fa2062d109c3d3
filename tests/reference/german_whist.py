"""German whist.

Four suits of so many ranks; card 1 is the lowest of the first suit. Each player gets a quarter of
the cards (`card 7`), and one is laid in sight: its suit is trump. One player leads (`lead 7`), the
other follows suit if possible (`follow 9`). The taker of the trick gets the card in sight, the
other player the next one (`drawn 3`), another one is laid in sight (`next_card 5`), and the taker
leads. When there are no more, tricks count, and most of them win (`played`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, win

Hands = tuple[frozenset[int], frozenset[int]]


@dataclass(frozen=True)
class GermanWhist:
    """A position; `waiting` is what is to be drawn next, if anything is."""

    ranks: int
    mover: int
    pile: frozenset[int]
    hands: Hands = (frozenset(), frozenset())
    tricks: tuple[int, int] = (0, 0)
    shown: int = 0
    trump: int = 0
    led: int = 0
    taker: int = 0
    waiting: str = "card"

    def suit(self, card: int) -> int:
        return (card - 1) // self.ranks + 1

    @property
    def turn(self) -> Turn:
        if self.result is not None:
            return None
        return "chance" if self.waiting else self.mover

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        if self.waiting:
            return tuple(f"{self.waiting} {card}" for card in sorted(self.pile))
        hand = sorted(self.hands[self.mover])
        if not self.led:
            return tuple(f"lead {card}" for card in hand)
        same = [card for card in hand if self.suit(card) == self.suit(self.led)]
        return tuple(f"follow {card}" for card in same or hand)

    @property
    def values(self) -> dict[str, object]:
        return {
            "pile": set(self.pile),
            "shown": self.shown,
            "trump": self.trump,
            "led": self.led,
            "taker": self.taker,
            "hand": [set(hand) for hand in self.hands],
            "tricks": list(self.tricks),
        }

    @property
    def result(self) -> Result | None:
        if self.waiting or self.led or any(self.hands):
            return None
        one, two = self.tricks
        if one == two:
            return Result((), (), True, "played")
        return win(0 if one > two else 1, "played")

    def play(self, text: str) -> GermanWhist:
        check(text, self.moves)
        name, number = text.split()
        card = int(number)
        if name == "lead":
            return replace(self._without(card), led=card, mover=1 - self.mover)
        if name == "follow":
            return self._without(card)._trick(card)
        return replace(self, pile=self.pile - {card})._given(name, card)

    def _without(self, card: int) -> GermanWhist:
        return self._with(self.mover, self.hands[self.mover] - {card})

    def _with(self, seat: int, hand: frozenset[int]) -> GermanWhist:
        hands = (hand, self.hands[1]) if seat == 0 else (self.hands[0], hand)
        return replace(self, hands=hands)

    def _trick(self, card: int) -> GermanWhist:
        """The mover has followed with a card."""
        suits = self.suit(card), self.suit(self.led)
        higher = suits[0] == suits[1] and card > self.led
        wins = higher or (suits[0] == self.trump and suits[1] != self.trump)
        taker = self.mover if wins else 1 - self.mover
        if self.shown:
            return replace(self, led=0, taker=taker, waiting="drawn")
        won = (self.tricks[0] + (taker == 0), self.tricks[1] + (taker == 1))
        return replace(self, led=0, taker=taker, mover=taker, tricks=won)

    def _given(self, name: str, card: int) -> GermanWhist:
        if name == "drawn":
            taken = self._with(self.taker, self.hands[self.taker] | {self.shown})
            other = 1 - self.taker
            taken = taken._with(other, taken.hands[other] | {card})
            if taken.pile:
                return replace(taken, shown=0, waiting="next_card")
            return replace(taken, shown=0, waiting="", mover=self.taker)
        if name == "next_card":
            return replace(self, shown=card, waiting="", mover=self.taker)
        seat = 0 if len(self.hands[0]) < self.ranks else 1
        if len(self.hands[seat]) < self.ranks:
            return self._with(seat, self.hands[seat] | {card})
        return replace(self, shown=card, trump=self.suit(card), waiting="")


def start(first: int = 0, *, ranks: int = 13) -> GermanWhist:
    """Return the first position."""
    return GermanWhist(ranks, first, frozenset(range(1, 4 * ranks + 1)))
