"""Leduc poker.

Six cards, two of each of three ranks. Both players put 1 into the pot and get a card unseen by the
other (`card 2`). They `call` or `raise` by 2, at most twice; after a raise one may `fold`, which
loses what one has put in (`folded`). When both have called, or a raise was called, a card is laid
on the table (`card 3`), and there is a second round with raises by 4, which the same player begins.
Then a pair with the card on the table wins what the other has put in, or else the higher card
(`showdown`); equal cards share. With `suits`, cards 1 and 2 are those of the first rank, and so on.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check

CLOSED = ("cc", "rc", "rrc", "crc", "crrc")


@dataclass(frozen=True)
class LeducPoker:
    """A position: the cards in the order of the deal, and the letters of each round."""

    ranks: int
    suits: bool
    first: int
    cards: tuple[int, ...] = ()
    rounds: tuple[str, str] = ("", "")

    @property
    def betting(self) -> str:
        return self.rounds[self.second]

    @property
    def second(self) -> bool:
        """Whether the card on the table has been laid."""
        return len(self.cards) == 3

    @property
    def turn(self) -> Turn:
        if self.result is not None:
            return None
        if len(self.cards) < 2 or (not self.second and self.betting in CLOSED):
            return "chance"
        return self.first if len(self.betting) % 2 == 0 else 1 - self.first

    @property
    def left(self) -> list[int]:
        """How many there are of each card."""
        kinds = range(1, (2 * self.ranks if self.suits else self.ranks) + 1)
        each = 1 if self.suits else 2
        return [each - self.cards.count(kind) for kind in kinds]

    @property
    def shares(self) -> tuple[int, ...]:
        """How likely what can be dealt is, in proportion."""
        return tuple(number for number in self.left if number)

    @property
    def moves(self) -> tuple[str, ...]:
        if self.turn is None:
            return ()
        if self.turn == "chance":
            return tuple(f"card {k}" for k, many in enumerate(self.left, start=1) if many)
        fold = ("fold",) if self.betting.endswith("r") else ()
        return (*fold, "call", *(("raise",) if self.betting.count("r") < 2 else ()))

    @property
    def stakes(self) -> list[int]:
        """What each seat has put in."""
        paid = [1, 1]
        for betting, raised in zip(self.rounds, (2, 4), strict=True):
            for k, letter in enumerate(betting):
                seat = self.first if k % 2 == 0 else 1 - self.first
                if letter != "f":
                    paid[seat] = max(paid) + (raised if letter == "r" else 0)
        return paid

    @property
    def values(self) -> dict[str, object]:
        betting = self.betting
        ended = betting.endswith("f")
        calls = len(betting.rstrip("f")) - len(betting.rstrip("f").rstrip("c"))
        return {
            "left": self.left,
            "shown": self.cards[2] if self.second else 0,
            "raises": betting.count("r"),
            "calls": calls,
            "folded": ended,
            "hand": [*self.cards[:2], 0, 0][:2],
            "stake": self.stakes,
        }

    @property
    def result(self) -> Result | None:
        pot = min(self.stakes)
        if self.betting.endswith("f"):
            loser = self.first if len(self.betting) % 2 else 1 - self.first
            return _won(1 - loser, pot, "folded")
        if not self.second or self.betting not in CLOSED:
            return None
        mine, theirs = self._worth(0), self._worth(1)
        if mine == theirs:
            return Result((), (), True, "showdown", (0, 0))
        return _won(0 if mine > theirs else 1, pot, "showdown")

    def _worth(self, seat: int) -> int:
        own, shown = (self._rank(card) for card in (self.cards[seat], self.cards[2]))
        return 1000 if own == shown else own

    def _rank(self, card: int) -> int:
        return (card + 1) // 2 if self.suits else card

    def play(self, text: str) -> LeducPoker:
        check(text, self.moves)
        if text.startswith("card"):
            return replace(self, cards=(*self.cards, int(text.split()[1])))
        one, two = self.rounds
        made = (one, two + text[0]) if self.second else (one + text[0], two)
        return replace(self, rounds=made)


def _won(winner: int, pot: int, rule: str) -> Result:
    pays = (pot, -pot) if winner == 0 else (-pot, pot)
    return Result((winner,), (1 - winner,), False, rule, pays)


def start(first: int = 0, *, ranks: int = 3, suits: bool = False) -> LeducPoker:
    """Return the first position."""
    return LeducPoker(ranks, suits, first)
