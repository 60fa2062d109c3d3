"""The tables of keys in docs/language.md list the keys that are declared."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulegame.keys.ruleset import Place, place_at

PAGE = Path(__file__).parents[2] / "docs" / "language.md"
TABLES = {
    "The file": (),
    "Parameters": ("parameters", "*"),
    "Players": ("players",),
    "Types": ("types", "*"),
    "State and types": ("state", "*"),
    "How values are shown": ("state", "*", "show"),
    "Operations": ("operations", "*"),
    "step": ("operations", "*", "steps", "*"),
    "Turns, rolls and setup": ("turn",),
    "roll": ("turn", "roll", "*"),
    "Setup": ("setup", "*"),
    "Validity": ("validity", "*"),
    "When a player is stuck": ("stuck",),
    "How a game ends": ("end", "*"),
    "Tests": ("tests", "*"),
    "expect": ("tests", "*", "expect"),
    "outcome": ("tests", "*", "expect", "outcome"),
}
# Keys that have sections of the page instead of a row.
ELSEWHERE = {"before", "let"}


def tables() -> Iterator[tuple[str, list[str]]]:
    """Each table of keys, by the heading above it or what its header says, with its keys."""
    heading, name, keys = "", "", list[str]()
    for line in [*PAGE.read_text("utf-8").splitlines(), ""]:
        if found := re.match(r"#+ (.*)", line):
            heading = found[1]
        if found := re.match(r"\| key(?: of (?:a )?`?([\w ]+?)`?)? \|", line):
            name = found[1] if found[1] in TABLES else heading
            keys = []
        elif name and line.startswith("| `"):
            keys += re.findall(r"`([^`]+)`", line.split(" | ")[0])
        elif name and not line.startswith("|"):
            yield name, keys
            name = ""


def declared(name: str) -> Place:
    place = place_at(TABLES[name])
    assert place is not None
    return place


def test_every_table_is_checked() -> None:
    assert {name for name, _ in tables()} == set(TABLES)


@pytest.mark.parametrize(("name", "keys"), [*tables()], ids=[name for name, _ in tables()])
def test_a_table_lists_the_keys_that_are_declared(name: str, keys: list[str]) -> None:
    wanted = {key.name for key in declared(name).keys}
    assert set(keys) - wanted == set()
    assert wanted - set(keys) - ELSEWHERE == set()
    assert len(set(keys)) == len(keys)
