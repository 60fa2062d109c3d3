"""Boards as they stand at some time of a game, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulegame.drawing.pictures import DrawnBoard, Graph, Heaps, History, Pits
from rulegame.drawing.position import Past, draw
from rulegame.evaluation.values import encode_one
from rulegame.game import State
from rulegame.language.cells import column_name, row_name
from rulegame.language.types import Grid, Optional, PlayerType, cell_of
from rulegame.model import StateValue
from rulegame.rulebook.document import Block, Verbatim
from rulegame.rulebook.examples import plain
from rulegame.rulebook.markup import and_list
from rulegame.rulebook.nouns import spoken
from rulegame.rulebook.wording import Wording

LARGEST_BOARD: Final = 400  # cells
LARGE: Final = (DrawnBoard, Graph, Pits, Heaps, History)  # worth a picture


def boards(
    w: Wording, state: State, when: str, past: Past = (), bare: bool = True
) -> Iterator[Block]:
    """The boards that all can see; those whose cells are all alike only if `bare`. The first one
    has the picture of the position, or else that stands alone.
    """
    drawn = draw(state, past, range(len(w.names.players)), w.names.players)
    picture = drawn if any(isinstance(shape, LARGE) for shape in drawn.shapes) else None
    for value in state.game.ruleset.state.values():
        type_ = value.variable.type
        if not isinstance(type_, Grid) or value.seen_by != "all" or value.variable.each_player:
            continue
        if type_.rows * type_.columns > LARGEST_BOARD:
            continue
        cells = _cells(w, type_, state, value)
        if not bare and len({cell for row in cells for cell in row}) == 1:
            continue
        yield f"The {spoken(value.variable.name)} {when}{_legend(w, type_, value)}:"
        yield Verbatim(tuple(_drawn(type_, cells)), picture)
        picture = None
    if picture is not None:
        yield Verbatim((), picture)


def _drawn(grid: Grid, cells: list[list[str]]) -> Iterator[str]:
    """The rows of a board, each half a cell further to the right if its tiles are hexagons; what
    they are called, where that is not by numbers.
    """
    width = max(len(cell) for row in cells for cell in row)
    of = cell_of(grid)
    beside = [row_name(of, r) for r in range(grid.rows)]
    above = [column_name(grid.naming, c) for c in range(grid.columns)]
    if grid.naming == "numbers":
        beside, above = [""] * grid.rows, []
    else:
        width = max(width, *map(len, above))
    margin = max(len(name) for name in beside)
    gap = " " if margin else ""
    if above:
        yield " " * margin + gap + " ".join(name.rjust(width) for name in above)
    for r, row in enumerate(cells):
        shift = " " * (r * (width + 1) // 2) if grid.hexagons else ""
        line = " ".join(cell.rjust(width) for cell in row)
        yield f"{shift}{beside[r].rjust(margin)}{gap}{line}"


def _cells(w: Wording, type_: Grid, state: State, value: StateValue) -> list[list[str]]:
    """What is printed for each cell: its symbol, or a player as the number of the seat."""
    symbols, words, players = value.show.symbols, w.ruleset.words, len(w.names.players)

    def shown(cell: object) -> str:
        symbol = symbols.get(encode_one(type_.of, cell, words, players)) if symbols else None
        if symbol is not None:
            return symbol
        if cell is None:
            return "."
        if isinstance(_content(type_), PlayerType):
            assert isinstance(cell, int)
            return str(cell + 1)
        return plain(w, type_.of, cell)

    return [[shown(cell) for cell in row] for row in state[value.variable.name]]


def _legend(w: Wording, type_: Grid, value: StateValue) -> str:
    """What the players are drawn as."""
    if not isinstance(_content(type_), PlayerType):
        return ""
    symbols = [value.show.symbols.get(k, str(k + 1)) for k in range(len(w.names.players))]
    pairs = zip(symbols, w.names.players, strict=True)
    return f" ({and_list([f'{symbol} is {name}' for symbol, name in pairs])})"


def _content(type_: Grid) -> object:
    return type_.of.of if isinstance(type_.of, Optional) else type_.of
