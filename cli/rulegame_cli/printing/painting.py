"""Colour for the texts of a game: the same words, each player's lines in a colour of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from rulegame_cli.printing.terminal import Paint, Style, visible

SHORTEST: Final = 2  # a name of one letter is found in too many other places


def painter(names: Sequence[str], style: Style) -> Paint:
    """Whole lines, so that nothing stands between the words of one: a line that speaks of a single
    player (whose turn it is, a score, who wins) has that player's colour.
    """
    seats = {visible(name): seat for seat, name in enumerate(names) if len(name) >= SHORTEST}
    longest_first = sorted(seats, key=len, reverse=True)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in longest_first))

    def painted(line: str) -> str:
        found = set(pattern.findall(line))
        return style.seat(line, seats[found.pop()]) if len(found) == 1 else line

    def paint(text: str) -> str:
        if not style.colour or not seats:
            return text
        return "\n".join(map(painted, text.split("\n")))

    return paint
