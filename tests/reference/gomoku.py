"""Gomoku, the free kind.

The players put stones in turn on the empty crossings of a square board (15 by 15); `place 1 3` is
the third crossing of the first row. Five or more stones of one's own next to each other in a row,
a column or a diagonal win (`line`). A full board without that is a draw (`full`).
That is tic-tac-toe on a larger board.
"""

from __future__ import annotations

from reference import tic_tac_toe


def start(first: int = 0, *, size: int = 15, line: int = 5) -> tic_tac_toe.TicTacToe:
    """Return the first position."""
    return tic_tac_toe.start(first, size=size, line=line)
