"""Whether two programs play the same game: how long random games are, and how they end.

What is compared are means over independent games of both sides; they must lie within five standard
errors of their difference, which happens by chance about once in two million comparisons.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from typing import Final

import rulegame
from field.measuring import DifferentGames, note, short

ERRORS: Final = 5.0
LONG: Final = 10_000  # steps, after which neither side goes on


class Simulated:
    """Our side: random games by `simulate`, and what all of them were like."""

    def __init__(self, ruleset: str, parameters: Mapping[str, object] | None = None) -> None:
        self._game = rulegame.load(ruleset, parameters or {})
        self._reports: dict[int, rulegame.Report] = {}  # the last one of each seed

    def play(self, games: int, seed: int) -> None:
        report = rulegame.simulate(self._game, games, seed=seed, max_moves=LONG)
        self._reports[seed] = report

    def played(self) -> Played:
        """How long the games were, and who won."""
        counts: Counter[int] = Counter()
        for report in self._reports.values():
            counts.update(dict(report.lengths.counts))
        games = counts.total()
        mean = sum(length * count for length, count in counts.items()) / games
        variance = sum((length - mean) ** 2 * count for length, count in counts.items()) / games
        first, second = (share(self._wins(seat), games) for seat in (0, 1))
        return Played(Sample(mean, variance, games), (first, second))

    def payoff(self) -> Sample:
        """What the first player gets."""
        samples = [payoff_of(report) for report in self._reports.values()]
        games = sum(sample.games for sample in samples)
        mean = sum(sample.mean * sample.games for sample in samples) / games
        variance = sum(sample.variance * sample.games for sample in samples) / games
        return Sample(mean, variance, games)

    def _wins(self, seat: int) -> int:
        return sum(report.seats[seat].wins.times for report in self._reports.values())


def payoff_of(report: rulegame.Report) -> Sample:
    """What the first player gets: 1 for a win and -1 for a loss, if the rules say nothing else."""
    if report.payoffs is not None:
        mean = report.payoffs[0]
        half = (mean.interval.upper - mean.interval.lower) / 2
        return Sample(mean.value, (half / 1.96) ** 2 * report.games, report.games)
    wins, losses = report.seats[0].wins.share, report.seats[0].losses.share
    value = wins - losses
    return Sample(value, max(wins + losses - value * value, 1 / report.games), report.games)


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
