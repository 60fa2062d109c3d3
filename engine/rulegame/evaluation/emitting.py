"""Lowers typed expressions to the intermediate representation.

An expression becomes an expression, preceded by statements where it needs loops. Names of a ruleset
get the prefix `v_`: they never clash with names of generated code or of a backend's language.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from rulegame.core import ir
from rulegame.evaluation import calls
from rulegame.language import typed
from rulegame.language.arguments import has_some, is_inside, is_never_zero
from rulegame.language.costs import LISTED, is_open, loops_work, visit_work, work
from rulegame.language.graphs import number_of
from rulegame.language.syntax import Era, Place
from rulegame.language.typed import Typed, Variable
from rulegame.language.types import (
    NONE_CODE,
    Bool,
    Cell,
    Grid,
    Int,
    List,
    Nothing,
    Optional,
    Set,
    Type,
    Word,
    is_bounded,
    is_row,
    known_size,
    points_of,
    product_of,
    range_in,
    size_of,
)
from rulegame.limits import LIMITS

ME: Final = ir.Local("me")
NO_MOVE: Final = ir.ListExpr(())

# Expressions that know where in the ruleset they are.
PLACED: Final = (typed.Element, typed.Arithmetic, typed.Range, typed.Call, typed.Aggregate)


@dataclass(slots=True)
class Sites:
    """Numbers the places where generated code may fail, and the types of values that it prints."""

    places: list[Place] = field(default_factory=list)
    types: list[Type] = field(default_factory=list)

    def add(self, place: Place) -> int:
        """The number of one more place."""
        self.places.append(place)
        return len(self.places) - 1


class Counted(NamedTuple):
    """What is counted of a position: the cell of the earlier ones, and the cells of the values."""

    cell: int
    cells: tuple[range, ...]

    def position(self, state: ir.State) -> list[ir.Expr]:
        """The parts of a position."""
        return [ir.Slice(state, ir.Const(of.start), len(of), view=True) for of in self.cells]


@dataclass(frozen=True, slots=True)
class Layout:
    """Where each value stands in the flat tuple of a state."""

    offsets: Mapping[str, int]
    players: int
    first: int | None  # the cell that holds who moved first
    size: int = 0  # of a state, in cells
    # where earlier positions stand, and their cells, by the values that are counted
    histories: Mapping[tuple[str, ...], Counted] = field(default_factory=dict)

    @property
    def me(self) -> ir.Local:
        """Who moves, as a parameter of functions."""
        return ME.replace().typed(Int(0, self.players - 1))


@dataclass(slots=True)
class Emitter:
    """Writes the code of expressions; statements go to the current block."""

    layout: Layout
    sites: Sites
    states: dict[Era, ir.State] = field(default_factory=lambda: {"now": "s"})
    given: dict[str, Typed] = field(default_factory=dict)  # what names of arguments stand for
    # names of lists that are kept as the numbers of their cells, with the state and its first cell
    placed: dict[str, tuple[ir.State, ir.Expr]] = field(default_factory=dict)
    block: ir.Block = field(default_factory=list)
    strict: bool = False  # the meter is charged for all that takes steps, not only for what is open
    at: Place | None = None  # of the rule that is being written
    me: ir.Expr = ME  # who moves
    move: ir.Expr = NO_MOVE  # the words of the move, for rules that ask what follows it
    fresh: int = 0

    @property
    def players(self) -> int:
        """How many play."""
        return self.layout.players

    def site(self, place: Place) -> int:
        """The number of a place where generated code may fail."""
        return self.sites.add(place)

    def type_number(self, type_: Type) -> int:
        """The number of a type whose values generated code prints."""
        self.sites.types.append(type_)
        return len(self.sites.types) - 1

    def repetitions(self, names: tuple[str, ...], after: bool) -> ir.Expr:
        """How often these values, or the whole position, have been as they are."""
        state, counted = self.states["after" if after else "now"], self.layout.histories[names]
        history = ir.Load(state, ir.Const(counted.cell))
        return ir.call("occurrences", history, *counted.position(state))

    # ---- blocks

    @contextmanager
    def inside(self) -> Iterator[ir.Block]:
        """Statements written inside go to a block of their own."""
        outer, self.block = self.block, []
        try:
            yield self.block
        finally:
            self.block = outer

    def temporary(self) -> str:
        """A new name."""
        self.fresh += 1
        return f"x{self.fresh}"

    def assign(self, name: str, value: ir.Expr) -> None:
        self.block.append(ir.Assign(name, value))

    def keep(self, value: ir.Expr) -> ir.Expr:
        """The value under a name, so that it is evaluated once."""
        if isinstance(value, (ir.Local, ir.Const)):
            return value
        name = self.temporary()
        self.assign(name, value)
        return ir.Local(name).typed(value.type).at(value.source)

    # ---- expressions

    def emit(self, e: Typed) -> ir.Expr:
        """The expression for a typed one, with the statements that it needs."""
        outer, self.block = self.block, []
        code = self._work_out(e)
        block, self.block = self.block, outer
        place: Place | None = e.place if type(e) in PLACED else self.at  # type: ignore[union-attr]
        ir.describe(code, e.type, place)
        if block:
            code = ir.BlockExpr(block, code)
            ir.describe(code, e.type, place)
        return code

    def _work_out(self, e: Typed) -> ir.Expr:
        match e:
            case typed.Constant(type=Set(is_wide=True) as of):  # of which only the empty one is
                return ir.ListExpr((ir.Const(0),) * of.cells)
            case typed.Constant(type=type_, code=code):
                return ir.Const(bool(code)) if isinstance(type_, Bool) else ir.Const(code)
            case typed.TextLiteral(value=text):
                return ir.Const(text)
            case typed.Local():
                return self._local(e)
            case typed.Seat(which=which):
                return self.me.replace() if which == "me" else self._first()
            case typed.Value():
                return self._value(e)
            case typed.BoardName():
                raise AssertionError("a board is never worked out")
            case typed.Element():
                return self._element(e)
            case typed.Arithmetic():
                return self._operation(e)
            case typed.Compare():
                return self._relation(e)
            case typed.Membership():
                return self._membership(e)
            case typed.BoolOp():
                return self._junction(e)
            case typed.Not(operand=operand):
                return ir.invert(self.emit(operand))
            case typed.IfElse():
                return self._conditional(e)
            case typed.Range():  # a tuple, as other lists are: it may be compared with one
                return ir.call("list", self.iterate(e, LISTED))
            case typed.ListLiteral():
                return self.iterate(e, 0)
            case typed.Aggregate(function="list" | "run" | "connected"):
                return self._listed(e)
            case typed.Call():
                return calls.call(self, e)
            case typed.Aggregate():
                return self._aggregate(e)
            case typed.Let(name=name, value=value, body=body):
                self._give(name, value)
                return self.emit(body)

    def _give(self, name: str, value: Typed) -> None:
        """A name for a value; what has one, or is a constant, needs no other."""
        if isinstance(value, (typed.Constant, typed.Local, typed.Seat)):
            self.given[name] = value
        else:
            self.assign(local_name(name), self.emit(value))

    def _local(self, e: typed.Local) -> ir.Expr:
        if e.name in self.given:
            return self.emit(self.given[e.name])
        placed = self._placed(e)
        if placed is None:
            return ir.Local(local_name(e.name))
        state, first, numbers = placed
        return ir.call("cells_at", ir.Array(state), first, numbers)

    def root(self, e: Typed) -> ir.Expr:
        """The code of a whole expression of a rule, charged for if everything is."""
        self.charge_for(e)
        return self.emit(e)

    def charge_for(self, e: Typed) -> None:
        """Charges the meter for a whole expression, if everything is charged for."""
        if self.strict:
            self.charge(work(e, self.strict), self._site(e))

    def charge(self, steps: int, site: int) -> None:
        """Charges the meter for steps that are known beforehand."""
        self.block.append(ir.Do(ir.call("charge", ir.Const(steps), site=site)))

    def _site(self, *parts: Typed) -> int:
        """Where something stands, as far as one of its parts tells."""
        for part in parts:
            for one in typed.every_part(part):
                place = getattr(one, "place", None)
                if place is not None:
                    return self.sites.add(place)
        return -1 if self.at is None else self.sites.add(self.at)

    def stored(self, e: Typed, into: Type, place: Place) -> ir.Expr:
        """The value as it is written into cells of a type: in range, and a plain integer."""
        wanted, found = range_in(into), range_in(e.type)
        if wanted is None or (found and wanted.low <= found.low and found.high <= wanted.high):
            return self._fitted(e, into, place)
        if isinstance(e.type, Nothing):
            return self.emit(e)
        code = self.keep(self._fitted(e, into, place))
        item = ir.Local(self.temporary()) if is_row(e.type) else code
        ends = ir.Const(wanted.low), ir.Const(wanted.high)
        inside = ir.between(ends[0], item, ends[1])
        if isinstance(e.type.of if isinstance(e.type, (List, Grid)) else e.type, Optional):
            is_none = ir.compare(item, "==", ir.Const(NONE_CODE))
            inside = ir.BoolOp("or", (is_none, inside))
        failing = ir.Do(ir.call("unfit", item, *ends, site=self.sites.add(place)))
        check: ir.Block = [ir.If(ir.invert(inside), [failing], [])]
        if is_row(e.type) and isinstance(item, ir.Local):
            check = [ir.For(item.name, code, check)]
        self.block += check
        return code

    def _fitted(self, e: Typed, into: Type, place: Place) -> ir.Expr:
        """The value as it is written, whatever range is declared."""
        if isinstance(e, typed.Constant) and isinstance(e.type, Bool):
            return ir.Const(e.code)
        code = self.emit(e)
        if isinstance(e.type, Bool):
            return ir.Select(code, ir.Const(1), ir.Const(0))
        if isinstance(e.type, Set) and isinstance(into, Set):
            return self._stored_set(code, e.type, into, place)
        if isinstance(e.type, Int) and not is_bounded(e.type):
            code = self.keep(code)
            failing = ir.Do(ir.call("fit", code, site=self.sites.add(place)))
            fitting = ir.between(ir.Const(-LIMITS.integer), code, ir.Const(LIMITS.integer))
            self.block.append(ir.If(ir.invert(fitting), [failing], []))
            return code
        check = None if isinstance(e, typed.Value) else _fitting(e.type)
        return code if check is None else ir.call(check, code, site=self.sites.add(place))

    def _stored_set(self, code: ir.Expr, found: Set, into: Set, place: Place) -> ir.Expr:
        ends = ir.Const(into.low), ir.Const(into.high)
        if found.is_wide and found.high > into.high:
            row = ir.call("wide_fit", code, *ends, site=self.sites.add(place))
            return row if into.is_wide else ir.Item(row, ir.Const(0))
        if found.high > into.high:
            return ir.call("fit_set", code, *ends, site=self.sites.add(place))
        return _widened(code, found, into)

    def kept(self, code: ir.Expr, type_: Type, place: Place) -> ir.Expr:
        """A choice, or what was rolled, as it is written into a cell."""
        if isinstance(type_, Int) and not is_bounded(type_):
            return ir.call("fit", code, site=self.sites.add(place))
        if isinstance(type_, Optional):
            check = _fitting(type_)
            return code if check is None else ir.call(check, code, site=self.sites.add(place))
        return code

    def _first(self) -> ir.Expr:
        assert self.layout.first is not None
        return ir.Load(self.states["now"], ir.Const(self.layout.first))

    def _value(self, e: typed.Value) -> ir.Expr:
        state = self.states[e.era]
        size = size_of(e.variable.type)
        start = self.offset(e.variable, e.owner)
        if e.owner is None and e.variable.each_player:
            if is_row(e.variable.type):
                rows = (ir.add(start, ir.Const(k * size)) for k in range(self.layout.players))
                return ir.ListExpr(tuple(ir.Slice(state, row, size) for row in rows))
            return ir.Slice(state, start, size * self.layout.players)
        if is_row(e.variable.type):
            return ir.Slice(state, start, size)
        return ir.Load(state, start)

    def offset(self, variable: Variable, owner: Typed | None) -> ir.Expr:
        """The first cell of a value."""
        first = self.layout.offsets[variable.name]
        start = ir.Const(first)
        if owner is None:
            return start
        seat = self.emit(owner)
        size = size_of(variable.type)
        last = first + (self.layout.players - 1) * size
        further = seat if size == 1 else ir.multiply(seat, ir.Const(size))
        return ir.add(start, further).typed(Int(first, last))

    def place_of(
        self, variable: Variable, owner: Typed | None, indices: tuple[Typed, ...], place: Place
    ) -> ir.Expr:
        """The cell of an element."""
        return ir.add(
            self.offset(variable, owner), self.displacement(variable.type, indices, place)
        )

    def displacement(self, type_: object, indices: tuple[Typed, ...], place: Place) -> ir.Expr:
        """How far an element is from the first cell; indices count from 1, if nothing else indexes
        a list.
        """
        index = type_.index if isinstance(type_, List) else None
        if isinstance(indices[0].type, Cell):
            return self.emit(indices[0])
        if index is not None and isinstance(index.of, Word):
            return ir.add(self.emit(indices[0]), ir.Const(-index.first))
        if isinstance(type_, Grid):
            row = self._index(indices[0], type_.rows, place)
            column = self._index(indices[1], type_.columns, place)
            inner = ir.add(ir.multiply(row, ir.Const(type_.columns)), column)
            return ir.add(inner, ir.Const(-type_.columns - 1))
        assert isinstance(type_, List) and type_.size is not None
        first = 1 if index is None else index.first
        return ir.add(self._index(indices[0], type_.size, place, first), ir.Const(-first))

    def _index(self, i: Typed, size: int, place: Place, first: int = 1) -> ir.Expr:
        code = self.emit(i)
        assert isinstance(i.type, Int)
        if i.type.low >= first and i.type.high < size + first:
            return code
        site = self.sites.add(place)
        if first == 1:
            return ir.call("index", code, ir.Const(size), site=site)
        code = self.keep(code)
        ends = ir.Const(first), ir.Const(first + size - 1)
        failing = ir.Do(ir.call("outside", code, *ends, site=site))
        self.block.append(ir.If(ir.invert(ir.between(ends[0], code, ends[1])), [failing], []))
        return code

    def _element(self, e: typed.Element) -> ir.Expr:
        base = e.base
        if isinstance(base, typed.Value) and self.states[base.era] != "u":
            state = self.states[base.era]
            if base.owner is None and base.variable.each_player:
                row = List(base.variable.type, self.layout.players)
                start = ir.Const(self.layout.offsets[base.variable.name])
                further = self.displacement(row, e.indices, e.place)
                if is_row(base.variable.type):
                    size = size_of(base.variable.type)
                    begin = ir.add(ir.multiply(further, ir.Const(size)), start)
                    return ir.Slice(state, begin, size)
                return ir.Load(state, ir.add(start, further))
            return ir.Load(state, self.place_of(base.variable, base.owner, e.indices, e.place))
        alone = self._row(e)
        if alone is not None:
            return alone
        placed = self._placed(base)
        if placed is not None:
            state, first, numbers = placed
            at = self._nth(e, numbers)
            return ir.Load(state, ir.add(first, at))
        items = self.emit(base)
        if isinstance(base.type, Grid) or (
            (isinstance(base, typed.Local) or (isinstance(base.type, List) and base.type.index))
            and known_size(base.type) is not None
        ):
            return ir.Item(items, self.displacement(base.type, e.indices, e.place))
        return self._nth(e, items)

    def _nth(self, e: typed.Element, items: ir.Expr) -> ir.Expr:
        """An element of a list that may be short."""
        number, site = self.emit(e.indices[0]), self.sites.add(e.place)
        return ir.call("element", items, number, site=site, sure=is_inside(e.base, e.indices))

    def _row(self, e: typed.Element) -> ir.Expr | None:
        """`rows(grid)[r]`, without the others."""
        match e.base:
            case typed.Call(function="rows", arguments=(typed.Value() as grid,)):
                if self.states[grid.era] == "u":
                    return None
            case _:
                return None
        assert isinstance(grid.type, Grid)
        first, wide = self.offset(grid.variable, grid.owner), grid.type.columns
        row = self._index(e.indices[0], grid.type.rows, e.place)
        start = ir.add(ir.add(first, ir.Const(-wide)), ir.multiply(row, ir.Const(wide)))
        return ir.Slice(self.states[grid.era], self.keep(start), wide)

    def _operation(self, e: typed.Arithmetic) -> ir.Expr:
        operands = [self.emit(o) for o in e.operands]
        if len(operands) == 1:
            return ir.Op("neg", (operands[0],))
        left, right = operands
        a, b = (o.type for o in e.operands)
        assert isinstance(a, Int) and isinstance(b, Int)
        if e.operator == "+":
            return ir.Op("+", (left, right))
        if e.operator == "-":
            return ir.Op("-", (left, right))
        if e.operator == "*":
            if is_bounded(product_of(a, b)):
                return ir.Op("*", (left, right))
            return ir.call("mul", left, right, site=self.sites.add(e.place))
        if a.low >= 0 and b.low > 0:
            return ir.Op("//", (left, right))
        sure = is_never_zero(b)
        return ir.call("div", left, right, site=self.sites.add(e.place), sure=sure)

    def _relation(self, e: typed.Compare) -> ir.Expr:
        widest = _widest(e.operands)
        return ir.Compare(tuple([self._gone_through(o, widest) for o in e.operands]), e.relations)

    def _membership(self, e: typed.Membership) -> ir.Expr:
        collection = e.collection
        element = self.emit(e.element)
        if isinstance(collection, typed.Range):
            if isinstance(element, ir.BlockExpr):  # it is evaluated first
                element = self.keep(element)
            return ir.between(self.emit(collection.low), element, self.emit(collection.high))
        if isinstance(collection.type, Set):
            low_end, high_end = ir.Const(collection.type.low), ir.Const(collection.type.high)
            if collection.type.is_wide:
                return ir.call("wide_contains", self.emit(collection), element, low_end, high_end)
            return ir.call("contains", self.emit(collection), element, low_end)
        return ir.compare(element, "in", self._gone_through(collection))

    def _junction(self, e: typed.BoolOp) -> ir.Expr:
        return ir.BoolOp(e.operator, tuple([self.emit(operand) for operand in e.operands]))

    def _conditional(self, e: typed.IfElse) -> ir.Expr:
        condition, then = self.emit(e.condition), self._as(e.type, e.then)
        return ir.Select(condition, then, self._as(e.type, e.otherwise))

    def _as(self, type_: Type, part: Typed) -> ir.Expr:
        """A part of something whose other parts may be none: a number that does not fit in 64 bits
        could be taken for it; or sets of more cells.
        """
        code = self.emit(part)
        of, found = (t.of if isinstance(t, List) else t for t in (type_, part.type))
        if isinstance(of, Optional) and isinstance(found, Int) and not is_bounded(found):
            check = "fit_all" if isinstance(part.type, List) else "fit"
            return ir.call(check, code, site=self._site(part))
        if isinstance(type_, Set) and isinstance(part.type, Set):
            return _widened(code, part.type, type_)
        return code

    # ---- collections and loops

    def iterate(self, e: Typed, weight: int = 1, place: Place | None = None) -> ir.Expr:
        """A tuple or range of the elements; `weight` is what each of them costs who goes through
        them, 0 if nobody does.
        """
        if isinstance(e, typed.Range):
            low, high = self.emit(e.low), self.emit(e.high)
            if isinstance(e.type, List) and e.type.size is not None:
                return ir.call("range", low, ir.add(high, ir.Const(1)))
            return ir.call(
                "span", low, high, ir.Const(max(1, weight)), site=self.sites.add(e.place)
            )
        if isinstance(e, typed.ListLiteral):
            assert isinstance(e.type, List)
            of = e.type.of
            return ir.ListExpr(tuple([self._as(of, item) for item in e.items]))
        if isinstance(e.type, Set) and e.type.is_wide:
            ends = ir.Const(e.type.low), ir.Const(e.type.high)
            return ir.call("wide_members", self.emit(e), *ends)
        if isinstance(e.type, Set):
            return ir.call("members", self.emit(e), ir.Const(e.type.low))
        if isinstance(e, typed.Call) and e.function == "cells":
            assert isinstance(e.arguments[0].type, Grid)
            return _every_cell(e.arguments[0].type)
        items = self.emit(e)
        if isinstance(e, (typed.Value, typed.Element)):
            items = _viewed(items)
        return self.charged(items, e, weight, place)

    def charged(
        self, items: ir.Expr, e: Typed, weight: int = 1, place: Place | None = None
    ) -> ir.Expr:
        """The elements of a list, charged for what going through them costs."""
        if weight == 0 or not is_open(e.type, self.strict):
            return items
        site = self._site(e) if place is None else self.sites.add(place)
        return ir.call("through", items, ir.Const(weight), site=site)

    def _gone_through(self, e: Typed, widest: Set | None = None) -> ir.Expr:
        """Something that is compared, element by element if it is a list; a set with others, the
        widest of which is that.
        """
        if isinstance(e, typed.Range):
            return self.emit(e)
        if widest is not None and isinstance(e.type, Set):
            return _widened(self.emit(e), e.type, widest)
        return self.charged(self.emit(e), e)

    def _listed(self, e: typed.Aggregate) -> ir.Expr:
        """All that an aggregate goes through, as a tuple."""
        result = self.temporary()
        self.block.append(ir.NewList(result, is_distinct(e)))
        weight = work(e.body, self.strict) + LISTED
        self._going_through(e, lambda: self._append(result, e.body), weight)
        return ir.call("list", ir.Local(result))

    def _going_through(
        self, e: typed.Aggregate, body: Callable[[], None], weight: int, stop: str | None = None
    ) -> None:
        """What `body()` writes, for all that a list is made of."""
        if e.function == "run":
            self._running(e.loops[0], body, weight, stop)
        elif e.function == "connected":
            self._flooding(e, body)
        else:
            self.loops(e.loops, body, weight, stop)

    def _running(
        self, loop: typed.Loop, body: Callable[[], None], weight: int, stop: str | None
    ) -> None:
        """A loop that ends where its condition does not hold."""
        condition = loop.condition
        assert condition is not None

        def one() -> None:
            code = self.emit(condition)
            self.block.append(ir.If(ir.invert(code), [ir.Break()], []))
            body()

        weight += work(condition, self.strict)
        self.loops((loop.replace(condition=None),), one, weight, stop)

    def _flooding(self, e: typed.Aggregate, body: Callable[[], None]) -> None:
        """A loop over cells that are reached, the nearest first; each is asked once."""
        loop, of, flood = e.loops[0], e.loops[0].element, self.temporary()
        condition, order = loop.condition, points_of(e.loops[0].element)
        assert condition is not None
        if order is not None and order.graph is not None:
            graph = ir.Const(number_of(order.graph))
            shape, least = [ir.Const(0), ir.Const(order.size), graph], order.first
        else:
            assert isinstance(of, Cell)
            shape, least = [ir.Const(of.rows), ir.Const(of.columns), ir.Const(of.hexagons)], 0
        self.assign(flood, ir.call("flood", *shape))
        begin = loop.replace(name=f"{loop.name}_at_first", condition=None)

        def add() -> None:
            first = ir.add(self.emit(typed.Local(of, begin.name)), ir.Const(-least))
            self._do("begin_at", ir.Local(flood), first)

        self.loops((begin,), add, 1)
        name = local_name(loop.name)
        reached = ir.Local(self.temporary() if least else name)
        if not least:
            reached = reached.typed(of)
        with self.inside() as block:
            if least:
                self.assign(name, ir.add(reached, ir.Const(least)))
            code = self.emit(condition)
            with self.inside() as chosen:
                body()
                self._do("spread", ir.Local(flood), reached)
            self.block.append(ir.If(code, chosen, []))
        self.block.append(ir.For(reached.name, ir.call("waiting", ir.Local(flood)), block))

    def _do(self, function: str, *arguments: ir.Expr) -> None:
        self.block.append(ir.Do(ir.call(function, *arguments)))

    def _append(self, name: str, e: Typed) -> None:
        value = self.emit(e)
        self.block.append(ir.Append(name, value))

    def loops(
        self,
        loops: tuple[typed.Loop, ...],
        body: Callable[[], None],
        weight: int,
        stop: str | None = None,
    ) -> None:
        """Nested loops around what `body()` writes; with `stop`, they end once that name is true:
        where it becomes so, `body` breaks off the innermost of them.
        """
        if not loops:
            body()
            return
        loop, rest = loops[0], loops[1:]
        target = local_name(loop.name)
        lines, placed = self._lines(loop), self._placed(loop.collection)
        if lines is not None:
            collection = lines
        elif placed is not None:
            target, collection = self.temporary(), placed[2]
        else:
            each = visit_work(loop, loops_work(rest, weight, self.strict), self.strict)
            collection = self.iterate(loop.collection, each, loop.place)
        with self.inside() as block:
            if placed is not None:
                one = ir.Load(placed[0], ir.add(placed[1], ir.Local(target)))
                self.assign(local_name(loop.name), one)
            self._round(loop.condition, lambda: self.loops(rest, body, weight, stop))
            if stop is not None and rest:
                self.block.append(ir.If(ir.Local(stop), [ir.Break()], []))
        self.placed.pop(loop.name, None)
        self.block.append(ir.For(target, collection, block))

    def _lines(self, loop: typed.Loop) -> ir.Expr | None:
        """How lines of a grid are gone through: by the numbers of their cells, which the loop's
        name stands for from here on.
        """
        match loop.collection:
            case typed.Call(function="lines", arguments=(grid, typed.Constant(code=length))):
                if not isinstance(grid, typed.Value) or self.states[grid.era] == "u":
                    return None
            case _:
                return None
        if not isinstance(grid.type, Grid):
            return None
        first = self.keep(self.offset(grid.variable, grid.owner))
        self.placed[loop.name] = self.states[grid.era], first
        shape = [ir.Const(n) for n in (grid.type.rows, grid.type.columns, length)]
        tiles = [ir.Const(True)] if grid.type.hexagons else []
        return ir.call("line_places", *shape, *tiles)

    def _placed(self, e: Typed) -> tuple[ir.State, ir.Expr, ir.Expr] | None:
        """The state, the first cell and the numbers of a list that is kept in that way."""
        while isinstance(e, typed.Local) and e.name in self.given:
            e = self.given[e.name]
        if not isinstance(e, typed.Local) or e.name not in self.placed:
            return None
        return *self.placed[e.name], ir.Local(local_name(e.name)).typed(List(Int()))

    def _round(self, condition: Typed | None, write: Callable[[], None]) -> None:
        """One round of a loop."""
        if condition is None:
            write()
            return
        code = self.emit(condition)
        with self.inside() as chosen:
            write()
        self.block.append(ir.If(code, chosen, []))

    def _aggregate(self, e: typed.Aggregate) -> ir.Expr:
        weight = work(e.body, self.strict)
        result = self.temporary()
        if e.function in ("any", "all"):
            found = self.temporary()
            self.assign(found, ir.Const(False))

            def seek() -> None:
                condition = self.emit(e.body)
                if e.function == "all":
                    condition = ir.invert(condition)
                self.block.append(
                    ir.If(condition, [ir.Assign(found, ir.Const(True)), ir.Break()], [])
                )

            self.loops(e.loops, seek, weight, found)
            return ir.Local(found) if e.function == "any" else ir.invert(ir.Local(found))
        if e.function in ("sum", "count"):
            return self._tally(e)
        unbounded = isinstance(e.body.type, Int) and not is_bounded(e.body.type)
        if e.function not in ("min", "max") or unbounded:  # none could be one of them
            return calls.gathered(self, e, self._listed(e))
        self.assign(result, ir.Const(NONE_CODE))
        better: ir.Relation = "<" if e.function == "min" else ">"

        def compare() -> None:
            value = self.keep(self.emit(e.body))
            unset = ir.compare(ir.Local(result), "==", ir.Const(NONE_CODE))
            test = ir.BoolOp("or", (unset, ir.compare(value, better, ir.Local(result))))
            self.block.append(ir.If(test, [ir.Assign(result, value)], []))

        self.loops(e.loops, compare, weight)
        if not all(loop.condition is None and has_some(loop.collection) for loop in e.loops):
            empty = ir.compare(ir.Local(result), "==", ir.Const(NONE_CODE))
            failing = ir.Do(ir.call("none_left", site=self.sites.add(e.place)))
            self.block.append(ir.If(empty, [failing], []))
        return ir.Local(result)

    def _tally(self, e: typed.Aggregate) -> ir.Expr:
        """A sum, or how many there are."""
        result = self.temporary()
        self.assign(result, ir.Const(0))

        def tally() -> None:
            value = self.emit(e.body)
            one = value if e.function == "sum" else ir.Const(1)
            more: ir.Block = [ir.Assign(result, ir.Op("+", (ir.Local(result), one)))]
            if e.function == "count" and isinstance(e.body.type, Bool):
                more = [ir.If(value, more, [])]
            self.block += more

        self._going_through(e, tally, work(e.body, self.strict))
        return ir.Local(result)


def is_distinct(e: Typed) -> bool:
    """Whether a collection certainly has no element twice: a range, or some of one."""
    match e:
        case typed.Range():
            return True
        case typed.Aggregate(function="list", body=typed.Local(name=name), loops=(loop,)):
            return loop.name == name and is_distinct(loop.collection)
    return False


def _widest(operands: Sequence[Typed]) -> Set | None:
    """Of sets that are compared the one with most cells; None if these are not sets."""
    sets = [operand.type for operand in operands if isinstance(operand.type, Set)]
    return max(sets, key=lambda one: one.cells, default=None)


def _widened(code: ir.Expr, found: Set, into: Set) -> ir.Expr:
    """A set as one with as many cells as another, which are not fewer."""
    if found.cells == into.cells:
        return code
    if not found.is_wide:
        return ir.ListExpr((code, *[ir.Const(0)] * (into.cells - 1)))
    return ir.call("wide_fit", code, ir.Const(into.low), ir.Const(into.high), site=-1)


def _viewed(items: ir.Expr) -> ir.Expr:
    """Cells that are read before the next store."""
    match items:
        case ir.Slice():
            return items.replace(view=True)
        case ir.BlockExpr(body=body, value=value):
            return ir.BlockExpr(body, _viewed(value))
    return items


def _every_cell(grid: Grid) -> ir.Expr:
    return ir.call("range", ir.Const(0), ir.Const(grid.rows * grid.columns))


def local_name(name: str) -> str:
    """The name that a ruleset's local has in generated code."""
    return f"v_{name}"


def _fitting(type_: Type) -> str | None:
    """What checks that a value fits, where it is not a plain number; None: it certainly does."""
    of = type_.of if isinstance(type_, (List, Grid)) else type_
    number = of.of if isinstance(of, Optional) else of
    if not isinstance(number, Int) or is_bounded(number):
        return None
    if of is type_:
        return "fit_or_none"
    return "fit_all" if number is of else "fit_all_or_none"
