"""Lists, counts and values as messages and reports write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def joined(items: Sequence[str], word: str) -> str:
    """`1`, `1 or 2`, `1, 2 or 3`."""
    if len(items) < 2:
        return "".join(items)
    return f"{', '.join(items[:-1])} {word} {items[-1]}"


def counted(count: int, noun: str) -> str:
    """`1 state`, `3,004 states`."""
    return f"{count:,} {noun}" if count == 1 else f"{count:,} {noun}s"


def as_written(value: Any) -> str:
    """A value of the library as a ruleset or a call writes it: `true`, `none`, `[3, 4]`."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, frozenset):
        value = sorted(value)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(as_written, value))}]"
    return str(value)
