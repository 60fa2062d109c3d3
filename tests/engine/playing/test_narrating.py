"""Turns told to players who may not know all of them."""

from __future__ import annotations

from rulegame.playing.narrating import told_turn
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
