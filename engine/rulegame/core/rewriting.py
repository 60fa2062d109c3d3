"""Rewrites functions of the intermediate representation from the leaves up."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulegame.core import ir


def rewritten(part: Any, change: Callable[[ir.Node], ir.Node]) -> Any:
    """A node, a block or another field of a node, after `change` of every node in it, children
    first. What does not change stays the same object.
    """
    if isinstance(part, ir.Node):
        before = part.fields()
        after = [rewritten(value, change) for value in before]
        same = all(one is other for one, other in zip(before, after, strict=True))
        return change(part if same else type(part)(*after))
    if isinstance(part, (list, tuple)):
        found = [rewritten(one, change) for one in part]
        if all(one is other for one, other in zip(part, found, strict=True)):
            return part
        return type(part)(found)
    return part
