"""Kuhn poker.

Both players put 1 into the pot. Each gets one of three cards, 1 to 3, unseen by the other:
`card 2` for the first seat, `card 3` for the second. Then they `pass` or `bet` 1 more in turn. A
pass after a bet loses what one has put in (`left`). After two passes or two bets the higher card
wins as much (`showdown`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check

ENDS = {"pp": "showdown", "bb": "showdown", "pbb": "showdown", "bp": "left", "pbp": "left"}


@dataclass(frozen=True)
class KuhnPoker:
    """A position: the cards by seat, and the betting so far."""

    number: int
    ante: int
    bet: int
    first: int
    cards: tuple[int, ...] = ()
    betting: str = ""

    @property
    def turn(self) -> Turn:
        if self.betting in ENDS:
            return None
        if len(self.cards) < 2:
            return "chance"
        return self.first if len(self.betting) % 2 == 0 else 1 - self.first

    @property
    def deck(self) -> set[int]:
        return set(range(1, self.number + 1)) - set(self.cards)

    @property
    def moves(self) -> tuple[str, ...]:
        if len(self.cards) < 2:
            return tuple(f"card {card}" for card in sorted(self.deck))
        return () if self.betting in ENDS else ("pass", "bet")

    @property
    def stakes(self) -> list[int]:
        """What each seat has put in."""
        own, other = self.betting[::2].count("b"), self.betting[1::2].count("b")
        pair = [self.ante + own * self.bet, self.ante + other * self.bet]
        return pair if self.first == 0 else pair[::-1]

    @property
    def values(self) -> dict[str, object]:
        return {
            "deck": self.deck,
            "passes": self.betting.count("p"),
            "hand": [*self.cards, 0, 0][:2],
            "stake": self.stakes,
        }

    @property
    def result(self) -> Result | None:
        if self.betting not in ENDS:
            return None
        if ENDS[self.betting] == "left":
            winner = self.first if len(self.betting) % 2 == 0 else 1 - self.first
        else:
            winner = 0 if self.cards[0] > self.cards[1] else 1
        pot = min(self.stakes)
        pays = (pot, -pot) if winner == 0 else (-pot, pot)
        return Result((winner,), (1 - winner,), False, ENDS[self.betting], pays)

    def play(self, text: str) -> KuhnPoker:
        check(text, self.moves)
        if len(self.cards) < 2:
            return replace(self, cards=(*self.cards, int(text.split()[1])))
        return replace(self, betting=self.betting + text[0])


def start(first: int = 0, *, cards: int = 3, ante: int = 1, bet: int = 1) -> KuhnPoker:
    """Return the first position."""
    return KuhnPoker(cards, ante, bet, first)
