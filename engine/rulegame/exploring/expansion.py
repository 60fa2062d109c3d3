"""Expand many states in native code: the kernel `native.kernels.expanding` and its buffers."""

from __future__ import annotations

from itertools import islice
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import Cells
from rulegame.exploring.recording import GraphRecord
from rulegame.exploring.state_table import Field, StateKeys, Words, table_of
from rulegame.native.machine_kernel import MachineKernel

# The reasons for which the kernel stops; see there.
DONE, FULL, ROOM, WIDEN, ASK, MANY, CROWDED, UNEVEN = range(8)

GROUP: Final = 192  # edges that are looked up together
OPTIONS: Final = 1000  # initial capacity, per state
EDGES: Final = 1 << 18  # initial capacity, per call
FOR_IMAGES: Final = 4  # factor for symmetries: options of images, their successors, and marks
ACTS: Final = 1 << 16  # initial capacity for distinct moves
ENDS: Final = 1 << 12  # initial capacity for distinct ends


class MachineWork:
    """The native operations on all states of a table."""

    def __init__(self, machine: MachineKernel) -> None:
        self._enter = machine.code.function("enter_all", "ppiiii", "v")
        self._pack_again = machine.code.function("pack_again", "ppippii", "v")

    def enter(self, keys: StateKeys, first: int, last: int) -> None:
        words, slots = keys.words.ctypes.data, keys.slots.ctypes.data
        self._enter(words, slots, keys.bits, keys.width, first, last)

    def pack_again(self, keys: StateKeys, fields: tuple[Field, ...], room: Words) -> None:
        before, then = keys.table, table_of(fields)
        self._pack_again(
            keys.words.ctypes.data, before.ctypes.data, keys.width,
            room.ctypes.data, then.ctypes.data, room.shape[1], keys.size,
        )  # fmt: skip


class Expansion:
    """Expands the states of a table and records their successors."""

    def __init__(
        self,
        machine: MachineKernel,
        keys: StateKeys,
        record: GraphRecord,
        expanded: int,
        most: int,
        symmetries: NDArray[np.int64] | None,
    ) -> None:
        self._machine, self._keys, self._record = machine, keys, record
        self._space = machine.memory()
        if symmetries is not None:
            self._space.extend(FOR_IMAGES)
        self._symmetries = np.zeros((1, 1), np.int64) if symmetries is None else symmetries
        self._expand = machine.code.function("expand", "p" * 19)
        self._act_of = machine.code.function("act_of", "ippp")
        self._acts_room, self._ends_room = ACTS, ENDS
        self.p = np.zeros(16, np.int64)
        self.p[0], self.p[9] = expanded, most
        self.p[14] = len(self._symmetries)
        self._make_room(OPTIONS)
        self.spare = np.zeros(machine.size, np.int64)
        self._make_tables()
        keys.work = MachineWork(machine)
        self.renew()

    def _make_room(self, options: int) -> None:
        """Allocate buffers for states with up to this many options."""
        size = EDGES + 4 * options
        self.p[4], self.p[13] = size, options
        self._group = GROUP + options
        self._hashes = np.empty(self._group, np.int64)
        self._successors, self._moves = np.empty(size, np.int32), np.empty(size, np.int32)
        self._shares, self._degrees = np.empty(size, np.int64), np.empty(size, np.int32)
        self._owner, self._outcome = np.empty(size, np.int8), np.empty(size, np.int32)

    def make_more_room(self) -> None:
        """Make room for eight times as many options."""
        self._make_room(8 * int(self.p[13]))

    def _make_tables(self) -> None:
        """Allocate the hash tables of moves and ends."""
        self._acts = np.zeros(self._acts_room * (self._machine.stride + 3), np.int64)
        self._end_width = 2 + self._machine.kernel.seats * (not self._machine.kernel.is_plain)
        self._ends = np.zeros(self._ends_room * (self._end_width + 2), np.int64)
        self.p[6] = self.p[7] = 0
        self.p[10], self.p[11] = self._acts_room, self._ends_room

    def _learn_acts(self) -> None:
        """Register the moves that Python found."""
        for point, *words in islice(self._record.acts, int(self.p[6]), None):
            option = np.array(words, np.int64)
            self._act_of(point, option.ctypes.data, self.p.ctypes.data, self._acts.ctypes.data)

    def renew(self) -> None:
        """Enlarge the buffers and refresh the view of the table."""
        self._learn_acts()
        keys = self._keys
        wanted = keys.size + max(keys.size // 4, 2 * self._group)
        keys.reserve(wanted)
        if keys.is_crowded(wanted):
            keys.rebuild(wanted)
        self._fields = keys.table
        self._key_room = np.empty(self._group * keys.width, np.uint64)
        self.p[1], self.p[2], self.p[3] = keys.size, keys.width, keys.bits
        self.p[5] = min(len(keys.words), (4 << keys.bits) // 5)

    def run(self) -> int:
        """Expand until the kernel stops; return the reason."""
        keys, space = self._keys, self._space
        arrays = (
            space.context, space.options, space.weights, self.p, keys.words, keys.slots,
            self._fields, self._key_room, self._hashes, self._successors, self._moves,
            self._shares, self._degrees, self._owner, self._outcome, self._acts, self._ends,
            self.spare, self._symmetries,
        )  # fmt: skip
        status = int(self._expand(*(array.ctypes.data for array in arrays)))
        keys.size = int(self.p[1])
        self._keep(int(self.p[8]))
        return status

    def _keep(self, states: int) -> None:
        """Add the results to the record."""
        record, degrees = self._record, self._degrees[:states]
        edges = int(degrees.sum())
        record.owner.add(self._owner[:states])
        record.degrees.add(degrees)
        record.outcome.add(self._outcome_numbers(self._outcome[:states]))
        record.successors.add(self._successors[:edges])
        record.weights.add(self._shares[:edges])
        record.moves.add(self._moves[:edges])
        known = len(record.acts)
        for row in self._rows(self._acts, known, int(self.p[6]), self._machine.stride + 1):
            record.add_act(tuple(row))

    def _outcome_numbers(self, found: NDArray[np.int32]) -> NDArray[np.int32]:
        known = self._record.numbers_of_ends
        for row in self._rows(self._ends, len(known), int(self.p[7]), self._end_width):
            known.append(self._record.number_of(self._machine.kernel.outcome_of(row)))
        if not known:
            return found
        return np.where(found < 0, -1, np.array(known, np.int32)[found])

    def _rows(self, table: NDArray[np.int64], begin: int, end: int, width: int) -> list[list[int]]:
        rows: list[list[int]] = table[begin * width : end * width].reshape(-1, width).tolist()
        return rows

    @property
    def is_full(self) -> bool:
        """Whether the tables of moves or ends are full."""
        return bool(self.p[6] == self._acts_room or self.p[7] == self._ends_room)

    def extend(self) -> None:
        """Start again with four times as much room for moves and ends."""
        self._acts_room, self._ends_room = self._acts_room * 4, self._ends_room * 4
        self._record.numbers_of_ends = []
        self._make_tables()

    @property
    def nbytes(self) -> int:
        """The approximate size of the buffers, with their spare capacity."""
        width = self._keys.width
        return 32 * int(self.p[4]) + self._group * (8 + 8 * width + 2 * (8 * width + 8))

    def cells(self) -> Cells:
        """The cells of the state that did not fit."""
        return tuple(self.spare.tolist())
