"""Best plans of both players in sequence form.

Small games: a linear program in floating point (HiGHS, through SciPy) says which choices matter and
which answers are equally good; the plans that make them so are then found in fractions, and held
against the best answer of the other side. If what one plan makes sure of is what the other does not
let be exceeded, both are best, and nothing has been taken on trust. Otherwise, and in large games,
where regrets are matched again and again instead (CFR+, Tammelin), the plans prove a lower and an
upper bound in the same way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise, product
from math import gcd, inf
from time import monotonic
from typing import Any, Final

import numpy as np

from rulegame.progress import Progress
from rulegame.solving.deadline import deadline_after, time_left
from rulegame.solving.hidden.histories import Side
from rulegame.solving.hidden.sequence_form import (
    Floats,
    SequenceForm,
    behaviour,
    best_answer,
    plan_of,
    set_members,
)
from rulegame.solving.stochastic.linear import Singular, System, solve_exactly

TOLERANCES: Final = (1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4)
MOST_SEQUENCES: Final = 60_000  # of a side, for a linear program
MOST_ENTRIES: Final = 1_500_000  # of it
MOST_UNKNOWN: Final = 1_200  # shares that are found in fractions
MOST_FORMS: Final = 20_000_000  # terms of equations
MOST_EXACT: Final = 1_000_000  # pairs of sequences, for a proof in fractions
GRAIN: Final = 1 << 40  # parts into which shares in floating point are cut
SIMPLE: Final = (6, 60)  # denominators of shares that are tried first
FREE: Final = (60, 1 << 16)  # the same for shares that may be anything nearby
PRIME: Final = 33_554_393  # products of two, and sums of a thousand of those, fit in 63 bits
SMALL: Final = 1 << 62
LONGEST_PROGRAM: Final = 300.0  # seconds; then regrets are matched instead
SECONDS: Final = 120.0  # for matching regrets, if nothing else is said
ITERATIONS: Final = 3_000
CHECK_EVERY: Final = 50
NARROW: Final = 1e-6  # of all that is at stake: near enough to stop

Plan = tuple[Fraction, ...]


@dataclass(frozen=True)
class Plans:
    """A plan of each side (as shares of each choice in its set), and what they prove."""

    shares: tuple[Sequence[Fraction | float], Sequence[Fraction | float]]
    lower: Fraction
    upper: Fraction
    method: str  # "exact", "linear program" or "regret matching"

    def within(self, least: Fraction, most: Fraction) -> Plans:
        """The same with bounds that do not exceed the payoffs."""
        return replace(self, lower=max(self.lower, least), upper=min(self.upper, most))


def best_plans(form: SequenceForm, seconds: float | None, progress: Progress) -> Plans:
    """Plans that are best, or about the best, with proved bounds of the value."""
    deadline = deadline_after(seconds)
    fits = all(side.sequences <= MOST_SEQUENCES for side in form.sides)
    if fits and form.matrix.nnz <= MOST_ENTRIES:
        progress("Solving the linear program", 0, None)
        longest = LONGEST_PROGRAM if seconds is None else min(LONGEST_PROGRAM, seconds / 2)
        found = by_linear_program(form, longest)
        if found is not None:
            progress("Proving the strategies", 0, None)
            return proved(form, found, deadline)
    shares = by_regrets(form, time_left(deadline), progress)
    return bounded(form, shares, "regret matching")


# ---- the linear program


def by_linear_program(
    form: SequenceForm, longest: float = LONGEST_PROGRAM
) -> tuple[Floats, Floats] | None:
    """Plans of both sides in floating point; None if none were found in so many seconds."""
    from scipy.optimize import linprog
    from scipy.sparse import block_array, csr_array

    first, second = form.sides
    sets, largest = len(second.parents) + 1, float(abs(form.matrix).max()) or 1.0
    below = block_array([[form.transposed / -largest, _flow(second)]]).tocsr()
    flow = _flow(first).T.tocsr()
    equal = block_array([[flow, csr_array((flow.shape[0], sets))]]).tocsr()
    right = np.zeros(flow.shape[0])
    right[0] = 1.0
    goal = np.zeros(first.sequences + sets)
    goal[first.sequences] = -1.0
    bounds = [(0, None)] * first.sequences + [(None, None)] * sets
    found = linprog(
        goal, below, np.zeros(second.sequences), equal, right, bounds, method="highs",
        options={
            "primal_feasibility_tolerance": 1e-9,
            "dual_feasibility_tolerance": 1e-9,
            "time_limit": longest,
        },
    )  # fmt: skip
    if found.status != 0:
        return None
    return found.x[: first.sequences], -np.asarray(found.ineqlin.marginals)


def _flow(side: Side) -> Any:
    """Of each sequence, +1 for its set and -1 for each set that it leads to; column 0 is a set of
    the empty sequence alone.
    """
    from scipy.sparse import csr_array

    count = len(side.parents)
    rows = np.concatenate((np.arange(side.sequences), side.parents))
    columns = np.concatenate((side.owner + 1, np.arange(1, count + 1)))
    entries = np.concatenate((np.ones(side.sequences), -np.ones(count)))
    return csr_array((entries, (rows, columns)), (side.sequences, count + 1))


# ---- from floating point to fractions


def proved(form: SequenceForm, plans: tuple[Floats, Floats], deadline: float = inf) -> Plans:
    """The best of some plans in fractions that are near those of floating point; none are tried
    after the deadline.
    """
    rough = bounded(form, tuple(map(behaviour, form.sides, plans)), "linear program")  # type: ignore[arg-type]
    if len(form.pairs[2]) > MOST_EXACT:
        return rough
    best = [rough.lower, -rough.upper]
    shares: list[Sequence[Fraction | float]] = list(rough.shares)
    ways = [(0.0, most) for most in SIMPLE] + list(product(TOLERANCES, FREE))
    for tolerance, grain in ways:
        if monotonic() > deadline:
            break
        for side, plan in enumerate(plans):
            if tolerance:
                found = supported_plan(form, side, plan, tolerance, grain)
            else:
                found = simple_plan(form.sides[side], plan, grain)
            sure = None if found is None else -form.exact_answer(1 - side, found)
            if found is not None and sure is not None and sure > best[side]:
                best[side], shares[side] = sure, exact_behaviour(form.sides[side], found)
        if best[0] == -best[1]:
            return Plans((shares[0], shares[1]), best[0], best[0], "exact")
    return Plans((shares[0], shares[1]), best[0], -best[1], "linear program")


def bounded(form: SequenceForm, shares: tuple[Floats, Floats], method: str) -> Plans:
    """What plans in floating point prove: of small games in fractions, otherwise with a margin for
    the rounding.
    """
    if len(form.pairs[2]) <= MOST_EXACT:
        cut = [cut_shares(side, share) for side, share in zip(form.sides, shares, strict=True)]
        plans = [exact_plan(side, share) for side, share in zip(form.sides, cut, strict=True)]
        lower, upper = -form.exact_answer(1, plans[0]), form.exact_answer(0, plans[1])
        return Plans((cut[0], cut[1]), lower, upper, method)
    floats = [plan_of(side, share) for side, share in zip(form.sides, shares, strict=True)]
    least, most = -form.answer(1, floats[0]), form.answer(0, floats[1])
    kept = (shares[0].tolist(), shares[1].tolist())
    return Plans(kept, Fraction(least), Fraction(most), method)


def cut_shares(side: Side, shares: Floats) -> list[Fraction]:
    """Shares as fractions with one denominator; those of each set make a whole."""
    parts = np.rint(shares * GRAIN).astype(np.int64)
    for low, high in zip(side.starts[:-1].tolist(), side.starts[1:].tolist(), strict=True):
        parts[low + int(np.argmax(parts[low:high]))] += GRAIN - int(parts[low:high].sum())
    parts[0] = GRAIN
    return [Fraction(part, GRAIN) for part in parts.tolist()]


def exact_plan(side: Side, shares: Sequence[Fraction]) -> Plan:
    """The plan of a behaviour."""
    plan = [Fraction(1)] * side.sequences
    parents, starts = side.parents.tolist(), side.starts.tolist()
    for k, parent in enumerate(parents):
        for j in range(starts[k], starts[k + 1]):
            plan[j] = plan[parent] * shares[j]
    return tuple(plan)


def exact_behaviour(side: Side, plan: Plan) -> list[Fraction]:
    """The behaviour of a plan; all alike where it never comes."""
    shares = [Fraction(1)] * side.sequences
    parents, starts = side.parents.tolist(), side.starts.tolist()
    for k, parent in enumerate(parents):
        count = starts[k + 1] - starts[k]
        for j in range(starts[k], starts[k + 1]):
            shares[j] = plan[j] / plan[parent] if plan[parent] else Fraction(1, count)
    return shares


def simple_plan(side: Side, plan: Floats, most: int) -> Plan | None:
    """The plan with the simplest shares that are near those of another one: none has a denominator
    of more than so much. None if those of a set make no whole.
    """
    shares = [Fraction(share).limit_denominator(most) for share in behaviour(side, plan).tolist()]
    for low, high in pairwise(side.starts.tolist()):
        if sum(shares[low:high]) != 1:
            return None
    return exact_plan(side, shares)


def supported_plan(
    form: SequenceForm, side: int, plan: Floats, tolerance: float, grain: int
) -> Plan | None:
    """The plan that uses the same sequences, and makes the same answers equally good; None if there
    is none, or if it would take too long to find. Shares that may be anything nearby are cut into
    so many parts.
    """
    support = _Support(form.sides[side], plan, tolerance)
    if len(support.unknown) > MOST_UNKNOWN:
        return None
    rows = [support.reduced(row) for row in _ties(form, side, support, plan, tolerance)]
    found = _solve(support, [row for row in rows if any(k for k in row if k)], plan, grain)
    if found is None or any(share < 0 for share in found):
        return None
    return found


class _Support:
    """The sequences that a plan uses. In each set one of them gets what the others leave; the
    shares of those are unknown.
    """

    def __init__(self, side: Side, plan: Floats, tolerance: float) -> None:
        self.side = side
        self.used = [False] * side.sequences
        self.used[0] = True
        self._sets: list[tuple[int, int, list[int]]] = []  # parent, the one, the others
        self.unknown: dict[int, int] = {}
        shares, starts = plan.tolist(), side.starts.tolist()
        for k, parent in enumerate(side.parents.tolist()):
            if not self.used[parent]:
                continue
            members = range(starts[k], starts[k + 1])
            most = max(members, key=shares.__getitem__)
            others = [j for j in members if j != most and shares[j] > tolerance]
            for j in (most, *others):
                self.used[j] = True
            self._sets.append((parent, most, others))
            for j in others:
                self.unknown[j] = len(self.unknown)

    def reduced(self, row: dict[int, int]) -> dict[int, int]:
        """A sum over sequences as one over those that are unknown, and over the empty one."""
        row = dict(row)
        for parent, most, others in reversed(self._sets):
            times = row.pop(most, 0)
            if times:
                row[parent] = row.get(parent, 0) + times
                for j in others:
                    row[j] = row.get(j, 0) - times
        return {k: times for k, times in row.items() if times}

    def plan(self, known: Sequence[Fraction]) -> Plan:
        """The plan by the shares of those that were unknown."""
        found = [Fraction(0)] * self.side.sequences
        found[0] = Fraction(1)
        for parent, most, others in self._sets:
            for j in others:
                found[j] = known[self.unknown[j]]
            found[most] = found[parent] - sum((found[j] for j in others), Fraction(0))
        return tuple(found)


def _ties(
    form: SequenceForm, side: int, support: _Support, plan: Floats, tolerance: float
) -> list[dict[int, int]]:
    """Answers of the other side that are equally good, as differences of what they gain: sums over
    the sequences of a side that must be zero. Those that are closest to it come first.
    """
    other = form.sides[1 - side]
    gains: list[dict[int, int]] = [{} for _ in range(other.sequences)]
    worth, mass = [0.0] * other.sequences, [0.0] * other.sequences
    one, two, weights = form.pairs
    mine, theirs = (one, two) if side == 0 else (two, one)
    sign, shares = (-1 if side == 0 else 1), np.maximum(plan, 0.0).tolist()
    for k, j, weight in zip(mine.tolist(), theirs.tolist(), weights, strict=True):
        if support.used[k]:
            gains[j][k] = gains[j].get(k, 0) + sign * weight
            worth[j] += sign * weight * shares[k]
            mass[j] += abs(weight) * shares[k]
    found: list[tuple[float, dict[int, int]]] = []
    parents, starts, terms = other.parents.tolist(), other.starts.tolist(), 0
    for k in range(len(parents) - 1, -1, -1):
        members = range(starts[k], starts[k + 1])
        best, amount = max(members, key=worth.__getitem__), max(mass[j] for j in members)
        if amount == 0.0:
            continue
        for j in members:
            off = (worth[best] - worth[j]) / amount
            if j != best and off <= tolerance and terms <= MOST_FORMS:
                found.append((off, _difference(gains[j], gains[best])))
                terms += len(found[-1][1])
        above = gains[parents[k]]
        for sequence, times in gains[best].items():
            above[sequence] = above.get(sequence, 0) + times
        worth[parents[k]] += worth[best]
        mass[parents[k]] += amount
    found.sort(key=lambda pair: pair[0])
    return [row for _, row in found]


def _difference(one: dict[int, int], other: dict[int, int]) -> dict[int, int]:
    row = dict(one)
    for k, times in other.items():
        row[k] = row.get(k, 0) - times
    return {k: times for k, times in row.items() if times}


def _solve(support: _Support, rows: list[dict[int, int]], plan: Floats, grain: int) -> Plan | None:
    """The plan that fulfils the equations; what they leave open is about as it was."""
    unknown = support.unknown
    if not unknown:
        return support.plan(())
    kept, pivots = _independent(rows, unknown)
    known = [Fraction(round(float(plan[j]) * grain), grain) for j in unknown]
    if kept:
        place = {column: k for k, column in enumerate(pivots)}
        starts, columns, entries, right = [0], [], [], []
        for row in kept:
            rest = -row.get(0, 0) * grain
            for j, times in row.items():
                column = unknown.get(j)
                if column in place:
                    columns.append(place[column])
                    entries.append(times)
                elif column is not None:
                    rest -= times * int(known[column] * grain)
            starts.append(len(columns))
            right.append(rest)
        if max(map(abs, entries)) >= SMALL:
            return None
        system = System(np.array(starts), np.array(columns), np.array(entries))
        try:
            numerators, common = solve_exactly(system, right, max(1, *map(abs, right)))
        except Singular:
            return None
        for column, numerator in zip(pivots, numerators, strict=True):
            known[column] = Fraction(numerator, common * grain)
    return support.plan(known)


def _independent(
    rows: list[dict[int, int]], unknown: dict[int, int]
) -> tuple[list[dict[int, int]], list[int]]:
    """As many rows as are independent of each other, the first ones first, and as many of the
    unknown that they decide; told modulo a prime.
    """
    reduced = np.zeros((0, len(unknown)), np.int64)
    kept: list[dict[int, int]] = []
    pivots: list[int] = []
    for row in rows:
        if len(kept) == len(unknown):
            break
        common = gcd(*row.values())
        row = {k: times // common for k, times in row.items()}
        line = np.zeros(len(unknown), np.int64)
        for j, times in row.items():
            if j:
                line[unknown[j]] = times % PRIME
        if pivots:
            line = (line - line[pivots] @ reduced) % PRIME
        nonzero = np.flatnonzero(line)
        if not len(nonzero):
            continue
        pivot = int(nonzero[0])
        line = line * pow(int(line[pivot]), -1, PRIME) % PRIME
        reduced = (reduced - np.outer(reduced[:, pivot], line)) % PRIME
        reduced = np.vstack((reduced, line))
        kept.append(row)
        pivots.append(pivot)
    return kept, pivots


# ---- regrets


def by_regrets(
    form: SequenceForm, seconds: float | None, progress: Progress
) -> tuple[Floats, Floats]:
    """Behaviours of both sides that are about the best: the average of many, later ones counted
    more, each of which follows the regrets so far.
    """
    deadline = monotonic() + (SECONDS if seconds is None else seconds)
    regrets = [np.zeros(side.sequences) for side in form.sides]
    sums = [np.zeros(side.sequences) for side in form.sides]
    plans = [plan_of(side, behaviour(side, np.zeros(side.sequences))) for side in form.sides]
    for turn in range(1, ITERATIONS + 1):
        for k, side in enumerate(form.sides):
            _regret(side, regrets[k], form.gradient(k, plans[1 - k]), behaviour(side, regrets[k]))
            plans[k] = plan_of(side, behaviour(side, regrets[k]))
            sums[k] += turn * plans[k]
        if monotonic() > deadline:
            break
        if turn % CHECK_EVERY == 0:
            progress("Running CFR+", turn, ITERATIONS)
            if _gap(form, sums) <= NARROW * form.most:
                break
    return behaviour(form.sides[0], sums[0]), behaviour(form.sides[1], sums[1])


def _regret(side: Side, regrets: Floats, worth: Floats, shares: Floats) -> None:
    """Adds to each choice what it would have gained over what was played; never less than 0."""
    for sets in reversed(side.layers):
        places, begins = set_members(side, sets)
        values = np.add.reduceat(shares[places] * worth[places], begins)
        lengths = np.diff(side.starts)[sets]
        regrets[places] = np.maximum(
            regrets[places] + worth[places] - np.repeat(values, lengths), 0
        )
        np.add.at(worth, side.parents[sets], values)


def _gap(form: SequenceForm, sums: Sequence[Floats]) -> float:
    """About how much both sides together can still gain."""
    plans = [
        plan_of(side, behaviour(side, total)) for side, total in zip(form.sides, sums, strict=True)
    ]
    gains = [best_answer(form.sides[k], form.gradient(k, plans[1 - k])) for k in range(2)]
    return gains[0] + gains[1]
