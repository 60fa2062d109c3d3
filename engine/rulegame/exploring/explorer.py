"""Find every state of a game, in breadth-first order.

Python expands the first states one by one. If there are more, native code continues (`expansion`)
where it is available, and Python expands only those that it leaves over: states where the rules
fail, or numbers that are too large. States and their numbers are the same either way.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import CHANCE, OVER, Cells, Codes, Kernel
from rulegame.errors import FarTooLarge, TooFine, TooLarge, TooMuchMemory
from rulegame.exploring.estimating import least_states
from rulegame.exploring.expansion import ASK, CROWDED, DONE, MANY, UNEVEN, WIDEN, Expansion
from rulegame.exploring.graph import StateGraph
from rulegame.exploring.recording import GraphRecord
from rulegame.exploring.state_table import Columns, StateKeys
from rulegame.exploring.symmetries import Symmetries
from rulegame.files.mapped import ArrayRoom
from rulegame.game import Game, GameError
from rulegame.native.machine_kernel import machine_for
from rulegame.native.profitability import LOADING, Backend, sample_work
from rulegame.progress import Progress

ALL: Final = 2**62
CHECK_EVERY: Final = 1024
MANY_STATES: Final = 1 << 18  # from here on, random games estimate how many more there are
MARGIN: Final = 10  # the factor over the budget for an early refusal
FEW_EDGES: Final = 256  # up to which the cost of an edge does not matter
FIRST_EDGES: Final = 40_000  # that Python finds while native code loads, in a simple game
PLAIN: Final = 625  # instructions per edge of such a game
MOST_TRIED: Final = 100_000  # states that are searched for a fault
MOST_YOUNG: Final = 1 << 16  # states not packed yet
LEAST_YOUNG: Final = 1 << 17  # bytes that they may always take
SPARE: Final = 1 << 24  # bytes for temporary values, whatever the budget


class Explorer:
    """The states known so far, and the queue of those to expand."""

    def __init__(
        self,
        game: Game,
        max_states: int,
        max_memory: int,
        progress: Progress,
        room: ArrayRoom | None = None,
        symmetries: Symmetries | None = None,
    ) -> None:
        self._game = game
        self._symmetries = symmetries
        self._kernel: Kernel = game.kernel
        self._backend = Backend(game.kernel, "expanding")
        self._room = room or ArrayRoom()
        self._record = GraphRecord(self._room)
        self._budget = max_states
        self._memory = max_memory
        self._progress = progress
        self._young: dict[Cells, int] = {}  # states not in the table yet
        self._waiting: deque[tuple[Cells, Codes]] = deque()
        self._expansion: Expansion | None = None  # native code, once it is loaded
        self._size = self._expanded = self._checked = self._found = 0
        self._foresees = False  # whether an estimate is still due
        self.lost = False  # the rules failed, but the moves that lead there are unknown
        self._young_bytes = 2 * (56 + 40 * len(game.kernel.start(0)))  # of one state
        most = max(LEAST_YOUNG, max_memory // 8)
        self._most_young = min(MOST_YOUNG, 1 + most // self._young_bytes)

    def explore(self, start: Cells) -> StateGraph:
        """The graph of all states reachable from one."""
        self._begin(start)
        self._foresees = True
        self._go_on(ALL)
        self._pack_young()
        if self._checked:
            self._check()
        self._keys.finish()
        return self._graph()

    def near(self, start: Cells, depth: int) -> tuple[NDArray[np.int32], NDArray[Any]]:
        """The successors of all states less than this many moves away, and the number of edges of
        each state.
        """
        self._begin(start)
        for _ in range(depth):
            self._go_on(self._size)
        return self._record.successors.whole(), self._record.degrees.whole()

    def _begin(self, start: Cells) -> None:
        self._keys = StateKeys(start, self._kernel.cell_ranges, self._room)
        with self._telling_moves():
            self._settle(start)

    def _go_on(self, upto: int) -> None:
        """Expand all states up to a number."""
        with self._telling_moves():
            self._one_by_one(upto, min(FEW_EDGES, FIRST_EDGES))
            for price in (LOADING, self._backend.price):  # Python first spends as much
                if self._expansion is None and self._is_left(upto):
                    self._one_by_one(upto, self._edges_for(price))
                if self._expansion is None and self._is_left(upto):
                    self._expansion = self._machine_expansion(price)
            if self._expansion is not None:
                self._together(self._expansion, upto)
            self._one_by_one(upto, ALL)

    def _is_left(self, upto: int) -> bool:
        """Whether a state up to a number is not expanded yet."""
        return self._expanded < min(upto, self._size)

    def _edges_for(self, price: int) -> int:
        """The number of edges that Python finds for the price of native code."""
        return int(FIRST_EDGES * price / LOADING * PLAIN / self._work)

    @cached_property
    def _work(self) -> float:
        """The number of instructions that Python executes per edge."""
        return sample_work(self._kernel).step

    def _machine_expansion(self, work: int) -> Expansion | None:
        machine = self._backend.machine(work)
        if machine is None:
            return None
        self._pack_young()
        self._waiting.clear()
        images = None if self._symmetries is None else self._symmetries.table()
        return Expansion(machine, self._keys, self._record, self._expanded, self._budget, images)

    @contextmanager
    def _telling_moves(self) -> Iterator[None]:
        """Add the moves that lead to a fault to its error."""
        try:
            with self._game.telling_faults():
                yield
        except GameError as error:
            raise self._with_moves(error) from None

    def _graph(self) -> StateGraph:
        record, kernel = self._record, self._kernel
        codes = tuple(kernel.code_at(point, words) for point, *words in record.acts)
        return StateGraph(
            game=self._game,
            owner=record.owner.whole(),
            offsets=record.offsets(),
            successors=record.successors.whole(),
            moves=record.moves.whole(),
            weights=record.weights.whole(),
            outcome=record.outcome.whole(),
            move_table=self._game.moves_of(codes),
            outcomes=tuple(record.outcomes),
            cells=self._keys,
            room=self._room,
            symmetries=self._symmetries,
        )

    # ---- one state at a time

    def _one_by_one(self, upto: int, most: int) -> None:
        """Expand in Python up to the state of a number, or until this many edges are found."""
        waiting = self._waiting
        while waiting and self._expanded < upto and self._found < most:
            self._expand(*waiting.popleft())

    def _expand(self, cells: Cells, options: Codes) -> None:
        kernel, record, young = self._kernel, self._record, self._young
        owner = kernel.player(cells)
        successors = []
        if self._symmetries is not None:
            self._symmetries.check(cells)
        for code in options:
            after = self._after(cells, code)
            number = young.get(after)
            successors.append(self._settle(after) if number is None else number)
        weights = weights_at(kernel, cells) if owner == CHANCE else (0,) * len(options)
        record.add_state(owner, kernel.outcome(cells) if owner == OVER else None)
        moves = [record.add_act(kernel.act(cells, code)) for code in options]
        record.add_edges(successors, moves, weights)
        self._expanded += 1
        if self._expanded - self._checked >= CHECK_EVERY:
            self._check()

    def _after(self, cells: Cells, code: int) -> Cells:
        """The cells after a move; with symmetries, those of the representative."""
        if self._symmetries is None:
            return self._kernel.step(cells, code)
        return self._symmetries.after(cells, code)

    def _settle(self, cells: Cells) -> int:
        """The number of a state, after the rule for stuck players."""
        number = self._known(cells)
        if number >= 0:
            return number
        settled, options, _ = self._kernel.settle(cells)
        if settled is not cells:
            cells, number = settled, self._known(settled)
            if number >= 0:
                return number
        if self._size + 1 > self._budget:
            self._refuse()
        self._young[cells] = number = self._size
        self._size += 1
        self._waiting.append((cells, options))
        self._found += len(options)
        if len(self._young) >= self._most_young:
            self._pack_young()
            self._check_memory()
        return number

    def _known(self, cells: Cells) -> int:
        number = self._young.get(cells)
        if number is None:
            number = self._keys.number(cells) if len(self._keys) else -1
        return number

    def _pack_young(self) -> None:
        if self._young:
            self._keys.add(_columns_of(list(map(self._keys.numbered, self._young))))
            self._young.clear()

    # ---- many states at machine speed

    def _together(self, expansion: Expansion, upto: int) -> None:
        """Expand in native code until all states up to a number are done."""
        expansion.p[12] = upto
        while True:
            status = expansion.run()
            self._expanded, self._size = int(expansion.p[0]), len(self._keys)
            if status == DONE:
                return
            if status == MANY:
                self._refuse()
            self._check(expansion.nbytes)
            if self._foresees and self._size >= MANY_STATES:
                self._foresee()
            if status == WIDEN:
                self._keys.make_room(_columns_of([expansion.cells()]))
            elif status == CROWDED:
                expansion.make_more_room()
            elif status == ASK and expansion.is_full:
                expansion.extend()
            elif status in (ASK, UNEVEN):
                self._by_hand(expansion)
            expansion.renew()

    def _by_hand(self, expansion: Expansion) -> None:
        """Expand the next state, which native code left over, in Python."""
        cells = self._keys[self._expanded]
        self._expand(cells, self._kernel.options(cells))
        self._pack_young()
        self._waiting.clear()
        expansion.p[0] = self._expanded

    # ---- where the rules fail

    def _with_moves(self, error: GameError) -> GameError:
        """The first failure in the queue, with the shortest play that leads to it. States are found
        in order of distance, so no play leads to an earlier one.
        """
        if not self._size:
            return error
        self._pack_young()
        last = min(self._size, self._expanded + MOST_TRIED)
        for number in range(self._expanded, last):
            cells = self._keys[number]
            moves: list[str] = []
            try:
                state = self._game.resume(cells)
                for move in state.moves:
                    moves = [move.text]
                    state.play(move)
            except GameError as found:
                return GameError(found.diagnostic, [*self._path(number), *moves])
        self.lost = True
        return error

    def _path(self, number: int) -> list[str]:
        """The moves that lead to a state."""
        acts = list(self._record.acts)
        moves: list[str] = []
        for edge in self._way(number):
            point, *words = acts[self._record.moves[edge]]
            moves.append(self._game.move_of(self._kernel.code_at(point, words)).text)
        return moves

    def states_on_the_way(self) -> list[Cells]:
        """The states from the start to the one that is being expanded, inclusive."""
        self._pack_young()
        successors = self._record.successors
        return [self._keys[successors[edge]] for edge in self._way(self._expanded)]

    def _way(self, number: int) -> list[int]:
        """The edges that lead to a state."""
        successors, offsets = self._record.successors.whole(), self._record.offsets()
        first_into = np.zeros(self._size, np.int64)  # the first edge into each state
        first_into[successors[::-1]] = np.arange(len(successors))[::-1]
        edges: list[int] = []
        while number > 0:
            edges.append(int(first_into[number]))
            number = int(np.searchsorted(offsets, edges[-1], side="right")) - 1
        return edges[::-1]

    # ---- the budget

    def _refuse(self) -> None:
        raise TooLarge(self._budget, self._expanded, f"{self._budget:,} positions")

    def _foresee(self) -> None:
        """Raise TooLarge early if there are far more states than the budget allows."""
        self._foresees = False
        self._progress("Estimating the number of positions", 0, None)
        machine = machine_for(self._kernel, "sampling")
        if machine is None:
            return
        images = 1 if self._symmetries is None else len(self._symmetries)  # images per state
        enough = MARGIN * self._budget * images
        least, games = least_states(machine, self._keys[0], enough)
        if least > enough:
            raise FarTooLarge(self._size, self._expanded, self._budget, least, games)

    def _check(self, more: int = 0) -> None:
        self._checked = self._expanded
        self._progress("Exploring positions", self._expanded, None)
        self._check_memory(more)

    def _check_memory(self, more: int = 0) -> None:
        """Raise TooLarge if the stored data and this many bytes more exceed the budget."""
        kept = self._record.nbytes + self._keys.nbytes
        if self._room.most is not None:
            kept = self._room.held
        used = kept + self._young_bytes * len(self._young)
        if used + max(0, more - SPARE) > self._memory:
            then = f", using about {used:,} bytes"
            raise TooMuchMemory(self._size, self._expanded, self._memory, then)


def weights_at(kernel: Kernel, cells: Cells) -> tuple[int, ...]:
    """The weights of a roll; TooFine if they do not fit in 64 bits."""
    weights = kernel.weights(cells)
    if sum(weights) >= 2**63:
        raise TooFine
    return weights


def _columns_of(states: list[Cells]) -> Columns:
    return list(np.array(states, np.int64).T.copy())
