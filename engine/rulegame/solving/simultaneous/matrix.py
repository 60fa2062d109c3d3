"""Matrix games: two players choose at the same time, one a row and one a column.

The rows' player wants the entry high. A guess in floating point says which rows and columns
matter; the mixes are then found in whole numbers and proved: no column holds the one mix below the
value, no row lifts the other above it. What is too large for that gets bounds, proved the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulegame.solving.simultaneous.simplex import NoOptimum, weigh
from rulegame.solving.stochastic.linear import Singular, System, solve_exactly

Ranks = NDArray[np.int32]
Mix = tuple[Fraction, ...]

TOLERANCE: Final = 1e-9
GRAIN: Final = 1 << 40  # parts into which a mix in floating point is cut
MOST_COMPARISONS: Final = 4_000_000_000  # of entries, in one search for rows that are never needed
SMALL_BITS: Final = 40  # of entries that NumPy can treat


class Limits(NamedTuple):
    """How much work exact values are worth."""

    lines: int = 600  # in a mix
    elimination: int = 20_000_000  # steps, roughly, if entries have more than SMALL_BITS
    pivoting: int = 5_000_000  # entries times lines, for the exact simplex method


LIMITS: Final = Limits()


@dataclass(frozen=True)
class Payoffs:
    """A matrix: its different entries in ascending order, and of each cell the place in them."""

    levels: tuple[Fraction, ...]
    ranks: Ranks

    @property
    def shape(self) -> tuple[int, int]:
        return self.ranks.shape[0], self.ranks.shape[1]

    def __getitem__(self, cell: tuple[int, int]) -> Fraction:
        return self.levels[int(self.ranks[cell])]


def matrix_of(table: Sequence[Sequence[Fraction]]) -> Payoffs:
    """The matrix with such rows."""
    levels = sorted({entry for row in table for entry in row})
    rank = {level: k for k, level in enumerate(levels)}
    return Payoffs(tuple(levels), np.array([[rank[e] for e in row] for row in table], np.int32))


@dataclass(frozen=True)
class MatrixSolution:
    """What the rows' player can make sure of, with one best mix of each side."""

    value: Fraction | None  # None: only bounds are known
    lower: Fraction
    upper: Fraction
    rows: Mix
    columns: Mix
    saddle: tuple[int, int] | None  # a row and a column that are best without mixing


def solve_matrix(payoffs: Payoffs, limits: Limits = LIMITS) -> MatrixSolution:
    """The value and a best mix of each side; bounds if that would take too long."""
    pure = saddle_point(payoffs.ranks)
    if pure is not None:
        value = payoffs[pure]
        mixes = _pure_mixes(payoffs.shape, pure)
        return MatrixSolution(value, value, value, *mixes, pure)
    rows, columns = needed_lines(payoffs.ranks)
    core = Payoffs(payoffs.levels, payoffs.ranks[np.ix_(rows, columns)])
    found = _exact_mixes(core, limits) or _simplex_mixes(core, limits) or rough_mixes(core)
    mixes = _spread(payoffs.shape, (rows, columns), found)
    low, high = guaranteed(payoffs, *mixes)
    if low < high:
        return MatrixSolution(None, low, high, *mixes, None)
    alone = [_pure(len(mix), k) for mix, k in zip(mixes, sufficient(payoffs, low), strict=True)]
    return MatrixSolution(low, low, high, alone[0] or mixes[0], alone[1] or mixes[1], None)


def bound_matrix(lowers: NDArray[np.float64], uppers: NDArray[np.float64]) -> MatrixSolution:
    """Bounds on the value of a matrix whose entries lie between bounds."""
    middle = (lowers + uppers) / 2
    levels, places = np.unique(middle, return_inverse=True)
    payoffs = Payoffs(
        tuple(map(Fraction, levels.tolist())), places.reshape(middle.shape).astype(np.int32)
    )
    pure = saddle_point(payoffs.ranks)
    if pure is not None:
        mixes = _pure_mixes(payoffs.shape, pure)
    else:
        lines = needed_lines(payoffs.ranks)
        core = Payoffs(payoffs.levels, payoffs.ranks[np.ix_(*lines)])
        mixes = _spread(payoffs.shape, lines, rough_mixes(core))
    rows, columns = mixes
    low = min(_mean(rows, column) for column in lowers.T)
    high = max(_mean(columns, row) for row in uppers)
    return MatrixSolution(None, low, high, rows, columns, pure)


def _mean(mix: Mix, entries: NDArray[np.float64]) -> Fraction:
    pairs = zip(mix, entries.tolist(), strict=True)
    return sum((share * Fraction(entry) for share, entry in pairs if share), Fraction(0))


def saddle_point(ranks: Ranks) -> tuple[int, int] | None:
    """The first entry that is the least of its row and the greatest of its column."""
    floors, ceilings = ranks.min(axis=1), ranks.max(axis=0)
    if floors.max() != ceilings.min():
        return None
    return int(np.argmax(floors)), int(np.argmin(ceilings))


def sufficient(payoffs: Payoffs, value: Fraction | None) -> tuple[list[int], list[int]]:
    """The rows, and the columns, that keep the value by themselves."""
    if value is None or value not in payoffs.levels:
        return [], []
    rank = payoffs.levels.index(value)
    floors, ceilings = payoffs.ranks.min(axis=1), payoffs.ranks.max(axis=0)
    return np.flatnonzero(floors == rank).tolist(), np.flatnonzero(ceilings == rank).tolist()


def pure_mix(size: int, line: int) -> Mix:
    """One line and no other."""
    return tuple(Fraction(int(k == line)) for k in range(size))


def _pure(size: int, lines: Sequence[int]) -> Mix:
    """The first of the lines and no other; nothing if there is none."""
    return pure_mix(size, lines[0]) if lines else ()


def _pure_mixes(shape: tuple[int, int], cell: tuple[int, int]) -> tuple[Mix, Mix]:
    return _pure(shape[0], cell[:1]), _pure(shape[1], cell[1:])


def _spread(
    shape: tuple[int, int],
    lines: tuple[NDArray[np.int64], NDArray[np.int64]],
    mixes: tuple[Mix, Mix],
) -> tuple[Mix, Mix]:
    """Mixes over some of the lines as mixes over all of them."""
    spread = [[Fraction(0)] * size for size in shape]
    for whole, some, mix in zip(spread, lines, mixes, strict=True):
        for line, share in zip(some.tolist(), mix, strict=True):
            whole[line] = share
    return tuple(spread[0]), tuple(spread[1])


# ---- lines that are never needed


def needed_lines(ranks: Ranks) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The rows and columns that are left without those that another one is never worse than."""
    rows, columns = np.arange(ranks.shape[0]), np.arange(ranks.shape[1])
    while True:
        fewer = rows[_undominated(ranks[np.ix_(rows, columns)])]
        less = columns[_undominated(-ranks[np.ix_(fewer, columns)].T)]
        if len(fewer) == len(rows) and len(less) == len(columns):
            return rows, columns
        rows, columns = fewer, less


def _undominated(entries: Ranks) -> NDArray[np.int64]:
    """The rows that no other row is at least as good as everywhere; of equal rows the first."""
    _, first = np.unique(entries, axis=0, return_index=True)
    kept = np.sort(first)
    if len(kept) ** 2 * entries.shape[1] > MOST_COMPARISONS:
        return kept
    different = np.ascontiguousarray(entries[kept])
    totals = different.sum(axis=1, dtype=np.int64)
    alive = np.ones(len(kept), bool)
    for k in np.argsort(totals, kind="stable"):
        rivals = alive & (totals > totals[k])  # a different row that is nowhere worse has more
        alive[k] = not bool((different[rivals] >= different[k]).all(axis=1).any())
    return kept[alive]


# ---- exact mixes


def _exact_mixes(payoffs: Payoffs, limits: Limits) -> tuple[Mix, Mix] | None:
    """By the rows and columns that matter in floating point; None if they prove nothing."""
    try:
        guess = weigh(_as_floats(payoffs), TOLERANCE)
    except NoOptimum:
        return None
    whole = _as_integers(payoffs)[np.ix_(guess.basic_rows, guess.basic_columns)]
    by_rows, by_columns = _balanced(whole.T, limits), _balanced(whole, limits)
    if by_rows is None or by_columns is None:
        return None
    mixes = [[Fraction(0)] * lines for lines in payoffs.shape]
    for mix, lines, shares in (
        (mixes[0], guess.basic_rows, by_rows),
        (mixes[1], guess.basic_columns, by_columns),
    ):
        for line, share in zip(lines, shares, strict=True):
            mix[line] = share
    found = tuple(mixes[0]), tuple(mixes[1])
    low, high = guaranteed(payoffs, *found)
    return found if low == high else None


def _simplex_mixes(payoffs: Payoffs, limits: Limits) -> tuple[Mix, Mix] | None:
    """By the simplex method in fractions; None if that would take too long."""
    rows, columns = payoffs.shape
    if rows * columns * (rows + columns) > limits.pivoting:
        return None
    lowest = payoffs.levels[int(payoffs.ranks.min())]
    positive = np.array([level - lowest + 1 for level in payoffs.levels], object)
    found = weigh(positive[payoffs.ranks])
    return _normal(found.rows.tolist()), _normal(found.columns.tolist())


def _balanced(matrix: NDArray[Any], limits: Limits) -> Mix | None:
    """The shares of the columns that make all rows equal; None if there is no such mix, or if it
    would take too long to find.
    """
    size, bits = len(matrix), int(matrix.max()).bit_length()
    if size <= limits.lines and bits <= SMALL_BITS:
        weights = _by_digits(matrix.astype(np.int64))
    elif size**3 * (1 + size * bits // 2000) <= limits.elimination:
        weights = _by_elimination(matrix)
    else:
        return None
    total = sum(weights)
    if total == 0 or any(weight * total < 0 for weight in weights):
        return None
    return tuple(Fraction(weight, total) for weight in weights)


def _by_digits(matrix: NDArray[np.int64]) -> list[int]:
    """Weights of the columns that make all rows equal; none if the matrix is singular."""
    size = len(matrix)
    columns = np.tile(np.arange(size), size)
    system = System(np.arange(size + 1) * size, columns, matrix.reshape(-1))
    try:
        return solve_exactly(system, [1] * size, 1)[0]
    except Singular:
        return []


def _by_elimination(matrix: NDArray[Any]) -> list[int]:
    """The same for entries of any size, by Bareiss: every division leaves nothing over."""
    size = len(matrix)
    table = np.concatenate((matrix, np.full((size, 1), 1, object)), axis=1)
    before = 1
    for k in range(size):
        nonzero = np.flatnonzero(table[k:, k])
        if not len(nonzero):
            return []
        pivot = k + int(nonzero[0])
        table[[k, pivot]] = table[[pivot, k]]
        others = np.arange(size) != k
        beside = table[others, k]
        table[others] = (table[others] * table[k, k] - np.outer(beside, table[k])) // before
        before = table[k, k]
    weights: list[int] = table[:, size].tolist()  # all over the same determinant
    return weights


def _normal(weights: Sequence[Fraction]) -> Mix:
    total = sum(weights)
    return tuple(weight / total for weight in weights)


def _as_floats(payoffs: Payoffs) -> NDArray[np.float64]:
    """The entries, moved and scaled to lie between 1 and 2."""
    low, high = payoffs.levels[int(payoffs.ranks.min())], payoffs.levels[int(payoffs.ranks.max())]
    width = (high - low) or Fraction(1)
    return np.array([1 + float((level - low) / width) for level in payoffs.levels])[payoffs.ranks]


def _as_integers(payoffs: Payoffs) -> NDArray[Any]:
    """The entries, moved and scaled to be whole and positive."""
    low = payoffs.levels[int(payoffs.ranks.min())]
    used = [payoffs.levels[k] for k in np.unique(payoffs.ranks)]
    scale = lcm(*((level - low).denominator for level in used))
    whole = np.zeros(len(payoffs.levels), object)
    for k in np.unique(payoffs.ranks):
        whole[k] = int((payoffs.levels[k] - low) * scale) + scale
    entries: NDArray[Any] = whole[payoffs.ranks]
    return entries


# ---- what mixes are worth


def guaranteed(payoffs: Payoffs, rows: Mix, columns: Mix) -> tuple[Fraction, Fraction]:
    """What the one mix makes sure of at least, and what the other allows at most."""
    return min(means(payoffs, rows, 0)), max(means(payoffs, columns, 1))


def means(payoffs: Payoffs, mix: Mix, axis: int) -> list[Fraction]:
    """What each line of the other side is worth against a mix of the rows (0) or columns (1)."""
    if any(share < 0 for share in mix) or sum(mix) != 1:
        raise ValueError("the shares of a mix are not negative, and their sum is 1")
    scale = lcm(*(level.denominator for level in payoffs.levels))
    whole = np.array([int(level * scale) for level in payoffs.levels], object)
    parts = lcm(*(share.denominator for share in mix))
    used = [k for k, share in enumerate(mix) if share]
    shares = np.array([int(mix[k] * parts) for k in used], object)
    entries = whole[payoffs.ranks.take(used, axis=axis)]
    sums = shares @ entries if axis == 0 else entries @ shares
    return [Fraction(total, scale * parts) for total in sums.tolist()]


def rough_mixes(payoffs: Payoffs) -> tuple[Mix, Mix]:
    """Mixes that are about the best, from floating point."""
    floats = _as_floats(payoffs)
    try:
        found = weigh(floats, TOLERANCE)
        weights = found.rows, found.columns
    except NoOptimum:
        weights = np.ones(floats.shape[0]), np.ones(floats.shape[1])
    return _cut(weights[0]), _cut(weights[1])


def _cut(weights: NDArray[np.float64]) -> Mix:
    shares = np.clip(weights, 0.0, None)
    parts = np.rint(shares / shares.sum() * GRAIN).astype(np.int64).tolist()
    total = sum(parts)
    return tuple(Fraction(part, total) for part in parts)
