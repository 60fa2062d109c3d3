"""Colour for the texts of a game: the same words, with the players and the numbers standing out."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rulegame_cli.terminal import Paint, Style, visible

SHORTEST: Final = 2  # a name of one letter is found in too many other places


def painter(names: Sequence[str], style: Style) -> Paint:
    """Each player's name in a colour of its own, numbers in bold; nothing at all without colour."""
    seats = {visible(name): seat for seat, name in enumerate(names) if len(name) >= SHORTEST}
    longest_first = sorted(seats, key=len, reverse=True)
    named = "|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first)
    number = r"(?<![\w.])-?\d+(?![\w.]\d)"
    pattern = re.compile(f"({named})|({number})" if named else f"((?!))|({number})")

    def painted(found: re.Match[str]) -> str:
        if found[1]:
            return style.seat(found[1], seats[found[1]])
        return style.bold(found[0])

    def paint(text: str) -> str:
        return pattern.sub(painted, text) if style.colour else text

    return paint
