"""Compare this version with an older one: `--before PYTHON` names the interpreter of an environment
in which the older version is installed.

A measure is a function of a module in `benchmarks/` that returns seconds by name. It runs in a new
process, under either interpreter, and uses only the public interface of rulegame. The versions take
turns: old, new, old, …, new, old. Each run of the new version is compared with the old one before
it, and each run of the old version with the next. Ratios are speeds: above 1, the new version is
faster. The spread of old/old is the middle 80 % of its ratios, taken in both directions.
"""

from __future__ import annotations

import json
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from statistics import median, quantiles
from typing import Any, Final

from field.measuring import clean_environment, heading, pin, short, show_line

BENCHMARKS: Final = Path(__file__).resolve().parents[1]

Seconds = dict[str, float]


@dataclass(frozen=True, slots=True)
class Measure:
    """One or more lines of the table."""

    name: str
    function: str  # with its module: "play_speed.measure"
    arguments: tuple[object, ...] = ()

    def run(self, python: str) -> Any:
        """The result of the function under an interpreter."""
        call = [python, "-m", "field.versions", self.function, json.dumps(self.arguments)]
        done = subprocess.run(
            call,
            cwd=BENCHMARKS,
            env=clean_environment(),
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        return json.loads(done.stdout.splitlines()[-1])


@dataclass(frozen=True, slots=True)
class Ratios:
    """Speeds of the new version and of the old one, each divided by that of an old run."""

    new: Sequence[float]
    old: Sequence[float]

    @staticmethod
    def of(old: Sequence[float], new: Sequence[float]) -> Ratios:
        """From seconds: one run more of the old version than of the new one."""
        return Ratios(
            [before / after for before, after in zip(old, new, strict=False)],
            [one / next_one for one, next_one in pairwise(old)],
        )

    @property
    def spread(self) -> tuple[float, float]:
        """Of old/old."""
        both = [*self.old, *(1 / ratio for ratio in self.old)]
        deciles = quantiles(both, n=10, method="inclusive")
        return deciles[0], deciles[-1]

    @property
    def verdict(self) -> str:
        low, high = self.spread
        ratio = median(self.new)
        return "BELOW" if ratio < low else "above" if ratio > high else "within"


def add_option(parser: ArgumentParser) -> None:
    """The option `--before`."""
    parser.add_argument(
        "--before",
        metavar="PYTHON",
        help="compare with the version that is installed for this interpreter, and nothing else",
    )


def compare_versions(title: str, before: str, measures: Iterable[Measure], rounds: int) -> None:
    """Print a table: new/old and old/old of every measure."""
    before = str(Path(before).absolute())
    versions = [Measure("", "field.versions.identity").run(p) for p in (before, sys.executable)]
    heading(
        f"{title}: new and old version",
        "old",
        ours="new",
        middle=("new/old", "old/old"),
        last=("", "verdict"),
        about="old: {}\nnew: {}".format(*versions),
    )
    for measure in measures:
        for python in (before, sys.executable):
            measure.run(python)  # fills caches
        old, new = [measure.run(before)], []
        for _ in range(rounds):
            new.append(measure.run(sys.executable))
            old.append(measure.run(before))
        for name in old[0]:
            _show(f"{measure.name}, {name}", [s[name] for s in old], [s[name] for s in new])


def _show(name: str, old: Sequence[float], new: Sequence[float]) -> None:
    ratios = Ratios.of(old, new)
    low, high = ratios.spread
    times = [f"{median(seconds):.3g} s" for seconds in (new, old)]
    spread = f"{short(low)} to {short(high)}"
    show_line((name, *times, short(median(ratios.new)), spread, "", ratios.verdict))


def identity() -> str:
    """The version of this interpreter."""
    import rulegame

    version = ".".join(map(str, sys.version_info[:3]))
    return f"rulegame {rulegame.__version__}, Python {version}, {Path(rulegame.__file__).parent}"


def main(function: str, arguments: str) -> None:
    """Run a measure on one core and print its result."""
    module, _, name = function.rpartition(".")
    work = getattr(import_module(module), name)
    pin(None)
    print(json.dumps(work(*json.loads(arguments))))


if __name__ == "__main__":
    main(*sys.argv[1:])
