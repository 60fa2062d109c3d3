"""Two programs in turns on one core, and a table of how they compare."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from statistics import median
from time import perf_counter, process_time
from typing import Final, NamedTuple, TypeVar

WIDTHS: Final = (44, 14, 14, 9, 19, 10, 8)  # of the columns
FASTEST_GROWTH: Final = 8  # of the work, from one trial to the next
LONG_ENOUGH: Final = 3  # times the seconds that were asked for
RISING: Final = 1.3  # times the rate of the trial before
# Games with few states: a simulation explores them all once, which must not be most of its work.
SMALL: Final = {"kuhn_poker", "liars_dice", "nim", "tic_tac_toe", "zero_sum_duel"}
CORES: Final = os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else set[int]()

T = TypeVar("T")
Work = Callable[[int, int], None]  # does so many things, with a seed


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for."""

    seconds: float  # for one measurement
    rounds: int
    games: int  # of a match
    move_seconds: float  # in a match
    huge: bool


class DifferentGames(SystemExit):
    """Both sides must play the same game: otherwise no figure means anything."""

    def __init__(self, what: str) -> None:
        super().__init__(f"NOT THE SAME GAME: {what}")


# ---- one core


def pin(core: int | None) -> str:
    """Keeps this process, and all that it starts, on one core (the last one); says so."""
    if not hasattr(os, "sched_setaffinity"):
        return "This system cannot keep a process on one core: threads may use several."
    if core is None:
        core = max(CORES)
    os.sched_setaffinity(0, {core})
    return f"Both sides run on core {core} alone, in turns."


@contextmanager
def pinned_nowhere() -> Iterator[None]:
    """For calls as a user makes them: meanwhile every core may be used."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    cores = os.sched_getaffinity(0)
    os.sched_setaffinity(0, CORES)
    try:
        yield
    finally:
        os.sched_setaffinity(0, cores)


def processor_time() -> float:
    """Seconds of this process and of those it has waited for: what others do does not count."""
    try:
        from resource import RUSAGE_CHILDREN, getrusage
    except ImportError:
        return process_time()
    children = getrusage(RUSAGE_CHILDREN)
    return process_time() + children.ru_utime + children.ru_stime


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """The processor time of some work, and its result."""
    began = processor_time()
    result = work()
    return max(processor_time() - began, 1e-9), result


# ---- calls


class Taken(NamedTuple):
    """Seconds of one call."""

    wall: float
    processor: float


def timed_call(*arguments: str, cache: str | None = None) -> Taken:
    """Call this interpreter as a user does, on all cores; `cache` is the cache folder."""
    environment = clean_environment()
    if cache is not None:
        environment["XDG_CACHE_HOME"] = cache
    with pinned_nowhere():
        began, used = perf_counter(), processor_time()
        subprocess.run(
            [sys.executable, *arguments],
            check=True,
            stdout=subprocess.DEVNULL,
            env=environment,
            cwd=tempfile.gettempdir(),  # away from the repository: measure the installed version
        )
        return Taken(perf_counter() - began, processor_time() - used)


def clean_environment() -> dict[str, str]:
    """The environment, without settings that change which modules Python finds and compiles."""
    dropped = ("PYTHONDONTWRITEBYTECODE", "PYTHONPATH")
    return {name: value for name, value in os.environ.items() if name not in dropped}


# ---- rates


@dataclass(frozen=True, slots=True)
class Rates:
    """Things a second of two sides, round by round."""

    ours: Sequence[float]
    theirs: Sequence[float]

    @property
    def ratios(self) -> list[float]:
        return [mine / other for mine, other in zip(self.ours, self.theirs, strict=True)]


def in_turns(ours: Work, theirs: Work, options: Options, least: tuple[int, int]) -> Rates:
    """Measures two kinds of work; `least` is how much of each is a useful amount."""
    counts = [
        paced(work, options.seconds, start)
        for work, start in zip((ours, theirs), least, strict=True)
    ]
    found: tuple[list[float], list[float]] = ([], [])
    for seed in range(options.rounds):
        for work, count, rates in zip((ours, theirs), counts, found, strict=True):
            rates.append(count / taken(work, count, seed))
    return Rates(*found)


def fewest_games(ruleset: str) -> int:
    """How many games of ours are a useful amount."""
    return 200_000 if ruleset in SMALL else 3_000


def paced(work: Work, seconds: float, start: int) -> int:
    """How much work takes about so long, or longer, if work that is done once would then be most of
    it: the rate must not rise any more. The trials also do what is done in the first call only.
    """
    count, before = start, 0.0
    while True:
        needed = taken(work, count, 0)
        rate = count / needed
        if needed >= LONG_ENOUGH * seconds:
            return count
        if needed >= seconds / 2 and rate < RISING * before:
            return round(count * min(max(1, seconds / needed), 2))
        count = round(count * min(FASTEST_GROWTH, max(2, 0.8 * seconds / needed)))
        before = rate


def seconds_each(work: Work, seconds: float, start: int) -> float:
    """The processor time of one thing, when doing them for about `seconds`."""
    count = paced(work, seconds, start)
    return taken(work, count, 1) / count


def taken(work: Work, count: int, seed: int) -> float:
    """The processor time of some work."""
    return timed(lambda: work(count, seed))[0]


# ---- the table


@dataclass(frozen=True, slots=True)
class Row:
    """A ratio, what it must be at least (or at most), and where it comes from."""

    what: str
    ours: str
    theirs: str
    ratios: Sequence[float]
    least: float | None = None
    most: float = inf

    @property
    def ratio(self) -> float:
        return median(self.ratios)

    @property
    def required(self) -> str:
        if self.most < inf:
            return f"<= {self.most:g}"
        return "" if self.least is None else f">= {self.least:g}"

    @property
    def reached(self) -> str:
        if not self.required:
            return ""
        return "yes" if (self.least or 0) <= self.ratio <= self.most else "NO"


def heading(
    title: str,
    theirs: str,
    *,
    ours: str = "rulegame",
    middle: tuple[str, str] = ("ratio", "rounds between"),
    last: tuple[str, str] = ("required", "reached"),
    about: str = "",
) -> None:
    """What a section's table begins with."""
    print(f"\n== {title}")
    if about:
        print(about)
    show_line(("", ours, theirs, *middle, *last))


def show(row: Row) -> None:
    """A line of the table."""
    between = f"{short(min(row.ratios))} to {short(max(row.ratios))}"
    if len(row.ratios) == 1:
        between = "one round"
    show_line(
        (row.what, row.ours, row.theirs, short(row.ratio), between, row.required, row.reached)
    )


def show_line(cells: Sequence[str]) -> None:
    first, *others = cells
    line = f"{first:<{WIDTHS[0]}}" + "".join(
        f" {cell:>{width}}" for cell, width in zip(others, WIDTHS[1:], strict=True)
    )
    print(line.rstrip(), flush=True)


def note(text: str) -> None:
    """Something that is to be known about the line before."""
    print(f"    {text}", flush=True)


def rate_row(what: str, rates: Rates, least: float | None = None) -> Row:
    """The medians of two sides, and of the ratio of each round."""
    ours, theirs = (f"{median(side):,.0f}/s" for side in (rates.ours, rates.theirs))
    return Row(what, ours, theirs, rates.ratios, least)


def short(number: float) -> str:
    """With three digits that count."""
    return f"{number:,.0f}" if abs(number) >= 100 else f"{number:.3g}"
