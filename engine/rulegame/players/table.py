"""The table at which players try moves out: the kernel, and what they ask of it."""

from __future__ import annotations

from random import Random

from rulegame.compiling import Cells, by_random
from rulegame.game import Game

Payoffs = tuple[float, ...]
LONGEST = 1000  # moves and rolls of a game that is played out at random


class FastTable:
    """A game tried out over cells and codes, without `State`s. Where the rules fail, it is a
    `Fault`.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.kernel = game.kernel
        self.seats = len(game.players)
        self.plain = game.kernel.is_plain
        self.open = game.kind.is_open  # everybody sees everything
        self.common = game.kernel.is_common  # every end means the same to all
        opposed = self.plain and not game.kernel.is_shared
        self.opposed = opposed and self.open and self.seats == 2
        self.nothing: Payoffs = (0.0,) * self.seats
        self.step = game.kernel.step
        self.settle = game.kernel.settle
        self.player = game.kernel.player

    def after(self, cells: Cells, code: int) -> Cells:
        """What a move or a roll leads to, after what happens by itself."""
        return self.kernel.advance(self.step(cells, code))

    def roll(self, cells: Cells, rng: Random) -> int:
        """What chance brings at some cells."""
        return self.kernel.roll(cells, by_random(rng))

    def faces(self, cells: Cells) -> list[tuple[int, float]]:
        """All that chance may bring at some cells, with the probabilities."""
        options, weights = self.kernel.options(cells), self.kernel.weights(cells)
        total = sum(weights)
        return [(code, weight / total) for code, weight in zip(options, weights, strict=True)]

    def payoffs(self, cells: Cells) -> Payoffs:
        """What the players get at an end."""
        return tuple([self.kernel.worth(cells, seat) for seat in range(self.seats)])
