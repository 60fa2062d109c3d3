"""Many games by machine code: batch by batch, in as many threads as there are cores.

Machine code runs outside the interpreter's lock, so threads do run at the same time. What comes of
a game follows from its number: how games are batched never changes it. Games that machine code
leaves to Python (the rules fail in them, or a number is too large) are played by Python.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from fractions import Fraction
from threading import local
from typing import Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import Kernel
from rulegame.exploring import StateGraph
from rulegame.game import CHANCE, Game
from rulegame.native.graph_kernels import call
from rulegame.native.machine_kernel import MachineKernel, ThreadMemory
from rulegame.simulation.rng import Seeded
from rulegame.simulation.tally import Kind, Tally

MOST_ENDS: Final = 4096  # different ways to end that a batch has room for
UNFINISHED: Final = -1  # in place of a length
ASK: Final = -2
PATIENCE: Final = 20.0  # seconds that Python would take for a batch
FEW_LENGTHS: Final = 1 << 20  # up to which lengths are counted in a row
MOST_GAMES: Final = 1 << 16  # of a batch

Counts = NDArray[np.int64]


class BatchResult(NamedTuple):
    """What came of some games with one player moving first."""

    first: int
    numbers: range
    lengths: Counts  # of each game, or UNFINISHED or ASK
    ends: list[tuple[list[int], int]]  # what tells one end from another, and how often it came
    times: Counts  # how often each kind of step was taken
    used: Counts  # in how many games
    paid: Counts | None  # what each seat was paid, then the squares of it; None: won or lost


class BatchPlayer(Protocol):
    """How machine code plays."""

    def play(self, first: int, numbers: range, seeded: Seeded, limit: int) -> BatchResult: ...

    def count_ends(self, played: BatchResult, tally: Tally) -> None: ...


class Batches:
    """All games that are left to play."""

    def __init__(
        self,
        player: BatchPlayer,
        firsts: range,
        seeded: Seeded,
        limit: int,
        tally: Tally,
        by_python: Callable[[int, int], None],
    ) -> None:
        self._batch_player, self._firsts, self._seeded = player, firsts, seeded
        self._limit, self._tally, self._by_python = limit, tally, by_python

    def play(self, games: range, size: int, most_threads: int, tell: Callable[[], None]) -> None:
        """Plays the games of these numbers, so many in a batch."""
        begins = range(0, len(games), size)
        threads = min(os.cpu_count() or 1, most_threads, len(begins))
        with ThreadPoolExecutor(max(1, threads)) as pool:
            waiting: list[Future[list[BatchResult]]] = []
            try:
                for begin in begins:
                    waiting.append(pool.submit(self._play_part, games[begin : begin + size]))
                    if len(waiting) > 2 * threads:
                        self._count(waiting.pop(0).result())
                        tell()
                while waiting:
                    self._count(waiting.pop(0).result())
                    tell()
            finally:
                for future in waiting:
                    future.cancel()

    def _play_part(self, numbers: range) -> list[BatchResult]:
        """Games in turn for each who may move first."""
        turn = len(self._firsts)
        found = []
        for place, first in enumerate(self._firsts):
            begin = numbers.start + (place - numbers.start) % turn
            own = range(begin, numbers.stop, turn)
            if own:
                found.append(self._batch_player.play(first, own, self._seeded, self._limit))
        return found

    def _count(self, parts: Sequence[BatchResult]) -> None:
        tally = self._tally
        asked: list[tuple[int, int]] = []
        for played in parts:
            for length, count in _counted(played.lengths):
                if length == ASK:
                    places = np.flatnonzero(played.lengths == ASK).tolist()
                    asked += [(played.numbers[k], played.first) for k in places]
                elif length == UNFINISHED:
                    tally.unfinished[played.first] += count
                else:
                    tally.lengths[length] += count
            for kind in range(len(tally.kinds)):
                tally.times[kind] += int(played.times[kind])
                tally.used[kind] += int(played.used[kind])
            self._batch_player.count_ends(played, tally)
        for number, first in sorted(asked):
            self._by_python(number, first)


class RulePlayer:
    """Games at random, by the rules themselves."""

    def __init__(self, game: Game, machine: MachineKernel) -> None:
        self._game, self._machine = game, machine
        self._kernel: Kernel = game.kernel
        self._starts = [
            np.array(game.kernel.start(first), np.int64) for first in range(len(game.players))
        ]
        self._play = machine.code.function("play_games", "pppppiiiippppp")
        self._kinds = len(Tally(game).kinds)
        self._paid = 0 if game.kernel.is_plain else game.kernel.seats
        self._own = local()

    def _memory(self) -> ThreadMemory:
        """The memory of this thread."""
        if not hasattr(self._own, "space"):
            self._own.space = self._machine.memory()
        space: ThreadMemory = self._own.space
        return space

    def play(self, first: int, numbers: range, seeded: Seeded, limit: int) -> BatchResult:
        """Plays the games of these numbers."""
        space = self._memory()
        start = self._starts[first]
        lengths, ends = np.empty(len(numbers), np.int64), np.empty(3 * MOST_ENDS, np.int64)
        times, used = np.zeros(self._kinds, np.int64), np.zeros(self._kinds, np.int64)
        paid = np.zeros(2 * self._paid, np.int64)
        seeds = seed_words(seeded)
        rows = self._play(
            space.context.ctypes.data, start.ctypes.data, space.options.ctypes.data,
            space.weights.ctypes.data, seeds.ctypes.data, numbers.start, numbers.step,
            len(numbers), limit, lengths.ctypes.data, ends.ctypes.data, times.ctypes.data,
            used.ctypes.data, paid.ctypes.data,
        )  # fmt: skip
        if rows < 0:  # more kinds of ends than there is room for
            return _all_asked(first, numbers, self._kinds)
        found = [(row[:2], row[2]) for row in ends[: 3 * rows].reshape(rows, 3).tolist()]
        return BatchResult(
            first, numbers, lengths, found, times, used, paid if self._paid else None
        )

    def count_ends(self, played: BatchResult, tally: Tally) -> None:
        """Counts how the games have ended."""
        for (point, bits), games in played.ends:
            outcome = self._kernel.outcome_of([point, bits, *[0] * self._paid])
            tally.end(outcome, played.first, games, pays=not self._paid)
        if played.paid is not None:
            paid, parts = played.paid.tolist(), self._kernel.parts
            squares = [Fraction(square, parts * parts) for square in paid[self._paid :]]
            tally.pay([Fraction(sum_, parts) for sum_ in paid[: self._paid]], squares)


class GraphPlayer:
    """Games over the state graph, in which some players always take the edge that is chosen."""

    def __init__(
        self, graphs: dict[int, StateGraph], chosen: dict[int, NDArray[np.int32]], tally: Tally
    ) -> None:
        """All by who moves first; `chosen` is -1 where any edge may be taken."""
        self._graphs, self._chosen = graphs, chosen
        self._kinds = {first: _kinds(graph, tally) for first, graph in graphs.items()}
        self._count = len(tally.kinds)
        self._weights = {
            first: np.ascontiguousarray(graph.weights, np.int64) for first, graph in graphs.items()
        }
        self._states = {
            first: (np.ascontiguousarray(graph.offsets, np.int32), graph.owner.copy())
            for first, graph in graphs.items()
        }
        self._outcomes = {
            first: np.ascontiguousarray(graph.outcome, np.int32) for first, graph in graphs.items()
        }

    def play(self, first: int, numbers: range, seeded: Seeded, limit: int) -> BatchResult:
        """Plays the games of these numbers."""
        graph = self._graphs[first]
        lengths = np.empty(len(numbers), np.int64)
        ends = np.zeros(len(graph.outcomes), np.int64)
        times, used = np.zeros(self._count, np.int64), np.zeros(self._count, np.int64)
        own = np.zeros(self._count, np.int64)
        call(
            "walk_games", *self._states[first], graph.successors, self._weights[first],
            self._kinds[first], self._outcomes[first], self._chosen[first], seed_words(seeded),
            numbers.start, numbers.step, len(numbers), limit, lengths, ends, times, used, own,
            self._count,
        )  # fmt: skip
        found = [([k], n) for k, n in enumerate(ends.tolist()) if n]
        return BatchResult(first, numbers, lengths, found, times, used, None)

    def count_ends(self, played: BatchResult, tally: Tally) -> None:
        """Counts how the games have ended."""
        for (number,), games in played.ends:
            tally.end(self._graphs[played.first].outcomes[number], played.first, games)


def seed_words(seeded: Seeded) -> NDArray[np.uint64]:
    """A seed as machine code reads it."""
    return np.array([seeded.start, seeded.stride], np.uint64)


def _counted(lengths: Counts) -> list[tuple[int, int]]:
    """Different lengths, and how often each of them came."""
    if int(lengths.max()) <= FEW_LENGTHS:
        times = np.bincount(lengths - ASK)
        found = np.flatnonzero(times)
        return list(zip((found + ASK).tolist(), times[found].tolist(), strict=True))
    found, times = np.unique(lengths, return_counts=True)
    return list(zip(found.tolist(), times.tolist(), strict=True))


def _all_asked(first: int, numbers: range, kinds: int) -> BatchResult:
    """Nothing has been played."""
    none = np.zeros(kinds, np.int64)
    return BatchResult(first, numbers, np.full(len(numbers), ASK, np.int64), [], none, none, None)


def batch_size(asked: int | None, games: int, seconds: float) -> int:
    """How many games go into a batch, if Python takes so long for one of them: few enough for a
    batch to be over soon, so that it can be broken off.
    """
    if asked is not None:
        return min(asked, MOST_GAMES)
    return max(1, min(MOST_GAMES, int(PATIENCE / max(seconds, 1e-6)), -(-games // 2)))


def _kinds(graph: StateGraph, tally: Tally) -> NDArray[np.int32]:
    """Of each edge, the kind of step that it is."""
    moved = {kind.name: n for kind, n in tally.number.items() if kind.sort != "roll"}
    by_move = np.array([moved.get(m.operation, 0) for m in graph.move_table], np.int32)
    by_roll = np.array(
        [tally.number.get(Kind("roll", m.operation), 0) for m in graph.move_table], np.int32
    )
    chance = np.repeat(graph.owner == CHANCE, np.diff(graph.offsets))
    kinds = np.where(chance, by_roll[graph.moves], by_move[graph.moves])
    return np.asarray(kinds, np.int32)
