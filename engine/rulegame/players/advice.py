"""Advice: what each move is worth."""

from __future__ import annotations

from random import Random
from typing import Literal, NamedTuple

from rulegame.game import Move, View
from rulegame.progress import Progress, silent


class Worth(NamedTuple):
    """A move, and what it is worth."""

    move: Move
    value: float | None
    text: str


class Advice(NamedTuple):
    """The best moves, and the worth of each."""

    best: tuple[Move, ...]
    worths: tuple[Worth, ...]
    source: Literal["solution", "search"]
    note: str | None = None


def advise(view: View, rng: Random, *, first: int = 0, progress: Progress = silent) -> Advice:
    """Any move will do."""
    worths = tuple(Worth(move, None, "unknown") for move in view.moves)
    return Advice(view.moves[:1], worths, "search", "nothing is known about these moves")
