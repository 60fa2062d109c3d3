"""Sets that are rows of cells (see `evaluation.wide_sets`), as assembly: a method for each
function, of the same name.
"""

from __future__ import annotations

from collections.abc import Callable

from rulegame.core import ir
from rulegame.language.types import SET_CELL, Set
from rulegame.native.arguments import Arguments
from rulegame.native.assembly import Bit, Num, Pointer, number
from rulegame.native.rows import Listed, Stretch, Value


class WideSets(Arguments):
    """Writes calls that are about such sets."""

    def _row(self, e: ir.Expr) -> Stretch:
        """The cells of a set, one behind the other; to be looked at now."""
        found = self._list(e)
        if isinstance(found, Stretch) and found.step.known == 1:
            return found
        return self._lists.in_memory(found)

    def _range(self, low: ir.Expr, high: ir.Expr) -> Set:
        return Set(self._known(low), self._known(high))

    def _made(self, of: Set, cell: Callable[[int], Num]) -> Stretch:
        """A new set, cell by cell."""
        made = Stretch(self._out.slot(of.cells), number(of.cells))
        for k in range(of.cells):
            self._lists.put(made, number(k), cell(k))
        return made

    def _copied(self, row: Stretch, of: Set) -> Stretch:
        return self._made(of, lambda k: self._cell(row, k))

    def _cell(self, row: Stretch, k: int) -> Num:
        return self._out.load(self._out.at(row.base, number(k)))

    def _place(self, item: Num, of: Set) -> tuple[Num, Bit]:
        """How far from the first number one is, and whether it has a place."""
        place = self._out.minus(item, number(of.low))
        return place, self._out.test("ule", place, number(of.high - of.low))

    def _cell_and_bit(self, row: Stretch, place: Num) -> tuple[Pointer, Num]:
        """The cell of a number, and its bit there."""
        cell = self._out.plain("udiv", place, number(SET_CELL), 0, 2**32)
        bit = self._out.plain("urem", place, number(SET_CELL), 0, SET_CELL - 1)
        one = self._out.plain("shl", number(1), self._shift(bit))
        return self._out.at(row.base, cell), one

    def _kept_within(self, row: Stretch, of: Set) -> Stretch:
        """Bails out if the last cell has numbers that have no place in it."""
        width = (of.high - of.low) % SET_CELL + 1
        beyond = self._out.plain("lshr", self._cell(row, of.cells - 1), number(width))
        self._out.bail_out_if(self._out.is_true(beyond))
        return row

    def wide_members(self, e: ir.Expr, low: ir.Expr, high: ir.Expr) -> Stretch:
        """See `kernels.collections.numbers_of_row`."""
        of, row = self._range(low, high), self._row(e)
        width = of.high - of.low + 1
        room = self._out.slot(width)
        given = row.base, number(of.cells), number(of.low), room
        count = self._out.call("numbers_of_row", *given, low=0, high=width)
        return Stretch(room, count, low=of.low, high=of.high, different=True)

    def wide_contains(self, e: ir.Expr, item: ir.Expr, low: ir.Expr, high: ir.Expr) -> Bit:
        out, of, row = self._out, self._range(low, high), self._row(e)
        place, there = self._place(self._number(item), of)
        cell, bit = self._cell_and_bit(row, out.select(there, place, number(0)))
        return out.both(there, out.is_true(out.plain("and", out.load(cell), bit)))

    def wide_size(self, e: ir.Expr, low: ir.Expr, high: ir.Expr) -> Num:
        of, row = self._range(low, high), self._row(e)
        total = number(0)
        for k in range(of.cells):
            bits = self._cell(row, k)
            total = self._out.plus(total, self._out.count_ones(bits))
        return total

    def wide_with(self, e: ir.Expr, item: ir.Expr, low: ir.Expr, high: ir.Expr) -> Stretch:
        out, of = self._out, self._range(low, high)
        row = self._copied(self._row(e), of)
        place, there = self._place(self._number(item), of)
        out.bail_out_if(out.negated(there))
        cell, bit = self._cell_and_bit(row, place)
        out.store(cell, self._or(out.load(cell), bit))
        return row

    def wide_without(self, e: ir.Expr, item: ir.Expr, low: ir.Expr, high: ir.Expr) -> Stretch:
        out, of = self._out, self._range(low, high)
        row = self._copied(self._row(e), of)
        place, there = self._place(self._number(item), of)

        def take_out() -> None:
            cell, bit = self._cell_and_bit(row, place)
            out.store(cell, self._cleared(out.load(cell), bit))

        out.choose(there, take_out, lambda: None)
        return row

    def _cleared(self, bits: Num, gone: Num) -> Num:
        return self._out.plain("and", bits, self._out.inverted(gone))

    def _joined(
        self, e: ir.Expr, others: ir.Expr, of: Set, join: Callable[[Num, Num], Num]
    ) -> Stretch:
        a, b = self._row(e), self._row(others)
        return self._made(of, lambda k: join(self._cell(a, k), self._cell(b, k)))

    def wide_union(self, e: ir.Expr, others: ir.Expr, low: ir.Expr, high: ir.Expr) -> Stretch:
        of = self._range(low, high)
        return self._kept_within(self._joined(e, others, of, self._or), of)

    def wide_intersection(
        self, e: ir.Expr, others: ir.Expr, low: ir.Expr, high: ir.Expr
    ) -> Stretch:
        both = lambda a, b: self._out.plain("and", a, b)  # noqa: E731
        return self._joined(e, others, self._range(low, high), both)

    def wide_difference(self, e: ir.Expr, others: ir.Expr, low: ir.Expr, high: ir.Expr) -> Stretch:
        return self._joined(e, others, self._range(low, high), self._cleared)

    def wide_complement(self, e: ir.Expr, low: ir.Expr, high: ir.Expr) -> Stretch:
        of, row = self._range(low, high), self._row(e)

        def cell(k: int) -> Num:
            width = min(SET_CELL, of.high - of.low + 1 - k * SET_CELL)
            return self._cleared(number((1 << width) - 1), self._cell(row, k))

        return self._made(of, cell)

    def wide_pack_all(self, items: ir.Expr, low: ir.Expr, high: ir.Expr) -> Stretch:
        return self._of_numbers(self._list(items), self._range(low, high))

    def wide_pack_some(self, items: ir.Expr, low: ir.Expr, high: ir.Expr) -> Stretch:
        return self._of_numbers(self._list(items), self._range(low, high), some=True)

    def _of_numbers(self, items: Listed, of: Set, some: bool = False) -> Stretch:
        """The set of the numbers; of `some`, those that have a place in it, or it gives up."""
        out = self._out
        row = self._made(of, lambda k: number(0))

        def one(value: Value) -> None:
            assert isinstance(value, Num)
            inside = out.both(
                out.compare("sge", value, number(of.low)),
                out.compare("sle", value, number(of.high)),
            )
            if not some:
                out.bail_out_if(out.negated(inside))

            def add() -> None:
                place = out.plain("sub", value, number(of.low))
                cell, bit = self._cell_and_bit(row, place)
                out.store(cell, self._or(out.load(cell), bit))

            out.choose(inside, add, lambda: None)

        self._lists.each(items, one)
        return row

    def wide_fit(self, e: ir.Expr, low: ir.Expr, high: ir.Expr) -> Stretch:
        out, of, row = self._out, self._range(low, high), self._row(e)
        made = self._made(of, lambda k: number(0))

        def one(k: Num) -> None:
            bits = out.load(out.at(row.base, k))
            out.choose(
                out.compare("slt", k, number(of.cells)),
                lambda: out.store(out.at(made.base, k), bits),
                lambda: out.bail_out_if(out.is_true(bits)),
            )

        out.count_up(row.count, one)
        return self._kept_within(made, of)
