"""A position as a page draws it, and as JSON: the fields of its dataclasses by their names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any, Final

from rulegame.drawing.pictures import (
    Bar,
    Die,
    Drawing,
    DrawnBoard,
    Graph,
    Hand,
    Heaps,
    HiddenValue,
    History,
    Picture,
    Pits,
    PlainValue,
    Shape,
    Track,
)
from rulegame.drawing.position import Past, draw
from rulegame.game import State

SHAPES: Final[Mapping[type, str]] = {
    DrawnBoard: "board",
    Graph: "graph",
    Pits: "pits",
    Bar: "bar",
    Heaps: "heaps",
    Track: "track",
    Hand: "hand",
    Die: "die",
    PlainValue: "value",
    History: "history",
    HiddenValue: "hidden",
}


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


def picture_data(picture: Picture) -> dict[str, Any]:
    """A picture for a page to draw."""
    found: dict[str, Any] = _data(picture)
    return found


def _data(value: Any) -> Any:
    if is_dataclass(value) and not isinstance(value, type):
        data = {field.name: _data(getattr(value, field.name)) for field in fields(value)}
        shape = SHAPES.get(type(value))
        return data if shape is None else {"shape": shape, **data}
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        return {name: _data(part) for name, part in value._asdict().items()}
    if isinstance(value, tuple | list):
        return [_data(part) for part in value]
    return value
