"""What to write instead, where a value of one kind stands in the place of another."""

from __future__ import annotations

import re
from typing import Final

from rulegame.expressions import typed
from rulegame.expressions.typed import Typed
from rulegame.types import Bool, Grid, Int, List, Player, Type

FROM_TO: Final = re.compile(r"\s*(\d+)\s*-\s*(\d+)\s*")


def instead_of(found: Typed, expected: type[Type]) -> str:
    """A hint for a value whose type is not what its place expects; empty if there is none."""
    match found:
        case typed.Value(variable=variable, owner=None, type=List(of=of)) if (
            variable.each_player and isinstance(of, expected)
        ):
            return f"every player has '{variable.name}': write my.{variable.name}"
    if expected is Bool and isinstance(found.type, Int):
        return "compare it with something: … > 0"
    if expected is Int and isinstance(found.type, Bool):
        return "to count a condition, write: 1 if … else 0"
    if expected is Player and isinstance(found.type, Int):
        return "me, them, next(me), or players[1] for the player in the first seat"
    return ""


def range_instead_of(written: str) -> str:
    """A hint for `1-3` (or anything else) where numbers to choose from are expected."""
    found = FROM_TO.fullmatch(written)
    if found:
        return f"write {found[1]}..{found[2]} for the numbers from {found[1]} to {found[2]}"
    return "a range a..b, a list, a set or a grid"


def elements_of(name: str, type_: Type | None) -> str:
    """A hint for a value that is called as if it were a function."""
    if isinstance(type_, Grid):
        return f"'{name}' is a grid: write {name}[row, column]"
    if isinstance(type_, List):
        return f"'{name}' is a list: write {name}[number]"
    return f"'{name}' is a value: write it without parentheses"
