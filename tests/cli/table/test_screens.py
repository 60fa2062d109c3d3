"""What stands on the screen while a game is played: positions, at every width, with and without
colour and Unicode.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from .screens import ASCII, seated
from .test_looks import look_away

pytestmark = pytest.mark.full

COUNTDOWN = ("play", "countdown.yaml", "--set", "pile=4", "--names", "Ann,Bob", "--no-save")
WIDTHS = (40, 80, 200)


@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize("colour", [True, False], ids=["colour", "NO_COLOR"])
@pytest.mark.parametrize("letters", [True, False], ids=["unicode", "ascii"])
def test_the_position_stands_above_the_prompt(columns: int, colour: bool, letters: bool) -> None:
    environment = ({} if letters else ASCII) | ({} if colour else {"NO_COLOR": "1"})
    with seated(*COUNTDOWN, columns=columns, environment=environment) as game:
        game.type("1", "Choose n: ")
        game.wait_for_line("Choose n: ")
        top, bar = ("╭─ Countdown · turn 2", "left 3 ███░ 4")
        if not letters:
            top, bar = ("+- Countdown, turn 2", "left 3 ###. 4")
        lines = game.lines
        [first] = [k for k, line in enumerate(lines) if line.startswith(top)]
        assert any(bar in line for line in lines[first:])
        assert any(("▶ Bob" if letters else "> Bob") in line for line in lines[first:])
        assert any("last move: Ann, Take 1" in line for line in lines[first:])
        assert lines[-3:] == ["Bob's turn.", "N: 1, 2, 3", "Choose n:"]
        assert (game.colours() == {"default"}) != colour
        if not letters:
            assert game.text.isascii()


@pytest.mark.parametrize("columns", WIDTHS)
def test_the_final_position_is_shown_with_the_result(columns: int) -> None:
    with seated("play", "tic_tac_toe", "--no-save", columns=columns) as game:
        for row, column in ((1, 1), (2, 1), (1, 2), (2, 2), (1, 3)):
            game.type(str(row), "Choose row: ")
            game.type(str(column), "Choose column: ")
        game.wait_for("wins the game!")
        shown = game.text[game.text.rindex("Tic-tac-toe · game over") :]
        assert "1 │(X)│(X)│(X)│" in shown and "2 │ O │ O │ · │" in shown
        assert "★ X Player 1" in shown
        assert shown.index("★") < shown.index("Player 1 wins the game!")


def test_a_second_question_of_a_move_draws_no_second_picture() -> None:
    with seated("play", "tic_tac_toe", "--no-save") as game:
        game.type("2", "Choose row: ")
        game.wait_for_line("Choose column: ")
        assert game.text.count("turn 1") == 1


def test_what_has_gone_from_the_screen_is_drawn_again() -> None:
    with seated(*COUNTDOWN, rows=16) as game:
        for _ in range(6):
            game.type("x", "Choose n: ")
        game.wait_for_line("Choose n: ")
        assert "Countdown · turn 1" in game.text


def test_a_person_who_resigns_sees_where_it_was() -> None:
    with seated(*COUNTDOWN) as game:
        game.type("resign", "Choose n: ")
        game.wait_for("Ann resigns. Bob wins the game!")


@pytest.mark.parametrize("how", ["--plain", "dumb"])
def test_where_nothing_may_be_drawn_the_words_stand_alone(how: str) -> None:
    more, environment = ((how,), {}) if how == "--plain" else ((), {"TERM": how})
    with seated(*COUNTDOWN, *more, environment=environment) as game:
        game.wait_for_line("Choose n: ")
        assert "╭" not in game.text and "turn 1" not in game.text


def test_words_are_not_broken() -> None:
    with seated(*COUNTDOWN, columns=40) as game:
        game.type("help", "Choose n: ")
        game.wait_for_line("Choose n: ")
        text = game.text
        assert "show the best move and rate" in text
        words = set(re.findall(r"[a-z]+", text))
        assert "others" in words and "rolled" in words and "copy" in words


SECRET = ("play", "secret.yaml", "--no-save")


def test_who_leaves_takes_the_secrets_along() -> None:
    with seated("play", "number_duel", "--no-save") as game:
        look_away(game, "Player 1")
        game.type("2 3 5", "> (not shown) ")
        look_away(game, "Player 2")
        game.type("1 4 6", "> (not shown) ")
        look_away(game, "Player 1")
        game.wait_for("[2] [3] [5]")
        game.type(":quit", "> ")
        assert game.finish() == 0
        assert "[2]" not in game.everything


def test_open_games_are_not_handed_over() -> None:
    with seated(*COUNTDOWN) as game:
        game.type("1", "Choose n: ")
        game.wait_for_line("Choose n: ")
        assert "looking away" not in game.everything


def test_nobody_sees_in_a_picture_what_others_hold() -> None:
    with seated(*SECRET, "--vs", "random", "--seed", "1") as game:
        game.type("8", "Choose n: ")
        game.wait_for_line("(1 or 2): ")
        assert re.search(r"Player 1 +pick 8", game.text)
        assert re.search(r"Computer.* pick hidden", game.text)


RACE = ("play", "dice_duel", "--rolls", "5,4,3,6,2", "--no-save", "--seed", "1")


@pytest.mark.parametrize("columns", WIDTHS)
def test_the_turns_of_a_computer_are_told(columns: int) -> None:
    with seated(*RACE, "--vs", "greedy", columns=columns) as game:
        game.type("A", "(S)ubtract? ")
        game.wait_for("turn 3")
        game.wait_for_line("(S)ubtract? ")
        told = " ".join(game.text.split())
        assert re.search(r"Computer rolls a 4 and plays (Add|Subtract)\. New score: -?4\.", told)
        assert "Computer (greedy)" in game.text
        assert "Computer's turn" not in game.text and told.count("Do you want to") == 2
        assert "You rolled a 4" not in told and "You rolled a 3" in told


def test_who_only_watches_sees_the_position_and_no_secrets() -> None:
    arguments = ("play", "number_duel", "--watch", "--seed", "3", "--no-save")
    with seated(*arguments, rows=200) as game:
        assert game.finish() == 0
        during = game.text[: game.text.index("game over")]
        assert (
            "numbers hidden" in during
            and "Computer 1 plays Pick Action Numbers (secret)." in during
        )
        assert not re.search(r"numbers \[", during)
        assert "> " not in game.text


def test_a_computer_that_is_stuck_is_told_of_in_the_third_person() -> None:
    arguments = ("play", "double_or_nothing_10", "--disable", "add_one", "--set", "start=3")
    with seated(*arguments, "--vs", "random", "--no-save") as game:
        game.type("1", "> ")
        game.wait_for("wins")
        assert "Computer plays Double. New score: 6." in game.text


def test_after_a_game_it_is_played_again_with_sides_swapped() -> None:
    with seated(*COUNTDOWN) as game:
        game.type("1", "Choose n: ")
        game.type("3", "Choose n: ")
        game.type("maybe", "or quit (Enter)? ")
        game.type("p", "or quit (Enter)? ")
        game.wait_for_line("Choose n: ")
        assert "▶ Bob" in game.text[game.text.rindex("turn 1") :]
        game.type("resign", "Choose n: ")
        game.type("", "or quit (Enter)? ")
        assert game.finish() == 0


def test_a_long_rulebook_goes_through_the_pager() -> None:
    environment = {"PAGER": f"{sys.executable} -c \"print('paged')\""}
    with seated("rules", "number_duel", rows=24, environment=environment) as game:
        assert game.finish() == 0
        assert game.text.strip() == "paged"


def test_history_tells_games_apart_and_forgets(tmp_path: Path) -> None:
    for name in ("double_or_nothing_10", "double_or_nothing_31"):
        with seated("play", name, home=tmp_path) as game:
            prompt = ": " if name.endswith("31") else "> "
            game.type("2", prompt)
            game.wait_for("turn 2")
            game.wait_for_line(prompt)
            game.child.sendeof()
            assert game.finish() == 1
            assert "continue with `rulegame resume`." in " ".join(game.text.split())
    with seated("play", "nim", home=tmp_path) as game:
        game.wait_for_line("? ")
        game.child.kill(9)
    with seated("history", home=tmp_path, columns=200) as game:
        assert game.finish() == 0
        assert "Double or Nothing (double_or_nothing_31)" in game.text
        assert "Double or Nothing (double_or_nothing_10)" in game.text
        assert "Nim" not in game.text
        code = game.lines[0].split()[0]
    with seated("history", "--forget", code, home=tmp_path, columns=200) as game:
        assert game.finish() == 0
        assert f"Deleted {code}, Double or Nothing" in game.text
    with seated("history", home=tmp_path, columns=200) as game:
        assert game.finish() == 0
        assert len(game.lines) == 1 and code not in game.text
    with seated("history", "--forget", "nonsense", home=tmp_path) as game:
        assert game.finish() == 2


TOLD = """
rulegame: 1
title: Pits
state:
  dice: {type: list of int, size: 2, start: 1, show: text}
  pits: {type: list of int, size: 3, start: 2, show: text}
operations: {take: {choose: {n: 1..3}, effects: {"pits[n]": "pits[n] - 1"}}}
end: {over: {when: sum(pits) == 0, result: win}}
texts:
  turn: |-
    {my.name}'s turn{if sum(dice) > 0}, to play{for d in dice} {d}{end}{end}.
     1  2  3
    {for p in 1..3} {pits[p]} {end}
"""


def test_lines_that_a_ruleset_draws_are_those_of_a_transcript(tmp_path: Path) -> None:
    file = tmp_path / "pits.yaml"
    file.write_text(TOLD, "utf-8")
    with seated("play", str(file), "--names", "Ann,Bob") as game:
        game.wait_for_line("Choose n:")
        assert "Ann's turn, to play 1 1.\n╭" in game.text
        assert "│  1  2  3   ▶ Ann" in game.text and "│  2  2  2     Bob" in game.text


@pytest.mark.parametrize(("columns", "rows"), [(100, 35), (80, 24), (40, 24)])
@pytest.mark.parametrize("command", ["help", "history"])
def test_the_answer_to_a_command_is_the_last_thing_on_the_screen(
    tmp_path: Path, columns: int, rows: int, command: str
) -> None:
    """However tall the position is."""
    file = tmp_path / "tall.yaml"
    lists = "".join(f"  l{k}: {{type: list of int, size: 3, show: cards}}\n" for k in range(12))
    file.write_text(
        "rulegame: 1\ntitle: Tall\nstate:\n  n: 0\n" + lists + "operations:\n"
        "  go: {choose: {k: 1..3}, effects: {n: n + k}}\n"
        "end: {over: {when: n > 30, result: win}}\n",
        "utf-8",
    )
    with seated("play", str(file), "--no-save", columns=columns, rows=rows) as game:
        game.type("1", "Choose k: ")
        game.wait_for("Player 2's turn")
        game.type(command, "Choose k: ")
        answer = "show this list" if command == "help" else "1. Player 1: Go 1"
        game.wait_for_line("Choose k: ")
        shown = "\n".join(game.lines)
        assert answer in shown
        assert "─ Tall · turn 2" in game.everything and "turn 2" not in shown[shown.index(answer) :]
        assert len(game.lines) <= rows and ("─ Tall" in shown or command == "help")


def test_the_command_state_shows_what_the_picture_leaves_out(tmp_path: Path) -> None:
    file = tmp_path / "helpers.yaml"
    file.write_text(
        "rulegame: 1\ntitle: Helpers\nstate:\n  n: 0\n  count: 7\n"
        "  each player:\n    purse: {start: 3, show: no, seen by: owner}\noperations:\n"
        "  go: {choose: {k: 1..3}, effects: {n: n + k, count: count + 1}}\n"
        "end: {over: {when: n > 30, result: win}}\n",
        "utf-8",
    )
    with seated("play", str(file), "--no-save", "--no-handover") as game:
        game.wait_for_line("Choose k: ")
        assert "count" not in game.text and "purse" not in game.text
        game.type("state", "Choose k: ")
        game.wait_for("count: 7")
        assert "purse: Player 1 3, Player 2 hidden" in game.text


def test_moves_are_typed_the_way_people_write_them() -> None:
    with seated("play", "english_draughts", "--no-save") as game:
        game.wait_for("Type help for what you can type, or a cell such as a6.")
        game.type("a6-b5", "row: ")
        game.wait_for("last move: Player 1, Move a6 b5")
        game.type("b3", "row: ")
        game.type("c4", "to row: ")
        game.wait_for("last move: Player 2, Move b3 c4")
        game.type("?", "row: ")
        game.wait_for("show this list")
        game.type("exit", "row: ")
        assert game.finish() == 0


def test_a_menu_has_more_than_one_entry() -> None:
    """Beside a picture, where everybody can tell that there is one operation only."""
    with seated("play", "german_whist", "--no-save", "--no-handover", "--seed", "3") as game:
        game.wait_for_line("Choose card: ")
        assert "Enter your choice" not in game.text
        assert "Card: ♣" in game.text
