"""The labels of computers at the table."""

from __future__ import annotations

import rulegame
from rulegame_cli.table.seating import Computers


def test_a_seat_is_not_called_perfect_if_search_plays() -> None:
    computers = Computers(rulegame.load("nim"), ("human", "perfect"), 1, True)
    assert 1 not in computers.notes
    computers.check(0)
    assert computers.notes[1] == "perfect"
    computers = Computers(rulegame.load("nim"), ("human", "perfect:10"), 1, True)
    computers.check(0)
    assert computers.notes[1] == "search, 1 s"
