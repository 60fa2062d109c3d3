"""A table of winning and losing positions over one or two state values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.explaining.positions import LOSS, WIN, Positions, Value

MOST_ROWS: Final = 30
MOST_COLUMNS: Final = 40  # of a table with two values
MOST_IN_LINE: Final = 200  # of a table with one
MOST_VALUES: Final = 8  # that may be the axes
LEAST: Final = 3  # positions in a table

WINS: Final = "W"
LOSES: Final = "L"
OPEN: Final = "="  # neither
MIXED: Final = "?"  # other values decide
UNREACHED: Final = " "


@dataclass(frozen=True)
class Axis:
    """A state value, and the values that it takes in a table."""

    name: str
    labels: tuple[str, ...]
    more: int = 0  # values that are left out


@dataclass(frozen=True)
class Chart:
    """Whether the player to move wins or loses, a character for each position: `W`, `L`, `=` for
    neither, `?` where other values decide, a space where there is no position.
    """

    columns: Axis
    rows: Axis | None  # None: a table of one line
    cells: tuple[str, ...]  # a text for each row
    fixed: tuple[tuple[str, str], ...] = ()  # the other values, and what they are here

    def to_dict(self) -> dict[str, Any]:
        """The table for programs."""
        return {
            "columns": {"name": self.columns.name, "values": list(self.columns.labels)},
            "rows": self.rows and {"name": self.rows.name, "values": list(self.rows.labels)},
            "cells": list(self.cells),
            "fixed": dict(self.fixed),
        }


def chart_of(positions: Positions, named: frozenset[int]) -> Chart | None:
    """The table that says most, of values whose columns are named if there are any; None if no
    value is suitable.
    """
    axes = sorted(_axes(positions), key=lambda value: value.column not in named)[:MOST_VALUES]
    every = np.ones(len(positions), bool)
    for value in axes:
        if _decides(positions, [value]):
            return _drawn(positions, [value], every, ())
    for pair in combinations(axes, 2):
        if _decides(positions, pair):
            return _drawn(positions, pair, every, ())
    slices = [_slice(positions, axes, pair) for pair in combinations(axes, 2)]
    slices += [_slice(positions, axes, axes)] if len(axes) == 1 else []
    best = max(slices, key=lambda one: int(one[1].sum()), default=None)
    if best is None or best[1].sum() < LEAST:
        return None
    drawn = _drawn(positions, *best)
    return drawn if {WINS, LOSES} & set("".join(drawn.cells)) else None


def _axes(positions: Positions) -> Iterator[Value]:
    """The numbers that vary, elements of lists included."""
    yield from (value for value in positions.values if value.is_number)
    for row in positions.rows:
        if row.is_number and len(row.columns) <= MOST_VALUES:
            for k, column in enumerate(row.columns):
                cells = row.cells[:, k]
                if (cells != cells[0]).any():
                    yield Value(f"{row.name}[{k + 1}]", cells, column, True)


def _decides(positions: Positions, values: Sequence[Value]) -> bool:
    """Whether these values alone say who wins."""
    key = _number(values)
    order = np.lexsort((positions.outcome, key))
    same = key[order][1:] == key[order][:-1]
    outcome = positions.outcome[order]
    return not (same & (outcome[1:] != outcome[:-1])).any()


def _number(values: Sequence[Value]) -> NDArray[np.int64]:
    """A number for each combination of some values."""
    cells = np.stack([value.cells for value in values], axis=1)
    return np.asarray(np.unique(cells, axis=0, return_inverse=True)[1].reshape(-1), np.int64)


def _slice(
    positions: Positions, axes: Sequence[Value], chosen: Sequence[Value]
) -> tuple[list[Value], NDArray[np.bool_], tuple[tuple[str, str], ...]]:
    """The positions in which all other values are as they are most often."""
    columns = {value.column for value in chosen}
    every = {value.name: value for value in (*positions.values, *axes)}
    others = [value for value in every.values() if value.column not in columns]
    rest = _number(others) if others else np.zeros(len(positions), np.int64)
    among = rest == int(np.bincount(rest).argmax())
    at = int(np.flatnonzero(among)[0])
    fixed = tuple((value.name, value.text(int(value.cells[at]))) for value in others)
    return list(chosen), among, fixed


def _drawn(
    positions: Positions,
    values: Sequence[Value],
    among: NDArray[np.bool_],
    fixed: tuple[tuple[str, str], ...],
) -> Chart:
    across = values[-1]
    columns = _axis(across, among, MOST_COLUMNS if len(values) == 2 else MOST_IN_LINE)
    rows = _axis(values[0], among, MOST_ROWS) if len(values) == 2 else None
    found: dict[tuple[str, str], set[int]] = {}
    for number in np.flatnonzero(among).tolist():
        row = values[0].text(int(values[0].cells[number])) if rows else ""
        place = row, across.text(int(across.cells[number]))
        found.setdefault(place, set()).add(int(positions.outcome[number]))
    lines = [
        "".join(_mark(found.get((row, column), set())) for column in columns.labels)
        for row in (rows.labels if rows else ("",))
    ]
    return Chart(columns, rows, tuple(lines), fixed)


def _axis(value: Value, among: NDArray[np.bool_], most: int) -> Axis:
    known = np.unique(value.cells[among]).tolist()
    return Axis(value.name, tuple(value.text(one) for one in known[:most]), len(known[most:]))


def _mark(outcomes: set[int]) -> str:
    if not outcomes:
        return UNREACHED
    if len(outcomes) > 1:
        return MIXED
    return {WIN: WINS, LOSS: LOSES}.get(outcomes.pop(), OPEN)
