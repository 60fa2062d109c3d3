"""Players who choose at once, at one terminal: what is told, and when."""

from __future__ import annotations

import json
from pathlib import Path

from cli.conftest import Call

LEAVING = """\
rulegame: 1
title: Leaving
players: [Ann, Bob, Cyd]
state: {n: 0, each player: {moves: 1}}
turn:
  together: true
  steps:
    count: {effects: {n: n + 1}}
    luck: {roll: {die: 1..2}}
operations:
  stay: {when: my.moves > 0 or seat(me) == 3 and n < 2, effects: {my.moves: my.moves - 1}}
stuck: {result: pass, all: draw}
end:
  never: {when: n > 9, result: draw}
texts:
  turn: "{my.name}?"
  updated: "After turn {turn}: {n}."
"""


def test_what_was_chosen_is_told_when_all_have_chosen(rulegame: Call) -> None:
    result = rulegame("play", "rock_paper_scissors", "--set", "target=1", typed="rock\npaper\n")
    shown = "Player 1 shows rock.\nPlayer 2 shows paper.\n"
    said = f"Choose sign: paper\n{shown}Player 2 wins the game!\n"
    assert result.out.endswith(said)
    assert "shows" not in result.out.removesuffix(said)


def test_history_and_undo_tell_nothing_that_waits(rulegame: Call) -> None:
    typed = "rock\nhistory\nundo\nscissors\nredo\npaper\nhistory\n"
    result = rulegame("play", "rock_paper_scissors", "--names", "Ann,Bob", typed=typed)
    assert "\n  1. Ann: (secret)\n" in result.out
    assert "\nUndone: (secret)\n" in result.out
    assert "\n  1. Ann: show scissors\n  2. Bob: show paper\n" in result.out


def test_a_game_goes_on_in_the_middle_of_a_turn(rulegame: Call, tmp_path: Path) -> None:
    file = str(tmp_path / "game.json")
    rulegame("play", "rock_paper_scissors", typed=f"rock\nsave {file}\nquit\n")
    replay = rulegame("replay", file)
    assert "\nChoose sign: \n" in replay.out and "rock\n" not in replay.out.partition("turn.")[2]
    assert json.loads(rulegame("replay", file, "--json").out)[0]["play"] == ["(secret)"]
    resumed = rulegame("resume", file, typed="paper\nquit\n")
    assert "Player 1 shows rock.\nPlayer 2 shows paper.\n" in resumed.out


def test_who_sits_out_is_told(rulegame: Call, tmp_path: Path) -> None:
    path = tmp_path / "leaving.yaml"
    path.write_text(LEAVING, "utf-8")
    result = rulegame("play", str(path), "--rolls", "1,2", typed="1\n1\n1\n1\n")
    told = result.out.partition("\nAfter turn 1: 1.\n")[2]
    assert told == (
        "\nAnn has no valid move and passes.\nBob has no valid move and passes.\nCyd?\n"
        "Choose an operation:\n1. Stay\nEnter your choice (1): 1\nCyd: Stay\nDie: 2\n"
        "After turn 2: 2.\n"
        "Ann has no valid move and passes.\nBob has no valid move and passes.\n"
        "Cyd has no valid move and passes.\nNobody has a valid move. The game is a draw.\n"
    )


def test_the_rulebook_tells_that_all_choose_at_once(rulegame: Call) -> None:
    printed = " ".join(rulegame("rules", "sealed_bids").out.split())
    assert "all players choose the operation below at once: nobody sees what the others" in printed
    assert "If the lots that are still to be sold are exactly 0 after a turn" in printed
