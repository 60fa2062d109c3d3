"""How long a player may think: so many iterations, so much time, or both."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import inf, isfinite
from time import monotonic

from rulegame.players.slices import Thinking

LONGEST = 86_400.0  # seconds
SLICE = 0.005  # seconds between two looks at the clock


@dataclass(frozen=True, slots=True)
class Budget:
    """The first of the two that is spent counts; None is no limit. Only a budget without a time
    makes a choice that can be repeated.
    """

    iterations: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        if self.seconds is None:
            return str(self.iterations)
        return f"{self.seconds:g}s" if self.seconds >= 1 else f"{self.seconds * 1000:g}ms"

    def within(self, seconds: float) -> Budget:
        """The same budget, limited to a time."""
        return self if self.seconds is not None else Budget(self.iterations, seconds)


class Pace:
    """Spends a budget in slices, so short that time is kept: how fast a search is, is learned. Its
    clock stops while others work.
    """

    def __init__(self, budget: Budget) -> None:
        self._iterations = budget.iterations
        self._waited = 0.0
        self._rested = self.now
        self._end = inf if budget.seconds is None else self.now + budget.seconds
        self.restart()

    @property
    def now(self) -> float:
        """The time, without that in which others worked."""
        return monotonic() - self._waited

    def restart(self) -> None:
        """Begin another search on the same clock."""
        self._left = inf if self._iterations is None else self._iterations
        self._next = 1
        self._begun = self.now

    @property
    def slice(self) -> int:
        """How many iterations to do now: none if the budget is spent."""
        return int(min(self._next, self._left))

    @property
    def is_timed(self) -> bool:
        """Whether the time is limited."""
        return self._end != inf

    def lasts(self, seconds: float) -> bool:
        """Whether so much time is left."""
        return self._end - self.now >= seconds

    def share(self, part: float) -> float:
        """When a part of the time that is left will be over, by `now`."""
        now = self.now
        return now + part * (self._end - now)

    def spend(self, iterations: int) -> Thinking[None]:
        """Count the iterations since the last time; let others work."""
        now = self.now
        left = min(SLICE, self._end - now)
        speed = iterations / max(now - self._begun, 1e-6)
        self._next = min(4 * self._next, max(1, int(left * speed))) if left > 0 else 0
        self._left -= iterations
        yield from self.rest()
        self._begun = self.now

    def rest(self) -> Thinking[None]:
        """Let others work, if the last time was a slice ago."""
        now = self.now
        if now >= self._rested + SLICE:
            yield
            self._waited += self.now - now
            self._rested = self.now


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
