"""Turns told to players who may not know all of them."""

from __future__ import annotations

from rulegame.playing.narrating import Fallen, told_rolls, told_turn
from support.games import load

RULES = """
rulegame: 1
title: Notes
state: {count: 0, turns: 0}
operations:
  copy: {secret: true, choose: {k: 1..2}, effects: {count: k, turns: turns + 1}}
  one: {secret: true, effects: {count: 1, turns: turns + 1}}
  open: {choose: {k: 1..2}, effects: {count: k, turns: turns + 1}}
end: {over: {when: turns == 3, result: win}}
"""


def told(move: str) -> str:
    game = load(RULES)
    before = game.start(first=0)
    after = before.play(move)
    chosen = next(one for one in before.moves if str(one) == move)
    return told_turn(before, after, chosen, (), ("Ann", "Bob"), (1,))


def test_secret_moves_with_the_same_effect_are_told_alike() -> None:
    """Which value a secret move copies from its choice would tell the operation."""
    assert told("copy 1") == told("one") == "Ann makes a secret move. New count: 1, turns: 1."


def test_a_value_that_copies_a_named_choice_is_left_out() -> None:
    assert told("open 2") == "Ann plays Open 2. New turns: 1."


CARDS = """
rulegame: 1
title: Cards
state:
  deck: {type: set of 1..52, start: 1..52, seen by: nobody, show: cards}
  top: {start: 0, show: {like: deck}}
  led: {start: 5, show: {like: deck}}
  turns: 0
operations:
  turn_up:
    roll: {fresh: deck}
    effects: {top: fresh, led: 0, turns: turns + 1}
end: {over: {when: turns == 3, result: win}}
"""


def test_cards_are_told_as_they_are_drawn() -> None:
    game = load(CARDS)
    before = game.start(first=0)
    move = before.moves[0]
    after = before.play(move).play("fresh 14")
    roll = game.ruleset.operations[0].rolls[0]
    fallen = [Fallen(roll, 14, later=True)]
    names = ("Ann", "Bob")
    assert told_turn(before, after, move, fallen, names, (1,)) == (
        "Ann plays Turn Up and draws ♥A. New top: ♥A, led: none, turns: 1."
    )
    assert told_rolls(game, 0, [*fallen, Fallen(roll, 1, later=True)], names) == (
        "Ann draws ♥A and ♠A."
    )
