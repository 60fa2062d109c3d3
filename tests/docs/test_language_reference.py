"""The tables in the language reference are those of the code."""

import os
import re
from pathlib import Path

import pytest

from rulegame.expressions.functions import FUNCTIONS
from rulegame.limits import LIMITS, MEANINGS

PAGE = Path(__file__).parents[2] / "docs" / "language.md"


def _functions(text: bool) -> str:
    rows = [f"| `{f.usage}` | {f.about} |" for f in FUNCTIONS.values() if f.text == text]
    return "\n".join(["| function | |", "| --- | --- |", *rows])


def _limits() -> str:
    rows = [f"| {MEANINGS[name]} | {value:,} |" for name, value in LIMITS._asdict().items()]
    return "\n".join(["| what | at most |", "| --- | --- |", *rows])


TABLES = {
    "functions": _functions(text=False),
    "text functions": _functions(text=True),
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
