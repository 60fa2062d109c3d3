"""Errors of exploring and solving. Apart from the packages that raise them, which need NumPy, so
that callers can catch them without it.
"""

from __future__ import annotations

from rulegame.diagnostics import PortableError
from rulegame.wording import counted, rounded


class TooLarge(PortableError):
    """The game has more states than the budget allows."""

    def __init__(self, states: int, expanded: int, budget: str, then: str = "") -> None:
        super().__init__(
            f"the game needs more than {budget}: {states:,} positions found, "
            f"{expanded:,} of them expanded{then}"
        )
        self.states = states
        self.expanded = expanded


class FarTooLarge(TooLarge):
    """Random games show that the game has many times more states than the budget allows."""

    def __init__(self, states: int, expanded: int, budget: int, least: float, games: int) -> None:
        Exception.__init__(
            self,
            f"the game needs more than {counted(budget, 'position')}: at least {rounded(least)} "
            f"(estimated from {games:,} random games), probably far more",
        )
        self.states = states
        self.expanded = expanded
        self.least = least


class TooMuchMemory(TooLarge):
    """The states of the game take more memory than there may be used."""

    def __init__(self, states: int, expanded: int, room: int, then: str) -> None:
        then += ". Allow more: --max-memory"
        super().__init__(states, expanded, counted(room, "byte"), then)


class TooLargeForDisk(TooLarge):
    """The states of the game do not fit into memory, and not into temporary files either."""

    def __init__(self, reason: str) -> None:
        Exception.__init__(self, f"the game does not fit in the allowed memory, and {reason}")
        self.states = self.expanded = 0


class TooFine(TooLarge):
    """The weights of a roll are too large to be counted."""

    def __init__(self) -> None:
        Exception.__init__(self, "the weights of a roll do not fit in 63 bits")
        self.states = self.expanded = 0


class OutOfTime(TooLarge):
    """The time limit has passed."""

    def __init__(self) -> None:
        Exception.__init__(self, "the time limit has passed")
        self.states = self.expanded = 0


class CannotSolve(Exception):
    """The game is of a kind that the solver cannot treat honestly; the message says why."""


class NotOpposed(CannotSolve):
    """What one player gains is not what the other one loses."""
