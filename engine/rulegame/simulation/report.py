"""The report of a simulation: counts, shares with confidence intervals, game lengths."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt
from typing import Final, NamedTuple

from rulegame.game import Game
from rulegame.shown import Plotted, Shown, Tabled
from rulegame.simulation.tally import End, Sort, Tally

Z95: Final = 1.959963984540054  # half the width of the central 95 % of a normal distribution


class Interval(NamedTuple):
    """A 95 % confidence interval."""

    lower: float
    upper: float


def wilson(successes: float, trials: int) -> Interval:
    """Wilson's score interval of a probability, which is sensible near 0 and 1."""
    if not trials:
        return Interval(0.0, 1.0)
    share = successes / trials
    square = Z95 * Z95
    middle = (share + square / (2 * trials)) / (1 + square / trials)
    spread = share * (1 - share) / trials + square / (4 * trials * trials)
    half = Z95 * sqrt(max(0.0, spread)) / (1 + square / trials)
    lower = 0.0 if successes <= 0 else max(0.0, middle - half)
    return Interval(lower, 1.0 if successes >= trials else min(1.0, middle + half))


class Share(NamedTuple):
    """A number of games out of a total."""

    times: int
    of: int

    @property
    def share(self) -> float:
        return self.times / self.of if self.of else 0.0

    @property
    def interval(self) -> Interval:
        return wilson(self.times, self.of)


class SeatResult(NamedTuple):
    """The results of one seat; unfinished games count as none of these."""

    name: str
    player: str
    wins: Share
    losses: Share
    draws: Share


class EndResult(NamedTuple):
    """How often a rule ended a game with these winners and losers; with neither, it was a draw or a
    score of a single player.
    """

    rule: str
    winners: tuple[int, ...]
    losers: tuple[int, ...]
    draw: bool
    games: Share


class Usage(NamedTuple):
    """How often an operation or roll occurred: in how many games, and in total."""

    name: str
    times: int
    of: int  # all moves, or all rolls
    games: Share

    @property
    def share(self) -> float:
        return self.times / self.of if self.of else 0.0

    @property
    def per_game(self) -> float:
        return self.times / self.games.of if self.games.of else 0.0


class Mean(NamedTuple):
    """The mean over all games that ended."""

    value: float
    interval: Interval


class Advantage(NamedTuple):
    """The value of moving first: the first mover's share of wins minus the mean share of the
    others. For two players: wins minus losses.
    """

    wins: Share
    losses: Share
    value: float
    interval: Interval


@dataclass(frozen=True, slots=True)
class Lengths:
    """The lengths of finished games, in moves and rolls."""

    counts: tuple[tuple[int, int], ...]  # each length that occurred, and how often; ascending

    @property
    def games(self) -> int:
        return sum(count for _, count in self.counts)

    @property
    def mean(self) -> float | None:
        total = sum(length * count for length, count in self.counts)
        return total / self.games if self.counts else None

    @property
    def shortest(self) -> int | None:
        return self.counts[0][0] if self.counts else None

    @property
    def longest(self) -> int | None:
        return self.counts[-1][0] if self.counts else None

    def percentile(self, percent: int) -> int | None:
        """The least length that covers this percentage of the games."""
        wanted, seen = percent * self.games, 0
        for length, count in self.counts:
            seen += count
            if 100 * seen >= wanted:
                return length
        return None


@dataclass(frozen=True, slots=True)
class Report(Shown, Tabled, Plotted):
    """The result of a simulation. Reports are equal if they have the same content, however the
    games were played.
    """

    title: str
    games: int
    seed: int
    first: int | None  # the seat that moved first; None: each in turn
    max_moves: int
    unfinished: Share
    draws: Share
    seats: tuple[SeatResult, ...]
    ends: tuple[EndResult, ...]
    never: tuple[str, ...]  # end rules that ended no game
    advantage: Advantage | None  # None for a single player, and where all share every result
    payoffs: tuple[Mean, ...] | None  # of each seat, where an end rule has a payoff
    lengths: Lengths
    operations: tuple[Usage, ...]
    setup: tuple[Usage, ...]
    rolls: tuple[Usage, ...]
    states: int | None = field(compare=False)  # of the graph that perfect players need


def make_report(
    game: Game,
    tally: Tally,
    *,
    seed: int,
    players: Sequence[str],
    first: int | None,
    max_moves: int,
    states: int | None,
) -> Report:
    """The report of a tally."""
    games = tally.games
    reached = {end.rule for end in tally.ends}
    return Report(
        title=game.ruleset.title,
        games=games,
        seed=seed,
        first=first,
        max_moves=max_moves,
        unfinished=Share(tally.unfinished.total(), games),
        draws=Share(sum(n for end, n in tally.ends.items() if end.draw), games),
        seats=tuple(
            _seat(tally, seat, name, player, games)
            for seat, (name, player) in enumerate(zip(game.players, players, strict=True))
        ),
        ends=_ends(game, tally, games),
        never=tuple(rule.name for rule in game.ruleset.end if rule.name not in reached),
        advantage=_advantage(tally, len(game.players), games),
        payoffs=_payoffs(game, tally),
        lengths=Lengths(tuple(sorted(tally.lengths.items()))),
        operations=_usages(tally, "operation", games),
        setup=_usages(tally, "setup", games),
        rolls=_usages(tally, "roll", games),
        states=states,
    )


def _seat(tally: Tally, seat: int, name: str, player: str, games: int) -> SeatResult:
    wins = sum(n for end, n in tally.ends.items() if seat in end.winners)
    losses = sum(n for end, n in tally.ends.items() if seat in end.losers)
    draws = sum(n for end, n in tally.ends.items() if end.draw)
    return SeatResult(name, player, *(Share(n, games) for n in (wins, losses, draws)))


def _ends(game: Game, tally: Tally, games: int) -> tuple[EndResult, ...]:
    counts: Counter[tuple[str, tuple[int, ...], tuple[int, ...], bool]] = Counter()
    for end, count in tally.ends.items():
        counts[end.rule, end.winners, end.losers, end.draw] += count
    order = {name: number for number, name in enumerate(game.kernel.end_rules)}
    ranked = sorted(counts, key=lambda key: (order[key[0]], not key[1], *key[1:]))
    return tuple(EndResult(*key, Share(counts[key], games)) for key in ranked)


def _advantage(tally: Tally, players: int, games: int) -> Advantage | None:
    if players < 2 or not games or tally.is_shared:
        return None
    wins = sum(n for end, n in tally.ends.items() if end.first in end.winners)
    losses = sum(n for end, n in tally.ends.items() if end.first in end.losers)
    others = sum(n * _other_winners(end) for end, n in tally.ends.items())
    # In units of 1 / (players - 1) these are whole numbers: no rounding before the division.
    value = (wins * (players - 1) - others) / (games * (players - 1))
    # A game counts between -1 and 1. As a share between 0 and 1 it varies at most as much as a
    # yes or no of the same mean, so that Wilson's interval is wide enough.
    low, high = wilson((1 + value) / 2 * games, games)
    interval = Interval(2 * low - 1, 2 * high - 1)
    return Advantage(Share(wins, games), Share(losses, games), value, interval)


def _other_winners(end: End) -> int:
    return sum(seat != end.first for seat in end.winners)


def _payoffs(game: Game, tally: Tally) -> tuple[Mean, ...] | None:
    games = tally.ends.total()
    if not games or not pays(game):
        return None
    return tuple(map(mean_payoff, tally.paid, tally.paid_squares, [games] * len(tally.paid)))


def pays(game: Game) -> bool:
    """Whether an end rule has a payoff."""
    ruleset = game.ruleset
    verdicts = [ruleset.stuck.verdict, ruleset.stuck.all_verdict, *(r.verdict for r in ruleset.end)]
    return any(verdict.pays for verdict in verdicts)


def mean_payoff(total: int | Fraction, squares: int | Fraction, games: int) -> Mean:
    """The mean payoff, with the interval of a normal distribution."""
    mean = float(Fraction(total) / games)
    # Exactly: never below 0.
    variance = float(Fraction(squares * games - total * total) / (games * games))
    half = Z95 * sqrt(variance / games)
    return Mean(mean, Interval(mean - half, mean + half))


def _usages(tally: Tally, sort: Sort, games: int) -> tuple[Usage, ...]:
    numbers = [number for kind, number in tally.number.items() if kind.sort == sort]
    total = sum(tally.times[number] for number in numbers)
    return tuple(
        Usage(tally.kinds[n].name, tally.times[n], total, Share(tally.used[n], games))
        for n in numbers
    )
