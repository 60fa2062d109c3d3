"""Whether two programs play the same game: how long random games are, and how they end.

What is compared are means over independent games of both sides; they must lie within five standard
errors of their difference, which happens by chance about once in two million comparisons.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import rulegame
from field.measuring import DifferentGames, note, short

ERRORS: Final = 5.0
LONG: Final = 10_000  # steps, after which neither side goes on


class Simulated:
    """Our side: random games by `simulate`, and the report on the last ones."""

    report: rulegame.Report

    def __init__(self, ruleset: str, parameters: Mapping[str, object] | None = None) -> None:
        self._game = rulegame.load(ruleset, parameters or {})

    def play(self, games: int, seed: int) -> None:
        self.report = rulegame.simulate(self._game, games, seed=seed, max_moves=LONG)


@dataclass(frozen=True, slots=True)
class Sample:
    """A mean over so many games, with the variance of a single one."""

    mean: float
    variance: float
    games: int


@dataclass(frozen=True, slots=True)
class Played:
    """What random games were like: steps to the end, and the shares of both players' wins."""

    length: Sample
    wins: tuple[Sample, Sample]

    @staticmethod
    def of(lengths: Sequence[int], first_wins: int, second_wins: int) -> Played:
        """From single games."""
        games = len(lengths)
        mean = sum(lengths) / games
        variance = sum((length - mean) ** 2 for length in lengths) / games
        return Played(
            Sample(mean, variance, games), (share(first_wins, games), share(second_wins, games))
        )

    @staticmethod
    def by(report: rulegame.Report, extra: int = 0) -> Played:
        """From a simulation, whose games have so many steps that the other side does not have."""
        counts = [(length - extra, count) for length, count in report.lengths.counts]
        games = sum(count for _, count in counts)
        mean = sum(length * count for length, count in counts) / games
        variance = sum((length - mean) ** 2 * count for length, count in counts) / games
        first, second = (share(seat.wins.times, report.games) for seat in report.seats)
        return Played(Sample(mean, variance, games), (first, second))


def share(times: int, games: int) -> Sample:
    """How often something happens; never quite certain, as a small sample may say."""
    middle = (times + 1) / (games + 2)
    return Sample(times / games, middle * (1 - middle), games)


def check(what: str, ours: Played, theirs: Played) -> None:
    """Prints both sides' means, and ends the program if they differ by more than chance."""
    pairs = (
        ("mean length", ours.length, theirs.length),
        ("first wins", ours.wins[0], theirs.wins[0]),
        ("second wins", ours.wins[1], theirs.wins[1]),
    )
    words = ", ".join(f"{name} {short(a.mean)} and {short(b.mean)}" for name, a, b in pairs)
    note(f"{words} ({ours.length.games:,} and {theirs.length.games:,} games)")
    for name, a, b in pairs:
        check_mean(f"{what}, {name}", a, b)


def check_mean(what: str, ours: Sample, theirs: Sample) -> None:
    """Ends the program if two means differ by more than chance."""
    error = sqrt(ours.variance / ours.games + theirs.variance / theirs.games)
    if abs(ours.mean - theirs.mean) > ERRORS * error + 1e-12:
        raise DifferentGames(f"{what}: {ours.mean:.6g} and {theirs.mean:.6g} (error {error:.2g})")
