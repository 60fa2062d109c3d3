"""Moves as people write them: `c5`, `b1-c3`, `a5 a6 queen`, `1122`, `Q♥`, `3,5`.

A shortcut is read only where a line is no text of the game itself. What it means depends on the
board, the types and the operations on offer, never on which moves are valid: of several operations
that it may mean it means none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from rulegame.evaluation.runtime import Fault
from rulegame.evaluation.values import read_choice
from rulegame.game import Game, Move
from rulegame.game.rendering import renderer_of
from rulegame.language.cells import column_name
from rulegame.language.types import Cell, Grid, Int, List, Naming, Optional, Set, Type
from rulegame.model import Choice, Operation
from rulegame.model.uses import landing_row, spots

SEPARATORS: Final = re.compile(r"\s*(?:->|→|[-–:,;]|\s)\s*")
CAPTURE: Final = re.compile(r"(?<=[0-9])x(?=[a-z]?[0-9])")  # `b6xd4`, `9x18`
CELLS: Final = re.compile(r"(?:[a-z][0-9]{1,2}){2,}")  # `b1c3`
A_CELL: Final = re.compile(r"[a-z][0-9]{1,2}")
LONGEST: Final = 100  # letters of a line that may be a shortcut
LEAST_GLUED: Final = 3  # choices that may be written as digits without blanks
SUITS: Final[Mapping[str, str]] = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


class _Slot(NamedTuple):
    """What some choices of an operation are read from: a cell, a point, a card or a value."""

    kind: str  # of a spot, or "landing"; empty for any other choice
    choices: tuple[int, ...]
    type: Type  # of the board, or of the choice
    names: tuple[str, ...] = ()  # of points
    signs: Mapping[int, str] = {}  # of cards and columns
    row: Callable[..., int] | None = None  # of the cell on which a piece lands in a column
    numbers: tuple[int, ...] = ()  # of the cells of a board


class Shortcuts:
    """The shortcuts of one game, by its operations."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._signs = renderer_of(game).signs
        self._slots = {o.name: tuple(self._of(o)) for o in game.ruleset.chosen}

    def _of(self, operation: Operation) -> Iterator[_Slot]:
        state = self._game.ruleset.state
        found = {spot.choices[0]: spot for spot in spots(self._game.ruleset, operation)}
        boards = {spot.board for spot in found.values() if spot.kind == "pair"}
        taken = {at for spot in found.values() for at in spot.choices[1:]}
        for at, choice in enumerate(operation.choices):
            spot = found.get(at)
            signs = self._signs.get(choice.name, {})
            if at in taken:
                continue
            if spot is not None and spot.board in state:
                value = state[spot.board]
                board = value.variable.type
                names, numbers = value.show.names, value.show.numbers
                yield _Slot(spot.kind, spot.choices, board, names, signs, numbers=numbers)
                continue
            landing = self._landing(operation, choice, boards, at)
            yield landing or _Slot("", (at,), choice.element, signs=signs)

    def _landing(
        self, operation: Operation, choice: Choice, boards: Iterable[str], at: int
    ) -> _Slot | None:
        """A column in which a piece lands on a row that the choices before it determine."""
        earlier = tuple(one.name for one in operation.choices[:at])
        for board in boards:
            row = landing_row(operation, board, choice.name, earlier)
            if row is not None:
                type_ = self._game.ruleset.state[board].variable.type
                signs = self._signs.get(choice.name, {})
                made = self._game.evaluator(row, earlier)
                return _Slot("landing", (at,), type_, (), signs, made)
        return None

    def read(
        self, line: str, names: Sequence[str], moves: Sequence[Move], mover: int = 0
    ) -> Move | None:
        """The one move on offer that a line may mean."""
        parts = _parts(line)
        operations = dict.fromkeys(move.operation for move in moves) if parts else ()
        found = {
            (name, codes)
            for name in operations
            for numbered in (False, True)
            for codes in self._codes(name, parts, names, mover, numbered)
        }
        meant = [move for move in moves if (move.operation, move.codes[1:]) in found]
        return meant[0] if len(meant) == 1 else None

    def read_choice(self, choice: Choice, line: str) -> int | None:
        """The card, the column or the cell that a line names, where a question asks for one."""
        text = line.strip().lower()
        of = _content(choice.element)
        if isinstance(of, Cell):
            grid = Grid(Int(), of.rows, of.columns, of.hexagons, of.board, of.naming)
            place = _whole_cell(grid, text)
            return None if place is None else place[0] * of.columns + place[1]
        signs = self._signs.get(choice.name, {})
        return _card(signs, text) if signs else None

    def read_pair(self, operation: str, at: int, line: str) -> dict[int, int] | None:
        """The row and the column, by their positions in an operation, of the cell that a line names
        where the question is for the row, at a position.
        """
        slot = next((slot for slot in self._slots[operation] if slot.choices[0] == at), None)
        place = None if slot is None or slot.kind != "pair" else _whole_cell(slot.type, line)
        if slot is None or place is None:
            return None
        return dict(zip(slot.choices, (place[0] + 1, place[1] + 1), strict=True))

    def _codes(
        self,
        operation: str,
        parts: Sequence[str],
        names: Sequence[str],
        mover: int,
        numbered: bool,
    ) -> Iterator[tuple[int, ...]]:
        """What the choices of an operation are, if that is what was typed; cells perhaps called by
        the numbers on the board.
        """
        slots = self._slots.get(operation, ())
        if numbered and not any(slot.numbers for slot in slots):
            return
        if not numbered:
            slots = tuple(slot._replace(numbers=()) for slot in slots)
        if not slots or not any(slot.kind or slot.signs or len(slots) > 1 for slot in slots):
            return
        rest = _unglued(parts, slots)
        codes: dict[int, int] = {}
        for slot in slots:
            last = slot is slots[-1]
            if slot.row is not None and rest and (place := _cell(slot.type, rest[:1])[1]):
                if self._row(slot, codes, mover, names) != place[0] + 1:
                    return
                rest = [column_name("letters", place[1]), *rest[1:]]
            taken, made = self._slot(slot, rest, last, names)
            if made is None:
                return
            codes.update(zip(slot.choices, made, strict=True))
            rest = rest[taken:]
        if not rest:
            yield tuple(codes[at] for at in range(len(codes)))

    def _row(
        self, slot: _Slot, codes: Mapping[int, int], mover: int, names: Sequence[str]
    ) -> int | None:
        """The row on which a piece lands, as the choices before it determine."""
        assert slot.row is not None
        with suppress(Fault):
            return slot.row((), (), mover, names, *(codes[at] for at in sorted(codes)))
        return None

    def _slot(
        self, slot: _Slot, parts: Sequence[str], last: bool, names: Sequence[str]
    ) -> tuple[int, tuple[int, ...] | None]:
        """How many parts a slot takes, and the codes that they are; None if they are none."""
        if not parts:
            return 0, None
        first = parts[0]
        if isinstance(slot.type, Grid) and slot.kind in ("cell", "pair"):
            taken, place = _cell(slot.type, parts, slot.numbers)
            if place is None:
                return 0, None
            row, column = place
            one = (row * slot.type.columns + column,)
            return taken, one if slot.kind == "cell" else (row + 1, column + 1)
        if slot.kind in ("column", "landing") and isinstance(slot.type, Grid):
            letter = ord(first) - ord("a") + 1 if len(first) == 1 and first.isalpha() else 0
            number = _number(first) if slot.kind == "landing" else None
            column = number or letter
            return 1, (column,) if 1 <= column <= slot.type.columns else None
        if slot.kind == "element" and isinstance(slot.type, List) and slot.type.index is not None:
            code = read_choice(slot.type.index.of, first, self._game.ruleset.words, names)
            return 1, None if code is None else (code,)
        if slot.kind == "element":
            called = [name.lower() for name in slot.names]
            number = called.index(first) + 1 if first in called else _number(first)
            return 1, None if number is None else (number,)
        if isinstance(slot.type, Set) and last:
            numbers = [_card(slot.signs, part) or _number(part) for part in parts]
            text = " ".join(map(str, numbers))
            code = read_choice(slot.type, text, self._game.ruleset.words, names)
            return len(parts), None if code is None else (code,)
        card = _card(slot.signs, first)
        code = card or read_choice(slot.type, first, self._game.ruleset.words, names)
        return 1, None if code is None else (code,)


def _parts(line: str) -> list[str]:
    """What stands between blanks, commas and dashes."""
    text = line.strip().lower()
    if not text or len(text) > LONGEST or text.startswith("-"):
        return []
    return [part for part in SEPARATORS.split(CAPTURE.sub(" ", text)) if part]


def _unglued(parts: Sequence[str], slots: Sequence[_Slot]) -> list[str]:
    """Cells and digits that were written without anything between them, taken apart."""
    (first, *rest) = parts
    many = len(slots) >= LEAST_GLUED
    digits = many and not rest and len(first) == len(slots) and first.isascii() and first.isdigit()
    if digits and all(isinstance(_content(slot.type), Int) for slot in slots):
        return list(first)
    found: list[str] = []
    for part in parts:
        found += A_CELL.findall(part) if CELLS.fullmatch(part) else [part]
    return found


def _content(type_: Type) -> Type:
    return type_.of if isinstance(type_, Optional) else type_


def _cell(
    grid: Type, parts: Sequence[str], numbers: Sequence[int] = ()
) -> tuple[int, tuple[int, int] | None]:
    """A cell that is called by its number, if the board has `numbers`, or by a letter and a number
    as on the drawn board, or by the numbers of row and column where it has no letters; how many
    parts it takes, and its row and column from 0.
    """
    first = parts[0]
    if not isinstance(grid, Grid):
        return 0, None
    if numbers:
        number = _number(first)
        found = numbers.index(number) if number and number in numbers else None
        return 1, None if found is None else divmod(found, grid.columns)
    lettered = A_CELL.fullmatch(first)
    if lettered is not None:
        naming: Naming = "letters" if grid.naming == "numbers" else grid.naming
        cell = Cell("", grid.rows, grid.columns, grid.hexagons, naming)
        code = read_choice(cell, first, (), ())
        return 1, None if code is None else divmod(code, grid.columns)
    row, column = _number(first), _number(parts[1]) if len(parts) > 1 else None
    if grid.naming != "numbers" or row is None or column is None:
        return 0, None
    inside = 1 <= row <= grid.rows and 1 <= column <= grid.columns
    return 2, (row - 1, column - 1) if inside else None


def _whole_cell(grid: Type, line: str) -> tuple[int, int] | None:
    """The row and the column, from 0, of the cell that a whole line names."""
    parts = _parts(line)
    taken, place = _cell(grid, parts) if parts else (0, None)
    return place if taken == len(parts) else None


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _card(signs: Mapping[int, str], text: str) -> int | None:
    """The card that is called by its suit and its rank, in either order, or the column by its
    letter; a suit may be the first letter of its name, and 10 a T.
    """
    for code, card in signs.items():
        suit, rank = card[:1].lower(), card[1:].lower()
        letter = next((k for k, sign in SUITS.items() if sign == suit), suit)
        ranks = (rank, "t") if rank == "10" else (rank,)
        if any(text in (f"{s}{r}", f"{r}{s}") for s in (suit, letter) for r in ranks):
            return code
    return None
