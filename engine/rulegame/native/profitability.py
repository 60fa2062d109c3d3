"""Decides when machine code pays: compares the work that is left for Python with its price.

Work is counted in bytecode instructions of Python, on sample positions of random games. The count
depends neither on the speed of the machine nor on its load.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from functools import cached_property, partial
from random import Random
from types import FrameType
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from rulegame.compiling import Cells, Fault, Kernel
from rulegame.core.backends.python import python_function
from rulegame.native.compiler import has_machine_code, is_cached
from rulegame.native.context import TooLong
from rulegame.native.log import log
from rulegame.native.machine_kernel import MachineKernel, compiled, tell_too_long

if TYPE_CHECKING:
    from rulegame.native.module import GameModule

PER_SECOND: Final = 250_000_000  # instructions of Python, about
LOADING: Final = 25_000_000  # instructions that take as long as loading machine code, about 0.1 s
COMPILING: Final = 30_000_000  # as long as compiling the smallest game
COMPILING_NODE: Final = 25_000  # as long as compiling one node of the rules' syntax trees
USES: Final = 2  # of what is compiled, since it is cached: later ones only load it
STEP: Final = 400  # instructions around the rules in each step of a game
SCALE: float = 1.0  # of these prices: 0 always chooses machine code, a huge number Python

SAMPLES: Final = 32  # steps whose instructions are counted
EVERY: Final = 4  # of so many steps one is counted
MOST_GAMES: Final = 4  # that are played to count them
SLOWDOWN: Final = 20  # of Python while it counts
PATIENCE: Final = 5_000_000  # instructions for all samples, about 20 ms
MOST_COUNTED: Final = 1_000_000  # instructions of one sample


class Sample(NamedTuple):
    """The work of random games."""

    step: float  # instructions of a step, on average
    median: float  # of the steps: a few slow ones, such as a setup, do not count
    steps: int  # of a game, at least


def sample_work(kernel: Kernel) -> Sample:
    """Play a few random games and count the instructions of some of their steps."""
    rng = Random(1)
    counts: list[int] = []
    lengths: list[int] = []
    spent, cells = 0.0, None
    while cells is not None or len(lengths) < MOST_GAMES:
        if cells is None:
            cells = kernel.start(0)
            lengths.append(0)
        advance = partial(_advance, kernel, cells, rng)
        if lengths[-1] % EVERY == 0:
            cells, count = _count_instructions(advance)
            counts.append(count)
            spent += SLOWDOWN * count
        else:
            cells = advance()
        lengths[-1] += 1
        mean = STEP + sum(counts) / len(counts)
        spent += mean
        if spent > PATIENCE or len(counts) == SAMPLES:
            break
    return Sample(mean, STEP + sorted(counts)[len(counts) // 2], min(lengths[:-1] or lengths))


def _advance(kernel: Kernel, cells: Cells, rng: Random) -> Cells | None:
    """One random step; None at the end of a game, or where the rules fail."""
    try:
        cells, options, player = kernel.settle(cells)
        if not options:
            return None
        return kernel.step(cells, kernel.any_of(cells, options, player, rng.randrange))
    except Fault:
        return None


class _Interrupted(Exception):
    """So many instructions were counted that the exact number does not matter."""


def _count_instructions(advance: Callable[[], Cells | None]) -> tuple[Cells | None, int]:
    """The result of a call, and the bytecode instructions that it executed. A call of more than
    `MOST_COUNTED` is interrupted.
    """
    count = 0

    def instruction(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal count
        count += 1
        if count >= MOST_COUNTED:
            raise _Interrupted
        return instruction

    def call(frame: FrameType, event: str, argument: Any) -> Any:
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return instruction

    previous = sys.gettrace()  # of a debugger
    sys.settrace(call)
    try:
        return advance(), count
    except _Interrupted:
        return None, count
    finally:
        sys.settrace(previous)


def is_worth_loading(work: float) -> bool:
    """Whether machine code in the cache is faster than Python, and there is a compiler."""
    return work >= SCALE * LOADING and has_machine_code()


class Backend:
    """Machine code around the rules of a game, for work that justifies its price."""

    def __init__(self, kernel: Kernel, name: str) -> None:
        self._kernel, self._name = kernel, name
        self._is_logged = False

    @property
    def price(self) -> int:
        """The instructions that Python executes while the rules are loaded, and compiled for one of
        several uses.
        """
        functions = self._kernel.program.functions.values()
        nodes = sum(1 for function in functions for _ in ast.walk(python_function(function)))
        return LOADING + (COMPILING + COMPILING_NODE * nodes) // USES

    def machine(self, work: float) -> MachineKernel | None:
        """The machine code, if so much work justifies loading it or, where it is not in the cache,
        compiling it; None if Python does the work as fast.
        """
        machines: dict[str, MachineKernel | None] = self._kernel.machines
        if self._name not in machines:
            if not is_worth_loading(work):
                self._left_to_python(work, SCALE * LOADING)
                return None
            module, price = self._module, SCALE * self.price
            if module is not None and work < price and not is_cached(module.text):
                self._left_to_python(work, price)
                return None
            machines[self._name] = None if module is None else compiled(module)
        return machines[self._name]

    def _left_to_python(self, work: float, price: float) -> None:
        """Log it once: the work is estimated again while it goes on."""
        if self._is_logged:
            return
        self._is_logged = True
        title = self._kernel.ruleset.title
        if work >= price:
            log(f"{title}: left to Python, as there is no compiler")
            return
        worth = f"{work:,.0f} instructions; native code pays from {price:,.0f}"
        log(f"{title}: left to Python ({worth})")

    @cached_property
    def _module(self) -> GameModule | None:
        """The assembly; None if the rules are too large for it."""
        from rulegame.native.module import GameModule

        try:
            return GameModule(self._kernel, (self._name,))
        except TooLong as problem:
            tell_too_long(problem)
            return None
