"""Values as people and programs see them, and as the integers in a state: both ways, by their
type.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulegame.evaluation.runtime import members, pack
from rulegame.evaluation.wide_sets import wide_members, wide_pack
from rulegame.language.cells import cell_text, read_cell, words_of
from rulegame.language.types import (
    NONE_CODE,
    Bool,
    Cell,
    Grid,
    Index,
    Int,
    List,
    Nothing,
    Optional,
    PlayerType,
    Set,
    Text,
    Type,
    Word,
    is_row,
)
from rulegame.limits import LIMITS

Words = Sequence[str]


def decode(type_: Type, codes: int | Sequence[int], words: Words) -> Any:
    """The Python value of some cells, or of one: int, bool, str, a seat, None, a frozenset, a row
    and a column (of a cell of a board), a list, a list of rows.
    """
    if isinstance(codes, int):
        return decode_one(type_, codes, words)
    if isinstance(type_, List):
        return [decode_one(type_.of, code, words) for code in codes]
    if isinstance(type_, Grid):
        flat = [decode_one(type_.of, code, words) for code in codes]
        return [flat[r * type_.columns : (r + 1) * type_.columns] for r in range(type_.rows)]
    return decode_one(type_, codes if is_row(type_) else codes[0], words)


def numbers_of(type_: Set, code: int | Sequence[int]) -> tuple[int, ...]:
    """The numbers in a set, ascending."""
    if isinstance(code, int):
        return members(code, type_.low)
    return wide_members(code, type_.low, type_.high)


def decode_one(type_: Type, code: Any, words: Words) -> Any:
    """The Python value of one cell, or of the row that a set of many numbers is."""
    match type_:
        case Bool():
            return bool(code)
        case Word():
            return words[code]
        case Set():
            return frozenset(numbers_of(type_, code))
        case Cell(columns=columns):
            return code // columns + 1, code % columns + 1
        case Nothing():
            return None
        case Optional(of=of):
            return None if code == NONE_CODE else decode_one(of, code, words)
    return code


def encode(type_: Type, value: Any, words: Words, players: int) -> list[int]:
    """The cells of a Python value; ValueError says what is expected instead."""
    if isinstance(type_, List):
        items = _sequence(value, type_.size)
        return [encode_one(type_.of, item, words, players) for item in items]
    if isinstance(type_, Grid):
        rows = [_sequence(row, type_.columns) for row in _sequence(value, type_.rows)]
        return [encode_one(type_.of, item, words, players) for row in rows for item in row]
    if isinstance(type_, Set) and type_.is_wide:
        return list(wide_pack(_different(type_, value), type_.low, type_.high))
    return [encode_one(type_, value, words, players)]


def _sequence(value: Any, size: int | None) -> Sequence[Any]:
    if not isinstance(value, (list, tuple)) or (size is not None and len(value) != size):
        raise ValueError(f"a list of {size}")
    return value


def encode_one(type_: Type, value: Any, words: Words, players: int) -> int:
    """The cell of a Python value; a player is a seat, counted from 0."""
    match type_:
        case Nothing() if value is None or value == "none":
            return NONE_CODE
        case Optional(of=of):
            if value is None or value == "none":
                return NONE_CODE
            return encode_one(of, value, words, players)
        case Bool() if isinstance(value, bool):
            return int(value)
        case Int(low=low, high=high) if type(value) is int and abs(value) <= LIMITS.integer:
            if low <= value <= high:
                return value
            raise ValueError(f"a number from {low} to {high}")
        case PlayerType() if type(value) is int and 0 <= value < players:
            return value
        case Word(words=allowed) if isinstance(value, str) and value in allowed:
            return words.index(value)
        case Cell():
            return _encoded_cell(type_, value)
        case Set(low=low):
            return pack(_different(type_, value), low)
    raise ValueError(str(type_))


def _different(type_: Set, value: Any) -> list[int]:
    """The numbers of a set as they are given, in any order."""
    if not isinstance(value, Iterable) or isinstance(value, str):
        raise ValueError(str(type_))
    items = list(value)
    if all(type(i) is int and type_.low <= i <= type_.high for i in items):
        return items
    raise ValueError(f"numbers between {type_.low} and {type_.high}")


def _encoded_cell(type_: Cell, value: Any) -> int:
    """A cell by its name, or by its row and its column."""
    text = value if isinstance(value, str) else ""
    if isinstance(value, (list, tuple)) and len(value) == 2:
        row, column = value
        whole = type(row) is int and type(column) is int
        if whole and 1 <= row <= type_.rows and 1 <= column <= type_.columns:
            return int((row - 1) * type_.columns + column - 1)
    code = read_cell(type_, text.strip())
    if code is None:
        raise ValueError(f"{type_}, such as {cell_text(type_, type_.rows * type_.columns - 1)}")
    return code


def readable(type_: Type, code: Any, words: Words, names: Sequence[str]) -> Any:
    """A value for people, as JSON holds it: players by their names, cells as they are typed, sets
    as lists, grids as lists of rows.
    """
    match type_:
        case Optional(of=of):
            return None if code == NONE_CODE else readable(of, code, words, names)
        case Set():
            return list(numbers_of(type_, code))
        case List(of=of):
            return [readable(of, item, words, names) for item in code]
        case Grid(of=of, columns=columns):
            flat = [readable(of, item, words, names) for item in code]
            return [flat[at : at + columns] for at in range(0, len(flat), columns)]
        case PlayerType() | Cell():
            return show(type_, code, words, names)
    return decode_one(type_, code, words)


def show(type_: Type, code: Any, words: Words, names: Sequence[str]) -> str:
    """A value as texts print it."""
    match type_:
        case Text():
            return str(code)
        case Bool():
            return "true" if code else "false"
        case Word():
            return str(words[code])
        case PlayerType():
            return str(names[code])
        case Cell():
            return cell_text(type_, code)
        case Nothing():
            return "none"
        case Optional(of=of):
            return "none" if code == NONE_CODE else show(of, code, words, names)
        case List(index=Index() as index):
            shown = zip(
                index_labels(index, words), show_each(type_, code, words, names), strict=True
            )
            return ", ".join(f"{label}: {value}" for label, value in shown)
        case Set() | List() | Grid():
            return ", ".join(show_each(type_, code, words, names))
    return str(code)


def index_labels(index: Index, words: Words) -> tuple[str, ...]:
    """What the elements of a list are called that a type indexes."""
    codes = range(index.first, index.first + index.size)
    return tuple(show(index.of, code, words, ()) for code in codes)


def show_each(type_: Type, code: Any, words: Words, names: Sequence[str]) -> list[str]:
    """The elements of a collection as texts."""
    match type_:
        case Set():
            return [str(item) for item in numbers_of(type_, code)]
        case List(of=of) | Grid(of=of):
            return [show(of, item, words, names) for item in code]
    return [show(type_, code, words, names)]


def choice_text(type_: Type, code: int, words: Words) -> str:
    """A choice as it stands in the text of a move: a player is a seat's number, a set
    its numbers.
    """
    match type_:
        case PlayerType():
            return str(code + 1)
        case Optional(of=of) if code != NONE_CODE:
            return choice_text(of, code, words)
        case Set(low=low):
            return " ".join(str(item) for item in members(code, low))
    return show(type_, code, words, ())


def read_choice(type_: Type, text: str, words: Words, names: Sequence[str]) -> int | None:
    """The code of a choice that was typed, or None if it is none."""
    text = text.strip()
    match type_:
        case Int():
            return _number(text)
        case Bool():
            return {"true": 1, "yes": 1, "false": 0, "no": 0}.get(text.lower())
        case Word(words=allowed):
            found = next((w for w in allowed if w.lower() == text.lower()), None)
            return None if found is None else words.index(found)
        case PlayerType():
            for seat, name in enumerate(names):
                if text.lower() in (name.lower(), str(seat + 1)):
                    return seat
            return None
        case Cell():
            return read_cell(type_, text)
        case Nothing():
            return NONE_CODE if text.lower() == "none" else None
        case Optional(of=of):
            return NONE_CODE if text.lower() == "none" else read_choice(of, text, words, names)
        case Set(low=low, high=high):
            items = [_number(part) for part in text.replace(",", " ").split()]
            good = [item for item in items if item is not None and low <= item <= high]
            if len(good) != len(items) or len(set(good)) != len(good):
                return None
            return pack(good, low)
    return None


def _number(text: str) -> int | None:
    digits = text.removeprefix("-").removeprefix("+")
    if not (digits.isascii() and digits.isdigit()) or len(text) > 20 or text.startswith("-+"):
        return None
    return int(text)


def cell_name(type_: Cell, value: tuple[int, int]) -> str:
    """What a cell is called that is given by its row and its column."""
    row, column = value
    return cell_text(type_, (row - 1) * type_.columns + column - 1)


def words_in_move(type_: Type, text: Sequence[str]) -> int:
    """How many of the words that follow in a move are those of one choice."""
    if isinstance(type_, Optional):
        is_none = bool(text) and text[0].lower() == "none"
        return 1 if is_none else words_in_move(type_.of, text)
    return words_of(type_) if isinstance(type_, Cell) else 1
