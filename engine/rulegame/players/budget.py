"""How long a player may think: so many iterations, or so much time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import isfinite
from time import monotonic

LONGEST = 86_400.0  # seconds
SLICE = 0.005  # seconds between two looks at the clock


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


class Pace:
    """Spends a budget in slices, so short that time is kept: how fast a search is, is learned."""

    def __init__(self, budget: Budget) -> None:
        self._iterations = budget.iterations or 1
        self._end = None if budget.seconds is None else monotonic() + budget.seconds
        self.restart()

    def restart(self) -> None:
        """Another search begins, on the same clock."""
        self._left = self._iterations
        self._next = 1
        self._begun = monotonic()

    @property
    def slice(self) -> int:
        """How many iterations to do now: none if the budget is spent."""
        if self._end is None:
            return min(self._next, self._left)
        return self._next

    def lasts(self, seconds: float) -> bool:
        """Whether there is so much time left; iterations may take any."""
        return self._end is None or self._end - monotonic() >= seconds

    def spend(self, iterations: int) -> None:
        """So many have been done since the last time."""
        now = monotonic()
        left = SLICE if self._end is None else min(SLICE, self._end - now)
        speed = iterations / max(now - self._begun, 1e-6)
        self._next = min(4 * self._next, max(1, int(left * speed))) if left > 0 else 0
        self._left -= iterations
        self._begun = now


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
