"""Games without chance: wins, losses, draws and endless play, found backward from the ends.

A state is won if its player can force a win in finitely many moves, however long play could go on.
What neither side can win is worth 0: a draw if one of the two can force an end (the other side can
at best avoid a loss), and endless if neither can.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.solving.arena import END, HIGH, LOW, Arena

NEVER: Final = -1


@dataclass(frozen=True)
class Retrograde:
    """The value of each state for the first mover, and how many moves the end is away."""

    value: NDArray[np.int8]
    distance: NDArray[np.int32]  # NEVER: no end can be forced


def solve_backward(arena: Arena) -> Retrograde:
    """The value and the distance of every state of a game without chance."""
    everything = np.ones(len(arena.successors), bool)
    to_win = force(arena, HIGH, (arena.role == END) & (arena.pay == 1), everything)
    to_loss = force(arena, LOW, (arena.role == END) & (arena.pay == -1), everything)
    value = np.where(to_win >= 0, 1, np.where(to_loss >= 0, -1, 0)).astype(np.int8)
    # A side that lets go of the draw only loses faster: who forces a draw need not reckon with it.
    keeps = value[arena.sources] == value[arena.successors]
    drawn = (arena.role == END) & (arena.pay == 0)
    by_high, by_low = (force(arena, side, drawn, keeps) for side in (HIGH, LOW))
    both = (by_high >= 0) & (by_low >= 0)
    to_draw = np.where(both, np.minimum(by_high, by_low), np.maximum(by_high, by_low))
    distance = np.where(value == 1, to_win, np.where(value == -1, to_loss, to_draw))
    return Retrograde(value, distance.astype(np.int32))


def force(
    arena: Arena, side: int, goal: NDArray[np.bool_], allowed: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """In how many moves a side can force its way to the goal, over allowed edges; the side hurries,
    the other one delays. NEVER where it cannot.
    """
    distance = np.full(len(arena), NEVER, np.int32)
    distance[goal] = 0
    left = np.bincount(arena.sources[allowed], minlength=len(arena))  # ways out for the other side
    layer = np.flatnonzero(goal)
    away = 0
    while len(layer):
        away += 1
        sources = _sources_into(arena, layer, allowed)
        sources = sources[distance[sources] == NEVER]
        theirs = sources[arena.role[sources] != side]
        np.subtract.at(left, theirs, 1)
        forced = np.unique(theirs)
        forced = forced[left[forced] == 0]
        layer = np.union1d(sources[arena.role[sources] == side], forced)
        distance[layer] = away
    return distance


def _sources_into(
    arena: Arena, states: NDArray[np.int64], allowed: NDArray[np.bool_]
) -> NDArray[np.int32]:
    edges = arena.incoming(states)
    return arena.sources[edges[allowed[edges]]]
