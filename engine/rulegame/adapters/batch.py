"""Many games at once, as arrays: each game shows whoever is to move a row of numbers and a mask of
valid actions, and an array of action numbers moves all of them on.

Games lie as rows of cells. Machine code moves them on (`native.kernels.stepping`); Python does the
same, game by game, where there is none, while there is little to do, and for what machine code
leaves to it. What falls follows from a row's seed, the number of its game and the step, so it does
not matter who has moved a game on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.adapters.observing import Observations
from rulegame.adapters.traits import LONGEST
from rulegame.compiling import CHANCE, OVER, Cells, Codes
from rulegame.game import Game
from rulegame.game.visibility import Sight
from rulegame.native.kernels.lanes import (
    ACT,
    ASK,
    BEGIN,
    CELL,
    CHOICE,
    CUT,
    FACTS,
    FINISHED,
    INVALID,
    LEAVE,
    LOOKING,
    MOVES,
    NUMBER,
    OPENING,
    PLAYING,
    STATUS,
    STEPS_SO_FAR,
)
from rulegame.native.machine_kernel import MachineKernel, machine_for
from rulegame.simulation.batches import seed_words
from rulegame.simulation.rng import Seeded

FEW_STEPS: Final = 2_000  # of all games together, before machine code is worth its making

Numbers = NDArray[np.int64]


class Batch:
    """Games that are played side by side, from the view of one seat (others choose at random), or
    of whoever is to move. The arrays are changed by every step, in place.
    """

    def __init__(
        self, game: Game, count: int, seat: int | None = None, max_moves: int = LONGEST
    ) -> None:
        if count < 1:
            raise ValueError(f"expected at least one game, not {count}")
        if seat is not None and seat not in range(len(game.players)):
            raise IndexError(f"there is no seat {seat}")
        self.game, self.count, self.seat = game, count, seat
        self._max_moves = max_moves
        self.layout = Observations(game)
        self._sight = game.companion(Sight)
        seats, actions = len(game.players), len(game.actions)
        starts = [game.kernel.start(one) for one in range(seats)]
        kind: Any = object if game.kernel.counts_positions else np.int64
        self._starts = np.array(starts, kind)
        self._states = np.zeros((count, len(starts[0])), kind)
        self._facts = np.zeros((count, FACTS), np.int64)
        self._facts[:, NUMBER] = -1
        self._seeds = np.zeros((count, 2), np.uint64)
        self.observations = np.zeros((count, self.layout.size), np.float32)
        self.masks = np.zeros((count, actions), np.int8)
        self.rewards = np.zeros((count, seats), np.float64)  # of games that ended in the last step
        self.ended = np.zeros(count, np.int8)  # PLAYING, or how a game ended in the last step
        self.finals = np.zeros((0, self.layout.size), np.float32)  # what was seen last, if wanted
        self._machine: _MachineWay | None = None
        self._done = 0  # steps so far

    @property
    def players(self) -> Numbers:
        """Of each game, the seat whose observation is shown: who is to move, or has moved last."""
        return self._facts[:, LOOKING].copy()

    @property
    def is_waiting(self) -> NDArray[np.bool_]:
        """Of each game, whether an action is asked for: the others are over or cut."""
        waiting: NDArray[np.bool_] = self._facts[:, STATUS] == PLAYING
        return waiting

    def begin(
        self,
        seeds: Sequence[int | None] | None = None,
        which: NDArray[np.bool_] | None = None,
        first: int = 0,
    ) -> None:
        """New games in all rows, or in some; with seeds, rows begin their count of games anew."""
        if first not in range(len(self.game.players)):
            raise IndexError(f"there is no seat {first}")
        chosen = np.ones(self.count, np.bool_) if which is None else which
        self._facts[chosen, OPENING] = self.game.kernel.who_begins(first)
        for k, seed in enumerate(seeds or ()):
            if seed is not None and chosen[k]:
                self._seeds[k] = seed_words(Seeded.by(seed))
                self._facts[k, NUMBER] = -1
        self._move(np.where(chosen, BEGIN, LEAVE).astype(np.int8), self._no_actions(), again=False)

    def step(
        self,
        actions: NDArray[Any],
        again: bool = False,
        begin: NDArray[np.bool_] | None = None,
    ) -> None:
        """An action in each game. `again`: what ends begins again at once, its last observation is
        in `finals`; otherwise it stays, and `begin` says in which rows a new game begins instead.
        """
        given = np.ascontiguousarray(actions, np.int64)
        if given.shape != (self.count,):
            raise ValueError(f"expected {self.count} actions, not an array {given.shape}")
        what = np.full(self.count, ACT, np.int8)
        if begin is not None:
            what[begin] = BEGIN
        self._move(what, given, again)

    def _no_actions(self) -> Numbers:
        return np.full(self.count, -1, np.int64)

    def _move(self, what: NDArray[np.int8], actions: Numbers, again: bool) -> None:
        if again and not len(self.finals):
            self.finals = np.zeros_like(self.observations)
        machine = self._machine_way()
        self._done += self.count
        if machine is None or machine.move(what, actions, again):
            with self.game.telling_faults():
                for k in range(self.count):
                    if what[k] != LEAVE and (machine is None or self.ended[k] == ASK):
                        _Row(self, k).move(what[k] == BEGIN, int(actions[k]), again)

    def _machine_way(self) -> _MachineWay | None:
        if self._machine is None and self._done + self.count > FEW_STEPS:
            compiled = machine_for(self.game.kernel, "stepping")
            self._machine = None if compiled is None else _MachineWay(self, compiled)
        return self._machine


class _Row:
    """One game of a batch, moved on by Python."""

    def __init__(self, batch: Batch, k: int) -> None:
        self._batch, self._k = batch, k
        self._kernel, self._facts = batch.game.kernel, batch._facts[k].copy()

    def move(self, begins: bool, action: int, again: bool) -> None:
        """The same as `kernels.stepping.move_game`, in Python."""
        batch, k, facts = self._batch, self._k, self._facts
        cells: Cells = tuple(batch._states[k].tolist())
        options: Codes = ()
        done = PLAYING
        if not begins:
            if facts[STATUS] == PLAYING:
                cells, options = self._act(cells, action)
            done = int(facts[STATUS])
            batch.rewards[k] = self._paid(cells)
        if begins or (again and done != PLAYING):
            if done != PLAYING:
                self._observe(cells, batch.finals[k])
            cells, options = self._begin()
        if done == PLAYING:
            batch.rewards[k] = 0
        self._show(cells, options)
        batch.ended[k] = done

    def _act(self, cells: Cells, action: int) -> tuple[Cells, Codes]:
        facts, game, kernel = self._facts, self._batch.game, self._kernel
        move = game.actions[action] if 0 <= action < len(game.actions) else None
        code = None if move is None else game.code_of(move)
        if code is None or code not in kernel.options(cells):
            facts[STATUS] = INVALID
            return cells, ()
        facts[STEPS_SO_FAR] += 1
        facts[MOVES] += 1
        return self._go_on(kernel.step(cells, code))

    def _begin(self) -> tuple[Cells, Codes]:
        facts, seat = self._facts, self._batch.seat
        facts[NUMBER] += 1
        facts[STEPS_SO_FAR] = facts[MOVES] = 0
        facts[STATUS] = PLAYING
        facts[LOOKING] = facts[OPENING] if seat is None else seat
        return self._go_on(self._kernel.start(int(facts[OPENING])))

    def _go_on(self, cells: Cells) -> tuple[Cells, Codes]:
        """To the next decision, with all that falls and that others do."""
        facts, kernel, batch = self._facts, self._kernel, self._batch
        start, stride = batch._seeds[self._k].tolist()
        draws = Seeded(start, stride).game(int(facts[NUMBER]))
        rolls = 0
        while True:
            cells, options, player = kernel.settle(cells)
            if player == OVER:
                facts[STATUS] = FINISHED
                return cells, ()
            if facts[MOVES] >= batch._max_moves if player != CHANCE else rolls == LONGEST:
                facts[STATUS] = CUT
                return cells, ()
            if player != CHANCE and batch.seat in (None, player):
                facts[LOOKING] = player
                return cells, options
            rolls = rolls + 1 if player == CHANCE else 0
            facts[MOVES] += player != CHANCE
            draws.step = int(facts[STEPS_SO_FAR])
            cells = kernel.step(cells, kernel.any_of(cells, options, player, draws.below))
            facts[STEPS_SO_FAR] += 1

    def _paid(self, cells: Cells) -> list[float]:
        facts, seats = self._facts, range(self._kernel.seats)
        if facts[STATUS] == FINISHED:
            return [float(paid) for paid in self._kernel.outcome(cells).payoffs]
        lost = facts[LOOKING] if facts[STATUS] == INVALID else None
        return [-1.0 if seat == lost else 0.0 for seat in seats]

    def _show(self, cells: Cells, options: Codes) -> None:
        batch, k = self._batch, self._k
        numbers = [batch.game.actions.index(batch.game.move_of(code)) for code in options]
        batch.masks[k] = 0
        batch.masks[k, numbers] = 1
        self._observe(cells, batch.observations[k])
        batch._states[k] = cells
        batch._facts[k] = self._facts

    def _observe(self, cells: Cells, into: NDArray[np.float32]) -> None:
        batch, seat = self._batch, int(self._facts[LOOKING])
        seen = batch._sight.cells(cells, seat)
        batch.layout.write_cells(seat, self._kernel.player(cells), seen, into)


class _MachineWay:
    """All games of a batch, moved on by machine code."""

    def __init__(self, batch: Batch, machine: MachineKernel) -> None:
        self._batch = batch
        self._memory = machine.memory()
        self._call = machine.code.function("move_games", "p" * 19 + "i")
        self._cells = np.array(list(_cells(batch.layout)), np.int64).reshape(-1, CELL)
        self._hidden = _hidden(batch, self._cells[:, 0].tolist())
        self._kinds, self._codes = _numbering(batch.game, machine.stride)

    def move(self, what: NDArray[np.int8], actions: Numbers, again: bool) -> int:
        """How many games are left to Python."""
        batch, memory = self._batch, self._memory
        plan = np.array(
            [
                -1 if batch.seat is None else batch.seat, batch._max_moves, LONGEST, again,
                batch.masks.shape[1], batch.layout.size, len(self._cells), bool(len(self._hidden)),
                len(batch.game.kernel.points),
            ],
            np.int64,
        )  # fmt: skip
        arrays = (
            memory.context, memory.options, memory.weights, plan, self._cells, self._hidden,
            self._kinds, self._codes, batch._starts, batch._seeds, what, actions, batch._states,
            batch._facts, batch.observations, batch.masks, batch.rewards, batch.finals, batch.ended,
        )  # fmt: skip
        left: int = self._call(*(array.ctypes.data for array in arrays), batch.count)
        return left


def _cells(layout: Observations) -> Iterator[tuple[int, ...]]:
    """Of each cell that is shown: its place, its least value, how many numbers tell it, whether it
    may be none, and where these numbers stand in the row.
    """
    at = sum(size for _, size in layout.heads)
    for piece in layout.pieces:
        for place in piece.cells:
            yield place, piece.low, piece.width, piece.optional, at
            at += piece.width


def _hidden(batch: Batch, places: Sequence[int]) -> NDArray[np.int8]:
    """By point (the last: the game is over), by whether it is the own turn, by seat and by cell,
    whether it is hidden; nothing if nothing ever is.
    """
    sight, seats = batch._sight, range(len(batch.game.players))
    points = [(point, own) for point in range(len(batch.game.kernel.points)) for own in (0, 1)]
    unseen = [sight.unseen_at(point, bool(own), seat) for point, own in points for seat in seats]
    unseen += [sight.unseen_at(None, False, seat) for seat in seats]
    if not any(unseen):
        return np.zeros(0, np.int8)
    return np.array([[place in some for place in places] for some in unseen], np.int8)


def _numbering(game: Game, stride: int) -> tuple[Numbers, Numbers]:
    """How moves are numbered: where the kinds of moves begin, the first kind of each point, then
    the kinds; and the codes of choices that are not all numbers between two.
    """
    kinds, codes, rows = game.actions.kinds, list[int](), list[list[int]]()
    firsts = []
    for point in game.kernel.points:
        firsts.append(len(rows))
        for number, operation in enumerate(point.operations if point.roll is None else ()):
            first, choices = kinds.get(operation.name, (0, ()))
            size = int(np.prod([len(some) for some in choices])) if operation.name in kinds else 0
            row = [first, size, number, len(choices)]
            for some in choices:
                plain = len(some) == some[-1] - some[0] + 1
                row += [some[0], len(some), -1 if plain else len(codes)]
                codes += [] if plain else some
            rows.append(row + [0] * (4 + CHOICE * stride - len(row)))
    head = [1 + len(firsts), *firsts]
    return np.array([*head, *chain(*rows)], np.int64), np.array(codes, np.int64)
