"""Cycles of a game with chance that do not lead to each other, cut out with the states that follow.

States inside are numbered from 0; the states outside that they lead to follow after them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulegame.solving.arena import HIGH, LOW, ROLL, Arena


@dataclass(frozen=True)
class Block:
    """The edges of state k are those from offsets[k] up to offsets[k + 1]."""

    states: NDArray[np.int64]
    exits: NDArray[np.int64]
    role: NDArray[np.int8]
    offsets: NDArray[np.int64]
    targets: NDArray[np.int64]
    weights: NDArray[np.signedinteger[Any]]
    widest: int  # the states of the greatest cycle

    def __len__(self) -> int:
        return len(self.states)

    @cached_property
    def sources(self) -> NDArray[np.int64]:
        """Of each edge, the state that it leaves."""
        return np.repeat(np.arange(len(self)), np.diff(self.offsets))

    @cached_property
    def shares(self) -> NDArray[np.float64]:
        """Of each edge of a chance state, about its probability."""
        totals = np.add.reduceat(self.weights.astype(np.float64), self.offsets[:-1])
        totals[totals == 0] = 1
        return self.weights / totals[self.sources]

    @cached_property
    def rolls(self) -> NDArray[np.int64]:
        """The chance states."""
        return np.flatnonzero(self.role == ROLL)

    @cached_property
    def rolling(self) -> NDArray[np.int64]:
        """The edges of the chance states."""
        return np.flatnonzero(self.weights > 0)

    def flipped(self) -> Block:
        """The same with the players' aims exchanged."""
        role = self.role.copy()
        role[self.role == HIGH], role[self.role == LOW] = LOW, HIGH
        return replace(self, role=role)


def cut_out(
    arena: Arena, states: NDArray[np.int64], scratch: NDArray[np.int64], widest: int | None = None
) -> Block:
    """The block of the states of some cycles; `scratch` has room for a number for each state."""
    edges = arena.outgoing(states)
    following = arena.successors[edges].astype(np.int64)
    scratch[following] = -1
    scratch[states] = np.arange(len(states))
    exits = np.unique(following[scratch[following] < 0])
    scratch[exits] = len(states) + np.arange(len(exits))
    offsets = np.concatenate(([0], np.cumsum(arena.degrees[states])))
    return Block(
        states,
        exits,
        arena.role[states],
        offsets,
        scratch[following],
        arena.weights[edges],
        len(states) if widest is None else widest,
    )
