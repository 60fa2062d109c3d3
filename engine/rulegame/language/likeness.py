"""What two typed expressions have in common that are the same wherever both have a value: all but
their places and the names that they give themselves.
"""

from __future__ import annotations

from collections.abc import Mapping

from rulegame.language import typed
from rulegame.language.shape import Shape, shape
from rulegame.language.trees import Tree, rebuilt
from rulegame.language.typed import Typed


def likeness(e: Typed) -> Shape:
    """Equal for expressions that are alike."""
    found: Shape = shape(_numbered(e, {}))
    return found


def _numbered(e: Typed, names: Mapping[str, str]) -> Typed:
    """The expression with numbers for the names of its loops and arguments."""

    def change(part: Tree) -> Tree | None:
        match part:
            case typed.Local(name=name):
                return part.replace(name=names[name]) if name in names else part
            case typed.Let(name=name, value=value, body=body):
                inner = {**names, name: f"#{len(names)}"}
                value, body = _numbered(value, names), _numbered(body, inner)
                return part.replace(name=inner[name], value=value, body=body)
            case typed.Aggregate():
                return _numbered_loops(part, names)
        return None

    return rebuilt(e, change)  # type: ignore[no-any-return]


def _numbered_loops(e: typed.Aggregate, names: Mapping[str, str]) -> typed.Aggregate:
    loops = []
    for loop in e.loops:
        collection = _numbered(loop.collection, names)
        names = {**names, loop.name: f"#{len(names)}"}
        condition = None if loop.condition is None else _numbered(loop.condition, names)
        name = names[loop.name]
        loops.append(loop.replace(name=name, collection=collection, condition=condition))
    return e.replace(loops=tuple(loops), body=_numbered(e.body, names))
