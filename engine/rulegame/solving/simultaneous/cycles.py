"""Stages that can come again: a cycle of them, cut out, and guesses in floating point at what they
are worth and how to mix moves in them.

The guesses are those of a game that stops after each step with a small probability, and pays
nothing then (Shapley): its values are unique, and near those of the game itself if the probability
is small (Everett). They are found by Newton's method (Pollatschek and Avi-Itzhak), with plain steps
(Shapley) or best answers (Hoffman and Karp) wherever that leads away. Nothing here is taken on
trust: see `cycle_bounds`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.progress import Progress, silent
from rulegame.solving.simultaneous.simplex import NoOptimum, weigh
from rulegame.solving.simultaneous.stages import Targets

Floats = NDArray[np.float64]
Mixes = list[Floats]  # of each state, the shares of the rows; of one for a roll

LOSSES: Final = (1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12)
ROUNDS: Final = 40
ANSWERS: Final = 30
NEAR: Final = 1e-14
DENSE: Final = 300  # states, for which a matrix of all of them is no waste


@dataclass(frozen=True)
class Cycle:
    """States inside are numbered from 0, those that follow come after them. Of each state where its
    rows and columns lead to; for a roll, the weights of its rows.
    """

    targets: tuple[Targets, ...]
    weights: tuple[tuple[int, ...] | None, ...]
    exits: int

    def __len__(self) -> int:
        return len(self.targets)

    @property
    def shape(self) -> tuple[Any, ...]:
        """What two cycles have in common that differ in what their exits are worth alone."""
        tables = tuple((table.shape, table.tobytes()) for table in self.targets)
        return tables, self.weights, self.exits

    def flipped(self) -> Cycle:
        """The same with rows and columns exchanged."""
        swapped = [
            table if weights else table.T
            for table, weights in zip(self.targets, self.weights, strict=True)
        ]
        return Cycle(tuple(swapped), self.weights, self.exits)

    @cached_property
    def shares(self) -> tuple[Floats | None, ...]:
        """The probabilities of rolls."""
        found = (None if w is None else np.array(w, np.float64) for w in self.weights)
        return tuple(None if w is None else w / w.sum() for w in found)


def backup(cycle: Cycle, worth: Floats) -> tuple[Floats, Mixes, Mixes]:
    """What each state is worth by what follows, with a best mix of each side."""
    values, rows, columns = np.zeros(len(cycle)), [], []
    for k, (table, shares) in enumerate(zip(cycle.targets, cycle.shares, strict=True)):
        if shares is None:
            values[k], mix, answer = mixed(worth[table])
        else:
            values[k], mix, answer = float(worth[table[:, 0]] @ shares), shares, np.ones(1)
        rows.append(mix)
        columns.append(answer)
    return values, rows, columns


def mixed(payoffs: Floats) -> tuple[float, Floats, Floats]:
    """About the value of a matrix, and a best mix of each side."""
    floors, ceilings = payoffs.min(axis=1), payoffs.max(axis=0)
    row, column = int(np.argmax(floors)), int(np.argmin(ceilings))
    rows, columns = np.zeros(len(floors)), np.zeros(len(ceilings))
    if floors[row] >= ceilings[column]:
        rows[row] = columns[column] = 1.0
        return float(floors[row]), rows, columns
    low, high = float(payoffs.min()), float(payoffs.max())
    scaled = 1.0 + (payoffs - low) / (high - low)
    for tolerance in (1e-12, 1e-9):
        try:
            found = weigh(scaled, tolerance)
        except NoOptimum:
            continue
        rows, columns = _polished(scaled, found.basic_rows, found.basic_columns) or (
            _normal(found.rows),
            _normal(found.columns),
        )
        return float(rows @ payoffs @ columns), rows, columns
    rows[:], columns[:] = 1 / len(rows), 1 / len(columns)
    return float(rows @ payoffs @ columns), rows, columns


def _polished(
    payoffs: Floats, rows: Sequence[int], columns: Sequence[int]
) -> tuple[Floats, Floats] | None:
    """The mixes that make the rows and columns of a basis equally good; None if there are none."""
    core = payoffs[np.ix_(rows, columns)]
    ones = np.ones(len(core))
    try:
        weights = np.linalg.solve(core.T, ones), np.linalg.solve(core, ones)
    except np.linalg.LinAlgError:
        return None
    if min(float(one.min()) for one in weights) < -1e-9:
        return None
    found = np.zeros(payoffs.shape[0]), np.zeros(payoffs.shape[1])
    for whole, lines, some in zip(found, (rows, columns), weights, strict=True):
        whole[list(lines)] = _normal(some)
    return found


def _normal(weights: NDArray[np.floating[Any]]) -> Floats:
    shares = np.clip(weights, 0.0, None)
    found: Floats = shares / shares.sum()
    return found


def guesses(
    cycle: Cycle, exits: Floats, answering: bool = False, progress: Progress = silent
) -> Iterator[tuple[Floats, Mixes, Mixes]]:
    """Values of the states and mixes of both sides, with less and less that is lost in a step.
    Where Newton's method leads away, a plain step is made, which is sure and slow; or, if
    `answering`, the best answer to the mixes of the rows is found, which is neither.
    """
    values, scale = np.zeros(len(cycle)), float(np.abs(exits).max(initial=0.0)) or 1.0
    exits = exits / scale
    for loss in LOSSES:
        keep, known = 1.0 - loss, np.concatenate((values, exits))
        after, rows, columns = backup(cycle, keep * known)
        for turn in range(ROUNDS):
            progress("Improving strategies", turn, ROUNDS)
            off = float(np.abs(after - values).max())
            if off <= NEAR:
                break
            jump = _chain(cycle, rows, columns, exits, keep)
            tried = backup(cycle, keep * np.concatenate((jump, exits)))
            if float(np.abs(tried[0] - jump).max()) < off:
                values, (after, rows, columns) = jump, tried
            else:
                values = _answered(cycle, rows, columns, exits, keep) if answering else after
                after, rows, columns = backup(cycle, keep * np.concatenate((values, exits)))
        yield values * scale, rows, columns


def _answered(cycle: Cycle, rows: Mixes, columns: Mixes, exits: Floats, keep: float) -> Floats:
    """What states are worth if the mixes of the rows meet the best answer: found by improving one
    column in each state.
    """
    chosen = [int(np.argmax(mix)) for mix in columns]
    values = np.zeros(len(cycle))
    for _ in range(ANSWERS):
        pure = [np.eye(len(mix))[k] for mix, k in zip(columns, chosen, strict=True)]
        values = _chain(cycle, rows, pure, exits, keep)
        worth, better = np.concatenate((values, exits)), False
        for k, table in enumerate(cycle.targets):
            gains = rows[k] @ worth[table]
            best = int(np.argmin(gains))
            if gains[best] < gains[chosen[k]] - NEAR:
                chosen[k], better = best, True
        if not better:
            break
    return values


def _chain(cycle: Cycle, rows: Mixes, columns: Mixes, exits: Floats, keep: float) -> Floats:
    """What states are worth if both play their mixes, and all but a share is lost in each step."""
    size = len(cycle)
    tails, heads, shares = [], [], []
    for k, table in enumerate(cycle.targets):
        part = np.outer(rows[k], columns[k]).reshape(-1)
        used = np.flatnonzero(part)
        tails.append(np.full(len(used), k))
        heads.append(table.reshape(-1)[used])
        shares.append(keep * part[used])
    tail, head, share = map(np.concatenate, (tails, heads, shares))
    out = head >= size
    right = np.bincount(tail[out], share[out] * exits[head[out] - size], size)
    tail, head, share = tail[~out], head[~out], share[~out]
    if size <= DENSE:
        dense = np.eye(size)
        np.subtract.at(dense, (tail, head), share)
        found: Floats = np.linalg.solve(dense, right).astype(np.float64)
        return found
    from scipy.sparse import csc_array, eye_array
    from scipy.sparse.linalg import spsolve

    inside = csc_array((share, (tail, head)), (size, size))
    sparse: Floats = spsolve((eye_array(size) - inside).tocsc(), right)
    return sparse
