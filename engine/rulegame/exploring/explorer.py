"""Finds every state of a game, from the start on, in the order in which they are met.

Few states that wait are expanded one by one. Many are expanded together: those that wait at the
same point for the same player, one move at a time (`lockstep`); what comes of it is looked up and
numbered in one go (`statekeys`). Rules that cannot be carried out for many states at once are
carried out for each; the rest stays the same.
"""

from __future__ import annotations

from array import array
from collections import deque
from functools import partial
from itertools import islice
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import CHANCE, Cells, Codes
from rulegame.exploring.graph import StateGraph, TooLarge, TooMuchMemory
from rulegame.exploring.recording import GraphRecord, weights_at
from rulegame.exploring.state_table import StateKeys, Words, first_of_each
from rulegame.game import Game, GameError
from rulegame.lockstep.kernel import (
    ArrayKernel,
    Column,
    Columns,
    Piece,
    columns_of,
    picked,
    tuples_of,
)
from rulegame.progress import Progress

Waiting = deque[tuple[Cells, Codes]]

CHECK_EVERY: Final = 4096
MANY: Final = 200  # waiting states from which on they are expanded together
FEW: Final = 40  # and below which they no longer are
MOST_EDGES: Final = 1 << 19  # expanded together
MOST_TRIED: Final = 100_000  # states that are tried for the one in which the rules fail
MOST_YOUNG: Final = 1 << 16  # states that wait to be packed
SPARE: Final = 1 << 24  # bytes for what is only there for a moment, whatever the budget


class Explorer:
    """The states that are known so far, and those that wait to be expanded."""

    def __init__(self, game: Game, max_states: int, max_memory: int, progress: Progress) -> None:
        self._game = game
        self._kernel = game.kernel
        self._arrays = ArrayKernel(game.kernel, partial(weights_at, game.kernel))
        self._record = GraphRecord(game.kernel, self._arrays)
        self._budget = max_states
        self._memory = max_memory
        self._progress = progress
        self._young: dict[Cells, int] = {}  # states that are not among the keys yet
        self._size = self._expanded = self._checked = 0
        self.lost = False  # the rules have failed, but the play that leads there is not known
        self._cells = len(game.kernel.start(0))
        self._young_bytes = 2 * (56 + 40 * self._cells)  # of one state
        room = max(SPARE, max_memory // 8)
        self._most_young = min(MOST_YOUNG, 1 + room // self._young_bytes)

    def explore(self, start: Cells) -> StateGraph:
        self._keys = StateKeys(start)
        waiting: Waiting = deque()
        try:
            with self._game.telling_faults():
                self._settle(start, waiting)
                while waiting:
                    self._one_by_one(waiting)
                    if waiting:
                        self._together(waiting)
        except GameError as error:
            raise self._with_moves(error) from None
        self._pack_young()
        self._keys.trim()
        record = self._record
        used, moves = _used(_as_array(record.codes))
        return StateGraph(
            game=self._game,
            owner=_as_array(record.owner),
            offsets=_as_array(record.offsets),
            successors=_as_array(record.successors),
            moves=moves,
            weights=_as_array(record.weights),
            outcome=_as_array(record.outcome),
            move_table=self._game.moves_of(tuple(used.tolist())),
            outcomes=tuple(record.outcomes),
            cells=self._keys,
        )

    # ---- one state at a time

    def _one_by_one(self, waiting: Waiting) -> None:
        """Until nothing waits any more, or so much that it is better done together."""
        kernel, record, young = self._kernel, self._record, self._young
        while waiting and len(waiting) < MANY:
            cells, options = waiting.popleft()
            if options:
                chance = kernel.player(cells) == CHANCE
                weights = weights_at(kernel, cells) if chance else (0,) * len(options)
                for code, weight in zip(options, weights, strict=True):
                    after = kernel.step(cells, code)
                    number = young.get(after)
                    number = self._settle(after, waiting) if number is None else number
                    record.successors.append(number)
                    record.codes.append(code)
                    record.add_weights(weight)
            record.offsets.append(len(record.successors))
            self._expanded += 1
            if self._expanded - self._checked >= CHECK_EVERY:
                self._check()

    def _settle(self, cells: Cells, waiting: Waiting) -> int:
        """The number of a state, after what happens by itself to a player who is stuck."""
        number = self._known(cells)
        if number >= 0:
            return number
        settled, options, _ = self._kernel.settle(cells)
        if settled is not cells:
            cells, number = settled, self._known(settled)
            if number >= 0:
                return number
        self._make_way(1)
        self._young[cells] = number = self._size
        self._size += 1
        self._record.add_state(cells)
        waiting.append((cells, options))
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
            columns = columns_of(list(self._young))
            self._keys.make_room([columns])
            self._keys.add(self._keys.pack(columns, len(self._young)))
            self._young.clear()

    # ---- many states together

    def _together(self, waiting: Waiting) -> None:
        """Until so few wait that they are better expanded one by one; those are left waiting."""
        self._pack_young()
        waiting.clear()
        columns = self._keys.columns(slice(self._expanded, self._size))
        rows = np.arange(self._size - self._expanded)
        pieces = deque(
            [Piece(self._expanded, len(rows), self._arrays.found_moves(columns, rows)[0])]
        )
        while pieces and (len(pieces) > 1 or pieces[0].size >= FEW):
            for part in pieces.popleft().parts(self._most_edges()):
                found = self._expand(part)
                if found.size:
                    pieces.append(found)
                self._check()
        for cells in tuples_of(self._keys.columns(slice(self._expanded, self._size))):
            waiting.append((cells, self._kernel.options(cells)))

    def _expand(self, piece: Piece) -> Piece:
        """Plays all moves of a piece, and gives back the states that are met for the first time."""
        columns = self._keys.columns(slice(piece.first, piece.first + piece.size))
        degrees = np.zeros(piece.size, np.int64)
        for block in piece.blocks:
            degrees[block.rows] += 1
        ends = np.cumsum(degrees)
        needed = int(ends[-1]) * self._edge_bytes()
        if needed > SPARE:
            self._check_memory(needed)
        free = ends - degrees  # of each state, where its next edge goes
        places = []
        for block in piece.blocks:
            places.append(free[block.rows])
            free[block.rows] += 1
        edges = int(ends[-1])
        words = self._played(piece, columns, places, edges)
        codes, weights = np.zeros(edges, np.int32), np.zeros(edges, np.int64)
        for block, place in zip(piece.blocks, places, strict=True):
            codes[place], weights[place] = block.code, block.weight
        del columns
        found, successors = self._look_up(words)
        record = self._record
        record.successors.frombytes(successors.tobytes())
        record.codes.frombytes(codes.tobytes())
        record.add_weights(weights)
        record.offsets.frombytes((ends + record.offsets[-1]).tobytes())
        self._expanded += piece.size
        return found

    def _played(
        self, piece: Piece, columns: Columns, places: list[NDArray[np.int64]], edges: int
    ) -> Words:
        """The states that the moves of a piece lead to; `places` says where each block's go."""
        # so few, because there is no room for more of them, are better played one by one
        if piece.blocks and piece.size < MANY and self._most_edges() < MOST_EDGES:
            after: list[list[Column]] = [[*self._arrays.play_each(piece.blocks, columns)]]
            places = [np.concatenate(places)]
        else:
            after = self._arrays.play_blocks(piece.blocks, columns)
        self._keys.make_room(after)
        words = np.zeros((edges, self._keys.width), np.uint64)
        for place, cells in zip(places, after, strict=True):
            words[place] = self._keys.pack(cells, len(place))
        return words

    def _look_up(self, words: Words) -> tuple[Piece, NDArray[np.int32]]:
        """New states, and the numbers of all; what was stuck is followed to where it leads."""
        numbers = self._keys.find(words)
        missing = np.flatnonzero(numbers < 0)
        if not len(missing):
            return Piece(self._size, 0, []), numbers
        first, which = first_of_each(words[missing])
        columns = self._keys.unpack(words[missing[first]])
        blocks, stuck = self._arrays.found_moves(columns, np.arange(len(first)))
        if not len(stuck):
            numbers[missing] = self._size + which.astype(np.int32)
            self._add_states(words[missing[first]], columns)
            return Piece(self._size - len(first), len(first), blocks), numbers
        while len(stuck):
            self._arrays.get_past(columns, stuck)
            more, stuck = self._arrays.found_moves(columns, stuck)
            blocks += more
        self._keys.make_room([columns])
        settled = self._keys.pack(columns, len(first))
        known = self._keys.find(settled)
        fresh = np.flatnonzero(known < 0)
        at, again = first_of_each(settled[fresh])
        known[fresh] = self._size + again.astype(np.int32)
        chosen = fresh[at]
        self._add_states(settled[chosen], [column[chosen] for column in columns])
        numbers[missing] = known[which]
        return Piece(
            self._size - len(chosen), len(chosen), picked(blocks, chosen, len(first))
        ), numbers

    def _add_states(self, words: Words, columns: Columns) -> None:
        self._make_way(len(words))
        self._keys.add(words)
        self._size += len(words)
        self._record.add_states(columns)

    # ---- where the rules fail

    def _with_moves(self, error: GameError) -> GameError:
        """The first failure among the states that wait, with the shortest play that leads to it.
        States are met in the order of their distance, so no play leads to one before.
        """
        if not self._size:
            return error
        self._pack_young()
        waiting = tuples_of(self._keys.columns(slice(self._expanded, self._size)))
        for number, cells in enumerate(islice(waiting, MOST_TRIED), self._expanded):
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
        """The moves on the way to a state."""
        record = self._record
        successors, offsets = np.array(record.successors), np.array(record.offsets)
        first_into = np.zeros(self._size, np.int64)  # the first edge into each state
        first_into[successors[::-1]] = np.arange(len(successors))[::-1]
        moves: list[str] = []
        while number > 0:
            edge = int(first_into[number])
            moves.append(self._game.move_of(record.codes[edge]).text)
            number = int(np.searchsorted(offsets, edge, side="right")) - 1
        return moves[::-1]

    # ---- the budget

    def _make_way(self, count: int) -> None:
        if self._size + count > self._budget:
            raise TooLarge(self._budget, self._expanded, f"{self._budget:,} states")

    def _check(self) -> None:
        self._checked = self._expanded
        self._progress("Exploring, states expanded", self._expanded, None)
        self._check_memory()

    def _check_memory(self, more: int = 0) -> None:
        """Gives up if what is kept, and so much more, does not fit."""
        used = self._used_bytes()
        if used + more > self._memory:
            then = f", which take about {used:,} bytes"
            then += f" and need {more:,} more" if more else ""
            raise TooMuchMemory(self._size, self._expanded, self._memory, then)

    def _used_bytes(self) -> int:
        """About how many bytes the states take so far, packed or not, with room to grow."""
        edges = self._record.nbytes
        young = self._young_bytes * len(self._young)
        return edges + edges // 8 + self._keys.nbytes + self._keys.spare + young

    def _edge_bytes(self) -> int:
        """About what an edge takes while it is being played: its cells, several times."""
        return 64 + 24 * (self._cells + self._keys.width)

    def _most_edges(self) -> int:
        """How many edges may be expanded together."""
        room = max(SPARE, (self._memory - self._used_bytes()) * 3 // 4)
        return max(1, min(MOST_EDGES, room // self._edge_bytes()))


def _used(codes: NDArray[np.int32]) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
    """The different codes, and of each code its place among them."""
    used = np.flatnonzero(np.bincount(codes))
    place = np.zeros(int(used[-1]) + 1 if len(used) else 0, np.int32)
    place[used] = np.arange(len(used), dtype=np.int32)
    return used, place[codes]


def _as_array(values: array[int]) -> NDArray[Any]:
    return np.frombuffer(values, values.typecode) if values else np.zeros(0, values.typecode)
