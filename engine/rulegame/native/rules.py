"""Lowers the functions of a compiled ruleset to assembly.

A function gets the context, the cells of a state (`s`), and where to write what comes of it. It
returns 0 (or how many options there are), or a negative number if Python is to be asked, which it
is wherever the rules fail: so faults have one wording, and numbers beyond 64 bits are exact.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Final

from rulegame.core import SEATS, SITES, ir
from rulegame.core.ir import Role
from rulegame.language.types import Type
from rulegame.native.assembly import (
    APART,
    COPIED,
    FALSE,
    GREATEST,
    LEAST,
    TRUE,
    Assembly,
    Bit,
    Num,
    Pointer,
    number,
    table_text,
)
from rulegame.native.boards import Flood
from rulegame.native.context import DIFFERENT, MOST_OPTIONS, STAMP, STAMPS, Reason
from rulegame.native.functions import Functions, method_of
from rulegame.native.listing import CONTEXT, GrowingList, ListWriter
from rulegame.native.lowering import RELATIONS, Lowering, Untranslatable
from rulegame.native.rows import (
    Bits,
    Items,
    Lines,
    Listed,
    NoValue,
    Progression,
    Stretch,
    Value,
    depth_of,
)

TRYING: Final = (Role.MOVES, Role.MUST)  # they look at the state after a move
POINT: Final = 1  # the cell of a state that says where the game waits
LARGE: Final = 100_000  # letters of a function


@dataclass(slots=True)
class RuleCode:
    """What comes of the functions of a program: assembly, and tables that it reads."""

    module: ir.Module
    stride: int  # words of an option: the operation's number and the choices
    functions: list[str] = field(default_factory=list)
    tables: dict[tuple[int, ...], str] = field(default_factory=dict)

    def table(self, values: tuple[int, ...]) -> Pointer:
        """Constant numbers in a row."""
        name = self.tables.setdefault(values, f"@table{len(self.tables)}")
        return Pointer(name)

    @property
    def constants(self) -> list[str]:
        return [table_text(name, [*map(int, values)]) for values, name in self.tables.items()]


def rule_code(module: ir.Module, stride: int) -> RuleCode:
    """All functions of a module; an option has `stride` words."""
    code = RuleCode(module, stride)
    bounds = {
        cell: (value.low, value.high)
        for value in module.values
        for cell in value.cells
        if value.low is not None and value.high is not None
    }
    for function in module.functions.values():
        code.functions.append(RuleLowering(function, code, bounds).text())
    found = module.functions.get("allowed_0") or module.functions["moves_0"]
    asked = found.replace(name="moves_any")
    code.functions.append(RuleLowering(asked, code, bounds, first_only=True).text())
    return code


def _frees(function: ir.Function) -> bool:
    """Whether all moves are gone through to see whether a player is stuck."""
    returns = (node for node in ir.walk(function) if isinstance(node, ir.ReturnMoves))
    return any(node.condition is not None for node in returns)


class RuleLowering(Lowering[Value]):
    """One function of the rules."""

    def __init__(
        self,
        function: ir.Function,
        code: RuleCode,
        bounds: dict[int, tuple[int, int]],
        first_only: bool = False,
    ) -> None:
        """`first_only`: of the options of a state, it matters only whether there is one. The first
        is enough then, unless which of them frees a player matters; nothing is written.
        """
        self.code = code
        self._first_only = first_only
        self._leaves_early = first_only and not _frees(function)
        self.function = function
        self.players = code.module.players
        self.size = code.module.size
        self._cells = bounds
        self._role = function.role
        self._numbers = [one for one in function.parameters if one.name not in ("s", "m", "t")]
        assembly = Assembly(function.name, self._signature())
        super().__init__((one.name for one in function.parameters), function.body, assembly)
        self.lists = ListWriter(self.out)
        self.functions = Functions(self)
        self.named: dict[str, Listed] = {}
        self.growing: dict[str, GrowingList] = {}
        self.pending: dict[bool, GrowingList] = {}  # deferred writes; True: of all players
        self._pairs: dict[str, tuple[Pointer, Pointer, int]] = {}  # lists under several names
        self.after: Pointer | None = None  # cells of another state
        self._options: Pointer | None = None  # how many there are so far

    def _signature(self) -> list[tuple[str, str]]:
        shared = {
            Role.MOVES: ["s", "out"],
            Role.PLAY: ["s", "m", "t"],
            Role.EVENTS: ["s", "out", "weights"],
            Role.STUCK: ["s", "t"],
            Role.GATE: ["s", "t"],
            Role.OVER: ["t"],
            Role.AFTER: ["s", "t"],
            Role.MUST: ["s"],
        }[self._role]
        given = [("ptr noalias", f"%{name}") for name in ["c", *shared]]
        return given + [("i64", f"%a_{one.name}") for one in self._numbers]

    def text(self) -> str:
        """The function."""
        for one in self._numbers:
            self.set_number(one.name, _within(Num(f"%a_{one.name}"), one.type))
        self.block(self.function.body)
        if not self.out.dead:
            self.out.leave(number(0))
        found = self.out.text(COPIED)
        return found if len(found) < LARGE else found.replace(COPIED, APART, 1)

    # ---- statements

    def statement(self, s: ir.Stmt) -> None:
        match s:
            case ir.If(test=test, then=[ir.Offer() as offer], otherwise=[]) if self._counts(offer):
                self._add_option(self._words_of(offer), self.truth(test))
            case ir.Attempt():
                self._attempt(s)
            case ir.Offer():
                self._add_option(self._words_of(s))
            case ir.CopyState():
                self._copy_state()
            case ir.Store(offset=offset, value=value):
                found = self.number(value)
                self.out.store(self.out.at(Pointer("%t"), self.number(offset)), found)
            case ir.StoreSlice():
                self._store_slice(s)
            case ir.NewList(name=name, distinct=distinct):
                if name not in self.growing:
                    self.growing[name] = GrowingList(self.out, different=distinct)
                self.lists.start(self.growing[name])
            case ir.Append(name=name, value=value):
                item = self.value(value)
                item = self.out.as_bit(item) if isinstance(item, Bit) else item
                self.lists.append(self.growing[name], item)
            case ir.NewOffers():
                self._begin_options()
            case ir.OfferAll(function=function):
                self._begin_options()
                shared = CONTEXT, Pointer("%s"), Pointer("%out")
                assert self._options is not None
                self.out.store(self._options, self._asked(self.out.call(function, *shared)))
            case ir.Compel():
                self._compel(s)
            case _:
                self._deferred(s)

    def _deferred(self, s: ir.Stmt) -> None:
        """Writes that are carried out together, and results."""
        match s:
            case ir.NewWrites(joint=joint):
                if joint not in self.pending:
                    self.pending[joint] = GrowingList(self.out)
                self.lists.start(self.pending[joint])
            case ir.Defer(offset=offset, value=value):
                where = self.number(offset)
                self.lists.append(self.pending[False], where, self.number(value))
            case ir.DeferJoint(value=value):
                where = self.number(ir.joint_key(s))
                self.lists.append(self.pending[True], where, self.number(value))
            case ir.Commit():
                self._write_together()
            case ir.CommitJoint():
                self._write_of_all()
            case ir.ReturnState():
                self.out.leave(number(0))
            case ir.ReturnMoves(condition=condition):
                self._leave_options(condition)
            case ir.ReturnOperations(operations=operations):
                self._leave_operations(operations)
            case ir.ReturnEvents(values=values, weights=weights):
                self._leave_events(values, weights)
            case _:
                super().statement(s)

    def assign(self, name: str, value: ir.Expr) -> None:
        match value:
            case ir.Call(function="flood", arguments=shape):
                self.functions.begin_flood(name, shape)
                return
        found = self.value(value)
        if isinstance(found, Bit):
            found = self.out.as_bit(found)
        if isinstance(found, Num):
            self.named.pop(name, None)
            self.set_number(name, found)
        elif isinstance(found, NoValue):
            raise Untranslatable(repr(value))
        else:
            self._name_list(name, found)

    def _begin_options(self) -> None:
        self._options = self.out.slot()
        self.out.store(self._options, number(0))

    def _asked(self, found: Num) -> Num:
        """What another function has found, unless it has bailed out."""
        self.out.pass_on_if(self.out.compare("slt", found, number(0)), found)
        return found

    def _compel(self, s: ir.Compel) -> None:
        """Keep the compulsory moves, if there are any, in place and in order."""
        out = self.out
        assert self._options is not None
        count = out.load(self._options, 0, MOST_OPTIONS)
        given = [self.number(one) for one in s.arguments]
        passed = out.slot()
        out.store(passed, number(0))

        def filtered() -> None:
            marks = self.lists.heap(count)
            out.count_up(count, lambda k: self._test(s, given, k, out.at(marks, k), passed))
            out.choose(out.is_true(out.load(passed)), lambda: self._keep(count, marks), _nothing)

        out.choose(out.compare("sgt", count, number(1)), filtered, _nothing)

    def _test(self, s: ir.Compel, given: list[Num], k: Num, mark: Pointer, passed: Pointer) -> None:
        """Mark a move with 0 if it fails its test, otherwise with 1."""
        out = self.out
        row = out.at(Pointer("%out"), out.times(k, number(self.code.stride)))
        out.store(mark, number(1))
        operation = out.load(row)
        for name, function in zip(s.operations, s.functions, strict=True):
            of = self.code.module.operations[name]

            def test(function: str = function, choices: int = of.choices) -> None:
                chosen = [out.load(out.at(row, number(c + 1))) for c in range(choices)]
                found = out.call(function, CONTEXT, Pointer("%s"), *given, *chosen)
                holds = self._asked(found)
                out.store(mark, holds)
                out.choose(out.is_true(holds), lambda: out.store(passed, number(1)), _nothing)

            out.choose(out.compare("eq", operation, number(of.number)), test, _nothing)

    def _keep(self, count: Num, marks: Pointer) -> None:
        """Only the marked moves."""
        out, stride = self.out, self.code.stride
        assert self._options is not None
        options = self._options
        out.store(options, number(0))

        def one(k: Num) -> None:
            kept = out.load(options, 0, MOST_OPTIONS)
            source = out.at(Pointer("%out"), out.times(k, number(stride)))
            into = out.at(Pointer("%out"), out.times(kept, number(stride)))
            for word in range(stride):
                out.store(out.at(into, number(word)), out.load(out.at(source, number(word))))
            out.store(options, out.plus(kept, out.load(out.at(marks, k), 0, 1)))

        out.count_up(count, one)

    def _next_mover(self, words: ir.Expr) -> Num:
        """Who is to move after a move, if there is a move then; otherwise -1."""
        out = self.out
        assert isinstance(words, ir.ListExpr)
        given = [self.number(one) for one in words.items]
        move, after, mover = out.slot(self.code.stride), out.slot(self.size), out.slot()
        for k, word in enumerate(given):
            out.store(out.at(move, number(k)), word)
        self._asked(out.call("play_0", CONTEXT, Pointer("%s"), move, after))
        out.store(mover, number(-1))

        def when_at(cells: Pointer, point: int, then: Callable[[], None]) -> None:
            waits = out.load(out.at(cells, number(POINT)))
            out.choose(out.compare("eq", waits, number(point)), then, _nothing)

        def look(cells: Pointer) -> None:
            def ask() -> None:
                found = self._asked(out.call("moves_any", CONTEXT, cells, move))
                out.store(mover, out.select(out.is_true(found), out.load(cells), number(-1)))

            when_at(cells, 0, ask)

        def begin(gate: str) -> None:
            begun = out.slot(self.size)
            self._asked(out.call(gate, CONTEXT, after, begun))
            look(begun)

        look(after)
        gates = (one.name for one in self.code.module.functions.values() if one.role is Role.GATE)
        for gate in gates:  # a turn begins
            when_at(after, int(gate.removeprefix("gate_")), partial(begin, gate))
        return out.load(mover, -1, self.players - 1)

    def _copy_state(self) -> None:
        """t = list(s)"""
        self.out.copy(Pointer("%t"), Pointer("%s"), number(8 * self.size))

    def _attempt(self, s: ir.Attempt) -> None:
        """The state after a move, unless that divides by zero."""
        if self.after is None:
            self.after = self.out.slot(self.size)
        arguments = [self.number(one) for one in s.arguments]
        shared = CONTEXT, Pointer("%s"), self.after
        status = self.out.call(f"after_{s.operation}", *shared, *arguments)
        zero = self.out.compare("eq", status, number(Reason.DIVISION.status))
        failed = self.out.compare("slt", status, number(0))
        self.out.pass_on_if(self.out.but_not(failed, zero), status)
        made = self.out.negated(zero)
        match s.body:
            case [ir.Offer() as offer] if self._counts(offer):
                self._add_option(self._words_of(offer), made)
            case body:
                self.out.choose(made, lambda: self.block(body), _nothing)

    def _name_list(self, name: str, found: Listed) -> None:
        if isinstance(found, Stretch) and found.fleeting:
            found = self.lists.in_memory(found, lasting=True)
        elif isinstance(found, Lines) and found.cells is not None and found.cells.fleeting:
            found = replace(found, cells=self.lists.in_memory(found.cells, lasting=True))
        elif isinstance(found, Items) and depth_of(found) > 0:
            found = self.lists.in_memory(found, lasting=True)
        if self.times.get(name, 0) == 1:
            self.named[name] = found
            return
        row = self.lists.in_memory(found)
        slots = self._pairs.get(name)
        if slots is None:
            slots = self._pairs[name] = self.out.slot(), self.out.slot(), depth_of(found)
        address, count, depth = slots
        self._pairs[name] = address, count, max(depth, depth_of(found))
        self.out.store(address, self.out.as_number(row.base))
        self.out.store(count, row.count)
        self.slots.pop(name, None)

    def _store_slice(self, s: ir.StoreSlice) -> None:
        items = self.value(s.value)
        assert isinstance(items, (Progression, Stretch, Lines, Items, Bits))
        row = Stretch(self.out.at(Pointer("%t"), self.number(s.start)), self.lists.length(items))
        if isinstance(items, (Items, Bits)):
            items = self.lists.in_memory(items)
        self.out.count_up(items.count, lambda k: self.lists.put(row, k, self.lists.at(items, k)))

    def loop(self, s: ir.For) -> None:
        match s.collection:
            case ir.Call(function="waiting", arguments=(flood,)):
                self._loop_over_flood(s, self.functions.flood_of(flood))
                return
        items = self._row_of(s.collection)
        assert isinstance(items, (Progression, Stretch, Lines, Items, Bits)), s.collection
        if isinstance(items, Progression) and items.step.known == 1:
            self.each_number(s.name, items.first, items.count, s.body)
            return
        name, end = s.name, self.out.label()

        def one(value: Value) -> None:
            if isinstance(value, Bit):
                value = self.out.as_bit(value)
            if isinstance(value, Num):
                self.bind_loop(s.name, value, s.body)
            else:
                assert isinstance(value, (Progression, Stretch, Lines, Items, Bits))
                self.named[name] = value
            self.round(end, s.body)

        self.lists.each(items, one, end)
        self.named.pop(name, None)
        self.unbind(s.name)

    def _row_of(self, collection: ir.Expr) -> Value:
        """A list to go through; a table if its elements are constants."""
        found, values = self.value(collection), ir.constants_of(collection)
        if not isinstance(found, Items) or values is None or len(values) < 2:
            return found
        row = self.code.table(tuple(values))
        return Stretch(row, number(len(values)), low=min(values), high=max(values))

    def _loop_over_flood(self, s: ir.For, flood: Flood) -> None:
        """for v in waiting(flood)"""

        def visit(cell: Num, end: str) -> None:
            self.bind_loop(s.name, cell, s.body)
            self.round(end, s.body)

        self.functions.each_waiting(flood, visit)
        self.unbind(s.name)

    def _counts(self, offer: ir.Offer) -> bool:
        """Whether an offer under a condition is written in any case, and counted if it holds:
        nothing is worked out for it that might fail.
        """
        if self._first_only or not self.is_in_loop:
            return False
        return all(isinstance(one, (ir.Local, ir.Const)) for one in offer.choices)

    def _words_of(self, offer: ir.Offer) -> list[Num]:
        operation = number(self.code.module.operations[offer.operation].number)
        return [operation, *(self.number(one) for one in offer.choices)]

    def _add_option(self, words: list[Num], counts: Bit = TRUE) -> None:
        """One more option, if it `counts`: what does not count is written, too, and then written
        over. Which moves of many are valid no processor can foresee, so none is jumped over.
        """
        out = self.out
        if self._leaves_early:
            out.leave(number(1))
            return
        assert self._options is not None
        if self._first_only:
            out.store(self._options, number(1))
            return
        count = out.load(self._options, 0, MOST_OPTIONS)
        out.bail_out_if(out.compare("sge", count, number(MOST_OPTIONS)), Reason.MOVES)
        place = out.at(Pointer("%out"), out.times(count, number(self.code.stride)))
        words = words + [number(0)] * (self.code.stride - len(words))
        for k, word in enumerate(words):
            out.store(out.at(place, number(k)), word)
        out.store(self._options, out.plus(count, out.as_bit(counts)))

    def _write_together(self) -> None:
        """Carries out effects at once; two to the same cell contradict each other."""
        out = self.out
        row = self.lists.grown(self.pending[False])
        stamp = out.plus(out.load(out.at(CONTEXT, number(STAMP)), 0, 2**60), number(1))
        out.store(out.at(CONTEXT, number(STAMP)), stamp)
        stamps = out.as_pointer(out.load(out.at(CONTEXT, number(STAMPS))))

        def pair(k: Num) -> tuple[Num, Num]:
            place = out.at(row.base, out.times(k, number(2)))
            return out.load(place), out.load(out.at(place, number(1)))

        def check(k: Num) -> None:
            place = out.at(stamps, pair(k)[0])
            out.bail_out_if(out.compare("eq", out.load(place), stamp))
            out.store(place, stamp)

        def write(k: Num) -> None:
            where, value = pair(k)
            out.store(out.at(Pointer("%t"), where), value)

        out.count_up(row.count, check)
        out.count_up(row.count, write)

    def _write_of_all(self) -> None:
        """Carries out what players do at once; two of them to the same cell contradict each
        other.
        """
        out = self.out
        row = self.lists.grown(self.pending[True])
        begin = out.plus(out.load(out.at(CONTEXT, number(STAMP)), 0, 2**60), number(1))
        out.store(out.at(CONTEXT, number(STAMP)), out.plus(begin, number(SEATS)))
        stamps = out.as_pointer(out.load(out.at(CONTEXT, number(STAMPS))))

        def write(k: Num) -> None:
            pair = out.at(row.base, out.times(k, number(2)))
            inside = out.plain("srem", out.load(pair), number(SITES), 0, SITES - 1)
            where = out.plain("sdiv", inside, number(SEATS), 0, SITES)
            own = out.plus(begin, out.plain("srem", inside, number(SEATS), 0, SEATS - 1))
            place = out.at(stamps, where)
            last = out.load(place)
            other = out.compare("ne", last, own)
            out.choose(other, lambda: out.bail_out_if(out.compare("sge", last, begin)), _nothing)
            out.store(place, own)
            out.store(out.at(Pointer("%t"), where), out.load(out.at(pair, number(1))))

        out.count_up(row.count, write)

    def leave(self, value: ir.Expr) -> None:
        if self._role is Role.MUST:
            self.out.leave(self.out.as_bit(self.truth(value)))
            return
        if self._role is Role.OVER:
            assert isinstance(value, ir.Const)
            self.out.leave(number(1 if value.value else 0))
            return
        assert isinstance(value, ir.ListExpr)
        for k, one in enumerate([self.number(item) for item in value.items]):
            self.out.store(self.out.at(Pointer("%t"), number(k)), one)
        self.out.leave(number(0))

    def _leave_options(self, condition: ir.Expr | None) -> None:
        assert self._options is not None
        count = self.out.load(self._options)
        if condition is not None:
            count = self.out.select(self.truth(condition), count, number(0))
        self.out.leave(count)

    def _leave_operations(self, operations: tuple[str, ...]) -> None:
        if not operations:
            self.out.leave(number(0))
            return
        self._begin_options()
        assert self._options is not None
        for name in operations:
            self._add_option([number(self.code.module.operations[name].number)])
        self.out.leave(self.out.load(self._options))

    def _leave_events(self, rolled: ir.Expr, weights: ir.Expr | None) -> None:
        """What can be rolled, and how the chances are: weights of 1 where nothing else is said."""
        values = self.value(rolled)
        assert isinstance(values, (Progression, Stretch, Lines, Items, Bits))
        count = self.lists.length(values)
        self.out.bail_out_if(self.out.compare("sge", count, number(MOST_OPTIONS)))
        different = isinstance(values, Stretch) and values.different
        certain = number(int(different or isinstance(values, (Progression, Bits))))
        self.out.store(self.lists.context(DIFFERENT), certain)
        where, shares = Pointer("%out"), Pointer("%weights")
        weighed = None if weights is None else self.value(weights)
        at = self.out.slot()
        self.out.store(at, number(0))

        def one(event: Value) -> None:
            k = self.out.load(at, 0, MOST_OPTIONS)
            event = self.out.as_bit(event) if isinstance(event, Bit) else event
            assert isinstance(event, Num)
            place = self.out.times(k, number(self.code.stride))
            self.out.store(self.out.at(where, place), number(0))
            self.out.store(self.out.at(where, self.out.plus(place, number(1))), event)
            for pad in range(2, self.code.stride):
                self.out.store(self.out.at(where, self.out.plus(place, number(pad))), number(0))
            share: Value = number(1)
            if weighed is not None:
                assert isinstance(weighed, (Progression, Stretch))
                share = self.lists.at(weighed, k)
            assert isinstance(share, Num)
            self.out.store(self.out.at(shares, k), share)
            self.out.store(at, self.out.plus(k, number(1)))

        self.lists.each(values, one)
        self.out.leave(count)

    # ---- expressions

    def value(self, e: ir.Expr) -> Value:
        match e:
            case ir.Const(value=bool() as truth):
                return TRUE if truth else FALSE
            case ir.Const(value=int() as digits):
                return number(digits)
            case ir.Local(name=name):
                found = self._by_name(name)
                return _within(found, e.type) if isinstance(found, Num) else found
            case ir.Op():
                return self._operation_of(e.operator, e.operands)
            case ir.BoolOp():
                return self.junction(e)
            case ir.Compare():
                return self.comparison(e)
            case ir.Select(test=test, then=yes, otherwise=no):
                return self._conditional(self.truth(test), yes, no)
            case ir.ListExpr(items=items):
                return _written_out(tuple(self.value(item) for item in items))
            case ir.Load(state=state, offset=offset):
                return self._load(state, self.number(offset))
            case ir.Slice():
                return self._slice(e)
            case ir.Item():
                return self._item(e)
            case ir.Call(function="over", arguments=(_, me)):
                given = CONTEXT, Pointer("%t"), self.number(me)
                return self._over(self.out.call("over", *given))
            case ir.Call(function="next_mover", arguments=(_, words)):
                return self._next_mover(words)
            case ir.Call(function=function, arguments=arguments) if method_of(function) is not None:
                return self.functions.call(function, arguments)
        raise Untranslatable(repr(e))

    def _over(self, found: Num) -> Bit:
        return self.out.is_true(self._asked(found))

    def _by_name(self, name: str) -> Value:
        if name in self.named:
            return self.named[name]
        if name in self._pairs:
            address, count, depth = self._pairs[name]
            base = self.out.as_pointer(self.out.load(address))
            return Stretch(base, self.out.load(count, 0, 2**40), depth=depth)
        if name in self.growing:
            return self.lists.grown(self.growing[name])
        if name in self.slots:
            return self.get_number(name)
        raise Untranslatable(f"the name {name} in {self.function.name}")

    def _operation_of(self, operator: ir.Operator, operands: tuple[ir.Expr, ...]) -> Value:
        if operator == "not":
            return self.out.negated(self.truth(operands[0]))
        if operator == "neg":
            return self.out.minus(number(0), self.number(operands[0]))
        if operator == "popcount":
            return self.out.count_ones(self.number(operands[0]))
        a, b = (self.number(one) for one in operands)
        match operator:
            case "+":
                return self.out.plus(a, b)
            case "-":
                return self.out.minus(a, b)
            case "*":
                return self.out.times(a, b)
            case "//":  # of what is known to be 0 or more, by more
                return self.out.plain("sdiv", a, b, 0, max(a.high, 0))
            case "%":
                return self.out.plain("srem", a, b, 0, max(b.high - 1, 0))
        raise Untranslatable(operator)

    def _conditional(self, test: Bit, yes: ir.Expr, no: ir.Expr) -> Value:
        if test in (TRUE, FALSE):
            return self.value(yes if test == TRUE else no)
        slots = self.out.slot(), self.out.slot()
        found: list[Value] = []

        def keep(e: ir.Expr) -> Callable[[], None]:
            def make() -> None:
                value = self.value(e)
                if isinstance(value, Bit):
                    value = self.out.as_bit(value)
                found.append(value)
                if isinstance(value, Num):
                    self.out.store(slots[0], value)
                    return
                assert isinstance(value, (Progression, Stretch, Lines, Items, Bits))
                row = self.lists.in_memory(value, lasting=True)
                self.out.store(slots[0], self.out.as_number(row.base))
                self.out.store(slots[1], row.count)

            return make

        self.out.choose(test, keep(yes), keep(no))
        numbers = [value for value in found if isinstance(value, Num)]
        if numbers:
            low, high = min(v.low for v in numbers), max(v.high for v in numbers)
            return self.out.load(slots[0], low, high)
        base = self.out.as_pointer(self.out.load(slots[0]))
        count, depth = self.out.load(slots[1], 0, 2**40), max(map(depth_of, found))
        return Stretch(base, count, depth=depth, lasting=True)

    def related(self, relation: ir.Relation, a: Value, b: Value) -> Bit:
        if relation == "in":
            assert isinstance(b, (Progression, Stretch, Lines, Items, Bits))
            return self.lists.among(a, b)
        if isinstance(a, (Num, Bit)) and isinstance(b, (Num, Bit)):
            left, right = self.plain_number(a), self.plain_number(b)
            return self.out.compare(RELATIONS[relation], left, right)
        same = self.lists.equal(a, b)
        return same if relation == "==" else self.out.negated(same)

    def _load(self, state: ir.State, index: Num) -> Num:
        low, high = LEAST, GREATEST
        if state != "m" and index.known is not None:
            low, high = self._known_cell(index.known)
        return self.out.load(self.out.at(self._state(state), index), low, high)

    def _item(self, e: ir.Item) -> Value:
        items = self.value(e.items)
        assert isinstance(items, (Progression, Stretch, Lines, Items, Bits)), e
        index = self.number(e.index)
        if isinstance(items, Items) and index.known is not None:
            return items.values[index.known]
        return self.lists.at(items, index)

    def cells_from(self, name: str, first: Num, count: Num, step: Num) -> Stretch:
        """Cells of a state, one step after the other."""
        return Stretch(
            self.out.at(self._state(name), first),
            count,
            step,
            lasting=name == "s",
            fleeting=name == "t" and self._role not in TRYING,
        )

    def _state(self, name: str) -> Pointer:
        """Where the cells of a state are."""
        if name == "t" and self._role in TRYING:
            assert self.after is not None
            return self.after
        return Pointer(f"%{name}")

    def _known_cell(self, cell: int) -> tuple[int, int]:
        return self._cells.get(cell, (LEAST, GREATEST))

    def _slice(self, e: ir.Slice) -> Stretch:
        cells, name, size = self._state(e.state), e.state, e.size
        first = self.number(e.start)
        known = {self._known_cell(k) for k in range(first.known, first.known + size)} if (
            first.known is not None
        ) else {(LEAST, GREATEST)}  # fmt: skip
        low, high = min((a for a, _ in known), default=0), max((b for _, b in known), default=0)
        return Stretch(
            self.out.at(cells, first),
            number(size),
            lasting=name == "s",
            fleeting=name == "t" and self._role not in TRYING,
            low=low,
            high=high,
        )


def _within(value: Num, type_: Type | None) -> Num:
    """A number with the bounds of its type, too."""
    least, most = ir.bounds_of(type_)
    low, high = max(least, value.low), min(most, value.high)
    return value if value.known is not None or low > high else Num(value.ref, low, high)


def _nothing() -> None:
    """Where there is nothing to do."""


def _written_out(values: tuple[Value, ...]) -> Listed:
    """A list that is written out; numbers that follow one another need not be."""
    if len(values) > 1 and all(isinstance(value, Num) for value in values):
        known = [value.known for value in values if isinstance(value, Num)]
        first = known[0]
        if first is not None and known == list(range(first, first + len(known))):
            return Progression(number(first), number(len(known)))
    return Items(values)
