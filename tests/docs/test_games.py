"""The page of all games shows positions as they are drawn now, and values that are true."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rulegame.bundled import ruleset_names
from support.scripts import load_script

GAMES = Path(__file__).parents[2] / "docs" / "games"
FEW = 3_000  # states that are soon gone through again


MAKE = load_script(GAMES / "make.py")
VALUES = json.loads(MAKE.VALUES.read_text("utf-8"))
SMALL = [
    pytest.param(name, one, id=name)
    for name, known in VALUES.items()
    for one in known
    if one.get("states", FEW) < FEW
]


@pytest.mark.full
def test_the_page_has_every_bundled_game() -> None:
    assert tuple(VALUES) == ruleset_names()
    assert {path.stem for path in GAMES.glob("*.svg")} == set(ruleset_names())
    assert (GAMES / "README.md").read_text("utf-8") == MAKE.page(VALUES)
    solved = [name for name, known in VALUES.items() if any("value" in one for one in known)]
    assert len(solved) >= len(VALUES) * 0.8


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", ruleset_names())
def test_a_picture_shows_the_position_as_it_is_drawn(name: str) -> None:
    assert (GAMES / f"{name}.svg").read_text("utf-8") == MAKE.picture(name)


@pytest.mark.quick(8)
@pytest.mark.parametrize(("name", "one"), SMALL)
def test_values_are_found_again(name: str, one: dict[str, object]) -> None:
    assert {"settings": one["settings"], **MAKE.value_of(name, one["settings"])} == one
