"""The built-in functions: one table that the binder, the emitter and the reference page read.

A new function is one entry here and, if no Python built-in does it, one function in
`evaluation.runtime`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from rulegame.language import arguments as takes
from rulegame.language.arguments import Check, Work
from rulegame.language.cells import steps_around, steps_beside
from rulegame.language.typed import Loop
from rulegame.language.types import (
    ANY_NUMBER,
    Bool,
    Cell,
    Int,
    List,
    Type,
    join,
    most_elements,
)
from rulegame.limits import LIMITS


class Function(NamedTuple):
    """A built-in: how it is called, what it gives, and how it is run."""

    name: str
    usage: str
    about: str
    check: Check
    least: int = 1
    most: int = 1
    loops: bool = False  # may be called as f(x for v in collection)
    only_loops: bool = False  # must be
    text: bool = False  # only in texts
    shape: bool = False  # the emitter puts the rows and columns of the grid in front
    low: bool = False  # the emitter appends the least and the greatest element of the set
    fails: bool = False  # can fail at run time: the emitter appends where it stands
    work: Work | None = None  # the most elements that it makes, where its type does not tell
    late: bool = False  # a definition of the same name, which older rulesets may have, comes first


MANY: Final = 1000

FUNCTIONS: Final[dict[str, Function]] = {
    f.name: f
    for f in (
        Function("any", "any(condition for v in collection)", "whether it holds for at least one",
                 takes.condition, loops=True),
        Function("all", "all(condition for v in collection)", "whether it holds for every one",
                 takes.condition, loops=True),
        Function("count", "count(x for v in collection if condition)",
                 "how many there are; if x is a condition, how many times it holds",
                 takes.size, loops=True, only_loops=True),
        Function("sum", "sum(collection), sum(x for …)", "the sum; 0 of nothing", takes.total,
                 loops=True),
        Function("min", "min(a, b, …), min(collection), min(x for …)", "the least",
                 takes.extreme(min), most=MANY, loops=True, fails=True),
        Function("max", "max(a, b, …), max(collection), max(x for …)", "the greatest",
                 takes.extreme(max), most=MANY, loops=True, fails=True),
        Function("list", "list(x for v in collection if condition)", "a list of all of them",
                 takes.listed, loops=True),
        Function("size", "size(collection)", "how many elements it has", takes.size),
        Function("abs", "abs(a)", "the number without its sign", takes.distance),
        Function("mod", "mod(a, b)", "the remainder in 0..b-1: mod(-1, 5) is 4", takes.remainder,
                 least=2, most=2, fails=True),
        Function("next", "next(p)", "the player in the seat after p's; after the last the first",
                 takes.player),
        Function("previous", "previous(p)", "the player in the seat before p's", takes.player),
        Function("seat", "seat(p)", "the number of p's seat, from 1", takes.seat),
        Function("with", "with(s, n)", "the set s and the number n", takes.changed_set,
                 least=2, most=2, low=True, fails=True),
        Function("without", "without(s, n)", "the set s without the number n", takes.changed_set,
                 least=2, most=2, low=True, fails=True),
        Function("union", "union(s, t, …)", "the set s and all that is in t: a set, or numbers",
                 takes.united, least=2, most=MANY, late=True),
        Function("intersection", "intersection(s, t, …)", "what the set s has in common with t",
                 takes.united, least=2, most=MANY, late=True),
        Function("difference", "difference(s, t, …)", "the set s without all that is in t",
                 takes.united, least=2, most=MANY, late=True),
        Function("complement", "complement(s)",
                 "the numbers that the set s could have in it, and has not", takes.set_in,
                 low=True, late=True),
        Function("subsets", "subsets(collection, k), subsets(collection)",
                 "all sets of k different numbers of the collection, to choose from; without k of "
                 "any size, the empty one too", takes.subsets,
                 least=1, most=2, low=True, fails=True, work=takes.subset_work),
        Function("sorted", "sorted(collection)", "a list of the numbers, the lowest first",
                 takes.sorted_, late=True),
        Function("lowest", "lowest(collection, k)",
                 "a list of the k lowest numbers, the lowest first; all, if there are fewer",
                 takes.some_of, least=2, most=2, late=True),
        Function("highest", "highest(collection, k)",
                 "a list of the k highest numbers, the highest first; all, if there are fewer",
                 takes.some_of, least=2, most=2, late=True),
        Function("rows", "rows(grid)", "the rows, each a list from left to right", takes.rows,
                 shape=True),
        Function("columns", "columns(grid)", "the columns, each a list from top to bottom",
                 takes.columns, shape=True),
        Function("lines", "lines(grid, k), lines(c, k)",
                 "all straight lines of k cells, along rows, columns and diagonals: what is in "
                 "them; of a cell c, those that it is on, each a list of cells", takes.lines,
                 least=2, most=2, shape=True, work=takes.line_work),
        Function("inside", "inside(grid, r, c)", "whether the grid has that cell",
                 takes.inside, least=3, most=3, shape=True),
        Function("neighbours", "neighbours(grid, r, c), neighbours(c)",
                 "what is in the cells above, below, left and right of that one; of a cell c, "
                 "those cells", takes.near(steps_beside), most=3, shape=True),
        Function("around", "around(grid, r, c), around(c)",
                 "what is in the up to eight cells around that one; of a cell c, those cells",
                 takes.near(steps_around), most=3, shape=True),
        Function("cells", "cells(board)", "all cells of a board, row by row", takes.every_cell,
                 late=True),
        Function("cell", "cell(board, r, c)", "the cell of a board in that row and column",
                 takes.one_cell, least=3, most=3, fails=True, late=True),
        Function("row", "row(c)", "the row of a cell, from 1", takes.row_of_cell, late=True),
        Function("column", "column(c)", "the column of a cell, from 1", takes.column_of_cell,
                 late=True),
        Function("rays", "rays(c)",
                 "a list for each direction: the cells from c to the edge, nearest first, "
                 "without c", takes.rays, work=takes.ray_work, late=True),
        Function("ray", "ray(c, down, right)",
                 "the cells from c to the edge by steps of so many rows and columns, nearest "
                 "first, without c", takes.ray, least=3, most=3, late=True),
        Function("run", "run(x for v in collection if condition)",
                 "a list of the first ones, as long as the condition holds", takes.listed,
                 loops=True, only_loops=True, late=True),
        Function("connected", "connected(c for c in cells if condition)",
                 "a list of all cells for which the condition holds that can be reached from "
                 "those cells over neighbours for which it holds", takes.listed, loops=True,
                 only_loops=True, late=True),
        Function("or_list", "or_list(collection)", "`1, 2 or 3`", takes.texts, text=True),
        Function("and_list", "and_list(collection)", "`1, 2 and 3`", takes.texts, text=True),
        Function("one_per_line", "one_per_line(collection)", "each on a line of its own",
                 takes.texts, text=True),
        Function("a", "a(n)", "with its article: `a 7`, `an 8`, `an apple`", takes.of_number,
                 text=True),
        Function("words", "words(n)", "a number up to twelve in words: `three`", takes.of_number,
                 text=True),
        Function("plural", 'plural(n, "point", "points")', "`1 point`, `2 points`", takes.counted,
                 least=3, most=3, text=True),
        Function("capital", "capital(text)", "with a capital first letter", takes.text, text=True),
        Function("keyed", "keyed(label, key)", "`(A)dd`: the label with its key letter marked",
                 takes.two_texts, least=2, most=2, text=True),
    )
}  # fmt: skip


def aggregate_type(function: str, body: Type, loops: Sequence[Loop]) -> Type | None:
    """The type of f(body for …), or None if the body has the wrong type."""
    if function in ("any", "all"):
        return Bool() if isinstance(body, Bool) else None
    if function == "count":
        return Int(0)
    if function == "connected":
        return List(body, None, body.rows * body.columns) if isinstance(body, Cell) else None
    if function in ("list", "run"):
        return _listed(body, loops)
    if not isinstance(body, Int):
        return None
    return ANY_NUMBER if function == "sum" else body


def _listed(body: Type, loops: Sequence[Loop]) -> List:
    """A list of what loops go through, with its size, or the most that it may be."""
    exact = all(loop.condition is None for loop in loops)
    size: int | None = 1
    most: int | None = 1
    for loop in loops:
        type_ = loop.collection.type
        known = type_.size if isinstance(type_, List) else None
        size = None if size is None or known is None else size * known
        longest = most_elements(type_)
        most = None if most is None or longest is None else most * longest
    if most is not None and most > LIMITS.collection:
        most = None
    return List(body, size if exact else None, most)


def joined(types: Sequence[Type]) -> Type | None:
    """The least type that holds all."""
    result: Type | None = types[0]
    for one in types[1:]:
        result = None if result is None else join(result, one)
    return result
