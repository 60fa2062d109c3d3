"""What one side can make sure of within a number of moves and rolls: alpha-beta, by Python or by
machine code. What lies beyond is taken to pay it the least there is, so the result is a guarantee.

Values are payoffs of the first mover, in parts of 1 (`Kernel.parts`); for the other side they are
negated. What comes out is what can be made sure of, if that lies between alpha and beta; if not, a
number beyond the one or the other that is on the same side of it.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from itertools import count
from math import inf, isfinite
from time import monotonic
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import CHANCE, OVER, Cells, Kernel, Outcome
from rulegame.errors import CannotSolve, OutOfTime
from rulegame.exploring.state_table import StateKeys
from rulegame.model.payoffs import MOST as MOST_PAID
from rulegame.native.context import MOST_OPTIONS
from rulegame.native.machine_kernel import MachineKernel
from rulegame.solving.arena import check_opposed

ASK, STOPPED, WIDEN = 1, 2, 3  # what the kernel stops for; see there
FRAME: Final = 3
PLACES: Final = 2 * 4096
MORE_OPTIONS: Final = 1 << 18  # that there is room for on the way
LEAST_ROWS: Final = 10  # as a power of two
MOST_KEPT: Final = 1_000_000  # positions that Python keeps
SLACK: Final = 2.0**-40
EPSILON: Final = 2.0**-52
STACK: Final = 1 << 26
EVERY: Final = 0.05  # seconds between looks at the clock

Tell = Callable[[int], None]  # how many positions have been looked at


class LeftToPython(Exception):
    """Machine code cannot answer."""


class Stakes(NamedTuple):
    """The payoffs of the first mover that can come beyond the horizon, in parts of 1."""

    first: int  # the seat of the first mover
    low: float  # -inf where nothing is known
    high: float

    def window(self, seat: int) -> tuple[float, float]:
        """The floor and the ceiling of the values of a seat."""
        return (self.low, self.high) if seat == self.first else (0.0 - self.high, 0.0 - self.low)

    @property
    def scale(self) -> float:
        """The size of the largest payoff; 0 if there is no bound."""
        size = max(abs(self.low), abs(self.high))
        return size if isfinite(size) else 0.0

    @property
    def is_finite(self) -> bool:
        return isfinite(self.low) and isfinite(self.high)


class Lookahead(Protocol):
    """One of the two ways."""

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""

    def sure(self, cells: Cells, seat: int, depth: int, alpha: float, beta: float) -> float:
        """What a seat can make sure of within a depth."""


class KnownBounds:
    """What is known of a position: what is sure within a depth, and what is the most there."""

    __slots__ = ("best", "most", "most_depth", "sure", "sure_depth")

    def __init__(self) -> None:
        self.sure_depth, self.sure = 1 << 30, -inf
        self.most_depth, self.most = -1, inf
        self.best = -1


class PythonLookahead:
    """By the functions of Python."""

    def __init__(self, kernel: Kernel, stakes: Stakes, deadline: float | None = None) -> None:
        self._kernel, self._stakes, self._deadline = kernel, stakes, deadline
        self._met: Outcome | None = None  # an end that all others must agree with
        self._kept: dict[tuple[Cells, int], KnownBounds] = {}
        self._looked = 0

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""
        return self._looked

    def sure(self, cells: Cells, seat: int, depth: int, alpha: float, beta: float) -> float:
        """What a seat can make sure of within a depth."""
        self._looked += 1
        if self._looked % 256 == 0 and self._deadline is not None and monotonic() > self._deadline:
            raise OutOfTime
        kernel = self._kernel
        cells, options, player = kernel.settle(cells)
        if player == OVER:
            paid = self.payoff(cells)
            return paid if seat == self._stakes.first else 0.0 - paid
        if depth == 0:
            return self._stakes.window(seat)[0]
        kept = self._row(cells, seat)
        if kept.sure_depth <= depth:
            if kept.sure >= beta:
                return kept.sure
            alpha = max(alpha, kept.sure)
        if kept.most_depth >= depth and kept.most <= alpha:
            return alpha
        if player == CHANCE:
            found = self._over_rolls(cells, options, seat, depth, alpha, beta)
        else:
            best = kept.best
            order = options if best < 0 else (best, *(code for code in options if code != best))
            found, best = self._over_moves(cells, order, player == seat, seat, depth, alpha, beta)
            kept.best = best if best >= 0 else kept.best
        if found > alpha:
            kept.sure_depth, kept.sure = depth, found
        if found < beta:
            kept.most_depth, kept.most = depth, found
        return found

    def payoff(self, cells: Cells) -> float:
        """What an end pays the first mover; CannotSolve if the players are not opposed."""
        outcome = self._kernel.outcome(cells)
        self._met = self._met or outcome
        check_opposed((self._met, outcome))
        paid = outcome.payoffs[self._stakes.first] * self._kernel.parts
        if not -MOST_PAID < paid < MOST_PAID:
            raise CannotSolve("payoffs are too large: they do not fit in 53 bits")
        return float(paid)

    def _row(self, cells: Cells, seat: int) -> KnownBounds:
        if len(self._kept) > MOST_KEPT:
            self._kept.clear()
        return self._kept.setdefault((cells, seat), KnownBounds())

    def _over_moves(
        self,
        cells: Cells,
        order: tuple[int, ...],
        mine: bool,
        seat: int,
        depth: int,
        alpha: float,
        beta: float,
    ) -> tuple[float, int]:
        """The same where a player decides, and the best move, if there is one."""
        value, best = alpha if mine else self._stakes.window(seat)[1], -1
        for code in order:
            low, high = (value, beta) if mine else (alpha, min(beta, value))
            found = self.sure(self._kernel.step(cells, code), seat, depth - 1, low, high)
            if found > value if mine else found < value:
                value, best = found, code
            if value >= beta if mine else value <= alpha:
                break
        return max(value, alpha), best

    def _over_rolls(
        self,
        cells: Cells,
        options: tuple[int, ...],
        seat: int,
        depth: int,
        alpha: float,
        beta: float,
    ) -> float:
        """The same where chance decides: what is sure of the mean. Sums are rounded down."""
        weights = self._kernel.weights(cells)
        total = rest = sum(weights)
        added, values = 0.0, set()
        floor, ceiling = self._stakes.window(seat)
        finite, scale, terms = self._stakes.is_finite, self._stakes.scale, len(options)
        for code, share in zip(options, weights, strict=True):
            rest -= share
            low, high = floor, ceiling
            if finite:
                slack = scale * SLACK
                low = max((alpha * total - added - rest * ceiling) / share - slack, floor)
                high = min((beta * total - added - rest * floor) / share + slack, ceiling)
                if low >= ceiling:
                    return alpha
            found = self.sure(self._kernel.step(cells, code), seat, depth - 1, low, high)
            if found <= low and (low > floor or floor == -inf):
                return alpha
            values.add(found)
            added += share * found
            scale = max(scale, abs(found))
            if finite:
                sure = lowered(added + rest * floor, total, terms, scale, floor)
                if sure >= beta:
                    return sure
        value = values.pop() if len(values) == 1 else lowered(added, total, terms, scale, floor)
        return max(value, alpha)


def lowered(added: float, total: int, terms: int, scale: float, floor: float) -> float:
    """A mean of numbers up to a size, without what rounding may have added to it."""
    return max(added / total - scale * ((terms + 8) * EPSILON), floor)


class MachineLookahead:
    """By the kernel of `native.kernels.deepening`, with a table of a size that does not change."""

    def __init__(
        self,
        machine: MachineKernel,
        start: Cells,
        stakes: Stakes,
        room: int,
        deadline: float | None,
        tell: Tell,
    ) -> None:
        self._machine, self._room, self._deadline, self._tell = machine, room, deadline, tell
        self._stakes = stakes
        self._keys = StateKeys(start, machine.kernel.cell_ranges)
        self._look = machine.code.function("look_ahead", "p" * 9 + "iiff", "f")
        space = machine.memory()
        self._context = space.context, space  # which keeps the memory that it names
        rows = MOST_OPTIONS + MORE_OPTIONS
        self._options = np.empty(rows * machine.stride, np.int64)
        self._weights = np.empty(rows, np.int64)
        self._rows = rows
        self._spare = np.zeros(machine.size, np.int64)
        self._history = np.zeros(PLACES, np.int64)
        self._p = np.zeros(16, np.int64)
        self._p[10], self._p[11] = stakes.first, stakes.is_finite
        self._p[12:13] = _bits(stakes.scale)
        self._make_table()

    def _make_table(self) -> None:
        width = self._keys.width + 3
        bits = LEAST_ROWS
        while 16 * width << bits <= self._room:
            bits += 1
        self._fields = self._keys.table
        self._table = np.zeros(width << bits, np.int64)
        self._p[0], self._p[1] = self._keys.width, bits

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""
        return int(self._p[5])

    def sure(self, cells: Cells, seat: int, depth: int, alpha: float, beta: float) -> float:
        """What a seat can make sure of within a depth; LeftToPython, if machine code is not to be
        relied on.
        """
        frames = np.empty(FRAME * self._machine.size * (depth + 2), np.int64)
        self._p[2] = seat
        self._p[8:10] = _bits(*self._stakes.window(seat))
        while True:
            frames[: len(cells)] = cells
            self._p[4] = 0
            found = self._run(frames, depth, alpha, beta)
            status = int(self._p[4])
            if status == 0:
                return found
            if status == STOPPED:
                raise OutOfTime
            if status == ASK:
                raise LeftToPython
            self._keys.make_room([np.array([cell], np.int64) for cell in self._spare.tolist()])
            self._make_table()

    def _run(self, frames: NDArray[np.int64], depth: int, alpha: float, beta: float) -> float:
        """Calls the kernel in a thread of its own, which can be told to stop."""
        arrays = (
            self._context[0], self._options, self._weights, self._p, frames, self._fields,
            self._table, self._history, self._spare,
        )  # fmt: skip
        found: list[float] = []

        def work() -> None:
            places = (array.ctypes.data for array in arrays)
            found.append(self._look(*places, depth, self._rows, alpha, beta))

        self._p[3] = 0
        before = threading.stack_size(STACK)
        try:
            thread = threading.Thread(target=work)
            thread.start()
        finally:
            threading.stack_size(before)
        self._wait(thread)
        return found[0]

    def _wait(self, thread: threading.Thread) -> None:
        try:
            for turn in count(1):
                thread.join(EVERY)
                if not thread.is_alive():
                    return
                if self._deadline is not None and monotonic() > self._deadline:
                    self._p[3] = 1
                if turn % 4 == 0:
                    self._tell(self.nodes)
        finally:
            self._p[3] = 1
            thread.join()


def _bits(*numbers: float) -> NDArray[np.int64]:
    """Floats as kernels keep them among whole numbers."""
    return np.array(numbers, np.float64).view(np.int64)
