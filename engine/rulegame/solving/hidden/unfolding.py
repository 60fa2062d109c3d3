"""Games with hidden information in which play can be endless, followed for so many moves and rolls.

Whatever players do and see later, the first mover gets no less on average than if everybody played
against it in the open, and no more than if everybody played for it; both are known of every state.
If the histories that are not over are taken to end with the one, the value of the tree is a lower
bound of the game's, and the first mover's strategy in it gets that much; with the other, it is an
upper bound. The bounds come nearer to each other with every move that is followed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from time import monotonic
from typing import Any, Final

import numpy as np

from rulegame.compiling import OVER
from rulegame.exploring import StateGraph
from rulegame.progress import Progress
from rulegame.solving.deadline import OutOfTime, until
from rulegame.solving.hidden.histories import (
    REPORT_EVERY,
    Histories,
    Interned,
    Numbers,
    TooManyHistories,
    noticed,
    tell_apart_until,
)
from rulegame.solving.hidden.mixing import SECONDS, Plans, best_plans
from rulegame.solving.hidden.sequence_form import Floats, SequenceForm
from rulegame.solving.perfect_information.sides import solve_for

UNFOLDED: Final = (300, 3_000, 30_000, 300_000)  # histories that are followed, one after the other
GROWTH: Final = 12  # times that the next of these takes longer, about
NARROW: Final = 1e-9


@dataclass(frozen=True)
class Unfolded:
    """The histories of so many moves and rolls, and plans with what they prove."""

    histories: Histories
    plans: Plans
    depth: int

    @property
    def width(self) -> Fraction:
        return self.plans.upper - self.plans.lower


def unfold(
    graph: StateGraph, first: int, budget: int, seconds: float | None, progress: Progress
) -> Unfolded:
    """Bounds of the value, by following up to `budget` histories, in about so many seconds."""
    began, allowed = monotonic(), SECONDS if seconds is None else seconds
    depths = [depth_within(graph, min(most, budget)) for most in UNFOLDED]
    if not depths[-1]:
        raise TooManyHistories(2 + int(graph.offsets[1] - graph.offsets[0]), budget)
    seen = noticed(graph, first, progress)
    beyond, lows, highs = _beyond(graph, first, progress)
    best: Unfolded | None = None
    for depth in sorted({depth for depth in depths if depth}):
        started = monotonic()
        try:
            limited = progress if best is None else until(began + allowed, progress)
            both = tell_apart_until(graph, first, seen, depth, beyond, (lows, highs), limited)
        except OutOfTime:
            if best is None:
                raise
            break
        left = max(0.0, began + allowed - monotonic()) / 2
        low, high = (best_plans(SequenceForm(one), left, progress) for one in both)
        plans = Plans((low.shares[0], high.shares[1]), low.lower, high.upper, low.method)
        found = Unfolded(both[0], plans, depth)
        best = found if best is None or found.width < best.width else best
        now = monotonic()
        if best.width <= NARROW or now - began + GROWTH * (now - started) > allowed:
            break
    assert best is not None
    return best


def depth_within(graph: StateGraph, most: int) -> int:
    """For how many moves and rolls there are at most so many histories, unfinished ones counted."""
    counts: Floats = np.zeros(len(graph))
    counts[0] = total = 1.0
    sources = np.repeat(np.arange(len(graph)), np.diff(graph.offsets))
    depth = 0
    while True:
        counts = np.bincount(graph.successors, counts[sources], len(graph)).astype(np.float64)
        total += float(counts.sum())
        if total > most or not counts[graph.owner != OVER].any():
            return depth if total > most else depth + 1
        depth += 1


def _beyond(
    graph: StateGraph, first: int, progress: Progress
) -> tuple[Numbers, list[Fraction], list[Fraction]]:
    """What each state is worth to the first mover if everybody plays against it, and if everybody
    plays for it: as outcomes that come after those of the game.
    """
    pays = [Fraction(outcome.payoffs[first]) for outcome in graph.outcomes]
    least = solve_for(graph, (), pays, progress)
    most = solve_for(graph, range(len(graph.game.players)), pays, progress)
    kinds = Interned()
    beyond = np.zeros(len(graph), np.int64)
    for number in range(len(graph)):
        if number % REPORT_EVERY == 0:
            progress("Bounding endless play", number, len(graph))
        low, high = least.value_of(number), most.value_of(number)
        floor = Fraction(least.bounds_of(number)[0]) if low is None else low
        ceiling = Fraction(most.bounds_of(number)[1]) if high is None else high
        beyond[number] = len(pays) + kinds.number((floor, ceiling))
    known: Any = kinds.numbers
    return beyond, pays + [low for low, _ in known], pays + [high for _, high in known]
