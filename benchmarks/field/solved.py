"""A game explored and solved in a process of its own, whose peak of memory is then that of the
game.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from time import process_time
from typing import Final, NamedTuple

from field.versions import Measure, Seconds

GIGABYTE: Final = 2**30
ROOM: Final = 16 * GIGABYTE
MOST_STATES: Final = 200_000_000


class Solved(NamedTuple):
    """What it took. Seconds are those of the processor: others may use it, too."""

    states: int
    moves: int
    seconds: float
    lower: float
    upper: float
    graph_bytes: int
    own_bytes: int  # of the peak, what was not there before
    peak_bytes: int


def solved_alone(name: str, parameters: Mapping[str, object]) -> Solved:
    """Explores and solves a game elsewhere."""
    return Solved(*Measure(name, "field.solved.solve_here", (name, parameters)).run(sys.executable))


def measures(cases: Iterable[tuple[str, Mapping[str, object]]]) -> list[Measure]:
    """Exploring and solving, to compare versions."""
    return [
        Measure(
            " ".join([name, *(f"{key}={value}" for key, value in parameters.items())]),
            "field.solved.measure",
            (name, parameters),
        )
        for name, parameters in cases
    ]


def measure(name: str, parameters: Mapping[str, object]) -> Seconds:
    return {"processor": solve_here(name, parameters).seconds}


def solve_here(name: str, parameters: Mapping[str, object]) -> Solved:
    """Explores and solves a game; what is imported on the way is not measured."""
    import rulegame

    rulegame.solve(rulegame.load("zero_sum_duel", {"start": 100}), keep=False)
    game = rulegame.load(name, parameters)
    before, began = peak_memory(), process_time()
    solution = rulegame.solve(game, max_states=MOST_STATES, max_memory=ROOM, keep=False)
    seconds, peak, graph = process_time() - began, peak_memory(), solution.graph
    return Solved(
        len(graph),
        graph.edges,
        seconds,
        float(solution.lower),
        float(solution.upper),
        round(graph.bytes_per_state * len(graph)),
        peak - before,
        peak,
    )


def peak_memory() -> int:
    """The most bytes that this process has had. Linux counts those of the process that started it
    among what `resource` tells, so that it is asked otherwise there.
    """
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024
    from resource import RUSAGE_SELF, getrusage

    return getrusage(RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)
