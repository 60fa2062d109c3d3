"""What the rules call (see `evaluation.runtime`), as assembly: a method each, of the same name.

Where a function of `runtime` fails, the machine code bails out, and Python tells what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final, cast

from rulegame.core import ir
from rulegame.language import cells as boards
from rulegame.language.functions import FUNCTIONS
from rulegame.language.types import NONE_CODE
from rulegame.limits import LIMITS
from rulegame.native.assembly import (
    LEAST,
    TRUE,
    Bit,
    Num,
    number,
)
from rulegame.native.boards import BoardFunctions
from rulegame.native.context import METER, Reason
from rulegame.native.rows import Bits, Items, Lines, Listed, NoValue, Progression, Stretch, Value
from rulegame.native.wide_sets import WideSets

MOST_COMPARED: Final = 4096  # elements of a list of which each is kept once
SQUARES: Final = ir.Const(False)


class Functions(WideSets, BoardFunctions):
    """Writes calls into a function of the rules."""

    def call(self, name: str, arguments: tuple[ir.Expr, ...]) -> Value:
        """The result of a call."""
        method = method_of(name)
        assert method is not None
        return method(self, *arguments)

    # ---- Python's own

    def range_(self, low: ir.Expr, high: ir.Expr) -> Progression:
        first, end = self._number(low), self._number(high)
        return self._span(first, self._out.minus(end, first))

    def _span(self, first: Num, count: Num) -> Progression:
        none = self._out.compare("slt", count, number(0))
        return Progression(first, self._out.select(none, number(0), _at_least(count, 0)))

    def same(self, items: ir.Expr) -> Value:
        """The list itself: only those who make a list change it."""
        return self._list(items)

    def len_(self, items: ir.Expr) -> Num:
        return self._lists.length(self._list(items))

    def sum_(self, items: ir.Expr) -> Num:
        return self._folded(self._list(items), number(0), self._out.plus)

    def any_(self, items: ir.Expr) -> Bit:
        return self._out.is_true(self._folded(self._list(items), number(0), self._or))

    def all_(self, items: ir.Expr) -> Bit:
        nots = lambda a, b: self._or(a, self._out.as_bit(self._out.compare("eq", b, number(0))))  # noqa: E731
        return self._out.negated(
            self._out.is_true(self._folded(self._list(items), number(0), nots))
        )

    def _folded(self, items: Listed, start: Num, join: Callable[[Num, Num], Num]) -> Num:
        result = self._out.slot()
        self._out.store(result, start)

        def one(value: Value) -> None:
            value = self._out.as_bit(value) if isinstance(value, Bit) else value
            assert isinstance(value, Num)
            self._out.store(result, join(self._out.load(result), value))

        self._lists.each(items, one)
        return self._out.load(result)

    def abs_(self, e: ir.Expr) -> Num:
        a = self._number(e)
        if a.low >= 0:
            return a
        self._out.bail_out_if(self._out.compare("eq", a, number(LEAST)), Reason.OVERFLOW)
        return self._out.absolute(a, 0, max(abs(a.high), abs(max(a.low, LEAST + 1))))

    def min_(self, *given: ir.Expr) -> Num:
        return self._extreme(self._out.smaller, given)

    def max_(self, *given: ir.Expr) -> Num:
        return self._extreme(self._out.larger, given)

    def _extreme(self, pick: Callable[[Num, Num], Num], given: tuple[ir.Expr, ...]) -> Num:
        result, *rest = [self._number(one) for one in given]
        for one in rest:
            result = pick(result, one)
        return result

    # ---- the meter

    def charge(self, steps: ir.Expr) -> Value:
        self._spend(self._weight(steps))
        return NoValue()

    def _weight(self, e: ir.Expr) -> Num:
        """What is beyond the whole budget is as much as any other such number."""
        return number(min(self._known(e), LIMITS.steps + 1))

    def _spend(self, steps: Num) -> None:
        out = self._out
        meter = self._lists.context(METER)
        left = out.plain("sub", out.load(meter), steps)
        out.store(meter, left)
        out.bail_out_if(out.compare("slt", left, number(0)))

    def span(self, low: ir.Expr, high: ir.Expr, weight: ir.Expr) -> Progression:
        out = self._out
        first, last, each = self._number(low), self._number(high), self._weight(weight)
        size = out.plus(out.minus(last, first), number(1))
        out.bail_out_if(out.compare("sgt", size, number(LIMITS.collection)))
        found = self._span(first, Num(size.ref, size.low, min(size.high, LIMITS.collection)))
        self._spend(out.times(found.count, each))
        return found

    def through(self, items: ir.Expr, weight: ir.Expr) -> Listed:
        found = self._list(items)
        self._spend(self._out.times(self._lists.length(found), self._weight(weight)))
        return found

    # ---- checks

    def fail(self, *_: ir.Expr) -> Value:
        self._out.bail_out()
        return number(0)

    def fit(self, e: ir.Expr) -> Value:
        """What is worked out here fits, or has been given up; but for the one number of none."""
        a = self._number(e)
        self._out.bail_out_if(self._out.compare("eq", a, number(NONE_CODE)), Reason.OVERFLOW)
        return a

    def fit_or_none(self, e: ir.Expr) -> Value:
        """A sum that comes to the number of none cannot be told from none in Python either."""
        return self._number(e)

    def fit_all(self, items: ir.Expr) -> Value:
        found = self._list(items)
        if isinstance(found, (Items, Bits)):
            found = self._lists.in_memory(found)

        def one(value: Value) -> None:
            assert isinstance(value, Num)
            self._out.bail_out_if(
                self._out.compare("eq", value, number(NONE_CODE)), Reason.OVERFLOW
            )

        self._lists.each(found, one)
        return found

    def fit_set(self, e: ir.Expr, low: ir.Expr, high: ir.Expr) -> Num:
        return self._fitting(self._number(e), low, high)

    def _fitting(self, bits: Num, low: ir.Expr, high: ir.Expr) -> Num:
        width = self._known(high) - self._known(low) + 1
        if width < 63:
            beyond = self._out.plain("lshr", bits, number(width))
            self._out.bail_out_if(self._out.is_true(beyond))
        return bits

    def index(self, e: ir.Expr, size: ir.Expr) -> Num:
        return self._inside(self._number(e), self._number(size))

    def _inside(self, i: Num, size: Num) -> Num:
        out = self._out
        if not (i.low >= 1 and i.high <= size.low):
            out.bail_out_if(out.test("uge", out.plain("sub", i, number(1)), size))
        return Num(i.ref, max(i.low, 1), min(i.high, size.high)) if i.known is None else i

    def element(self, items: ir.Expr, e: ir.Expr) -> Value:
        found = self._list(items)
        i = self._inside(self._number(e), self._lists.length(found))
        return self._lists.at(found, self._out.minus(i, number(1)))

    def repetitions(self, e: ir.Expr) -> Progression:
        count = self._number(e)
        self._out.bail_out_if(self._out.compare("sgt", count, number(LIMITS.repeat)))
        return self._span(number(0), Num(count.ref, count.low, min(count.high, LIMITS.repeat)))

    def times(self, e: ir.Expr) -> Num:
        return self.repetitions(e).count

    # ---- arithmetic

    def mul(self, a: ir.Expr, b: ir.Expr) -> Num:
        result = self._out.times(self._number(a), self._number(b))
        self._out.bail_out_if(self._out.compare("eq", result, number(NONE_CODE)), Reason.OVERFLOW)
        return result

    def div(self, dividend: ir.Expr, divisor: ir.Expr) -> Num:
        """Toward zero."""
        a, b = self._number(dividend), self._number(divisor)
        self._never_zero(b)
        most = max(abs(a.low), abs(a.high))
        if b.low > -1 or b.high < -1:
            return self._out.plain("sdiv", a, b, max(-most, LEAST), min(most, -LEAST - 1))
        return self._out.either(
            self._out.compare("eq", b, number(-1)),
            lambda: self._out.minus(number(0), a),
            lambda: self._out.plain("sdiv", a, b),
        )

    def mod(self, dividend: ir.Expr, divisor: ir.Expr) -> Num:
        """At least 0, and less than the divisor without its sign."""
        out = self._out
        a, b = self._number(dividend), self._number(divisor)
        self._never_zero(b)
        if b.low < 0:
            out.bail_out_if(out.compare("eq", b, number(LEAST)), Reason.OVERFLOW)
            b = out.absolute(b, 1)
        top = max(b.high - 1, 0)
        if a.low >= 0:
            return out.plain("urem", a, b, 0, top)
        rest = out.plain("srem", a, b)
        wrapped = out.plain("add nsw", rest, b, 0, top)
        below = out.test("slt", rest, number(0))
        return out.select(below, wrapped, Num(rest.ref, 0, top))

    def _never_zero(self, b: Num) -> None:
        self._out.bail_out_if(self._out.compare("eq", b, number(0)), Reason.DIVISION)

    def least(self, items: ir.Expr) -> Num:
        return self._extreme_of(items, self._out.smaller)

    def greatest(self, items: ir.Expr) -> Num:
        return self._extreme_of(items, self._out.larger)

    def _extreme_of(self, items: ir.Expr, pick: Callable[[Num, Num], Num]) -> Num:
        found = self._list(items)
        empty = self._out.compare("eq", self._lists.length(found), number(0))
        self._out.bail_out_if(empty)
        start = -LEAST - 1 if pick == self._out.smaller else LEAST
        return self._folded(found, number(start), pick)

    # ---- lists and sets

    def different(self, items: ir.Expr) -> Listed:
        """Each element once, where it stands first."""
        found = self._list(items)
        if isinstance(found, (Progression, Bits)):
            return found
        if isinstance(found, Stretch) and found.different:
            return found
        out = self._out
        row = self._lists.in_memory(found, lasting=True)
        out.bail_out_if(out.compare("sgt", row.count, number(MOST_COMPARED)), Reason.MEMORY)
        kept = Stretch(self._lists.heap(row.count), number(0), lasting=True)
        count = out.slot()
        out.store(count, number(0))

        def one(k: Num) -> None:
            value, size = self._lists.at(row, k), out.load(count, 0, MOST_COMPARED)
            known = self._lists.among(value, replace(kept, count=size))

            def add() -> None:
                self._lists.put(kept, size, value)
                out.store(count, out.plus(size, number(1)))

            out.choose(known, lambda: None, add)

        out.count_up(row.count, one)
        return replace(kept, count=out.load(count, 0, MOST_COMPARED))

    def members(self, e: ir.Expr, low: ir.Expr) -> Bits:
        return Bits(self._number(e), self._known(low))

    def contains(self, e: ir.Expr, item: ir.Expr, low: ir.Expr) -> Bit:
        bits, place = self._number(e), self._number(item)
        return self._out.is_true(self._bit(bits, self._out.minus(place, number(self._known(low)))))

    def _bit(self, bits: Num, place: Num) -> Num:
        """1 if that bit is set; 0 for a place that no set has."""
        out = self._out
        shifted = out.plain("lshr", bits, self._shift(place))
        bit = out.plain("and", shifted, number(1), 0, 1)
        there = out.test("ult", place, number(63))
        return out.select(there, bit, number(0))

    def with_(self, e: ir.Expr, item: ir.Expr, low: ir.Expr, high: ir.Expr) -> Num:
        out = self._out
        bits, place = self._number(e), out.minus(self._number(item), number(self._known(low)))
        most = min(self._known(high) - self._known(low), 62)
        out.bail_out_if(out.test("ugt", place, number(most)))
        return self._or(bits, out.plain("shl", number(1), self._shift(place)))

    def without(self, e: ir.Expr, item: ir.Expr, low: ir.Expr, high: ir.Expr) -> Num:
        out = self._out
        bits, place = self._number(e), out.minus(self._number(item), number(self._known(low)))
        most = min(self._known(high) - self._known(low), 63)
        one = out.plain("shl", number(1), self._shift(place))
        rest = out.plain("and", bits, out.inverted(one))
        return out.select(out.test("ule", place, number(most)), rest, bits)

    def union(self, e: ir.Expr, others: ir.Expr, low: ir.Expr, high: ir.Expr) -> Num:
        return self._fitting(self._or(self._number(e), self._number(others)), low, high)

    def intersection(self, e: ir.Expr, others: ir.Expr) -> Num:
        return self._out.plain("and", self._number(e), self._number(others))

    def difference(self, e: ir.Expr, others: ir.Expr) -> Num:
        bits, gone = self._number(e), self._number(others)
        return self._out.plain("and", bits, self._out.inverted(gone))

    def complement(self, e: ir.Expr, low: ir.Expr, high: ir.Expr) -> Num:
        every = (1 << (self._known(high) - self._known(low) + 1)) - 1
        return self.difference(ir.Const(every), e)

    def pack_all(self, items: ir.Expr, low: ir.Expr, high: ir.Expr) -> Num:
        return self._packed(self._list(items), self._known(low), self._known(high))

    def pack_some(self, items: ir.Expr, low: ir.Expr, high: ir.Expr) -> Num:
        return self._packed(self._list(items), self._known(low), self._known(high), some=True)

    def _packed(self, items: Listed, low: int, high: int, some: bool = False) -> Num:
        """The set of the numbers; of `some`, those that have a place in it, or it gives up."""
        out = self._out
        found = out.slot()
        out.store(found, number(0))

        def one(value: Value) -> None:
            assert isinstance(value, Num)
            inside = out.both(
                out.compare("sge", value, number(low)), out.compare("sle", value, number(high))
            )
            if not some:
                out.bail_out_if(out.negated(inside))

            def add() -> None:
                place = out.plain("sub", value, number(low))
                bit = out.plain("shl", number(1), self._shift(place))
                out.store(found, self._or(out.load(found), bit))

            out.choose(inside, add, lambda: None)

        self._lists.each(items, one)
        return out.load(found)

    def subsets(self, items: ir.Expr, size: ir.Expr, low: ir.Expr, high: ir.Expr) -> Listed:
        """All sets of so many of the numbers, in lexicographic order: see `collections.subsets`."""
        bits = self._numbers_of_set(items, low, high)
        return self._subsets("subsets", bits, self._number(size))

    def all_subsets(self, items: ir.Expr, low: ir.Expr, high: ir.Expr) -> Listed:
        """Those of all sizes, smaller ones first."""
        return self._subsets("all_subsets", self._numbers_of_set(items, low, high))

    def _numbers_of_set(self, items: ir.Expr, low: ir.Expr, high: ir.Expr) -> Num:
        return self._packed(self._list(items), self._known(low), self._known(high))

    def _subsets(self, function: str, *given: Num) -> Stretch:
        out = self._out
        room = self._lists.heap(number(LIMITS.collection))
        count = out.call(function, *given, room)
        out.bail_out_if(out.compare("slt", count, number(0)))
        most = Num(count.ref, 0, LIMITS.collection)
        return Stretch(room, most, lasting=True, different=True)

    def reversed_(self, items: ir.Expr) -> Stretch:
        """The same row, read from its end."""
        row = self._lists.in_memory(self._list(items), lasting=True)
        last = self._out.at(row.base, self._out.plain("sub", row.count, number(1)))
        return replace(row, base=last, step=number(-1))

    def joined(self, *parts: ir.Expr) -> Stretch:
        """A copy of all of them, one behind the other."""
        out = self._out
        found = [self._lists.in_memory(self._list(part)) for part in parts]
        count = found[0].count
        for one in found[1:]:
            count = out.plus(count, one.count)
        row, start = Stretch(self._lists.heap(count), count, lasting=True), number(0)
        for one in found:
            behind = replace(row, base=out.at(row.base, start))
            out.copy(behind.base, one.base, out.plain("shl", one.count, number(3)))
            start = out.plus(start, one.count)
        return row

    # ---- numbers in order

    def sorted_(self, items: ir.Expr) -> Stretch:
        """A copy that is put in order: see `kernels.collections.put_in_order`."""
        out, found = self._out, self._list(items)
        if isinstance(found, (Items, Bits)):
            found = self._lists.in_memory(found)
        row = Stretch(self._lists.heap(found.count), found.count, lasting=True)
        out.count_up(found.count, lambda k: self._lists.put(row, k, self._lists.at(found, k)))
        out.call("put_in_order", row.base, row.count)
        return row

    def lowest(self, items: ir.Expr, count: ir.Expr) -> Stretch:
        row = self.sorted_(items)
        return replace(row, count=self._at_most(self._number(count), row.count))

    def highest(self, items: ir.Expr, count: ir.Expr) -> Stretch:
        row = self.sorted_(items)
        last = self._out.at(row.base, self._out.plain("sub", row.count, number(1)))
        wanted = self._at_most(self._number(count), row.count)
        return replace(row, base=last, count=wanted, step=number(-1))

    def _at_most(self, wanted: Num, most: Num) -> Num:
        out = self._out
        return out.smaller(out.larger(wanted, number(0)), most)

    # ---- grids: cells row by row

    def _cells(self, e: ir.Expr) -> Stretch:
        return self._lists.in_memory(self._list(e)) if not self._in_place(e) else self._seen(e)

    def _in_place(self, e: ir.Expr) -> bool:
        """Whether it is a part of the cells of a state, which need not be copied to be looked at:
        nothing is written before the list is gone through.
        """
        return isinstance(e, ir.Slice)

    def _seen(self, e: ir.Expr) -> Stretch:
        found = self._list(e)
        assert isinstance(found, Stretch)
        return found

    def rows(self, rows: ir.Expr, columns: ir.Expr, cells: ir.Expr) -> Lines:
        down, across = self._known(rows), self._known(columns)
        table = tuple(word for r in range(down) for word in (r * across, 1))
        return self._lines(cells, table, number(across))

    def columns(self, rows: ir.Expr, columns: ir.Expr, cells: ir.Expr) -> Lines:
        down, across = self._known(rows), self._known(columns)
        table = tuple(word for c in range(across) for word in (c, across))
        return self._lines(cells, table, number(down))

    def lines(
        self,
        rows: ir.Expr,
        columns: ir.Expr,
        cells: ir.Expr,
        length: ir.Expr,
        tiles: ir.Expr = SQUARES,
    ) -> Lines:
        (down, across, hexagons), long = self._shape(rows, columns, tiles), self._number(length)
        if long.known is not None:
            return self._lines(cells, _starts(down, across, hexagons, long.known), long)
        return self._lines_of_any_length(self._cells(cells), (down, across, hexagons), long, None)

    def _lines_of_any_length(
        self, cells: Stretch | None, shape: tuple[int, int, bool], long: Num, cell: Num | None
    ) -> Lines:
        """All lines, or those that a cell is on: see `kernels.collections.lines`."""
        (down, across, hexagons), out = shape, self._out
        room = self._lists.heap(number(8 * down * across))
        through = number(-1) if cell is None else cell
        sizes = number(down), number(across), number(int(hexagons))
        count = out.call("lines", *sizes, long, through, room, low=0, high=4 * down * across)
        most = max(down, across)
        known = out.select(out.compare("sgt", long, number(0)), long, number(0))
        length_ = Num(known.ref, 0, max(most, 0)) if long.high <= most else Num(known.ref, 0)
        return Lines(cells, room, count, length_)

    def line_places(
        self, rows: ir.Expr, columns: ir.Expr, length: ir.Expr, tiles: ir.Expr = SQUARES
    ) -> Lines:
        """The numbers of the cells of each line."""
        table = _starts(*self._shape(rows, columns, tiles), self._known(length))
        where = self._rules.code.table(table)
        return Lines(None, where, number(len(table) // 2), number(max(0, self._known(length))))

    def lines_through(
        self,
        rows: ir.Expr,
        columns: ir.Expr,
        length: ir.Expr,
        cell: ir.Expr,
        tiles: ir.Expr = SQUARES,
    ) -> Lines:
        """Those of the lines that a cell is on: a table of them for each cell, and where it is."""
        shape, long = self._shape(rows, columns, tiles), self._number(length)
        if long.known is None:
            return self._lines_of_any_length(None, shape, long, self._number(cell))
        cells = range(shape[0] * shape[1])
        through = tuple(boards.lines_through(*shape, long.known, k) for k in cells)
        table = tuple(word for lines in through for word in _as_starts(lines))
        first, count = self._entry(through, 2, self._number(cell))
        where = self._out.at(self._rules.code.table(table), first)
        return Lines(None, where, count, number(max(0, long.known)))

    def cells_at(self, cells: ir.Expr, first: ir.Expr, places: ir.Expr) -> Stretch:
        """What is in cells of which the numbers are a line."""
        assert isinstance(cells, ir.Array)
        line = self._list(places)
        assert isinstance(line, Progression)
        begin = self._out.plus(self._number(first), line.first)
        return self._rules.cells_from(cells.state, begin, line.count, line.step)

    def _lines(self, cells: ir.Expr, table: tuple[int, ...], length: Num) -> Lines:
        where = self._rules.code.table(table)
        return Lines(self._cells(cells), where, number(len(table) // 2), length)

    def inside(
        self, rows: ir.Expr, columns: ir.Expr, cells: ir.Expr, r: ir.Expr, c: ir.Expr
    ) -> Bit:
        return self._on_board(self._known(rows), self._known(columns), r, c)

    def _on_board(self, rows: int, columns: int, r: ir.Expr, c: ir.Expr) -> Bit:
        row, column = self._number(r), self._number(c)
        return self._out.both(self._among(row, rows), self._among(column, columns))

    def _among(self, i: Num, size: int) -> Bit:
        if i.low >= 1 and i.high <= size:
            return TRUE
        return self._out.test("ult", self._out.plain("sub", i, number(1)), number(size))

    def neighbours(
        self,
        rows: ir.Expr,
        columns: ir.Expr,
        cells: ir.Expr,
        r: ir.Expr,
        c: ir.Expr,
        tiles: ir.Expr = SQUARES,
    ) -> Stretch:
        steps = boards.steps_beside(self._shape(rows, columns, tiles)[2])
        return self._near(rows, columns, cells, (r, c), steps)

    def around(
        self,
        rows: ir.Expr,
        columns: ir.Expr,
        cells: ir.Expr,
        r: ir.Expr,
        c: ir.Expr,
        tiles: ir.Expr = SQUARES,
    ) -> Stretch:
        steps = boards.steps_around(self._shape(rows, columns, tiles)[2])
        return self._near(rows, columns, cells, (r, c), steps)

    def _near(
        self,
        rows: ir.Expr,
        columns: ir.Expr,
        cells: ir.Expr,
        at: tuple[ir.Expr, ir.Expr],
        steps: tuple[tuple[int, int], ...],
    ) -> Stretch:
        """What is in the cells near one, of those that there are."""
        out, down, across = self._out, self._known(rows), self._known(columns)
        grid = self._cells(cells)
        # a place so far out that a step from it leaves 64 bits is near no cell
        row, column = (self._nearby(self._number(one)) for one in at)
        near, count = out.slot(8), out.slot()
        out.store(count, number(0))
        for r, c in steps:
            there = out.plus(row, number(r)), out.plus(column, number(c))
            on_board = out.both(self._among(there[0], down), self._among(there[1], across))

            def add(there: tuple[Num, Num] = there) -> None:
                place = out.plus(out.times(_near(there[0]), number(across)), _near(there[1]))
                k = out.load(count, 0, 7)
                value = self._lists.at(grid, out.minus(place, number(across + 1)))
                self._lists.put(Stretch(near, number(8)), k, value)
                out.store(count, out.plus(k, number(1)))

            out.choose(on_board, add, lambda: None)
        return Stretch(near, out.load(count, 0, 8), low=grid.low, high=grid.high)

    def _nearby(self, i: Num) -> Num:
        out = self._out
        return out.smaller(out.larger(i, number(-2)), number(2**32))

    # ---- outcomes

    def winners_of(self, winners: ir.Expr, players: ir.Expr) -> Num:
        count = self._known(players)
        everyone = (1 << count) - 1

        def add(bits: Num, seat: Num) -> Num:
            return self._or(bits, self._out.plain("shl", number(1), self._shift(seat)))

        out = self._out
        bits = self._folded(self._list(winners), number(0), add)
        both = self._both_sides(bits, out.plain("xor", bits, number(everyone)))
        some = out.compare("ne", bits, number(0))
        if count > 1:
            some = out.both(some, out.compare("slt", bits, number(everyone)))
        return out.select(some, both, number(0))

    def winners_by_result(self, result: ir.Expr, me: ir.Expr, players: ir.Expr) -> Num:
        out, everyone = self._out, (1 << self._known(players)) - 1
        found, seat = self._number(result), self._number(me)
        mine = out.plain("shl", number(1), seat)
        others = out.plain("xor", mine, number(everyone))
        won, lost = self._both_sides(mine, others), self._both_sides(others, mine)
        unless = out.select(out.compare("eq", found, number(1)), lost, number(0))
        return out.select(out.compare("eq", found, number(0)), won, unless)

    def _both_sides(self, winners: Num, losers: Num) -> Num:
        return self._or(winners, self._out.plain("shl", losers, number(8)))

    def winners_by_payoff(self, payoffs: ir.Expr) -> Num:
        out = self._out
        row = self._lists.in_memory(self._list(payoffs))
        best = self._folded(row, number(LEAST), out.larger)
        bits = out.slot()
        out.store(bits, number(0))

        def one(k: Num) -> None:
            value = self._lists.at(row, k)
            assert isinstance(value, Num)
            equal = out.as_bit(out.compare("eq", value, best))
            out.store(bits, self._or(out.load(bits), out.plain("shl", equal, k)))

        out.count_up(row.count, one)
        found = out.load(bits)
        everyone = (1 << self._rules.players) - 1
        both = self._both_sides(found, out.plain("xor", found, number(everyone)))
        return out.select(out.compare("ne", found, number(everyone)), both, number(0))


def _at_least(value: Num, low: int) -> Num:
    return value if value.known is not None else Num(value.ref, max(value.low, low), value.high)


def _near(value: Num) -> Num:
    """A place that has been found to be on a board."""
    return Num(value.ref, max(value.low, 1), min(value.high, LIMITS.cells))


def _starts(rows: int, columns: int, hexagons: bool, length: int) -> tuple[int, ...]:
    """Where each line of that length begins, and its step."""
    return tuple(_as_starts(boards.lines(rows, columns, hexagons, length)))


def _as_starts(lines: tuple[tuple[int, ...], ...]) -> list[int]:
    words: list[int] = []
    for places in lines:
        words += [places[0], places[1] - places[0] if len(places) > 1 else 1]
    return words


# The methods for what lowering needs beside the built-in functions, whose rows name theirs.
METHODS: Final = {
    "range": "range_", "list": "same", "len": "len_", "sum": "sum_", "any": "any_", "all": "all_",
    "abs": "abs_", "min": "min_", "max": "max_", "charge": "charge", "span": "span",
    "through": "through", "fit": "fit", "fit_or_none": "fit_or_none", "fit_all": "fit_all",
    "fit_all_or_none": "same", "fit_set": "fit_set", "mul": "mul", "div": "div", "index": "index",
    "beyond": "fail", "outside": "fail", "unfit": "fail", "astray": "fail", "none_left": "fail",
    "nobody_chooses": "fail", "written_twice": "fail", "element": "element",
    "different": "different", "repetitions": "repetitions", "times": "times", "members": "members",
    "contains": "contains",
    "line_places": "line_places", "line_places_through": "lines_through", "cells_at": "cells_at",
    "begin_at": "begin_at", "spread": "spread", "pack_all": "pack_all", "pack_some": "pack_some",
    "winners_of": "winners_of", "winners_by_result": "winners_by_result",
    "winners_by_payoff": "winners_by_payoff", "wide_members": "wide_members",
    "wide_contains": "wide_contains", "wide_size": "wide_size", "wide_pack_all": "wide_pack_all",
    "wide_pack_some": "wide_pack_some", "wide_fit": "wide_fit",
}  # fmt: skip


def method_of(name: str) -> Callable[..., Value] | None:
    """The method that writes a call of an intrinsic; None if machine code has none."""
    declared = FUNCTIONS.intrinsics.get(name)
    if declared is not None:
        return (
            None if declared.native is None else cast(Callable[..., Value], declared.native.load())
        )
    return getattr(Functions, METHODS[name]) if name in METHODS else None
