"""What is asked of the cells of a board, in the plainest way: by rows and columns, step by step."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from rulegame.evaluation import runtime
from rulegame.language.types import Cell, Grid, Order

STRAIGHT = [(-1, 0), (0, -1), (0, 1), (1, 0)]
EVERY = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if (r, c) != (0, 0)]
HEXAGONS = [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]


def of_board(name: str, board: Grid, given: list[int]) -> Any:
    """`cells(board)` and `cell(board, r, c)`."""
    if name == "cells":
        return tuple(range(board.rows * board.columns))
    row, column = given
    runtime.index(row, board.rows, -1)
    runtime.index(column, board.columns, -1)
    return (row - 1) * board.columns + column - 1


def of_cell(name: str, of: Cell, cell: int, given: list[int]) -> Any:
    """What a function gives that is called with a cell."""
    row, column = divmod(cell, of.columns)
    around = HEXAGONS if of.hexagons else EVERY
    match name:
        case "row":
            return row + 1
        case "column":
            return column + 1
        case "neighbours" | "around":
            steps = HEXAGONS if of.hexagons else STRAIGHT if name == "neighbours" else EVERY
            found = [(row + down, column + right) for down, right in steps]
            return tuple(_number(of, r, c) for r, c in found if _has(of, r, c))
        case "ray":
            return _ray(of, cell, *given)
        case "rays":
            return tuple(_ray(of, cell, down, right) for down, right in around)
    return _lines(of, cell, given[0])


def _has(of: Cell, row: int, column: int) -> bool:
    return 0 <= row < of.rows and 0 <= column < of.columns


def _number(of: Cell, row: int, column: int) -> int:
    return row * of.columns + column


def _ray(of: Cell, cell: int, down: int, right: int) -> tuple[int, ...]:
    found: list[int] = []
    row, column = divmod(cell, of.columns)
    while (down, right) != (0, 0):
        row, column = row + down, column + right
        if not _has(of, row, column):
            break
        found.append(_number(of, row, column))
    return tuple(found)


def _lines(of: Cell, cell: int, length: int) -> tuple[tuple[int, ...], ...]:
    """The lines that a cell is on: those that go on to the right first, then down."""
    if length < 1:
        return ()
    if length == 1:
        return ((cell,),)
    found = []
    for down, right in [(0, 1), (1, 0), (1, 1), (1, -1)]:
        if of.hexagons and (down, right) == (1, 1):
            continue
        for start in range(of.rows * of.columns):
            line = (start, *_ray(of, start, down, right))[:length]
            if len(line) == length and cell in line:
                found.append(line)
    return tuple(found)


def connected(of: Cell, starts: Iterable[int], holds: Callable[[int], bool]) -> tuple[int, ...]:
    """The cells that are reached, the nearest first."""
    met: list[int] = []
    reached: list[int] = []
    waiting = list(starts)
    while waiting:
        cell = waiting.pop(0)
        if cell in met:
            continue
        met.append(cell)
        if holds(cell):
            reached.append(cell)
            waiting += of_cell("neighbours", of, cell, [])
    return tuple(reached)


def of_point(name: str, order: Order, point: int, given: list[int]) -> Any:
    """What a function gives that is called with a point of a graph, by its code."""
    assert order.graph is not None
    at = point - order.first
    match name:
        case "neighbours" | "around":
            pairs = lines_of_points(order, 2)
            found = sorted({other for pair in pairs if at in pair for other in pair if other != at})
        case "lines":
            through = [line for line in lines_of_points(order, given[0]) if at in line]
            return tuple(tuple(order.first + k for k in line) for line in through)
        case _:
            rays = []
            for line in order.graph.lines:
                for place in range(len(line)):
                    if line[place] == at:
                        rays += [line[:place][::-1], line[place + 1 :]]
            return tuple(tuple(order.first + k for k in ray) for ray in rays if ray)
    return tuple(order.first + k for k in found)


def lines_of_points(order: Order, length: int) -> list[tuple[int, ...]]:
    """All runs of so many points along the lines of a graph, each in one way only."""
    assert order.graph is not None
    if length == 1:
        return [(k,) for k in range(order.size)]
    found: list[tuple[int, ...]] = []
    for line in order.graph.lines:
        for start in range(len(line) - length + 1 if length > 0 else 0):
            part = tuple(line[start + k] for k in range(length))
            if part not in found and part[::-1] not in found:
                found.append(part)
    return found


def connected_points(
    order: Order, starts: Iterable[int], holds: Callable[[int], bool]
) -> tuple[int, ...]:
    """The points that are reached, the nearest first."""
    met: list[int] = []
    reached: list[int] = []
    waiting = list(starts)
    while waiting:
        point = waiting.pop(0)
        if point in met:
            continue
        met.append(point)
        if holds(point):
            reached.append(point)
            waiting += of_point("neighbours", order, point, [])
    return tuple(reached)
