"""States as numbers in a table: cells packed into a few machine words, found by hashing them.

A state of a small game takes eight bytes here, and a third of a dozen for its place in the table.
All functions take and give many states at once: their cells as one array for each cell.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import Cells
from rulegame.language.types import NONE_CODE
from rulegame.lockstep.kernel import Column

Words = NDArray[np.uint64]  # a row for each state
Numbers = NDArray[np.int32]

WORD: Final = 64
LEAST_SLOTS: Final = 1024
FIRST_ROOM: Final = 64
PORTION: Final = 1 << 23  # numbers that are worked on together
FACTOR: Final = 0x9E3779B97F4A7C15  # odd, with its bits well spread


@dataclass(frozen=True, slots=True)
class Field:
    """Where a cell stands: `none` is the code 0, the number `low + k` the code k + 1."""

    low: int
    high: int
    word: int = 0
    shift: int = 0

    @property
    def bits(self) -> int:
        return (self.high - self.low + 1).bit_length()

    def covers(self, least: int, greatest: int) -> bool:
        return self.low <= least and greatest <= self.high

    def widened(self, least: int, greatest: int) -> Field:
        """The same with room for more, and for as much again in the direction of growth."""
        spare = greatest - least + self.high - self.low + 8
        low = max(least - spare, 1 - 2**63) if least < self.low else self.low
        high = min(greatest + spare, 2**63 - 1) if greatest > self.high else self.high
        return Field(low, high)


def _arranged(fields: Sequence[Field]) -> tuple[Field, ...]:
    """The fields, one after the other, none of them across two words."""
    word = used = 0
    placed = []
    for field in fields:
        if used + field.bits > WORD:
            word, used = word + 1, 0
        placed.append(Field(field.low, field.high, word, used))
        used += field.bits
    return tuple(placed)


class StateKeys(Sequence[Cells]):
    """The states of a game in the order of their numbers, and the way back from a state."""

    def __init__(self, start: Cells) -> None:
        self._fields = _arranged([_first_field(cell) for cell in start])
        self._size = 0
        self._words: Words = np.zeros((FIRST_ROOM, self._fields[-1].word + 1), np.uint64)
        self._slots: Numbers = np.full(LEAST_SLOTS, -1, np.int32)

    def __len__(self) -> int:
        return self._size

    @property
    def width(self) -> int:
        """How many words a state takes."""
        return int(self._words.shape[1])

    @property
    def nbytes(self) -> int:
        """How many bytes the states take here."""
        return self._words.nbytes + self._slots.nbytes

    @property
    def spare(self) -> int:
        """How many bytes more there are for a moment when there must be more room."""
        return self._words.nbytes

    # ---- from numbers to states

    def __getitem__(self, number: int) -> Cells:  # type: ignore[override]
        if not -self._size <= number < self._size:
            raise IndexError(number)
        words = self._words[number % self._size].tolist()
        return tuple([_decoded(field, words[field.word]) for field in self._fields])

    def __iter__(self) -> Iterator[Cells]:
        return (self[number] for number in range(self._size))

    def columns(self, numbers: NDArray[np.integer] | slice) -> list[NDArray[np.int64]]:
        """The cells of some states."""
        return self.unpack(self._words[: self._size][numbers])

    # ---- from states to numbers

    def number(self, cells: Cells) -> int:
        """The number of one state; -1 if it is not here."""
        words = [0] * self._words.shape[1]
        for field, cell in zip(self._fields, cells, strict=True):
            if cell == NONE_CODE:
                continue
            if not field.low <= cell <= field.high:
                return -1
            words[field.word] |= (cell - field.low + 1) << field.shift
        mask = len(self._slots) - 1
        place = _hash(words) & mask
        while True:
            there = int(self._slots[place])
            if there < 0 or self._words[there].tolist() == words:
                return there
            place = place + 1 & mask

    def pack(self, columns: Sequence[Column], size: int) -> Words:
        """The words of so many states, for which there must be room."""
        return _packed(self._fields, columns, size, self._words.shape[1])

    def unpack(self, words: Words) -> list[NDArray[np.int64]]:
        """The cells of states."""
        return [_decode(field, words[:, field.word]) for field in self._fields]

    def add(self, words: Words) -> None:
        """New states, all different, which get the next numbers."""
        first, self._size = self._size, self._size + len(words)
        if self._size > len(self._words):
            room = np.zeros((max(self._size, len(self._words) * 3 // 2), words.shape[1]), np.uint64)
            room[:first] = self._words[:first]
            self._words = room
        self._words[first : self._size] = words
        if self._size * 5 > len(self._slots) * 3:
            self._rebuild()
        else:
            self._enter(np.arange(first, self._size, dtype=np.int32))

    def trim(self) -> None:
        """Gives back the room for states that did not come."""
        self._words = self._words[: self._size].copy()

    def make_room(self, groups: Sequence[Sequence[Column]]) -> None:
        """Widens what is too narrow for these states; words packed before are void after it."""
        fields = list(self._fields)
        for k in range(len(fields)):
            for columns in groups:
                found = _extremes(columns[k])
                if found is not None and not fields[k].covers(*found):
                    fields[k] = fields[k].widened(*found)
        if fields == list(self._fields):
            return
        arranged = _arranged(fields)
        width = arranged[-1].word + 1
        room = np.zeros((len(self._words), width), np.uint64)
        for first, last in _portions(self._size, len(fields)):
            before = self.columns(slice(first, last))
            room[first:last] = _packed(arranged, before, last - first, width)
        self._fields, self._words = arranged, room
        self._rebuild()

    # ---- the table: open addressing, many states at a time

    def _rebuild(self) -> None:
        slots = LEAST_SLOTS
        while slots * 2 < self._size * 5:
            slots *= 2
        self._slots = np.full(slots, -1, np.int32)
        for first, last in _portions(self._size, self.width):
            self._enter(np.arange(first, last, dtype=np.int32))

    def _enter(self, numbers: Numbers) -> None:
        mask = len(self._slots) - 1
        places = _hashed(self._words[numbers], mask)
        while len(numbers):
            free = self._slots[places] < 0
            self._slots[places[free]] = numbers[free]  # of several, one gets the place
            homeless = self._slots[places] != numbers
            numbers, places = numbers[homeless], places[homeless] + 1 & mask

    def find(self, words: Words) -> Numbers:
        """The numbers of states; -1 for those that are not here."""
        mask = len(self._slots) - 1
        found = np.full(len(words), -1, np.int32)
        places = _hashed(words, mask)
        asking = np.arange(len(words))
        while len(asking):
            there = self._slots[places]
            taken = there >= 0
            asking, places, there = asking[taken], places[taken], there[taken]
            same = _same(self._words, there, words, asking)
            found[asking[same]] = there[same]
            asking, places = asking[~same], places[~same] + 1 & mask
        return found


def _portions(size: int, width: int) -> Iterator[tuple[int, int]]:
    """So many states, in portions that take some megabytes in columns of that number."""
    most = max(1, PORTION // max(1, width))
    return ((first, min(first + most, size)) for first in range(0, size, most))


def first_of_each(words: Words) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Where each different row occurs first, in order; and of each row, its place among those."""
    if words.shape[1] == 1:
        _, first, inverse = np.unique(words[:, 0], return_index=True, return_inverse=True)
    else:
        order = np.lexsort(words.T[::-1])
        ordered = words[order]
        fresh = np.concatenate(([True], (ordered[1:] != ordered[:-1]).any(axis=1)))[: len(words)]
        first = order[fresh]  # the sort is stable: the first of equal rows comes first
        inverse = np.empty(len(words), np.int64)
        inverse[order] = np.cumsum(fresh) - 1
    order = np.argsort(first, kind="stable")
    place = np.empty(len(first), np.int64)
    place[order] = np.arange(len(first))
    return first[order], place[inverse]


def _same(
    known: Words, there: Numbers, words: Words, asking: NDArray[np.int64]
) -> NDArray[np.bool_]:
    same: NDArray[np.bool_] = known[there, 0] == words[asking, 0]
    for k in range(1, words.shape[1]):
        same &= known[there, k] == words[asking, k]
    return same


def _hashed(words: Words, mask: int) -> NDArray[np.int64]:
    mixed = np.zeros(len(words), np.uint64)
    for k in range(words.shape[1]):
        mixed ^= words[:, k]
        mixed *= np.uint64(FACTOR)
        mixed ^= mixed >> np.uint64(32)
        mixed *= np.uint64(FACTOR)
        mixed ^= mixed >> np.uint64(29)
    return (mixed & np.uint64(mask)).astype(np.int64)


def _hash(words: list[int]) -> int:
    """The same for one state."""
    mixed = 0
    for word in words:
        mixed = (mixed ^ word) * FACTOR % 2**64
        mixed = (mixed ^ mixed >> 32) * FACTOR % 2**64
        mixed ^= mixed >> 29
    return mixed


def _first_field(cell: int) -> Field:
    return Field(0, 0) if cell == NONE_CODE else Field(cell, cell)


def _extremes(column: Column) -> tuple[int, int] | None:
    """The least and the greatest number; None if there are none but `none`."""
    if isinstance(column, int):
        return None if column == NONE_CODE else (column, column)
    if not len(column):
        return None
    least, greatest = int(column.min()), int(column.max())
    if greatest == NONE_CODE:
        return None
    if least == NONE_CODE:
        least = int(column[column != NONE_CODE].min())
    return least, greatest


def _packed(fields: Sequence[Field], columns: Sequence[Column], size: int, width: int) -> Words:
    words = np.zeros((size, width), np.uint64)
    common = [0] * width
    for field, column in zip(fields, columns, strict=True):
        if isinstance(column, int):
            code = 0 if column == NONE_CODE else column - field.low + 1
            common[field.word] |= code << field.shift
            continue
        codes = column.astype(np.uint64)  # modulo 2**64, as the words are
        codes -= np.uint64((field.low - 1) % 2**64)
        codes[column == NONE_CODE] = 0
        words[:, field.word] |= codes << np.uint64(field.shift)
    words |= np.array(common, np.uint64)
    return words


def _decode(field: Field, words: Words) -> NDArray[np.int64]:
    codes = words >> np.uint64(field.shift)
    codes &= np.uint64((1 << field.bits) - 1)
    column = codes.astype(np.int64) + (field.low - 1)
    column[codes == 0] = NONE_CODE
    return column


def _decoded(field: Field, word: int) -> int:
    code = word >> field.shift & (1 << field.bits) - 1
    return NONE_CODE if code == 0 else field.low + code - 1
