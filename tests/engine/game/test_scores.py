"""A score that all players reach together: neither a win nor a draw."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from random import Random

import pytest

import rulegame
from rulegame.loading import load_ruleset
from rulegame.playing.match import Match
from support.commands import call

RULES = """
rulegame: 1
title: Lamps
players: [{players}]
{unit}
state: {{left: 4, lit: 0}}
operations:
  light: {{choose: {{n: 1..3}}, effects: {{lit: lit + n, left: left - 1}}}}
  rest: {{effects: {{left: left - 1}}}}
end:
  dark: {{when: lit == 5, everyone: lose}}
  over: {{when: left == 0, score: lit - 3}}
"""


def lamps(players: str = "Ann, Bob, Cid", unit: str = "") -> rulegame.Game:
    return rulegame.loads(RULES.format(players=players, unit=unit))


def played(game: rulegame.Game, *moves: str) -> rulegame.State:
    state = game.start()
    for move in moves:
        state = state.play(move)
    return state


@pytest.mark.parametrize("players", ["Ann", "Ann, Bob", "Ann, Bob, Cid"])
def test_every_player_gets_the_score(players: str) -> None:
    game = lamps(players)
    outcome = played(game, "light 3", "light 3", "light 1", "rest").outcome
    assert outcome is not None
    assert outcome.payoffs == (4,) * len(game.players)
    assert (outcome.winners, outcome.losers, outcome.draw) == ((), (), False)
    assert (outcome.score, outcome.result) == (4, "score")
    lost = played(game, "light 3", "light 2").outcome
    assert lost is not None and lost.score is None and lost.result == "lost"


def test_a_score_of_nothing_is_no_draw() -> None:
    outcome = played(lamps(), "light 3", "rest", "rest", "rest").outcome
    assert outcome is not None and outcome.score == 0 and not outcome.draw


def test_a_score_is_counted_in_the_unit_of_payoffs() -> None:
    outcome = played(lamps(unit="payoff unit: 3/2"), "light 1", "rest", "rest", "rest").outcome
    assert outcome is not None and outcome.score == -3
    outcome = played(lamps(unit="payoff unit: 1/2"), "light 2", "light 2", "rest", "rest").outcome
    assert outcome is not None and outcome.payoffs == (Fraction(1, 2),) * 3


def test_players_of_a_score_share_one_goal() -> None:
    game = lamps()
    assert game.kernel.is_common and game.kind.constant_sum is False and game.kind.payoffs
    solution = rulegame.solve(game)
    assert isinstance(solution, rulegame.MultiplayerSolution)
    assert solution.together.value == 3 * 9  # 3 + 3 + 3 + 3 - 3, for each of the three


def test_search_looks_for_the_highest_score() -> None:
    game, rng = lamps("Ann, Bob"), Random(5)
    player = rulegame.make_player("search:400", game)
    state = game.start()
    while state.outcome is None:
        state = state.play(player.choose(state.view(state.turn), rng))
    assert state.outcome.score == 9


def test_a_score_is_reported_as_one(tmp_path: Path) -> None:
    file = tmp_path / "lamps.yaml"
    file.write_text(RULES.format(players="Ann, Bob", unit=""), "utf-8")
    printed = call("play", str(file), "--plain", typed="rest\nlight 3\nlight 3\nrest\n").out
    assert printed.endswith("The score is 3.\n")
    report = call("simulate", str(file), "--games", "50", "--seed", "1").out
    assert "over: score" in report and "draw" not in report
    assert "the score of all players together is the lit minus 3" in " ".join(
        call("rules", str(file)).out.split()
    )
    assert "Highest score if all cooperate: 9" in call("solve", str(file)).out


def test_a_match_adds_no_wins_for_scores() -> None:
    game = lamps("Ann, Bob")
    match = Match(game, rounds=2)
    for moves in (["rest"] * 4, ["light 3", "rest", "light 3", "light 1"]):
        for move in moves:
            match.play(match.game.parse_move(move))
        match.next_round()
    assert match.score_text == "\nScore: -3, 4\nThe best score is 4.\n"


EQUAL = """
rulegame: 1
title: Building
players: [{players}]
state: {{built: 0, left: 5, each player: {{mine: 0}}}}
operations:
  build: {{effects: {{built: built + 2, my.mine: my.mine + 1, left: left - 1}}}}
end:
  high: {{when: built == 6, payoff: "{high}"}}
  over: {{when: left == 0, {over}}}
"""


@pytest.mark.parametrize(
    ("players", "high", "over", "reported"),
    [
        ("Ann, Bob", "[0, 0]", 'payoff: "[built, built]"', 2),
        ("Ann, Bob", "[0, 0]", 'payoff: "[0, 0]"', 0),
        ("Ann, Bob", "[0, 0]", "result: draw", 0),
        ("Ann, Bob", "[0, 0]", "payoff: list(built for p in players)", 2),
        ("Ann, Bob", "[0, 0]", "payoff: list(mine of p for p in players)", 0),
        ("Ann, Bob", "[built, built]", "payoff: mine", 0),
        ("Ann, Bob", "[built, built]", "score: built", 1),
        ("Ann, Bob", "[built, built]", "everyone: win", 1),
        ("Ann", "[built]", 'payoff: "[0]"', 0),
    ],
)
def test_equal_payoffs_by_every_rule_are_reported(
    players: str, high: str, over: str, reported: int, tmp_path: Path
) -> None:
    file = tmp_path / "building.yaml"
    file.write_text(EQUAL.format(players=players, high=high, over=over), "utf-8")
    _, found = load_ruleset(file)
    assert [one.code for one in found] == ["E490"] * reported
