"""From cold to the answer, as a user feels it: the wall time of calls of `rulegame`, with an empty
cache and with the one that the call before has filled, on all cores; beside another executable.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final, NamedTuple

from field.measuring import (
    Options,
    Row,
    heading,
    note,
    pinned_nowhere,
    processor_time,
    show,
    show_line,
)

PATIENCE: Final = 10  # times as long as other measurements
CALLS: Final = (  # and how many times as fast as before each must be
    (("simulate", "zero_sum_duel", "--games", "1000", "--seed", "1"), 1.0),
    (("simulate", "connect_four", "--games", "100000", "--seed", "1"), 30.0),
)


class Taken(NamedTuple):
    """Seconds of one call."""

    wall: float
    processor: float


def run(options: Options) -> None:
    """The section."""
    ours, before = shutil.which("rulegame", path=str(Path(sys.executable).parent)), options.before
    if ours is None:
        print("\n== cold calls: left out, rulegame is not installed for this interpreter")
        return
    about = "Wall time; all cores."
    if before is None:
        about += " With --before PATH beside another rulegame."
    heading("from cold to the answer", "before", about=about)
    with pinned_nowhere():
        for call, least in CALLS:
            compare(ours, before, call, least, options)


def compare(
    ours: str, before: str | None, call: Sequence[str], least: float, options: Options
) -> None:
    """Two lines of the table, in as many rounds as fit."""
    programs = [ours] if before is None else [ours, before]
    found: list[list[tuple[Taken, Taken]]] = [[] for _ in programs]
    for program in programs:
        answer(program, ("list",), None)  # so that compiled files of Python are there
    began = perf_counter()
    for _ in range(options.rounds):
        for program, times in zip(programs, found, strict=True):
            times.append(cold_and_warm(program, call))
        if perf_counter() - began > PATIENCE * options.seconds * options.rounds:
            break
    name = " ".join(call[1:4])
    for place, cache in enumerate(("empty cache", "filled cache")):
        show_cache(f"{name}, {cache}", [[times[place] for times in f] for f in found], least)


def show_cache(what: str, found: Sequence[Sequence[Taken]], least: float) -> None:
    """A line of the table, and what the processor has done: on a busy machine one waits longer."""
    walls = [[taken.wall for taken in program] for program in found]
    texts = [f"{median(times):.2f} s" for times in walls]
    if len(found) == 1:
        show_line((what, texts[0], "", "", "", "", ""))
    else:
        ratios = [old / new for new, old in zip(*walls, strict=True)]
        show(Row(what, texts[0], texts[1], ratios, least))
    used = (f"{median(taken.processor for taken in program):.2f} s" for program in found)
    note(f"processor time {' and '.join(used)}")


def cold_and_warm(program: str, call: Sequence[str]) -> tuple[Taken, Taken]:
    """The time of the first call, and of the next one."""
    with tempfile.TemporaryDirectory() as cache:
        return answer(program, call, cache), answer(program, call, cache)


def answer(program: str, call: Sequence[str], cache: str | None) -> Taken:
    """How long one waits for an answer; what is kept lies in the folder `cache`."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    if cache is not None:
        environment["XDG_CACHE_HOME"] = cache
    began, used = perf_counter(), processor_time()
    subprocess.run(
        [str(Path(program).absolute()), *call],
        check=True,
        stdout=subprocess.DEVNULL,
        env=environment,
        cwd=tempfile.gettempdir(),  # away from the repository: what is installed is measured
    )
    return Taken(perf_counter() - began, processor_time() - used)
