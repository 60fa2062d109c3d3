"""Exploring and solving large games, beside what is required: states a second, memory, and how the
time grows. `solve_speed.py` has the comparison with solvers written by hand.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from math import log2
from statistics import median
from subprocess import CalledProcessError
from time import perf_counter
from typing import Final

from field.measuring import Options, Row, heading, show, show_line
from field.solved import GIGABYTE, Solved, solved_alone
from field.solved import measures as solved_measures
from field.versions import Measure

STATE_BYTES: Final = 24  # that a state may take in a stored graph
MOVE_BYTES: Final = 6
GROWTH: Final = 2.3  # times as long for twice the states
CASES: Final[tuple[tuple[str, str, Mapping[str, object], int], ...]] = (
    ("zero_sum_duel, start 1000", "zero_sum_duel", {"start": 1000}, 3_000_000),
    ("tic_tac_toe 4 by 4", "tic_tac_toe", {"size": 4, "line": 4}, 1_000_000),
)
HALF_START: Final = 707  # half as many states
HUGE_START: Final = 3570
HUGE_BYTES: Final = 16 * GIGABYTE


def run(options: Options) -> None:
    """The section."""
    heading(
        "exploring and solving",
        "required",
        about="Each in a process of its own; memory is what was not there before. As many rounds"
        " as fit.",
    )
    for title, name, parameters, rate in CASES:
        results = rounds(partial(solved_alone, name, parameters), options)
        show_case(title, results, rate)
        if name == "zero_sum_duel":
            half = rounds(partial(solved_alone, name, {"start": HALF_START}), options)
            show_growth(half, results)
    if options.huge:
        show_huge()


def measures(options: Options) -> list[Measure]:
    """The same games, to compare versions."""
    return solved_measures((name, parameters) for _, name, parameters, _ in CASES)


def rounds(work: Callable[[], Solved], options: Options) -> list[Solved]:
    """Several times if it is quick, once if it is not."""
    began, results = perf_counter(), [work()]
    for _ in range(options.rounds - 1):
        if perf_counter() - began > options.seconds * options.rounds:
            break
        results.append(work())
    return results


def show_case(title: str, results: list[Solved], rate: int) -> None:
    """Speed and memory of one game."""
    rates = [found.states / found.seconds for found in results]
    ratios = [found / rate for found in rates]
    show(Row(f"{title}, states a second", f"{median(rates):,.0f}", f"{rate:,}", ratios, 1))
    found = results[0]
    allowed = STATE_BYTES + MOVE_BYTES * found.moves / found.states
    for what, taken, most in (
        ("  stored graph, bytes a state", found.graph_bytes / found.states, allowed),
        ("  peak, bytes a state", found.own_bytes / found.states, 2 * allowed),
    ):
        show(Row(what, f"{taken:.1f}", f"{most:.1f}", [taken / most], most=1))
    states = f"  {found.states:,} states, {found.moves:,} moves, {found.seconds:.1f} s"
    print(f"{states}, value {found.lower:g} to {found.upper:g}", flush=True)


def show_growth(half: list[Solved], whole: list[Solved]) -> None:
    """How many times as long twice the states take."""
    less, more = (min(found, key=lambda one: one.seconds) for found in (half, whole))
    doublings = log2(more.states / less.states)
    growth = (more.seconds / less.seconds) ** (1 / doublings)
    show(
        Row("  time for twice the states", f"{growth:.2f}", f"{GROWTH}", [growth / GROWTH], most=1)
    )


def show_huge() -> None:
    """About a hundred million states."""
    what = f"zero_sum_duel, start {HUGE_START}, peak"
    required = f"{HUGE_BYTES / GIGABYTE:.1f} GiB"
    try:
        found = solved_alone("zero_sum_duel", {"start": HUGE_START})
    except CalledProcessError:
        show_line((what, "not solved", required, "", "", "<= 1", "NO"))
        return
    peak = f"{found.peak_bytes / GIGABYTE:.1f} GiB"
    show(Row(what, peak, required, [found.peak_bytes / HUGE_BYTES], most=1))
    print(f"  {found.states:,} states, {found.seconds:.0f} s", flush=True)
