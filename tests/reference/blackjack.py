"""Blackjack, for one, with so many decks that every card is as likely at any time.

Two cards are dealt (`card 5`, where 10 stands for all that count ten, and 1 for an ace), and one to
the dealer. The player may `hit`, `stand`, or, with two cards, `double`. The dealer draws up to 17,
also with an ace as 11. Beyond 21 is lost (`bust`); an ace and a ten at once win one and a half bets
(`blackjack`); otherwise the hands are `compared`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from reference.interface import Result, Turn, check

Cards = tuple[int, ...]


def worth(cards: Cards) -> int:
    """What cards count, with an ace as 11 where that helps."""
    soft = 1 in cards and sum(cards) <= 11
    return sum(cards) + (10 if soft else 0)


@dataclass(frozen=True)
class Blackjack:
    """A position: both hands, and what is going on: who draws."""

    stands_at: int
    mine: Cards = ()
    dealers: Cards = ()
    stage: str = "deal"  # then "choose", "hit", "double", "dealer" (or "after", when doubled)
    doubled: bool = False

    @property
    def _is_drawing(self) -> bool:
        if self.stage in ("dealer", "after"):
            return worth(self.dealers) < self.stands_at
        return self.stage != "choose"

    @property
    def turn(self) -> Turn:
        if self.result is not None:
            return None
        return "chance" if self._is_drawing else 0

    @property
    def shares(self) -> tuple[int, ...]:
        return (*[1] * 9, 4)

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        if self._is_drawing:
            name = "drawn" if self.stage == "after" else "card"
            return tuple(f"{name} {card}" for card in range(1, 11))
        more = worth(self.mine) < 21
        both = more and len(self.mine) == 2
        return (*(["hit"] if more else []), "stand", *(["double"] if both else []))

    @property
    def values(self) -> dict[str, object]:
        return {
            "total": sum(self.mine),
            "ace": 1 in self.mine,
            "cards": len(self.mine),
            "stake": 4 if self.doubled and len(self.mine) == 3 else 2,
            "stands": self.stage in ("dealer", "after"),
            "dealer_total": sum(self.dealers),
            "dealer_ace": 1 in self.dealers,
            "dealer_cards": len(self.dealers),
        }

    @property
    def result(self) -> Result | None:
        mine, dealers = worth(self.mine), worth(self.dealers)
        bet = 2 if self.doubled else 1
        if mine > 21:
            return _paid(-bet, "bust")
        if self.stage not in ("dealer", "after") or dealers < self.stands_at:
            return None
        natural = mine == 21 and len(self.mine) == 2
        theirs = dealers == 21 and len(self.dealers) == 2
        if natural and not theirs:
            return _paid(Fraction(3, 2), "blackjack")
        if dealers > 21 or mine > dealers:
            return _paid(bet, "compared")
        if mine < dealers or (theirs and not natural):
            return _paid(-bet, "compared")
        return _paid(0, "compared")

    def play(self, text: str) -> Blackjack:
        check(text, self.moves)
        name, *numbers = text.split()
        if not numbers:
            stage = {"hit": "hit", "stand": "dealer", "double": "double"}[name]
            return replace(self, stage=stage, doubled=name == "double")
        card = int(numbers[0])
        if self.stage in ("dealer", "after"):
            return replace(self, dealers=(*self.dealers, card))
        if self.stage == "deal" and len(self.mine) == 2:
            return replace(self, dealers=(card,), stage="choose")
        stage = {"deal": "deal", "hit": "choose", "double": "after"}[self.stage]
        return replace(self, mine=(*self.mine, card), stage=stage)


def _paid(bets: int | Fraction, rule: str) -> Result:
    return Result((), (), False, rule, (bets,))


def start(first: int = 0, *, dealer_stands: int = 17) -> Blackjack:
    """Return the first position; there is one player alone."""
    return Blackjack(dealer_stands)
