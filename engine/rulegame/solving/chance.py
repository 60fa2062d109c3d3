"""Games with chance: component by component, from the ends to the start.

Exact fractions as long as they are feasible, and certified bounds for the whole game otherwise.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.progress import Progress
from rulegame.solving.arena import END, HIGH, ROLL, Arena
from rulegame.solving.blocks import cut_out
from rulegame.solving.bounds import clipped, lower_bounds, mean_bound, upper_bounds
from rulegame.solving.exact import exact_values
from rulegame.solving.structure import in_order

MOST_STATES: Final = 100_000  # in cycles, for exact values
MOST_ROLLS: Final = 1500  # chance states of one component that are solved exactly
MOST_BITS: Final = 20_000  # of one value
MOST_WORK: Final = 300_000_000  # bits of all values together
MOST_WEIGHT: Final = 2**53


class NotFeasible(Exception):
    """The exact values would take too long, or too much memory."""


@dataclass(frozen=True)
class Exact:
    """Of each state its value, and the edge that a best player takes (-1: chance, end)."""

    values: list[Fraction]
    chosen: NDArray[np.int64]


@dataclass(frozen=True)
class Bounded:
    """Of each state two floats that its value lies between, and the edges that prove them."""

    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    chosen: NDArray[np.int64]


def solve_exactly(arena: Arena, component: NDArray[np.int32], progress: Progress) -> Exact:
    """Fractions for all states; NotFeasible if that is too much."""
    return _ExactSolver(arena).solve(component, progress)


def solve_bounds(arena: Arena, component: NDArray[np.int32], progress: Progress) -> Bounded:
    """Certified bounds for all states."""
    return _BoundSolver(arena).solve(component, progress)


class _ExactSolver:
    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._values: list[Fraction] = [Fraction(int(pay)) for pay in arena.pay]
        self._chosen = np.full(len(arena), -1, np.int64)
        self._scratch = np.zeros(len(arena), np.int64)
        self._work = 0

    def solve(self, component: NDArray[np.int32], progress: Progress) -> Exact:
        sizes = np.bincount(component)
        if int(sizes[sizes > 1].sum()) > MOST_STATES:
            raise NotFeasible
        _each_component(self._arena, component, self._solve_one, self._solve_block, progress)
        return Exact(self._values, self._chosen)

    def _solve_one(self, state: int) -> None:
        arena, values = self._arena, self._values
        role = arena.role[state]
        if role == END:
            return
        low, high = int(arena.offsets[state]), int(arena.offsets[state + 1])
        following = [values[t] for t in arena.successors[low:high].tolist()]
        if role == ROLL:
            weights = arena.weights[low:high].tolist()
            mean = sum(w * v for w, v in zip(weights, following, strict=True))
            values[state] = Fraction(mean) / sum(weights)
        else:
            values[state] = max(following) if role == HIGH else min(following)
            self._chosen[state] = low + following.index(values[state])
        self._charge(values[state], 1)

    def _solve_block(self, states: NDArray[np.int64]) -> None:
        block = cut_out(self._arena, states, self._scratch)
        if len(block.rolls) > MOST_ROLLS:
            raise NotFeasible
        found = exact_values(block, [self._values[t] for t in block.exits.tolist()])
        if found is None:
            raise NotFeasible
        values, chosen = found
        for state, value in zip(states.tolist(), values, strict=True):
            self._values[state] = value
        self._chosen[states] = np.where(
            block.role == ROLL, -1, chosen - block.offsets[:-1] + self._arena.offsets[states]
        )
        self._charge(values[0], len(values))

    def _charge(self, value: Fraction, times: int) -> None:
        bits = value.denominator.bit_length()
        self._work += bits * times
        if bits > MOST_BITS or self._work > MOST_WORK:
            raise NotFeasible


class _BoundSolver:
    def __init__(self, arena: Arena) -> None:
        if int(arena.weights.max(initial=0)) >= MOST_WEIGHT:
            raise NotFeasible
        self._arena = arena
        self._lower = arena.pay.astype(np.float64)
        self._upper = self._lower.copy()
        self._chosen = np.full(len(arena), -1, np.int64)
        self._scratch = np.zeros(len(arena), np.int64)

    def solve(self, component: NDArray[np.int32], progress: Progress) -> Bounded:
        _each_component(self._arena, component, self._solve_one, self._solve_block, progress)
        return Bounded(clipped(self._lower), clipped(self._upper), self._chosen)

    def _solve_one(self, state: int) -> None:
        arena = self._arena
        role = arena.role[state]
        if role == END:
            return
        low, high = int(arena.offsets[state]), int(arena.offsets[state + 1])
        following = arena.successors[low:high]
        lowers, uppers = self._lower[following].tolist(), self._upper[following].tolist()
        if role == ROLL:
            weights = arena.weights[low:high].tolist()
            self._lower[state] = mean_bound(weights, lowers, -1)
            self._upper[state] = mean_bound(weights, uppers, 1)
            return
        pick = max if role == HIGH else min
        self._lower[state], self._upper[state] = pick(lowers), pick(uppers)
        proving = lowers if role == HIGH else uppers
        self._chosen[state] = low + proving.index(pick(proving))

    def _solve_block(self, states: NDArray[np.int64]) -> None:
        block = cut_out(self._arena, states, self._scratch)
        self._lower[states], high = lower_bounds(block, self._lower[block.exits])
        self._upper[states], low = upper_bounds(block, self._upper[block.exits], high)
        chosen = np.where(block.role == HIGH, high, low)
        chosen = chosen - block.offsets[:-1] + self._arena.offsets[states]
        self._chosen[states] = np.where(block.role == ROLL, -1, chosen)


def _each_component(
    arena: Arena,
    component: NDArray[np.int32],
    solve_one: Callable[[int], None],
    solve_block: Callable[[NDArray[np.int64]], None],
    progress: Progress,
) -> None:
    """From the ends to the start: a state by itself, or a block of states that lead to each
    other.
    """
    done = 0
    for states in in_order(component):
        if len(states) > 1 or _has_loop(arena, int(states[0])):
            solve_block(states)
        else:
            solve_one(int(states[0]))
        done += len(states)
        if done % 1024 == 0 or len(states) > 1024:
            progress("Solving", done, len(component))


def _has_loop(arena: Arena, state: int) -> bool:
    low, high = arena.offsets[state], arena.offsets[state + 1]
    return bool((arena.successors[low:high] == state).any())
