"""Equal rows at the end of a table are counted, whether or not they are best."""

from __future__ import annotations

from cli.conftest import Call


def test_best_moves_beyond_the_limit_are_counted(rulegame: Call) -> None:
    out = rulegame("solve", "tic_tac_toe", "--top", "1").out
    assert "  … and 8 more, all: draw in 9 moves\n" in out
