"""What a search tree proves: results that hold whatever the other players do.

For two players with opposite interests, who both see everything, a state has one value: what one
of them can force, the other cannot avoid. Where every end means the same to all, it has one value,
too: that of the best end that they can bring about together. In any other game nobody knows what
the others are out for. There a seat is sure of a win that it can force against all others together,
and of any other result only if that comes about whatever anyone does.
"""

from __future__ import annotations

from typing import Final, NamedTuple

WIN: Final = 1.0  # the most that there is, where nobody is paid otherwise
LOSS: Final = -1.0


class Proof(NamedTuple):
    """What a seat is certain to get from a state on, and within how many moves and rolls. It is
    `sure` if that is the result; otherwise it is so on average.
    """

    value: float
    away: int
    sure: bool
