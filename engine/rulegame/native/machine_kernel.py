"""The rules of a game as machine code: the same questions as `compiling.Kernel` answers, for single
states, and the kernels that ask them for many. NumPy is imported when machine code is made.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from threading import Lock
from time import perf_counter
from typing import TYPE_CHECKING, Final

from rulegame.compiling import Cells, Kernel
from rulegame.native.compiler import MachineCode, SlowerWarning, has_machine_code
from rulegame.native.context import (
    CONTEXT_WORDS,
    END,
    FLOOR,
    MOST_OPTIONS,
    STAMPS,
    TOP,
    TooLong,
    Unsupported,
)
from rulegame.native.log import log, watch

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rulegame.native.module import GameModule

    Words = NDArray[np.int64]

HEAP_WORDS: Final = 1 << 22  # of which only those take memory that are used

_LOCK: Final = Lock()  # one game is compiled at a time


class ThreadMemory:
    """The memory of one thread that asks the rules."""

    def __init__(self, size: int, stride: int) -> None:
        self.context = _words([0] * CONTEXT_WORDS)
        self.stamps = _words([0] * size)
        self.heap = _empty(HEAP_WORDS)
        self.options = _empty(MOST_OPTIONS * stride)
        self.weights = _empty(MOST_OPTIONS)
        begin = self.heap.ctypes.data
        self.context[TOP] = self.context[FLOOR] = begin
        self.context[END] = begin + self.heap.nbytes
        self.context[STAMPS] = self.stamps.ctypes.data

    def extend(self, times: int) -> None:
        """So many times as much room for options."""
        self.options = _empty(times * len(self.options))
        self.weights = _empty(times * len(self.weights))

    @property
    def addresses(self) -> tuple[int, int, int]:
        """Of the context, the options and the weights."""
        return self.context.ctypes.data, self.options.ctypes.data, self.weights.ctypes.data


class MachineKernel:
    """The rules of one game, compiled with some kernels."""

    def __init__(self, kernel: Kernel, *kernels: str) -> None:
        from rulegame.native.module import GameModule  # which is not needed but to make some

        module = GameModule(kernel, kernels or ("asking",))
        self._open(module, load(module))

    @classmethod
    def of(cls, module: GameModule, code: MachineCode) -> MachineKernel:
        """What has been compiled already."""
        made = cls.__new__(cls)
        made._open(module, code)
        return made

    def _open(self, module: GameModule, code: MachineCode) -> None:
        self.module, self.code, self.kernel = module, code, module.kernel
        kernel = module.kernel
        self.size = len(kernel.start(0))
        self.stride = self.module.stride
        self._options = self.code.function("options", "pppp")
        self._step = self.code.function("step", "pppp")
        self._get_past = self.code.function("get_past", "ppp")
        self._own = self.memory()

    def memory(self) -> ThreadMemory:
        """The memory of one thread."""
        made = ThreadMemory(self.size, self.stride)
        watch(self.kernel.ruleset.title, made.context)
        return made

    # ---- single states: what comes of them, or None where Python is to be asked

    def options(self, cells: Cells) -> tuple[tuple[int, ...], ...] | None:
        """The options, as words."""
        context, out, weights = self._own.addresses
        given = _words(cells)  # which must outlive the call
        count = self._options(context, given.ctypes.data, out, weights)
        if count < 0:
            return None
        rows = self._own.options[: count * self.stride].reshape(count, self.stride).tolist()
        operations = self.kernel.point(cells).operations
        sizes = [1 + len(operation.choices) for operation in operations] or [2]
        return tuple(tuple(row[: sizes[row[0] if len(sizes) > 1 else 0]]) for row in rows)

    def weights(self, cells: Cells) -> tuple[int, ...] | None:
        options = self.options(cells)
        return None if options is None else tuple(self._own.weights[: len(options)].tolist())

    def step(self, cells: Cells, words: tuple[int, ...]) -> Cells | None:
        """The cells after an option."""
        after = _empty(self.size)
        context = self._own.addresses[0]
        given, chosen = _words(cells), _words(words)
        failed = self._step(context, given.ctypes.data, chosen.ctypes.data, after.ctypes.data) < 0
        return None if failed else tuple(after.tolist())

    def get_past(self, cells: Cells) -> Cells | None:
        """The cells after what happens by itself to a player who is stuck."""
        after = _empty(self.size)
        context, given = self._own.addresses[0], _words(cells)
        failed = self._get_past(context, given.ctypes.data, after.ctypes.data) < 0
        return None if failed else tuple(after.tolist())


def machine_for(kernel: Kernel, name: str) -> MachineKernel | None:
    """The rules of a game as machine code, with a kernel around them, made once; None where there
    is no machine code.
    """
    if not has_machine_code():
        return None
    known: dict[str, MachineKernel | None] = kernel.machines
    with _LOCK:
        if name not in known:
            try:
                known[name] = MachineKernel(kernel, name)
            except TooLong as problem:
                tell_too_long(problem)
                known[name] = None
        return known[name]


def tell_too_long(problem: TooLong) -> None:
    """Says that there is no machine code for these rules."""
    if isinstance(problem, Unsupported):
        log(f"left to Python: {problem}")
        return
    said = f"the rules are too large for machine code ({problem}), so this takes longer"
    log(said)
    warnings.warn(said, SlowerWarning, stacklevel=2)


def compiled(module: GameModule) -> MachineKernel:
    """The same of a module whose text is there already: this may be done in another thread."""
    with _LOCK:
        return MachineKernel.of(module, load(module))


def load(module: GameModule) -> MachineCode:
    """The machine code of a module, from the cache or compiled now."""
    began = perf_counter()
    code = MachineCode(module.text)
    how = "loaded from the cache" if code.was_cached else "compiled"
    title, kernels = module.kernel.ruleset.title, ", ".join(module.names)
    log(f"{title}: {how} in {perf_counter() - began:.2f} s ({kernels})")
    return code


def _words(values: Sequence[int]) -> Words:
    """Values as machine code reads them."""
    import numpy as np

    return np.array(values, np.int64)


def _empty(count: int) -> Words:
    """Room for so many words."""
    import numpy as np

    return np.empty(count, np.int64)
