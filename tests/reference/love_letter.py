"""Love Letter for two players.

Sixteen cards: guard (five of them), priest, baron, handmaid and prince (two each), king, countess
and princess. One card is put aside unseen (`buried guard`) and one dealt to each seat (`dealt
king`). In turn, a player draws (`drawn prince`) and plays one of two cards: `guard king` names a
card that ends the other player's round; `baron` compares, `king` trades, `prince 2` makes a seat
put down its card and draw (`fresh baron`, or the card put aside if there is no other); `handmaid`
protects until the player's next turn. The countess must be played beside the king or a prince, and
playing or putting down the princess loses. Who is left wins (`knocked_out`), or when the deck is
empty the higher card, then the higher sum of ranks played (`showdown`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from reference.interface import Result, Turn, check, put, win

CARDS = ["guard", "priest", "baron", "handmaid", "prince", "king", "countess", "princess"]
GUARD, PRIEST, BARON, HANDMAID, PRINCE, KING, COUNTESS, PRINCESS = range(8)


@dataclass(frozen=True)
class LoveLetter:
    """A position; `drawn` is the second card of the mover, `dealt` how many cards were dealt."""

    mover: int
    deck: tuple[int, ...]
    aside: int = GUARD
    dealt: int = -1
    hands: tuple[int, ...] = (GUARD, GUARD)
    safe: tuple[bool, ...] = (False, False)
    saw: tuple[int | None, ...] = (None, None)
    spent: tuple[int, ...] = (0, 0)
    drawn: int | None = None
    refilling: int | None = None  # the seat that draws after a prince
    out: int | None = None
    result: Result | None = None

    @property
    def turn(self) -> Turn:
        if self.result is not None:
            return None
        waits = self.dealt < 2 or self.drawn is None or self.refilling is not None
        return "chance" if waits else self.mover

    @property
    def moves(self) -> tuple[str, ...]:
        if self.result is not None:
            return ()
        if self.turn == "chance":
            left = self._left
            return tuple(f"{self._roll} {CARDS[card]}" for card in range(8) if left[card] > 0)
        held = {self.hands[self.mover], self.drawn}
        found = []
        for card in sorted(one for one in held if one is not None):
            if card == GUARD:
                found += [f"guard {name}" for name in CARDS[1:]]
            elif card in (PRINCE, KING) and COUNTESS in held:
                continue
            elif card == PRINCE:
                found += [f"prince {seat + 1}" for seat in (0, 1) if not self.safe[seat]]
            else:
                found.append(CARDS[card])
        return tuple(found)

    @property
    def shares(self) -> list[int]:
        """How many there are of each card that can come next."""
        return [count for count in self._left if count > 0]

    @property
    def _left(self) -> list[int]:
        """The cards in the deck; it still has the one that was drawn in this turn."""
        left = list(self.deck)
        if self.refilling is not None and self.drawn is not None:
            left[self.drawn] -= 1
        return left

    @property
    def _roll(self) -> str:
        if self.dealt < 2:
            return "buried" if self.dealt < 0 else "dealt"
        return "drawn" if self.drawn is None else "fresh"

    @property
    def values(self) -> dict[str, object]:
        return {
            "deck": list(self.deck),
            "aside": CARDS[self.aside],
            "out": self.out,
            "hand": [CARDS[card] for card in self.hands],
            "safe": list(self.safe),
            "saw": [None if card is None else CARDS[card] for card in self.saw],
            "spent": list(self.spent),
        }

    def play(self, text: str) -> LoveLetter:
        check(text, self.moves)
        name, _, about = text.partition(" ")
        if self.turn == "chance":
            return self._rolled(name, CARDS.index(about))
        return self._played(CARDS.index(name), about)

    def _rolled(self, name: str, card: int) -> LoveLetter:
        fewer = put(self.deck, card, self.deck[card] - 1)
        if name == "drawn":
            return replace(self, drawn=card)
        if name == "buried":
            return replace(self, deck=fewer, aside=card, dealt=0)
        if name == "dealt":
            dealt = replace(
                self, deck=fewer, hands=put(self.hands, self.dealt, card), dealt=self.dealt + 1
            )
            return dealt if dealt.dealt < 2 else dealt._begun(self.mover)
        assert self.refilling is not None
        filled = replace(
            self, deck=fewer, hands=put(self.hands, self.refilling, card), refilling=None
        )
        return filled._done()

    def _begun(self, mover: int) -> LoveLetter:
        return replace(self, mover=mover, safe=put(self.safe, mover, False), drawn=None)

    def _played(self, card: int, about: str) -> LoveLetter:
        me, them = self.mover, 1 - self.mover
        assert self.drawn is not None
        kept = self.drawn if self.hands[me] == card else self.hands[me]
        safe, other = self.safe[them], self.hands[them]
        after = replace(
            self,
            hands=put(self.hands, me, kept),
            spent=put(self.spent, me, self.spent[me] + card + 1),
        )
        if card == GUARD and not safe and CARDS[other] == about:
            after = replace(after, out=them)
        elif card == PRIEST and not safe:
            after = replace(after, saw=put(self.saw, me, other))
        elif card == BARON and not safe and kept != other:
            after = replace(after, out=them if kept > other else me)
        elif card == HANDMAID:
            after = replace(after, safe=put(self.safe, me, True))
        elif card == KING and not safe:
            after = replace(after, hands=(other, kept) if me == 0 else (kept, other))
        elif card == PRINCESS:
            after = replace(after, out=me)
        elif card == PRINCE:
            return after._refilled(int(about) - 1)
        return after._done()

    def _refilled(self, seat: int) -> LoveLetter:
        card = self.hands[seat]
        after = replace(self, spent=put(self.spent, seat, self.spent[seat] + card + 1))
        if card == PRINCESS:
            return replace(after, out=seat)._done()
        if sum(self.deck) > 1:
            return replace(after, refilling=seat)
        return replace(after, hands=put(after.hands, seat, self.aside))._done()

    def _done(self) -> LoveLetter:
        """Return the position after a whole move: the card that was drawn has left the deck."""
        assert self.drawn is not None
        after = replace(self, deck=put(self.deck, self.drawn, self.deck[self.drawn] - 1))
        if self.out is not None:
            return replace(after, result=win(1 - self.out, "knocked_out"))
        if sum(after.deck) == 0:
            worth = list(zip(after.hands, after.spent, strict=True))
            if worth[0] == worth[1]:
                return replace(after, result=Result((), (), draw=True, rule="showdown"))
            return replace(after, result=win(0 if worth[0] > worth[1] else 1, "showdown"))
        return after._begun(1 - self.mover)


def start(first: int = 0, *, guards: int = 5) -> LoveLetter:
    """Return the first position."""
    return LoveLetter(first, (guards, 2, 2, 2, 2, 1, 1, 1))
