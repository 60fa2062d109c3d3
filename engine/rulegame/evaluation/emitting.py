"""Typed expressions to Python code, as `ast` nodes: no text of a ruleset ever becomes source code.

An expression becomes a Python expression, preceded by statements where it needs loops. Names of a
ruleset get the prefix `v_`, so that they can never be ours or Python's.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Final, NamedTuple

from rulegame.evaluation.remembering import Memory
from rulegame.language import typed
from rulegame.language.certainty import Charging, is_certain
from rulegame.language.costs import LISTED, LISTS, SHOWN, is_open, loops_work, visit_work, work
from rulegame.language.functions import FUNCTIONS
from rulegame.language.guards import told
from rulegame.language.likeness import Likeness, likeness
from rulegame.language.spans import ends, first_asked
from rulegame.language.syntax import Era, Place
from rulegame.language.trees import Tree, rebuilt
from rulegame.language.typed import Typed, Variable, owner_key
from rulegame.language.types import (
    NONE_CODE,
    Bool,
    Cell,
    Grid,
    Int,
    List,
    Optional,
    Set,
    Text,
    Type,
    is_bounded,
    is_row,
    known_size,
    product_of,
    size_of,
)
from rulegame.limits import LIMITS

FEWEST: Final = 4  # a range in which the last is that much above the first is worth to be narrowed

RELATIONS: Mapping[str, type[ast.cmpop]] = {
    "==": ast.Eq, "!=": ast.NotEq, "<": ast.Lt, "<=": ast.LtE, ">": ast.Gt, ">=": ast.GtE,
}  # fmt: skip


ALGEBRA = ("union", "intersection", "difference")
BY_TILES = ("lines", "neighbours", "around")  # what looks otherwise at hexagons
# What is asked of a cell, and what `runtime` calls it.
OF_CELLS = {
    "row": "", "column": "", "ray": "ray_from", "rays": "rays_from", "lines": "line_places_through",
    "neighbours": "cells_beside", "around": "cells_around",
}  # fmt: skip
LISTING = ("subsets", "sorted", "lowest", "highest")  # functions that go through the first argument


@dataclass(slots=True)
class Sites:
    """Numbers the places where generated code may fail, and the types of values that it prints."""

    places: list[Place] = field(default_factory=list)
    types: list[Type] = field(default_factory=list)

    def add(self, place: Place) -> int:
        """The number of one more place."""
        self.places.append(place)
        return len(self.places) - 1

    def number(self, place: Place) -> ast.expr:
        return constant(self.add(place))


@dataclass(frozen=True, slots=True)
class Layout:
    """Where each value stands in the flat tuple of a state."""

    offsets: Mapping[str, int]
    players: int
    first: int | None  # the cell that holds who moved first


class _Lines(NamedTuple):
    """Lines that are gone through: the numbers of their cells. If there are several cells that they
    touch, one cell after the other, under a name.
    """

    places: ast.expr
    cell: str = ""
    cells: tuple[ast.expr, ...] = ()


@dataclass(slots=True)
class Emitter:
    """Writes the code of expressions; statements go to the current block."""

    layout: Layout
    sites: Sites
    states: dict[Era, str] = field(default_factory=lambda: {"now": "s"})
    # what after.x is, where that is known as an expression
    replaced: Mapping[tuple[str, str], Typed] = field(default_factory=dict)
    read: dict[tuple[str, str], str] = field(default_factory=dict)  # values of `s` under a name
    written: dict[tuple[str, str], str] = field(default_factory=dict)  # and of `t`, just written
    memory: Memory = field(default_factory=Memory)
    given: dict[str, Typed] = field(default_factory=dict)  # what names of arguments stand for
    # what conditions around tell of numbers: the least and the greatest, by what they are like
    told: Mapping[Likeness, tuple[int, int]] = field(default_factory=dict)
    # `lines(…)` of which only those are gone through that touch some cells; by their identity
    touched: Mapping[int, tuple[ast.expr, ...]] = field(default_factory=dict)
    # names of lists that are kept as the numbers of their cells, with the state and its first cell
    placed: dict[str, tuple[str, ast.expr]] = field(default_factory=dict)
    # connected cells of which it makes no difference in which order they come; by their identity
    in_any_order: dict[int, Typed] = field(default_factory=dict)
    block: list[ast.stmt] = field(default_factory=list)
    strict: bool = False  # the meter is charged for all that takes steps, not only for what is open
    metered: bool = True  # or for nothing, since the budget is certain to be enough
    at: Place | None = None  # of the rule that is being written
    fresh: int = 0

    # ---- blocks

    @contextmanager
    def inside(self) -> Iterator[list[ast.stmt]]:
        """Statements written inside go to a block of their own."""
        outer, self.block = self.block, []
        written = self.written
        try:
            yield self.block
        finally:
            self.block = outer
            self.written = {k: n for k, n in written.items() if self.written.get(k) == n}

    @contextmanager
    def knowing(self, *conditions: Typed) -> Iterator[None]:
        """What is written inside is worked out only where the conditions hold."""
        before = self.told
        for condition in conditions:
            self.learn(condition)
        try:
            yield
        finally:
            self.told = before

    def learn(self, condition: Typed) -> None:
        """What is written from here on is worked out only where the condition holds."""
        found: dict[Likeness, tuple[int, int]] = {}
        for number, low, high in told(condition):
            if isinstance(number.type, Int) and not isinstance(number, typed.Constant):
                key = likeness(self._meant(number))
                known = found.get(key) or self.told.get(key)
                least, most = known or (number.type.low, number.type.high)
                low, high = least if low is None else low, most if high is None else high
                found[key] = max(least, low), min(most, high)
        self.told = {**self.told, **found} if found else self.told

    def _meant(self, e: Typed) -> Typed:
        """The expression without names for what has another one."""

        def change(part: Tree) -> Tree | None:
            if isinstance(part, typed.Local) and part.name in self.given:
                return self._meant(self.given[part.name])
            return None

        return rebuilt(e, change) if self.given else e

    def temporary(self) -> str:
        """A new name."""
        self.fresh += 1
        return f"x{self.fresh}"

    def assign(self, name: str, value: ast.expr) -> None:
        self.block.append(ast.Assign([store(name)], value))

    def keep(self, value: ast.expr) -> ast.expr:
        """The value under a name, so that it is evaluated once."""
        if isinstance(value, (ast.Name, ast.Constant)):
            return value
        name = self.temporary()
        self.assign(name, value)
        return load(name)

    # ---- expressions

    def emit(self, e: Typed) -> ast.expr:
        """The Python expression for a typed one; a name, if it is worked out once and kept."""
        kept = self.memory.kept(e, Charging(self.strict, self.metered), self.block)
        if kept is None:
            return self._work_out(e)
        if kept.is_sure:
            if kept.is_new:
                with self.memory.at(kept.depth):
                    self.assign(kept.value, self._work_out(e))
            return load(kept.value)
        with self.inside() as block, self.memory.at(kept.depth):
            self.assign(kept.value, self._work_out(e))
            self.assign(kept.known, constant(True))
        self.block.append(ast.If(ast.UnaryOp(ast.Not(), load(kept.known)), block, []))
        return load(kept.value)

    def sharing(self, roots: Iterable[Typed]) -> AbstractContextManager[None]:
        """Expressions that are written inside work out once what they have in common; nothing may
        change meanwhile.
        """
        return self.memory.sharing(roots, self.block, Charging(self.strict, self.metered))

    def _work_out(self, e: Typed) -> ast.expr:
        match e:
            case typed.Constant(type=Set(is_wide=True) as of):  # of which only the empty one is
                return ast.Tuple([constant(0)] * of.cells, ast.Load())
            case typed.Constant(type=type_, code=code):
                return constant(bool(code)) if isinstance(type_, Bool) else constant(code)
            case typed.Phrase(value=text):
                return ast.Constant(text)
            case typed.Local():
                return self._local(e)
            case typed.Seat(which=which):
                return load("me") if which == "me" else self._first()
            case typed.Value():
                return self._value(e)
            case typed.BoardName():
                raise AssertionError("a board is never worked out")
            case typed.Element():
                return self._element(e)
            case typed.Calculation():
                return self._operation(e)
            case typed.Relation():
                return self._relation(e)
            case typed.Membership():
                return self._membership(e)
            case typed.Junction():
                return self._junction(e)
            case typed.Negation(operand=operand):
                return ast.UnaryOp(ast.Not(), self.emit(operand))
            case typed.Conditional():
                return self._conditional(e)
            case typed.Bounds():  # a tuple, as other lists are: it may be compared with one
                return call("tuple", self.iterate(e, LISTED))
            case typed.Row() | typed.Aggregate(function="list" | "run" | "connected"):
                return self.iterate(e, 0)
            case typed.Apply():
                return self._apply(e)
            case typed.Aggregate():
                return self._aggregate(e)
            case typed.Let(name=name, value=value, body=body):
                self._give(name, value)
                return self.emit(body)

    def _give(self, name: str, value: Typed) -> None:
        """A name for a value; what has one, or is a constant, needs no other."""
        self.memory.bind(name, value)
        if isinstance(value, (typed.Constant, typed.Local, typed.Seat)):
            self.given[name] = value
        else:
            self.assign(local_name(name), self.emit(value))

    def _local(self, e: typed.Local) -> ast.expr:
        if e.name in self.given:
            return self.emit(self.given[e.name])
        placed = self._placed(e)
        if placed is None:
            return load(local_name(e.name))
        state, first, numbers = placed
        return call("cells_at", load(state), first, numbers)

    def root(self, e: Typed) -> ast.expr:
        """The code of a whole expression of a rule, charged for if everything is."""
        self.charge_for(e)
        return self.emit(e)

    def charge_for(self, e: Typed) -> None:
        """Charges the meter for a whole expression, if everything is charged for."""
        if self.strict:
            self.charge(work(e, self.strict), self._site(e))

    def charge(self, steps: int, site: ast.expr) -> None:
        """Charges the meter for steps that are known beforehand."""
        self.block.append(ast.Expr(call("charge", constant(steps), site)))

    def _site(self, *parts: Typed) -> ast.expr:
        """Where something stands, as far as one of its parts tells."""
        for part in parts:
            for one in typed.every_part(part):
                place = getattr(one, "place", None)
                if place is not None:
                    return self.sites.number(place)
        return constant(-1) if self.at is None else self.sites.number(self.at)

    def stored(self, e: Typed, into: Type, place: Place) -> ast.expr:
        """The value as it is written into cells of a type: in range, and a plain integer."""
        if isinstance(e, typed.Constant) and isinstance(e.type, Bool):
            return constant(e.code)
        code = self.emit(e)
        if isinstance(e.type, Bool):
            return ast.IfExp(code, constant(1), constant(0))
        if isinstance(e.type, Set) and isinstance(into, Set):
            return self._stored_set(code, e.type, into, place)
        if isinstance(e.type, Int) and not is_bounded(e.type):
            code = self.keep(code)
            failing = ast.Expr(call("fit", code, self.sites.number(place)))
            limit = constant(LIMITS.integer)
            low = ast.UnaryOp(ast.USub(), limit)
            fitting = ast.Compare(low, [ast.LtE(), ast.LtE()], [code, limit])
            self.block.append(ast.If(ast.UnaryOp(ast.Not(), fitting), [failing], []))
            return code
        check = None if isinstance(e, typed.Value) else _fitting(e.type)
        return code if check is None else call(check, code, self.sites.number(place))

    def _stored_set(self, code: ast.expr, found: Set, into: Set, place: Place) -> ast.expr:
        ends = constant(into.low), constant(into.high)
        if found.is_wide and found.high > into.high:
            row = call("wide_fit", code, *ends, self.sites.number(place))
            return row if into.is_wide else subscript_of(row, constant(0))
        if found.high > into.high:
            return call("fit_set", code, *ends, self.sites.number(place))
        return _widened(code, found, into)

    def kept(self, code: ast.expr, type_: Type, place: Place) -> ast.expr:
        """A choice, or what was rolled, as it is written into a cell."""
        if isinstance(type_, Int) and not is_bounded(type_):
            return call("fit", code, self.sites.number(place))
        if isinstance(type_, Optional):
            check = _fitting(type_)
            return code if check is None else call(check, code, self.sites.number(place))
        return code

    def _first(self) -> ast.expr:
        assert self.layout.first is not None
        return subscript(self.states["now"], constant(self.layout.first))

    def _value(self, e: typed.Value) -> ast.expr:
        if e.era == "after" and self.replaced:
            key = (e.variable.name, owner_key(e.owner))
            if key in self.replaced:
                return self.emit(self.replaced[key])
        state = self.states[e.era]
        size = size_of(e.variable.type)
        named = {"s": self.read, "t": self.written}.get(state)
        if named:
            name = named.get((e.variable.name, owner_key(e.owner)))
            if name is not None and not (e.owner is None and e.variable.each_player):
                return load(name)
        start = self.offset(e.variable, e.owner)
        if e.owner is None and e.variable.each_player:
            if is_row(e.variable.type):
                rows = (add(start, constant(k * size)) for k in range(self.layout.players))
                return ast.Tuple([slice_of(state, row, size) for row in rows], ast.Load())
            return slice_of(state, start, size * self.layout.players)
        if is_row(e.variable.type):
            return slice_of(state, start, size)
        return subscript(state, start)

    def offset(self, variable: Variable, owner: Typed | None) -> ast.expr:
        """The first cell of a value."""
        start = constant(self.layout.offsets[variable.name])
        if owner is None:
            return start
        seat = self.emit(owner)
        size = size_of(variable.type)
        return add(start, seat if size == 1 else times(seat, constant(size)))

    def place_of(
        self, variable: Variable, owner: Typed | None, indices: tuple[Typed, ...], place: Place
    ) -> ast.expr:
        """The cell of an element."""
        return add(self.offset(variable, owner), self._displacement(variable.type, indices, place))

    def _displacement(self, type_: object, indices: tuple[Typed, ...], place: Place) -> ast.expr:
        """How far an element is from the first cell; indices count from 1."""
        if isinstance(indices[0].type, Cell):
            return self.emit(indices[0])
        if isinstance(type_, Grid):
            row = self._index(indices[0], type_.rows, place)
            column = self._index(indices[1], type_.columns, place)
            inner = add(times(row, constant(type_.columns)), column)
            return add(inner, constant(-type_.columns - 1))
        assert isinstance(type_, List) and type_.size is not None
        return add(self._index(indices[0], type_.size, place), constant(-1))

    def _index(self, i: Typed, size: int, place: Place) -> ast.expr:
        code = self.emit(i)
        assert isinstance(i.type, Int)
        if i.type.low >= 1 and i.type.high <= size:
            return code
        if self.told:
            low, high = self.told.get(likeness(self._meant(i)), (0, 0))
            if low >= 1 and high <= size:
                return code
        return call("index", code, constant(size), self.sites.number(place))

    def _element(self, e: typed.Element) -> ast.expr:
        base = e.base
        if isinstance(base, typed.Value) and not (base.era == "after" and self.replaced):
            state = self.states[base.era]
            if base.owner is None and base.variable.each_player:
                row = List(base.variable.type, self.layout.players)
                start = constant(self.layout.offsets[base.variable.name])
                further = self._displacement(row, e.indices, e.place)
                if is_row(base.variable.type):
                    size = size_of(base.variable.type)
                    begin = add(times(further, constant(size)), start)
                    return slice_of(state, begin, size)
                return subscript(state, add(start, further))
            return subscript(state, self.place_of(base.variable, base.owner, e.indices, e.place))
        alone = self._row(e)
        if alone is not None:
            return alone
        placed = self._placed(base)
        if placed is not None:
            state, first, numbers = placed
            at = call("element", numbers, self.emit(e.indices[0]), self.sites.number(e.place))
            return subscript(state, add(first, at))
        items = self.emit(base)
        if isinstance(base.type, Grid) or (
            isinstance(base, typed.Local) and known_size(base.type) is not None
        ):
            return subscript_of(items, self._displacement(base.type, e.indices, e.place))
        return call("element", items, self.emit(e.indices[0]), self.sites.number(e.place))

    def _row(self, e: typed.Element) -> ast.expr | None:
        """`rows(grid)[r]`, without the others."""
        match e.base:
            case typed.Apply(function="rows", arguments=(typed.Value() as grid,)):
                if grid.era == "after" and self.replaced:
                    return None
            case _:
                return None
        assert isinstance(grid.type, Grid)
        first, wide = self.offset(grid.variable, grid.owner), grid.type.columns
        row = self._index(e.indices[0], grid.type.rows, e.place)
        start = add(add(first, constant(-wide)), times(row, constant(wide)))
        if is_certain(e, Charging(self.strict, self.metered)):
            start = self.keep(start)
        return slice_of(self.states[grid.era], start, wide)

    def _operation(self, e: typed.Calculation) -> ast.expr:
        operands = [self.emit(o) for o in e.operands]
        if len(operands) == 1:
            return ast.UnaryOp(ast.USub(), operands[0])
        left, right = operands
        a, b = (o.type for o in e.operands)
        assert isinstance(a, Int) and isinstance(b, Int)
        if e.operator == "+":
            return ast.BinOp(left, ast.Add(), right)
        if e.operator == "-":
            return ast.BinOp(left, ast.Sub(), right)
        if e.operator == "*":
            if is_bounded(product_of(a, b)):
                return ast.BinOp(left, ast.Mult(), right)
            return call("mul", left, right, self.sites.number(e.place))
        if a.low >= 0 and b.low > 0:
            return ast.BinOp(left, ast.FloorDiv(), right)
        return call("div", left, right, self.sites.number(e.place))

    def _relation(self, e: typed.Relation) -> ast.expr:
        relations = [RELATIONS[r]() for r in e.relations]
        match e:
            case typed.Relation(operands=(left, typed.Constant(code=code)), relations=(relation,)):
                enough = code if relation in ("<", ">=") else code + 1
                tally = _counted(left)
                charging = Charging(self.strict, self.metered)
                if tally is not None and enough > 0 and is_certain(tally, charging):
                    return ast.Compare(self._tally(tally, enough), relations, [constant(code)])
        widest = _widest(e.operands)
        codes = [self._gone_through(o, widest) for o in e.operands[:2]]
        with self.memory.pause():  # the others are asked only if it holds so far
            codes += [self._gone_through(o, widest) for o in e.operands[2:]]
        return ast.Compare(codes[0], relations, codes[1:])

    def _membership(self, e: typed.Membership) -> ast.expr:
        collection = e.collection
        element = self.emit(e.element)
        if isinstance(collection, typed.Bounds):
            low = self.emit(collection.low)
            with self.memory.pause():  # it is asked only of what is not below
                high = self.emit(collection.high)
            return ast.Compare(low, [ast.LtE(), ast.LtE()], [element, high])
        if isinstance(collection.type, Set):
            low_end, high_end = constant(collection.type.low), constant(collection.type.high)
            if collection.type.is_wide:
                return call("wide_contains", self.emit(collection), element, low_end, high_end)
            return call("contains", self.emit(collection), element, low_end)
        return ast.Compare(element, [ast.In()], [self._gone_through(collection)])

    def _junction(self, e: typed.Junction) -> ast.expr:
        """Later operands are evaluated only if they matter, with the statements that they need."""
        operator: ast.boolop = ast.And() if e.operator == "and" else ast.Or()
        operands, result = _deciding(e), ""
        done: list[ast.expr] = [self.emit(operands[0])]
        before = self.told
        for earlier, operand in pairwise(operands):
            if e.operator == "and":
                self.learn(earlier)
            with self.inside() as block:
                code = self.emit(operand)
            if not block:
                done.append(code)
                continue
            if not result or len(done) > 1:
                result = self.temporary()
                self.assign(result, done[0] if len(done) == 1 else ast.BoolOp(operator, done))
            test: ast.expr = load(result)
            if e.operator == "or":
                test = ast.UnaryOp(ast.Not(), test)
            block.append(ast.Assign([store(result)], code))
            self.block.append(ast.If(test, block, []))
            done = [load(result)]
        self.told = before
        return done[0] if len(done) == 1 else ast.BoolOp(operator, done)

    def _conditional(self, e: typed.Conditional) -> ast.expr:
        if isinstance(e.condition, typed.Constant):
            return self._as(e.type, e.then if e.condition.code else e.otherwise)
        condition = self.emit(e.condition)
        with self.knowing(e.condition), self.inside() as yes:
            then = self._as(e.type, e.then)
        with self.inside() as no:
            otherwise = self._as(e.type, e.otherwise)
        if not yes and not no:
            return ast.IfExp(condition, then, otherwise)
        result = self.temporary()
        yes.append(ast.Assign([store(result)], then))
        no.append(ast.Assign([store(result)], otherwise))
        self.block.append(ast.If(condition, yes, no))
        return load(result)

    def _as(self, type_: Type, part: Typed) -> ast.expr:
        """A part of something whose other parts may be none: a number that does not fit in 64 bits
        could be taken for it; or sets of more cells.
        """
        code = self.emit(part)
        of, found = (t.of if isinstance(t, List) else t for t in (type_, part.type))
        if isinstance(of, Optional) and isinstance(found, Int) and not is_bounded(found):
            check = "fit_all" if isinstance(part.type, List) else "fit"
            return call(check, code, self._site(part))
        if isinstance(type_, Set) and isinstance(part.type, Set):
            return _widened(code, part.type, type_)
        return code

    # ---- collections and loops

    def iterate(self, e: Typed, weight: int = 1, place: Place | None = None) -> ast.expr:
        """A tuple or range of the elements; `weight` is what each of them costs who goes through
        them, 0 if nobody does.
        """
        if isinstance(e, typed.Bounds):
            low, high = self.emit(e.low), self.emit(e.high)
            if not self.metered or (isinstance(e.type, List) and e.type.size is not None):
                return call("range", low, add(high, constant(1)))
            return call("span", low, high, constant(max(1, weight)), self.sites.number(e.place))
        if isinstance(e, typed.Row):
            assert isinstance(e.type, List)
            return ast.Tuple([self._as(e.type.of, item) for item in e.items], ast.Load())
        if isinstance(e.type, Set) and e.type.is_wide:
            ends = constant(e.type.low), constant(e.type.high)
            return call("wide_members", self.emit(e), *ends)
        if isinstance(e.type, Set):
            return call("members", self.emit(e), constant(e.type.low))
        if isinstance(e, typed.Apply) and e.function == "cells":
            assert isinstance(e.arguments[0].type, Grid)
            return _every_cell(e.arguments[0].type)
        listed = isinstance(e, typed.Aggregate) and e.function in LISTS
        items = self._listed(e) if isinstance(e, typed.Aggregate) and listed else self.emit(e)
        if isinstance(e, (typed.Value, typed.Element)):
            items = _uncopied(items)
        return self._charged(items, e, weight, place)

    def _charged(
        self, items: ast.expr, e: Typed, weight: int = 1, place: Place | None = None
    ) -> ast.expr:
        """The elements of a list, charged for what going through them costs."""
        if weight == 0 or not is_open(e.type, self.strict):
            return items
        site = self._site(e) if place is None else self.sites.number(place)
        return call("through", items, constant(weight), site)

    def _gone_through(self, e: Typed, widest: Set | None = None) -> ast.expr:
        """Something that is compared, element by element if it is a list; a set with others, the
        widest of which is that.
        """
        if isinstance(e, typed.Bounds):
            return self.emit(e)
        if widest is not None and isinstance(e.type, Set):
            return _widened(self.emit(e), e.type, widest)
        return self._charged(self.emit(e), e)

    def _listed(self, e: typed.Aggregate) -> ast.expr:
        """All that an aggregate goes through, as a tuple."""
        result = self.temporary()
        self.assign(result, ast.List([], ast.Load()))
        weight = work(e.body, self.strict) + LISTED
        self._going_through(e, lambda: self._append(result, self.emit(e.body)), weight)
        return call("tuple", load(result))

    def _going_through(
        self,
        e: typed.Aggregate,
        body: Callable[[], None],
        weight: int,
        stop: str | None = None,
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
            self.block.append(ast.If(ast.UnaryOp(ast.Not(), code), [ast.Break()], []))
            with self.knowing(condition):
                body()

        weight += work(condition, self.strict)
        self.loops((loop.replace(condition=None),), one, weight, stop)

    def _flooding(self, e: typed.Aggregate, body: Callable[[], None]) -> None:
        """A loop over cells that are reached, the nearest first; each is asked once."""
        loop, of, flood = e.loops[0], e.loops[0].element, self.temporary()
        condition = loop.condition
        assert isinstance(of, Cell) and condition is not None
        shape = [constant(of.rows), constant(of.columns), constant(of.hexagons)]
        if id(e) in self.in_any_order:
            shape.append(constant(True))
        self.assign(flood, call("flood", *shape))
        begin = loop.replace(name=f"{loop.name}_at_first", condition=None)
        first = typed.Local(of, begin.name)
        adding = lambda: self._do("begin_at", load(flood), self.emit(first))  # noqa: E731
        self.loops((begin,), adding, 1)
        with self.memory.loop(self.block), self.inside() as block:
            self.memory.bind(loop.name)
            code = self.emit(condition)
            with self.knowing(condition), self.inside() as chosen:
                body()
                self._do("spread", load(flood), load(local_name(loop.name)))
            self.block.append(ast.If(code, chosen, []))
        reached = call("waiting", load(flood))
        self.block.append(ast.For(store(local_name(loop.name)), reached, block, []))

    def _do(self, function: str, *arguments: ast.expr) -> None:
        self.block.append(ast.Expr(call(function, *arguments)))

    def _append(self, name: str, value: ast.expr) -> None:
        method = ast.Attribute(load(name), "append", ast.Load())
        self.block.append(ast.Expr(ast.Call(method, [value], [])))

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
        if self._is_made_on_the_way(loop.collection):
            self._unlisted(loop, rest, body, weight, stop)
            return
        target = local_name(loop.name)
        lines, placed = self._lines(loop), self._placed(loop.collection)
        if lines is not None:
            collection = lines.places
        elif placed is not None:
            target, collection = self.temporary(), placed[2]
        else:
            each = visit_work(loop, loops_work(rest, weight, self.strict), self.strict)
            asked = [] if loop.condition is None else [loop.condition]
            narrower = self.narrower(loop.collection, loop.name, asked)
            collection = narrower or self.iterate(loop.collection, each, loop.place)
        with self.memory.loop(self.block), self.inside() as block:
            self.memory.bind(loop.name)
            if placed is not None:
                one = subscript(placed[0], add(placed[1], load(target)))
                self.assign(local_name(loop.name), one)
            self._round(loop.condition, lambda: self.loops(rest, body, weight, stop))
            if stop is not None and rest:
                self.block.append(ast.If(load(stop), [ast.Break()], []))
        self.placed.pop(loop.name, None)
        going: ast.stmt = ast.For(store(target), collection, block, [])
        if lines is not None and lines.cells:
            ended: list[ast.stmt] = [] if stop is None else [ast.If(load(stop), [ast.Break()], [])]
            cells = ast.Tuple(list(lines.cells), ast.Load())
            going = ast.For(store(lines.cell), cells, [going, *ended], [])
        self.block.append(going)

    def _is_made_on_the_way(self, e: Typed) -> bool:
        """Whether a list need not be made to go through it: nobody can tell the difference."""
        if not isinstance(e, typed.Aggregate) or e.function not in LISTS:
            return False
        return is_certain(e, Charging(self.strict, self.metered))

    def _unlisted(
        self,
        loop: typed.Loop,
        rest: tuple[typed.Loop, ...],
        body: Callable[[], None],
        weight: int,
        stop: str | None,
    ) -> None:
        """A loop over a list that is made on the way."""
        made = loop.collection
        assert isinstance(made, typed.Aggregate)

        def one() -> None:
            self._give(loop.name, made.body)
            self._round(loop.condition, lambda: self.loops(rest, body, weight, stop))
            if stop is not None and rest:
                self.block.append(ast.If(load(stop), [ast.Break()], []))

        self._going_through(made, one, weight, stop)

    def _lines(self, loop: typed.Loop) -> _Lines | None:
        """How lines of a grid are gone through: by the numbers of their cells, which the loop's
        name stands for from here on.
        """
        match loop.collection:
            case typed.Apply(function="lines", arguments=(grid, typed.Constant(code=length))):
                if not isinstance(grid, typed.Value) or (grid.era == "after" and self.replaced):
                    return None
            case _:
                return None
        if not isinstance(grid.type, Grid):
            return None
        first = self.keep(self.offset(grid.variable, grid.owner))
        self.placed[loop.name] = self.states[grid.era], first
        shape = [constant(n) for n in (grid.type.rows, grid.type.columns, length)]
        tiles = [constant(True)] if grid.type.hexagons else []
        cells = self.touched.get(id(loop.collection))
        if cells is None:
            return _Lines(call("line_places", *shape, *tiles))
        name = self.temporary()
        touched = ast.BinOp(load(name) if len(cells) > 1 else cells[0], ast.Sub(), first)
        through = call("line_places_through", *shape, touched, *tiles)
        return _Lines(through, name, cells if len(cells) > 1 else ())

    def _placed(self, e: Typed) -> tuple[str, ast.expr, ast.expr] | None:
        """The state, the first cell and the numbers of a list that is kept in that way."""
        while isinstance(e, typed.Local) and e.name in self.given:
            e = self.given[e.name]
        if not isinstance(e, typed.Local) or e.name not in self.placed:
            return None
        return *self.placed[e.name], load(local_name(e.name))

    def narrower(self, e: Typed, name: str, asked: Sequence[Typed]) -> ast.expr | None:
        """The part of a range in which conditions can hold that are asked first of each number, if
        they are certain and tell of one.
        """
        match e:
            case typed.Bounds(low=typed.Constant(code=low), high=typed.Constant(code=high)):
                pass
            case _:
                return None
        limits: dict[str, list[ast.expr]] = {"low": [], "high": []}
        charging = Charging(self.strict, self.metered)
        for condition in asked if high - low >= FEWEST else ():
            if not is_certain(first_asked(condition), charging):
                break
            worked_out: dict[Typed, ast.expr] = {}
            for end, limit in ends(condition, name):
                if limit not in worked_out:
                    worked_out[limit] = self.keep(self.emit(limit))
                limits[end].append(worked_out[limit])
            if not is_certain(condition, charging):
                break
        if not limits["low"] and not limits["high"]:
            return None
        least = call("max", constant(low), *limits["low"]) if limits["low"] else constant(low)
        most = call("min", constant(high), *limits["high"]) if limits["high"] else constant(high)
        return call("range", least, add(most, constant(1)))

    def _round(self, condition: Typed | None, write: Callable[[], None]) -> None:
        """One round of a loop."""
        if condition is None:
            write()
            return
        code = self.emit(condition)
        with self.knowing(condition), self.inside() as chosen:
            write()
        self.block.append(ast.If(code, chosen, []))

    def _forget_order(self, e: typed.Aggregate) -> None:
        """What is asked of cells one by one, and cannot fail, may be asked in any order."""
        if is_certain(e, Charging(self.strict, self.metered)):
            self.in_any_order.update((id(loop.collection), loop.collection) for loop in e.loops)

    def _aggregate(self, e: typed.Aggregate) -> ast.expr:
        self._forget_order(e)
        weight = work(e.body, self.strict)
        result = self.temporary()
        if e.function in ("any", "all"):
            found = self.temporary()
            self.assign(found, constant(False))

            def seek() -> None:
                condition = self.emit(e.body)
                if e.function == "all":
                    condition = ast.UnaryOp(ast.Not(), condition)
                self.block.append(
                    ast.If(condition, [ast.Assign([store(found)], constant(True)), ast.Break()], [])
                )

            self.loops(e.loops, seek, weight, stop=found)
            return load(found) if e.function == "any" else ast.UnaryOp(ast.Not(), load(found))
        if e.function in ("sum", "count"):
            return self._tally(e)
        if isinstance(e.body.type, Int) and not is_bounded(
            e.body.type
        ):  # none could be one of them
            return call(f"f_{e.function}", self._listed(e), self.sites.number(e.place))
        self.assign(result, constant(NONE_CODE))
        better: ast.cmpop = ast.Lt() if e.function == "min" else ast.Gt()

        def compare() -> None:
            value = self.keep(self.emit(e.body))
            unset = ast.Compare(load(result), [ast.Eq()], [constant(NONE_CODE)])
            test = ast.BoolOp(ast.Or(), [unset, ast.Compare(value, [better], [load(result)])])
            self.block.append(ast.If(test, [ast.Assign([store(result)], value)], []))

        self.loops(e.loops, compare, weight)
        empty = ast.Compare(load(result), [ast.Eq()], [constant(NONE_CODE)])
        failing = ast.Expr(call("none_left", self.sites.number(e.place)))
        self.block.append(ast.If(empty, [failing], []))
        return load(result)

    def _tally(self, e: typed.Aggregate, enough: int | None = None) -> ast.expr:
        """A sum, or how many there are; if so many are enough, no more are looked for."""
        result, stop = self.temporary(), None
        self.assign(result, constant(0))
        if enough is not None:
            stop = self.temporary()
            self.assign(stop, constant(False))

        def tally() -> None:
            value = self.emit(e.body)
            one = value if e.function == "sum" else constant(1)
            more: list[ast.stmt] = [ast.AugAssign(store(result), ast.Add(), one)]
            if stop is not None and enough is not None:
                reached = ast.Compare(load(result), [ast.GtE()], [constant(enough)])
                ending = [ast.Assign([store(stop)], constant(True)), ast.Break()]
                more.append(ast.If(reached, ending, []))
            if e.function == "count" and isinstance(e.body.type, Bool):
                more = [ast.If(value, more, [])]
            self.block += more

        self._going_through(e, tally, work(e.body, self.strict), stop)
        return load(result)

    # ---- functions

    def _apply(self, e: typed.Apply) -> ast.expr:
        name, arguments = e.function, e.arguments
        special = self._apply_to_cell(e) or self._apply_directly(e)
        if special is not None:
            return special
        if name in ALGEBRA:
            return self._united(e)
        function = FUNCTIONS[name]
        codes: list[ast.expr] = []
        if function.shape:
            grid = arguments[0].type
            assert isinstance(grid, Grid)
            codes += [constant(grid.rows), constant(grid.columns)]
        if function.text:
            codes += [self._as_text(a) for a in arguments]
        else:
            unseen = name == "inside" and isinstance(arguments[0], typed.Value)
            codes += [ast.Tuple([], ast.Load())] if unseen else []  # the shape tells
            codes += [
                self.iterate(a) if name in LISTING and a is arguments[0] else self.emit(a)
                for a in arguments[int(unseen) :]
            ]
        if function.low:
            of = e.type.of if isinstance(e.type, List) else e.type
            assert isinstance(of, Set)
            codes += [constant(of.low), constant(of.high)]
        if isinstance(arguments[0].type, Grid) and arguments[0].type.hexagons and (
            name in BY_TILES
        ):  # fmt: skip
            codes.append(constant(True))
        if function.fails:
            codes.append(self.sites.number(e.place))
        if isinstance(e.type, Set) and e.type.is_wide:
            return call(f"wide_{name}", *codes)
        any_size = name == "subsets" and len(arguments) == 1
        return call("f_all_subsets" if any_size else f"f_{name}", *codes)

    def _united(self, e: typed.Apply) -> ast.expr:
        """A set and others that are joined to it, taken out of it, or had in common with it."""
        assert isinstance(e.type, Set)
        ends, all_of = (constant(e.type.low), constant(e.type.high)), e.function == "union"
        wide = e.type.is_wide
        result = self.emit(e.arguments[0])
        for other in e.arguments[1:]:
            type_ = other.type
            alike = isinstance(type_, Set) and type_.cells == e.type.cells
            if isinstance(type_, Set) and type_.low == e.type.low and alike:
                bits = self.emit(other)
            else:
                packing = "pack_all" if all_of else "pack_some"
                site = (self.sites.number(e.place),) if all_of else ()
                items = self.iterate(other)
                bits = call(f"wide_{packing}" if wide else packing, items, *ends, *site)
            checks = (*ends, self.sites.number(e.place)) if all_of else ends if wide else ()
            result = call(f"{'wide' if wide else 'f'}_{e.function}", result, bits, *checks)
        return result

    def _apply_to_cell(self, e: typed.Apply) -> ast.expr | None:
        """What is asked of a cell or a board, or None."""
        name, of = e.function, e.arguments[0].type
        if isinstance(of, Grid) and name == "cells":
            return call("tuple", _every_cell(of))
        if isinstance(of, Grid) and name == "cell":
            return self._displacement(of, e.arguments[1:], e.place)
        if not isinstance(of, Cell) or name not in OF_CELLS:
            return None
        cell, *others = [self.emit(argument) for argument in e.arguments]
        if name in ("row", "column"):
            divide = ast.FloorDiv() if name == "row" else ast.Mod()
            return add(ast.BinOp(cell, divide, constant(of.columns)), constant(1))
        shape = [constant(of.rows), constant(of.columns)]
        if name == "ray":
            return call("ray_from", *shape, cell, *others)
        tiles = constant(of.hexagons)
        if name == "lines":
            return call("line_places_through", *shape, *others, cell, tiles)
        return call(OF_CELLS[name], *shape, tiles, cell)

    def _apply_directly(self, e: typed.Apply) -> ast.expr | None:
        """What Python says in one expression; None if it takes a function of ours."""
        name, arguments, players = e.function, e.arguments, self.layout.players
        one = arguments[0]
        if name == "name":
            return subscript_of(load("names"), self.emit(one))
        if name in ("next", "previous"):
            seat = self.emit(one)
            if players == 2:
                return ast.BinOp(constant(1), ast.Sub(), seat)
            shifted = add(seat, constant(1 if name == "next" else players - 1))
            return ast.BinOp(shifted, ast.Mod(), constant(players))
        if name == "seat":
            return add(self.emit(one), constant(1))
        if name == "abs":
            return call("abs", self.emit(one))
        if name in ("min", "max") and len(arguments) > 1:
            return call(name, *(self.emit(a) for a in arguments))
        if name in ("min", "max"):
            return call(f"f_{name}", self.iterate(one, 1, e.place), self.sites.number(e.place))
        if name in ("any", "all", "sum"):
            return call(name, self.iterate(one, 1, e.place))
        if name == "list":
            return call("tuple", self.iterate(one, LISTED, e.place))
        if name == "size" and self._is_made_on_the_way(one):
            assert isinstance(one, typed.Aggregate)
            self.in_any_order[id(one)] = one
            return self._tally(one)
        if name == "size":
            if isinstance(one.type, Set) and one.type.is_wide:
                ends = constant(one.type.low), constant(one.type.high)
                return call("wide_size", self.emit(one), *ends)
            if isinstance(one.type, Set):
                return ast.Call(ast.Attribute(self.emit(one), "bit_count", ast.Load()), [], [])
            return call("len", self.iterate(one, 0))
        return None

    def _as_text(self, e: Typed) -> ast.expr:
        """An argument of a text function: text, a number, or a list of texts."""
        if isinstance(e.type, (Text, Int)):
            return self.emit(e)
        self.sites.types.append(e.type)
        items = self._charged(self.emit(e), e, SHOWN)
        return call("texts_of", items, constant(len(self.sites.types) - 1), load("names"))


def _counted(e: Typed) -> typed.Aggregate | None:
    """What is counted, or summed up and cannot become less on the way."""
    match e:
        case typed.Aggregate(function="count"):
            return e
        case typed.Aggregate(function="sum", body=body):
            return e if isinstance(body.type, Int) and body.type.low >= 0 else None
        case typed.Apply(function="size", arguments=(typed.Aggregate(function="list") as listed,)):
            return listed
    return None


def _widest(operands: Sequence[Typed]) -> Set | None:
    """Of sets that are compared the one with most cells; None if these are not sets."""
    sets = [operand.type for operand in operands if isinstance(operand.type, Set)]
    return max(sets, key=lambda one: one.cells, default=None)


def _widened(code: ast.expr, found: Set, into: Set) -> ast.expr:
    """A set as one with as many cells as another, which are not fewer."""
    if found.cells == into.cells:
        return code
    if not found.is_wide:
        return ast.Tuple([code, *[constant(0)] * (into.cells - 1)], ast.Load())
    return call("wide_fit", code, constant(into.low), constant(into.high), constant(-1))


def _every_cell(grid: Grid) -> ast.expr:
    return call("range", constant(0), constant(grid.rows * grid.columns))


def _uncopied(items: ast.expr) -> ast.expr:
    """Cells in a row that are only gone through need not be a tuple."""
    match items:
        case ast.Call(func=ast.Name(id="tuple"), args=[ast.Subscript() as part]):
            return part
    return items


def _deciding(e: typed.Junction) -> list[Typed]:
    """The operands that matter: not those that are certain, nor any that cannot be asked."""
    found: list[Typed] = []
    for operand in e.operands:
        certain = _certain_truth(operand)
        if certain is None:
            found.append(operand)
        elif certain == (e.operator == "or"):
            return [*found, typed.Constant(Bool(), int(certain))]
    return found or [typed.Constant(Bool(), int(e.operator == "and"))]


def _certain_truth(e: Typed) -> bool | None:
    match e:
        case typed.Constant(code=code):
            return bool(code)
        case typed.Membership(
            element=typed.Local(type=Int() as found) | typed.Constant(type=Int() as found),
            collection=typed.Bounds(low=typed.Constant(code=low), high=typed.Constant(code=high)),
        ) if low <= found.low and found.high <= high:
            return True
    return None


def local_name(name: str) -> str:
    """The name that a ruleset's local has in generated code."""
    return f"v_{name}"


def constant(value: int | bool) -> ast.expr:
    return ast.Constant(value)


def load(name: str) -> ast.expr:
    return ast.Name(name, ast.Load())


def store(name: str) -> ast.Name:
    return ast.Name(name, ast.Store())


def call(function: str, *arguments: ast.expr) -> ast.expr:
    return ast.Call(load(function), list(arguments), [])


def subscript(name: str, at: ast.expr) -> ast.expr:
    return ast.Subscript(load(name), at, ast.Load())


def subscript_of(items: ast.expr, at: ast.expr) -> ast.expr:
    return ast.Subscript(items, at, ast.Load())


def slice_of(state: str, start: ast.expr, size: int) -> ast.expr:
    """Some cells in a row; always a tuple, also of a state that is still being written."""
    part = ast.Subscript(load(state), ast.Slice(start, add(start, constant(size))), ast.Load())
    return part if state == "s" else call("tuple", part)


def add(left: ast.expr, right: ast.expr) -> ast.expr:
    """The sum, worked out now as far as it is known."""
    if isinstance(left, ast.Constant) and isinstance(left.value, int):
        if isinstance(right, ast.Constant) and isinstance(right.value, int):
            return ast.Constant(left.value + right.value)
        if left.value == 0:
            return right
        left, right = right, left
    if isinstance(right, ast.Constant) and isinstance(right.value, int):
        if right.value == 0:
            return left
        if (
            isinstance(left, ast.BinOp)
            and isinstance(left.op, ast.Add)
            and isinstance(left.right, ast.Constant)
            and isinstance(left.right.value, int)
        ):
            return add(left.left, ast.Constant(left.right.value + right.value))
    return ast.BinOp(left, ast.Add(), right)


def times(left: ast.expr, right: ast.expr) -> ast.expr:
    return ast.BinOp(left, ast.Mult(), right)


def _fitting(type_: Type) -> str | None:
    """What checks that a value fits, where it is not a plain number; None: it certainly does."""
    of = type_.of if isinstance(type_, (List, Grid)) else type_
    number = of.of if isinstance(of, Optional) else of
    if not isinstance(number, Int) or is_bounded(number):
        return None
    if of is type_:
        return "fit_or_none"
    return "fit_all" if number is of else "fit_all_or_none"
