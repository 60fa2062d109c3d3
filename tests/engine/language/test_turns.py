"""Effects when a turn begins and after every move, rolls that are left out, and who begins."""

from __future__ import annotations

from random import Random

import pytest

import rulegame
from fuzz import running_check
from rulegame.game import Game
from rulegame.playing.conversation import converse
from rulegame.rulebook import write_rulebook
from rulegame.rulebook.rendering import render
from support.games import load, play

INCOME = """\
rulegame: 1
title: Income
state:
  moves: 0
  starter: {type: player, start: "players[1]"}
  each player:
    coins: 0
    lucky: false
setup:
  lot:
    once: true
    roll: {who: players}
    effects: {starter: who}
turn:
  first: starter
  begin:
    my.coins: my.coins + 1
  roll:
    extra: {from: 1..2, when: my.lucky}
    die: {from: 1..3, when: extra == none or extra > 1}
    coin: heads | tails
  effects:
    moves: moves + 1
    my.lucky: die != none and die == 3
operations:
  take:
    choose: {n: 1..2}
    effects: {my.coins: "my.coins + n + (0 if die == none else die)"}
  wait:
    next: me if coin == heads else next(me)
validity:
  few: after.moves <= 9
end:
  rich: {when: my.coins > 12, result: win}
"""


def printed(game: Game, *moves: str) -> str:
    """All that is printed until some rolls and moves are made."""
    left = list(moves)
    talk = converse(game, roll=lambda state: state.meant(left.pop(0)) if left else state.moves[0])
    text = next(talk).text
    while left:
        text += talk.send(left.pop(0)).text
    return text


def test_a_turn_with_a_beginning_and_an_end() -> None:
    state, _ = play(load(INCOME), "who 2", "die 3", "coin heads", "take 2")
    assert state["coins"] == [1, 6] and state["moves"] == 1 and state["lucky"] == [False, True]
    assert state.turn == 0
    state, _ = play(load(INCOME), "who 2", "die 3", "coin heads", "wait")
    assert state["coins"] == [0, 2] and state.turn == 1  # the same player's next turn


def test_rolls_that_are_left_out() -> None:
    """Each depends on what was rolled before it, or left out."""
    game = load(INCOME)
    state, _ = play(game, "who 1", "die 3", "coin heads", "wait")
    assert [move.text for move in state.moves] == ["extra 1", "extra 2"]
    assert [
        m.text for m in play(game, "who 1", "die 3", "coin heads", "wait", "extra 1")[0].moves
    ] == [
        "coin heads",
        "coin tails",
    ]
    state, _ = play(game, "who 1", "die 3", "coin heads", "wait", "extra 2")
    assert [move.text for move in state.moves] == ["die 1", "die 2", "die 3"]
    state, _ = play(game, "who 1", "die 3", "coin heads", "wait", "extra 1", "coin tails", "take 1")
    assert state["coins"] == [3, 1]


def test_validity_sees_the_effects_of_every_move() -> None:
    state = load(INCOME).begin({"moves": 9})
    state = state.play(state.meant("die 1"))
    state = state.play(state.meant("coin tails"))
    assert state.outcome is not None and state.outcome.rule == "stuck"


def test_given_positions_begin_with_a_turn_of_the_first_seat_or_another() -> None:
    game = load(INCOME)
    assert game.begin({"coins": [5, 5]})["coins"] == [6, 5]
    assert game.begin({"coins": [5, 5]}, 1)["coins"] == [5, 6]


@pytest.mark.parametrize("players", ["", "players: [Ann, Bob, Cleo]\nstuck: draw\n"])
def test_every_way_of_running_the_rules_agrees(players: str) -> None:
    running_check.check((players + INCOME).encode(), Random(1))


def test_the_player_who_begins_is_announced() -> None:
    assert "Player 2 moves first." in printed(load(INCOME), "who 2")


def test_skipped_rolls_are_none_in_texts() -> None:
    text = INCOME + 'texts: {turn: "{my.name}: {if die == none}no die{else}{die}{end}"}\n'
    assert "Player 1: 2" in printed(load(text), "who 1", "die 2", "coin heads", "take 1")
    moves = "who 1", "die 3", "coin heads", "wait", "extra 1", "coin heads", "wait"
    assert "Player 1: no die" in printed(load(text), *moves)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("when: my.lucky", "when: die > 1", "E302 unknown name 'die'"),
        ("my.coins + n +", "my.coins + n + die +", "E306"),
        ("first: starter", "first: first", "E307 'first' is not known here"),
        ("first: starter", "first: me", "E307 there is no 'me' here"),
        ("    moves: moves + 1\n", "    moves: moves + n\n", "E302 'n' is not known here"),
        ("  begin:", "  let: {x: 1}\n  begin:", "E441 'let' is only for simultaneous turns"),
        (
            "title:",
            "claims: {first_player_wins: true}\ntitle:",
            "E480 the setup decides who moves first",
        ),
    ],
)
def test_mistakes(old: str, new: str, expected: str) -> None:
    found = [
        f"{one.code} {one.message}" for one in rulegame.validate_text(INCOME.replace(old, new))
    ]
    assert any(one.startswith(expected) for one in found), found


def test_a_step_of_the_turn_has_a_name_of_its_own() -> None:
    text = INCOME.replace(
        "  effects:\n    moves", "  steps:\n    count:\n      effects:\n        moves"
    )
    text = text.replace("    my.lucky: die", "        my.lucky: die")
    assert rulegame.validate_text(text) == ()
    text = text.replace("effects: {my.coins", "steps: {count: {effects: {my.coins").replace(
        'die)"}', 'die)"}}}'
    )
    assert [one.code for one in rulegame.validate_text(text)] == ["E312"]


def test_without_a_setup_nothing_decides_who_begins() -> None:
    start, end = INCOME.index("setup:"), INCOME.index("turn:")
    found = rulegame.validate_text(INCOME[:start] + INCOME[end:])
    assert [one.code for one in found] == ["E307"]


def test_the_rulebook_tells_of_turns() -> None:
    text = " ".join(render(write_rulebook(load(INCOME)), "text").split())
    assert "The starter moves first." in text
    assert "At the beginning of your turn, your coins go up by 1." in text
    assert "At the beginning of your turn, if your ‘bonus’" not in text
    assert "After every move: The moves go up by 1" in text
    assert "Coins: one for each player; starts at 0." in text.replace("*", "")
