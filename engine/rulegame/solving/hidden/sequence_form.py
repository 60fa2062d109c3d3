"""Plans of two players over their sequences, and what the best answer to a plan gets.

A plan says of each sequence how likely a player makes all the choices that it stands for. Against a
fixed plan a best answer is found information set by information set, the last ones first; so is
what it gets, which proves what the plan makes sure of. In fractions that is exact; in floating
point the result is moved outward by more than rounding can have changed it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.solving.hidden.histories import Histories, Numbers, Side

Floats = NDArray[np.float64]

UNIT: Final = 2.0**-52


@dataclass(frozen=True)
class SequenceForm:
    """The payoffs of the first mover by pairs of sequences, as floats and as whole numbers."""

    histories: Histories

    @property
    def sides(self) -> tuple[Side, Side]:
        return self.histories.sides

    @cached_property
    def pairs(self) -> tuple[Numbers, Numbers, list[int]]:
        """Each pair of sequences that pays something, once, with its payoff times the scale."""
        one, other = self.histories.ends
        both = one * self.sides[1].sequences + other
        found, places = np.unique(both, return_inverse=True)
        sums = [0] * len(found)
        for place, weight in zip(places.reshape(-1).tolist(), self.histories.weights, strict=True):
            sums[place] += weight
        kept = np.array([total != 0 for total in sums], bool)
        found = found[kept]
        whole = [total for total in sums if total]
        return found // self.sides[1].sequences, found % self.sides[1].sequences, whole

    @cached_property
    def matrix(self) -> Any:
        """The payoffs as a sparse matrix of floats, each rounded once."""
        from scipy.sparse import csr_array

        one, other, whole = self.pairs
        scale = self.histories.scale
        entries = np.array([weight / scale for weight in whole], np.float64)
        return csr_array((entries, (one, other)), tuple(side.sequences for side in self.sides))

    @cached_property
    def transposed(self) -> Any:
        return self.matrix.T.tocsr()

    @cached_property
    def most(self) -> float:
        """No payoff is farther from zero than about this, chance counted in."""
        return float(abs(self.matrix).sum()) or 1.0

    # ---- in floating point

    def gradient(self, side: int, plan: Floats) -> Floats:
        """What each sequence of a side gains against a plan of the other side."""
        found: Floats = self.matrix @ plan if side == 0 else -(self.transposed @ plan)
        return found

    def answer(self, side: int, plan: Floats) -> float:
        """At least what the best answer of a side gets against the plan that is meant by the other
        side's behaviour: a bound that rounding cannot break.
        """
        worth = best_answer(self.sides[side], self.gradient(side, plan))
        matrix = abs(self.matrix if side == 0 else self.transposed)
        most = best_answer(self.sides[side], matrix @ plan)
        return worth + self._error(side) * most

    def _error(self, side: int) -> float:
        """By what share of the sum of all amounts a best answer may be off. Each is a product of an
        entry (rounded once) and of a share of the plan (a product of as many quotients as there are
        layers, each of which may be off by a few units, and by as many as its set has moves); then
        they are added up, in each row and set after set.
        """
        matrix = self.matrix if side == 0 else self.transposed
        row = int(np.diff(matrix.indptr).max(initial=0))
        other = self.sides[1 - side]
        widest = int(np.diff(other.starts).max(initial=1))
        own = self.sides[side]
        children = int(np.bincount(own.parents, minlength=1).max(initial=0))
        steps = row + len(own.layers) * (children + 2) + (len(other.layers) + 1) * (widest + 4) + 16
        return 2.0 * steps * UNIT

    # ---- in whole numbers

    def exact_answer(self, side: int, plan: Sequence[Fraction]) -> Fraction:
        """What the best answer of a side gets against a plan of the other side."""
        whole, scale = over_one(plan)
        one, other, weights = self.pairs
        mine, theirs = (one, other) if side == 0 else (other, one)
        sums = [0] * self.sides[side].sequences
        sign = 1 if side == 0 else -1
        for k, j, weight in zip(mine.tolist(), theirs.tolist(), weights, strict=True):
            if whole[j]:
                sums[k] += sign * weight * whole[j]
        own = self.sides[side]
        parents, starts = own.parents.tolist(), own.starts.tolist()
        for k in range(len(parents) - 1, -1, -1):
            sums[parents[k]] += max(sums[starts[k] : starts[k + 1]])
        return Fraction(sums[0], scale * self.histories.scale)


def over_one(plan: Sequence[Fraction]) -> tuple[list[int], int]:
    """Fractions as whole numbers over one denominator."""
    from math import lcm

    scale = lcm(*{share.denominator for share in plan})
    return [share.numerator * (scale // share.denominator) for share in plan], scale


def best_answer(side: Side, gains: Floats) -> float:
    """The most that a plan can gain in all."""
    worth = gains.copy()
    for sets in reversed(side.layers):
        np.add.at(worth, side.parents[sets], set_maxima(side, sets, worth))
    return float(worth[0])


def set_maxima(side: Side, sets: Numbers, worth: Floats) -> Floats:
    """The greatest worth among the sequences of some sets."""
    places, begins = set_members(side, sets)
    found: Floats = np.maximum.reduceat(worth[places], begins)
    return found


def set_members(side: Side, sets: Numbers) -> tuple[Numbers, Numbers]:
    """The sequences of some sets, one set after the other, and where those of each begin."""
    starts = side.starts[sets]
    lengths = side.starts[sets + 1] - starts
    begins = np.cumsum(lengths) - lengths
    return np.repeat(starts - begins, lengths) + np.arange(int(lengths.sum())), begins


def plan_of(side: Side, shares: Floats) -> Floats:
    """The plan of a behaviour: of each sequence, how likely its last choice is in its set."""
    plan = shares.copy()
    plan[0] = 1.0
    for sets in side.layers:
        places, _ = set_members(side, sets)
        plan[places] *= np.repeat(plan[side.parents[sets]], np.diff(side.starts)[sets])
    return plan


def behaviour(side: Side, plan: Floats) -> Floats:
    """How likely each choice is in its set, by a plan; all alike where the plan never comes."""
    shares = np.maximum(plan, 0.0)
    shares[0] = 1.0
    degrees = np.diff(side.starts)
    if len(degrees):
        totals = np.add.reduceat(shares[1:], side.starts[:-1] - 1)
        spread = np.repeat(totals, degrees)
        even = np.repeat(1.0 / degrees, degrees)
        safe = np.where(spread > 0, spread, 1.0)
        shares[1:] = np.where(spread > 0, shares[1:] / safe, even)
    return shares
