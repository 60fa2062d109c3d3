"""Rewrites functions of the intermediate representation. What does not change stays the same
object.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import is_
from typing import Any, TypeVar

from rulegame.core import ir

N = TypeVar("N", bound=ir.Node)


def with_children(
    node: N,
    change: Callable[[Any], ir.Node],
    change_block: Callable[[ir.Block], ir.Block] | None = None,
) -> N:
    """A node after a change of the nodes directly inside it; whole blocks change at once, if there
    is a change for them.
    """
    changes: dict[str, Any] = {}
    for name in node.__inside__:
        before = getattr(node, name)
        if before is not None:
            after = change(before)
            if after is not before:
                changes[name] = after
    for name in node.__within__:
        several = getattr(node, name)
        found: Any
        if change_block is not None and type(several) is list:
            found = change_block(several)
        else:
            found = [change(one) for one in several]
        if not is_same(found, several):
            changes[name] = type(several)(found)
    return node.replace(**changes) if changes else node


def is_same(one: Sequence[ir.Node], other: Sequence[ir.Node]) -> bool:
    """Whether these are the same objects."""
    return len(one) == len(other) and all(map(is_, one, other))


def rewritten(part: Any, change: Callable[[ir.Node], ir.Node]) -> Any:
    """A node or a block after `change` of every node in it, children first."""
    if isinstance(part, list):
        return [rewritten(one, change) for one in part]
    return change(with_children(part, lambda one: rewritten(one, change)))
