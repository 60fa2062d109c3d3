"""How soon a decided game ends: the quickest of several moves that win, the longest resistance
among several that lose. Looks ahead move by move, as far as a number of plays lasts.
"""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import Final

from rulegame.compiling import OVER, Cells, Fault
from rulegame.players.proofs import LOSS, WIN
from rulegame.players.table import FastTable

MOST_PLAYS: Final = 5000


class _Exhausted(Exception):
    """There are no plays or no time left."""


def longest_resistance(
    table: FastTable,
    cells: Cells,
    codes: list[int],
    seconds: float = inf,
    most_plays: int = MOST_PLAYS,
) -> list[int]:
    """Of moves that all lose, those after which the loss can be put off longest."""
    seat = table.player(cells)
    forcing = {1 - seat} if table.opposed else set()
    look = _Look(table, seat, LOSS, forcing, most_plays, seconds)
    standing = codes
    for depth in range(most_plays):
        try:
            held = [code for code in standing if not look.follows(cells, code, depth)]
        except _Exhausted:
            break
        if not held:
            break
        standing = held
        if len(standing) == 1:
            break
    return standing


def quickest_wins(
    table: FastTable, cells: Cells, codes: list[int], most_plays: int = MOST_PLAYS
) -> list[int]:
    """Of moves that all win, those that win first, whatever the others do and the dice bring."""
    seat = table.player(cells)
    look = _Look(table, seat, WIN, set(range(table.seats)) if table.common else {seat}, most_plays)
    for depth in range(most_plays):
        try:
            first = [code for code in codes if look.follows(cells, code, depth)]
        except _Exhausted:
            break
        if first:
            return first
    return codes


class _Look:
    """Whether a result for a seat can be forced, by the seats that try to; if none does, it must
    come about whatever is played.
    """

    def __init__(
        self,
        table: FastTable,
        seat: int,
        aim: float,
        forcing: set[int],
        most_plays: int,
        seconds: float = inf,
    ) -> None:
        self._table, self._seat, self._aim, self._forcing = table, seat, aim, forcing
        self._left = most_plays
        self._end = monotonic() + seconds
        self._within: dict[Cells, int] = {}  # the fewest plays in which it is known to be forced
        self._beyond: dict[Cells, int] = {}  # the most plays in which it is known not to be

    def follows(self, cells: Cells, code: int, depth: int) -> bool:
        """Whether a move leads to it within some plays more."""
        if not self._left or monotonic() > self._end:
            raise _Exhausted
        self._left -= 1
        try:
            cells = self._table.after(cells, code)
        except Fault:
            return False
        if self._table.player(cells) == OVER:
            return self._table.payoffs(cells)[self._seat] == self._aim
        if not depth:
            return False
        if self._within.get(cells, depth + 1) <= depth:
            return True
        if self._beyond.get(cells, -1) >= depth:
            return False
        found = self._forced(cells, depth - 1)
        (self._within if found else self._beyond)[cells] = depth
        return found

    def _forced(self, cells: Cells, depth: int) -> bool:
        player = self._table.player(cells)
        try:
            options = self._table.kernel.options(cells)
        except Fault:
            return False
        some = any if player in self._forcing else all
        return some(self.follows(cells, code, depth) for code in options)
