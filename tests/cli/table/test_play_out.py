"""Games played to their ends at a terminal. `play_out.py` does it with every bundled game."""

from __future__ import annotations

import pytest

import rulegame

from .play_out import NONSENSE, SIZES, play_out

pytestmark = pytest.mark.full


@pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))
@pytest.mark.parametrize("name", ["tic_tac_toe", "kuhn_poker", "mastermind", "connect_four"])
def test_the_position_and_what_is_said_stay_on_the_screen(name: str, size: tuple[int, int]) -> None:
    title = rulegame.load(name).ruleset.title
    screens = list(play_out(name, *size))
    assert all(len(screen.lines) <= size[1] for screen in screens)
    [nonsense] = [screen for screen in screens if screen.typed == NONSENSE]
    [hint] = [screen for screen in screens if screen.typed == "hint"]
    assert "Type help" in screens[0].text
    for screen in (nonsense, hint, screens[-1]):
        assert f"─ {title}" in screen.text
    said = nonsense.text.rpartition("╰")[2]
    assert "You can type" in said or "Type four numbers" in said or NONSENSE in said
    assert "\n* " in hint.text[hint.text.rindex(f"─ {title}") :]
    assert "game over" in screens[-1].text and "│ " in screens[-1].text
