"""`rulegame replay`: saved games, and lists of moves."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Call


@pytest.mark.parametrize(
    ("name", "typed"),
    [
        ("countdown.yaml", "3\n" * 7),
        ("race.yaml", "1\n" * 30),
        ("secret.yaml", "4\n2\n2\n1\n"),
        ("number_duel", "2 3 5\n1 4 6\n" + "5\n+\n4\n+\n3\n+\n1\n+\n2\n+\n"),
    ],
)
def test_a_replay_is_the_transcript(rulegame: Call, tmp_path: Path, name: str, typed: str) -> None:
    save = str(tmp_path / "save.jsonl")
    played = rulegame("play", name, "--seed", "4", "--save", save, typed=typed)
    assert played.code == 0
    shown = rulegame("replay", save)
    assert (shown.code, shown.out) == (0, played.out)


def test_secrets_of_a_game_in_progress_are_not_told(rulegame: Call, tmp_path: Path) -> None:
    save = str(tmp_path / "save.jsonl")
    rulegame("play", "secret.yaml", "--save", save, typed="8\n7\n")
    assert rulegame("replay", save).out.count("Choose n: \n") == 2


def test_what_was_taken_back_is_not_shown(rulegame: Call, tmp_path: Path) -> None:
    save = str(tmp_path / "save.jsonl")
    rulegame("play", "countdown.yaml", "--save", save, typed="1\nundo\n3\nresign\n")
    (data,) = json.loads(rulegame("replay", save, "--json").out)
    assert (data["play"], data["winners"], data["rule"]) == (["take 3"], [1], "resign")
    shown = rulegame("replay", save).out
    assert "Take 1" not in shown and shown.endswith("Player 2 resigns.\n")


def test_a_list_of_moves(rulegame: Call) -> None:
    moves = ("--set", "pile=5", "--names", "Ann,Bob", "--moves")
    result = rulegame("replay", "countdown.yaml", *moves, "take 3, take 2")
    assert result.code == 0
    assert result.out.endswith("Choose n: 2\nBob: Take 2\nBob wins the game!\n")
    listed = rulegame("replay", "countdown.yaml", *moves, "['take 3', \"take 2\"]", "--check")
    assert listed.out == "countdown.yaml: valid: 2 moves, won by Bob\n"
    second = rulegame("replay", "countdown.yaml", *moves, "take 3", "--check", "--first", "2")
    assert second.out == "countdown.yaml: valid: 1 move, not finished\n"


def test_a_list_that_ends_before_a_roll(rulegame: Call) -> None:
    result = rulegame("replay", "race.yaml", "--moves", "die 6, add")
    assert result.code == 0
    assert "Player 1: Add\n" in result.out
    assert result.out.endswith("Player 1: score 6\nPlayer 2: score 0\nThe game is not finished.\n")


@pytest.mark.parametrize(
    ("moves", "said"),
    [
        ("add", "move 1: 'add' is not valid: a roll comes first"),
        ("die 6, add, die 5", "move 3: 'die 5' is not valid: this roll is not possible here"),
        ("die 6, ad", "move 2: there is no move 'ad'"),
        ("die 6, add, die 2, add, die 6, add, die 1", "move 7: 'die 1' is not valid"),
    ],
)
def test_moves_that_are_not_valid(rulegame: Call, moves: str, said: str) -> None:
    for check in ((), ("--check",)):
        result = rulegame("replay", "race.yaml", "--moves", moves, *check)
        assert result.code == 1
        assert result.out.startswith(f"race.yaml: {said}")


def test_wrong_calls(rulegame: Call) -> None:
    assert rulegame("replay", "race.yaml", "--moves", "die 6,,add").code == 2
    assert rulegame("replay", "nothing.yaml", "--moves", "take 1").code == 2
    assert rulegame("replay", "nothing").code == 2
    assert rulegame("replay", "broken.yaml", "--moves", "take 1").code == 1
    fault = rulegame("replay", "fault.yaml", "--moves", "square, add_one, square")
    assert fault.code == 1 and "E501" in fault.out


def test_moves_can_be_given_as_other_commands_show_them(rulegame: Call) -> None:
    """`rulegame prove` shows a play as a list of YAML; where commas would not do, semicolons do."""
    for moves in ("take 3, take 1", "[take 3, take 1]", "take 3; take 1", " 'take 3' ;\ttake  1 "):
        replayed = rulegame("replay", "countdown.yaml", "--moves", moves, "--check")
        assert replayed.code == 0
        assert replayed.out == "countdown.yaml: valid: 2 moves, not finished\n"
        explained = rulegame("explain-move", "countdown.yaml", "--at", moves, "--move", "take 2")
        assert explained.code == 0
        assert "After take 3, take 1 it is" in explained.out
    for wrong in ("take 3,, take 1", "[]", ","):
        assert rulegame("replay", "countdown.yaml", "--moves", wrong).code == 2
        explained = rulegame("explain-move", "countdown.yaml", "--at", wrong, "--move", "take 2")
        assert (explained.code, explained.out) == (2, "")
