"""Games with chance: level by level, from the ends to the start.

Exact fractions as long as they are feasible, and certified bounds for the whole game otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.progress import Progress
from rulegame.solving.arena import END, HIGH, LOW, ROLL, Arena
from rulegame.solving.components import Structure
from rulegame.solving.room import EXACT_STATES, MOST_PLAIN
from rulegame.solving.stochastic.blocks import Block, cut_out
from rulegame.solving.stochastic.bounds import lower_bounds, plain_lower, upper_bounds
from rulegame.solving.stochastic.exact import exact_values
from rulegame.solving.stochastic.strategies import Floats, best_strategies, first_edges

MOST_ROLLS: Final = 1500  # chance states of one cycle that are solved exactly
MOST_BITS: Final = 20_000  # of one value
MOST_WORK: Final = 300_000_000  # bits of all values together
LOSSES: Final = (1e-7, 1e-10)  # of the value in a step, to find strategies
MOST_WHOLE: Final = 1 << 53  # up to which floats have every whole number
REPORT_EVERY: Final = 1024


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

    lower: Floats
    upper: Floats
    chosen: NDArray[np.int64]


def solve_exactly(
    arena: Arena,
    structure: Structure,
    progress: Progress,
    ends: Sequence[Fraction] | None = None,
    most: int = EXACT_STATES,
) -> Exact:
    """Fractions for all states; NotFeasible if that is too much, such as more than `most` states in
    cycles. `ends` is what ends are worth (of all states, other ones ignored), if the arena does not
    say it exactly.
    """
    if int((structure.cycle >= 0).sum()) > most or len(arena) > MOST_PLAIN:
        raise NotFeasible
    return _ExactSolver(arena, structure, ends).solve(progress)


def solve_bounds(arena: Arena, structure: Structure, progress: Progress) -> Bounded:
    """Certified bounds for all states."""
    return _BoundSolver(arena, structure).solve(progress)


class _ExactSolver:
    def __init__(self, arena: Arena, structure: Structure, ends: Sequence[Fraction] | None) -> None:
        self._arena, self._structure = arena, structure
        if ends is None:
            paid = {pay: pay * arena.unit for pay in np.unique(arena.pay).tolist()}
            ends = [paid[pay] for pay in arena.pay.tolist()]
        self._values = list(ends)
        self._chosen = np.full(len(arena), -1, np.int64)
        self._scratch = np.zeros(len(arena), np.int64)
        self._work = 0

    def solve(self, progress: Progress) -> Exact:
        done = told = 0
        for states in self._structure.in_order():
            cycle = self._structure.cycle[states]
            for state in states[cycle < 0].tolist():
                self._solve_one(state)
            for some in _by_number(states[cycle >= 0], cycle[cycle >= 0]):
                self._solve_block(some, progress)
            done += len(states)
            if done - told >= REPORT_EVERY:
                told = done
                progress("Solving", done, len(self._arena))
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

    def _solve_block(self, states: NDArray[np.int64], progress: Progress) -> None:
        block = cut_out(self._arena, states, self._scratch)
        if len(block.rolls) > MOST_ROLLS:
            raise NotFeasible
        found = exact_values(block, [self._values[t] for t in block.exits.tolist()], progress)
        if found is None:
            raise NotFeasible
        values, chosen = found
        for state, value in zip(states.tolist(), values, strict=True):
            self._values[state] = value
        self._chosen[states] = _in_arena(self._arena, block, chosen)
        self._charge(values[0], len(values))

    def _charge(self, value: Fraction, times: int) -> None:
        bits = value.denominator.bit_length()
        self._work += bits * times
        if bits > MOST_BITS or self._work > MOST_WORK:
            raise NotFeasible


class _BoundSolver:
    """All of a level at once: nothing in it leads to anything else in it, but round a cycle. What
    is paid is divided by a power of two, so that it lies between -1 and 1, and only at the end made
    what it is.
    """

    def __init__(self, arena: Arena, structure: Structure) -> None:
        self._arena, self._structure = arena, structure
        self._lower: Floats = arena.room.zeros(len(arena), np.float64)
        self._upper: Floats = arena.room.zeros(len(arena), np.float64)
        self._exponent = 0 if arena.plain else int(np.abs(arena.pay).max(initial=1)).bit_length()
        self._lower[:], self._upper[:] = _floats_around(arena.pay, self._exponent)
        self._chosen = arena.room.filled(len(arena), -1, np.int64)
        self._scratch = arena.room.zeros(len(arena), np.int64)

    def solve(self, progress: Progress) -> Bounded:
        done = 0
        for level in self._structure.in_order():
            states = level[self._arena.role[level] != END]
            cycle = self._structure.cycle[states]
            plain = states[cycle < 0]
            if len(plain):
                self._solve_plain(plain)
            if len(plain) < len(states):
                self._solve_block(states[cycle >= 0], cycle[cycle >= 0], progress)
            done += len(level)
            progress("Solving", done, len(self._arena))
        for bounds in (self._lower, self._upper):
            np.clip(bounds, -1.0, 1.0, out=bounds)
        if not self._arena.plain:
            self._lower, self._upper = self._paid(self._lower, -1), self._paid(self._upper, 1)
        return Bounded(self._lower, self._upper, self._chosen)

    def _paid(self, bounds: Floats, side: int) -> Floats:
        """Bounds as what is paid, rounded outward."""
        whole = np.ldexp(bounds, self._exponent)
        unit = float(self._arena.unit)
        if self._arena.unit == 1:
            return whole
        # the product, and the unit itself, are each off by less than half a step
        return np.nextafter(np.nextafter(whole * unit, side * np.inf), side * np.inf)

    def _solve_plain(self, states: NDArray[np.int64]) -> None:
        arena = self._arena
        role = arena.role[states]
        edges = arena.outgoing(states)
        offsets = np.concatenate(([0], np.cumsum(arena.degrees[states])))
        weights = arena.weights[edges].astype(np.float64)
        totals = np.add.reduceat(weights, offsets[:-1])
        shares = weights / np.repeat(np.where(totals > 0, totals, 1.0), np.diff(offsets))
        following = arena.successors[edges]
        low, high = self._lower[following], self._upper[following]
        other = np.where(role == HIGH, LOW, np.where(role == LOW, HIGH, role)).astype(np.int8)
        lower = plain_lower(role, offsets, low, shares)
        upper = -plain_lower(other, offsets, -high, shares)
        self._lower[states], self._upper[states] = lower, upper
        proving = np.where(np.repeat(role == HIGH, np.diff(offsets)), low, high)
        wanted = np.repeat(np.where(role == HIGH, lower, upper), np.diff(offsets))
        best = edges[np.minimum(first_edges(offsets, proving == wanted), len(edges) - 1)]
        self._chosen[states] = np.where(role == ROLL, -1, best)

    def _solve_block(
        self, states: NDArray[np.int64], cycle: NDArray[np.int32], progress: Progress
    ) -> None:
        widest = int(np.bincount(cycle - cycle.min()).max())
        block = cut_out(self._arena, states, self._scratch, widest)
        lows, highs = self._lower[block.exits], self._upper[block.exits]
        middle = (lows + highs) / 2
        chosen = best_strategies(block, middle, LOSSES[0], progress)
        for loss in LOSSES[1:]:
            chosen = best_strategies(block, middle, loss, progress, chosen)
        lower = lower_bounds(block, lows, chosen, progress)
        upper = upper_bounds(block, highs, chosen, progress)
        if (lower is None or upper is None) and int(cycle.min()) < int(cycle.max()):
            for some in _by_number(states, cycle):  # what cannot be proved is not for all
                self._solve_block(some, np.zeros(len(some), np.int32), progress)
            return
        self._lower[states] = -1.0 if lower is None else lower
        self._upper[states] = 1.0 if upper is None else upper
        self._chosen[states] = _in_arena(self._arena, block, chosen)


def _floats_around(pay: NDArray[np.signedinteger[Any]], exponent: int) -> tuple[Floats, Floats]:
    """Floats on both sides of whole numbers, divided by a power of two."""
    near = pay.astype(np.float64)
    large = np.abs(pay) > MOST_WHOLE if exponent else np.zeros(len(pay), bool)
    lower = np.where(large, np.nextafter(near, -np.inf), near)
    upper = np.where(large, np.nextafter(near, np.inf), near)
    return np.ldexp(lower, -exponent), np.ldexp(upper, -exponent)


def _in_arena(arena: Arena, block: Block, chosen: NDArray[np.int64]) -> NDArray[np.int64]:
    """The chosen edges by their numbers in the arena."""
    edges = chosen - block.offsets[:-1] + arena.offsets[block.states]
    return np.where(block.role == ROLL, -1, edges)


def _by_number(
    states: NDArray[np.int64], numbers: NDArray[np.int32]
) -> Iterator[NDArray[np.int64]]:
    """The states with the same number, one number after the other."""
    order = np.argsort(numbers, kind="stable")
    cuts = np.flatnonzero(np.diff(numbers[order])) + 1
    return (part for part in np.split(states[order], cuts) if len(part))
