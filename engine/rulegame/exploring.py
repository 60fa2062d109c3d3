"""Finds every state of a game, from the start on, in the order in which they are met.

Few states that wait are expanded one by one. Many are expanded together: those that wait at the
same point for the same player, one move at a time (`lockstep`); what comes of it is looked up and
numbered in one go (`statekeys`). Rules that cannot be carried out for many states at once are
carried out for each; the rest stays the same.
"""

from __future__ import annotations

from array import array
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import lcm
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import PASSES, POINT, SEAT
from rulegame.game import CHANCE, Game, Move, Outcome
from rulegame.graph import FINAL, StateGraph, TooLarge
from rulegame.lockstep import Lockstep
from rulegame.many import Irregular, Many, Mask
from rulegame.progress import Progress
from rulegame.runtime import Cells, Fault
from rulegame.statekeys import Column, StateKeys, Words, first_of_each

Rows = NDArray[np.int64]
Columns = list[NDArray[np.int64]]

CHECK_EVERY: Final = 4096
MANY: Final = 200  # waiting states from which on they are expanded together
FEW: Final = 40  # and below which they no longer are
MOST_EDGES: Final = 1 << 19  # expanded together
MOST_YOUNG: Final = 1 << 16  # states that wait to be packed
MOST_FAILURES: Final = 3  # of a function, before it is no longer tried for many states


@dataclass(frozen=True, slots=True)
class Block:
    """A move of some states, which wait at one point for one player; `rows` ascend."""

    point: int
    seat: int
    move: int
    rows: Rows
    weight: int | NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Piece:
    """States with numbers from `first` on, and their moves: each state's in the order of blocks."""

    first: int
    size: int
    blocks: list[Block]

    def parts(self, most: int) -> Iterator[Piece]:
        """The same in pieces that do not have more edges than that, if it can be."""
        if sum(len(block.rows) for block in self.blocks) <= most:
            yield self
            return
        degrees = np.zeros(self.size, np.int64)
        for block in self.blocks:
            degrees[block.rows] += 1
        ends = np.cumsum(degrees)
        low = 0
        while low < self.size:
            before = int(ends[low - 1]) if low else 0
            high = max(low + 1, int(np.searchsorted(ends, before + most, side="right")))
            yield self._part(low, min(high, self.size))
            low = high

    def _part(self, low: int, high: int) -> Piece:
        blocks = []
        for block in self.blocks:
            a, b = np.searchsorted(block.rows, [low, high]).tolist()
            if a < b:
                weight = block.weight if isinstance(block.weight, int) else block.weight[a:b]
                blocks.append(Block(block.point, block.seat, block.move, block.rows[a:b] - low, weight))
        return Piece(self.first + low, high - low, blocks)


class Explorer:
    """The states that are known so far, and those that wait to be expanded."""

    def __init__(
        self, game: Game, max_states: int, max_memory: int | None, progress: Progress
    ) -> None:
        self._game = game
        self._program = game.program
        self._lockstep = Lockstep(game.program)
        self._failures: dict[str, int] = {}
        self._budget = max_states
        self._memory = max_memory
        self._progress = progress
        self._young: dict[Cells, int] = {}  # states that are not among the keys yet
        self._size = self._expanded = self._checked = 0
        self._owner, self._outcome = array("b"), array("i")
        self._offsets, self._successors = array("q", [0]), array("i")
        self._moves, self._weights = array("i"), array("b")
        self._outcomes: dict[Outcome, int] = {}
        self._move_numbers: dict[int, int] = {}
        self._move_table: list[Move] = []
        self._fixed_shares: dict[int, dict[Move, int]] = {}  # of rolls that are always the same

    def explore(self, start: Cells) -> StateGraph:
        self._keys = StateKeys(start)
        waiting: deque[tuple[Cells, tuple[Move, ...]]] = deque()
        try:
            self._settle(start, waiting)
            while waiting:
                self._one_by_one(waiting)
                if waiting:
                    self._together(waiting)
        except Fault as fault:
            raise self._game.error(fault) from None
        self._pack_young()
        self._keys.trim()
        return StateGraph(
            game=self._game,
            owner=_as_array(self._owner),
            offsets=_as_array(self._offsets),
            successors=_as_array(self._successors),
            moves=_as_array(self._moves),
            weights=_as_array(self._weights),
            outcome=_as_array(self._outcome),
            move_table=tuple(self._move_table),
            outcomes=tuple(self._outcomes),
            cells=self._keys,
        )

    # ---- one state at a time

    def _one_by_one(self, waiting: deque[tuple[Cells, tuple[Move, ...]]]) -> None:
        """Until nothing waits any more, or so much that it is better done together."""
        program, successors, young = self._program, self._successors, self._young
        while waiting and len(waiting) < MANY:
            cells, moves = waiting.popleft()
            point = cells[POINT]
            if moves:
                play = program.play[point]
                shares = self._shares(cells) if point in program.events else None
                for move in moves:
                    if program.metered:
                        program.meter.reset()
                    after = play(cells, move.codes)
                    number = young.get(after)
                    successors.append(self._settle(after, waiting) if number is None else number)
                    self._moves.append(self._move_number(move))
                    self._add_weights(0 if shares is None else shares[move], 1)
            self._offsets.append(len(successors))
            self._expanded += 1
            if self._expanded - self._checked >= CHECK_EVERY:
                self._check()

    def _settle(self, cells: Cells, waiting: deque[tuple[Cells, tuple[Move, ...]]]) -> int:
        """The number of a state, after what happens by itself to a player who is stuck."""
        number = self._known(cells)
        if number >= 0:
            return number
        moves = self._moves_at(cells)
        if not moves and cells[POINT] == 0:
            while not moves and cells[POINT] == 0:
                cells = self._program.stuck(cells)
                moves = self._moves_at(cells)
            number = self._known(cells)
            if number >= 0:
                return number
        self._make_way(1)
        self._young[cells] = number = self._size
        self._size += 1
        self._owner.append(self._owner_at(cells))
        self._outcome.append(self._outcome_at(cells) if cells[POINT] < 0 else -1)
        waiting.append((cells, moves))
        if len(self._young) >= MOST_YOUNG:
            self._pack_young()
        return number

    def _known(self, cells: Cells) -> int:
        number = self._young.get(cells)
        if number is None:
            number = self._keys.number(cells) if len(self._keys) else -1
        return number

    def _moves_at(self, cells: Cells) -> tuple[Move, ...]:
        if cells[POINT] < 0:
            return ()
        if self._program.metered:
            self._program.meter.reset()
        return self._game.moves_at(cells)

    def _pack_young(self) -> None:
        if self._young:
            columns = _columns(list(self._young))
            self._keys.make_room([columns])
            self._keys.add(self._keys.pack(columns, len(self._young)))
            self._young.clear()

    # ---- many states together

    def _together(self, waiting: deque[tuple[Cells, tuple[Move, ...]]]) -> None:
        """Until so few wait that they are better expanded one by one; those are left waiting."""
        self._pack_young()
        waiting.clear()
        columns = self._keys.columns(slice(self._expanded, self._size))
        rows = np.arange(self._size - self._expanded)
        pieces = deque([Piece(self._expanded, len(rows), self._found_moves(columns, rows)[0])])
        while pieces and (len(pieces) > 1 or pieces[0].size >= FEW):
            for part in pieces.popleft().parts(MOST_EDGES):
                found = self._expand(part)
                if found.size:
                    pieces.append(found)
                self._check()
        for cells in _tuples(self._keys.columns(slice(self._expanded, self._size))):
            waiting.append((cells, self._moves_at(cells)))

    def _expand(self, piece: Piece) -> Piece:
        """Plays all moves of a piece, and gives back the states that are met for the first time."""
        columns = self._keys.columns(slice(piece.first, piece.first + piece.size))
        degrees = np.zeros(piece.size, np.int64)
        for block in piece.blocks:
            degrees[block.rows] += 1
        ends = np.cumsum(degrees)
        free = ends - degrees  # of each state, where its next edge goes
        places = []
        for block in piece.blocks:
            places.append(free[block.rows])
            free[block.rows] += 1
        after = self._play_blocks(piece.blocks, columns)
        self._keys.make_room(after)
        edges = int(ends[-1])
        words = np.zeros((edges, self._keys.width), np.uint64)
        moves, weights = np.zeros(edges, np.int32), np.zeros(edges, np.int64)
        for block, place, cells in zip(piece.blocks, places, after, strict=True):
            words[place] = self._keys.pack(cells, len(place))
            moves[place], weights[place] = block.move, block.weight
        del after, columns
        found, successors = self._look_up(words)
        self._successors.frombytes(successors.tobytes())
        self._moves.frombytes(moves.tobytes())
        self._add_weights(weights, edges)
        self._offsets.frombytes((ends + self._offsets[-1]).tobytes())
        self._expanded += piece.size
        return found

    def _look_up(self, words: Words) -> tuple[Piece, NDArray[np.int32]]:
        """New states, and the numbers of all; what was stuck is followed to where it leads."""
        numbers = self._keys.find(words)
        missing = np.flatnonzero(numbers < 0)
        if not len(missing):
            return Piece(self._size, 0, []), numbers
        first, which = first_of_each(words[missing])
        columns = self._keys.unpack(words[missing[first]])
        blocks, stuck = self._found_moves(columns, np.arange(len(first)))
        if not len(stuck):
            numbers[missing] = self._size + which.astype(np.int32)
            self._add_states(words[missing[first]], columns)
            return Piece(self._size - len(first), len(first), blocks), numbers
        while len(stuck):
            self._get_past(columns, stuck)
            more, stuck = self._found_moves(columns, stuck)
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
        return Piece(self._size - len(chosen), len(chosen), _picked(blocks, chosen, len(first))), numbers

    def _add_states(self, words: Words, columns: Columns) -> None:
        self._make_way(len(words))
        self._keys.add(words)
        self._size += len(words)
        points, seats = columns[POINT], columns[SEAT]
        rolls = np.isin(points, list(self._program.events))
        owner = np.where(points < 0, FINAL, np.where(rolls, CHANCE, seats)).astype(np.int8)
        self._owner.frombytes(owner.tobytes())
        outcome = np.full(len(words), -1, np.int32)
        over = np.flatnonzero(points < 0)
        if len(over):
            outcome[over] = self._outcomes_of([column[over] for column in columns])
        self._outcome.frombytes(outcome.tobytes())

    # ---- moves

    def _found_moves(self, columns: Columns, rows: Rows) -> tuple[list[Block], Rows]:
        """The moves of some of the states, and those of them in which a player is stuck."""
        blocks: list[Block] = []
        stuck = [np.zeros(0, np.int64)]
        for point, seat, some in _groups(columns, rows):
            if point < 0:
                continue
            found = self._moves_of_group(point, seat, columns, some)
            blocks += found
            if point == 0:
                has = np.zeros(len(columns[0]), bool)
                for block in found:
                    has[block.rows] = True
                stuck.append(some[~has[some]])
        return blocks, np.sort(np.concatenate(stuck))

    def _moves_of_group(self, point: int, seat: int, columns: Columns, rows: Rows) -> list[Block]:
        if point in self._program.events:
            shares = self._shares(_row(columns, int(rows[0])))
            if point in self._fixed_shares:
                return [
                    Block(point, seat, self._move_number(move), rows, share)
                    for move, share in shares.items()
                ]
            return self._moves_by_hand(point, seat, columns, rows)
        name = f"moves_{point}"
        if point == 0 and self._is_regular(name):
            try:
                found = self._lockstep.moves(name, _cells(columns, rows))
            except Irregular:
                self._failed(name)
            else:
                return [
                    Block(point, seat, self._move_number(move), _chosen(rows, mask), 0)
                    for mask, move in found
                ]
        return self._moves_by_hand(point, seat, columns, rows)

    def _moves_by_hand(self, point: int, seat: int, columns: Columns, rows: Rows) -> list[Block]:
        chance = point in self._program.events
        found: dict[tuple[int, int], tuple[list[int], list[int]]] = {}
        for row, cells in zip(rows.tolist(), _tuples([c[rows] for c in columns]), strict=True):
            shares = self._shares(cells) if chance else {}
            for place, move in enumerate(self._moves_at(cells)):
                at, weights = found.setdefault((place, self._move_number(move)), ([], []))
                at.append(row)
                weights.append(shares.get(move, 0))
        return [
            Block(point, seat, move, np.array(at), np.array(weights))
            for (_, move), (at, weights) in sorted(found.items())
        ]

    # ---- what follows

    def _play_blocks(self, blocks: Sequence[Block], columns: Columns) -> list[list[Column]]:
        bounds = [(int(column.min()), int(column.max())) for column in columns]
        return [self._play_block(block, columns, bounds) for block in blocks]

    def _play_block(
        self, block: Block, columns: Columns, bounds: Sequence[tuple[int, int]]
    ) -> list[Column]:
        name, codes = f"play_{block.point}", self._move_table[block.move].codes
        if self._is_regular(name):
            cells: list[int | Many] = []
            for column, (low, high) in zip(columns, bounds, strict=True):
                cells.append(low if low == high else Many(column[block.rows], low, high))
            cells[POINT], cells[SEAT] = block.point, block.seat
            try:
                after = self._lockstep.call(name, [cells, codes])
                return [_column(value) for value in after]
            except Irregular:
                self._failed(name)
        play, meter = self._program.play[block.point], self._program.meter
        played = []
        for one in _tuples([column[block.rows] for column in columns]):
            meter.reset()
            played.append(play(one, codes))
        return list(_columns(played))

    def _get_past(self, columns: Columns, rows: Rows) -> None:
        """Puts what happens by itself in place of states in which a player is stuck."""
        for _, _, some in _groups(columns, rows):
            after: Sequence[Column] | None = None
            if self._is_regular("stuck"):
                try:
                    found = self._lockstep.call("stuck", [_cells(columns, some)])
                    after = [_column(value) for value in found]
                except Irregular:
                    self._failed("stuck")
            if after is None:
                ones = _tuples([column[some] for column in columns])
                after = _columns([self._program.stuck(cells) for cells in ones])
            for column, value in zip(columns, after, strict=True):
                column[some] = value

    def _is_regular(self, name: str) -> bool:
        return self._failures.get(name, 0) < MOST_FAILURES

    def _failed(self, name: str) -> None:
        self._failures[name] = self._failures.get(name, 0) + 1

    # ---- owners, outcomes, chances, moves

    def _owner_at(self, cells: Cells) -> int:
        if cells[POINT] < 0:
            return FINAL
        return CHANCE if cells[POINT] in self._program.events else cells[SEAT]

    def _outcome_at(self, cells: Cells) -> int:
        outcome = self._game.outcome_at(cells)
        return self._outcomes.setdefault(outcome, len(self._outcomes))

    def _outcomes_of(self, columns: Columns) -> NDArray[np.int32]:
        """An outcome is told by the rule, by who won, and by what is paid."""
        telling = [columns[POINT], columns[PASSES]]
        first = self._program.shape.payoffs
        if first is not None:
            telling += columns[first : first + len(self._game.players)]
        words = np.stack(telling, axis=1).view(np.uint64)
        at, which = first_of_each(words)
        numbers = [self._outcome_at(_row(columns, k)) for k in at.tolist()]
        return np.array(numbers, np.int32)[which]

    def _shares(self, cells: Cells) -> dict[Move, int]:
        """Whole numbers in proportion to the probabilities of what can be rolled."""
        point = cells[POINT]
        known = self._fixed_shares.get(point)
        if known is not None:
            return known
        self._moves_at(cells)  # which notes whether it is always alike
        chances = self._game.chances_at(cells)
        common = lcm(*(chance.denominator for _, chance in chances))
        shares = {move: int(chance * common) for move, chance in chances}
        if self._game.is_always_alike(point):
            self._fixed_shares[point] = shares
        return shares

    def _move_number(self, move: Move) -> int:
        number = self._move_numbers.get(id(move))
        if number is None:
            self._move_table.append(move)  # kept here, so that its identity stays its own
            number = self._move_numbers[id(move)] = len(self._move_table) - 1
        return number

    def _add_weights(self, weights: int | NDArray[np.int64], count: int) -> None:
        """In as few bytes as the greatest weight so far takes."""
        most = weights if isinstance(weights, int) else int(weights.max(initial=0))
        while most >= 1 << 8 * self._weights.itemsize - 1:
            wider = {"b": "h", "h": "i", "i": "q"}[self._weights.typecode]
            self._weights = array(wider, self._weights)
        if isinstance(weights, int):
            self._weights.append(weights)
        else:
            self._weights.frombytes(weights.astype(self._weights.typecode).tobytes())

    # ---- the budget

    def _make_way(self, count: int) -> None:
        if self._size + count > self._budget:
            raise TooLarge(self._budget, self._expanded, f"{self._budget:,} states")

    def _check(self) -> None:
        self._checked = self._expanded
        self._progress("Exploring, states expanded", self._expanded, None)
        if self._memory is not None and self._used() > self._memory:
            raise TooLarge(self._size, self._expanded, f"{self._memory:,} bytes")

    def _used(self) -> int:
        """About how many bytes the states take so far, packed or not."""
        arrays = (self._owner, self._outcome, self._offsets, self._successors, self._moves)
        stored = sum(a.itemsize * len(a) for a in (*arrays, self._weights))
        one = 2 * (56 + 40 * self._program.shape.size)
        return stored + self._keys.nbytes + one * len(self._young)


def _groups(columns: Columns, rows: Rows) -> Iterator[tuple[int, int, Rows]]:
    """The states that wait at the same point for the same player."""
    points, seats = columns[POINT][rows], columns[SEAT][rows]
    for point in np.unique(points).tolist():
        for seat in np.unique(seats[points == point]).tolist():
            yield point, seat, rows[(points == point) & (seats == seat)]


def _picked(blocks: Sequence[Block], chosen: Rows, size: int) -> list[Block]:
    """The blocks for some of the states, which are numbered anew."""
    place = np.full(size, -1, np.int64)
    place[chosen] = np.arange(len(chosen))
    picked = []
    for block in blocks:
        rows = place[block.rows]
        kept = rows >= 0
        if kept.any():
            weight = block.weight if isinstance(block.weight, int) else block.weight[kept]
            picked.append(Block(block.point, block.seat, block.move, rows[kept], weight))
    return picked


def _cells(columns: Columns, rows: Rows) -> list[int | Many]:
    cells: list[int | Many] = []
    for column in columns:
        some = column if len(rows) == len(column) else column[rows]
        low, high = int(some.min()), int(some.max())
        cells.append(low if low == high else Many(some, low, high))
    return cells


def _column(value: object) -> Column:
    if isinstance(value, Many):
        return value.array
    if isinstance(value, int):
        return int(value)
    raise Irregular("a cell that is no number")


def _chosen(rows: Rows, mask: Mask) -> Rows:
    return rows if mask is True else rows[mask]


def _columns(states: Sequence[Cells]) -> Columns:
    return list(np.array(states, np.int64).T.copy())


def _tuples(columns: Columns) -> Iterator[Cells]:
    return zip(*(column.tolist() for column in columns), strict=True)


def _row(columns: Columns, row: int) -> Cells:
    return tuple([int(column[row]) for column in columns])


def _as_array(values: array[int]) -> NDArray[np.integer]:
    return np.frombuffer(values, values.typecode) if values else np.zeros(0, values.typecode)
