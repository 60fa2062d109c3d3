"""Exact solutions of sparse integer systems: Dixon's p-adic lifting, with NumPy modulo one prime.

The digits of the solution in base p come from one inverse matrix modulo p; fractions are made from
them and put into the system. A solution that fits is the solution, since the matrix is invertible
modulo p; no bound on its size has to be trusted.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import isqrt, log2
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.progress import Progress, silent

TASK: Final = "Solving equations"
FEW_DIGITS: Final = 8
SMALL: Final = 1 << 40


@dataclass(frozen=True)
class System:
    """Row by row: sum of entries[e] * x[columns[e]] for e from offsets[r] up to offsets[r + 1]."""

    offsets: NDArray[np.int64]
    columns: NDArray[np.int64]
    entries: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def times(self, vector: NDArray[Any]) -> NDArray[Any]:
        """The matrix times a vector, of machine integers or of Python's own."""
        return np.add.reduceat(self.entries * vector[self.columns], self.offsets[:-1])


class Singular(Exception):
    """The system has no unique solution."""


def solve_exactly(
    system: System, right: list[int], scale: int, progress: Progress = silent
) -> tuple[list[int], int]:
    """Numerators and their common denominator; `scale` is about the size of the right side."""
    prime, inverse = _invert(system, progress)
    needed = _digits_needed(system, prime, scale)
    residual = np.array(right, dtype=object)
    big = system if _is_small(system, prime) else _with_big_entries(system)
    digits: list[NDArray[np.int64]] = []
    attempt = FEW_DIGITS + int(log2(scale + 1) / log2(prime))
    while True:
        while len(digits) < attempt:
            progress(TASK, len(digits), None)
            digit, residual = _next_digit(big, inverse, residual, prime)
            digits.append(digit)
        found = _reconstruct(digits, prime, scale)
        if found is not None and _fits(system, right, *found):
            return found
        if attempt > needed:
            raise Singular("the lifted solution does not fit")  # cannot happen
        attempt *= 2


def _digits_needed(system: System, prime: int, scale: int) -> int:
    """By Hadamard's bound on determinants."""
    squares = np.add.reduceat(system.entries.astype(float) ** 2, system.offsets[:-1])
    bits = 0.5 * float(np.log2(squares).sum())
    return int((2 * bits + 2 * log2(scale + 1) + 10) / log2(prime)) + 2


def _is_small(system: System, prime: int) -> bool:
    row = np.add.reduceat(np.abs(system.entries).astype(float), system.offsets[:-1]).max()
    return bool(row * prime < 2.0**61)


def _with_big_entries(system: System) -> System:
    return System(system.offsets, system.columns, system.entries.astype(object))


def _next_digit(
    system: System, inverse: NDArray[np.float64], residual: NDArray[Any], prime: int
) -> tuple[NDArray[np.int64], NDArray[Any]]:
    rest = (residual % prime).astype(np.float64)
    digit = np.mod(inverse @ rest, prime).astype(np.int64)  # exact: all sums are below 2**53
    residual = (residual - system.times(digit)) // prime
    if residual.dtype == object and max(map(abs, residual)) < SMALL:
        residual = residual.astype(np.int64)
    return digit, residual


# ---- the inverse modulo a prime


def _invert(system: System, progress: Progress) -> tuple[int, NDArray[np.float64]]:
    size = len(system)
    prime = isqrt((1 << 53) // size)
    for _ in range(20):
        prime = _prime_below(min(prime, 1 << 25))
        inverse = _inverse(_dense(system, prime), prime, progress)
        if inverse is not None:
            return prime, inverse.astype(np.float64)
    raise Singular("the system has no unique solution")


@cache
def _prime_below(number: int) -> int:
    while True:
        number -= 1
        if all(number % d for d in range(2, isqrt(number) + 1)):
            return number


def _dense(system: System, prime: int) -> NDArray[np.int64]:
    size = len(system)
    matrix = np.zeros((size, size), np.int64)
    rows = np.repeat(np.arange(size), np.diff(system.offsets))
    np.add.at(matrix, (rows, system.columns), system.entries % prime)
    return matrix % prime


def _inverse(matrix: NDArray[np.int64], prime: int, progress: Progress) -> NDArray[np.int64] | None:
    """By Gauss and Jordan, in place; None if the matrix is singular modulo the prime."""
    size = len(matrix)
    swaps = []
    for k in range(size):
        progress(TASK, k, size)
        candidates = np.flatnonzero(matrix[k:, k])
        if not len(candidates):
            return None
        pivot = k + int(candidates[0])
        if pivot != k:
            matrix[[k, pivot]] = matrix[[pivot, k]]
        swaps.append((k, pivot))
        inverse = pow(int(matrix[k, k]), -1, prime)
        matrix[k, k] = 1
        matrix[k] = matrix[k] * inverse % prime
        column = matrix[:, k].copy()
        column[k] = 0
        rows = np.flatnonzero(column)
        matrix[rows, k] = 0
        matrix[rows] = (matrix[rows] - column[rows, None] * matrix[k]) % prime
    for k, pivot in reversed(swaps):
        if pivot != k:
            matrix[:, [k, pivot]] = matrix[:, [pivot, k]]
    return matrix


# ---- fractions from digits


def _reconstruct(
    digits: list[NDArray[np.int64]], prime: int, scale: int
) -> tuple[list[int], int] | None:
    total: NDArray[Any] = np.zeros(len(digits[0]), object)
    for digit in reversed(digits):
        total = total * prime + digit.astype(object)
    modulus = prime ** len(digits)
    limit = isqrt(modulus // (4 * scale))
    numerators: list[int] = []
    common = 1
    for residue in total.tolist():
        fraction = _fraction(residue * common % modulus, modulus, scale * limit)
        if fraction is None:
            return None
        numerator, denominator = fraction
        if denominator != 1:
            if common * denominator > limit:
                return None
            numerators = [n * denominator for n in numerators]
            common *= denominator
        numerators.append(numerator)
    return numerators, common


def _fraction(residue: int, modulus: int, largest: int) -> tuple[int, int] | None:
    """The fraction with a small numerator and denominator that is the residue, by Euclid."""
    if modulus - residue <= largest:
        return residue - modulus, 1
    before, now = modulus, residue
    above, below = 0, 1
    while now > largest:
        quotient = before // now
        before, now = now, before - quotient * now
        above, below = below, above - quotient * below
    if below == 0:
        return None
    return (now, below) if below > 0 else (-now, -below)


def _fits(system: System, right: list[int], numerators: list[int], common: int) -> bool:
    left = _with_big_entries(system).times(np.array(numerators, dtype=object))
    return all(a == b * common for a, b in zip(left.tolist(), right, strict=True))
