"""What rated games come to: scores between 0 and 1, from exact counts.

In a game a player scores 1/2 and half of what its seats got more than those of the other, where a
win is 1, a draw 1/2 and a loss 0. So with two seats a win scores 1, a draw 1/2 and a loss 0, and
the scores of a pair always add up to 1. A game that was not finished counts as a draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from rulegame.game import Game
from rulegame.rating.lineups import Lineup
from rulegame.simulation.report import Interval, Mean, mean_payoff, pays, wilson
from rulegame.simulation.tally import End, Tally

HALF = Fraction(1, 2)


class Pairing(NamedTuple):
    """How the first of two players scored against the second; a player alone is both."""

    players: tuple[int, int]  # their numbers
    games: int
    unfinished: int
    score: float
    interval: Interval


class Standing(NamedTuple):
    """What a player scored against all others. Wins, draws and losses are those of its seats, in
    which it may have sat in several of a game.
    """

    player: str
    games: int
    wins: int
    draws: int
    losses: int
    score: float
    interval: Interval
    payoff: Mean | None  # of a seat and game, where an end rule has a payoff


@dataclass(frozen=True, slots=True)
class Rating:
    """The result of rated games. Two that were played in different ways are equal."""

    title: str
    seats: int
    games: int
    seed: int
    max_moves: int
    unfinished: int
    standings: tuple[Standing, ...]  # in the order in which the players were given
    pairings: tuple[Pairing, ...]

    @property
    def ranked(self) -> tuple[int, ...]:
        """The numbers of the players, best first."""
        return tuple(sorted(range(len(self.standings)), key=self._rank))

    def _rank(self, number: int) -> tuple[float, float]:
        one = self.standings[number]
        return -one.score, 0.0 if one.payoff is None else -one.payoff.value

    def score(self, player: int, other: int) -> float | None:
        """What one scored against the other; None if they have not played."""
        for pairing in self.pairings:
            if pairing.players == (player, other):
                return pairing.score
            if pairing.players == (other, player):
                return 1 - pairing.score
        return None


def make_rating(
    game: Game,
    names: Sequence[str],
    seed: int,
    max_moves: int,
    played: Sequence[tuple[Lineup, Tally]],
) -> Rating:
    """The rating of all games."""
    pairs = dict.fromkeys(lineup.pair for lineup, _ in played)
    return Rating(
        title=game.ruleset.title,
        seats=len(game.players),
        games=sum(tally.games for _, tally in played),
        seed=seed,
        max_moves=max_moves,
        unfinished=sum(tally.unfinished.total() for _, tally in played),
        standings=tuple(_standing(game, n, name, played) for n, name in enumerate(names)),
        pairings=tuple(_pairing(pair, [p for p in played if p[0].pair == pair]) for pair in pairs),
    )


def _pairing(pair: tuple[int, int], played: Sequence[tuple[Lineup, Tally]]) -> Pairing:
    games = sum(tally.games for _, tally in played)
    total = sum((_scored(pair[0], lineup, tally) for lineup, tally in played), Fraction(0))
    unfinished = sum(tally.unfinished.total() for _, tally in played)
    return Pairing(pair, games, unfinished, *_score(total, games))


def _standing(
    game: Game, number: int, name: str, played: Sequence[tuple[Lineup, Tally]]
) -> Standing:
    own = [(lineup, tally) for lineup, tally in played if number in lineup.seats]
    games = sum(tally.games for _, tally in own)
    total = sum((_scored(number, lineup, tally) for lineup, tally in own), Fraction(0))
    wins = draws = losses = ended = 0
    paid: int | Fraction = 0
    squares: int | Fraction = 0
    for lineup, tally in own:
        seats = [seat for seat, player in enumerate(lineup.seats) if player == number]
        for end, count in tally.ends.items():
            wins += count * sum(seat in end.winners for seat in seats)
            losses += count * sum(seat in end.losers for seat in seats)
            draws += count * len(seats) * end.draw
            ended += count * len(seats)
        paid += sum(tally.paid[seat] for seat in seats)
        squares += sum(tally.paid_squares[seat] for seat in seats)
    payoff = mean_payoff(paid, squares, ended) if ended and pays(game) else None
    return Standing(name, games, wins, draws, losses, *_score(total, games), payoff)


def _score(total: Fraction, games: int) -> tuple[float, Interval]:
    """A game counts between 0 and 1, so that it varies at most as much as a yes or no of the same
    mean: Wilson's interval is wide enough.
    """
    return (float(total / games), wilson(float(total), games)) if games else (0.0, wilson(0, 0))


def _scored(player: int, lineup: Lineup, tally: Tally) -> Fraction:
    """What a player scored in the games of a lineup, in all."""
    own = [seat for seat, sits in enumerate(lineup.seats) if sits == player]
    others = [seat for seat, sits in enumerate(lineup.seats) if sits != player]
    total = tally.unfinished.total() * HALF
    for end, count in tally.ends.items():
        got = _got(own, end)
        total += count * (HALF + (got - _got(others, end)) / 2 if others else got)
    return total


def _got(seats: Sequence[int], end: End) -> Fraction:
    """What seats got from an end, on average."""
    won = sum(seat in end.winners for seat in seats)
    return HALF if end.draw else Fraction(won, len(seats))
