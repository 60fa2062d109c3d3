"""Value iteration with certified bounds, for cycles of stages of any size.

Each state keeps a lower bound and the mix that proves it. Bounds begin at the least payoff (or 0,
if that is less) and only rise: a state gets what its mix gains against the bounds of the states
that follow, less a margin for the rounding. Since those never fall afterwards, the mix gains more
than the bound of its state, strictly, at any later time. So the bounds rise on average along every
play; a play that never leaves the cycle, which pays 0, cannot stay where they are above 0. Whenever
the iteration is stopped, the mixes get at least the bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from time import monotonic
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rulegame.solving.simultaneous.cycles import Cycle, Floats, Mixes, mixed

GRAIN: Final = 1 << 46  # parts of a mix: floats hold these shares exactly, and they add up to 1
UNIT: Final = 2.0**-52
STILL: Final = 1e-14  # of the greatest payoff: bounds that rise less are left
MOST_SWEEPS: Final = 100_000


class _Alike(NamedTuple):
    """States with matrices of one shape."""

    states: NDArray[np.int64]
    targets: NDArray[np.int64]  # states, rows, columns
    shares: Floats | None  # of the rows, for rolls


class Iteration:
    """Lower bounds of what the side that chooses rows gets in each state of a cycle."""

    def __init__(self, cycle: Cycle, exits: Sequence[Fraction]) -> None:
        self._size = len(cycle)
        known = [_rounded_down(value) for value in exits]
        least = min([0.0, *known])
        self._worth = np.array([least] * len(cycle) + known)
        self._scale = float(np.abs(self._worth).max(initial=0.0)) or 1.0
        self._groups = list(_grouped(cycle))
        self.mixes: Mixes = [_cut(np.full((1, len(table)), 1.0))[0] for table in cycle.targets]

    @property
    def values(self) -> tuple[Fraction, ...]:
        """The bounds."""
        return tuple(map(Fraction, self._worth[: self._size].tolist()))

    def run(self, deadline: float, most: int = MOST_SWEEPS) -> None:
        """Sweep until the bounds hardly rise, or until the deadline."""
        for _ in range(most):
            before = self._worth.copy()
            for group in self._groups:
                self._raise(group, before, deadline)
                if monotonic() > deadline:
                    return
            if float((self._worth - before).max(initial=0.0)) <= STILL * self._scale:
                return

    def _raise(self, group: _Alike, worth: Floats, deadline: float) -> None:
        payoffs = worth[group.targets]
        margin = 4 * (payoffs.shape[1] + 3) * UNIT * np.abs(payoffs).max(axis=(1, 2))
        if group.shares is not None:
            sure = np.einsum("sr,sr->s", payoffs[:, :, 0], group.shares) - margin
            better = sure > self._worth[group.states]
            self._worth[group.states[better]] = sure[better]
            return
        mixes = _best_mixes(payoffs, deadline)
        sure = np.einsum("sr,src->sc", mixes, payoffs).min(axis=1) - margin
        for k in np.flatnonzero(sure > self._worth[group.states]).tolist():
            state = int(group.states[k])
            self._worth[state], self.mixes[state] = sure[k], mixes[k]


def _rounded_down(value: Fraction) -> float:
    near = float(value)
    return near if Fraction(near) <= value else float(np.nextafter(near, -np.inf))


def _grouped(cycle: Cycle) -> list[_Alike]:
    kinds: dict[tuple[int, int, bool], list[int]] = {}
    for k, (table, weights) in enumerate(zip(cycle.targets, cycle.weights, strict=True)):
        kinds.setdefault((table.shape[0], table.shape[1], weights is None), []).append(k)
    found = []
    for (_, _, stage), states in kinds.items():
        targets = np.array([cycle.targets[k] for k in states])
        shares = None if stage else np.array([cycle.shares[k] for k in states])
        found.append(_Alike(np.array(states), targets, shares))
    return found


def _best_mixes(payoffs: Floats, deadline: float) -> Floats:
    """About the best mix of rows of each matrix; of some only a best row, after the deadline."""
    states, rows, columns = payoffs.shape
    floors, ceilings = payoffs.min(axis=2), payoffs.max(axis=1)
    mixes = np.zeros((states, rows))
    mixes[np.arange(states), floors.argmax(axis=1)] = 1.0
    open_ = np.flatnonzero(floors.max(axis=1) < ceilings.min(axis=1))
    if (rows, columns) == (2, 2):
        (a, b), (c, d) = payoffs[open_, 0].T, payoffs[open_, 1].T
        share = np.clip((d - c) / ((a - c) + (d - b)), 0.0, 1.0)
        mixes[open_, 0], mixes[open_, 1] = share, 1.0 - share
        return _cut(mixes)
    for k in open_.tolist():
        if monotonic() > deadline:
            break
        mixes[k] = mixed(payoffs[k])[1]
    return _cut(mixes)


def _cut(mixes: Floats) -> Floats:
    """The mixes in whole parts of `GRAIN`."""
    parts = np.rint(mixes / mixes.sum(axis=1, keepdims=True) * GRAIN).astype(np.int64)
    most = parts.argmax(axis=1)
    parts[np.arange(len(parts)), most] += GRAIN - parts.sum(axis=1)
    found: Floats = parts / GRAIN
    return found
