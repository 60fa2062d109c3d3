"""Who sits where when players are rated: every one in every seat, beside each of the others."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from rulegame.game import Game


@dataclass(frozen=True, slots=True)
class Lineup:
    """A player for each seat, by number, and how many games they play."""

    pair: tuple[int, int]  # twice the same: a player alone
    seats: tuple[int, ...]
    games: int


def lineups_of(game: Game, players: int, games: int) -> list[Lineup]:
    """All of them. Of a pair one sits in one seat, in each in turn, and the other in all others;
    then the other way round. With two seats these are the same.
    """
    seats = len(game.players)
    if seats == 1 or game.kernel.is_shared:
        return [Lineup((one, one), (one,) * seats, games) for one in range(players)]
    return [
        Lineup(pair, lineup, count)
        for pair in combinations(range(players), 2)
        for lineup, count in zip(_mixed(pair, seats), _shared_out(pair, seats, games), strict=True)
        if count
    ]


def _mixed(pair: tuple[int, int], seats: int) -> list[tuple[int, ...]]:
    found = {
        tuple(one if seat == place else other for seat in range(seats)): None
        for one, other in (pair, pair[::-1])
        for place in range(seats)
    }
    return list(found)


def _shared_out(pair: tuple[int, int], seats: int, games: int) -> list[int]:
    """As many games for each lineup, or one more for the first of them."""
    count = len(_mixed(pair, seats))
    return [games // count + (number < games % count) for number in range(count)]
