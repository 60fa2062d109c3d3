"""The tables in the language reference are those of the code."""

import json
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulegame.language.functions import FUNCTIONS
from rulegame.limits import LIMITS, MEANINGS
from support.reference import table_of_functions

PAGE = Path(__file__).parents[2] / "docs" / "language.md"
SCHEMA = PAGE.parents[1] / "schemas" / "ruleset.schema.json"


def _limits() -> str:
    rows = [f"| {MEANINGS[name]} | {value:,} |" for name, value in LIMITS._asdict().items()]
    return "\n".join(["| what | at most |", "| --- | --- |", *rows])


TABLES = {
    "functions": table_of_functions(text=False),
    "text functions": table_of_functions(text=True),
    "limits": _limits(),
}


@pytest.mark.parametrize("name", TABLES)
def test_the_table_is_that_of_the_code(name: str) -> None:
    page = PAGE.read_text("utf-8")
    pattern = re.compile(rf"<!-- {name} -->\n.*?<!-- end -->", re.DOTALL)
    wanted = f"<!-- {name} -->\n{TABLES[name]}\n<!-- end -->"
    if os.environ.get("RULEGAME_UPDATE_GOLDEN"):
        page = pattern.sub(lambda _: wanted, page)
        PAGE.write_text(page, "utf-8")
    assert wanted in page


def test_the_functions_that_definitions_cannot_hide_are_listed() -> None:
    names = ", ".join(f"`{f.name}`" for f in FUNCTIONS.values() if not f.is_shadowable)
    assert f"the functions of version 1 ({names})" in PAGE.read_text("utf-8")


def _keys(schema: Any) -> Iterator[str]:
    """Every key that a ruleset may have, at any depth."""
    if isinstance(schema, dict):
        yield from schema.get("properties", ())
    for part in schema.values() if isinstance(schema, dict) else schema:
        if isinstance(part, (dict, list)):
            yield from _keys(part)


@pytest.mark.parametrize("key", sorted(set(_keys(json.loads(SCHEMA.read_text("utf-8"))))))
def test_every_key_of_a_ruleset_is_explained(key: str) -> None:
    said = re.findall(r"`([^`\n]+)`", PAGE.read_text("utf-8"))
    assert any(text.partition(":")[0] == key for text in said)


def test_every_section_is_in_the_table_of_contents() -> None:
    page = PAGE.read_text("utf-8")
    contents = re.findall(r"\]\(#([a-z-]+)\)", page[: page.index("\n## ")])
    titles = re.findall(r"^## (.*)$", page, re.MULTILINE)
    anchors = [re.sub(r"[^a-z ]", "", title.lower()).replace(" ", "-") for title in titles]
    assert [name for name in contents if name in anchors] == anchors


def test_later_functions_may_be_hidden() -> None:
    """A ruleset that defines a name keeps its meaning when a function gets that name."""
    version_1 = (
        "any all count sum min max list size abs mod next previous seat with without subsets rows "
        "columns lines inside neighbours around or_list and_list one_per_line a words plural "
        "capital keyed"
    )
    fixed = [one.name for one in FUNCTIONS.values() if not one.is_shadowable]
    assert fixed == version_1.split()
