"""Where one player can hold the play: end components against a fixed strategy of HIGH's.

In a maximal end component LOW can stay forever, or leave by any way out of it, with probability 1
from everywhere inside: so all its states are worth the same, and it can be one state.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rulegame.solving.arena import HIGH, LOW, Adjacency, offsets_of
from rulegame.solving.components import find_structure
from rulegame.solving.stochastic.blocks import Block
from rulegame.solving.stochastic.strategies import Edges


@dataclass(frozen=True)
class Merged:
    """A block without end components; its last exit, if any were merged, is endless play."""

    block: Block
    chosen: Edges
    place: NDArray[np.int64]  # of each state of the whole block, its state in this one
    merged: bool


def merge_held(block: Block, chosen: Edges) -> Merged:
    """The block with HIGH's edges fixed and each maximal end component made one of LOW's states."""
    allowed = np.ones(len(block.targets), bool)
    allowed[block.role[block.sources] == HIGH] = False
    allowed[chosen[block.role == HIGH]] = True
    labels = held(block, allowed)
    count = int(labels.max(initial=-1)) + 1
    if not count:
        return Merged(block, chosen, np.arange(len(block)), False)
    return _merge(block, chosen, allowed, labels, count)


def held(block: Block, allowed: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The maximal end component of each state, numbered from 0; -1 if it is in none."""
    size = len(block)
    labels = np.zeros(size + len(block.exits), np.int64)
    labels[size:] = -1
    while True:
        _shrink(block, allowed, labels)
        if labels.max(initial=-1) < 0:
            return labels[:size]
        inside = (labels >= 0)[block.targets] & allowed
        inside &= labels[block.sources] == labels[block.targets]
        edges = np.flatnonzero(inside)
        offsets = offsets_of(size, block.sources[edges])
        turning = Adjacency(offsets, block.targets[edges].astype(np.int32))
        found = find_structure(turning).cycle
        again = np.unique(np.append(found, -1), return_inverse=True)[1][:-1] - 1
        if np.array_equal(again, labels[:size]):
            return labels[:size]
        labels[:size] = again


def _shrink(block: Block, allowed: NDArray[np.bool_], labels: NDArray[np.int64]) -> None:
    """Take out the states from which LOW cannot stay among those with the same label."""
    size = len(block)
    low = block.role == LOW
    ways = np.bincount(block.sources[allowed], minlength=size)
    while True:
        staying = allowed & (labels[block.sources] == labels[block.targets])
        count = np.bincount(block.sources[staying], minlength=size)
        out = (labels[:size] >= 0) & np.where(low, count == 0, count < ways)
        if not out.any():
            return
        labels[:size][out] = -1


def _merge(
    block: Block, chosen: Edges, allowed: NDArray[np.bool_], labels: NDArray[np.int64], count: int
) -> Merged:
    size = len(block)
    free = np.flatnonzero(labels < 0)
    place = np.full(size + len(block.exits), -1, np.int64)
    place[free] = np.arange(len(free))
    place[:size] = np.where(labels < 0, place[:size], len(free) + labels)
    small = len(free) + count
    place[size:] = small + np.arange(len(block.exits))
    endless = small + len(block.exits)
    sources, targets = place[block.sources], place[block.targets]
    kept = np.flatnonzero(allowed & ((sources != targets) | (sources < len(free))))
    sources = np.concatenate((sources[kept], len(free) + np.arange(count)))
    order = np.argsort(sources, kind="stable")
    targets = np.concatenate((targets[kept], np.full(count, endless)))[order]
    held_weights = np.where(sources < len(free), 1, 0)
    weights = (np.concatenate((block.weights[kept], np.zeros(count, np.int64))) * held_weights)[
        order
    ]
    role = np.concatenate((block.role[free], np.full(count, LOW, np.int8)))
    offsets = offsets_of(small, sources)
    exits = np.concatenate((block.exits, [-1]))
    states = np.concatenate((block.states[free], np.full(count, -1)))
    merged = Block(states, exits, role, offsets, targets, weights, block.widest)
    return Merged(merged, offsets[:-1].copy(), place[:size], True)
