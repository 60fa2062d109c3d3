"""Chance: exact probabilities, and dice by hand."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import rulegame
from rulegame.playing.dice import Dice, WrongRoll
from support.rulesets import RULESETS


class Tickets(Random):
    """Every ticket in turn, so that counts are probabilities."""

    def __init__(self) -> None:
        super().__init__()
        self.sizes: list[int] = []

    def randrange(self, start: int, stop: int | None = None, step: int = 1) -> int:
        self.sizes.append(start)
        return (len(self.sizes) - 1) % start


def test_each_event_has_its_exact_share() -> None:
    state = rulegame.load(str(RULESETS / "lights.yaml")).start()
    tickets = Tickets()
    drawn = Counter(str(state.roll(tickets.randrange)) for _ in range(3))
    assert set(tickets.sizes) == {3}
    assert drawn == {"lamp red": 1, "lamp green": 2}


def test_a_seed_repeats_chance() -> None:
    state = rulegame.load(str(RULESETS / "race.yaml")).start()
    rows = [
        [str(state.roll(chance.randrange)) for _ in range(50)] for chance in (Random(7), Random(7))
    ]
    assert rows[0] == rows[1]
    assert set(rows[0]) == {"die 1", "die 2", "die 3", "die 6"}


def test_values_by_hand_come_first() -> None:
    state = rulegame.load(str(RULESETS / "race.yaml")).start()
    dice = Dice(["6", "1", "5"], 1)
    assert [str(dice.roll(state, "a")), str(dice.roll(state, "b"))] == ["die 6", "die 1"]
    with pytest.raises(WrongRoll, match="die cannot be '5' here; it can be 1, 2, 3, 6"):
        dice.roll(state, "c")
    assert dice.roll(state, "d") in state.moves


def test_a_roll_depends_on_the_seed_and_on_its_place_alone() -> None:
    state = rulegame.load(str(RULESETS / "race.yaml")).start()

    def rolls(seed: int, number: int, order: range) -> dict[int, str]:
        fresh = Dice([], seed).of_round(number)
        return {before: str(fresh(state, "die", before)) for before in order}

    once = rolls(7, 0, range(40))
    assert once == rolls(7, 0, range(39, -1, -1))
    assert once != rolls(8, 0, range(40)) and once != rolls(7, 1, range(40))
    assert set(once.values()) == {"die 1", "die 2", "die 3", "die 6"}
