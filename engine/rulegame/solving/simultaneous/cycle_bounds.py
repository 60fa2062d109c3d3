"""What both sides can make sure of in stages that can come again, proved.

If one side's mixes are fixed, what is left is a game of the other side against chance, in which
play that never ends counts as 0 as everywhere; that is solved exactly, or between proved bounds, by
`chance`. So whatever mixes are tried, the value is at least what they get there: where they come
from does not matter. The mixes of the other side bound it from above in the same way. If both
bounds are the same, the value is exact. There may be no best mixes (only better and better ones),
and values may be no fractions; then the bounds are apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import floor, lcm
from time import monotonic
from typing import Final

import numpy as np

from rulegame.progress import Progress, silent
from rulegame.solving.arena import END, LOW, ROLL, Arena
from rulegame.solving.components import find_structure
from rulegame.solving.deadline import OutOfTime, until
from rulegame.solving.simultaneous.cycle_iteration import MOST_SWEEPS, Iteration
from rulegame.solving.simultaneous.cycles import Cycle, Floats, Mixes, backup, guesses
from rulegame.solving.simultaneous.matrix import Mix, matrix_of, means, solve_matrix
from rulegame.solving.stochastic.chance import NotFeasible, solve_bounds, solve_exactly

GRAIN: Final = 1 << 46  # parts into which a mix in floating point is cut
MOST_PARTS: Final = 1 << 56  # of a mix
FINE: Final = 1 << 50  # parts of what exits are worth, for bounds
SIMPLE: Final = 60  # denominators of mixes that are tried first
PLAIN: Final = 100_000  # denominators of values that are tried
CLOSE: Final = 1e-7  # to such a value
CLEAN: Final = (1e-8, 1e-5, 1e-3)  # shares that may be there only because play stops
SHIFTS: Final = (1e-6, 1e-3)
EXACT: Final = 80  # states, whose values are always found in fractions
SPREAD: Final = 16  # rows and columns of a stage in which all best mixes are looked for
TRIED_AT: Final = (2, 5)  # guesses of which exact mixes are made
IMPROVED: Final = 30  # times
WIDE: Final = 1e-5  # bounds: other guesses are tried
LARGE: Final = 400  # states, from which on value iteration comes first and fractions are not tried
NARROW: Final = 1e-9  # bounds, in units of the payoffs, that are good enough for large cycles
NUDGE: Final = Fraction(1, 10**15)

Shares = tuple[Mix, ...]  # of each state


@dataclass(frozen=True)
class Guarantee:
    """What the side that chooses rows gets at least from each state on, whatever the other does."""

    mixes: Shares
    values: tuple[Fraction, ...]

    @cached_property
    def total(self) -> Fraction:
        return sum(self.values, Fraction(0))


Both = tuple[Guarantee, Guarantee]


def solve_cycle(
    cycle: Cycle,
    lows: Sequence[Fraction],
    highs: Sequence[Fraction],
    known: dict[object, tuple[Shares, Shares]],
    deadline: float,
) -> Both:
    """What rows make sure of, and what columns do (of the payoff with the other sign), by what the
    exits are worth at least and at most. `known` are mixes that were best in cycles of some shape.
    """
    progress = until(deadline)
    flipped = cycle.flipped(), [-high for high in highs]
    sides = _Side(cycle, lows, progress), _Side(*flipped, progress)
    large = len(cycle) > LARGE
    for number, side in enumerate(sides):
        left = max(0.0, deadline - monotonic()) / (4 - number)
        side.iterate(monotonic() + left, MOST_SWEEPS if large else 1)
    try:
        if not large or _width(sides) > NARROW * sides[0].scale:
            _improve_both(cycle, sides, lows, highs, known, progress)
    except OutOfTime:
        pass
    return sides[0].best, sides[1].best


def _improve_both(
    cycle: Cycle,
    sides: tuple[_Side, _Side],
    lows: Sequence[Fraction],
    highs: Sequence[Fraction],
    known: dict[object, tuple[Shares, Shares]],
    progress: Progress,
) -> None:
    """Offer guesses to both sides, until their bounds meet or nothing is better."""
    exact = list(lows) == list(highs)
    if exact and cycle.shape in known:
        for side, before in zip(sides, known[cycle.shape], strict=True):
            side.offer(before, exactly=True)
        if _settled(sides):
            return
    middle = np.array([float(low + high) / 2 for low, high in zip(lows, highs, strict=True)])
    for number, (values, rows, columns) in enumerate(guesses(cycle, middle, progress=progress)):
        found = (values, rows), (-values, columns)
        for side, (worth, mixes) in zip(sides, found, strict=True):
            side.offer(tuple(map(cut, mixes)))
            if exact and number in TRIED_AT and len(cycle) <= LARGE:
                for some in side.fractions(worth, mixes):
                    side.offer(some, exactly=True)
        if exact and _settled(sides):
            known[cycle.shape] = sides[0].best.mixes, sides[1].best.mixes
            return
    for side, (worth, mixes) in zip(sides, found, strict=True):
        side.refine(worth, mixes)
    if _width(sides) > WIDE:
        for _, rows, columns in guesses(cycle, middle, answering=True, progress=progress):
            sides[0].offer(tuple(map(cut, rows)))
            sides[1].offer(tuple(map(cut, columns)))


def _width(sides: Sequence[_Side]) -> float:
    """How far the bounds are apart, at the most."""
    both = zip(sides[0].best.values, sides[1].best.values, strict=True)
    return max(float(-high - low) for low, high in both)


def _settled(sides: Sequence[_Side]) -> bool:
    """Whether what one side makes sure of is what the other does not let be exceeded."""
    one, other = (side.found for side in sides)
    if one is None or other is None:
        return False
    return all(low == -high for low, high in zip(one.values, other.values, strict=True))


class _Side:
    """A cycle from the side of who chooses rows, and the best mixes that were found."""

    def __init__(self, cycle: Cycle, exits: Sequence[Fraction], progress: Progress) -> None:
        self._cycle, self._exits, self._progress = cycle, exits, progress
        self._floats = np.array([float(value) for value in exits])
        self.scale = float(np.abs(self._floats).max(initial=0.0)) or 1.0
        self.found: Guarantee | None = None

    @property
    def best(self) -> Guarantee:
        assert self.found is not None
        return self.found

    def iterate(self, deadline: float, most: int) -> None:
        """The guarantee that value iteration proves until the deadline."""
        iteration = Iteration(self._cycle, self._exits)
        iteration.run(deadline, most)
        self.found = Guarantee(tuple(map(cut, iteration.mixes)), iteration.values)

    def offer(self, mixes: Shares, exactly: bool = False) -> bool:
        """Tries mixes; whether they are better than all before."""
        self._progress("Proving bounds", 0, None)
        exactly = exactly or len(self._cycle) <= EXACT
        tried = guarantee(self._cycle, mixes, self._exits, exactly, self._progress)
        if self.found is not None and tried.total <= self.found.total:
            return False
        self.found = tried
        return True

    # ---- mixes in fractions

    def fractions(self, values: Floats, mixes: Mixes) -> Iterator[Shares]:
        """Mixes near those in floating point that may be best: simple ones, and those that belong
        to simple values.
        """
        yield tuple(simple(mix) or cut(clean(mix, CLEAN[0])) for mix in mixes)
        worth = [self._plain(value) for value in values.tolist()] + list(self._exits)
        yield self._at(worth, lambda table: solve_matrix(matrix_of(table)).rows)
        yield self._at(worth, spread)

    def _plain(self, value: float) -> Fraction:
        near = Fraction(value).limit_denominator(PLAIN)
        return near if abs(float(near) - value) <= CLOSE * self.scale else Fraction(value)

    def _at(self, worth: Sequence[Fraction], best: Callable[[list[list[Fraction]]], Mix]) -> Shares:
        """Best mixes, if what follows is worth so much."""
        found: list[Mix] = []
        for table, weights in zip(self._cycle.targets, self._cycle.weights, strict=True):
            rows = [[worth[target] for target in row] for row in table.tolist()]
            found.append(() if weights is not None else coarse(best(rows)))
        return tuple(found)

    # ---- better ones

    def refine(self, values: Floats, mixes: Mixes) -> None:
        """Tries what may be better than mixes that belong to a game that stops: without what is
        there only because of that, and with what follows taken to be a little worse.
        """
        worth = np.concatenate((values, self._floats))
        tried = [[clean(mix, least) for mix in mixes] for least in CLEAN]
        for shift in SHIFTS:
            lowered = worth.copy()
            lowered[: len(values)] -= shift * self.scale
            tried.append([clean(mix, CLEAN[0]) for mix in backup(self._cycle, lowered)[1]])
        for some in tried:
            self.offer(tuple(map(cut, some)))
        for _ in range(IMPROVED):
            if not self._improve():
                return

    def _improve(self) -> bool:
        """Other mixes wherever those that are best against what is sure gain by that (Hoffman and
        Karp); whether that was better.
        """
        sure = np.array([float(value) for value in self.best.values])
        values, mixes, _ = backup(self._cycle, np.concatenate((sure, self._floats)))
        better = values > sure + 1e-13 * self.scale
        if not better.any():
            return False
        return self.offer(
            tuple(cut(mixes[k]) if better[k] else mix for k, mix in enumerate(self.best.mixes))
        )


# ---- mixes


def cut(mix: Floats) -> Mix:
    """Shares in floating point as fractions that make a whole."""
    parts = np.rint(mix * GRAIN).astype(np.int64)
    parts[int(np.argmax(parts))] += GRAIN - int(parts.sum())
    return tuple(Fraction(part, GRAIN) for part in parts.tolist())


def coarse(mix: Mix) -> Mix:
    """A mix that has not too many parts."""
    if lcm(*(share.denominator for share in mix)) <= MOST_PARTS:
        return mix
    return cut(np.array([float(share) for share in mix]))


def clean(mix: Floats, least: float) -> Floats:
    """A mix without the smallest shares."""
    kept = np.where(mix < least, 0.0, mix)
    found: Floats = kept / kept.sum()
    return found


def simple(mix: Floats) -> Mix | None:
    """The mix with small denominators that is nearest; None if that makes no whole."""
    shares = tuple(Fraction(share).limit_denominator(SIMPLE) for share in mix.tolist())
    return shares if sum(shares) == 1 else None


def spread(table: list[list[Fraction]]) -> Mix:
    """A best mix that uses whatever any of the best mixes uses, if the matrix is small: so that no
    other one leaves the cycle where this does not.
    """
    payoffs = matrix_of(table)
    found = solve_matrix(payoffs)
    rows, columns = payoffs.shape
    if columns == 1:
        best = [row[0] == found.value for row in table]
        return tuple(Fraction(int(one), sum(best)) for one in best)
    if found.value is None or rows == 1 or rows + columns > SPREAD:
        return found.rows
    mixes = [found.rows]
    for line in range(rows + columns):
        nudged = [
            [entry + NUDGE * ((i == line) - (rows + j == line)) for j, entry in enumerate(row)]
            for i, row in enumerate(table)
        ]
        mix = solve_matrix(matrix_of(nudged)).rows
        if min(means(payoffs, mix, 0)) == found.value:
            mixes.append(mix)
    return tuple(sum(shares, Fraction(0)) / len(mixes) for shares in zip(*mixes, strict=True))


# ---- what mixes make sure of


def guarantee(
    cycle: Cycle,
    mixes: Shares,
    exits: Sequence[Fraction],
    exactly: bool,
    progress: Progress = silent,
) -> Guarantee:
    """What mixes of the rows get at least, against the best answer: in fractions if that is asked
    for and feasible, otherwise a proved bound.
    """
    mixes = tuple(map(coarse, mixes))
    arena = _against(cycle, mixes, exits)
    structure = find_structure(arena)
    size = len(cycle)
    if exactly:
        ends = [Fraction(0)] * len(arena)
        ends[size : size + len(exits)] = exits
        try:
            exact = solve_exactly(arena, structure, progress, ends)
            return Guarantee(mixes, tuple(exact.values[:size]))
        except NotFeasible:
            pass
    lower = solve_bounds(arena, structure, progress).lower[:size]
    return Guarantee(mixes, tuple(map(Fraction, lower.tolist())))


def _against(cycle: Cycle, mixes: Shares, exits: Sequence[Fraction]) -> Arena:
    """The game of who chooses columns against fixed mixes of the rows. After the states and the
    exits come those in which chance chooses a row for a column.
    """
    ways: list[list[tuple[int, int]]] = [[] for _ in range(len(cycle) + len(exits))]
    role = [LOW] * len(cycle) + [END] * len(exits)
    for k, (table, weights) in enumerate(zip(cycle.targets, cycle.weights, strict=True)):
        parts = weights or _whole(mixes[k])
        leads = [_merged(column, parts) for column in table.T.tolist()]
        if len(leads) == 1:
            ways[k] = leads[0]
            role[k] = ROLL if len(leads[0]) > 1 else LOW
            continue
        for lead in leads:
            if len(lead) == 1:
                ways[k].append((lead[0][0], 0))
            else:
                ways[k].append((len(ways), 0))
                ways.append(lead)
                role.append(ROLL)
    unit = Fraction(_scale(exits), FINE)
    pay = np.zeros(len(ways), np.int64)
    pay[len(cycle) : len(cycle) + len(exits)] = [floor(value / unit) for value in exits]
    edges = [edge for way in ways for edge in way]
    rolled = np.repeat(np.array(role) == ROLL, [len(way) for way in ways])
    return Arena(
        np.concatenate(([0], np.cumsum([len(way) for way in ways]))),
        np.array([target for target, _ in edges], np.int32),
        np.array(role, np.int8),
        np.where(rolled, np.array([weight for _, weight in edges], np.int64), 0),
        pay,
        unit=unit,
        plain=False,
    )


def _scale(exits: Sequence[Fraction]) -> int:
    """A power of two that is not below what any exit is worth."""
    most = max((abs(value) for value in exits), default=Fraction(0))
    return 1 << max(0, (int(most) + 1).bit_length())


def _whole(mix: Mix) -> tuple[int, ...]:
    scale = lcm(*(share.denominator for share in mix))
    return tuple(int(share * scale) for share in mix)


def _merged(targets: Sequence[int], parts: Sequence[int]) -> list[tuple[int, int]]:
    """Where chance leads to, each once, with its weight."""
    found: dict[int, int] = {}
    for target, part in zip(targets, parts, strict=True):
        if part:
            found[target] = found.get(target, 0) + part
    return list(found.items())
