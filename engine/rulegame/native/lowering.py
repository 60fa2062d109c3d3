"""Lowers statements and expressions to assembly: the parts that functions of the rules and the
kernels around them have in common.

Numbers live in slots, which LLVM turns into registers; nothing is kept here but their bounds.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final, Generic, TypeVar

from rulegame.core import ir
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

RELATIONS: Final = {
    "==": "eq", "!=": "ne", "<": "slt", "<=": "sle", ">": "sgt", ">=": "sge",
}  # fmt: skip


V = TypeVar("V")


class Untranslatable(Exception):
    """A construct that has no machine code yet: a mistake of the programmer, never of a ruleset."""


class Lowering(Generic[V]):
    """One function on its way to assembly; `V` is the type of its values."""

    def __init__(self, parameters: Iterable[str], body: ir.Block, assembly: Assembly) -> None:
        self.out = assembly
        self.slots: dict[str, Pointer] = {}
        self.bounds: dict[str, tuple[int, int]] = {}
        self.times = assignments(body)  # how often each name is set
        self.times.update(parameters)
        self._loops: list[tuple[str, str]] = []  # where `continue` and `break` go

    # ---- statements

    def block(self, statements: Iterable[ir.Stmt]) -> None:
        for statement in statements:
            if self.out.dead:
                return
            self.statement(statement)

    def statement(self, s: ir.Stmt) -> None:
        match s:
            case ir.Assign(name=name, value=value):
                self.assign(name, value)
            case ir.If(test=test, then=then, otherwise=otherwise):
                self.out.choose(
                    self.truth(test), lambda: self.block(then), lambda: self.block(otherwise)
                )
            case ir.For():
                self.loop(s)
            case ir.Break():
                self.out.jump(self._loops[-1][1])
            case ir.Return(value=value):
                self.leave(value)
            case ir.Do(call=call):
                self.value(call)
            case _:
                raise Untranslatable(repr(s))

    def again(self) -> None:
        """Begin the next round of the innermost loop."""
        self.out.jump(self._loops[-1][0])

    @property
    def is_in_loop(self) -> bool:
        """Whether what is written now may be done several times."""
        return bool(self._loops)

    def in_loop(self, again: str, end: str, body: Callable[[], None]) -> None:
        """Inside, `continue` and `break` go to these labels."""
        self._loops.append((again, end))
        body()
        self._loops.pop()

    def each_number(self, name: str, first: Num, count: Num, body: ir.Block) -> None:
        """A loop over numbers that follow one another."""
        end = self.out.label()

        def one(at: Num) -> None:
            # `first + count - 1` is a number, so these sums cannot leave 64 bits.
            high = max(first.low, min(first.high + max(count.high - 1, 0), GREATEST))
            value = self.out.plain("add nsw", first, at, first.low, high)
            self.bind_loop(name, value, body)
            self.round(end, body)

        self.out.count_up(count, one, end)
        self.unbind(name)

    def round(self, end: str, body: ir.Block) -> None:
        """One round of a loop."""
        again = self.out.label()
        self.in_loop(again, end, lambda: self.block(body))
        self.out.begin(again)

    def bind_loop(self, name: str, value: Num, body: ir.Block) -> None:
        """Sets the name of a loop; its bounds hold inside, unless something else is assigned."""
        self.set_number(name, value)
        if name not in assignments(body):
            self.bounds[name] = value.low, value.high

    def unbind(self, name: str) -> None:
        """Behind the loop another one may use the same name."""
        if self.times[name] > 1:
            self.bounds[name] = LEAST, GREATEST

    # ---- where the two kinds of functions differ

    def assign(self, name: str, value: ir.Expr) -> None:
        raise NotImplementedError

    def loop(self, s: ir.For) -> None:
        raise NotImplementedError

    def leave(self, value: ir.Expr) -> None:
        raise NotImplementedError

    def value(self, e: ir.Expr) -> V:
        raise NotImplementedError

    # ---- numbers and truths

    def number(self, e: ir.Expr) -> Num:
        found = self.value(e)
        if isinstance(found, Bit):
            return self.out.as_bit(found)
        if not isinstance(found, Num):
            raise Untranslatable(f"no number: {e}")
        return found

    def truth(self, e: ir.Expr) -> Bit:
        found = self.value(e)
        if isinstance(found, Num):
            return self.out.is_true(found)
        if not isinstance(found, Bit):
            raise Untranslatable(f"no truth: {e}")
        return found

    def set_number(self, name: str, value: Num) -> None:
        slot = self.slots.get(name)
        if slot is None:
            slot = self.slots[name] = self.out.slot()
        self.out.store(slot, value)
        once = self.times[name] == 1
        self.bounds[name] = (value.low, value.high) if once else (LEAST, GREATEST)

    def get_number(self, name: str) -> Num:
        low, high = self.bounds.get(name, (LEAST, GREATEST))
        if low == high:
            return number(low)
        return self.out.load(self.slots[name], low, high)

    def junction(self, e: ir.BoolOp) -> Bit:
        tests = [lambda o=o: self.truth(o) for o in e.operands]
        return self.out.lazily(tests, FALSE if e.operator == "and" else TRUE)  # type: ignore[arg-type]

    def comparison(self, e: ir.Compare) -> Bit:
        """`a < b < c`; the third is worked out only if the first two are in order."""
        left = self.value(e.operands[0])
        tests: list[Callable[[], Bit]] = []
        last = [left]

        def test(relation: ir.Relation, right: ir.Expr) -> Bit:
            a, b = last[0], self.value(right)
            last[0] = b
            return self.related(relation, a, b)

        for relation, right in zip(e.relations, e.operands[1:], strict=True):
            tests.append(lambda r=relation, o=right: test(r, o))  # type: ignore[misc]
        return tests[0]() if len(tests) == 1 else self.out.lazily(tests, FALSE)

    def related(self, relation: ir.Relation, a: V, b: V) -> Bit:
        raise NotImplementedError

    def plain_number(self, value: V) -> Num:
        if isinstance(value, Bit):
            return self.out.as_bit(value)
        if not isinstance(value, Num):
            raise Untranslatable("a number is needed")
        return value


def assignments(body: ir.Block) -> Counter[str]:
    """How often each name is set by the statements of a block."""
    found: Counter[str] = Counter()
    for node in ir.walk(*body):
        if isinstance(node, (ir.Assign, ir.For, ir.NewList)):
            found[node.name] += 1
    return found
