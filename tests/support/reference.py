"""Tables of the reference pages."""

from __future__ import annotations

from rulegame.language.functions import FUNCTIONS


def table_of_functions(text: bool) -> str:
    """The built-in functions for expressions, or those for texts."""
    rows = [f"| `{f.usage}` | {f.about} |" for f in FUNCTIONS.values() if f.text == text]
    return "\n".join(["| function | |", "| --- | --- |", *rows])
