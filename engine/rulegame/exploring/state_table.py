"""States as numbers in a table: cells packed into a few machine words, found by hashing them.

A state of a small game takes eight bytes here, and as much again, or less, for its place in the
table. What is done with many states at once takes their cells as one array for each cell; the
kernels of `native` work on the same words and slots.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import Cells
from rulegame.evaluation.repetition import History
from rulegame.files.mapped import ArrayRoom
from rulegame.language.types import NONE_CODE

Words = NDArray[np.uint64]  # a row for each state
Columns = list[NDArray[np.int64]]  # of some states, an array for each cell
Range = tuple[int, int] | None  # what a cell can be, if it is known

WORD: Final = 64
LEAST_SLOTS: Final = 10  # as a power of two
FIRST_ROOM: Final = 64
PORTION: Final = 1 << 23  # numbers that are worked on together
FACTOR: Final = 0x9E3779B97F4A7C15  # odd, with its bits well spread
ALL: Final = 2**64 - 1


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
        """The same with room for more, and for much more in the direction of growth: all states
        are packed again when there is too little.
        """
        spare = 7 * (greatest - least + self.high - self.low) + 8
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
    """The states of a game in the order of their numbers, and the way back from a state.

    A slot holds a state's number plus one in its lower bits, and above them, as far as there is
    room, bits of the state's hash; 0 is free.
    """

    def __init__(
        self, start: Cells, ranges: Sequence[Range] | None = None, room: ArrayRoom | None = None
    ) -> None:
        self._objects = tuple(k for k, cell in enumerate(start) if isinstance(cell, History))
        self._numbers: dict[History, int] = {}  # of earlier positions, which stand for them
        self._histories: list[History] = []
        start = self.numbered(start)
        known = ranges or [None] * len(start)
        first = [_first_field(c, r) for c, r in zip(start, known, strict=True)]
        self.fields = _arranged(first)
        self.size = 0
        self.room = room or ArrayRoom()
        self.words: Words = self.room.growing((FIRST_ROOM, self.fields[-1].word + 1), np.uint64)
        self.bits = LEAST_SLOTS
        self.slots: NDArray[np.uint32] = self.room.growing(1 << self.bits, np.uint32)
        self.work: TableWork = _Arrays()  # machine code, while there is some

    @classmethod
    def restored(
        cls, fields: Sequence[Field], words: Words, slots: NDArray[np.uint32]
    ) -> StateKeys:
        """Those that were written elsewhere; nothing is added to them."""
        keys = cls.__new__(cls)
        keys.fields, keys.words, keys.slots = tuple(fields), words, slots
        keys.size, keys.bits = len(words), len(slots).bit_length() - 1
        keys.room, keys.work = ArrayRoom(), _Arrays()
        keys._objects, keys._numbers, keys._histories = (), {}, []
        return keys

    def __len__(self) -> int:
        return self.size

    @property
    def width(self) -> int:
        """How many words a state takes."""
        return int(self.words.shape[1])

    @property
    def nbytes(self) -> int:
        """How many bytes the states take here."""
        return self.words.nbytes + self.slots.nbytes

    @property
    def table(self) -> NDArray[np.int64]:
        """The fields as the kernels know them."""
        return table_of(self.fields)

    # ---- from numbers to states

    def __getitem__(self, number: int) -> Cells:  # type: ignore[override]
        if not -self.size <= number < self.size:
            raise IndexError(number)
        words = self.words[number % self.size].tolist()
        cells = [_decoded(field, words[field.word]) for field in self.fields]
        for place in self._objects:
            cells[place] = self._histories[cells[place]]  # type: ignore[call-overload]
        return tuple(cells)

    def __iter__(self) -> Iterator[Cells]:
        return (self[number] for number in range(self.size))

    def numbered(self, cells: Cells) -> Cells:
        """Cells with a number for earlier positions; equal ones have the same."""
        if not self._objects:
            return cells
        found = list(cells)
        for place in self._objects:
            history: Any = cells[place]
            number = self._numbers.setdefault(history, len(self._numbers))
            if number == len(self._histories):
                self._histories.append(history)
            found[place] = number
        return tuple(found)

    def columns(self, numbers: NDArray[np.integer] | slice) -> Columns:
        """The cells of some states."""
        words = self.words[: self.size][numbers]
        return [_decode(field, words[:, field.word]) for field in self.fields]

    # ---- from states to numbers

    def number(self, cells: Cells) -> int:
        """The number of one state; -1 if it is not here."""
        words = self._key(self.numbered(cells))
        if words is None:
            return -1
        hash_ = _hash(words)
        mask = (1 << self.bits) - 1
        mark, place = hash_ >> 32 >> self.bits << self.bits, hash_ & mask
        while True:
            there = int(self.slots[place])
            if there == 0:
                return -1
            if there - (there & mask) == mark:
                number = (there & mask) - 1
                if self.words[number].tolist() == words:
                    return number
            place = place + 1 & mask

    def _key(self, cells: Cells) -> list[int] | None:
        words = [0] * self.width
        for field, cell in zip(self.fields, cells, strict=True):
            if cell == NONE_CODE:
                continue
            if not field.low <= cell <= field.high:
                return None
            words[field.word] |= (cell - field.low + 1) << field.shift
        return words

    def add(self, columns: Columns) -> None:
        """New states, all different, which get the next numbers."""
        self.make_room(columns)
        words = _packed(self.fields, columns, self.width)
        first, self.size = self.size, self.size + len(words)
        self.reserve(self.size)
        self.words[first : self.size] = words
        if self.is_crowded(self.size):
            self.rebuild(self.size)
        else:
            self.work.enter(self, first, self.size)

    def reserve(self, states: int) -> None:
        """Room for so many states."""
        if states > len(self.words):
            grown = max(states, len(self.words) * 5 // 4)
            self.words = self.room.grown(self.words, grown)

    def finish(self) -> None:
        """Gives back the room for states that did not come."""
        self.words = self.room.grown(self.words, self.size)
        if self.bits > LEAST_SLOTS and self.size * 5 <= 4 << self.bits - 1:
            self.bits = LEAST_SLOTS
            self.rebuild(self.size)
        self.work = _Arrays()

    def is_crowded(self, states: int) -> bool:
        """Whether so many states would have to look for a slot too long."""
        return states * 5 > 4 << self.bits

    def make_room(self, columns: Columns) -> None:
        """Widens what is too narrow for some states."""
        fields = list(self.fields)
        for k, column in enumerate(columns):
            found = _extremes(column)
            if found is not None and not fields[k].covers(*found):
                fields[k] = fields[k].widened(*found)
        if fields == list(self.fields):
            return
        arranged = _arranged(fields)
        room = self.room.growing((len(self.words), arranged[-1].word + 1), np.uint64)
        self.work.pack_again(self, arranged, room)
        self.room.dropped(self.words)
        self.fields, self.words = arranged, room
        self.rebuild(self.size)

    # ---- the table: open addressing

    def clear_slots(self, states: int) -> None:
        """Free slots, enough for so many states."""
        while self.is_crowded(states):
            self.bits += 1
        self.room.dropped(self.slots)
        self.slots = np.zeros(0, np.uint32)  # both at once would take too much
        self.slots = self.room.growing(1 << self.bits, np.uint32)

    def rebuild(self, states: int) -> None:
        """Slots for so many states, with those in them that are here."""
        self.clear_slots(states)
        self.work.enter(self, 0, self.size)


class TableWork(Protocol):
    """What is done with all states of a table."""

    def enter(self, keys: StateKeys, first: int, last: int) -> None:
        """Puts states into slots, from one number up to another."""

    def pack_again(self, keys: StateKeys, fields: tuple[Field, ...], room: Words) -> None:
        """Writes all states with other fields."""


class _Arrays:
    """With the arrays of numpy."""

    def enter(self, keys: StateKeys, first: int, last: int) -> None:
        for begin, end in _portions(first, last, keys.width):
            self._enter(keys, begin, end)

    def _enter(self, keys: StateKeys, first: int, last: int) -> None:
        slots, mask, bits = keys.slots, (1 << keys.bits) - 1, np.uint64(keys.bits)
        hashes = _hashed(keys.words[first:last])
        marks = (hashes >> np.uint64(32) >> bits << bits).astype(np.uint32)
        entries = marks | np.arange(first + 1, last + 1, dtype=np.uint32)
        places = (hashes & np.uint64(mask)).astype(np.int64)
        while len(entries):
            free = slots[places] == 0
            slots[places[free]] = entries[free]  # of several, one gets the place
            homeless = slots[places] != entries
            entries, places = entries[homeless], places[homeless] + 1 & mask

    def pack_again(self, keys: StateKeys, fields: tuple[Field, ...], room: Words) -> None:
        for first, last in _portions(0, keys.size, len(fields)):
            before = keys.columns(slice(first, last))
            room[first:last] = _packed(fields, before, room.shape[1])


def table_of(fields: Sequence[Field]) -> NDArray[np.int64]:
    """Fields as the kernels know them, a row for each of: least, how many, word, shift, mask."""
    rows = [(f.low, f.high - f.low + 1, f.word, f.shift, (1 << f.bits) - 1) for f in fields]
    table = np.array([[word & ALL for word in row] for row in rows], np.uint64)
    return table.T.copy().view(np.int64)


def _portions(first: int, last: int, width: int) -> Iterator[tuple[int, int]]:
    """States in portions that take some megabytes in columns of that number."""
    most = max(1, PORTION // max(1, width))
    return ((begin, min(begin + most, last)) for begin in range(first, last, most))


def _hashed(words: Words) -> NDArray[np.uint64]:
    mixed = np.zeros(len(words), np.uint64)
    for k in range(words.shape[1]):
        mixed ^= words[:, k]
        mixed *= np.uint64(FACTOR)
        mixed ^= mixed >> np.uint64(32)
        mixed *= np.uint64(FACTOR)
        mixed ^= mixed >> np.uint64(29)
    return mixed


def _hash(words: list[int]) -> int:
    """The same for one state."""
    mixed = 0
    for word in words:
        mixed = (mixed ^ word) * FACTOR & ALL
        mixed = (mixed ^ mixed >> 32) * FACTOR & ALL
        mixed ^= mixed >> 29
    return mixed


def _first_field(cell: int, known: Range) -> Field:
    if known is not None:
        return Field(*known)
    return Field(0, 0) if cell == NONE_CODE else Field(cell, cell)


def _extremes(column: NDArray[np.int64]) -> tuple[int, int] | None:
    """The least and the greatest number; None if there are none but `none`."""
    if not len(column):
        return None
    least, greatest = int(column.min()), int(column.max())
    if greatest == NONE_CODE:
        return None
    if least == NONE_CODE:
        least = int(column[column != NONE_CODE].min())
    return least, greatest


def _packed(fields: Sequence[Field], columns: Columns, width: int) -> Words:
    words = np.zeros((len(columns[0]), width), np.uint64)
    for field, column in zip(fields, columns, strict=True):
        codes = column.astype(np.uint64)  # modulo 2**64, as the words are
        codes -= np.uint64((field.low - 1) % 2**64)
        codes[column == NONE_CODE] = 0
        words[:, field.word] |= codes << np.uint64(field.shift)
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
