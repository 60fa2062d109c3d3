"""The pictures of screens in the documentation show what stands on a screen now."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from rulegame.bundled import ruleset_names
from support.scripts import load_script
from support.tiers import installed

pytestmark = pytest.mark.full

installed("pexpect")
installed("pyte")
SCREENS = Path(__file__).parents[2] / "docs" / "screens"
TEXT = "{http://www.w3.org/2000/svg}text"


def words_of(picture: str) -> dict[str, list[str]]:
    """The texts of each line of a picture."""
    found: dict[str, list[str]] = {}
    for element in ElementTree.fromstring(picture).iter(TEXT):
        found.setdefault(element.attrib["y"], []).append(element.text or "")
    return found


def test_there_is_a_picture_of_every_bundled_game() -> None:
    assert {path.stem for path in SCREENS.glob("*.svg")} == set(ruleset_names())
    assert (SCREENS / "README.md").read_text("utf-8") == load_script(SCREENS / "make.py").page()


@pytest.mark.parametrize("name", ruleset_names())
def test_a_picture_needs_nothing_from_elsewhere(name: str) -> None:
    text = (SCREENS / f"{name}.svg").read_text("utf-8")
    assert set(re.findall(r"\w+://[^\s\"'<]+", text)) == {"http://www.w3.org/2000/svg"}
    assert not re.search(r"href|@import|@font-face|url\(|<script|<image", text)


@pytest.mark.parametrize("name", ruleset_names())
def test_a_picture_shows_the_screen_as_it_is(name: str) -> None:
    make = load_script(SCREENS / "make.py")
    drawn = (SCREENS / f"{name}.svg").read_text("utf-8")
    assert words_of(drawn) == words_of(make.svg_of(make.screen_of(name), name))
