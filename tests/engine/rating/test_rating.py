"""Ratings: scores that follow from counts, the same whoever plays."""

from __future__ import annotations

from fractions import Fraction

import pytest

import rulegame
from rulegame.rating.lineups import lineups_of
from support.rulesets import text_of

DUEL = text_of("last_one").replace("left: 3", "left: 7")
THREE = DUEL.replace("state:", "players: [Ann, Bob, Cid]\nstuck: {result: draw}\nstate:")
ALONE = DUEL.replace("state:", "players: [Ann]\nstate:").replace(
    "left == 0, result: win", "left <= 1, result: win if left == 1 else lose"
)


def test_scores_are_those_of_simulated_games() -> None:
    game = rulegame.loads(DUEL)
    rating = rulegame.rate(game, ["random", "perfect", "greedy"], 101, seed=4, jobs=1)
    for pairing in rating.pairings:
        names = [rating.standings[number].player for number in pairing.players]
        there = rulegame.simulate(game, 51, seed=4, players=names, first=None)
        back = rulegame.simulate(game, 50, seed=4, players=names[::-1], first=None)
        won = there.seats[0].wins.times + back.seats[1].wins.times
        assert pairing.games == 101
        assert pairing.score == pytest.approx(won / 101)
        assert pairing.interval == rulegame.simulation.wilson(won, 101)
    assert [one.games for one in rating.standings] == [202] * 3
    assert all(one.wins + one.losses == one.games for one in rating.standings)
    assert sum(one.score for one in rating.standings) == pytest.approx(1.5)
    assert rating.standings[rating.ranked[0]].player == "perfect"
    assert rating.score(0, 1) == pytest.approx(1 - (rating.score(1, 0) or 0))
    assert rating.score(0, 0) is None


def test_processes_find_the_same() -> None:
    game = rulegame.loads(DUEL)
    players = ["random", "search:10"]
    assert rulegame.rate(game, players, 9, seed=1, jobs=2) == rulegame.rate(
        game, players, 9, seed=1, jobs=1
    )


def test_of_three_one_sits_beside_two_of_the_other() -> None:
    game = rulegame.loads(THREE)
    lineups = lineups_of(game, 2, 13)
    assert [lineup.seats for lineup in lineups] == [
        (0, 1, 1), (1, 0, 1), (1, 1, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1),
    ]  # fmt: skip
    assert [lineup.games for lineup in lineups] == [3, 2, 2, 2, 2, 2]
    rating = rulegame.rate(game, ["random", "greedy"], 13, seed=4, jobs=1)
    total = Fraction(0)
    for lineup in lineups:
        names = [("random", "greedy")[number] for number in lineup.seats]
        report = rulegame.simulate(game, lineup.games, seed=4, players=names, first=None)
        for number, sign in ((0, 1), (1, -1)):
            seats = [seat for seat, sits in enumerate(lineup.seats) if sits == number]
            won = sum(report.seats[seat].wins.times for seat in seats)
            total += sign * Fraction(won, len(seats))
    assert rating.pairings[0].score == pytest.approx(float(Fraction(1, 2) + total / 26))


def test_where_there_is_nobody_to_beat() -> None:
    rating = rulegame.rate(rulegame.loads(ALONE), ["random", "greedy"], 30, seed=4, jobs=1)
    assert [pairing.players for pairing in rating.pairings] == [(0, 0), (1, 1)]
    report = rulegame.simulate(rulegame.loads(ALONE), 30, seed=4)
    assert rating.standings[0].score == pytest.approx(report.seats[0].wins.share)
    assert rating.standings[0].losses == report.seats[0].losses.times


def test_games_that_do_not_end_are_drawn() -> None:
    rating = rulegame.rate(
        rulegame.loads(DUEL), ["random", "greedy"], 10, seed=1, max_moves=2, jobs=1
    )
    assert rating.unfinished == 10
    assert [one.score for one in rating.standings] == [0.5, 0.5]


def test_wrong_calls() -> None:
    game = rulegame.loads(DUEL)
    for players, problem in (
        (["random"], "needs another player"),
        (["random", "random"], "duplicate player"),
        ([], "no players"),
        (["random", "search:2s"], "iterations"),
    ):
        with pytest.raises(ValueError, match=problem):
            rulegame.rate(game, players, 10, seed=1)
    with pytest.raises(ValueError, match="above 0"):
        rulegame.rate(game, ["random", "greedy"], 0, seed=1)
