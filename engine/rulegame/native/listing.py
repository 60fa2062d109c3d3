"""Assembly for lists: going through them, their elements, putting them into memory."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from rulegame.limits import LIMITS
from rulegame.native.assembly import (
    FALSE,
    GREATEST,
    LEAST,
    TRUE,
    Assembly,
    Bit,
    Num,
    Pointer,
    number,
)
from rulegame.native.context import END, TOP, Reason
from rulegame.native.rows import Bits, Items, Lines, Listed, Progression, Stretch, Value, depth_of

CONTEXT: Final = Pointer("%c")
SHORT: Final = 32  # numbers that a list has room for before it goes to the heap


class GrowingList:
    """A list that is added to. One whose elements are `different` is added to at one place only, so
    what is known of a number there is known of all of them.
    """

    def __init__(self, out: Assembly, different: bool = False) -> None:
        self.room = out.slot(2 * SHORT)
        self.address, self.count, self.capacity = out.slot(), out.slot(), out.slot()
        self.depth = 0
        self.different = different
        self.low, self.high = LEAST, GREATEST  # of the elements, as far as known


class ListWriter:
    """Writes what is done with lists into a function."""

    def __init__(self, out: Assembly) -> None:
        self.out = out

    def context(self, word: int) -> Pointer:
        return self.out.at(CONTEXT, number(word))

    def heap(self, words: Num) -> Pointer:
        """So many words of the heap, or the function bails out."""
        out = self.out
        top = out.load(self.context(TOP))
        after = out.plain("add", top, out.plain("shl", words, number(3)))
        end = out.load(self.context(END))
        # a list of more than 2**40 words is not asked for: budgets are far below
        out.bail_out_if(out.test("ugt", after, end), Reason.MEMORY)
        out.store(self.context(TOP), after)
        return out.as_pointer(top)

    def length(self, e: Listed) -> Num:
        if isinstance(e, Items):
            return number(len(e.values))
        if isinstance(e, Bits):
            return self.out.count_ones(e.bits)
        return e.count

    # ---- going through

    def each(self, e: Listed, body: Callable[[Value], None], end: str | None = None) -> None:
        """body(element) for every element; `end` is the label behind."""
        if isinstance(e, Items):
            if len(e.values) == 1:
                body(e.values[0])
                if end is not None:
                    self.out.begin(end)
                return
            e = self.in_memory(e)
        if isinstance(e, Bits):
            self._each_bit(e, body, end)
            return
        self.out.count_up(e.count, lambda k: body(self.at(e, k)), end)

    def _each_bit(self, e: Bits, body: Callable[[Value], None], end: str | None) -> None:
        out = self.out
        left = out.slot()
        out.store(left, e.bits)
        head, inside, done = out.label(), out.label(), end or out.label()
        out.begin(head)
        bits = out.load(left)
        out.branch(out.is_true(bits), inside, done)
        out.begin(inside)
        place = out.lowest_one(bits)
        out.store(left, out.without_lowest_one(bits))
        body(out.plus(place, number(e.low)))
        out.jump(head)
        out.begin(done)

    def at(self, e: Listed, k: Num) -> Value:
        """The element of a place, from 0 on, which there must be."""
        out = self.out
        match e:
            case Progression(first=first, step=step) if step.known != 1:
                further = out.plain("mul nsw", step, k)
                return out.plain("add nsw", first, further, 0, LIMITS.cells)
            case Progression(first=first, count=count):
                high = max(first.low, min(first.high + max(count.high - 1, 0), GREATEST))
                return out.plain("add nsw", first, k, first.low, high)
            case Lines(cells=cells, table=table, length=length):
                pair = out.at(table, out.times(k, number(3 if e.lengths else 2)))
                start, step = out.load(pair), out.load(out.at(pair, number(1)))
                if e.lengths:
                    length = out.load(out.at(pair, number(2)), length.low, length.high)
                if cells is None:
                    return Progression(start, length, step)
                return replace(cells, base=out.at(cells.base, start), count=length, step=step)
            case Stretch(depth=0):
                place = k if e.step.known == 1 else out.plain("mul nsw", k, e.step)
                return out.load(out.at(e.base, place), e.low, e.high)
            case Stretch():
                pair = out.at(e.base, out.times(k, number(2)))
                base = out.as_pointer(out.load(pair))
                count = out.load(out.at(pair, number(1)), 0, 2**40)
                return Stretch(base, count, depth=e.depth - 1, lasting=e.lasting)
        return self.at(self.in_memory(e), k)

    # ---- in memory

    def in_memory(self, e: Listed, lasting: bool = False) -> Stretch:
        """The list as elements one behind the other; `lasting`: on the heap."""
        in_a_row = isinstance(e, Stretch) and e.step.known == 1 and not e.fleeting
        if isinstance(e, Stretch) and in_a_row and (e.lasting or not lasting):
            return e
        words = 1 if depth_of(e) == 0 else 2
        size = self.length(e)
        if isinstance(e, (Items, Bits)) and not lasting and (size.known or 64) <= 64:
            base = self.out.slot(words * 64)
        else:
            base = self.heap(self.out.times(size, number(words)))
            lasting = True
        row = Stretch(base, size, depth=depth_of(e), lasting=lasting)
        if isinstance(e, Items):
            for k, value in enumerate(e.values):
                self.put(row, number(k), value)
        elif isinstance(e, Bits):
            count = self.out.slot()
            self.out.store(count, number(0))

            def add(value: Value) -> None:
                k = self.out.load(count, 0, 63)
                self.put(row, k, value)
                self.out.store(count, self.out.plus(k, number(1)))

            self.each(e, add)
        else:
            self.out.count_up(size, lambda k: self.put(row, k, self.at(e, k)))
        return row

    def put(self, row: Stretch, k: Num, value: Value) -> None:
        """Writes an element."""
        out = self.out
        if isinstance(value, Bit):
            value = out.as_bit(value)
        if isinstance(value, Num):
            out.store(out.at(row.base, k), value)
            return
        assert isinstance(value, (Progression, Stretch, Lines, Items, Bits))
        inner = self.in_memory(value, lasting=True)
        pair = out.at(row.base, out.times(k, number(2)))
        out.store(pair, out.as_number(inner.base))
        out.store(out.at(pair, number(1)), inner.count)

    def start(self, growing: GrowingList) -> None:
        """The list is empty."""
        self.out.store(growing.address, self.out.as_number(growing.room))
        self.out.store(growing.count, number(0))
        self.out.store(growing.capacity, number(SHORT))

    def append(self, growing: GrowingList, value: Value, pair: Value | None = None) -> None:
        """One more element (or a pair of numbers)."""
        out = self.out
        growing.depth = max(growing.depth, 1 + depth_of(value))
        if growing.different and isinstance(value, Num):
            growing.low, growing.high = value.low, value.high
        double = growing.depth > 0 or pair is not None
        count = out.load(growing.count, 0, 2**40)
        full = out.compare("eq", count, out.load(growing.capacity, 0, 2**40))
        out.choose(full, lambda: self._grow(growing, count), lambda: None)
        base = out.as_pointer(out.load(growing.address))
        if pair is None:
            self.put(Stretch(base, count, depth=growing.depth), count, value)
        else:
            place = out.at(base, out.times(count, number(2)))
            assert isinstance(value, Num) and isinstance(pair, Num)
            out.store(place, value)
            out.store(out.at(place, number(1)), pair)
        assert double or growing.depth == 0
        out.store(growing.count, out.plus(count, number(1)))

    def _grow(self, growing: GrowingList, count: Num) -> None:
        out = self.out
        words = out.times(count, number(2))  # whether each takes one or two
        room = self.heap(out.times(words, number(2)))
        source = out.as_pointer(out.load(growing.address))
        out.copy(room, source, out.times(words, number(8)))
        out.store(growing.address, out.as_number(room))
        out.store(growing.capacity, out.times(count, number(2)))

    def grown(self, growing: GrowingList) -> Stretch:
        """The list as it is now."""
        base = self.out.as_pointer(self.out.load(growing.address))
        return Stretch(
            base,
            self.out.load(growing.count, 0, 2**40),
            depth=growing.depth,
            low=growing.low,
            high=growing.high,
            different=growing.different,
        )

    # ---- comparing

    def equal(self, a: Value, b: Value) -> Bit:
        """Whether two lists have the same elements."""
        out = self.out
        if isinstance(a, (Num, Bit)) or isinstance(b, (Num, Bit)):
            return out.compare("eq", self._number(a), self._number(b))
        assert isinstance(a, (Progression, Stretch, Lines, Items, Bits))
        assert isinstance(b, (Progression, Stretch, Lines, Items, Bits))
        if isinstance(a, Items) and isinstance(b, Items) and len(a.values) == len(b.values):
            pairs = list(zip(a.values, b.values, strict=True))
            if not pairs:
                return TRUE
            return out.lazily([lambda p=p: self.equal(*p) for p in pairs], FALSE)  # type: ignore[misc]
        first = a if not isinstance(a, (Items, Bits)) else self.in_memory(a)
        second = b if not isinstance(b, (Items, Bits)) else self.in_memory(b)
        same = out.slot(kind="i1")
        out.store_bit(same, FALSE)
        end = out.label()

        def compare() -> None:
            out.store_bit(same, TRUE)

            def one(k: Num) -> None:
                differ, on = out.label(), out.label()
                out.branch(self.equal(self.at(first, k), self.at(second, k)), on, differ)
                out.begin(differ)
                out.store_bit(same, FALSE)
                out.jump(end)
                out.begin(on)

            out.count_up(first.count, one)

        out.choose(out.compare("eq", first.count, second.count), compare, lambda: None)
        out.begin(end)
        return out.load_bit(same)

    def among(self, element: Value, e: Listed) -> Bit:
        """Whether it is one of them."""
        out = self.out
        if isinstance(e, Items) and e.values:
            return out.lazily(
                [lambda v=v: self.equal(element, v) for v in e.values],  # type: ignore[misc]
                TRUE,
            )
        found = out.slot(kind="i1")
        out.store_bit(found, FALSE)
        end = out.label()

        def one(value: Value) -> None:
            yes, on = out.label(), out.label()
            out.branch(self.equal(element, value), yes, on)
            out.begin(yes)
            out.store_bit(found, TRUE)
            out.jump(end)
            out.begin(on)

        self.each(e, one, end)
        return out.load_bit(found)

    def _number(self, value: Value) -> Num:
        if isinstance(value, Bit):
            return self.out.as_bit(value)
        assert isinstance(value, Num)
        return value
