"""Where the ruleset says who begins, people change seats; nobody is asked for a forced move."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulegame
from support.commands import call

RACE = """\
rulegame: 1
title: Race
players: [White, Black]
turn: {first: "players[FIRST]"}
state:
  n: 0
operations:
  up: {choose: {k: 1..2}, effects: {n: n + k}}
end:
  over: {when: n >= 3, result: win}
"""
FORCED = """\
rulegame: 1
title: Down
turn: {forced: play}
state:
  n: 4
operations:
  down: {choose: {k: 1..2}, effects: {n: n - k}}
validity:
  enough: after.n >= 0
end:
  over: {when: n == 0, result: win}
"""


def run(typed: str, *arguments: str) -> tuple[str, object]:
    done = call(*arguments, typed=typed)
    return done.out + done.err, done.code


@pytest.mark.parametrize("seat", [1, 2])
def test_the_seat_begins_whoever_is_first(seat: int) -> None:
    game = rulegame.loads(RACE.replace("FIRST", str(seat)))
    for first in (0, 1):
        assert game.start(first).player == seat - 1
        assert game.begin({"n": 1}, first).player == seat - 1


def test_rounds_change_seats(tmp_path: Path) -> None:
    path, save = tmp_path / "race.yaml", tmp_path / "race.save"
    path.write_text(RACE.replace("FIRST", "1"), "utf-8")
    typed = "up 2\nup 1\n" * 2
    names = ("--names", "Ann,Bob", "--rounds", "2", "--save", str(save))
    said, code = run(typed, "play", str(path), *names)
    assert code == 0
    assert "Round 1 of 2. Ann moves first." in said and "Round 2 of 2. Bob moves first." in said
    assert "Score: Ann: 0, Bob: 1" in said and "Score: Ann: 1, Bob: 1" in said
    told, code = run("", "replay", str(save))
    assert code == 0 and told.count("Ann wins the game!") == told.count("Bob wins the game!") == 1
    said, _ = run("up 2\nup 1\n", "play", str(path), *names[:2], "--first", "2", "--no-save")
    assert "Ann wins the game!" in said


def test_nobody_else_can_begin(tmp_path: Path) -> None:
    path = tmp_path / "race.yaml"
    path.write_text(RACE.replace("FIRST", "1"), "utf-8")
    said, code = run("", "solve", str(path), "--first", "2")
    assert code == 2 and "--first: the ruleset decides who moves first (White)" in said
    said, code = run("", "solve", str(path))
    assert code == 0 and "Black, who moves second" in said


def test_a_move_without_a_choice_is_made(tmp_path: Path) -> None:
    path = tmp_path / "down.yaml"
    path.write_text(FORCED, "utf-8")
    said, code = run("2\n1\n", "play", str(path), "--no-save")
    assert code == 0 and said.count("Choose k:") == 2
    assert "Player 1: Down 1\nPlayer 1 wins the game!" in said
    # The last decision is that of the second player, which is what is taken back.
    typed = "2\nundo\n1\n2\n"
    said, code = run(typed, "play", str(path), "--no-save")
    assert code == 0 and said.count("Choose k:") == 4
