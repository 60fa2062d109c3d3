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

from rulegame.native.graph_kernels import call
from rulegame.progress import Progress, silent
from rulegame.solving.arena import END, HIGH, LOW, Arena

NEVER: Final = -1
OUT: Final = np.int8(2)  # the value of a state that is not looked at
LONGEST: Final = 1 << 20  # a play that is looked at forward


@dataclass(frozen=True)
class Retrograde:
    """The value of each state for the first mover, and how many moves the end is away."""

    value: NDArray[np.int8]
    distance: NDArray[np.int32]  # NEVER: no end can be forced


def solve_forward(arena: Arena, progress: Progress = silent) -> tuple[Retrograde, int] | None:
    """The same for a large game in which no state can come again, in one pass and with less memory;
    and the greatest number of moves from the start. None where that is not known to be so.
    """
    if not arena.is_large:
        return None
    progress("Solving", 0, None)
    known = arena.room.zeros(len(arena), np.int64)
    path = np.empty(2 * min(len(arena), LONGEST), np.int32)
    value, distance = (arena.room.zeros(len(arena), kind) for kind in (np.int8, np.int32))
    states = arena.role, arena.pay, known, path, value, distance
    found = call("induce", len(arena), arena.offsets, arena.successors, *states)
    return (Retrograde(value, distance), found - 1) if found else None


def solve_backward(arena: Arena, progress: Progress = silent) -> Retrograde:
    """The value and the distance of every state of a game without chance."""
    progress("Solving", 0, None)
    ends = arena.role == END
    value = np.where(ends, arena.pay, np.int8(0))
    # Who moves at an end is of no matter.
    distance = sweep(arena, arena.role == HIGH, np.flatnonzero(ends & (arena.pay != 0)), value)
    drawn = ends & (arena.pay == 0)
    if drawn.any():
        np.copyto(distance, _draws(arena, value, drawn), where=value == 0)
    return Retrograde(value, distance)


def _draws(arena: Arena, value: NDArray[np.int8], drawn: NDArray[np.bool_]) -> NDArray[np.int32]:
    """How far a drawn end is that one side can force, by the one that gets there first."""
    # A side that lets go of the draw only loses faster: who forces a draw need not reckon with it.
    left = np.empty(len(arena), np.int32)
    arena.run("count_ways", len(arena), arena.offsets, arena.successors, value, left)
    goal = np.where(value == 0, drawn.astype(np.int8), OUT)  # who forces it "wins" the ends
    ends = np.flatnonzero(drawn)
    one = sweep(arena, arena.role == HIGH, ends, goal.copy(), left.copy())
    other = sweep(arena, arena.role == LOW, ends, goal, left)
    both = (one >= 0) & (other >= 0)
    sooner = np.minimum(one, other)
    np.maximum(one, other, out=one)
    np.copyto(one, sooner, where=both)
    return one


def attracted(
    arena: Arena,
    goal: NDArray[np.bool_],
    within: NDArray[np.bool_],
    willing: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """From where, without leaving some states, a way leads to the goal for those who are willing to
    take it, and no other way for the rest.
    """
    value = np.where(within, (goal & within).astype(np.int8), OUT)
    sweep(arena, willing, np.flatnonzero(goal & within), value)
    return np.asarray(value == 1)


def sweep(
    arena: Arena,
    willing: NDArray[np.bool_],
    decided: NDArray[np.int64],
    value: NDArray[np.int8],
    left: NDArray[np.int32] | None = None,
) -> NDArray[np.int32]:
    """Decides all that follows backward from decided states: who wants a value (1, if willing,
    otherwise -1) takes it, who does not must, if all its moves lead to it. States of the value 0
    are undecided. Gives back how many moves it takes: who wins hurries, and who loses delays.
    `left` are the moves of each state that do not lead to what it loses by.
    """
    distance = arena.room.filled(len(arena), NEVER, np.int32)
    queue = arena.room.zeros(len(arena), np.int32)
    distance[decided], queue[: len(decided)] = 0, decided
    wants = np.where(willing, np.int8(1), np.int8(-1))
    left = arena.degrees.astype(np.int32) if left is None else left
    states = wants, left, value, distance, queue
    arena.run("sweep", *arena.backward_sources, *states, len(decided))
    return distance
