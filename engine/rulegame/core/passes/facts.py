"""What passes know of a ruleset, beside its functions."""

from __future__ import annotations

from typing import NamedTuple


class Facts(NamedTuple):
    """Facts about a ruleset. None where nobody asks."""

    size: int | None  # of a state, in cells
    operations: dict[str, int] | None  # and how many choices each has
    sites: int  # how many there are
    metered: bool = True  # a move may spend its whole budget of steps
