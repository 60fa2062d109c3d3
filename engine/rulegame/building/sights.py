"""The key `seen by`: a word, or the seats of those who see something."""

from __future__ import annotations

from typing import Final

from rulegame.building.context import Workbench
from rulegame.building.players import count_of
from rulegame.model import Sight
from rulegame.source.nodes import Node, Scalar, items_of, text_of

WORDS: Final[tuple[Sight, ...]] = ("all", "owner", "others", "nobody")


def sight_of(bench: Workbench, node: Node | None) -> Sight | None:
    """Who sees something, as declared; None if nothing is. Seats that a game of fewer players does
    not have are left out.
    """
    seats = items_of(node)
    if not seats:
        return next((word for word in WORDS if word == text_of(node)), None)
    count = count_of(bench.root)
    most = len(bench.players) if count is None else count.most
    found = []
    for seat in seats:
        if not isinstance(seat, Scalar) or not isinstance(seat.value, int):
            continue
        if seat.value > most:
            bench.report("E204", f"there is no seat {seat.value}", seat, f"there are {most} seats")
        elif seat.value <= len(bench.players):
            found.append(seat.value - 1)
    everyone = len(found) == len(bench.players)
    return "all" if everyone else tuple(sorted(found)) or "nobody"
