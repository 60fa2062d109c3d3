"""The labels of computers at the table."""

from __future__ import annotations

import rulegame
from rulegame.playing.computers import Computers


def test_a_seat_is_not_called_perfect_if_search_plays() -> None:
    for spec, label in (("perfect", "perfect"), ("perfect:10", "search, 1 s")):
        seats = ("human", spec)
        computers = Computers(rulegame.load("nim"), seats, {})
        assert 1 not in computers.notes(seats, 0)
        computers.check(0)
        assert computers.notes(seats, 0)[1] == label
