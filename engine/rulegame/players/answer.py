"""The best answer to opponents who choose at random, reckoned out over all that may follow."""

from __future__ import annotations

from typing import Final

from rulegame.compiling import CHANCE, OVER, Cells, Fault
from rulegame.players.budget import Pace
from rulegame.players.slices import Thinking
from rulegame.players.table import FastTable

MOST_STATES: Final = 6000
SWEEPS: Final = 100
PRECISE: Final = 1e-6


def best_answer(
    table: FastTable, cells: Cells, codes: list[int], pace: Pace
) -> Thinking[int | None]:
    """Which of some moves does best if all other players choose at random from then on; None if too
    much may follow.
    """
    graph = _Graph(table, table.player(cells), pace)
    try:
        starts = [graph.number(table.step(cells, code)) for code in codes]
        if not (yield from graph.grow()):
            return None
    except Fault:
        return None
    values = yield from graph.values()
    return max(zip(codes, starts, strict=True), key=lambda pair: values[pair[1]])[0]


class _Graph:
    """All that may follow, seen from one seat."""

    def __init__(self, table: FastTable, seat: int, pace: Pace) -> None:
        self._table, self._seat, self._pace = table, seat, pace
        self._numbers: dict[Cells, int] = {}
        self._cells: list[Cells] = []
        self._following: list[list[tuple[int, float]]] = []
        self._chooses: list[bool] = []
        self._ends: dict[int, float] = {}

    def number(self, cells: Cells) -> int:
        cells = self._table.kernel.advance(cells)
        number = self._numbers.setdefault(cells, len(self._cells))
        if number == len(self._cells):
            self._cells.append(cells)
        return number

    def grow(self) -> Thinking[bool]:
        """Follow every state; whether they were few enough."""
        table = self._table
        for number, cells in enumerate(self._cells):  # which grows meanwhile
            yield from self._pace.rest()
            if len(self._cells) > MOST_STATES or not self._pace.lasts(0):
                return False
            ways: list[tuple[int, float]] = []
            player = table.player(cells)
            if player == OVER:
                self._ends[number] = table.payoffs(cells)[self._seat]
            elif player == CHANCE:
                ways = table.faces(cells)
            else:
                options = table.kernel.options(cells)
                ways = [(code, 1 / len(options)) for code in options]
            self._following.append([(self.number(table.step(cells, c)), p) for c, p in ways])
            self._chooses.append(player == self._seat)
        return True

    def values(self) -> Thinking[list[float]]:
        """What each state is worth, from the last that was found to the first, until it stays."""
        values = [self._ends.get(number, 0.0) for number in range(len(self._cells))]
        for _ in range(SWEEPS):
            yield from self._pace.rest()
            change = 0.0
            for number in range(len(values) - 1, -1, -1):
                ways = self._following[number]
                if not ways:
                    continue
                if self._chooses[number]:
                    value = max([values[target] for target, _ in ways])
                else:
                    value = sum([values[target] * share for target, share in ways])
                change = max(change, abs(value - values[number]))
                values[number] = value
            if change < PRECISE or not self._pace.lasts(0):
                break
        return values
