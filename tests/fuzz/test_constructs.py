"""Random rulesets have every construct of the language in them, and run alike in every way."""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

from fuzz import running_check, together_way
from fuzz.constructs import all_constructs, constructs_of
from fuzz.games import game_of
from fuzz.rulesets_way import make

# Chosen with `constructs.covering` among the first 400, so that little is missing. When the
# generator changes, others are tried until nothing is; choosing these again makes that shorter.
NUMBERS: Final = (
    4, 18, 25, 30, 32, 34, 43, 68, 69, 111, 128, 229, 233, 257, 262, 295, 321, 337, 340, 348, 356,
    396,
)  # fmt: skip
MOST: Final = 1000  # rulesets that are looked through for what is missing


def text_of(number: int) -> bytes:
    """The same as `python tests/fuzz --way rulesets --seed 9 --only NUMBER` tries."""
    return make(Random(f"9/rulesets/{number}"))


@pytest.mark.full
def test_every_construct_is_tried() -> None:
    missing = all_constructs()
    for number in range(30):
        text = together_way.make(Random(f"9/together/{number}"))
        game = game_of(text)
        missing -= set() if game is None else constructs_of(text, game.ruleset)
    for number in (*NUMBERS, *range(MOST)):
        if not missing:
            break
        text = text_of(number)
        game = game_of(text)
        new = set() if game is None else constructs_of(text, game.ruleset) & missing
        if new and number not in NUMBERS:  # which all are run below
            running_check.check(text, Random(number))
        missing -= new
    assert not missing


@pytest.mark.quick(2)
@pytest.mark.parametrize("number", NUMBERS)
def test_all_ways_of_running_the_rules_agree(number: int) -> None:
    running_check.check(text_of(number), Random(number))
