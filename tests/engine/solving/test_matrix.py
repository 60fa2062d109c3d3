"""Matrix games: known ones, small ones against all square parts, large ones by their proof."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from random import Random
from typing import NoReturn

import numpy as np
import pytest

from rulegame.solving.simultaneous import matrix
from rulegame.solving.simultaneous.matrix import (
    Limits,
    Payoffs,
    bound_matrix,
    guaranteed,
    means,
    needed_lines,
    solve_matrix,
)
from rulegame.solving.simultaneous.simplex import NoOptimum, weigh

Rows = list[list[int]]
THIRD = Fraction(1, 3)
NO_SIMPLEX = Limits(pivoting=0)


def make_payoffs(entries: Sequence[Sequence[int | Fraction | float]]) -> Payoffs:
    """A matrix from its rows."""
    levels = sorted({Fraction(entry) for row in entries for entry in row})
    places = {level: k for k, level in enumerate(levels)}
    ranks = [[places[Fraction(entry)] for entry in row] for row in entries]
    return Payoffs(tuple(levels), np.array(ranks, np.int32))


@pytest.mark.parametrize(
    ("rows", "value", "mixes"),
    [
        ([[0, -1, 1], [1, 0, -1], [-1, 1, 0]], 0, ([THIRD] * 3, [THIRD] * 3)),
        ([[1, -1], [-1, 1]], 0, ([Fraction(1, 2)] * 2, [Fraction(1, 2)] * 2)),
        ([[2, -3], [-3, 4]], Fraction(-1, 12), ([Fraction(7, 12), Fraction(5, 12)],) * 2),
        ([[3, 1], [4, 2]], 2, ([0, 1], [0, 1])),
        ([[5]], 5, ([1], [1])),
        ([[7, 7], [7, 7]], 7, ([1, 0], [1, 0])),
        ([[1, 2, 3]], 1, ([1], [1, 0, 0])),
        ([[1], [2], [3]], 3, ([0, 0, 1], [1])),
        ([[0, 0], [1, -1], [-1, 1]], 0, ([1, 0, 0], [Fraction(1, 2)] * 2)),  # one side need not mix
        ([[1, -1], [1, -1], [-1, 1], [-1, 1]], 0, None),  # twice the same
        ([[1, -1, -1], [-1, 1, 1], [-2, -2, -2]], 0, None),  # and a row that is never needed
    ],
    ids=str,
)
def test_known_games(
    rows: Rows, value: int | Fraction, mixes: tuple[list[Fraction], list[Fraction]] | None
) -> None:
    found = solve_matrix(make_payoffs(rows))
    assert (found.value, found.lower, found.upper) == (value, value, value)
    if mixes is not None:
        assert (list(found.rows), list(found.columns)) == mixes


def test_a_saddle_point_is_told() -> None:
    assert solve_matrix(make_payoffs([[3, 1], [4, 2]])).saddle == (1, 1)
    assert solve_matrix(make_payoffs([[1, -1], [-1, 1]])).saddle is None


def value_by_parts(rows: Rows) -> Fraction:
    """Some square part has mixes that balance it and are best in the whole (Shapley and Snow)."""
    height, width = len(rows), len(rows[0])
    lift = 1 - min(map(min, rows))
    lifted = [[Fraction(entry + lift) for entry in row] for row in rows]
    for size in range(1, min(height, width) + 1):
        for some in combinations(range(height), size):
            for others in combinations(range(width), size):
                part = [[lifted[r][c] for c in others] for r in some]
                x, y = balance([list(column) for column in zip(*part, strict=True)]), balance(part)
                if x is None or y is None or min(x) < 0 or min(y) < 0:
                    continue
                low = min(dot(x, [lifted[r][c] for r in some]) for c in range(width)) / sum(x)
                high = max(dot(y, [lifted[r][c] for c in others]) for r in range(height)) / sum(y)
                if low == high:
                    return low - lift
    raise AssertionError("there is always one")


def dot(left: list[Fraction], right: list[Fraction]) -> Fraction:
    return sum((a * b for a, b in zip(left, right, strict=True)), Fraction(0))


def balance(matrix: list[list[Fraction]]) -> list[Fraction] | None:
    """The solution of matrix * z = 1."""
    table = [[*row, Fraction(1)] for row in matrix]
    for k in range(len(table)):
        pivot = next((r for r in range(k, len(table)) if table[r][k]), None)
        if pivot is None:
            return None
        table[k], table[pivot] = table[pivot], table[k]
        table[k] = [entry / table[k][k] for entry in table[k]]
        for r, row in enumerate(table):
            if r != k and row[k]:
                table[r] = [a - row[k] * b for a, b in zip(row, table[k], strict=True)]
    return [row[-1] for row in table]


def some_matrices() -> list[Rows]:
    chance = Random(20)
    found = []
    for _ in range(150):
        height, width = chance.randint(1, 4), chance.randint(1, 4)
        most = chance.choice([1, 2, 9])
        found.append([[chance.randint(-most, most) for _ in range(width)] for _ in range(height)])
    return found


def test_small_matrices_have_the_value_that_their_parts_tell() -> None:
    mixed = 0
    for rows in some_matrices():
        found = solve_matrix(make_payoffs(rows))
        assert found.value == value_by_parts(rows), rows
        mixed += found.saddle is None
    assert mixed > 20


def test_the_exact_simplex_method_agrees() -> None:
    """It is what is left if floating point guesses wrong."""
    chance = Random(5)
    for _ in range(60):
        size = chance.randint(2, 9)
        rows = [[chance.randint(-1, 1) for _ in range(size)] for _ in range(size)]
        weights = weigh(np.array([[Fraction(e + 2) for e in row] for row in rows], object))
        value = 1 / sum(weights.rows.tolist()) - 2
        assert value == solve_matrix(make_payoffs(rows)).value
        assert sum(weights.rows.tolist()) == sum(weights.columns.tolist())


def test_a_wrong_guess_is_mended(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matrix, "_exact_mixes", lambda *_: None)
    found = solve_matrix(make_payoffs([[2, -3], [-3, 4]]))
    assert found.value == Fraction(-1, 12)


def test_a_right_guess_needs_no_mending() -> None:
    """Large matrices are solved by it alone."""
    for scale in (Fraction(1), Fraction(1, 7), Fraction(10**30, 7)):
        for size in (2, 3, 5):
            rows = [[scale * (i == j) * (1 + i) for i in range(size)] for j in range(size)]
            moved = [[entry - scale / 3 for entry in row] for row in rows]
            value = scale / sum(Fraction(1, 1 + k) for k in range(size))
            assert solve_matrix(make_payoffs(rows), NO_SIMPLEX).value == value
            assert solve_matrix(make_payoffs(moved), NO_SIMPLEX).value == value - scale / 3
    assert solve_matrix(make_payoffs([[1, -1], [-1, 1]]), NO_SIMPLEX).value == 0
    # A line takes part with a share of nothing.
    beside = [[0, 0, 1, 0], [1, 1, 0, -2], [2, -2, -2, 1], [-2, -1, -2, -2]]
    assert solve_matrix(make_payoffs(beside), NO_SIMPLEX).value == 0


def test_what_takes_too_long_gets_bounds() -> None:
    found = solve_matrix(make_payoffs([[2, -3], [-3, 4]]), Limits(0, 0, 0))
    assert found.value is None
    assert found.lower <= Fraction(-1, 12) <= found.upper
    assert 0 < found.upper - found.lower < Fraction(1, 10**6)


def test_a_guess_that_comes_to_no_end_gets_bounds_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(*_: object) -> NoReturn:
        raise NoOptimum

    rows = [[2, -3, 1], [-3, 4, 0]]
    value = solve_matrix(make_payoffs(rows)).value
    assert value is not None
    monkeypatch.setattr(matrix, "weigh", endless)
    found = solve_matrix(make_payoffs(rows), NO_SIMPLEX)
    assert found.value is None
    assert found.lower < value < found.upper


@pytest.mark.parametrize("most", [1, 1000])
def test_large_matrices_are_proved(most: int) -> None:
    chance = np.random.default_rng(most)
    payoffs = make_payoffs(chance.integers(-most, most + 1, (60, 75)).tolist())
    found = solve_matrix(payoffs)
    assert found.value is not None
    assert guaranteed(payoffs, found.rows, found.columns) == (found.value, found.value)
    assert sum(found.rows) == 1 and min(found.rows) >= 0


def test_entries_with_long_fractions() -> None:
    chance = Random(8)
    rows = [[Fraction(chance.randrange(7**40), 7**40) for _ in range(6)] for _ in range(6)]
    payoffs = make_payoffs(rows)
    found = solve_matrix(payoffs)
    assert found.saddle is None and found.value is not None
    assert guaranteed(payoffs, found.rows, found.columns) == (found.value, found.value)


def test_undercut_needs_few_of_many_numbers() -> None:
    """Name a number: the higher one scores, unless it is higher by one only."""

    def score(mine: int, theirs: int) -> int:
        if mine == theirs:
            return 0
        if abs(mine - theirs) == 1:
            return 2 if mine < theirs else -2
        return 1 if mine > theirs else -1

    rows = [[score(i, j) for j in range(40)] for i in range(40)]
    found = solve_matrix(make_payoffs(rows))
    assert found.value == 0
    assert all(found.rows[k] == 0 for k in range(35))


def test_lines_that_are_never_needed() -> None:
    """Without the third row the third column is not needed, and then not the second row."""
    rows = [[5, 4, 6, 5], [4, 3, 9, 4], [3, 3, 5, 3], [4, 9, 9, 4], [4, 9, 9, 4]]
    some, others = needed_lines(make_payoffs(rows).ranks)
    assert (some.tolist(), others.tolist()) == ([0, 3], [0, 1])


def test_bounds_of_entries_make_bounds_of_the_value() -> None:
    middle = np.array([[0.25, -0.5], [-0.5, 0.75]])
    found = bound_matrix(middle - 0.01, middle + 0.01)
    value = solve_matrix(make_payoffs(middle.tolist())).value
    assert found.value is None and value is not None
    assert found.lower < value < found.upper
    assert found.upper - found.lower < Fraction(21, 1000)


def test_bounds_with_a_saddle_point() -> None:
    lowers = np.array([[0.1, 0.2], [-1.0, 0.3]])
    found = bound_matrix(lowers, lowers + 0.05)
    assert (found.saddle, float(found.lower), float(found.upper)) == ((0, 0), 0.1, 0.1 + 0.05)


def test_what_is_no_mix_proves_nothing() -> None:
    payoffs = Payoffs((Fraction(0),), np.zeros((2, 2), np.int32))
    for mix in ((Fraction(1), Fraction(1)), (Fraction(2), Fraction(-1))):
        with pytest.raises(ValueError, match="mix"):
            means(payoffs, mix, 0)
