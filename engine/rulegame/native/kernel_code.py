"""Kernels to assembly: functions in a small Python over machine numbers, which lie around the rules
and ask them (see the folder `kernels`).

What a parameter is, its annotation says: `int`, `bool`, `float`, or a row of them in memory
(`Words`, `Ints`, `Bytes`, `Reals`, `Floats`). Arithmetic is that of the machine; `>>` brings zeros.
`a[k:]` is the same row from k on, `room(n)` so many words for the function itself. Names in
capitals are numbers or tables that differ from game to game.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass, replace
from struct import pack, unpack
from typing import Final

from rulegame.core import ir
from rulegame.native.assembly import (
    APART,
    COPIED,
    EXPORTED,
    FALSE,
    TRUE,
    Argument,
    Assembly,
    Bit,
    Num,
    Pointer,
    Real,
    number,
)
from rulegame.native.kernel_reader import (
    Continue,
    ReturnNothing,
    StoreItem,
    While,
    read_block,
)
from rulegame.native.lowering import RELATIONS, Lowering, Untranslatable

Machine = Num | Bit | Real | Pointer
KINDS: Final = {
    "int": "i64", "float": "double", "Words": "ptr", "Ints": "ptr", "Bytes": "ptr",
    "Reals": "ptr", "Floats": "ptr", "None": "void",
}  # fmt: skip
ELEMENTS: Final = {
    "Words": "i64", "Ints": "i32", "Bytes": "i8", "Reals": "double", "Floats": "float",
}  # fmt: skip
OPERATIONS: Final = {
    "+": "add", "-": "sub", "*": "mul", "//": "sdiv", "%": "srem", "&": "and", "|": "or",
    "^": "xor", "<<": "shl", ">>": "lshr",
}  # fmt: skip
REAL_OPERATIONS: Final = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv"}
REAL_RELATIONS: Final = {
    "eq": "oeq", "ne": "one", "slt": "olt", "sle": "ole", "sgt": "ogt", "sge": "oge",
}  # fmt: skip
UNSIGNED: Final = {"umod": "urem", "udiv": "udiv"}


@dataclass(frozen=True, slots=True)
class KernelSignature:
    """How a function is called."""

    name: str
    parameters: tuple[tuple[str, str], ...]  # name and annotation
    result: str

    @staticmethod
    def of(definition: ast.FunctionDef) -> KernelSignature:
        arguments = definition.args.args
        given = tuple((a.arg, _kind(a.annotation)) for a in arguments)
        result = _kind(definition.returns)
        return KernelSignature(definition.name, given, result)


def _kind(annotation: ast.expr | None) -> str:
    """What is annotated; a truth is a number."""
    kind = "None" if annotation is None else ast.unparse(annotation)
    return "int" if kind == "bool" else kind


def kernel_code(
    definitions: list[ast.FunctionDef],
    known: Mapping[str, KernelSignature],
    constants: Mapping[str, int | Pointer],
    exported: frozenset[str],
    apart: frozenset[str] = frozenset(),
) -> list[str]:
    """The functions; `known` are others that they may call. Those `apart` are called wherever they
    are used, others may be copied there.
    """
    signatures = {**known, **{d.name: KernelSignature.of(d) for d in definitions}}
    kinds = dict.fromkeys(exported, EXPORTED) | dict.fromkeys(apart, APART)
    return [
        KernelLowering(d, signatures, constants).text(kinds.get(d.name, COPIED))
        for d in definitions
    ]


class KernelLowering(Lowering[Machine]):
    """One kernel."""

    def __init__(
        self,
        definition: ast.FunctionDef,
        signatures: Mapping[str, KernelSignature],
        constants: Mapping[str, int | Pointer],
    ) -> None:
        self._signatures, self._constants = signatures, constants
        self._own = signatures[definition.name]
        parameters = [
            (KINDS[kind], f"%a_{name}" if kind in ("int", "float") else f"%p_{name}")
            for name, kind in self._own.parameters
        ]
        self._body = read_block(definition.body)
        super().__init__(
            (name for name, _ in self._own.parameters),
            self._body,
            Assembly(definition.name, parameters, KINDS[self._own.result]),
        )
        self._pointers: dict[str, Pointer] = {}  # slots of addresses
        self._reals: dict[str, Pointer] = {}

    def text(self, attributes: str) -> str:
        for name, kind in self._own.parameters:
            if kind == "int":
                self.set_number(name, Num(f"%a_{name}"))
            elif kind == "float":
                self._set_real(name, Real(f"%a_{name}"))
            else:
                self._set_pointer(name, Pointer(f"%p_{name}", ELEMENTS[kind]))
        self.block(self._body)
        if self._own.result == "None":
            self.out.leave()
        elif not self.out.dead:
            self.out.never()
        return self.out.text(attributes)

    # ---- statements

    def statement(self, s: ir.Stmt) -> None:
        match s:
            case StoreItem():
                self._store(s)
            case While(test=test, body=body):
                self._while(test, body)
            case Continue():
                self.again()
            case ReturnNothing():
                self.out.leave()
            case _:
                super().statement(s)

    def _while(self, test: ir.Expr, body: ir.Block) -> None:
        head, inside, end = self.out.label(), self.out.label(), self.out.label()
        self.out.begin(head)
        self.out.branch(self.truth(test), inside, end)
        self.out.begin(inside)
        self.in_loop(head, end, lambda: self.block(body))
        self.out.jump(head)
        self.out.begin(end)

    def assign(self, name: str, value: ir.Expr) -> None:
        self._set(name, self.value(value))

    def _set(self, name: str, found: Machine) -> None:
        if isinstance(found, Pointer):
            self._set_pointer(name, found)
        elif isinstance(found, Real):
            self._set_real(name, found)
        else:
            self.set_number(name, self.plain_number(found))

    def _set_pointer(self, name: str, value: Pointer) -> None:
        slot = self._pointers.get(name)
        if slot is None:
            slot = self._pointers[name] = replace(self.out.slot(kind="ptr"), kind=value.kind)
        self.out.store_pointer(slot, value)

    def _set_real(self, name: str, value: Real) -> None:
        if name not in self._reals:
            self._reals[name] = self.out.slot(kind="double")
        self.out.store(self._reals[name], value)

    def _store(self, s: StoreItem) -> None:
        found = self.value(s.value)
        base = self._pointer(s.items)
        place = self.out.at(base, self.number(s.index))
        if base.kind in ("double", "float"):
            self.out.store(place, self._as_real(found))
        else:
            self.out.store(place, self.plain_number(found))

    def loop(self, s: ir.For) -> None:
        match s.collection:
            case ir.Call(function="range", arguments=(end,)):
                first, last = number(0), self.number(end)
            case ir.Call(function="range", arguments=(begin, end)):
                first, last = self.number(begin), self.number(end)
            case _:
                raise Untranslatable(repr(s.collection))
        count = self.out.plain("sub", last, first)
        self.each_number(s.name, first, count, s.body)

    def leave(self, value: ir.Expr) -> None:
        if self._own.result == "float":
            self.out.leave(self._as_real(self.value(value)))
        else:
            self.out.leave(self.number(value))

    # ---- expressions

    def value(self, e: ir.Expr) -> Machine:
        match e:
            case ir.Const(value=bool() as truth):
                return TRUE if truth else FALSE
            case ir.Const(value=int() as digits):
                return number((digits + 2**63) % 2**64 - 2**63)
            case ir.Const(value=float() as digits):
                return Real(f"0x{unpack('>Q', pack('>d', digits))[0]:016X}")
            case ir.Local(name=name):
                return self._by_name(name)
            case ir.Op(operator="not", operands=(operand,)):
                return self.out.negated(self.truth(operand))
            case ir.Op(operator="neg", operands=(operand,)):
                found = self.value(operand)
                if isinstance(found, Real):
                    return self.out.minus_real(found)
                return self._machine("sub", number(0), self.plain_number(found))
            case ir.Op(operator=op, operands=(left, right)):
                return self._arithmetic(self.value(left), op, self.value(right))
            case ir.BoolOp():
                return self.junction(e)
            case ir.Compare():
                return self.comparison(e)
            case ir.Select(test=test, then=yes, otherwise=no):
                return self._conditional(test, yes, no)
            case ir.Item(items=base, index=place):
                row = self.out.at(self._pointer(base), self.number(place))
                return self.out.load_real(row) if row.kind == "double" else self.out.load(row)
            case ir.Call(function=name, arguments=arguments):
                return self._call(name, arguments)
        raise Untranslatable(repr(e))

    def _conditional(self, test: ir.Expr, yes: ir.Expr, no: ir.Expr) -> Machine:
        condition = self.truth(test)
        name = f"?{id(yes)}"
        self.times[name] = 2
        self.out.choose(
            condition,
            lambda: self._set(name, self.value(yes)),
            lambda: self._set(name, self.value(no)),
        )
        return self._by_name(name)

    def _by_name(self, name: str) -> Machine:
        if name in self._pointers:
            return self.out.load_pointer(self._pointers[name])
        if name in self._reals:
            return self.out.load_real(self._reals[name])
        if name in self.slots:
            return self.get_number(name)
        if name in self._constants:
            known = self._constants[name]
            return known if isinstance(known, Pointer) else number(known)
        raise Untranslatable(f"the name {name} in {self._own.name}")

    def _pointer(self, e: ir.Expr) -> Pointer:
        found = self.value(e)
        assert isinstance(found, Pointer), e
        return found

    def _as_real(self, value: Machine) -> Real:
        if isinstance(value, Real):
            return value
        return self.out.as_real(self.plain_number(value))

    def _arithmetic(self, a: Machine, op: ir.Operator, b: Machine) -> Machine:
        if isinstance(a, Real) or isinstance(b, Real) or op == "/":
            return self.out.real(REAL_OPERATIONS[op], self._as_real(a), self._as_real(b))
        return self._machine(OPERATIONS[op], self.plain_number(a), self.plain_number(b))

    def _machine(self, operation: str, a: Num, b: Num) -> Num:
        """Modulo 2**64; constants are worked out now, for places in tables."""
        if a.known is not None and b.known is not None and operation in ("add", "sub", "mul"):
            x, y = a.known, b.known
            exact = {"add": x + y, "sub": x - y, "mul": x * y}[operation]
            return number((exact + 2**63) % 2**64 - 2**63)
        return self.out.plain(operation, a, b)

    def related(self, relation: ir.Relation, a: Machine, b: Machine) -> Bit:
        sign = RELATIONS[relation]
        if isinstance(a, Real) or isinstance(b, Real):
            return self.out.compare_real(REAL_RELATIONS[sign], self._as_real(a), self._as_real(b))
        return self.out.compare(sign, self.plain_number(a), self.plain_number(b))

    # ---- calls

    def _call(self, name: str, arguments: tuple[ir.Expr, ...]) -> Machine:
        match name:
            case "from":
                return self.out.at(self._pointer(arguments[0]), self.number(arguments[1]))
            case "room":
                words = self.number(arguments[0]).known
                assert words is not None
                return self.out.slot(words)
            case "copy":
                into, source = (self._pointer(one) for one in arguments[:2])
                size = self.out.plain("mul", self.number(arguments[2]), number(8))
                self.out.copy(into, source, size)
                return number(0)
            case "prefetch":
                self.out.prefetch(self._pointer(arguments[0]))
                return number(0)
            case "ult":
                a, b = (self.number(one) for one in arguments)
                return self.out.test("ult", a, b)
            case "umod" | "udiv":
                a, b = (self.number(one) for one in arguments)
                return self.out.plain(UNSIGNED[name], a, b)
            case "as_bytes" | "as_ints":
                kind = "i8" if name == "as_bytes" else "i32"
                return replace(self._pointer(arguments[0]), kind=kind)
            case "call_back":
                return self._call_back(arguments)
            case "float":
                return self._as_real(self.value(arguments[0]))
            case "int":
                return self.out.as_whole(self._as_real(self.value(arguments[0])))
            case "bits_of":
                return self.out.bits_of(self._as_real(self.value(arguments[0])))
            case "real_of":
                return self.out.real_of(self.number(arguments[0]))
            case "sqrt":
                return self.out.square_root(self._as_real(self.value(arguments[0])))
            case "leading_zeros":
                return self.out.leading_zeros(self.number(arguments[0]))
        return self._call_function(self._signatures[name], arguments)

    def _call_back(self, arguments: tuple[ir.Expr, ...]) -> Num:
        """A function whose address is a number; it is given a number, and rows."""
        address, question = (self.number(one) for one in arguments[:2])
        rows = [self._pointer(one) for one in arguments[2:]]
        return self.out.call_address(address, question, *rows)

    def _call_function(self, signature: KernelSignature, arguments: tuple[ir.Expr, ...]) -> Machine:
        given: list[Argument] = []
        for (_, kind), one in zip(signature.parameters, arguments, strict=True):
            found = self.value(one)
            if kind == "float":
                given.append(self._as_real(found))
            elif kind == "int":
                given.append(self.plain_number(found))
            else:
                assert isinstance(found, Pointer), one
                given.append(found)
        if signature.result == "None":
            self.out.call_void(signature.name, *given)
            return number(0)
        call = self.out.call_real if signature.result == "float" else self.out.call
        return call(signature.name, *given)
