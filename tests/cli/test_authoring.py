"""`rules`, `diff` and `explain-move` as they are called."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Call


def test_rules_in_every_form(rulegame: Call) -> None:
    text, page = rulegame("rules", "race.yaml"), rulegame("rules", "race.yaml", "--format", "html")
    assert (text.code, page.code) == (0, 0)
    assert text.out.startswith("Race\n====\n")
    assert page.out.startswith("<!DOCTYPE html>")
    assert rulegame("rules", "race.yaml", "--format", "md").out.startswith("# Race\n")


def test_rules_follow_the_settings(rulegame: Call) -> None:
    call = ("rules", "race.yaml", "--set", "goal=12", "--enable", "double", "--disable", "keep")
    printed = rulegame(*call).out
    assert "You win if your score is at least 12 after your move." in printed
    assert "- Double: Your score is doubled." in printed
    on, _, off = printed.partition("This operation is off")
    assert "Keep" not in on and "Keep" in off


def test_wrong_calls(rulegame: Call) -> None:
    assert rulegame("rules", "race.yaml", "--format", "pdf").err == (
        "rulegame: --format: expected text, md, html or json, not 'pdf'\n"
    )
    assert rulegame("rules", "nothing.yaml").code == 2
    assert rulegame("rules", "broken.yaml").code == 1
    assert rulegame("diff", "race.yaml").code == 2
    assert "does not extend another ruleset" in rulegame("diff", "race.yaml").err
    assert rulegame("diff", "race.yaml", "broken.yaml").code == 1
    assert rulegame("diff", "nim", "nim", "--values", "--max-states", "x").code == 2
    assert rulegame("explain-move", "nim").code == 2


def test_diff_tells_by_its_exit_code(rulegame: Call) -> None:
    same, other = rulegame("diff", "nim", "nim"), rulegame("diff", "nim", "misere_nim")
    assert (same.code, same.out) == (0, "Nim\nNo difference in meaning.\n")
    assert other.code == 1
    assert "  ~ misere, default: false -> true\n" in other.out
    assert rulegame("diff", "misere_nim").out == other.out


def test_diff_of_a_variant_in_another_folder(rulegame: Call, tmp_path: Path) -> None:
    parent = tmp_path / "parent.yaml"
    parent.write_text("rulegame: 1\nextends: nim\ntitle: Parent\n", encoding="utf-8")
    child = tmp_path / "child.yaml"
    child.write_text(
        "rulegame: 1\nextends: parent.yaml\ntitle: Child\nparameters: {misere: true}\n",
        encoding="utf-8",
    )
    assert rulegame("diff", str(child)).out.startswith("Parent -> Child\n")


def test_diff_as_data(rulegame: Call) -> None:
    data = json.loads(rulegame("diff", "misere_nim", "--values", "--json").out)
    assert data["same"] is False
    assert data["values"]["before"]["result"] == "first"
    assert data["values"]["after"]["result"] == "second"
    assert {d["name"] for d in data["differences"]} == {"heaps", "misere"}


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            ("--at", "subtrac 5", "--move", "subtract 1"),
            "--at: move 1: there is no move 'subtrac 5'",
        ),
        (
            ("--at", "subtract 5, subtract 5", "--move", "subtract 1"),
            "--at: move 2, 'subtract 5', is not valid after subtract 5: not_repeated",
        ),
        (("--move", "subtract"), "--move: 'subtract' is not a move: n must be a number"),
        (("--move", "subtract 1", "--first", "3"), "--first: expected 1 or 2, not '3'"),
        (("--move", "\x1b[2J 1"), "there is no move '\\x1b[2J 1'"),
    ],
)
def test_wrong_moves_are_named(rulegame: Call, call: tuple[str, ...], said: str) -> None:
    result = rulegame("explain-move", "zero_sum_duel", *call)
    assert (result.code, result.out) == (2, "")
    assert said in result.err


def test_a_move_by_its_label_or_key(rulegame: Call) -> None:
    result = rulegame("explain-move", "dice_duel", "--at", "die 3; A; die 2", "--move", "Subtract")
    assert result.code == 0
    assert "subtract is valid.\n" in result.out
    assert "After die 3, add, die 2 it is Player 2's turn.\n" in result.out


def test_an_operation_that_is_off(rulegame: Call) -> None:
    call = ("explain-move", "double_or_nothing_31", "--move", "triple")
    assert rulegame(*call).err.endswith("add --enable triple\n")
    assert "triple is valid.\n" in rulegame(*call, "--enable", "triple").out


def test_when_the_game_is_over_or_something_is_rolled(rulegame: Call) -> None:
    over = rulegame(
        "explain-move", "nim", "--set", "heaps=[1]", "--at", "take 1 1", "--move", "take 1 1"
    )
    assert "After take 1 1 the game is over.\n" in over.out
    assert "take 1 1 is not valid: the game is over.\n" in over.out
    rolled = rulegame("explain-move", "dice_duel", "--move", "add")
    assert "At the start a roll is due: die 1, die 2" in rolled.out


def test_an_explanation_as_data(rulegame: Call) -> None:
    call = ("--at", "subtract 5, subtract 4", "--move", "subtract 4", "--json")
    data = json.loads(rulegame("explain-move", "zero_sum_duel", *call).out)
    assert (data["valid"], data["rule"], data["player"]) == (False, "not_repeated", 1)
    assert data["values"] == {"last": 4, "score": [15, 16]}
    assert data["checks"][1] == {
        "kind": "validity",
        "rule": "not_repeated",
        "expression": "n != last",
        "values": {"n": 4, "last": 4},
        "holds": False,
        "because": "4 was just used by Player 2.",
    }
