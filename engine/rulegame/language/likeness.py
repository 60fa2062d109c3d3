"""What two typed expressions have in common that are the same wherever both have a value: all but
their places, their types, which follow from the rest, and the names that they give themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from rulegame.language import typed
from rulegame.language.trees import Tree
from rulegame.language.typed import Typed, Variable
from rulegame.language.types import Cell

Likeness = tuple[Any, ...]
_NO_NAMES: Final[Mapping[str, int]] = {}


def likeness(e: Typed, names: Mapping[str, int] = _NO_NAMES) -> Likeness:
    """Equal for expressions that are alike; `names` are the numbers of those that it gives."""
    match e:
        case typed.Constant(type=type_, code=code):
            return (type_ if isinstance(type_, Cell) else type(type_), code)
        case typed.Local(name=name):
            return (typed.Local, names.get(name, name))
        case typed.Let(name=name, value=value, body=body):
            inner = {**names, name: len(names)}
            return (typed.Let, likeness(value, names), likeness(body, inner))
        case typed.Aggregate(function=function, body=body, loops=loops):
            gone_through: list[Likeness | None] = []
            for loop in loops:
                gone_through.append(likeness(loop.collection, names))
                names = {**names, loop.name: len(names)}
                asked = loop.condition
                gone_through.append(None if asked is None else likeness(asked, names))
            return (typed.Aggregate, function, *gone_through, likeness(body, names))
    told = [name for name in e.__match_args__ if name not in ("type", "place")]
    return (type(e), *[_field(getattr(e, name), names) for name in told])


def _field(value: Any, names: Mapping[str, int]) -> Any:
    if type(value) is tuple:
        return tuple([_field(one, names) for one in value])
    if isinstance(value, Tree):
        return likeness(value, names)  # type: ignore[arg-type]
    return value.name if isinstance(value, Variable) else value
