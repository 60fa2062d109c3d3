"""What syntax trees and typed expressions are made of: frozen, slotted nodes that know their parts.

A node is declared like a dataclass, and type checkers take it for a frozen one. The standard
library's dataclasses would do, but take five times as long to be made: with two kinds of trees
that is a tenth of the time in which `rulegame validate` starts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Final, Literal, NoReturn, Self, dataclass_transform


@dataclass_transform(frozen_default=True)
class _NodeType(type):
    """Makes the annotations of a class its slots, in the order in which they are written."""

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> _NodeType:
        fields = tuple(n for n in body.get("__annotations__", ()) if not n.startswith("__"))
        defaults = {field: body.pop(field) for field in fields if field in body}
        if fields:
            body["__match_args__"] = fields
            kinds = body["__annotations__"]
            body["__holds_nodes__"] = tuple([f for f in fields if not _is_leaf(kinds[f])])
            body["__defaults__"] = defaults
        slots = (*fields, *body.get("__hidden__", ()))
        made = super().__new__(cls, name, bases, {**body, "__slots__": slots})
        if fields:
            made.__init__ = _first_init  # type: ignore[misc]
        return made


def _first_init(self: Tree, *values: Any, **named: Any) -> None:
    """`__init__` of the first node of a class: it makes the constructor of the class."""
    owner: Any = next(one for one in type(self).__mro__ if "__defaults__" in vars(one))
    constructor = _constructor(owner, owner.__match_args__, owner.__defaults__)
    owner.__init__ = constructor
    constructor(self, *values, **named)


LEAVES: Final = ("str", "int", "bool", "Place", "Type")  # annotations of fields without nodes


def _is_leaf(annotation: object) -> bool:
    """Whether a field certainly holds no nodes."""
    if isinstance(annotation, str):
        return annotation in LEAVES
    if isinstance(annotation, type) and not hasattr(annotation, "__args__"):
        return annotation is not object and not isinstance(annotation, _NodeType)
    if annotation is Ellipsis or getattr(annotation, "__origin__", None) is Literal:
        return True
    held = getattr(annotation, "__args__", None)
    return held is not None and all(map(_is_leaf, held))


def _constructor(
    made: type, fields: tuple[str, ...], defaults: dict[str, Any]
) -> Callable[..., None]:
    """`__init__`, which fills the slots: nothing else can."""
    names: dict[str, Any] = {f"set_{field}": getattr(made, field).__set__ for field in fields}
    names |= {f"default_{field}": value for field, value in defaults.items()}
    arguments = (f"{f}=default_{f}" if f in defaults else f for f in fields)
    filling = "; ".join(f"set_{field}(self, {field})" for field in fields)
    exec(f"def __init__(self, {', '.join(arguments)}): {filling}", names)
    constructor: Callable[..., None] = names["__init__"]
    return constructor


class Tree(metaclass=_NodeType):
    """A node. Two are equal if they are of the same class and all their fields are equal."""

    __match_args__: ClassVar[tuple[str, ...]] = ()
    __hidden__: ClassVar[tuple[str, ...]] = ()  # more slots, which make no difference between nodes
    __holds_nodes__: ClassVar[tuple[str, ...]] = ()  # the fields that may hold nodes
    __defaults__: ClassVar[dict[str, Any]] = {}

    def fields(self) -> tuple[Any, ...]:
        """The values of the fields, in order."""
        return tuple([getattr(self, name) for name in self.__match_args__])

    def replace(self, **changes: Any) -> Self:
        """The node with other values of some fields."""
        for name in self.__match_args__:
            if name not in changes:
                changes[name] = getattr(self, name)
        return type(self)(**changes)

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.fields() == other.fields()

    def __hash__(self) -> int:
        return hash((type(self), self.fields()))

    def __repr__(self) -> str:
        pairs = zip(self.__match_args__, self.fields(), strict=True)
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in pairs)})"

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"{type(self).__name__} is frozen")

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        return type(self), self.fields()


def parts(tree: Tree) -> list[Tree]:
    """The nodes directly inside a node, in the order of its fields."""
    found: list[Tree] = []
    for name in tree.__holds_nodes__:
        value = getattr(tree, name)
        if isinstance(value, Tree):
            found.append(value)
        elif type(value) is tuple:
            found += [one for one in value if isinstance(one, Tree)]
    return found


def rebuilt(part: Any, change: Callable[[Tree], Tree | None]) -> Any:
    """A tree (or a field of one) where other nodes stand for those for which `change` has one."""
    if type(part) is tuple:
        return tuple(rebuilt(one, change) for one in part)
    if not isinstance(part, Tree):
        return part
    other = change(part)
    if other is None:
        other = type(part)(*(rebuilt(value, change) for value in part.fields()))
    return other
