"""The wall time of `rulegame simulate`, process start included, with an empty and a filled cache on
all cores; and the processor time of compiling a game without a cache.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from statistics import median
from typing import Final

import rulegame
from field.measuring import Options, Taken, heading, note, show_line, timed, timed_call
from field.versions import Measure, Seconds

CALLS: Final = (
    ("simulate", "zero_sum_duel", "--games", "1000", "--seed", "1"),
    ("simulate", "connect_four", "--games", "100000", "--seed", "1"),
)
CACHES: Final = ("empty cache", "filled cache")
# Games to compile, and how many to simulate: enough for machine code to pay.
COMPILED: Final = {"connect_four": 100_000, "othello": 10_000, "kalah": 20_000, "hex": 20_000}
FIRST: Final = "breakthrough"  # is compiled before them, to import and initialise LLVM


def run(options: Options) -> None:
    """The section."""
    heading("cold calls", "", middle=("", ""), last=("", ""), about="Wall time; all cores.")
    timed_call("-m", "rulegame_cli", "list")  # compiles Python files
    for call in CALLS:
        rounds = [cold_and_warm(call) for _ in range(options.rounds)]
        for cache, times in zip(CACHES, zip(*rounds, strict=True), strict=True):
            wall = median(taken.wall for taken in times)
            name = f"{' '.join(call[1:4])}, {cache}"
            show_line((name, f"{wall:.2f} s", "", "", "", "", ""))
            note(f"processor time {median(taken.processor for taken in times):.2f} s")


def cold_and_warm(call: Sequence[str]) -> tuple[Taken, Taken]:
    """The time of the first call, and of the next one."""
    with tempfile.TemporaryDirectory() as cache:
        first = timed_call("-m", "rulegame_cli", *call, cache=cache)
        return first, timed_call("-m", "rulegame_cli", *call, cache=cache)


# ---- versions


def measures(options: Options) -> list[Measure]:
    """Cold calls, and compilation."""
    calls = [Measure(f"{call[1]} {call[3]}", "field.cold.measure_call", call) for call in CALLS]
    return calls + [
        Measure(f"compile {name}", "field.cold.measure_compilation", (name, games))
        for name, games in COMPILED.items()
    ]


def measure_call(*call: str) -> Seconds:
    found = dict(zip(CACHES, cold_and_warm(call), strict=True))
    return {
        f"{cache}, {clock}": getattr(taken, clock)
        for cache, taken in found.items()
        for clock in Taken._fields
    }


def measure_compilation(name: str, games: int) -> Seconds:
    """Loading and the first simulation, less a second simulation."""
    with tempfile.TemporaryDirectory() as cache:
        os.environ["XDG_CACHE_HOME"] = cache
        rulegame.simulate(rulegame.load(FIRST), COMPILED["connect_four"], seed=1)
        loading, game = timed(lambda: rulegame.load(name))
        first, _ = timed(lambda: rulegame.simulate(game, games, seed=1))
        second, _ = timed(lambda: rulegame.simulate(game, games, seed=1))
    return {"processor": loading + first - second}
