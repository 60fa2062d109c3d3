"""The built-in functions, a row each. The binder, both backends, the rulebook, the editor, the
fuzzer and the reference page read this table.
"""

from __future__ import annotations

from typing import Final

from rulegame.language import arguments as takes
from rulegame.language.built_in import Function, Intrinsic, Loops, Reference, Registry
from rulegame.language.cells import steps_around, steps_beside

MANY: Final = 1000


def _intrinsic(name: str, signature: str, method: str) -> Intrinsic:
    """One that Python has in `evaluation.runtime`."""
    return Intrinsic(
        name, signature, Reference(f"rulegame.evaluation.runtime:{name}"), _method(method)
    )


def _wide(name: str, signature: str) -> Intrinsic:
    """One for sets in several cells."""
    return Intrinsic(
        name, signature, Reference(f"rulegame.evaluation.wide_sets:{name}"), _method(name)
    )


def _method(name: str) -> Reference:
    return Reference(f"rulegame.native.functions:Functions.{name}")


def _of_texts(name: str, signature: str, function: str = "") -> tuple[Intrinsic]:
    """One that only Python has."""
    python = Reference(f"rulegame.evaluation.text_functions:{function or name}")
    return (Intrinsic(f"f_{name}", signature, python),)


def _lowered(name: str) -> Reference:
    return Reference(f"rulegame.evaluation.calls:{name}")


def _phrase(name: str) -> Reference:
    return Reference(f"rulegame.rulebook.calls:{name}")


BESIDE_POINT: Final = _intrinsic("points_beside", "iii -> m", "points_beside")
POINT_LINES: Final = _intrinsic("points_in_line", "iiii -> n", "points_in_line")
POINT_RAYS: Final = _intrinsic("points_on_rays", "iii -> n", "points_on_rays")

FUNCTIONS: Final = Registry((
    Function(
        "any", "any(condition for v in collection)",
        "true if at least one element satisfies the condition",
        takes.condition,
        loops=Loops(takes.all_conditions),
        lowered=_lowered("python_function"),
        samples=("bool: any({bools})",),
    ),
    Function(
        "all", "all(condition for v in collection)", "true if all elements satisfy the condition",
        takes.condition,
        loops=Loops(takes.all_conditions),
        lowered=_lowered("python_function"),
        samples=("bool: all({bools})",),
    ),
    Function(
        "count", "count(x for v in collection if condition)",
        "the number of elements; for a condition x, how often it holds",
        takes.size,
        loops=Loops(takes.tally, only=True),
    ),
    Function(
        "sum", "sum(collection), sum(x for …)", "the sum; 0 if empty",
        takes.total,
        loops=Loops(takes.all_summed),
        lowered=_lowered("python_function"),
        phrase=_phrase("total"),
        samples=("int: sum({ints})",),
    ),
    Function(
        "min", "min(a, b, …), min(collection), min(x for …)", "the smallest",
        takes.extreme(min), max_args=MANY,
        folded=takes.known_extreme(min),
        loops=Loops(takes.one_of_all),
        fails=True, is_sure=takes.has_extreme,
        intrinsics=(_intrinsic("f_min", "m -> i!", "least"),),
        lowered=_lowered("extreme"),
        phrase=_phrase("extreme"),
        samples=("int: min({int}, {int})", "int: min({int}, {int}, {int})",
                 "int: min({some ints})"),
    ),
    Function(
        "max", "max(a, b, …), max(collection), max(x for …)", "the largest",
        takes.extreme(max), max_args=MANY,
        folded=takes.known_extreme(max),
        loops=Loops(takes.one_of_all),
        fails=True, is_sure=takes.has_extreme,
        intrinsics=(_intrinsic("f_max", "m -> i!", "greatest"),),
        lowered=_lowered("extreme"),
        phrase=_phrase("extreme"),
        samples=("int: max({int}, {int})", "int: max({int}, {int}, {int})",
                 "int: max({some ints})"),
    ),
    Function(
        "list", "list(x for v in collection if condition)", "a list of the elements",
        takes.listed,
        loops=Loops(takes.all_listed, keeps=True),
        lowered=_lowered("listed"),
    ),
    Function(
        "size", "size(collection)", "the number of elements",
        takes.size,
        visits=False,
        folded=takes.known_elements,
        lowered=_lowered("size"),
        phrase=_phrase("size"),
        samples=("int: size({any})",),
    ),
    Function(
        "abs", "abs(a)", "the absolute value",
        takes.distance,
        lowered=_lowered("absolute"),
        phrase=_phrase("distance"),
        samples=("int: abs({int})",),
    ),
    Function(
        "mod", "mod(a, b)", "the remainder in 0..b-1: mod(-1, 5) is 4",
        takes.remainder, min_args=2, max_args=2,
        fails=True, is_sure=takes.divides,
        intrinsics=(_intrinsic("f_mod", "ii -> i!", "mod"),),
        phrase=_phrase("remainder"),
        samples=("int: mod({int}, {divisor})",),
    ),
    Function(
        "next", "next(p)", "the player in the seat after p's; after the last the first",
        takes.player,
        lowered=_lowered("next_player"),
        phrase=_phrase("next_player"),
        samples=("player: next({player})",),
    ),
    Function(
        "previous", "previous(p)", "the player in the seat before p's",
        takes.player,
        lowered=_lowered("next_player"),
        phrase=_phrase("next_player"),
        samples=("player: previous({player})",),
    ),
    Function(
        "seat", "seat(p)", "the number of p's seat, from 1",
        takes.seat,
        lowered=_lowered("seat"),
        phrase="the seat number of {0}",
        samples=("int: seat({player})",),
    ),
    Function(
        "ordinal", "ordinal(word)", "the place of a word in its declared type, from 1",
        takes.ordinal,
        lowered=_lowered("ordinal"),
        phrase="the rank of {0}",
        samples=("int: ordinal({ordered})",),
    ),
    Function(
        "with", "with(s, n)", "the set s with n added",
        takes.changed_set, min_args=2, max_args=2, for_each="union",
        visits=False, fails=True,
        intrinsics=(_intrinsic("f_with", "iiii -> i!", "with_"),
                    _wide("wide_with", "miii -> m!")),
        passes_set_bounds=True,
        samples=("set: with({same}, {element})", "set: with({same}, {element})"),
    ),
    Function(
        "without", "without(s, n)", "the set s with n removed",
        takes.changed_set, min_args=2, max_args=2, for_each="difference",
        visits=False, fails=True,
        intrinsics=(_intrinsic("f_without", "iiii -> i!", "without"),
                    _wide("wide_without", "miii -> m!")),
        passes_set_bounds=True,
        samples=("set: without({same}, {int})",),
    ),
    Function(
        "union", "union(s, t, …)", "the set s with all elements of t, a set or numbers",
        takes.united, min_args=2, max_args=MANY,
        fails=True, is_sure=takes.has_places,
        intrinsics=(_intrinsic("f_union", "iiii -> i!", "union"),
                    _wide("wide_union", "mmii -> m!")),
        lowered=_lowered("united"),
        samples=("set: union({same}, {same})", "set: union({same}, {elements})"),
    ),
    Function(
        "intersection", "intersection(s, t, …)", "the elements that the set s shares with t",
        takes.united, min_args=2, max_args=MANY,
        intrinsics=(_intrinsic("f_intersection", "ii -> i", "intersection"),
                    _wide("wide_intersection", "mmii -> m")),
        lowered=_lowered("united"),
        samples=("set: intersection({same}, {same})", "set: intersection({same}, {same}, {ints})"),
    ),
    Function(
        "difference", "difference(s, t, …)", "the elements of the set s that are not in t",
        takes.united, min_args=2, max_args=MANY,
        intrinsics=(_intrinsic("f_difference", "ii -> i", "difference"),
                    _wide("wide_difference", "mmii -> m")),
        lowered=_lowered("united"),
        samples=("set: difference({same}, {same})", "set: difference({same}, {same}, {ints})"),
    ),
    Function(
        "complement", "complement(s)", "the numbers in the range of the set s that are not in s",
        takes.set_in,
        intrinsics=(_intrinsic("f_complement", "iii -> i", "complement"),
                    _wide("wide_complement", "mii -> m")),
        passes_set_bounds=True,
        samples=("set: complement({same})",),
    ),
    Function(
        "subsets", "subsets(collection, k), subsets(collection)",
        "all sets of k different numbers of the collection, to choose from; without k, of any "
        "size, including the empty set",
        takes.subsets, max_args=2,
        work=takes.subset_work, is_loop=True, fails=True,
        intrinsics=(_intrinsic("f_subsets", "miii -> m!", "subsets"),
                    _intrinsic("f_all_subsets", "mii -> m!", "all_subsets")),
        lowered=_lowered("subsets"),
        passes_elements=True, passes_set_bounds=True,
    ),
    Function(
        "sorted", "sorted(collection)", "the numbers as a list in ascending order",
        takes.sorted_,
        is_loop=True,
        intrinsics=(_intrinsic("f_sorted", "m -> m", "sorted_"),),
        passes_elements=True,
        samples=("ints: sorted({ints})",),
    ),
    Function(
        "reversed", "reversed(collection)", "the elements as a list, the last one first",
        takes.reversed_,
        is_loop=True,
        intrinsics=(_intrinsic("f_reversed", "m -> m", "reversed_"),),
        passes_elements=True,
        phrase="{0} in reverse order",
        samples=("ints: reversed({ints})",),
    ),
    Function(
        "joined", "joined(a, b, …)", "the elements of several collections as one list, in order",
        takes.joined, min_args=2, max_args=MANY,
        is_loop=True,
        intrinsics=(_intrinsic("f_joined", "mm* -> m", "joined"),),
        lowered=_lowered("joined"),
        phrase=_phrase("together"),
        samples=("ints: joined({ints}, {ints})", "ints: joined({ints}, {ints}, {ints})"),
    ),
    Function(
        "lowest", "lowest(collection, k)",
        "the k lowest numbers in ascending order; all, if there are fewer",
        takes.some_of, min_args=2, max_args=2,
        is_loop=True,
        intrinsics=(_intrinsic("f_lowest", "mi -> m", "lowest"),),
        passes_elements=True,
        samples=("ints: lowest({ints}, {few})",),
    ),
    Function(
        "highest", "highest(collection, k)",
        "the k highest numbers in descending order; all, if there are fewer",
        takes.some_of, min_args=2, max_args=2,
        is_loop=True,
        intrinsics=(_intrinsic("f_highest", "mi -> m", "highest"),),
        passes_elements=True,
        samples=("ints: highest({ints}, {few})",),
    ),
    Function(
        "rows", "rows(grid)", "the rows, each a list from left to right",
        takes.rows,
        is_loop=True,
        intrinsics=(_intrinsic("f_rows", "iil -> n", "rows"),),
        passes_shape=True,
        samples=("rows: rows({grid})",),
    ),
    Function(
        "columns", "columns(grid)", "the columns, each a list from top to bottom",
        takes.columns,
        is_loop=True,
        intrinsics=(_intrinsic("f_columns", "iil -> n", "columns"),),
        passes_shape=True,
        samples=("rows: columns({grid})",),
    ),
    Function(
        "lines", "lines(grid, k), lines(c, k)",
        "all straight lines of k cells, along rows, columns and diagonals: their contents; of "
        "a cell c, the lines through it, each a list of cells",
        takes.lines, min_args=2, max_args=2,
        work=takes.line_work, is_loop=True,
        intrinsics=(_intrinsic("f_lines", "iili?b -> n", "lines"), POINT_LINES),
        lowered=_lowered("lines"),
        passes_shape=True, passes_tiles=True,
        samples=("rows: lines({grid}, 2)", "rows: lines({grid}, {few})",
                 "lines: lines({cell}, 2)", "lines: lines({cell}, {few})"),
    ),
    Function(
        "inside", "inside(grid, r, c)", "whether the cell is on the grid",
        takes.inside, min_args=3, max_args=3,
        intrinsics=(_intrinsic("f_inside", "iilii -> b", "inside"),),
        lowered=_lowered("inside"),
        passes_shape=True,
        samples=("bool: inside({grid}, {int}, {int})",),
    ),
    Function(
        "neighbours", "neighbours(grid, r, c), neighbours(c)",
        "the contents of the cells above, below, left and right; of a cell c, those cells",
        takes.near(steps_beside), max_args=3,
        is_loop=True,
        intrinsics=(_intrinsic("f_neighbours", "iilii?b -> m", "neighbours"),
                    _intrinsic("cells_beside", "iibi -> m", "cells_beside"),
                    BESIDE_POINT),
        lowered=_lowered("near"),
        passes_shape=True, passes_tiles=True,
        samples=("items: neighbours({grid}, {row}, {column})", "cells: neighbours({cell})"),
    ),
    Function(
        "around", "around(grid, r, c), around(c)",
        "the contents of the surrounding cells (up to eight); of a cell c, those cells",
        takes.near(steps_around), max_args=3,
        is_loop=True,
        intrinsics=(_intrinsic("f_around", "iilii?b -> m", "around"),
                    _intrinsic("cells_around", "iibi -> m", "cells_around"),
                    BESIDE_POINT),
        lowered=_lowered("near"),
        passes_shape=True, passes_tiles=True,
        samples=("items: around({grid}, {row}, {column})", "cells: around({cell})"),
    ),
    Function(
        "cells", "cells(board)", "all cells of a board, row by row",
        takes.every_cell, board=True,
        lowered=_lowered("every_cell"),
    ),
    Function(
        "cell", "cell(board, r, c)", "the cell of a board in that row and column",
        takes.one_cell, min_args=3, max_args=3, board=True,
        fails=True, is_sure=takes.is_on_board,
        folded=takes.known_cell,
        lowered=_lowered("cell"),
        phrase=_phrase("cell"),
        samples=("cell: cell({board}, {row}, {column})",),
    ),
    Function(
        "row", "row(c)", "the row of a cell, from 1",
        takes.row_of_cell,
        lowered=_lowered("row_or_column"),
        phrase="the row of {0}",
        samples=("side: row({cell})",),
    ),
    Function(
        "column", "column(c)", "the column of a cell, from 1",
        takes.column_of_cell,
        lowered=_lowered("row_or_column"),
        phrase="the column of {0}",
        samples=("side: column({cell})",),
    ),
    Function(
        "rays", "rays(c)",
        "the cells from c to the edge, nearest first, without c, in a list for each direction",
        takes.rays,
        work=takes.ray_work, is_loop=True,
        intrinsics=(_intrinsic("rays_from", "iibi -> n", "rays_from"), POINT_RAYS),
        lowered=_lowered("near"),
        samples=("lines: rays({cell})", "cells: rays({cell})[1]"),
    ),
    Function(
        "ray", "ray(c, down, right)",
        "the cells from c to the edge, stepping by rows and columns, nearest first, without c",
        takes.ray, min_args=3, max_args=3,
        intrinsics=(_intrinsic("ray_from", "iiiii -> m", "ray_from"),),
        lowered=_lowered("ray"),
        samples=("cells: ray({cell}, {step}, {step})", "cells: ray({cell}, {step}, {step})"),
    ),
    Function(
        "run", "run(x for v in collection if condition)",
        "the leading elements that satisfy the condition, as a list",
        takes.listed,
        loops=Loops(takes.all_listed, only=True, one_condition=True, keeps=True),
    ),
    Function(
        "connected", "connected(c for c in cells if condition)",
        "the cells that satisfy the condition and can be reached from those cells through "
        "neighbours that do, as a list",
        takes.listed,
        loops=Loops(takes.reached, only=True, one_condition=True, keeps=True),
    ),
    Function(
        "can_move", "after.can_move(p)",
        "whether it is p's turn after the move and p has a valid move then; only in `must`",
        takes.asked_of_player, eras=("after",),
        fails=True,
        lowered=_lowered("can_move"),
    ),
    Function(
        "repetitions", "repetitions(board), repetitions(board, me), repetitions()",
        "how often these values of the state have all been as they are now, earlier in this game; "
        "with `me`, with the same player to move; without arguments, the whole position",
        takes.counted_positions, min_args=0, max_args=MANY, eras=("after",),
        visits=False,
        lowered=_lowered("repetitions"),
        phrase=_phrase("repetitions"),
    ),
    Function(
        "or_list", "or_list(collection)", "`1, 2 or 3`",
        takes.texts, text=True,
        intrinsics=_of_texts("or_list", "l -> t"),
    ),
    Function(
        "and_list", "and_list(collection)", "`1, 2 and 3`",
        takes.texts, text=True,
        intrinsics=_of_texts("and_list", "l -> t"),
    ),
    Function(
        "one_per_line", "one_per_line(collection)", "one per line",
        takes.texts, text=True,
        intrinsics=_of_texts("one_per_line", "l -> t"),
    ),
    Function(
        "a", "a(n)", "with an article: `a 7`, `an 8`, `an apple`",
        takes.of_number, text=True,
        intrinsics=_of_texts("a", "a -> t", "with_article"),
    ),
    Function(
        "words", "words(n)", "a number up to twelve in words: `three`",
        takes.of_number, text=True,
        intrinsics=_of_texts("words", "a -> t", "in_words"),
    ),
    Function(
        "plural", 'plural(n, "point"), plural(n, "die", "dice")', "`1 point`, `2 points`, `2 dice`",
        takes.counted, min_args=2, max_args=3, text=True,
        intrinsics=_of_texts("plural", "it?t -> t"),
    ),
    Function(
        "pad", "pad(x, width)", "padded with spaces: numbers on the left, texts on the right",
        takes.padded, min_args=2, max_args=2, text=True,
        intrinsics=_of_texts("pad", "ai -> t"),
    ),
    Function(
        "capital", "capital(text)", "with a capital first letter",
        takes.text, text=True,
        intrinsics=_of_texts("capital", "t -> t"),
    ),
    Function(
        "keyed", "keyed(label, key)", "`(A)dd`: the label with its key letter marked",
        takes.two_texts, min_args=2, max_args=2, text=True,
        intrinsics=_of_texts("keyed", "tt -> t"),
    ),
))  # fmt: skip
