"""What can be typed beside the moves: through a pipe, and at a real pseudo-terminal."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cli.conftest import Call
from rulegame_cli.table.prompt_commands import COMMANDS
from support.tiers import installed

from .screens import screen

COUNTDOWN = ("play", "countdown.yaml", "--set", "pile=7", "--names", "Ann,Bob")


def turns(printed: str) -> list[tuple[str, str]]:
    return re.findall(r"(\w+)'s turn\.\nLeft: (\d+)", printed)


def test_undo_and_redo(rulegame: Call) -> None:
    typed = "undo\n3\n1\nundo\nundo\nredo\nredo\nredo\nundo\n2\nredo\n2\n"
    result = rulegame(*COUNTDOWN, typed=typed)
    assert (result.code, result.err) == (0, "")
    seen = [("Ann", "7"), ("Bob", "4"), ("Ann", "3"), ("Bob", "4"), ("Ann", "7"), ("Bob", "4")]
    assert turns(result.out) == [*seen, ("Ann", "3"), ("Bob", "4"), ("Ann", "2")]
    assert result.out.count("Nothing to undo.\n") == 1
    assert result.out.count("Nothing to redo.\n") == 2
    assert result.out.count("Undone: take 1\n") == 2
    assert result.out.endswith("Ann wins the game!\n")


def test_half_a_move_is_taken_back(rulegame: Call) -> None:
    result = rulegame("play", "tic_tac_toe", typed="2\nundo\n1\n1\n")
    assert "Player 1: row 1, column 1\n" in result.out
    assert "Undone" not in result.out


def test_undo_gives_no_second_roll(rulegame: Call) -> None:
    for seed in "1234":
        result = rulegame("play", "race.yaml", "--seed", seed, typed="K\nundo\nA\nundo\nK\n")
        rolled = re.findall(r"^Die: (\d)$", result.out, re.MULTILINE)
        assert rolled == [rolled[0], rolled[1]] * 3


def test_state_history_and_rules(rulegame: Call) -> None:
    result = rulegame("play", "race.yaml", "--rolls", "6,1", typed="A\nstate\nhistory\nrules\n")
    assert "\nscore: Player 1 6, Player 2 0\n" in result.out
    assert "\n     die 6\n  1. Player 1: add\n     die 1\n" in result.out
    assert rulegame("rules", "race.yaml").out in result.out


def test_a_rulebook_that_fails_does_not_end_the_game(
    rulegame: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise IndexError("no such rule")

    monkeypatch.setattr("rulegame.rulebook.write_rulebook", fail)
    result = rulegame("play", "race.yaml", "--rolls", "6,1", typed="rules\nA\nquit\n")
    assert "Cannot write the rulebook: IndexError: no such rule" in result.out
    assert result.code == 0
    assert rulegame("play", "race.yaml", typed="history\n").out.count("die ") == 1


def test_what_is_hidden_stays_hidden(rulegame: Call) -> None:
    typed = "8\n7\nstate\nhistory\nundo\n3\nstate\n"
    result = rulegame("play", "secret.yaml", "--names", "Ann,Bob", typed=typed)
    assert "\npick: Ann 8, Bob hidden\n" in result.out
    assert "\n  1. Ann: choose_number (secret)\n  2. Bob: choose_number (secret)\n" in result.out
    assert "\nUndone: choose_number (secret)\n" in result.out
    at_setup = rulegame("play", "secret.yaml", "--names", "Ann,Bob", typed="8\n:state\n")
    assert "\npick: Ann hidden, Bob " in at_setup.out


def test_hint(rulegame: Call) -> None:
    result = rulegame(*COUNTDOWN, typed="hint\n")
    assert re.search(r"^Best: take [123]", result.out, re.MULTILINE)
    worths = re.findall(r"^[* ] (take \d)  \S", result.out, re.MULTILINE)
    assert sorted(worths) == ["take 1", "take 2", "take 3"]


def test_hint_lists_the_best_of_many_moves(rulegame: Call) -> None:
    printed = rulegame("play", "nim", "--set", "heaps=[50]", "--no-save", typed="hint\nquit\n").out
    listed = printed.partition("Best: take 1 50")[2].splitlines()[1:]
    assert listed[0].startswith("* take 1 50  wins")
    assert listed[40] == "  ... and 10 more"


def test_help_names_moves_and_commands(rulegame: Call) -> None:
    out = rulegame(*COUNTDOWN, typed=" HELP \n").out
    assert "\nYou can type 1, 2 or 3.\n" in out
    for command in COMMANDS:
        assert re.search(rf"^  {command} +\w", out, re.MULTILINE)


def test_a_move_of_the_same_name_is_a_move(rulegame: Call) -> None:
    result = rulegame("play", "wordy.yaml", typed="quit\nundo\nsave 3\n:undo\nsave\n3\nUndo\n")
    assert result.code == 0
    assert "Not valid: there is nothing to leave\n" in result.out
    assert result.out.count("Player 2: Save 3\n") == 2
    assert "Undone: save 3\n" in result.out
    assert result.out.endswith("Player 1 wins the game!\n")
    shown = rulegame("play", "wordy.yaml", typed="help\n").out
    assert "\n  :undo " in shown and "\n  :save " in shown and "\n  :quit " in shown
    assert "\n  redo " in shown


def test_the_colon_reaches_the_command(rulegame: Call) -> None:
    result = rulegame("play", "wordy.yaml", typed="undo\nsave\n:quit\n")
    assert result.code == 0
    assert result.out.endswith("Game saved. Continue with `rulegame resume`.\n")


def test_misspelt_commands(rulegame: Call) -> None:
    result = rulegame(*COUNTDOWN, typed=":udno\n:\n:)\nundo it\n:undo it\n")
    assert "\n':undo' takes no argument.\n" in result.out
    assert "Unknown command ':udno'. Did you mean ':undo'?\n" in result.out
    for nonsense in (":", ":)", "undo it"):
        assert f"'{nonsense}' is not an option here." in result.out


@pytest.mark.parametrize(
    ("typed", "end"),
    [
        ("resign\n", "Ann resigns. Bob wins the game!\n"),
        ("1\n:resign\n", "Bob resigns. Ann wins the game!\n"),
    ],
)
def test_resign(rulegame: Call, typed: str, end: str) -> None:
    result = rulegame(*COUNTDOWN, typed=typed)
    assert result.code == 0
    assert result.out.endswith(end)


def test_resign_with_three(rulegame: Call) -> None:
    result = rulegame("play", "three_player_pig", "--names", "Ann,Bob,Cid", typed="resign\n")
    assert result.out.endswith("Ann resigns. Bob and Cid win the game!\n")


def test_save_writes_a_copy(rulegame: Call, tmp_path: Path) -> None:
    copy = tmp_path / "a copy.jsonl"
    result = rulegame(*COUNTDOWN, typed=f"1\nsave {copy}\nsave {copy}\nsave\n2\n")
    assert f"Saved a copy to '{copy}'.\n" in result.out
    assert f"Cannot write '{copy}': a file with that name already exists.\n" in result.out
    assert "Saved to " in result.out
    checked = rulegame("replay", str(copy), "--check")
    assert (checked.code, checked.out) == (0, f"{copy}: valid: 1 move, not finished\n")
    for wrong in ("/", f"{tmp_path}/no/where", "x" * 5000, "a\x00b"):
        refused = rulegame(*COUNTDOWN, "--no-save", typed=f"save {wrong}\n1\nsave\n")
        assert "Cannot write " in refused.out
        assert "This game is not being saved. Use `save FILE` to save it.\n" in refused.out


def test_undo_against_a_computer_goes_back_to_the_person(rulegame: Call) -> None:
    arguments = ("--vs", "random", "--seed", "3", "--set", "pile=40")
    out = rulegame("play", "countdown.yaml", *arguments, typed="1\n1\nundo\nundo\nundo\n").out
    asked = re.findall(r"Player 1's turn\.\nLeft: (\d+)", out)
    assert asked[0] == asked[4] == "40" and asked[1] == asked[3]
    assert out.count("Nothing to undo.") == 1


@pytest.mark.full
def test_at_a_terminal() -> None:
    """Every command once."""
    with screen(*COUNTDOWN, "--no-color", "--once") as game:
        for typed, answer in (
            ("3", "Ann: Take 3"),
            ("undo", "Undone: Take 3"),
            ("redo", "Redone: Take 3"),
            ("hint", "Your winning chances"),
            ("rules", "Objective"),
            ("state", "left 4"),
            ("history", "  1. Ann: Take 3"),
            ("save", "Saved to"),
            ("help", "You can type 1, 2 or 3."),
            (":help", "You can type 1, 2 or 3."),
            ("2", "Bob: Take 2"),
        ):
            game.answer("Choose n: ", typed)
            game.child.expect_exact(answer)
        game.answer("Choose n: ", "resign")
        game.child.expect_exact("Ann resigns. Bob wins the game!")
        assert game.finish() == 0
    with screen(*COUNTDOWN, "--no-color") as game:
        game.answer("Choose n: ", "quit")
        assert game.finish() == 0
        assert game.printed.endswith("Continue with `rulegame resume`.\n")


@pytest.mark.full
def test_commands_where_typing_is_unseen() -> None:
    with screen("play", "secret.yaml", "--no-color", "--no-handover") as game:
        game.answer("Choose n: ", ":history")
        game.child.expect_exact("No moves yet.")
        game.answer("Choose n: ", "4")
        game.answer("Choose n: ", "undo")
        game.child.expect_exact("Undone: Choose Number (secret)")
        game.answer("Choose n: ", ":quit")
        assert game.finish() == 0
        assert "4" not in game.printed.replace("3, 4, 5", "")


@pytest.mark.full
def test_tab_completes_moves_and_commands() -> None:
    installed("readline")
    with screen("play", "wordy.yaml", "--no-color") as game:
        game.answer(": ", "sa\t 3")
        game.child.expect_exact("Player 1: Save 3")
        game.answer(": ", "hist\t")
        game.child.expect_exact("  1. Player 1: Save 3")
        game.answer(": ", ":q\t")
        assert game.finish() == 0


@pytest.mark.full
def test_plain_has_no_control_sequences() -> None:
    with screen(*COUNTDOWN, "--plain") as game:
        game.answer("Choose n: ", "3")
        game.answer("Choose n: ", "undo")
        game.answer("Choose n: ", "quit")
        assert game.finish() == 0
        assert "\x1b" not in game.printed
        assert not re.search(r"\r(?!\n)", game.printed)
