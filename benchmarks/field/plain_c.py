"""Random games a second: `rulegame.simulate` beside a program in C (random_games.c) that is
written for these games and draws the same numbers. Both must count the very same ends and lengths.
"""

from __future__ import annotations

import ctypes
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import rulegame
from field.measuring import (
    DifferentGames,
    Options,
    fewest_games,
    heading,
    in_turns,
    note,
    rate_row,
    show,
)
from field.versions import Measure
from rulegame.simulation.rng import Seeded

FLAGS: Final = ("-O2", "-shared", "-fPIC", "-fvisibility=hidden", "-std=c99", "-Wall", "-Wextra")
SOURCE: Final = Path(__file__).with_name("random_games.c")
LONGEST: Final = 64  # moves of a game, and more
ALIKE: Final = 10_000  # games whose ends and lengths are compared
ENDS: Final = {  # how games end: the rule and the winners, in the order of the C program
    "zero_sum_duel": (("zero", (0,)), ("zero", (1,)), ("stuck", (0,)), ("stuck", (1,))),
    "tic_tac_toe": (("line", (0,)), ("line", (1,)), ("full", ())),
    "connect_four": (("line", (0,)), ("line", (1,)), ("full", ())),
}

Ends = Counter[tuple[str, tuple[int, ...]]]
Play = Callable[[int, int], tuple[Ends, Counter[int]]]  # so many games, with a seed


def run(options: Options) -> None:
    """The section."""
    compiler = shlex.split(os.environ.get("CC", "")) or compilers()
    if not compiler or sys.platform == "win32":
        print("\n== plain C: left out, there is no compiler (cc, gcc or what CC says)")
        return
    heading("random games a second", "plain C", about=" ".join([*compiler, *FLAGS]))
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, "random_games.so")
        subprocess.run([*compiler, *FLAGS, "-o", library, SOURCE], check=True)
        code = ctypes.CDLL(str(library))
        for name in ENDS:
            compare(name, by_c(code, name), options)


def compilers() -> list[str]:
    """The first that there is, if there is one."""
    return [name for name in ("cc", "gcc", "clang") if shutil.which(name)][:1]


def by_c(code: Any, name: str) -> Play:
    """The games of the C program."""
    function = getattr(code, f"play_{name}")
    function.restype = None
    word, number = ctypes.c_uint64, ctypes.c_int64
    function.argtypes = [word, word, number, number, ctypes.c_void_p, ctypes.c_void_p]

    def play(games: int, seed: int) -> tuple[Ends, Counter[int]]:
        seeded = Seeded.by(seed)
        ends, lengths = (number * 4)(), (number * LONGEST)()
        function(seeded.start, seeded.stride, 0, games, ends, lengths)
        names = ENDS[name]
        return (
            Counter({names[end]: count for end, count in enumerate(ends) if count}),
            Counter({length: count for length, count in enumerate(lengths) if count}),
        )

    return play


def by_rulegame(game: rulegame.Game) -> Play:
    """The same counts, of `simulate`."""

    def play(games: int, seed: int) -> tuple[Ends, Counter[int]]:
        report = rulegame.simulate(game, games, seed=seed)
        ends: Ends = Counter()
        for end in report.ends:
            ends[end.rule, end.winners] += end.games.times
        return +ends, Counter(dict(report.lengths.counts))

    return play


def compare(name: str, theirs: Play, options: Options) -> None:
    """One line of the table, after a look at single games."""
    ours = by_rulegame(rulegame.load(name))
    for seed in (1, 2):
        if ours(ALIKE, seed) != theirs(ALIKE, seed):
            raise DifferentGames(f"{name}: C counts other ends or lengths with seed {seed}")
    rates = in_turns(
        lambda games, seed: void(ours(games, seed)),
        lambda games, seed: void(theirs(games, seed)),
        options,
        (fewest_games(name), 10_000),
    )
    show(rate_row(name, rates, 0.5))
    note(f"the same ends and lengths in each of 2 times {ALIKE:,} games")


def void(_: object) -> None:
    """Only how long something takes is of interest."""


def measures(options: Options) -> list[Measure]:
    """Our games, to compare versions."""
    return [Measure(name, "field.rollouts.measure", (name, {}, options.seconds)) for name in ENDS]
