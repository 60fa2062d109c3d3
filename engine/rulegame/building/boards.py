"""Boards: how large a grid is, what its tiles and its cells are called, and a start that is drawn
as text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from rulegame.building.context import Workbench
from rulegame.language import typed
from rulegame.language.cells import LETTERS
from rulegame.language.parsing import SyntaxProblem, parse_expression, parse_type
from rulegame.language.syntax import Place
from rulegame.language.typed import Typed
from rulegame.language.types import (
    Grid,
    List,
    Naming,
    Type,
)
from rulegame.language.vocabulary import Scope
from rulegame.limits import LIMITS
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, mapping_of, text_of

FORMS: Final = ("bar", "pips", "cards", "text")
TILES: Final = ("squares", "hexagons")
COLUMNS: Final = ("numbers", "letters")
ROWS: Final = ("numbers", "letters", "upward")
LONGEST_SYMBOL: Final = 3
KNOWN_BEFORE: Final = Scope(state=False, me=False)


class BoardShape(NamedTuple):
    """The shape of a grid, and what its cells are called."""

    rows: int
    columns: int
    hexagons: bool
    naming: Naming


def board_of(bench: Workbench, node: MappingNode) -> BoardShape | None:
    """The shape of a value that is declared as a grid; None if it is none."""
    type_ = node.get("type")
    if not isinstance(type_, Scalar) or not _is_grid(type_):
        return None
    drawn = drawing(node) or _without_symbols(node)
    lines = [] if drawn is None else _drawn_rows(drawn.text)
    sizes = []
    for side, size in (("rows", len(lines)), ("columns", len(lines[0][1]) if lines else 0)):
        given = node.get(side)
        if given is None and drawn is None:
            bench.report("E202", f"a grid needs '{side}'", type_, f"{side}: 3")
        if given is None:
            sizes.append(min(max(size, 1), LIMITS.cells))
        else:
            sizes.append(bench.size(given, 1, LIMITS.cells))
    rows, columns = sizes
    hexagons = text_of(node.get("tiles")) == "hexagons"
    return BoardShape(rows, columns, hexagons, _naming(bench, mapping_of(node.get("show")), sizes))


def _is_grid(node: Scalar) -> bool:
    try:
        return parse_type(node.passage).collection == "grid"
    except SyntaxProblem:
        return False  # which is reported where the type is read


def _naming(bench: Workbench, show: MappingNode, sizes: list[int]) -> Naming:
    """What cells are called."""
    rows, columns = text_of(show.get("rows")), text_of(show.get("columns"))
    named: Naming = "numbers"
    wrong, at = "", show.get("rows") or show.get("columns")
    if columns == "letters":
        named = "letters upward" if rows == "upward" else "letters"
        wrong = "rows and columns cannot both be letters" if rows == "letters" else ""
    elif rows == "letters":
        named = "row letters"
    elif rows == "upward":
        wrong = "rows can count upward only if columns are letters"
    lettered = {"numbers": 0, "row letters": sizes[0]}.get(named, sizes[1])
    if lettered > LETTERS:
        wrong = f"there are only {LETTERS} letters, not {lettered}"
    if not wrong or at is None:
        return named
    bench.report("E456", wrong, at, "for example columns: letters, rows: numbers")
    return "numbers"


def check_tiles(bench: Workbench, node: MappingNode, declared: Type) -> None:
    """Only a grid has tiles, and cells with names."""
    if isinstance(declared, Grid):
        return
    show = mapping_of(node.get("show"))
    for where in (node.get("tiles"), show.get("rows"), show.get("columns")):
        if where is not None:
            bench.report("E456", f"only a grid has tiles and cells, not {declared}", where)


# ---- drawn as text


def drawing(node: MappingNode) -> Scalar | None:
    """The start of a grid that is drawn as text, with symbols that `show` explains."""
    start = node.get("start")
    if not isinstance(start, Scalar) or start.style != "|":
        return None
    return start if mapping_of(node.get("show")).get("symbols") is not None else None


def is_without_symbols(start: Node) -> bool:
    """Whether a text in several lines is no expression, and so most likely a drawing."""
    if not isinstance(start, Scalar) or start.style != "|":
        return False
    try:
        parse_expression(start.passage)
    except SyntaxProblem:
        return True
    return False


def _without_symbols(node: MappingNode) -> Scalar | None:
    """The start of a grid that is most likely drawn: what it lacks is symbols, and no size."""
    start = node.get("start")
    return start if isinstance(start, Scalar) and is_without_symbols(start) else None


def _drawn_rows(text: str) -> list[tuple[int, list[tuple[int, str]]]]:
    """The symbols of each row with where they stand: apart from one another, or letter by
    letter.
    """
    rows, at = [], 0
    for line in text.splitlines(keepends=True):
        words = [(at + found.start(), found.group()) for found in re.finditer(r"\S+", line)]
        if len(words) == 1:
            first, word = words[0]
            words = [(first + k, letter) for k, letter in enumerate(word)]
        if words:
            rows.append((at, words))
        at += len(line)
    return rows


def drawn_start(
    bench: Workbench, node: Scalar, grid: Grid, symbols: Mapping[int, str]
) -> Typed | None:
    """The rows of a drawing, as if they had been listed; None if something is wrong with it."""
    rows, codes = _drawn_rows(node.text), {symbol: code for code, symbol in symbols.items()}
    listed: list[list[int]] = []
    with bench.binder.watching() as problems:
        if len(rows) != grid.rows:
            message = f"this has {len(rows)} rows, not {grid.rows}"
            bench.report("E453", message, Place(node.passage))
        for at, row in rows:
            end = at + len(node.text[at:].splitlines()[0])
            if len(row) != grid.columns:
                message = f"this row has {len(row)} cells, not {grid.columns}"
                bench.report("E453", message, Place(node.passage, row[0][0], end))
            for start, symbol in row:
                if symbol not in codes:
                    place = Place(node.passage, start, start + len(symbol))
                    message = f"'{symbol}' is not a symbol of this board"
                    bench.report("E453", message, place, ", ".join(codes))
            listed.append([codes.get(symbol, 0) for _, symbol in row])
    if problems:
        return None
    row_type = List(grid.of, grid.columns)
    items = tuple(
        typed.ListLiteral(row_type, tuple(typed.Constant(grid.of, code) for code in row))
        for row in listed
    )
    return typed.ListLiteral(List(row_type, grid.rows), items)


def drawn_codes(text: str, grid: Grid, symbols: Mapping[int, str]) -> list[int]:
    """The cells of a board that is drawn in a test; ValueError says what it should be instead."""
    codes = {symbol: code for code, symbol in symbols.items()}
    if not codes:
        raise ValueError("a list of rows; a drawing needs 'show: symbols'")
    rows = [[symbol for _, symbol in row] for _, row in _drawn_rows(text)]
    if len(rows) != grid.rows or any(len(row) != grid.columns for row in rows):
        raise ValueError(f"a drawing of {grid.rows} rows with {grid.columns} symbols each")
    unknown = next((symbol for row in rows for symbol in row if symbol not in codes), None)
    if unknown is not None:
        raise ValueError(f"drawn with {' '.join(codes)}, not {unknown}")
    return [codes[symbol] for row in rows for symbol in row]


def draw_codes(codes: Sequence[int], grid: Grid, symbols: Mapping[int, str]) -> str:
    """The drawing of a board; cells without a symbol are question marks."""
    width = max(map(len, symbols.values()))
    return draw_cells([symbols.get(code, "?") for code in codes], grid, width)


def draw_cells(texts: Sequence[str], grid: Grid, width: int) -> str:
    """The drawing of a board from the texts of its cells, a line for each row."""
    cells = [text.ljust(width) for text in texts]
    rows = (cells[k : k + grid.columns] for k in range(0, len(cells), grid.columns))
    return "\n".join(" ".join(row).rstrip() for row in rows)
