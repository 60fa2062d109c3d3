"""How long a player may think: so many iterations, or so much time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from time import monotonic

LONGEST = 86_400.0  # seconds


@dataclass(frozen=True, slots=True)
class Budget:
    """Exactly one of the two is given. Only iterations make a choice that can be repeated."""

    iterations: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        if self.seconds is None:
            return str(self.iterations)
        return f"{self.seconds:g}s" if self.seconds >= 1 else f"{self.seconds * 1000:g}ms"

    def after(self, seconds: float) -> Budget:
        """What is left after some time; a fifth at least."""
        if self.seconds is None:
            return self
        return Budget(seconds=max(self.seconds / 5, self.seconds - seconds))

    def rounds(self) -> Iterator[int]:
        """Counts as long as the budget lasts; at least once."""
        if self.seconds is None:
            yield from range(self.iterations or 1)
            return
        end = monotonic() + self.seconds
        count = 0
        yield count
        while monotonic() < end:
            count += 1
            yield count


def read_budget(text: str) -> Budget | None:
    """`5000`, `2s` or `500ms`; None for anything else."""
    found = re.fullmatch(r"(\d+|\d*\.\d+|\d+\.)(s|ms)?", text.strip().lower(), re.ASCII)
    if found is None:
        return None
    number, unit = found.groups()
    if unit is None:
        whole = number.isdigit() and len(number) <= 12 and int(number) > 0
        return Budget(iterations=int(number)) if whole else None
    seconds = float(number) / (1000 if unit == "ms" else 1)
    return Budget(seconds=seconds) if isfinite(seconds) and 0 < seconds <= LONGEST else None
