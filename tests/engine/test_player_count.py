"""The number of players as a parameter: another number is another game."""

from __future__ import annotations

import pytest

import rulegame

TEXT = """\
rulegame: 1
title: Race
players: {from: 2, to: 4, names: [North, East, South, West]}
parameters: {goal: 3}
state:
  each player: {score: 0}
operations:
  add: {choose: {k: 1..2}, effects: {my.score: my.score + k}}
stuck: draw
end:
  over: {when: "my.score >= goal * size(players)", result: win}
"""


@pytest.mark.parametrize("count", [2, 3, 4])
def test_every_number_is_a_game(count: int) -> None:
    game = rulegame.loads(TEXT, {"players": count})
    assert game.players == ("North", "East", "South", "West")[:count]
    state = game.start()
    for _ in range(count):
        state = state.play("add 2")
    assert (state.player, state["score"]) == (0, [2] * count)
    assert game.parameters == {"players": count, "goal": 3}


def test_the_least_is_the_default() -> None:
    assert len(rulegame.loads(TEXT).players) == 2
    assert len(rulegame.loads(TEXT.replace("to: 4,", "to: 4, default: 3,")).players) == 3


@pytest.mark.parametrize("count", [1, 5, "two", True])
def test_other_numbers_are_refused(count: object) -> None:
    with pytest.raises(rulegame.RulesetError) as error:
        rulegame.loads(TEXT, {"players": count})
    (problem,) = error.value.diagnostics
    assert problem.code == "E402" and "between 2 and 4" in problem.message


def test_a_ruleset_that_names_its_players_has_no_such_parameter() -> None:
    with pytest.raises(rulegame.RulesetError) as error:
        rulegame.load("nim", {"players": 3})
    assert error.value.diagnostics[0].code == "E403"


def test_all_numbers_are_validated() -> None:
    text = TEXT.replace("from: 2", "from: 2, default: 4").replace(
        "{choose: {k: 1..2}, effects: {my.score: my.score + k}}",
        '{effects: {"score of (players[3])": 1}}',
    )
    assert rulegame.validate_text(TEXT) == ()
    (problem,) = rulegame.validate_text(text)
    assert problem.code == "E309" and problem.message.startswith("with 2 players: ")
