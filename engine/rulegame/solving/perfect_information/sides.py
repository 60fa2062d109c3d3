"""What some seats of a game can make sure of, whatever all others do: its graph solved from their
side.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from rulegame.exploring import StateGraph
from rulegame.progress import Progress, silent
from rulegame.solving.arena import HIGH, LOW, Arena, rounded_out, side_arena
from rulegame.solving.components import find_structure, shortest_play
from rulegame.solving.perfect_information.almost_sure import certain_wins
from rulegame.solving.perfect_information.retrograde import (
    Retrograde,
    solve_backward,
    solve_forward,
)
from rulegame.solving.perfect_information.solution import PerfectInformationSolution, WholeValues
from rulegame.solving.room import EXACT_STATES
from rulegame.solving.stochastic.chance import (
    Bounded,
    Exact,
    NotFeasible,
    solve_bounds,
    solve_exactly,
)

ALMOST = 1 - 1e-6  # a value from which on a win may be certain


def solve_for(
    graph: StateGraph,
    high: Collection[int],
    pays: Sequence[int | Fraction],
    progress: Progress = silent,
    plain: bool = False,
) -> PerfectInformationSolution:
    """What some seats can make sure of, if they want high what the outcomes of a graph pay, and all
    others want it low.
    """
    return solve_arena(graph, side_arena(graph, high, pays, plain), progress)


def solve_arena(
    graph: StateGraph,
    arena: Arena,
    progress: Progress = silent,
    exact_states: int = EXACT_STATES,
) -> PerfectInformationSolution:
    """The solution of a graph from somebody's side. With chance, it has bounds instead of exact
    values if more than `exact_states` are in cycles.
    """
    shortest = shortest_play(arena)
    if arena.plain and not arena.has_chance:
        found, longest = _without_chance(arena, progress)
        chosen, bounds = _retrograde_choices(arena, found), found.value
        lengths = longest, shortest
        values = WholeValues(found.value)
        return PerfectInformationSolution(
            graph, arena, values, bounds, bounds, found.distance, chosen, *lengths
        )
    structure = find_structure(arena, progress)
    lengths = structure.longest_play, shortest
    try:
        exact = solve_exactly(arena, structure, progress, most=exact_states)
    except NotFeasible:
        rough = solve_bounds(arena, structure, progress)
        if arena.plain:
            _add_certainty(arena, rough)
        least, most = rounded_out(*arena.payoff_range(endless=lengths[0] is None))
        lower, upper = np.maximum(rough.lower, least), np.minimum(rough.upper, most)
        return PerfectInformationSolution(
            graph, arena, None, lower, upper, None, rough.chosen, *lengths
        )
    lower, upper = _rounded(exact)
    return PerfectInformationSolution(
        graph, arena, exact.values, lower, upper, None, exact.chosen, *lengths
    )


def _without_chance(arena: Arena, progress: Progress) -> tuple[Retrograde, int | None]:
    """The solution of a game without chance, and its longest play."""
    known = solve_forward(arena, progress)
    if known is not None:
        return known
    longest = find_structure(arena, progress).longest_play  # whose arrays are gone before others
    return solve_backward(arena, progress), longest


def _add_certainty(arena: Arena, rough: Bounded) -> None:
    """Where the start, or a move there, may be a certain win, it is found out whether it is."""
    near = np.concatenate(([0], arena.successors[arena.offsets[0] : arena.offsets[1]]))
    lower, upper = rough.lower, rough.upper
    for side, sign, likely in ((HIGH, 1.0, rough.upper), (LOW, -1.0, -rough.lower)):
        if (likely[near] > ALMOST).any():
            certain = certain_wins(arena, side)
            lower[certain] = upper[certain] = sign


def _rounded(exact: Exact) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Floats on both sides of each value."""
    near = np.array([float(value) for value in exact.values])
    off = np.array([Fraction(n) != v for n, v in zip(near.tolist(), exact.values, strict=True)])
    lower = np.where(off, np.nextafter(near, -np.inf), near)
    upper = np.where(off, np.nextafter(near, np.inf), near)
    return lower, upper


def _retrograde_choices(arena: Arena, found: Retrograde) -> NDArray[np.int32]:
    """One edge of best play for each player's state: to the end, as soon or as late as possible."""
    chosen = arena.room.zeros(len(arena), np.int32)
    states = arena.role, found.value, found.distance, chosen
    arena.run("choose", len(arena), arena.offsets, arena.successors, *states)
    return chosen
