"""A search tree that grows at machine speed, and random games."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rulegame.compiling import Cells, Fault
from rulegame.native.context import TOTAL
from rulegame.native.kernels import tree as at
from rulegame.native.machine_kernel import MachineKernel
from rulegame.players.table import LONGEST, FastTable
from rulegame.players.tree_memory import DEEPEST, Beyond, head

if TYPE_CHECKING:
    from rulegame.native.machine_kernel import Words

ASKED: Final = 8  # words of the context: whom the machine asks,
STOPPED: Final = 9  # and whether the search is to stop
OPTIONS, STEP, PAST = 0, 1, 2  # what Python is asked for
LEAST_ROOM: Final = 1 << 16
FAILED: Final = -1


class MachineTree:
    """One tree."""

    def __init__(self, machine: MachineKernel, table: FastTable, seed: int, hunter: int) -> None:
        self._machine = machine
        self._search = machine.code.function("search", "ppppppppi")
        self._plant = machine.code.function("plant", "ppppppp")
        self.words: Words = np.zeros(LEAST_ROOM, np.int64)
        words, reals = head(table, seed - 2**64 if seed >= 2**63 else seed, hunter, LEAST_ROOM)
        for place, value in words.items():
            self.words[place] = value
        for place, real in reals.items():
            self.reals[place] = real
        self._memory = machine.memory()
        self._states = np.zeros((2, machine.size), np.int64)
        self._path = np.empty(DEEPEST, np.int64)
        self._answers = Answers(machine, self._memory.context)

    @property
    def reals(self) -> Any:
        return self.words.view(np.float64)

    def plant(self, cells: Cells) -> None:
        self._states[0] = cells
        self._make_room(self._machine.size + 1)
        context, out, weights = self._memory.addresses
        words, state, spare = self._tree_and_states()
        self._plant(context, words, words, state, spare, out, weights)
        self._answers.check()

    def grow(self, iterations: int) -> int:
        done = 0
        context, out, weights = self._memory.addresses
        while True:
            words, state, spare = self._tree_and_states()
            path = self._path.ctypes.data
            left = iterations - done
            done += int(self._search(context, words, words, path, state, spare, out, weights, left))
            self._answers.check()
            needed = int(self.words[at.NEEDED])
            if not needed:
                return done
            self._make_room(needed)

    def _tree_and_states(self) -> tuple[int, int, int]:
        state = self._states.ctypes.data
        return self.words.ctypes.data, state, state + self._states[0].nbytes

    def _make_room(self, needed: int) -> None:
        used = int(self.words[at.FREE])
        if used + needed > len(self.words):
            try:
                wider: Words = np.empty(max(2 * len(self.words), used + needed), np.int64)
            except MemoryError:
                if not self.words[at.MOST]:
                    raise
                self.words[at.MOST] = self.words[at.NEEDED] = 0  # it does without new nodes
                return
            wider[:used] = self.words[:used]
            self.words = wider
        self.words[at.ROOM], self.words[at.NEEDED] = len(self.words), 0

    def put(self, place: int, values: Sequence[int]) -> None:
        self._make_room(len(values))
        self.words[place : place + len(values)] = values


class Answers:
    """What Python answers where the machine cannot."""

    def __init__(self, machine: MachineKernel, context: Words) -> None:
        self._kernel, self._context = machine.kernel, context
        self._size, self._stride = machine.size, machine.stride
        kinds = [ctypes.c_int64] + [ctypes.c_void_p] * 4
        self._function = ctypes.CFUNCTYPE(ctypes.c_int64, *kinds)(self._answer)
        self._error: BaseException | None = None
        context[ASKED] = ctypes.cast(self._function, ctypes.c_void_p).value or 0

    def check(self) -> None:
        """Raises what went wrong in an answer."""
        error, self._error = self._error, None
        self._context[STOPPED] = 0
        if error is not None:
            raise error

    def _answer(self, question: int, cells: int, given: int, result: int, _: int) -> int:
        try:
            state = tuple(_row(cells, self._size))
            if question == OPTIONS:
                return self._options(state, given, result)
            if question == PAST:
                after = self._kernel.get_past(state)
            else:
                after = self._kernel.step_words(state, tuple(_row(given, self._stride)))
            _write(result, after)
        except Fault:
            return FAILED
        except BaseException as error:  # which no machine code lets through
            self._error = error
            self._context[STOPPED] = 1
            return FAILED
        return 0

    def _options(self, cells: Cells, out: int, weights: int) -> int:
        codes = self._kernel.options(cells)
        for k, code in enumerate(codes):
            _write(out + 8 * k * self._stride, self._kernel.actions[code].words)
        if self._kernel.player(cells) < 0:
            shares = self._kernel.weights(cells)
            _write(weights, shares)
            if sum(shares) >= 2**62:
                raise Beyond
            self._context[TOTAL] = sum(shares)
        return len(codes)


class MachineRollouts:
    """Random games, one at a time."""

    def __init__(self, machine: MachineKernel) -> None:
        self._play = machine.code.function("play_out", "pppppp")
        self._memory = machine.memory()
        self._states = np.zeros((2, machine.size), np.int64)
        self._head = np.zeros(at.HEAD, np.int64)
        self._head[at.LONGEST] = LONGEST
        self._answers = Answers(machine, self._memory.context)
        context, out, weights = self._memory.addresses
        state = self._states.ctypes.data
        spare = state + self._states[0].nbytes
        self._given = context, self._head.ctypes.data, state, spare, out, weights

    def play(self, cells: Cells, seed: int) -> tuple[Cells, int]:
        """Where a game ends, and after how many steps; below 0 if it does not."""
        self._states[0] = cells
        self._head[at.RANDOM] = seed - 2**64 if seed >= 2**63 else seed
        steps = int(self._play(*self._given))
        self._answers.check()
        return tuple(self._states[0].tolist()), steps


def _row(address: int, count: int) -> list[int]:
    return list((ctypes.c_int64 * count).from_address(address))


def _write(address: int, values: Sequence[int]) -> None:
    if any(not -(2**63) <= value < 2**63 for value in values):
        raise Beyond
    (ctypes.c_int64 * len(values)).from_address(address)[:] = list(values)
