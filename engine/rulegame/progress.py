"""How work that takes long tells how far it has come."""

from __future__ import annotations

from collections.abc import Callable

# What is being done ("exploring"), how much of it, and of how much if that is known.
Progress = Callable[[str, int, int | None], None]


def silent(task: str, done: int, total: int | None) -> None:
    """For those who do not want to know."""
