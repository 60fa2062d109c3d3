"""Kuhn poker.

Both players put 1 into the pot. Each gets one of three cards, 1 to 3, unseen by the other: `deal`,
then `mine 2` for the one who moves first, `theirs 3` for the other. Then they `pass` or `bet` 1
more in turn. A pass after a bet loses what one has put in (`left`). After two passes or two bets
the higher card wins as much (`showdown`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check

ENDS = {"pp": "showdown", "bb": "showdown", "pbb": "showdown", "bp": "left", "pbp": "left"}


@dataclass(frozen=True)
class KuhnPoker:
    """A position: the cards of the first and the second mover, and the betting so far."""

    number: int
    ante: int
    bet: int
    first: int
    dealing: bool = False
    cards: tuple[int, ...] = ()
    betting: str = ""

    @property
    def turn(self) -> Turn:
        if self.betting in ENDS:
            return None
        if self.dealing and len(self.cards) < 2:
            return "chance"
        return self.first if len(self.betting) % 2 == 0 else 1 - self.first

    @property
    def moves(self) -> tuple[str, ...]:
        if not self.dealing:
            return ("deal",)
        if len(self.cards) < 2:
            left = [card for card in range(1, self.number + 1) if card not in self.cards]
            return tuple(f"{('mine', 'theirs')[len(self.cards)]} {card}" for card in left)
        return () if self.betting in ENDS else ("pass", "bet")

    @property
    def stakes(self) -> tuple[int, int]:
        """What the first and the second mover have put in."""
        own, other = self.betting[::2].count("b"), self.betting[1::2].count("b")
        return self.ante + own * self.bet, self.ante + other * self.bet

    @property
    def values(self) -> dict[str, object]:
        cards = self.cards if len(self.cards) == 2 else (0, 0)
        return {
            "passes": self.betting.count("p"),
            "card": self._by_seat(cards),
            "stake": self._by_seat(self.stakes),
        }

    @property
    def result(self) -> Result | None:
        if self.betting not in ENDS:
            return None
        if ENDS[self.betting] == "left":
            first_wins = len(self.betting) % 2 == 0
        else:
            first_wins = self.cards[0] > self.cards[1]
        winner = self.first if first_wins else 1 - self.first
        pot = min(self.stakes)
        pays = (pot, -pot) if winner == 0 else (-pot, pot)
        return Result((winner,), (1 - winner,), False, ENDS[self.betting], pays)

    def play(self, text: str) -> KuhnPoker:
        check(text, self.moves)
        if text == "deal":
            return replace(self, dealing=True)
        if len(self.cards) < 2:
            return replace(self, cards=(*self.cards, int(text.split()[1])))
        return replace(self, betting=self.betting + text[0])

    def _by_seat(self, pair: tuple[int, ...]) -> list[int]:
        return list(pair) if self.first == 0 else [pair[1], pair[0]]


def start(first: int = 0, *, cards: int = 3, ante: int = 1, bet: int = 1) -> KuhnPoker:
    """Return the first position."""
    return KuhnPoker(cards, ante, bet, first)
