"""Games without chance: wins, losses, draws and endless play, found backward from the ends.

A state is won if its player can force a win in finitely many moves, however long play could go on.
What neither side can win is worth 0: a draw if one of the two can force an end (the other side can
at best avoid a loss), and endless if neither can.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.files.mapped import ArrayRoom
from rulegame.native.graph_kernels import call, has_kernels
from rulegame.progress import Progress, silent
from rulegame.solving.arena import END, HIGH, LOW, Arena, spans, transposed, view
from rulegame.solving.components import NARROW

NEVER: Final = -1
OUT: Final = 2  # the value of a state that is not looked at
REPORT_EVERY: Final = 1 << 16
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
    offsets, sources = arena.backward_sources
    ends = arena.role == END
    sweep = _Sweep(
        offsets,
        sources,
        # Who moves at an end is of no matter; 1 wants the value 1, -1 the value -1.
        np.where(arena.role == HIGH, np.int8(1), np.int8(-1)),
        np.diff(arena.offsets).astype(np.int32, copy=False),
        np.where(ends, arena.pay, np.int8(0)),
        progress,
        arena.room,
    )
    distance = sweep.run(np.flatnonzero(ends & (arena.pay != 0)))
    value = sweep.value
    del sweep  # with all that it counted by
    drawn = ends & (arena.pay == 0)
    if drawn.any():
        np.copyto(distance, _draws(arena, value, drawn), where=value == 0)
    return Retrograde(value, distance)


def _draws(arena: Arena, value: NDArray[np.int8], drawn: NDArray[np.bool_]) -> NDArray[np.int32]:
    """How far the end is where one side can force a draw."""
    # A side that lets go of the draw only loses faster: who forces a draw need not reckon with it.
    if arena.is_large:
        return _both_sides(arena, drawn, *_among_draws(arena, value))
    keeps = (value[arena.sources] == 0) & (value[arena.successors] == 0)
    sources, successors = arena.sources[keeps], arena.successors[keeps]
    offsets, edges = transposed(len(arena), successors)
    into = sources[edges]
    left = np.bincount(sources, minlength=len(arena)).astype(np.int32)
    return _both_sides(arena, drawn, offsets, into, left, np.zeros(len(arena), np.int8))


def _among_draws(
    arena: Arena, value: NDArray[np.int8]
) -> tuple[NDArray[Any], NDArray[np.int32], NDArray[np.int32], NDArray[np.int8]]:
    """Backward edges, and ways out of drawn states to drawn states; other states are not looked
    at.
    """
    left = np.empty(len(arena), np.int32)
    call("count_ways", len(arena), arena.offsets, arena.successors, value, left)
    return *arena.backward_sources, left, np.where(value == 0, np.int8(0), np.int8(OUT))


def _both_sides(
    arena: Arena,
    drawn: NDArray[np.bool_],
    offsets: NDArray[Any],
    into: NDArray[np.int32],
    left: NDArray[np.int32],
    value: NDArray[np.int8],
) -> NDArray[np.int32]:
    """How far a drawn end is that one side can force, by the one that gets there first."""
    ends = np.flatnonzero(drawn)

    def forced_by(side: int, ways: NDArray[np.int32]) -> NDArray[np.int32]:
        wants = np.where(arena.role == side, np.int8(1), np.int8(-1))
        goal = np.where(drawn, np.int8(1), value)  # who forces it "wins" the ends
        return _Sweep(offsets, into, wants, ways, goal, silent, arena.room).run(ends)

    one = forced_by(HIGH, left.copy())  # which is gone before the other side's turn
    other = forced_by(LOW, left)
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
    offsets, sources = arena.backward_sources
    value = np.where(goal & within, 1, np.where(within, 0, OUT)).astype(np.int8)
    wants = np.where(willing, 1, -1).astype(np.int8)
    left = arena.degrees.astype(np.int32)
    sweep = _Sweep(offsets, sources, wants, left, value, silent, arena.room)
    sweep.run(np.flatnonzero(goal & within))
    return np.asarray(sweep.value == 1)


class _Sweep:
    """Backward from decided states: who wants a value takes it, who does not must, if all his moves
    lead to it. A layer is a move further from the end than the one before: so who wins hurries,
    and who loses delays.
    """

    def __init__(
        self,
        offsets: NDArray[Any],
        sources: NDArray[np.int32],
        wants: NDArray[np.int8],
        left: NDArray[np.int32],  # of each state, the moves that do not lead to what it loses by
        value: NDArray[np.int8],
        progress: Progress,
        room: ArrayRoom,
    ) -> None:
        self._room = room
        self._offsets, self._sources = offsets, sources
        self._wants, self._left = wants, left
        self.value = value
        self._progress = progress

    def run(self, layer: NDArray[np.int64]) -> NDArray[np.int32]:
        """Decides all that can be decided; gives back the distances."""
        distance = self._room.filled(len(self.value), NEVER, np.int32)
        if has_kernels(len(self._sources)):
            return self._run_kernel(layer, distance)
        away = done = told = 0
        while len(layer):
            distance[layer] = away
            away += 1
            done += len(layer)
            if done - told >= REPORT_EVERY:
                told = done
                self._progress("Solving", done, len(self.value))
            layer = self._narrow(layer) if len(layer) < NARROW else self._wide(layer)
        return distance

    def _run_kernel(
        self, layer: NDArray[np.int64], distance: NDArray[np.int32]
    ) -> NDArray[np.int32]:
        self._progress("Solving", 0, None)
        queue = self._room.zeros(len(self.value), np.int32)
        queue[: len(layer)] = layer
        distance[layer] = 0
        states = self._wants, self._left, self.value, distance, queue
        call("sweep", self._offsets, self._sources, *states, len(layer))
        return distance

    def _wide(self, layer: NDArray[np.int64]) -> NDArray[np.int64]:
        into = self._sources[spans(self._offsets, layer)]
        found = np.repeat(self.value[layer], self._offsets[layer + 1] - self._offsets[layer])
        undecided = self.value[into] == 0
        into, found = into[undecided], found[undecided]
        willing = self._wants[into] == found
        taken = into[willing]
        unwilling = into[~willing]
        unwilling, ways = np.unique(unwilling, return_counts=True)
        self._left[unwilling] -= ways
        forced = unwilling[self._left[unwilling] == 0]
        self.value[forced] = -self._wants[forced]
        self.value[taken] = self._wants[taken]  # who can win need not lose
        return np.unique(np.concatenate((taken, forced))).astype(np.int64)

    def _narrow(self, layer: NDArray[np.int64]) -> NDArray[np.int64]:
        starts, into = view(self._offsets), view(self._sources)
        value, wants, left = view(self.value), view(self._wants), view(self._left)
        taken, forced = [], []
        for state in layer.tolist():
            worth = value[state]
            for source in into[starts[state] : starts[state + 1]]:
                if value[source]:
                    continue
                if wants[source] == worth:
                    taken.append(source)
                else:
                    left[source] -= 1
                    if not left[source]:
                        forced.append(source)
        for source in forced:
            value[source] = -wants[source]
        for source in taken:
            value[source] = wants[source]
        return np.array(sorted({*taken, *forced}), np.int64)
