"""Whole sessions at a screen of 40, 80 and 200 columns, each with colour and Unicode and without
both: what stands on the screen from the first position to the game that is forgotten.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from rulegame.bundled import ruleset_names

from .screens import ASCII, Seated, seated

pytestmark = pytest.mark.full


class Look(NamedTuple):
    """What a terminal can show."""

    columns: int
    full: bool  # colour and Unicode

    @property
    def here(self) -> dict[str, Any]:
        environment = {} if self.full else {**ASCII, "NO_COLOR": "1"}
        return {"columns": self.columns, "environment": environment}

    def sign(self, wished: str, otherwise: str) -> str:
        return wished if self.full else otherwise

    @property
    def turn(self) -> str:
        return self.sign("▶", ">")

    @property
    def won(self) -> str:
        return self.sign("★", "*")

    def check(self, game: Seated) -> None:
        """Nothing stands there that the terminal cannot show."""
        assert self.full or (game.everything.isascii() and game.colours() == {"default"})


LOOKS = pytest.mark.parametrize(
    "look",
    [Look(columns, full) for columns in (40, 80, 200) for full in (True, False)],
    ids=lambda look: f"{look.columns}-{'full' if look.full else 'bare'}",
)
ASK = "Choose n: "
AGAIN = "(Enter)? "


def spoken(text: str) -> str:
    """A text whose lines may be broken anywhere between words."""
    return " ".join(text.split())


def last_picture(game: Seated) -> str:
    """The last picture on the screen, and what stands below it."""
    return game.text[max(game.text.rfind(corner) for corner in ("╭─", "+- ")) :]


def begin(look: Look, home: Path) -> None:
    """A hint, a move taken back and played again, what it looks like; left with Ctrl-D."""
    call = ("play", "countdown.yaml", "--set", "pile=6", "--names", "Ann,Bob")
    with seated(*call, home=home, **look.here) as game:
        game.type("hint", ASK)
        game.wait_for("* is the best move.")
        said = spoken(game.text)
        assert "Your winning chances, from the exact solution:" in said
        assert re.search(r"\* Take 2 +100 %, wins in 3 moves", said)
        worse = r"\(100 points worse\)"
        assert re.search(rf"Take 1 +0 % +{worse}, loses in \d moves", said)
        game.type("2", ASK)
        game.wait_for_line(ASK)
        game.type("undo", ASK)
        game.wait_for("Undone: Take 2")
        game.wait_for_line(ASK)
        assert "turn 1" in last_picture(game) and f"{look.turn} Ann" in last_picture(game)
        game.type("redo", ASK)
        game.wait_for("Redone: Take 2")
        game.wait_for_line(ASK)
        assert "turn 2" in last_picture(game) and "last move: Ann, Take 2" in last_picture(game)
        game.type("history", ASK)
        game.wait_for("1. Ann: Take 2")
        game.wait_for_line(ASK)
        seen = game.everything.count("turn 2")
        game.type("state", ASK)
        game.wait_for_line(ASK)
        assert game.everything.count("turn 2") == seen + 1
        look.check(game)
        game.child.sendeof()
        assert game.finish() == 1
        kept = "Input ended. Game saved; continue with `rulegame resume`."
        assert spoken(game.text).endswith(kept)


def go_on(look: Look, home: Path) -> None:
    """To the end; then it is watched again, and another one begun with sides swapped."""
    with seated("resume", home=home, **look.here) as game:
        game.wait_for_line(ASK)
        assert spoken(game.text).startswith("Countdown, after 1 move.")
        assert "turn 2" in last_picture(game) and f"{look.turn} Bob" in last_picture(game)
        game.type("3", ASK)
        game.type("1", ASK)
        game.wait_for_line(AGAIN)
        end = last_picture(game)
        assert "game over" in end and f"{look.won} Ann" in end
        assert end.index("game over") < end.index("Ann wins the game!")
        game.type("w", AGAIN)
        game.wait_for("1 of 4; arrow keys to step, q to quit")
        game.child.send("\x1b[C\x1b[C\x1b[D")
        game.wait_for("2 of 4")
        assert "turn 2" in last_picture(game)
        game.child.send("q")
        game.type("p", AGAIN)
        game.wait_for_line(ASK)
        assert "turn 1" in last_picture(game) and f"{look.turn} Bob" in last_picture(game)
        look.check(game)
        game.child.sendintr()
        assert game.finish() == 130
        assert game.lines[-1] == "Interrupted."


def look_back(look: Look, home: Path) -> None:
    """The list of games, a game of it step by step and by itself; then it is forgotten."""
    with seated("history", home=home, **look.here) as game:
        assert game.finish() == 0
        said = spoken(game.text)
        assert "Countdown (countdown.yaml, pile=6)" in said and "won by Ann" in said
        assert said.count("Countdown") == 1  # nothing was played in the other one
        code = said.split()[0]
        look.check(game)
    with seated("replay", code, home=home, **look.here) as game:
        game.wait_for("1 of 4")
        game.child.send("\x1b[F")
        game.wait_for("4 of 4")
        assert f"{look.won} Ann" in last_picture(game)
        look.check(game)
        game.child.send("q")
        assert game.finish() == 0
    with seated("replay", code, "--delay", "1ms", home=home, rows=60, **look.here) as game:
        assert game.finish() == 0
        shown = re.findall("turn [0-9]|game over", game.text)
        assert shown == ["turn 1", "turn 2", "turn 3", "game over"]
    with seated("history", "--forget", code, home=home, **look.here) as game:
        assert game.finish() == 0
        assert spoken(game.text).startswith(f"Deleted {code}, Countdown")


@LOOKS
def test_from_the_first_position_to_the_game_that_is_forgotten(look: Look, tmp_path: Path) -> None:
    begin(look, tmp_path)
    go_on(look, tmp_path)
    look_back(look, tmp_path)


@LOOKS
def test_a_computer_thinks_and_tells_its_turn(look: Look) -> None:
    call = ("play", "gomoku", "--vs", "search:1s", "--no-save", "--set", "size=9")
    with seated(*call, **look.here) as game:
        game.type("5", "Choose row: ")
        game.type("5", "Choose column: ")
        game.wait_for("thinking")
        game.wait_for("turn 3")
        game.wait_for_line("Choose row: ")
        assert "thinking" not in game.everything
        assert re.search(r"Computer plays Place [a-i]\d\.", spoken(game.text))
        assert "Computer (search, 1 s)" in game.text and "Computer's turn" not in game.text
        assert re.search(r"last move: Computer, Place [a-i]\d", spoken(game.text))
        assert re.search(r"\[O\]", last_picture(game))
        look.check(game)


def look_away(game: Seated, player: str) -> None:
    game.wait_for(f"{player}: press Enter once")
    game.type("", "away. ")


@LOOKS
def test_the_screen_is_handed_over_between_people_who_hide_something(look: Look) -> None:
    with seated("play", "number_duel", "--no-save", rows=16, **look.here) as game:
        look_away(game, "Player 1")
        game.type("2 3 5", "> (not shown) ")
        game.wait_for("Player 2: press")
        assert "Action Numbers" not in game.everything
        look_away(game, "Player 2")
        game.type("1 4 6", "> (not shown) ")
        look_away(game, "Player 1")
        game.wait_for_line("> ")
        assert "[2] [3] [5]" in game.text and "hidden" in game.text
        game.type(":rubbish", "> ")  # the screen is full, and something has scrolled away
        game.type(":help", "> ")
        game.wait_for_line("> ")
        game.type("5", "> ")
        game.type("+", "> ")
        game.wait_for("Player 2: press")
        assert "Calculating: 0 + 5 = 5" in game.text  # what all may read
        assert "[2]" not in game.everything and "2, 3" not in game.everything
        assert game.scrollback.strip() == "" and "Turn 2" not in game.text
        game.type("undo", "away. ")  # is no answer here
        game.wait_for_line("> ")
        assert "[1] [4] [6]" in game.text and "[3]" not in game.everything
        game.type(":undo", "> ")
        game.wait_for("Player 1: press")
        assert "Undone" in game.text and "[4]" not in game.everything
        look.check(game)
        game.child.sendintr()
        assert game.finish() == 130
        assert "[1]" not in game.everything


@LOOKS
def test_people_who_do_not_care_are_not_asked_to_look_away(look: Look) -> None:
    with seated("play", "number_duel", "--no-save", "--no-handover", **look.here) as game:
        game.type("2 3 5", "> (not shown) ")
        game.type("1 4 6", "> (not shown) ")
        game.wait_for("[2] [3] [5]")
        assert "looking away" not in game.everything
        look.check(game)


def test_escape_leaves_the_list_of_games() -> None:
    with seated("play", "--no-save", rows=24) as game:
        game.wait_for("Esc leaves")
        game.child.send("zzz")
        game.wait_for("No game matches.")
        game.child.send("\x1b")
        assert game.finish() == 1
        assert game.text.strip().endswith("No game chosen.")


def test_the_list_says_how_much_there_is_beyond_the_screen_and_a_coin_is_tossed() -> None:
    with seated("play", "--no-save", rows=24) as game:
        game.wait_for_line("Which game?")
        more = len(ruleset_names()) - 14
        assert f"↓ {more} more" in game.text and "↑" not in game.text.split("\n", 1)[1]
        game.child.send("\x1b[6~")
        game.wait_for("↑ ")
        game.child.send("tic")
        game.wait_for_line("Which game? tic")
        game.child.send("\r")
        game.type("", "Enter to start: ")
        game.type("", "[human] ")
        game.type("random", "[Player 1] ")
        game.wait_for_line("Choose row: ")
        assert re.search(r"Coin toss: Player [12] moves first\.", game.everything)


@LOOKS
def test_a_game_is_chosen_with_the_arrow_keys_and_varied(look: Look) -> None:
    with seated("play", "--no-save", rows=24, **look.here) as game:
        game.wait_for("Which game?")
        game.child.send("double")
        game.wait_for_line("Which game? double")
        assert "Nim (nim)" not in game.text
        game.child.send("\x1b[B")
        game.wait_for("Double the shared")
        [line] = [line for line in game.lines if line.startswith(">")]
        assert "double_or_nothing_31" in line
        assert "Double the shared number" in spoken(game.text)
        game.child.send("\r")
        game.wait_for("target=31")
        game.type("target=x", "Enter to start: ")
        game.type("target=20", "Enter to start: ")
        game.wait_for("target=20")
        game.type("triple", "Enter to start: ")
        game.wait_for("[on ] triple")
        game.type("", "Enter to start: ")
        game.type("nobody", "[human] ")
        game.type("easy", "[human] ")
        game.type("nobody", "] ")
        game.type("1", "] ")
        game.wait_for_line("(1, 2 or 3): ")
        call = "rulegame play double_or_nothing_31 --set target=20 --enable triple --vs easy"
        assert f"{call} --first 1" in spoken(game.everything)
        assert "Computer (easy)" in game.text
        look.check(game)
