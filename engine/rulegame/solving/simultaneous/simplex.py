"""The simplex method for matrix games, in floating point or in fractions.

With payoffs that are all positive the rows' player has the value v = 1 / s, where s is the greatest
sum of weights y >= 0 with A y <= 1: scaled by v they are the columns' player's best mix, and the
prices of the rows, scaled likewise, the rows' player's. The tableau keeps basic and free variables
apart, without columns for those that are basic.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

PATIENCE: Final = 40  # pivots that gain nothing before the rule that cannot go round in circles


class NoOptimum(Exception):
    """So many pivots led to no end: rounding has gone wrong."""


@dataclass(frozen=True)
class Weights:
    """What each row and each column weighs; both sums are 1 / value."""

    rows: NDArray[Any]
    columns: NDArray[Any]
    basic_rows: tuple[int, ...]  # the rows and columns of the last basis, as many of each
    basic_columns: tuple[int, ...]


def weigh(payoffs: NDArray[Any], tolerance: float = 0) -> Weights:
    """The best weights for positive payoffs: floats with a tolerance, or Fractions in an array of
    objects without one (a whole 0: a float would make floats of them).
    """
    tableau = _Tableau(payoffs, tolerance)
    pivots = 50 * sum(payoffs.shape) + 1000
    while tableau.improve():
        pivots -= 1
        if tolerance and pivots < 0:
            raise NoOptimum
    return tableau.weights()


class _Tableau:
    def __init__(self, payoffs: NDArray[Any], tolerance: float) -> None:
        rows, columns = payoffs.shape
        one: Any = 1.0 if tolerance else Fraction(1)
        self._size = rows, columns
        self._table: NDArray[Any] = np.full((rows + 1, columns + 1), one, payoffs.dtype)
        self._table[:rows, :columns] = payoffs
        self._table[rows, :columns] = -one
        self._table[rows, columns] = one - one
        self._tolerance = tolerance
        self._free = np.arange(columns)  # a variable for each column, then one for each row
        self._basic = np.arange(columns, columns + rows)
        self._idle = 0

    def improve(self) -> bool:
        """One pivot; False if nothing is to be gained any more."""
        rows, columns = self._size
        costs = self._table[rows, :columns]
        gains = np.flatnonzero(costs < -self._tolerance)
        if not len(gains):
            return False
        careful = self._idle >= PATIENCE  # Bland's rule: of all that may enter or leave, the first
        order = self._free[gains] if careful else costs[gains]
        column = int(gains[np.argmin(order)])
        open_rows = np.flatnonzero(self._table[:rows, column] > self._tolerance)
        if not len(open_rows):
            raise NoOptimum
        ratios = self._table[open_rows, columns] / self._table[open_rows, column]
        least = open_rows[ratios <= ratios.min() + self._tolerance]
        row = int(least[np.argmin(self._basic[least])])
        before = self._table[rows, columns]
        self._pivot(row, column)
        gained = self._table[rows, columns] > before + self._tolerance
        self._idle = 0 if gained else self._idle + 1
        return True

    def _pivot(self, row: int, column: int) -> None:
        table = self._table
        one = table[row, column] / table[row, column]
        inverse = one / table[row, column]
        above, beside = table[row] * inverse, table[:, column].copy()
        touched = np.flatnonzero(beside != 0)
        table[touched] -= np.outer(beside[touched], above)
        table[row] = above
        table[:, column] = -beside * inverse
        table[row, column] = inverse
        self._basic[row], self._free[column] = self._free[column], self._basic[row]

    def weights(self) -> Weights:
        rows, columns = self._size
        zero = self._table[rows, columns] * 0
        found: list[NDArray[Any]] = [np.full(columns + rows, zero, self._table.dtype)]
        found.append(found[0].copy())
        found[0][self._basic] = self._table[:rows, columns]
        found[1][self._free] = self._table[rows, :columns]
        return Weights(
            rows=found[1][columns:],
            columns=found[0][:columns],
            basic_rows=tuple(sorted(int(k) - columns for k in self._free if k >= columns)),
            basic_columns=tuple(sorted(int(k) for k in self._basic if k < columns)),
        )
