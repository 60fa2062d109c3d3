"""A position as a page draws it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from rulegame.drawing.pictures import Drawing, Picture, Shape
from rulegame.drawing.position import Past, draw
from rulegame.game import State


def drawn(state: State, past: Past, eyes: Collection[int], names: Sequence[str] = ()) -> Picture:
    """The position for those who look on. Lines that a ruleset draws itself cannot be clicked:
    what they stand for is drawn in their place.
    """
    picture = draw(state, past, eyes, names)
    return replace(picture, shapes=tuple(_shapes(picture.shapes)))


def _shapes(shapes: Sequence[Shape]) -> Iterator[Shape]:
    for shape in shapes:
        if isinstance(shape, Drawing):
            yield from _shapes(shape.instead)
        else:
            yield shape
