"""The text of a turn that reads what is rolled in it."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulegame
from rulegame.game import Game
from rulegame.playing.conversation import Ask, Ending, converse

RULES = """
rulegame: 1
title: Rolled
state: {n: 0}
turn: {roll: {die: {from: 1..6, text: "A die falls."}}}
operations: {add: {choose: {k: 1..6}, effects: {n: n + die}}}
validity: {same: k == die, low: die < 6}
stuck: pass
end: {over: {when: n > 10, result: win}}
texts: {turn: "TURN", menu: "", chosen: "", passed: "No way for {my.name}."}
"""
ROLLS = (5, 2, 6, 3, 4)


def told(game: Game) -> str:
    """What is said in a game in which these dice fall."""
    left = iter(ROLLS)
    talk = converse(game, roll=lambda state: state.moves[next(left) - 1])
    said = ""
    try:
        reached: Ask | Ending = next(talk)
        while isinstance(reached, Ask):
            said += reached.text
            reached = talk.send(reached.state.moves[0])
    except StopIteration as end:
        said += end.value.text
    return said


def made(folder: Path, turn: str) -> Game:
    file = folder / "rolled.yaml"
    file.write_text(RULES.replace("TURN", turn), "utf-8")
    return rulegame.load(file)


def test_it_is_said_after_the_roll(tmp_path: Path) -> None:
    said = told(made(tmp_path, "{my.name} has a {die}, total {n}."))
    lines = [line for line in said.splitlines() if "total" in line or "die" in line or "No" in line]
    assert lines == [
        "A die falls.",
        "Player 1 has a 5, total 0.",
        "A die falls.",
        "Player 2 has a 2, total 5.",
        "A die falls.",
        "Player 1 has a 6, total 7.",
        "No way for Player 1.",
        "A die falls.",
        "Player 2 has a 3, total 7.",
        "A die falls.",
        "Player 1 has a 4, total 10.",
    ]


@pytest.mark.parametrize("turn", ["{my.name}, total {n}.", "{my.name}, total {n}{if again}!{end}."])
def test_others_are_said_before_the_roll(tmp_path: Path, turn: str) -> None:
    said = told(made(tmp_path, turn))
    assert said.index("Player 1, total 0.") < said.index("A die falls.")
