"""A picture as JSON, for front ends in a browser: the fields of its dataclasses by their names,
and the kind of each shape.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any, Final

from rulegame.drawing.pictures import (
    Bar,
    Die,
    DrawnBoard,
    Graph,
    Hand,
    Heaps,
    HiddenValue,
    History,
    Picture,
    Pits,
    PlainValue,
    Track,
)

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
