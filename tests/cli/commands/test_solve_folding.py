"""Equal rows at the end of a table are counted, whether or not they are best."""

from __future__ import annotations

from cli.conftest import Call


def test_equal_picks_are_counted(rulegame: Call) -> None:
    settings = ("--set", "highest=5", "--set", "count=1", "--set", "target=30")
    out = rulegame("solve", "number_duel", "--revealed", *settings).out
    assert out.count("  … and 4 more, all: 0, ") == 2


def test_best_moves_beyond_the_limit_are_counted(rulegame: Call) -> None:
    out = rulegame("solve", "tic_tac_toe", "--top", "1").out
    assert "  … and 8 more, all: draw in 9 moves\n" in out
