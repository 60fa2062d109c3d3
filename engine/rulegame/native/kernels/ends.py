"""What games end with."""

from __future__ import annotations

from rulegame.native.kernels.machine import PARTS, PAYOFFS, PAYS, Words


def payoff_of(s: Words, seat: int) -> int:
    """What a player gets at an end, in parts of 1: what the rule pays, or 1 for a win and -1 for a
    loss.
    """
    if PAYS[-1 - s[1]] == 1:
        return s[PAYOFFS + seat]
    return ((s[2] >> seat & 1) - (s[2] >> (seat + 8) & 1)) * PARTS
