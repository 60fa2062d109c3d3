"""Who wins with probability 1, whatever the other side does: told by the graph alone, without
numbers.

Bounds in floating point cannot tell a certain win from one that is merely very likely. This can: a
side wins for certain from a set of states if it can stay in it, has a way to a win from everywhere
in it, and neither chance nor the other side can lead out of it. What is not in the greatest such
set is worth less than a win.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.solving.arena import END, HIGH, LOW, ROLL, Arena
from rulegame.solving.perfect_information.retrograde import attracted

MOST_ROUNDS: Final = 64


def certain_wins(arena: Arena, side: int) -> NDArray[np.bool_]:
    """The states from which a side wins with probability 1; fewer if it takes too long to tell."""
    mine = (arena.role == side) | (arena.role == ROLL)
    theirs = (arena.role == (LOW if side == HIGH else HIGH)) | (arena.role == ROLL)
    everywhere = np.ones(len(arena), bool)
    won = (arena.role == END) & (arena.pay == (1 if side == HIGH else -1))
    staying = np.ones(len(arena), bool)
    for _ in range(MOST_ROUNDS):
        hopeful = attracted(arena, won, staying, mine)
        if np.array_equal(hopeful, staying):
            return staying
        staying = ~attracted(arena, ~hopeful, everywhere, theirs)
    return np.zeros(len(arena), bool)
