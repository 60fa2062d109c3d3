"""Values and lengths of solved games, and settings, as reports write them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulegame.wording import as_written, counted
from rulegame_cli.printing.terminal import one_line


def moves_text(count: int | None, otherwise: str) -> str:
    """How many moves; `otherwise` if there is no such number."""
    return otherwise if count is None else counted(count, "move")


def value_text(value: Any) -> str:
    """A value as it is typed."""
    return one_line(as_written(value))


def setting_text(values: Sequence[tuple[str, Any]]) -> str:
    """A setting as it is typed."""
    return ", ".join(f"{name}={value_text(value)}" for name, value in values)


def bytes_text(size: int) -> str:
    """A number of bytes as people read it: `312 bytes`, `140 KiB`, `2.5 GiB`."""
    if size < 1024:
        return counted(size, "byte")
    power = 1 + (size > 999 * 2**10) + (size > 999 * 2**20)
    amount, unit = size / 2 ** (10 * power), ("KiB", "MiB", "GiB")[power - 1]
    return f"{amount:.1f} {unit}" if amount < 10 else f"{amount:,.0f} {unit}"
