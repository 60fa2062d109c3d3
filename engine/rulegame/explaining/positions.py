"""The positions of a solved game as a player who is to move sees them: state values, and whether
best play wins or loses. Positions that differ only in whose turn it is are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.evaluation.values import decode_one
from rulegame.game import Game
from rulegame.language.types import (
    NONE_CODE,
    Grid,
    Int,
    List,
    PlayerType,
    Set,
    Type,
    size_of,
)
from rulegame.solving.arena import HIGH, LOW
from rulegame.solving.perfect_information.solution import PerfectInformationSolution
from rulegame.wording import as_written

WIN: Final = 1
LOSS: Final = -1
SEATS: Final = ("me", "them")  # counted from the player to move
NEITHER: Final = 0  # drawn, endless, or left to chance

Cells = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Value:
    """A state value, or one element of a list, in every position."""

    name: str
    cells: Cells
    column: int  # of the raw cells
    is_number: bool
    texts: Mapping[int, str] = field(default_factory=dict)  # of values that are no numbers

    def text(self, cell: int) -> str:
        """One value, as a ruleset writes it."""
        return str(cell) if self.is_number else self.texts[cell]


@dataclass(frozen=True, eq=False)
class Row:
    """A list, a board or a set in every position: a column for each element."""

    name: str
    cells: NDArray[np.int64]  # a row for each position
    columns: tuple[int, ...]  # of the raw cells
    is_number: bool
    texts: Mapping[int, str]


@dataclass(frozen=True, eq=False)
class Positions:
    """All different positions in which a player decides."""

    outcome: NDArray[np.int8]  # for the player to move
    raw: NDArray[np.int64]  # a row for each position: every cell that matters
    values: tuple[Value, ...]
    rows: tuple[Row, ...]

    def __len__(self) -> int:
        return len(self.outcome)

    def distinct(self, columns: frozenset[int], among: NDArray[np.bool_]) -> int:
        """How many of some positions differ in these columns."""
        chosen = self.raw[among][:, sorted(columns)]
        return len(np.unique(chosen, axis=0)) if chosen.size else min(1, len(chosen))


def positions_of(solution: PerfectInformationSolution) -> Positions:
    """The positions of a solution, each once."""
    graph, game = solution.graph, solution.game
    states = np.flatnonzero((solution.arena.role == HIGH) | (solution.arena.role == LOW))
    mover = graph.owner[states].astype(np.int64)
    columns = [np.asarray(column, np.int64) for column in graph.cells.columns(states)]
    cells = np.stack(columns, axis=1) if columns else np.zeros((len(states), 0), np.int64)
    outcome = _outcomes(solution, states)
    table = _Table(game, cells, mover)
    found = _merged(table.seen_by_mover(), outcome)
    if found is None:  # it matters who is to move
        found = _merged(np.column_stack((table.seen_by_mover(), mover)), outcome)
        assert found is not None
    raw, outcome = found
    values, rows = table.values(raw)
    return Positions(outcome, raw, values, rows)


def _outcomes(solution: PerfectInformationSolution, states: NDArray[Any]) -> NDArray[np.int8]:
    outcome = np.zeros(len(states), np.int8)
    if solution.arena.plain:
        sign = np.where(solution.arena.role[states] == HIGH, 1, -1).astype(np.int8)
        outcome[solution.lowers[states] == 1] = WIN
        outcome[solution.uppers[states] == -1] = LOSS
        outcome *= sign
    return outcome


def _merged(
    raw: NDArray[np.int64], outcome: NDArray[np.int8]
) -> tuple[NDArray[np.int64], NDArray[np.int8]] | None:
    """Every row once; None if equal rows have different outcomes."""
    rows, first, back = np.unique(raw, axis=0, return_index=True, return_inverse=True)
    merged = outcome[first]
    return (rows, merged) if (merged[back.reshape(-1)] == outcome).all() else None


class _Table:
    """The cells of states, from the side of the player who is to move."""

    def __init__(self, game: Game, cells: NDArray[np.int64], mover: NDArray[np.int64]) -> None:
        self.game, self.cells, self.mover = game, cells, mover
        self.players = len(game.players)
        self.kernel = game.kernel

    def seen_by_mover(self) -> NDArray[np.int64]:
        """Each player's values with those of the player to move first; seats counted from there."""
        cells = self.cells.copy()
        if len(cells):
            cells[:, 0] = 0  # the seat
        for name, value in self.game.ruleset.state.items():
            type_, each = value.variable.type, value.variable.each_player
            at, size = self.kernel.places(name).start, size_of(type_)
            of = type_.of if isinstance(type_, List | Grid) else type_
            if each:
                for k in range(self.players):
                    seat = (self.mover + k) % self.players
                    for cell in range(size):
                        from_ = at + seat * size + cell
                        cells[:, at + k * size + cell] = self.cells[np.arange(len(cells)), from_]
            if isinstance(of, PlayerType):
                part = cells[:, at : at + size * (self.players if each else 1)]
                known = part != NONE_CODE
                turned = (part - self.mover[:, None]) % self.players
                part[:] = np.where(known, turned, part)
        first = self.kernel.first_place
        if first is not None:
            cells[:, first] = (cells[:, first] - self.mover) % self.players
        return cells

    def values(self, raw: NDArray[np.int64]) -> tuple[tuple[Value, ...], tuple[Row, ...]]:
        """The declared values that differ between positions, single ones and rows of them."""
        values = list(self._values(raw))
        if raw.shape[1] > self.cells.shape[1]:
            seats, last = dict(enumerate(self.game.players)), raw.shape[1] - 1
            values.append(Value("player", raw[:, last], last, False, seats))
        return tuple(values), tuple(self._rows(raw))

    def _declared(self) -> Iterator[tuple[str, Type, int]]:
        """The values by what the player to move calls them, with their first cells."""
        for name, value in self.game.ruleset.state.items():
            type_, at = value.variable.type, self.kernel.places(name).start
            if not value.variable.each_player:
                yield name, type_, at
                continue
            for k, who in enumerate(("my", "their")[: self.players]):
                yield f"{who}.{name}", type_, at + k * size_of(type_)

    def _values(self, raw: NDArray[np.int64]) -> Iterator[Value]:
        for roll in self.game.ruleset.turn.rolls:
            yield from self._value(roll.name, roll.element, raw, self.kernel.roll_places[roll.name])
        for name, type_, at in self._declared():
            if not isinstance(type_, List | Grid | Set):
                yield from self._value(name, type_, raw, at)

    def _value(self, name: str, type_: Type, raw: NDArray[np.int64], at: int) -> Iterator[Value]:
        cells = raw[:, at]
        if len(cells) and (cells != cells[0]).any():
            is_number = isinstance(type_, Int)
            yield Value(name, cells, at, is_number, {} if is_number else self._texts(type_, cells))

    def _rows(self, raw: NDArray[np.int64]) -> Iterator[Row]:
        for name, type_, at in self._declared():
            if not isinstance(type_, List | Grid) or isinstance(type_.of, Set):
                continue
            columns = tuple(range(at, at + size_of(type_)))
            cells = raw[:, list(columns)]
            if cells.size and (cells != cells[0]).any():
                is_number = isinstance(type_.of, Int)
                texts = {} if is_number else self._texts(type_.of, cells)
                yield Row(name, cells, columns, is_number, texts)

    def _texts(self, type_: Type, cells: NDArray[np.int64]) -> dict[int, str]:
        words = self.game.ruleset.words
        found = {}
        for code in np.unique(cells).tolist():
            seat = isinstance(getattr(type_, "of", type_), PlayerType) and code != NONE_CODE
            found[code] = SEATS[code] if seat else as_written(decode_one(type_, code, words))
        return found
