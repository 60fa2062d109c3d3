"""The cells of boards: which of them lie beside one another, and what they are called.

A cell is its number, row by row, from 0 on. On a board of hexagons each row stands half a cell
further to the right than the one above: a rhombus, on which a cell has six neighbours.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from rulegame.language.types import Cell, Naming
from rulegame.limits import LIMITS

Numbers = tuple[int, ...]
Steps = tuple[tuple[int, int], ...]  # rows down and columns to the right

ORTHOGONAL: Final = ((-1, 0), (0, -1), (0, 1), (1, 0))
AROUND: Final = ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
OF_HEXAGONS: Final = ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0))
AXES: Final = ((0, 1), (1, 0), (1, 1), (1, -1))
AXES_OF_HEXAGONS: Final = ((0, 1), (1, 0), (1, -1))
LETTERS: Final = 26  # columns (or rows) that can be called by a letter


def steps_beside(hexagons: bool) -> Steps:
    """From a cell to its neighbours."""
    return OF_HEXAGONS if hexagons else ORTHOGONAL


def steps_around(hexagons: bool) -> Steps:
    """From a cell in every direction."""
    return OF_HEXAGONS if hexagons else AROUND


def axes(hexagons: bool) -> Steps:
    """The directions of lines, each of the two ways once."""
    return AXES_OF_HEXAGONS if hexagons else AXES


@lru_cache(maxsize=64)
def cells_beside(rows: int, columns: int, hexagons: bool) -> tuple[Numbers, ...]:
    """The neighbours of each cell."""
    return _near(rows, columns, steps_beside(hexagons))


@lru_cache(maxsize=64)
def cells_around(rows: int, columns: int, hexagons: bool) -> tuple[Numbers, ...]:
    """The cells around each cell."""
    return _near(rows, columns, steps_around(hexagons))


def _near(rows: int, columns: int, steps: Steps) -> tuple[Numbers, ...]:
    return tuple(
        tuple(
            (r + down) * columns + c + right
            for down, right in steps
            if 0 <= r + down < rows and 0 <= c + right < columns
        )
        for r in range(rows)
        for c in range(columns)
    )


@lru_cache(maxsize=64)
def rays_from(rows: int, columns: int, hexagons: bool) -> tuple[tuple[Numbers, ...], ...]:
    """The rays of each cell: one for each direction, in which there may be no cell."""
    return tuple(
        tuple(ray(rows, columns, cell, *step) for step in steps_around(hexagons))
        for cell in range(rows * columns)
    )


def ray(rows: int, columns: int, cell: int, down: int, right: int) -> Numbers:
    """The cells from one on, by one step after the other, without it."""
    r, c = divmod(cell, columns)
    count = min(_steps(r, rows, down), _steps(c, columns, right))
    by = down * columns + right
    if count == 0 or by == 0:  # no step, or one that leaves the board
        return ()
    return tuple(range(cell + by, cell + by * (count + 1), by))


def _steps(at: int, size: int, by: int) -> int:
    """How often one can go on by so many before the end."""
    if by == 0:
        return LIMITS.cells
    return (size - 1 - at) // by if by > 0 else at // -by


@lru_cache(maxsize=64)
def lines(rows: int, columns: int, hexagons: bool, length: int) -> tuple[Numbers, ...]:
    """All straight lines of so many cells."""
    found = []
    directions = axes(hexagons) if length > 1 else ((0, 1),)
    for down, right in directions if length > 0 else ():
        for r in range(rows):
            for c in range(columns):
                last_r, last_c = r + down * (length - 1), c + right * (length - 1)
                if last_r < rows and 0 <= last_c < columns:
                    found.append(
                        tuple((r + down * k) * columns + c + right * k for k in range(length))
                    )
    return tuple(found)


@lru_cache(maxsize=65_536)
def lines_through(
    rows: int, columns: int, hexagons: bool, length: int, cell: int
) -> tuple[Numbers, ...]:
    """Those of the lines that a cell is on, in the same order."""
    return tuple(line for line in lines(rows, columns, hexagons, length) if cell in line)


# ---- names


def cell_text(type_: Cell, code: int) -> str:
    """What a cell is called: `2 3`, `c2`."""
    row, column = code // type_.columns, code % type_.columns
    names = row_name(type_, row), column_name(type_.naming, column)
    if type_.naming == "numbers":
        return " ".join(names)
    return "".join(names if type_.naming == "row letters" else names[::-1])


def row_name(type_: Cell, row: int) -> str:
    """What stands beside a row, which counts from 0."""
    if type_.naming == "row letters":
        return chr(ord("a") + row)
    return str(type_.rows - row if type_.naming == "letters upward" else row + 1)


def column_name(naming: Naming, column: int) -> str:
    """What stands above a column."""
    return chr(ord("a") + column) if naming.startswith("letters") else str(column + 1)


def read_cell(type_: Cell, text: str) -> int | None:
    """The number of a cell that is called so; None if there is none."""
    if type_.naming == "numbers":
        found = re.fullmatch(r"([1-9][0-9]{0,3})(?:\s*,\s*|\s+)([1-9][0-9]{0,3})", text)
        if found is None or not found[0].isascii():
            return None
        row, column = int(found[1]) - 1, int(found[2]) - 1
    else:
        found = re.fullmatch(r"([a-z])\s*([1-9][0-9]{0,3})", text.lower())
        if found is None or not found[0].isascii():
            return None
        letter, digits = ord(found[1]) - ord("a"), int(found[2]) - 1
        if type_.naming == "row letters":
            row, column = letter, digits
        else:
            column, row = letter, digits
        if type_.naming == "letters upward":
            row = type_.rows - 1 - row
    inside = 0 <= row < type_.rows and 0 <= column < type_.columns
    return row * type_.columns + column if inside else None


def words_of(type_: Cell) -> int:
    """How many words of a move a cell takes."""
    return 2 if type_.naming == "numbers" else 1
