"""Small games in which both choose at once and play can come back, as tables: made at random,
written as rulesets, solved plainly, and a checker of what strategies are said to make sure of.

Nothing here knows the solver. A table says of each place, coin, row and column the place that
follows; negative ones are ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from random import Random

import numpy as np
from numpy.typing import NDArray

Table = list[list[list[list[int]]]]  # place, coin, row, column


@dataclass(frozen=True)
class ConcurrentGame:
    """A table, and what its ends pay the first player: end -1 the first of them, and so on."""

    table: Table
    pays: list[int]

    @staticmethod
    def random(rng: Random) -> ConcurrentGame:
        places, pays = rng.randint(1, 4), [rng.randint(-2, 2) for _ in range(3)]
        following = [*range(-3, 0), *range(places), *range(places)]
        table = [
            [[[rng.choice(following) for _ in range(2)] for _ in range(2)] for _ in range(2)]
            for _ in range(places)
        ]
        for place in table:
            if rng.random() < 0.6:  # no coin
                place[1] = place[0]
        return ConcurrentGame(table, pays)

    def ruleset(self) -> str:
        """The same as a ruleset."""
        flat = [
            target if target >= 0 else len(self.table) - 1 - target
            for place in self.table
            for coin in place
            for row in coin
            for target in row
        ]
        places = len(self.table)
        paid = ", ".join(map(str, self.pays))
        return f"""\
rulegame: 1
title: Places
define:
  leads: {flat}
  paid: "[{paid}][at - {places - 1}]"
state: {{at: 0}}
turn:
  together: true
  roll: {{coin: 0..1}}
  effects:
    at: "leads[at * 8 + coin * 4 + (k[1] - 1) * 2 + k[2]]"
operations:
  show: {{choose: {{k: 1..2}}}}
end:
  over: {{when: at >= {places}, payoff: "[paid, 0 - paid]"}}
"""

    # ---- plainly

    def iterated(self, steps: int) -> NDArray[np.float64]:
        """What the places are worth (halfway between both coins) if the game is broken off after so
        many turns, and pays nothing then.
        """
        ends = np.array(self.pays[::-1], float)  # the last ones, for negative indices
        table = np.array(self.table)
        worth = np.zeros(len(self.table))
        for _ in range(steps):
            worth = _values(np.concatenate((worth, ends))[table]).mean(axis=1)
        return worth

    def proves(
        self, mixes: Sequence[Sequence[Sequence[Fraction]]], claimed: Sequence[Fraction]
    ) -> bool:
        """Whether mixes of the rows (of each place and coin) make sure of what is claimed of the
        places: it never falls on average, and nobody can hold the game where it is above 0.
        """
        worth = [*claimed, *map(Fraction, reversed(self.pays))]
        gains = [
            [
                [_mean(mixes[p][c], [worth[row[k]] for row in rows]) for k in range(2)]
                for c, rows in enumerate(place)
            ]
            for p, place in enumerate(self.table)
        ]
        if any(Fraction(min(a) + min(b), 2) < claimed[p] for p, (a, b) in enumerate(gains)):
            return False
        return all(self._lets_go(mixes, claimed, level) for level in set(claimed) if level > 0)

    def _lets_go(
        self,
        mixes: Sequence[Sequence[Sequence[Fraction]]],
        claimed: Sequence[Fraction],
        level: Fraction,
    ) -> bool:
        """Whether the other one cannot stay for ever where so much is claimed."""
        held = {p for p, value in enumerate(claimed) if value == level}
        while True:
            kept = {
                p
                for p in held
                if all(
                    any(
                        all(row[k] in held for row, share in zip(rows, mix, strict=True) if share)
                        for k in range(2)
                    )
                    for rows, mix in zip(self.table[p], mixes[p], strict=True)
                )
            }
            if kept == held:
                return not held
            held = kept

    def flipped(self) -> ConcurrentGame:
        """The same for the other player."""
        table = [[[list(row) for row in zip(*rows, strict=True)] for rows in p] for p in self.table]
        return ConcurrentGame(table, [-pay for pay in self.pays])


def _values(entries: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values of many games of two rows and two columns."""
    a, b, c, d = (entries[..., i, j] for i in range(2) for j in range(2))
    floor = np.maximum(np.minimum(a, b), np.minimum(c, d))
    ceiling = np.minimum(np.maximum(a, c), np.maximum(b, d))
    total = a + d - b - c
    mixed = (a * d - b * c) / np.where(total == 0, 1, total)
    found: NDArray[np.float64] = np.where(floor >= ceiling, floor, mixed)
    return found


def _mean(mix: Sequence[Fraction], values: Sequence[Fraction]) -> Fraction:
    return sum((share * value for share, value in zip(mix, values, strict=True)), Fraction(0))
