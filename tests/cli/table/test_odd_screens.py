"""Screens that seldom come up: hands wider than the terminal, a game that was cut off while it was
dealt, a terminal that keeps what has scrolled away.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from .screens import Seated, seated
from .test_looks import look_away

pytestmark = pytest.mark.full


def held(game: Seated) -> list[str]:
    """The cards in the picture of the one who looks on."""
    start = game.text.rindex("hand [")
    return re.findall(r"\[([♣♦♥♠]\w+)\]", game.text[start : game.text.index("tricks", start)])


def test_a_hand_that_is_too_wide_and_a_save_that_ends_in_the_deal(tmp_path: Path) -> None:
    with seated("play", "german_whist", "--seed", "3", columns=40, home=tmp_path) as game:
        look_away(game, "Player 1")
        game.type("nonsense", "Choose card: ")
        game.wait_for_line("Choose card: ")
        cards = held(game)
        assert len(cards) == 13
        lines = game.lines
        at = next(k for k, line in enumerate(lines) if "hand [" in line)
        # further in than its label
        assert re.fullmatch(r"│       (\[[♣♦♥♠]\w+\] )+ *│", lines[at + 1])
        game.child.kill(9)
    [file] = (tmp_path / "games").iterdir()
    kept = file.read_bytes().splitlines(keepends=True)
    file.write_bytes(b"".join(kept[:9]))  # eight cards are dealt
    with seated("resume", columns=40, home=tmp_path) as game:
        game.wait_for("Player 1: press Enter once")
        said = " ".join(game.text.split())
        assert "The save is incomplete. Resuming from the last complete move." in said
        assert "German Whist, after 0 moves." in said
        look_away(game, "Player 1")
        game.wait_for_line("Choose card: ")
        assert held(game) == cards  # what was to fall falls


def test_a_terminal_that_keeps_what_has_scrolled_away() -> None:
    with seated("play", "number_duel", "--no-save") as game:
        feed = game._stream.feed
        game._stream.feed = lambda text: feed(text.replace("\x1b[3J", ""))
        look_away(game, "Player 1")
        game.type("2 3 5", "> (not shown) ")
        look_away(game, "Player 2")
        game.type("1 4 6", "> (not shown) ")
        look_away(game, "Player 1")
        game.wait_for("[2] [3] [5]")
        game.type("5", "> ")
        game.type("+", "> ")
        game.wait_for("Player 2: press")
        assert "[2]" not in game.everything and "Action Numbers: 2" not in game.everything


def test_for_those_who_hear_the_screen_every_line_is_printed_once() -> None:
    environment = {"RULEGAME_PLAIN": "1"}
    with seated("play", "--no-save", columns=80, rows=200, environment=environment) as game:
        game.type("nim", "Which game? ")  # no list to walk through
        game.type("hint", "? ")
        game.wait_for("Best: ")
        game.type("state", "? ")
        game.wait_for("heaps: [3, 4, 5]")
        game.wait_for_line("? ")
        assert "╭" not in game.text and game.colours() == {"default"}
        assert "Heap 1: 3" in game.text
    with seated("list", rows=10, environment=environment) as game:  # no pager
        assert game.finish() == 0


def test_long_reports_go_through_the_pager() -> None:
    environment = {"PAGER": "sed s/^/paged:/"}
    calls = (("show", "nim"), ("explain",), ("solve", "nim"), ("list",))
    for call in calls:
        with seated(*call, columns=200, rows=8, environment=environment) as game:
            assert game.finish() == 0
            assert all(line.startswith("paged:") for line in game.lines[:-1])
    with seated("validate", "nim", rows=8, environment=environment) as game:
        assert game.finish() == 0
        assert "paged" not in game.text
