"""A move that is made without a question tells nobody more than the rules show."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

import rulegame
from rulegame.game import Game, State
from rulegame.playing.forcing import is_forced

RULES: Final = """\
rulegame: 1
title: Forced
players: [Ann, Bob]
state:
  count: 0
  each player:
    hand: {start: 0, seen by: owner}
    mark: 0
setup:
  deal:
    roll: {card: 1..2}
    effects: {my.hand: card}
TURN
operations:
  wait: {effects: {my.mark: 1}}
  call: {when: WHEN, effects: {my.mark: 2}}
validity: {rule: REQUIRE}
end: {long: {when: count > 1, result: draw}}
"""
ORDINARY: Final = "turn: {forced: play}"
TOGETHER: Final = "turn: {forced: play, together: true, effects: {count: count + 1}}"


def begun(folder: Path, turn: str, when: str, require: str = "true") -> State:
    """The first decision, with the card 1 in both hands."""
    text = RULES.replace("TURN", turn).replace("WHEN", when).replace("REQUIRE", require)
    file = folder / "forced.yaml"
    file.write_text(text, "utf-8")
    game: Game = rulegame.load(file)
    return game.start().play("card 1").play("card 1")


@pytest.mark.parametrize("turn", [ORDINARY, TOGETHER])
@pytest.mark.parametrize(
    ("when", "require", "forced"),
    [
        ("my.hand == 2", "true", False),  # others would know the card, if nobody was asked
        ("true", '"after.my.mark <= my.hand"', False),
        ("my.mark == 1", "true", True),
        ("true", '"after.my.mark < 2"', True),
    ],
)
def test_a_player_is_asked_unless_all_can_tell_that_there_is_one_move(
    tmp_path: Path, turn: str, when: str, require: str, forced: bool
) -> None:
    state = begun(tmp_path, turn, when, require)
    assert [move.text for move in state.moves] == ["wait"]
    assert is_forced(state) is forced
