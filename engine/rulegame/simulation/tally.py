"""Exact counts of games, so that their order does not matter."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from typing import Final, Literal, NamedTuple

from rulegame.game import Game, Outcome

Sort = Literal["operation", "setup", "roll"]


class Kind(NamedTuple):
    """A kind of step: an operation, a choice of the setup, or a roll."""

    sort: Sort
    name: str


class End(NamedTuple):
    """A way for a game to end, and who moved first."""

    first: int
    rule: str
    winners: tuple[int, ...]
    losers: tuple[int, ...]
    draw: bool


class Tally:
    """The counts of games."""

    def __init__(self, game: Game) -> None:
        self.kinds: Final = kinds_of(game)
        self.number: Final = {kind: number for number, kind in enumerate(self.kinds)}
        self.ends: Counter[End] = Counter()
        self.unfinished: Counter[int] = Counter()  # by who moved first
        self.lengths: Counter[int] = Counter()  # of finished games
        self.times = [0] * len(self.kinds)  # how often each kind of step was taken
        self.used = [0] * len(self.kinds)  # in how many games
        self.paid: list[int | Fraction] = [0] * len(game.players)
        self.paid_squares: list[int | Fraction] = [0] * len(game.players)

    def end(self, outcome: Outcome, first: int, games: int, pays: bool = True) -> None:
        """Count games that ended; without `pays`, their payoffs are counted elsewhere."""
        end = End(first, outcome.rule, outcome.winners, outcome.losers, outcome.draw)
        self.ends[end] += games
        if pays:
            payoffs = outcome.payoffs
            self.pay([p * games for p in payoffs], [p * p * games for p in payoffs])

    def pay(self, paid: Sequence[int | Fraction], squares: Sequence[int | Fraction]) -> None:
        """Add the payoffs of each seat, and their squares."""
        for seat, (payoff, square) in enumerate(zip(paid, squares, strict=True)):
            self.paid[seat] += payoff
            self.paid_squares[seat] += square

    def add(self, other: Tally) -> None:
        """Add the counts of other games with the same rules."""
        self.ends += other.ends
        self.unfinished += other.unfinished
        self.lengths += other.lengths
        self.times = [own + more for own, more in zip(self.times, other.times, strict=True)]
        self.used = [own + more for own, more in zip(self.used, other.used, strict=True)]
        self.pay(other.paid, other.paid_squares)

    @property
    def is_shared(self) -> bool:
        """Whether all players had the same result in every game, and not always a draw."""
        players = (0, len(self.paid))  # who win, or lose, where all get the same
        shared = {end.draw or len(end.winners or end.losers) in players for end in self.ends}
        return shared == {True} and not all(end.draw for end in self.ends)

    @property
    def games(self) -> int:
        return self.ends.total() + self.unfinished.total()

    @property
    def steps(self) -> int:
        """The number of moves and rolls in all games."""
        return sum(self.times)


def kinds_of(game: Game) -> tuple[Kind, ...]:
    """All kinds of steps that the game may have."""
    ruleset = game.ruleset
    kinds = [Kind("setup" if o.setup else "operation", o.name) for o in ruleset.chosen]
    rolls = [point.roll.name for point in game.kernel.points if point.roll is not None]
    kinds += [Kind("roll", name) for name in dict.fromkeys(rolls)]
    return tuple(kinds)
