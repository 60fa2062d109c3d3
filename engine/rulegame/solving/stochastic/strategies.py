"""Good strategies for a block, by strategy iteration in floating point.

Endless play is worth 0, which is neither the least nor the greatest value, so plain iteration can
settle on a wrong fixpoint: on that of a player who believes in an exit that nobody takes, or who
waits for a moment that never comes. Here a little of the value is lost at every step instead. That
makes the values unique, and if the loss is small enough, strategies that are best with it are best
without it (Blackwell). Whether it was small enough is not for this module to say: what comes of
these strategies is proved in `certificate` or `bounds`, or refused.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.progress import Progress, silent
from rulegame.solving.arena import HIGH, LOW
from rulegame.solving.stochastic.blocks import Block

Floats = NDArray[np.float64]
Edges = NDArray[np.int64]  # of each player's state, the edge that is chosen; 0 at chance states

DENSE: Final = 100  # more chance states than this are evaluated by sparse elimination
SPARSE: Final = 150_000  # and more than this by iteration
LARGE: Final = 4000  # states of one cycle from which on elimination fills up too much
REFINEMENTS: Final = 4
KRYLOV: Final = 400  # steps
REPORT_EVERY: Final = 50  # steps
SWEEPS: Final = 10
TOGETHER: Final = 12
ROUNDING: Final = 2e-14  # differences that mean nothing
ROUNDS: Final = 100
ITERATIONS: Final = 20_000


@dataclass(frozen=True)
class Walk:
    """Where play goes by itself from a state under both strategies, until chance or an exit."""

    stop: NDArray[np.int64]
    steps: NDArray[np.int64]
    endless: NDArray[np.bool_]


def walk(block: Block, chosen: Edges) -> Walk:
    """Follow the chosen edges from every state, by doubling the steps."""
    size = len(block)
    stop = np.arange(size + len(block.exits))
    decided = np.flatnonzero(block.role <= LOW)
    stop[decided] = block.targets[chosen[decided]]
    steps = np.zeros(len(stop), np.int64)
    steps[decided] = 1
    for _ in range(size.bit_length()):
        steps = np.minimum(steps + steps[stop], 2 * size)
        stop = stop[stop]
    endless = np.zeros(len(stop), bool)
    endless[decided] = True
    return Walk(stop, steps, endless[stop])


def reaching(block: Block, way: Walk) -> NDArray[np.bool_]:
    """Of each state and exit, whether an exit can be reached from it under the strategies."""
    reach = np.zeros(len(way.stop), bool)
    reach[len(block) :] = True
    edges = np.flatnonzero(block.weights > 0)
    sources, stops = block.sources[edges], way.stop[block.targets[edges]]
    while True:
        new = sources[reach[stops] & ~reach[sources]]
        if not len(new):
            break
        reach[new] = True
    return reach[way.stop] & ~way.endless


def evaluate(
    block: Block,
    chosen: Edges,
    exits: Floats,
    keep: float,
    cost: float,
    progress: Progress = silent,
) -> Floats:
    """The values under both strategies, where each step keeps so much of the value and costs so
    much. Where nothing is lost, nobody may be able to hold the play; otherwise what never ends is
    worth 0.
    """
    way = walk(block, chosen)
    kept = keep**way.steps
    values = np.zeros(len(way.stop))
    values[len(block) :] = exits
    rolls = block.rolls
    place = np.full(len(way.stop), -1)
    place[rolls] = np.arange(len(rolls))
    edges = block.rolling[~way.endless[block.targets[block.rolling]]]
    targets, rows = block.targets[edges], place[block.sources[edges]]
    stops = way.stop[targets]
    share = block.shares[edges] * keep * kept[targets]
    right = np.float64(-cost) * (
        1 + np.bincount(rows, block.shares[edges] * way.steps[targets], len(rolls))
    )
    out = stops >= len(block)
    right += np.bincount(rows[out], (share * values[stops])[out], len(rolls))
    inside = ~out
    entries = rows[inside], place[stops[inside]], share[inside]
    values[rolls] = _solve(*entries, right, block.widest > LARGE, progress)
    decided = np.flatnonzero((block.role <= LOW) & ~way.endless[: len(block)])
    values[decided] = kept[decided] * values[way.stop[decided]] - cost * way.steps[decided]
    return values


def _solve(
    rows: Edges, columns: Edges, share: Floats, right: Floats, large: bool, progress: Progress
) -> Floats:
    """x = share x + right. Nothing rests on the solution: what is made of it will be proved."""
    size = len(right)
    _report(progress)
    if size <= DENSE:
        matrix = np.eye(size)
        np.subtract.at(matrix, (rows, columns), share)
        with suppress(np.linalg.LinAlgError):
            return np.asarray(np.linalg.solve(matrix, right))
    else:
        from scipy.sparse import csr_array

        diagonal = np.arange(size)
        entries = np.concatenate((np.ones(size), -share))
        at = (np.concatenate((diagonal, rows)), np.concatenate((diagonal, columns)))
        sparse = csr_array((entries, at), (size, size))
        found = _approach(sparse, right, progress) if large else None
        if found is None and size <= SPARSE:
            found = _eliminate(sparse, right)
        if found is not None:
            return found
    values = right.copy()
    for step in range(ITERATIONS):
        if step % REPORT_EVERY == 0:
            _report(progress)
        after = right + np.bincount(rows, share * values[columns], size)
        change = float(np.abs(after - values).max())
        values = after
        if change < 1e-16:
            break
    return values


def _approach(matrix: Any, right: Floats, progress: Progress) -> Floats | None:
    """By a Krylov method, again and again for what is missing; None if that does not get there."""
    values = np.zeros(len(right))
    for _ in range(REFINEMENTS):
        missing = right - matrix @ values
        if float(np.abs(missing).max()) < 1e-15:
            break
        more = _krylov(matrix, missing, progress)
        if more is None:
            return None
        values += more
    return values


def _krylov(matrix: Any, right: Floats, progress: Progress) -> Floats | None:
    """Stabilised biconjugate gradients, until what is missing is a millionth of a thousandth."""
    # Products are summed by NumPy itself: the threads that BLAS would start cost more than they do.
    values, missing = np.zeros(len(right)), right.copy()
    direction = missing.copy()
    enough = 1e-9 * float(np.abs(right).max())
    before = float((right * missing).sum())
    for number in range(KRYLOV):
        if number % REPORT_EVERY == 0:
            _report(progress)
        forward = matrix @ direction
        across = float((right * forward).sum())
        if across == 0.0:
            return None
        step = before / across
        half = missing - step * forward
        turned = matrix @ half
        length = float((turned * turned).sum())
        weight = float((turned * half).sum()) / length if length else 0.0
        values += step * direction + weight * half
        missing = half - weight * turned
        if float(np.abs(missing).max()) <= enough:
            return values
        after = float((right * missing).sum())
        if weight == 0.0 or before == 0.0 or not np.isfinite(after):
            return None
        direction = missing + (after / before) * (step / weight) * (direction - weight * forward)
        before = after
    return None


def _eliminate(matrix: Any, right: Floats) -> Floats | None:
    """By elimination; None if the matrix is singular, but for rounding."""
    from scipy.sparse.linalg import splu

    with suppress(RuntimeError):
        factors = splu(matrix.tocsc())
        values = factors.solve(right)
        values += factors.solve(right - matrix @ values)  # once more, for the last digits
        return np.asarray(values)
    return None


def improve(block: Block, chosen: Edges, values: Floats, side: int, least: float) -> bool:
    """Switch one side's choices that can be bettered by more than `least`; whether there were."""
    states = np.flatnonzero(block.role == side)
    if not len(states):
        return False
    sign = 1.0 if side == HIGH else -1.0
    worth = sign * values[block.targets]
    best = np.maximum.reduceat(worth, block.offsets[:-1])
    better = states[best[states] > worth[chosen[states]] + least]
    if len(better):
        chosen[better] = first_edges(block.offsets, worth == best[block.sources])[better]
    return bool(len(better))


def first_edges(offsets: NDArray[np.int64], marked: NDArray[np.bool_]) -> Edges:
    """Of each state, the first of its edges that is marked; one too many if none is."""
    edges = np.where(marked, np.arange(len(marked)), len(marked))
    return np.minimum.reduceat(edges, offsets[:-1])


def _report(progress: Progress) -> None:
    progress("Improving strategies", 0, None)


def best_strategies(
    block: Block, exits: Floats, loss: float, progress: Progress, guess: Edges | None = None
) -> Edges:
    """Best choices of both sides if each step loses that share of the value."""
    keep, least = 1 - loss, max(loss * 1e-5, ROUNDING)
    chosen = _first_guess(block, exits, keep) if guess is None else guess.copy()
    for _ in range(TOGETHER):  # mostly enough, but nothing says that it must come to an end
        values = evaluate(block, chosen, exits, keep, 0.0, progress)
        better = [improve(block, chosen, values, side, least) for side in (HIGH, LOW)]
        if not any(better):
            return chosen
    for _ in range(ROUNDS):  # this does: one side after the other (Hoffman and Karp)
        values = evaluate(block, chosen, exits, keep, 0.0, progress)
        for _ in range(ROUNDS):
            if not improve(block, chosen, values, LOW, least):
                break
            values = evaluate(block, chosen, exits, keep, 0.0, progress)
        if not improve(block, chosen, values, HIGH, least):
            break
    return chosen


def _first_guess(block: Block, exits: Floats, keep: float) -> Edges:
    """A few sweeps of value iteration: cheap, and mostly right."""
    values = np.concatenate((np.zeros(len(block)), exits))
    for _ in range(SWEEPS):
        values[: len(block)] = keep * swept(block, values)
    chosen = block.offsets[:-1].copy()
    for side in (HIGH, LOW):
        improve(block, chosen, values, side, 0.0)
    return chosen


def swept(block: Block, values: Floats) -> Floats:
    """What each state is worth by those that may follow."""
    starts = block.offsets[:-1]
    worth = values[block.targets]
    after = np.where(
        block.role == HIGH, np.maximum.reduceat(worth, starts), np.minimum.reduceat(worth, starts)
    )
    mean = np.add.reduceat(worth * block.shares, starts)
    after[block.rolls] = mean[block.rolls]
    return after
