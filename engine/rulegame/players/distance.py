"""How soon a decided game ends: the quickest of several moves that win, the longest resistance
among several that lose. Looks ahead move by move, as far as a number of plays lasts.
"""

from __future__ import annotations

from typing import Final

from rulegame.compiling import POINT, SEAT
from rulegame.evaluation.runtime import Cells
from rulegame.game import Move
from rulegame.players.proofs import LOSS, WIN
from rulegame.players.table import BROKEN, FastTable

MOST_PLAYS: Final = 5000


class _Exhausted(Exception):
    """There are no plays left."""


def longest_resistance(table: FastTable, cells: Cells, moves: list[Move]) -> list[Move]:
    """Of moves that all lose, those after which the loss can be put off longest."""
    seat = cells[SEAT]
    look = _Look(table, seat, LOSS, 1 - seat if table.opposed else None)
    standing = moves
    for depth in range(MOST_PLAYS):
        try:
            held = [m for m in standing if not look.follows(cells, m, depth)]
        except _Exhausted:
            break
        if not held:
            break
        standing = held
        if len(standing) == 1:
            break
    return standing


def quickest_wins(table: FastTable, cells: Cells, moves: list[Move]) -> list[Move]:
    """Of moves that all win, those that win first, whatever the others do and the dice bring."""
    seat = cells[SEAT]
    look = _Look(table, seat, WIN, seat)
    for depth in range(MOST_PLAYS):
        try:
            first = [m for m in moves if look.follows(cells, m, depth)]
        except _Exhausted:
            break
        if first:
            return first
    return moves


class _Look:
    """Whether a result for a seat can be forced, by the one seat that tries to; if none does, it
    must come about whatever is played.
    """

    def __init__(self, table: FastTable, seat: int, aim: float, forcing: int | None) -> None:
        self._table, self._seat, self._aim, self._forcing = table, seat, aim, forcing
        self._left = MOST_PLAYS
        self._within: dict[Cells, int] = {}  # the fewest plays in which it is known to be forced
        self._beyond: dict[Cells, int] = {}  # the most plays in which it is known not to be

    def follows(self, cells: Cells, move: Move, depth: int) -> bool:
        """Whether a move leads to it within some plays more."""
        return self._after(cells, move.codes, depth)

    def _after(self, cells: Cells, codes: tuple[int, ...], depth: int) -> bool:
        if not self._left:
            raise _Exhausted
        self._left -= 1
        try:
            cells = self._table.advance(self._table.play(cells, codes))
        except BROKEN:
            return False
        if cells[POINT] < 0:
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
        try:
            if cells[POINT] in self._table.rolls:
                faces = [codes for codes, _ in self._table.faces(cells)]
                return all(self._after(cells, codes, depth) for codes in faces)
            _, moves = self._table.settle(cells)
        except BROKEN:
            return False
        some = any if cells[SEAT] == self._forcing else all
        return some(self._after(cells, move.codes, depth) for move in moves)
