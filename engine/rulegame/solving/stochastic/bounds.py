"""Certified bounds in floating point, for what is too large for fractions.

A lower bound u is proved by one strategy of HIGH: if u(s) is at most what follows, under that
strategy and whatever LOW does, then u cannot fall on average; and if it is less than that,
strictly, wherever u > 0, no set of states in which LOW could hold the play forever can have u > 0
(where u is greatest in it, it would have to be greater still). So endless plays, which are worth 0,
are worth no less than u says, and u is at most the value. See `certificate` for the same with
equality. Upper bounds are lower bounds with the sides exchanged.

The strict gap is made by a small cost for every step, and it pays for the rounding: of two floats
the greater is exact, a mean is lowered by a bound on its error. Where LOW can hold the play against
that strategy, a cost for every step would add up without end; such sets of states are
merged into one first (`end_components`), which is worth 0 or what LOW's best way out is worth.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.progress import Progress, silent
from rulegame.solving.arena import HIGH, LOW, ROLL
from rulegame.solving.stochastic.blocks import Block
from rulegame.solving.stochastic.end_components import merge_held
from rulegame.solving.stochastic.strategies import ROUNDS, Edges, Floats, evaluate, improve

COSTS: Final = (2e-14, 1e-13, 1e-12, 1e-10)  # of a step: the least that pays for the rounding
UNIT: Final = 2.0**-52
TINY: Final = 1e-290  # more than what is lost where a product is too small for a float
REPAIRS: Final = 50


def lower_bounds(
    block: Block, exits: Floats, chosen: Edges, progress: Progress = silent
) -> Floats | None:
    """Lower bounds of the block's states, by those of the exits, that HIGH's chosen edges prove;
    None if they prove nothing. LOW's only help to find a good reply.
    """
    smaller = merge_held(block, chosen)
    worth = np.concatenate((exits, [0.0])) if smaller.merged else exits
    for cost in COSTS:
        values = _reply(smaller.block, smaller.chosen.copy(), worth, cost, progress)[smaller.place]
        proved = _prove(block, chosen, np.concatenate((values, exits)), cost)
        if proved is not None:
            return np.maximum(proved, -1.0)
    return None


def upper_bounds(
    block: Block, exits: Floats, chosen: Edges, progress: Progress = silent
) -> Floats | None:
    """Upper bounds, which LOW's chosen edges prove."""
    found = lower_bounds(block.flipped(), -exits, chosen, progress)
    return None if found is None else -found


def _reply(block: Block, chosen: Edges, exits: Floats, cost: float, progress: Progress) -> Floats:
    """Values with a cost for every step, against LOW's best reply to the chosen edges."""
    values = evaluate(block, chosen, exits, 1.0, cost, progress)
    for _ in range(ROUNDS):
        if not improve(block, chosen, values, LOW, cost / 8):
            break
        values = evaluate(block, chosen, exits, 1.0, cost, progress)
    return values


def _prove(block: Block, chosen: Edges, values: Floats, cost: float) -> Floats | None:
    """The values, a little lowered where they must be; None if they prove nothing."""
    for _ in range(REPAIRS):
        following = _least_following(block, chosen, values)
        inside = values[: len(block)]
        wrong = (inside > following) | ((inside > 0) & (inside >= following))
        if not wrong.any():
            return inside
        lowered = np.nextafter(following, -2.0) - cost / 4
        values[: len(block)] = np.where(wrong, np.minimum(inside, lowered), inside)
    return None


def _least_following(block: Block, chosen: Edges, values: Floats) -> Floats:
    """At most what follows each state, if HIGH plays the chosen edges."""
    starts = block.offsets[:-1]
    worth = values[block.targets]
    following = np.minimum.reduceat(worth, starts)
    high = np.flatnonzero(block.role == HIGH)
    following[high] = worth[chosen[high]]
    mean = mean_bounds(worth, block.shares, starts, np.diff(block.offsets))
    following[block.rolls] = mean[block.rolls]
    return following


def mean_bounds(
    worth: Floats, shares: Floats, starts: NDArray[np.int64], counts: NDArray[np.int64]
) -> Floats:
    """At most the means of values: a share, which is rounded, of each of so many in a row."""
    parts = worth * shares
    error = np.add.reduceat(np.abs(parts), starts) * (counts + 4) * UNIT + TINY
    mean = np.add.reduceat(parts, starts) - 2 * error
    least = np.minimum.reduceat(worth, starts)
    even = least == np.maximum.reduceat(worth, starts)
    return np.where(even, least, mean)  # the mean of equal values is that value


def plain_lower(
    role: NDArray[np.int8], offsets: NDArray[np.int64], worth: Floats, shares: Floats
) -> Floats:
    """Lower bounds of states that are in no cycle, by those of what follows."""
    starts = offsets[:-1]
    best = np.where(
        role == HIGH, np.maximum.reduceat(worth, starts), np.minimum.reduceat(worth, starts)
    )
    mean = mean_bounds(worth, shares, starts, np.diff(offsets))
    return np.where(role == ROLL, mean, best)
