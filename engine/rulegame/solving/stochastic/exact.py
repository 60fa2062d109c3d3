"""Exact values of a block: the chain under best strategies, solved in fractions, then proved."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.progress import Progress, silent
from rulegame.solving.arena import LOW
from rulegame.solving.stochastic.blocks import Block
from rulegame.solving.stochastic.certificate import improvements, is_solution, leaving_edges
from rulegame.solving.stochastic.linear import System, solve_exactly
from rulegame.solving.stochastic.strategies import (
    Edges,
    Floats,
    Walk,
    best_strategies,
    reaching,
    walk,
)

LOSSES: Final = (1e-6, 1e-8, 1e-4, 1e-10, 1e-3, 1e-2)
REPAIRS: Final = 10
SMALL: Final = 2.0**-10


def exact_values(
    block: Block, exits: Sequence[Fraction], progress: Progress = silent
) -> tuple[list[Fraction], Edges] | None:
    """The values of the block's states with best choices; None if they could not be proved."""
    common = lcm(*(value.denominator for value in exits)) if exits else 1
    scaled = [value.numerator * (common // value.denominator) for value in exits]
    floats = _near_one(np.array([float(value) for value in exits]))
    for loss in LOSSES:
        chosen = best_strategies(block, floats, loss, progress)
        for _ in range(REPAIRS):
            numerators, denominator = chain_values(block, chosen, scaled, common, progress)
            better = improvements(block, numerators, chosen)
            if better is None:
                break
            chosen = better
        if is_solution(block, numerators):
            total = denominator * common
            values = [Fraction(n, total) for n in numerators[: len(block)]]
            return values, leaving_edges(block, numerators, chosen)
    return None


def _near_one(values: Floats) -> Floats:
    """The same values in another unit, so that small differences mean what they mean there."""
    most = float(np.abs(values).max(initial=0.0))
    return np.ldexp(values, -int(np.frexp(most)[1])) if most > 1 or 0 < most < SMALL else values


def chain_values(
    block: Block, chosen: Edges, exits: Sequence[int], scale: int, progress: Progress = silent
) -> tuple[list[int], int]:
    """The values of states and exits under both strategies, over one denominator.

    States from which no exit can be reached are worth 0; without them the system is invertible.
    """
    way = walk(block, chosen)
    live = reaching(block, way)
    rolls = block.rolls[live[block.rolls]]
    size = len(block)
    numerators, denominator = [0] * len(rolls), 1
    if len(rolls):
        system, right = _system(block, way, rolls, exits)
        numerators, denominator = solve_exactly(system, right, scale, progress)
    known = [0] * size + [value * denominator for value in exits]
    for state, numerator in zip(rolls.tolist(), numerators, strict=True):
        known[state] = numerator
    stops, alive = way.stop.tolist(), live.tolist()
    for state in np.flatnonzero(block.role <= LOW).tolist():
        known[state] = known[stops[state]] if alive[state] else 0
    return known, denominator


def _system(
    block: Block, way: Walk, rolls: NDArray[np.int64], exits: Sequence[int]
) -> tuple[System, list[int]]:
    """What the chance states are worth by those that follow; weights instead of probabilities."""
    place = {state: k for k, state in enumerate(rolls.tolist())}
    offsets, targets, weights = (a.tolist() for a in (block.offsets, block.targets, block.weights))
    starts, right = [0], []
    columns: list[int] = []
    entries: list[int] = []
    for k, state in enumerate(rolls.tolist()):
        row, known = {k: 0}, 0
        for e in range(offsets[state], offsets[state + 1]):
            row[k] += weights[e]
            stop = int(way.stop[targets[e]])
            if stop in place:
                row[place[stop]] = row.get(place[stop], 0) - weights[e]
            elif stop >= len(block):
                known += weights[e] * exits[stop - len(block)]
        columns.extend(row)
        entries.extend(row.values())
        starts.append(len(columns))
        right.append(known)
    return System(np.array(starts), np.array(columns), np.array(entries)), right
