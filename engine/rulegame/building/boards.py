"""Boards: how large a grid is, what its tiles and its cells are called, a start that is drawn as
text; and how values are shown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final, NamedTuple

from rulegame.building.context import Workbench
from rulegame.diagnostics import Hint, did_you_mean
from rulegame.evaluation.runtime import Fault
from rulegame.language import typed
from rulegame.language.cells import LETTERS
from rulegame.language.parsing import SyntaxProblem, parse_expression, parse_type
from rulegame.language.syntax import Place
from rulegame.language.typed import Typed
from rulegame.language.types import (
    Grid,
    Int,
    List,
    Naming,
    Optional,
    Set,
    Type,
    Word,
    fits,
)
from rulegame.language.vocabulary import Scope
from rulegame.limits import LIMITS
from rulegame.model import Display
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
    lines = [] if drawn is None else _drawn_rows(drawn)
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


def _drawn_rows(node: Scalar) -> list[tuple[int, list[tuple[int, str]]]]:
    """The symbols of each row with where they stand: apart from one another, or letter by
    letter.
    """
    rows, at = [], 0
    for line in node.text.splitlines(keepends=True):
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
    before, rows = len(bench.diagnostics), _drawn_rows(node)
    codes = {symbol: code for code, symbol in symbols.items()}
    if len(rows) != grid.rows:
        message = f"this has {len(rows)} rows, not {grid.rows}"
        bench.report("E453", message, Place(node.passage))
    listed = []
    for at, row in rows:
        end = at + len(node.text[at:].splitlines()[0])
        if len(row) != grid.columns:
            message = f"this row has {len(row)} cells, not {grid.columns}"
            bench.report("E453", message, Place(node.passage, row[0][0], end))
        for start, symbol in row:
            if symbol not in codes:
                place = Place(node.passage, start, start + len(symbol))
                known = ", ".join(codes)
                bench.report("E453", f"'{symbol}' is not a symbol of this board", place, known)
        listed.append([codes.get(symbol, 0) for _, symbol in row])
    if len(bench.diagnostics) > before:
        return None
    row_type = List(grid.of, grid.columns)
    items = tuple(
        typed.ListLiteral(row_type, tuple(typed.Constant(grid.of, code) for code in row))
        for row in listed
    )
    return typed.ListLiteral(List(row_type, grid.rows), items)


# ---- how values are shown


def shown(
    bench: Workbench, node: MappingNode, declared: Type, start: Typed | None
) -> Display | None:
    """What `show` says of a value; None if something is wrong with it."""
    show = node.get("show")
    if show is None:
        return Display()
    before = len(bench.diagnostics)
    said = mapping_of(show)
    named = show if isinstance(show, Scalar) else said.get("as")
    form = text_of(named)
    if named is not None and form not in FORMS:
        hint = did_you_mean(form, FORMS) or Hint(f"use one of {', '.join(FORMS)}")
        bench.report("E455", f"unknown drawing '{form}'", named, hint)
    elif named is not None:
        _check_form(bench, form, declared, named)
    full = _full(bench, said.get("to"), form, start, show)
    symbols = symbols_of(bench, said.get("symbols"), declared)
    if len(bench.diagnostics) > before:
        return None
    return Display(form, full, symbols)  # type: ignore[arg-type]


def _check_form(bench: Workbench, form: str, declared: Type, node: Node) -> None:
    """Bars and pips are for numbers, cards for words as well; any text can be written."""
    if form == "text":
        return
    of = declared.of if isinstance(declared, (Optional, List)) else declared
    of = of.of if isinstance(of, Optional) else of
    fine: tuple[type, ...] = (Int,) if form == "bar" else (Int, Set)
    fine = (*fine, Word) if form == "cards" else fine
    if not isinstance(of, fine):
        bench.report("E455", f"{declared} cannot be drawn as {form}", node)


def _full(
    bench: Workbench, to: Node | None, form: str, start: Typed | None, show: Node
) -> int | None:
    """How far a bar can go: as `to` says, or as far as it is at the start."""
    if to is not None and form != "bar":
        bench.report("E455", "'to' sets the length of a bar", to, "as: bar")
        return None
    if form != "bar":
        return None
    if to is not None:
        value = bench.known(bench.bound(to, KNOWN_BEFORE, Int()), to)
    else:
        value = start.code if isinstance(start, typed.Constant) else None
        if value is None or value < 1:
            hint = "show: {as: bar, to: 100}"
            bench.report("E455", "the length of this bar is unknown", show, hint)
            return None
    if value is not None and value < 1:
        bench.report("E455", f"a bar must be at least 1 long, not {value}", to or show)
    return value


def symbols_of(bench: Workbench, node: Node | None, declared: Type) -> Mapping[int, str]:
    """The symbols of values, by their codes."""
    found: dict[int, str] = {}
    of = declared.of if isinstance(declared, (Grid, List)) else declared
    if isinstance(of, Set):
        of = Int(of.low, of.high)
    for key, value in mapping_of(node):
        code = _code(bench, key, of)
        symbol = text_of(value)
        if code is None:
            continue
        if not symbol.isprintable() or not 1 <= len(symbol) <= LONGEST_SYMBOL or " " in symbol:
            message = f"a symbol is 1 to {LONGEST_SYMBOL} characters without spaces"
            bench.report("E455", message, value)
        elif symbol in found.values():
            bench.report("E455", f"'{symbol}' already has another meaning", value)
        elif code in found:
            bench.report("E455", f"'{key.text}' already has a symbol", key)
        else:
            found[code] = symbol
    return found


def _code(bench: Workbench, key: Scalar, of: Type) -> int | None:
    """The value that a symbol stands for."""
    try:
        expression = parse_expression(key.passage)
    except SyntaxProblem as problem:
        bench.diagnostics.append(problem.diagnostic)
        return None
    found = bench.binder.bind(expression, KNOWN_BEFORE)
    if found is None:
        return None
    if not fits(found.type, of):
        bench.report("E455", f"this symbol stands for {found.type}, but the value is {of}", key)
        return None
    try:
        return bench.known(found, key)
    except Fault as fault:
        bench.report(fault.code, fault.message, key)
        return None
