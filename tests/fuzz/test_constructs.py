"""Random rulesets have every construct of the language in them, and run alike in every way."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from fuzz import running_check, together_way
from fuzz.constructs import all_constructs, constructs_of
from fuzz.games import game_of
from fuzz.rulesets_way import make

# Chosen with `constructs.covering` among the first 350, so that nothing is missing; and those
# in which players who pass keep what they rolled (120, 155). When the generator changes, they have
# to be chosen again.
NUMBERS: Final = (
    11, 18, 29, 32, 41, 46, 61, 85, 91, 96, 110, 113, 120, 123, 130, 138, 148, 155, 161, 195, 202,
    203, 208, 232, 237, 313,
)  # fmt: skip


def text_of(number: int) -> bytes:
    """The same as `python tests/fuzz --way rulesets --seed 9 --only NUMBER` tries."""
    return make(Random(f"9/rulesets/{number}"))


def test_every_construct_is_tried() -> None:
    found: set[str] = set()
    for number in NUMBERS:
        text = text_of(number)
        game = game_of(text)
        assert game is not None, number
        found |= constructs_of(text, game.ruleset)
    for number in range(10):
        text = together_way.make(Random(f"9/together/{number}"))
        game = game_of(text)
        found |= set() if game is None else constructs_of(text, game.ruleset)
    assert not all_constructs() - found


@pytest.mark.parametrize("number", NUMBERS)
def test_all_ways_of_running_the_rules_agree(number: int) -> None:
    running_check.check(text_of(number), Random(number))
