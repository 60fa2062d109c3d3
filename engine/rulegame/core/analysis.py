"""Facts about expressions and statements that passes ask for: which names they read and set,
whether they are total, and whether two are the same but for names (`alpha_key`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from rulegame.core import ir

CHARGED: Final = ("charge", "through")  # intrinsics that spend steps of the meter, beside `span`
MUTATORS: Final = ("begin_at", "spread")  # of their first argument
Key = tuple[Any, ...]
FAILING: Final = (ir.Commit, ir.CommitJoint, ir.DeferJoint, ir.Attempt, ir.OfferAll, ir.Compel)


def reads(*nodes: ir.Node) -> set[str]:
    """The names and the states that are read, without the names that the nodes set themselves."""
    found: set[str] = set()
    own: set[str] = set()
    for node in ir.walk(*nodes):
        match node:
            case ir.Local(name=name) | ir.Array(state=name):
                found.add(name)
            case ir.Load(state=name) | ir.Slice(state=name):
                found.add(name)
            case ir.Assign(name=name) | ir.NewList(name=name) | ir.For(name=name):
                own.add(name)
    return found - own


def sets(*nodes: ir.Node) -> set[str]:
    """The names that are set, by loops too, and `t` if a cell may change."""
    found: set[str] = set()
    for node in ir.walk(*nodes):
        found |= sets_itself(node)
    return found


def sets_itself(node: ir.Node) -> set[str]:
    """The same for a node without the nodes inside it."""
    match node:
        case ir.Assign(name=name) | ir.NewList(name=name) | ir.For(name=name):
            return {name}
        case ir.Call(function="over"):
            return {"t"}
        case ir.Call(function=function, arguments=(ir.Local(name=name), *_)):
            return {name} if function in MUTATORS else set()
        case ir.Append(name=name):
            return {name}
    return {"t"} if isinstance(node, ir.WRITES) else set()


def is_total(nodes: Iterable[ir.Node], metered: bool) -> bool:
    """Whether nothing fails and nothing is charged for, so that it makes no difference whether
    and when the nodes are evaluated.
    """
    for node in ir.walk(*nodes):
        match node:
            case ir.Call(function="span"):
                if metered:
                    return False
            case ir.Call(function=function, site=site, sure=sure):
                if function in CHARGED or (site is not None and not sure):
                    return False
            case ir.Stmt() if isinstance(node, FAILING):
                return False
    return True


def alpha_key(node: Any, names: dict[str, int] | None = None) -> Key:
    """Equal for expressions that are equal up to sites and the names that their statements set."""
    names = {} if names is None else names
    match node:
        case ir.Local(name=name):
            return (ir.Local, names.get(name, name))
        case ir.Const(value=value):
            return (type(value), value)
        case ir.For(name=name, collection=collection, body=body):
            through = alpha_key(collection, names)
            return (ir.For, through, names.setdefault(name, len(names)), alpha_key(body, names))
        case ir.Assign(name=name, value=value):
            return (ir.Assign, alpha_key(value, names), names.setdefault(name, len(names)))
        case ir.NewList(name=name):
            return (ir.NewList, names.setdefault(name, len(names)))
        case ir.Append(name=name, value=value):
            return (ir.Append, names.get(name, name), alpha_key(value, names))
        case ir.Node():
            fields: tuple[str, ...] = node.__match_args__
            parts = [alpha_key(getattr(node, name), names) for name in fields if name != "site"]
            return (type(node), *parts)
        case list() | tuple():
            return tuple([alpha_key(one, names) for one in node])
    return node  # type: ignore[no-any-return]
