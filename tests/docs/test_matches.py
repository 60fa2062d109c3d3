"""The bot and the front end of docs/matches.md work as they stand there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from rulegame.playing.saves import read_save

PAGE = (Path(__file__).parents[2] / "docs" / "matches.md").read_text("utf-8")
PROGRAMS = dict(re.findall(r"```python\n# (\w+\.py)\n(.*?)```", PAGE, re.DOTALL))


def run(folder: Path, name: str, *arguments: str, typed: str = "") -> str:
    (folder / name).write_text(PROGRAMS[name], "utf-8")
    command = [sys.executable, name, *arguments]
    return subprocess.run(command, cwd=folder, input=typed, capture_output=True, text=True).stdout


@pytest.mark.parametrize(("name", "most"), [("bot.py", 15), ("front_end.py", 40)])
def test_the_programs_are_short(name: str, most: int) -> None:
    assert PROGRAMS[name].count("\n") <= most


def test_the_bot_plays_a_game(tmp_path: Path) -> None:
    said = run(tmp_path, "bot.py")
    assert said.startswith("Coin toss: Player ") and "won by Player " in said


def test_the_front_end_plays_saves_and_resumes(tmp_path: Path) -> None:
    said = run(tmp_path, "front_end.py", "save", typed="5\nundo\n4\nhint\n")
    assert said.startswith("Welcome to Zero Sum Duel!\n")
    assert "Player 1 subtracts 4. New score: 16\nPlayer 2 plays Subtract " in said
    assert "Best: subtract " in said
    again = run(tmp_path, "front_end.py", "save", typed="resign\n")
    assert "Welcome" not in again  # what was played is not told anew
    assert again.endswith("Player 1 resigns. Player 2 wins the game!\n")
    assert read_save((tmp_path / "save").read_bytes()).over
