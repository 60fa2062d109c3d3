"""Boards as they stand at some time of a game, row by row."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulegame.game import State
from rulegame.language.types import Grid, Optional, PlayerType
from rulegame.model import StateValue
from rulegame.rulebook.document import Block, Verbatim
from rulegame.rulebook.examples import plain
from rulegame.rulebook.markup import and_list
from rulegame.rulebook.nouns import spoken
from rulegame.rulebook.wording import Wording

LARGEST_BOARD: Final = 400  # cells


def boards(w: Wording, state: State, when: str, bare: bool = True) -> Iterator[Block]:
    """The boards that all can see; those whose cells are all alike only if `bare`."""
    for value in state.game.ruleset.state.values():
        type_ = value.variable.type
        if not isinstance(type_, Grid) or value.seen_by != "all" or value.variable.each_player:
            continue
        if type_.rows * type_.columns > LARGEST_BOARD:
            continue
        cells = _cells(w, type_, state, value)
        if not bare and len({cell for row in cells for cell in row}) == 1:
            continue
        yield f"The {spoken(value.variable.name)} {when}{_legend(w, type_)}:"
        width = max(len(cell) for row in cells for cell in row)
        yield Verbatim(tuple(" ".join(cell.rjust(width) for cell in row) for row in cells))


def _cells(w: Wording, type_: Grid, state: State, value: StateValue) -> list[list[str]]:
    """What is printed for each cell; a player as the number of the seat."""

    def shown(cell: object) -> str:
        if cell is None:
            return "."
        if isinstance(_content(type_), PlayerType):
            assert isinstance(cell, int)
            return str(cell + 1)
        return plain(w, type_.of, cell)

    return [[shown(cell) for cell in row] for row in state[value.variable.name]]


def _legend(w: Wording, type_: Grid) -> str:
    if not isinstance(_content(type_), PlayerType):
        return ""
    return f" ({and_list([f'{n} is {name}' for n, name in enumerate(w.names.players, 1)])})"


def _content(type_: Grid) -> object:
    return type_.of.of if isinstance(type_.of, Optional) else type_.of
