"""Rules that fail at the table do not tell the values at which they did: some may be hidden."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

import rulegame
from rulegame.diagnostics import Diagnostic
from rulegame.game import Game
from rulegame.playing.conversation import Conversation, converse

RULES: Final = """\
rulegame: 1
title: Failing
players: [Ann, Bob]
state:
  count: 0
  row: {type: list of int, start: [1, 2]}
  taken: {type: set of 1..3, seen by: nobody}
  each player: {hand: {start: 0, seen by: owner}}
setup:
  deal:
    roll: {card: "[7, 9]"}
    effects: {my.hand: card}
operations:
  take: {choose: {n: CHOOSE}, effects: {count: EFFECT, taken: STORED}}
end: {long: {when: count > 1, result: draw}}
"""
FAILING: Final = {
    "E502": ("1..2", '"row[my.hand]"', "[]"),
    "E508": ("1..2", "count", '"[my.hand]"'),
    "E510": ('{from: "[my.hand]", within: 0..3}', "count", "[]"),
}


def answered(talk: Conversation, line: str) -> None:
    """Goes on to the first question, and answers it."""
    next(talk)
    talk.send(line)


def told_of(game: Game, card: str) -> Diagnostic:
    """What is said when the rules fail, with a card in both hands."""
    talk = converse(game, roll=lambda state: game.parse_move(card))
    with pytest.raises(rulegame.GameError) as failed:
        answered(talk, "1")
    return failed.value.diagnostic


@pytest.mark.parametrize("code", FAILING)
def test_what_is_told_does_not_depend_on_a_hidden_hand(tmp_path: Path, code: str) -> None:
    text = RULES
    for place, written in zip(("CHOOSE", "EFFECT", "STORED"), FAILING[code], strict=True):
        text = text.replace(place, written)
    file = tmp_path / "failing.yaml"
    file.write_text(text, "utf-8")
    game = rulegame.load(file)
    told = [told_of(game, card) for card in ("card 7", "card 9")]
    assert told[0] == told[1]
    assert told[0].code == code
