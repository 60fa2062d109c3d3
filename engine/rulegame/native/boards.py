"""Cells of boards as assembly: tables of what lies beside, around and in line with each of them,
and the flood that goes from cell to cell.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Protocol

from rulegame.core import ir
from rulegame.language import cells as boards
from rulegame.language import graphs
from rulegame.limits import LIMITS
from rulegame.native.arguments import Arguments, Caller
from rulegame.native.assembly import Num, Pointer, number
from rulegame.native.lowering import Untranslatable
from rulegame.native.rows import Lines, NoValue, Progression, Stretch, Value

BITS: Final = 63  # cells of a board of which one number says which have been seen


class Visit(Protocol):
    """What is done with a cell that is reached."""

    def __call__(self, cell: Num, end: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Flood:
    """Cells that wait to be asked, and which have been met so far: a row of them and their count,
    or, if it may be in any order, the bits of one number.
    """

    beside: tuple[tuple[int, ...], ...]
    seen: Pointer
    waiting: Pointer
    count: Pointer
    in_any_order: bool

    @property
    def size(self) -> int:
        return len(self.beside)


class BoardFunctions(Arguments):
    """Writes what is asked of cells into a function of the rules."""

    def __init__(self, rules: Caller) -> None:
        super().__init__(rules)
        self._floods: dict[str, Flood] = {}

    def _shape(self, rows: ir.Expr, columns: ir.Expr, tiles: ir.Expr) -> tuple[int, int, bool]:
        assert isinstance(tiles, ir.Const)
        return self._known(rows), self._known(columns), bool(tiles.value)

    # ---- near a cell

    def cells_beside(
        self, rows: ir.Expr, columns: ir.Expr, tiles: ir.Expr, cell: ir.Expr
    ) -> Stretch:
        return self._listed(boards.cells_beside(*self._shape(rows, columns, tiles)), cell)

    def cells_around(
        self, rows: ir.Expr, columns: ir.Expr, tiles: ir.Expr, cell: ir.Expr
    ) -> Stretch:
        return self._listed(boards.cells_around(*self._shape(rows, columns, tiles)), cell)

    def _listed(self, cells: tuple[tuple[int, ...], ...], cell: ir.Expr) -> Stretch:
        """The cells that a table has for a cell."""
        flat = tuple(one for some in cells for one in some)
        first, count = self._entry(cells, 1, self._number(cell))
        where = self._out.at(self._rules.code.table(flat), first)
        return Stretch(where, count, lasting=True, low=0, high=len(cells) - 1)

    def _entry(
        self, rows: tuple[tuple[object, ...], ...], words: int, cell: Num
    ) -> tuple[Num, Num]:
        """Where the entries of a cell begin in a flat table, and how many there are."""
        index: list[int] = []
        at = 0
        for row in rows:
            index += [at, len(row)]
            at += words * len(row)
        out = self._out
        entry = out.at(self._rules.code.table(tuple(index)), out.times(cell, number(2)))
        most = max((len(row) for row in rows), default=0)
        least = min((len(row) for row in rows), default=0)
        count = out.load(out.at(entry, number(1)), least, most)
        return out.load(entry, 0, at), count if least < most else number(most)

    # ---- points of a graph

    def points_beside(self, graph: ir.Expr, first: ir.Expr, point: ir.Expr) -> Stretch:
        begin = self._known(first)
        table = graphs.beside(self._known(graph), begin)
        flat = tuple(one for some in table for one in some)
        at, count = self._entry(table, 1, self._index(begin, point))
        where = self._out.at(self._rules.code.table(flat), at)
        high = begin + len(table) - 1
        return Stretch(where, count, lasting=True, low=begin, high=high)

    def points_in_line(
        self, graph: ir.Expr, first: ir.Expr, length: ir.Expr, point: ir.Expr
    ) -> Lines:
        begin, long = self._known(first), self._known(length)
        through = graphs.lines_through(self._known(graph), begin, long)
        return self._point_lines(through, begin, point, max(long, 0))

    def points_on_rays(self, graph: ir.Expr, first: ir.Expr, point: ir.Expr) -> Lines:
        begin = self._known(first)
        return self._point_lines(graphs.rays(self._known(graph), begin), begin, point)

    def _point_lines(
        self,
        lines: tuple[tuple[tuple[int, ...], ...], ...],
        begin: int,
        point: ir.Expr,
        length: int | None = None,
    ) -> Lines:
        """The lines that a table has for a point, as parts of a row of all their points."""
        flat: list[int] = []
        table: list[int] = []
        for of_point in lines:
            for line in of_point:
                table += [len(flat), 1, *([] if length is not None else [len(line)])]
                flat += line
        words = 2 if length is not None else 3
        at, count = self._entry(lines, words, self._index(begin, point))
        where = self._out.at(self._rules.code.table(tuple(table) or (0,)), at)
        row = self._rules.code.table(tuple(flat) or (0,))
        high = begin + len(lines) - 1
        points = Stretch(row, number(len(flat)), lasting=True, low=begin, high=high)
        longest = max((len(line) for of_point in lines for line in of_point), default=0)
        many = Num("", 0, longest) if length is None else number(length)
        return Lines(points, where, count, many, lengths=length is None)

    def _index(self, begin: int, point: ir.Expr) -> Num:
        return self._out.plain("sub", self._number(point), number(begin), 0)

    # ---- in line with a cell

    def rays_from(self, rows: ir.Expr, columns: ir.Expr, tiles: ir.Expr, cell: ir.Expr) -> Lines:
        rays = boards.rays_from(*self._shape(rows, columns, tiles))
        table: list[int] = []
        for of_cell in rays:
            for ray in of_cell:
                step = ray[1] - ray[0] if len(ray) > 1 else 1
                table += [ray[0] if ray else 0, step, len(ray)]
        directions = len(rays[0])
        begin = self._out.times(self._number(cell), number(3 * directions))
        where = self._out.at(self._rules.code.table(tuple(table)), begin)
        longest = max(len(ray) for of_cell in rays for ray in of_cell)
        return Lines(None, where, number(directions), Num("", 0, longest), lengths=True)

    def ray_from(
        self, rows: ir.Expr, columns: ir.Expr, cell: ir.Expr, down: ir.Expr, right: ir.Expr
    ) -> Progression:
        out, (r, c) = self._out, (self._known(rows), self._known(columns))
        at = self._number(cell)
        steps = self._limited(self._number(down), r), self._limited(self._number(right), c)
        places = out.plain("sdiv", at, number(c), 0, r - 1), out.plain("srem", at, number(c), 0)
        count = out.smaller(
            self._steps(places[0], r, steps[0]), self._steps(places[1], c, steps[1])
        )
        by = out.plus(out.times(steps[0], number(c)), steps[1])
        some = out.compare("ne", by, number(0))
        count = out.select(some, count, number(0))
        # places beyond the board are never looked at: there are none of them
        first = out.plain("add", at, by, 0, r * c - 1)
        return Progression(first, Num(count.ref, 0, max(r, c)), by)

    def _limited(self, by: Num, size: int) -> Num:
        """A step that leaves the board is as good as any other that does."""
        out = self._out
        if -size <= by.low and by.high <= size:
            return by
        return out.smaller(out.larger(by, number(-size)), number(size))

    def _steps(self, at: Num, size: int, by: Num) -> Num:
        """How often one can go on by so many before the end."""
        out = self._out

        def forward() -> Num:
            return out.plain("sdiv", out.minus(number(size - 1), at), by, 0, size)

        def back() -> Num:
            return out.plain("sdiv", at, out.minus(number(0), by), 0, size)

        def some() -> Num:
            return out.either(out.compare("sgt", by, number(0)), forward, back)

        return out.either(out.compare("eq", by, number(0)), lambda: number(LIMITS.cells), some)

    # ---- from cell to cell

    def begin_flood(self, name: str, arguments: tuple[ir.Expr, ...]) -> None:
        """name = flood(rows, columns, tiles, in any order)"""
        out, beside = self._out, self._beside_all(*arguments[:3])
        size = len(beside)
        loose = len(arguments) > 3 and size <= BITS
        found = self._floods.get(name)
        if found is None:
            many = size > BITS
            seen = out.slot(size, "i8") if many else out.slot()
            # one place more than there are cells: what was met before is written there in vain
            waiting = out.slot() if loose else out.slot(size + 1, "i16")
            found = Flood(beside, seen, waiting, out.slot(), loose)
            self._floods[name] = found
        if loose:
            out.store(found.waiting, number(0))
        if size > BITS:
            out.clear(found.seen, size)
        else:
            out.store(found.seen, number(0))
        out.store(found.count, number(0))

    def _beside_all(
        self, rows: ir.Expr, columns: ir.Expr, tiles: ir.Expr
    ) -> tuple[tuple[int, ...], ...]:
        if self._known(rows) == 0:
            return graphs.beside(self._known(tiles), 0)
        return boards.cells_beside(*self._shape(rows, columns, tiles))

    def is_flood(self, e: ir.Expr) -> Flood | None:
        """The flood that a name stands for."""
        return self._floods.get(e.name) if isinstance(e, ir.Local) else None

    def flood_of(self, e: ir.Expr) -> Flood:
        found = self.is_flood(e)
        if found is None:
            raise Untranslatable(f"no flood: {e}")
        return found

    def begin_at(self, flood: ir.Expr, cell: ir.Expr) -> Value:
        self._add(self.flood_of(flood), self._number(cell))
        return NoValue()

    def spread(self, flood: ir.Expr, cell: ir.Expr) -> Value:
        found, at = self.flood_of(flood), self._number(cell)
        if found.size > BITS:
            near = self._listed(found.beside, cell)
            self._lists.each(near, lambda value: self._add(found, value))
        else:
            self._spread_bits(found, at)
        return NoValue()

    def _spread_bits(self, flood: Flood, at: Num) -> None:
        """Cells beside one have ascending numbers: so have the bits of those that are new."""
        out = self._out
        masks = tuple(sum(1 << other for other in near) for near in flood.beside)
        near = out.load(out.at(self._rules.code.table(masks), at))
        seen = out.load(flood.seen)
        new = out.plain("and", near, out.inverted(seen))
        out.store(flood.seen, self._or(seen, new))
        if flood.in_any_order:
            out.store(flood.waiting, self._or(out.load(flood.waiting), new))
            return
        left = out.slot()
        out.store(left, new)
        head, inside, done = out.label(), out.label(), out.label()
        out.begin(head)
        bits = out.load(left)
        out.branch(out.is_true(bits), inside, done)
        out.begin(inside)
        place = out.lowest_one(bits, BITS)
        out.store(left, out.without_lowest_one(bits))
        count = out.load(flood.count, 0, flood.size)
        out.store(out.at(flood.waiting, count), place)
        out.store(flood.count, out.plus(count, number(1)))
        out.jump(head)
        out.begin(done)

    def _add(self, flood: Flood, cell: Value) -> None:
        """A cell waits, unless it was met before."""
        out = self._out
        assert isinstance(cell, Num)
        if flood.in_any_order:
            bit, seen = out.plain("shl", number(1), cell), out.load(flood.seen)
            new = out.plain("and", bit, out.inverted(seen))
            out.store(flood.seen, self._or(seen, bit))
            out.store(flood.waiting, self._or(out.load(flood.waiting), new))
            return
        count = out.load(flood.count, 0, flood.size)
        out.store(out.at(flood.waiting, count), cell)
        if flood.size > BITS:
            mark = out.at(flood.seen, cell)
            met = out.load(mark, 0, 1)
            out.store(mark, number(1))
        else:
            seen = out.load(flood.seen)
            met = out.plain("and", out.plain("lshr", seen, cell), number(1), 0, 1)
            bit = out.plain("shl", number(1), cell)
            out.store(flood.seen, self._or(seen, bit))
        more = out.plain("xor", met, number(1), 0, 1)
        out.store(flood.count, out.plus(count, more))

    def each_waiting(self, flood: Flood, visit: Visit) -> None:
        """visit(cell, label behind) for all that wait, also those that are added on the way."""
        out = self._out
        if flood.in_any_order:
            self._each_bit(flood, visit)
            return
        at = out.slot()
        out.store(at, number(0))
        head, inside, end = out.label(), out.label(), out.label()
        out.begin(head)
        k = out.load(at, 0, flood.size)
        more = out.test("slt", k, out.load(flood.count))
        out.branch(more, inside, end)
        out.begin(inside)
        out.store(at, out.plus(k, number(1)))
        visit(out.load(out.at(flood.waiting, k), 0, flood.size - 1), end)
        out.jump(head)
        out.begin(end)

    def _each_bit(self, flood: Flood, visit: Visit) -> None:
        out = self._out
        head, inside, end = out.label(), out.label(), out.label()
        out.begin(head)
        bits = out.load(flood.waiting)
        out.branch(out.is_true(bits), inside, end)
        out.begin(inside)
        cell = out.lowest_one(bits, flood.size - 1)
        out.store(flood.waiting, out.without_lowest_one(bits))
        visit(cell, end)
        out.jump(head)
        out.begin(end)
