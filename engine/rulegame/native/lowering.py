"""Statements and expressions of a small Python to assembly: what the functions of the rules and
the kernels around them have in common.

Numbers live in slots, which LLVM turns into registers; nothing is kept here but their bounds.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from typing import Final, Generic, TypeVar

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

RELATIONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "slt", ast.LtE: "sle", ast.Gt: "sgt", ast.GtE: "sge",
}  # fmt: skip


V = TypeVar("V")


class Untranslatable(Exception):
    """A construct that has no machine code yet: a mistake of the programmer, never of a ruleset."""


class Lowering(Generic[V]):
    """One function on its way from a syntax tree to assembly; `V` is what a value can be."""

    def __init__(self, definition: ast.FunctionDef, assembly: Assembly) -> None:
        self.out = assembly
        self.slots: dict[str, Pointer] = {}
        self.bounds: dict[str, tuple[int, int]] = {}
        self.times = _assignments(definition)
        self._loops: list[tuple[str, str]] = []  # where `continue` and `break` go

    # ---- statements

    def block(self, statements: Iterable[ast.stmt]) -> None:
        for statement in statements:
            if self.out.dead:
                return
            self.statement(statement)

    def statement(self, s: ast.stmt) -> None:
        match s:
            case ast.Assign(targets=[target], value=value):
                self.assign(target, value)
            case ast.AugAssign(target=target, op=op, value=value):
                self.assign(target, ast.BinOp(_loaded(target), op, value))
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                self.assign(target, value)
            case ast.If(test=test, body=body, orelse=orelse):
                self.out.choose(
                    self.truth(test), lambda: self.block(body), lambda: self.block(orelse)
                )
            case ast.For():
                self.loop(s)
            case ast.While(test=test, body=body):
                self._while(test, body)
            case ast.Break():
                self.out.jump(self._loops[-1][1])
            case ast.Continue():
                self.out.jump(self._loops[-1][0])
            case ast.Return(value=value):
                self.leave(value)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                pass
            case ast.Expr(value=value):
                self.perform(value)
            case _:
                raise Untranslatable(ast.dump(s))

    def _while(self, test: ast.expr, body: Sequence[ast.stmt]) -> None:
        head, inside, end = self.out.label(), self.out.label(), self.out.label()
        self.out.begin(head)
        self.out.branch(self.truth(test), inside, end)
        self.out.begin(inside)
        self.in_loop(head, end, lambda: self.block(body))
        self.out.jump(head)
        self.out.begin(end)

    @property
    def is_in_loop(self) -> bool:
        """Whether what is written now may be done several times."""
        return bool(self._loops)

    def in_loop(self, again: str, end: str, body: Callable[[], None]) -> None:
        """Inside, `continue` and `break` go to these labels."""
        self._loops.append((again, end))
        body()
        self._loops.pop()

    def each_number(self, target: ast.expr, first: Num, count: Num, body: list[ast.stmt]) -> None:
        """A loop over numbers that follow one another."""
        end = self.out.label()

        def one(at: Num) -> None:
            # `first + count - 1` is a number, so these sums cannot leave 64 bits.
            high = max(first.low, min(first.high + max(count.high - 1, 0), GREATEST))
            value = Num(self.out.make(f"add nsw i64 {first.ref}, {at.ref}"), first.low, high)
            self.bind_loop(target, value, body)
            self.round(end, body)

        self.out.count_up(count, one, end)
        self.unbind(target)

    def round(self, end: str, body: Sequence[ast.stmt]) -> None:
        """One round of a loop."""
        again = self.out.label()
        self.in_loop(again, end, lambda: self.block(body))
        self.out.begin(again)

    def bind_loop(self, target: ast.expr, value: Num, body: Sequence[ast.stmt]) -> None:
        """Sets the name of a loop; its bounds hold inside, unless something else is assigned."""
        assert isinstance(target, ast.Name)
        self.set_number(target.id, value)
        if target.id not in _assignments(ast.Module(list(body), [])):
            self.bounds[target.id] = value.low, value.high

    def unbind(self, target: ast.expr) -> None:
        """Behind the loop another one may use the same name."""
        if isinstance(target, ast.Name) and self.times.get(target.id, 0) > 1:
            self.bounds[target.id] = LEAST, GREATEST

    # ---- what the two kinds of functions do otherwise

    def assign(self, target: ast.expr, value: ast.expr) -> None:
        raise NotImplementedError

    def loop(self, s: ast.For) -> None:
        raise NotImplementedError

    def leave(self, value: ast.expr | None) -> None:
        raise NotImplementedError

    def perform(self, call: ast.expr) -> None:
        raise NotImplementedError

    def value(self, e: ast.expr) -> V:
        raise NotImplementedError

    # ---- numbers and truths

    def number(self, e: ast.expr) -> Num:
        found = self.value(e)
        if isinstance(found, Bit):
            return self.out.as_bit(found)
        if not isinstance(found, Num):
            raise Untranslatable(f"no number: {ast.unparse(e)}")
        return found

    def truth(self, e: ast.expr) -> Bit:
        found = self.value(e)
        if isinstance(found, Num):
            return self.out.is_true(found)
        if not isinstance(found, Bit):
            raise Untranslatable(f"no truth: {ast.unparse(e)}")
        return found

    def set_number(self, name: str, value: Num) -> None:
        slot = self.slots.get(name)
        if slot is None:
            slot = self.slots[name] = self.out.slot()
        self.out.store(slot, value)
        once = self.times.get(name, 0) == 1
        self.bounds[name] = (value.low, value.high) if once else (LEAST, GREATEST)

    def get_number(self, name: str) -> Num:
        low, high = self.bounds.get(name, (LEAST, GREATEST))
        if low == high:
            return number(low)
        return self.out.load(self.slots[name], low, high)

    def junction(self, e: ast.BoolOp) -> Bit:
        tests = [lambda o=o: self.truth(o) for o in e.values]
        return self.out.lazily(tests, FALSE if isinstance(e.op, ast.And) else TRUE)  # type: ignore[arg-type]

    def comparison(self, e: ast.Compare) -> Bit:
        """`a < b < c`; the third is worked out only if the first two are in order."""
        left = self.value(e.left)
        tests: list[Callable[[], Bit]] = []
        last = [left]

        def test(relation: ast.cmpop, right: ast.expr) -> Bit:
            a, b = last[0], self.value(right)
            last[0] = b
            return self.related(relation, a, b)

        for relation, right in zip(e.ops, e.comparators, strict=True):
            tests.append(lambda r=relation, o=right: test(r, o))  # type: ignore[misc]
        return tests[0]() if len(tests) == 1 else self.out.lazily(tests, FALSE)

    def related(self, relation: ast.cmpop, a: V, b: V) -> Bit:
        raise NotImplementedError

    def plain_number(self, value: V) -> Num:
        if isinstance(value, Bit):
            return self.out.as_bit(value)
        if not isinstance(value, Num):
            raise Untranslatable("a number is needed")
        return value


def _assignments(tree: ast.AST) -> dict[str, int]:
    """How often each name is given a value in the text of a function, parameters included."""
    found: dict[str, int] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.arg):
            found[node.arg] = found.get(node.arg, 0) + 1
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found[node.id] = found.get(node.id, 0) + 1
    return found


def _loaded(target: ast.expr) -> ast.expr:
    if isinstance(target, ast.Name):
        return ast.Name(target.id, ast.Load())
    if isinstance(target, ast.Subscript):
        return ast.Subscript(target.value, target.slice, ast.Load())
    raise Untranslatable(ast.dump(target))
