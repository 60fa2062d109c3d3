"""A function of LLVM's assembly language as it is written: blocks, names, arithmetic on values
whose bounds are known as far as they are.

Nothing here knows Python's syntax or rulesets. Where a number leaves 64 bits, the function bails
out (`bail_out`): whoever called it asks the Python function, which knows no such limit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from rulegame.native.context import Reason, TooLong
from rulegame.native.log import is_logged

LEAST: Final = -(2**63)
GREATEST: Final = 2**63 - 1
RARELY: Final = ", !prof !0"  # of a branch: its first label is hardly ever taken
MOST_WORDS: Final = 1 << 14  # of a function's own memory, which is on the stack

# Of functions: those of kernels that others call, those that may be copied to where they are
# called, those that may not.
EXPORTED: Final = "#1"
COPIED: Final = "local_unnamed_addr #0"
APART: Final = "local_unnamed_addr #2"
HEAD: Final = """
declare {i64, i1} @llvm.sadd.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.ssub.with.overflow.i64(i64, i64)
declare {i64, i1} @llvm.smul.with.overflow.i64(i64, i64)
declare i64 @llvm.smin.i64(i64, i64)
declare i64 @llvm.smax.i64(i64, i64)
declare i64 @llvm.abs.i64(i64, i1)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare double @llvm.sqrt.f64(double)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
attributes #0 = { nounwind "prefer-vector-width"="256" }
attributes #1 = { nounwind "prefer-vector-width"="256" }
attributes #2 = { nounwind noinline "prefer-vector-width"="256" }
!0 = !{!"branch_weights", i32 1, i32 2000}
"""


@dataclass(frozen=True, slots=True)
class Num:
    """A whole number of 64 bits: its name (or its digits), and what is known of it."""

    ref: str
    low: int = LEAST
    high: int = GREATEST

    @property
    def known(self) -> int | None:
        """The number, where it is known now."""
        return self.low if self.low == self.high else None


@dataclass(frozen=True, slots=True)
class Bit:
    """One bit."""

    ref: str


@dataclass(frozen=True, slots=True)
class Real:
    """A floating-point number."""

    ref: str


@dataclass(frozen=True, slots=True)
class Pointer:
    """Where numbers of one kind lie in a row: i64, i32, i16, i8, double, float."""

    ref: str
    kind: str = "i64"


def number(value: int) -> Num:
    return Num(str(int(value)), int(value), int(value))


TRUE: Final = Bit("true")
FALSE: Final = Bit("false")


Argument = Num | Real | Bit | Pointer


class Assembly:
    """One function. Statements are added to the current block; after a jump there is none, until
    the next one is begun.
    """

    def __init__(
        self,
        name: str,
        parameters: list[tuple[str, str]],
        result: str = "i64",
    ) -> None:
        self.name = name
        self.result = result
        self._parameters = parameters
        self._lines: list[str] = []
        self._slots: list[str] = []
        self._words = 0
        self._names = 0
        self._exits: set[Reason] = set()
        self.block = "entry"
        self.dead = False

    def text(self, attributes: str) -> str:
        """The whole function."""
        for reason in sorted(self._exits):
            self.begin(_label(reason))
            self.leave(number(reason.status))
        listed = ", ".join(f"{kind} {name}" for kind, name in self._parameters)
        head = f"define {self.result} @{self.name}({listed}) {attributes} {{\nentry:"
        return "\n".join([head, *self._slots, *self._lines, "}"])

    # ---- blocks

    def _line(self, text: str) -> None:
        self._lines.append(f"  {text}")

    def add(self, text: str) -> None:
        """A statement without a result."""
        if not self.dead:
            self._line(text)

    def make(self, text: str) -> str:
        """A statement with a result; its name."""
        self._names += 1
        name = f"%x{self._names}"
        if not self.dead:
            self._line(f"{name} = {text}")
        return name

    def label(self) -> str:
        self._names += 1
        return f"b{self._names}"

    def begin(self, label: str) -> None:
        """The block of that name, which the current one goes on with, if it has not ended."""
        self.jump(label)
        self._lines.append(f"{label}:")
        self.block, self.dead = label, False

    def jump(self, label: str) -> None:
        if not self.dead:
            self._line(f"br label %{label}")
            self.dead = True

    def branch(self, test: Bit, yes: str, no: str, weights: str = "") -> None:
        if not self.dead:
            self._line(f"br i1 {test.ref}, label %{yes}, label %{no}{weights}")
            self.dead = True

    def bail_out(self, reason: Reason = Reason.FAULT) -> None:
        """Ends the function here."""
        if not self.dead:
            self.jump(self._exit(reason))

    def bail_out_if(self, test: Bit, reason: Reason = Reason.FAULT) -> None:
        """Ends the function if a test holds, which it hardly ever does."""
        if test == FALSE or self.dead:
            return
        on = self.label()
        self.branch(test, self._exit(reason), on, RARELY)
        self.begin(on)

    def _exit(self, reason: Reason) -> str:
        """The label where the function ends for a reason; all have one, unless they are counted.
        Division by zero has its own, since a move that divides by zero is not valid.
        """
        if reason is not Reason.DIVISION and not is_logged():
            reason = Reason.FAULT
        self._exits.add(reason)
        return _label(reason)

    def pass_on_if(self, test: Bit, status: Num) -> None:
        """Returns the status of a function that has bailed out, if a test holds."""
        if test == FALSE or self.dead:
            return
        failed, on = self.label(), self.label()
        self.branch(test, failed, on, RARELY)
        self.begin(failed)
        self.leave(status)
        self.begin(on)

    def leave(self, value: Num | Real | None = None) -> None:
        """Returns."""
        if not self.dead:
            self._line("ret void" if value is None else f"ret {self.result} {value.ref}")
            self.dead = True

    def never(self) -> None:
        """The end of the function is not reached."""
        self.add("unreachable")

    def choose(self, test: Bit, yes: Callable[[], None], no: Callable[[], None]) -> None:
        """if test: yes() else: no()"""
        if test in (TRUE, FALSE):
            (yes if test == TRUE else no)()
            return
        then, otherwise, end = self.label(), self.label(), self.label()
        self.branch(test, then, otherwise)
        self.begin(then)
        yes()
        self.jump(end)
        self.begin(otherwise)
        no()
        self.begin(end)

    def either(self, test: Bit, yes: Callable[[], Num], no: Callable[[], Num]) -> Num:
        """The one number or the other, whichever is worked out."""
        if test in (TRUE, FALSE):
            return yes() if test == TRUE else no()
        slot = self.slot()
        found: list[Num] = []

        def keep(make: Callable[[], Num]) -> None:
            value = make()
            found.append(value)
            self.store(slot, value)

        self.choose(test, lambda: keep(yes), lambda: keep(no))
        low, high = min(v.low for v in found), max(v.high for v in found)
        return self.load(slot, low=low, high=high)

    # ---- memory

    def slot(self, count: int = 1, kind: str = "i64") -> Pointer:
        """Room of the function's own; the same in every round of a loop."""
        self._words += count if kind in ("i64", "double", "ptr") else 1 + count // 4
        if self._words > MOST_WORDS:
            raise TooLong(f"{self.name} takes more than {8 * MOST_WORDS:,} bytes")
        self._names += 1
        name = f"%m{self._names}"
        self._slots.append(f"  {name} = alloca {kind}, i64 {count}")
        return Pointer(name, kind)

    def load(self, at: Pointer, low: int = LEAST, high: int = GREATEST) -> Num:
        found = self.make(f"load {at.kind}, ptr {at.ref}")
        if at.kind != "i64":
            bits = int(at.kind[1:])
            found = self.make(f"sext {at.kind} {found} to i64")
            low, high = max(low, -(2 ** (bits - 1))), min(high, 2 ** (bits - 1) - 1)
        return Num(found, low, high)

    def load_real(self, at: Pointer) -> Real:
        return Real(self.make(f"load double, ptr {at.ref}"))

    def store(self, at: Pointer, value: Num | Real) -> None:
        ref = value.ref
        if at.kind == "float":
            ref = self.make(f"fptrunc double {ref} to float")
        elif at.kind not in ("i64", "double"):
            ref = self.make(f"trunc i64 {ref} to {at.kind}")
        self.add(f"store {at.kind} {ref}, ptr {at.ref}")

    def at(self, base: Pointer, index: Num) -> Pointer:
        """An element of a row."""
        if index.known == 0:
            return base
        return Pointer(
            self.make(f"getelementptr {base.kind}, ptr {base.ref}, i64 {index.ref}"), base.kind
        )

    def as_number(self, pointer: Pointer) -> Num:
        return Num(self.make(f"ptrtoint ptr {pointer.ref} to i64"))

    def as_pointer(self, address: Num, kind: str = "i64") -> Pointer:
        return Pointer(self.make(f"inttoptr i64 {address.ref} to ptr"), kind)

    def store_pointer(self, at: Pointer, value: Pointer) -> None:
        self.add(f"store ptr {value.ref}, ptr {at.ref}")

    def load_pointer(self, at: Pointer) -> Pointer:
        """One of the same kind as its slot is said to be."""
        return Pointer(self.make(f"load ptr, ptr {at.ref}"), at.kind)

    def store_bit(self, at: Pointer, value: Bit) -> None:
        self.add(f"store i1 {value.ref}, ptr {at.ref}")

    def load_bit(self, at: Pointer) -> Bit:
        return Bit(self.make(f"load i1, ptr {at.ref}"))

    def copy(self, into: Pointer, source: Pointer, size: Num) -> None:
        """So many bytes."""
        given = f"ptr {into.ref}, ptr {source.ref}, i64 {size.ref}, i1 false"
        self.add(f"call void @llvm.memcpy.p0.p0.i64({given})")

    def clear(self, at: Pointer, size: int) -> None:
        """So many bytes."""
        self.add(f"call void @llvm.memset.p0.i64(ptr {at.ref}, i8 0, i64 {size}, i1 false)")

    def prefetch(self, at: Pointer) -> None:
        self.add(f"call void @llvm.prefetch.p0(ptr {at.ref}, i32 0, i32 3, i32 1)")

    # ---- calls

    def call(self, function: str, *given: Argument, low: int = LEAST, high: int = GREATEST) -> Num:
        """A function whose result is a number."""
        return Num(self.make(f"call i64 @{function}({_listed(given)})"), low, high)

    def call_real(self, function: str, *given: Argument) -> Real:
        return Real(self.make(f"call double @{function}({_listed(given)})"))

    def call_void(self, function: str, *given: Argument) -> None:
        self.add(f"call void @{function}({_listed(given)})")

    def call_address(self, address: Num, *given: Argument) -> Num:
        """A function whose address is a number."""
        target = self.as_pointer(address).ref
        return Num(self.make(f"call i64 {target}({_listed(given)})"))

    # ---- arithmetic: exact, or the function bails out

    def plus(self, a: Num, b: Num) -> Num:
        return self._exact("add", a, b, a.low + b.low, a.high + b.high)

    def minus(self, a: Num, b: Num) -> Num:
        return self._exact("sub", a, b, a.low - b.high, a.high - b.low)

    def times(self, a: Num, b: Num) -> Num:
        corners = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
        return self._exact("mul", a, b, min(corners), max(corners))

    def _exact(self, operation: str, a: Num, b: Num, low: int, high: int) -> Num:
        if low == high and LEAST <= low <= GREATEST:
            return number(low)
        if operation != "mul" and b.known == 0:
            return a
        if low >= LEAST and high <= GREATEST:
            return Num(self.make(f"{operation} nsw i64 {a.ref}, {b.ref}"), low, high)
        intrinsic = f"llvm.s{operation}.with.overflow.i64"
        pair = self.make(f"call {{i64, i1}} @{intrinsic}(i64 {a.ref}, i64 {b.ref})")
        result = self.make(f"extractvalue {{i64, i1}} {pair}, 0")
        self.bail_out_if(Bit(self.make(f"extractvalue {{i64, i1}} {pair}, 1")), Reason.OVERFLOW)
        return Num(result, max(low, LEAST), min(high, GREATEST))

    def plain(self, operation: str, a: Num, b: Num, low: int = LEAST, high: int = GREATEST) -> Num:
        """A machine instruction, modulo 2**64 where that matters."""
        return Num(self.make(f"{operation} i64 {a.ref}, {b.ref}"), low, high)

    def inverted(self, a: Num) -> Num:
        """All bits the other way round."""
        return self.plain("xor", a, number(-1))

    def count_ones(self, a: Num) -> Num:
        return self.call("llvm.ctpop.i64", a, low=0, high=64)

    def lowest_one(self, a: Num, high: int = 63) -> Num:
        """The place of the lowest bit that is set; there must be one."""
        return self.call("llvm.cttz.i64", a, TRUE, low=0, high=high)

    def leading_zeros(self, a: Num) -> Num:
        return self.call("llvm.ctlz.i64", a, FALSE, low=0, high=64)

    def without_lowest_one(self, a: Num) -> Num:
        return self.plain("and", a, self.plain("add", a, number(-1)))

    def absolute(self, a: Num, low: int = 0, high: int = GREATEST) -> Num:
        """Of any number but the least one."""
        return self.call("llvm.abs.i64", a, FALSE, low=low, high=high)

    # ---- floating-point numbers

    def as_real(self, a: Num) -> Real:
        return Real(self.make(f"sitofp i64 {a.ref} to double"))

    def as_whole(self, a: Real) -> Num:
        return Num(self.make(f"fptosi double {a.ref} to i64"))

    def bits_of(self, a: Real) -> Num:
        return Num(self.make(f"bitcast double {a.ref} to i64"))

    def real_of(self, bits: Num) -> Real:
        return Real(self.make(f"bitcast i64 {bits.ref} to double"))

    def minus_real(self, a: Real) -> Real:
        return Real(self.make(f"fneg double {a.ref}"))

    def square_root(self, a: Real) -> Real:
        return self.call_real("llvm.sqrt.f64", a)

    def real(self, operation: str, a: Real, b: Real) -> Real:
        return Real(self.make(f"{operation} double {a.ref}, {b.ref}"))

    def smaller(self, a: Num, b: Num) -> Num:
        low, high = min(a.low, b.low), min(a.high, b.high)
        return self.call("llvm.smin.i64", a, b, low=low, high=high)

    def larger(self, a: Num, b: Num) -> Num:
        low, high = max(a.low, b.low), max(a.high, b.high)
        return self.call("llvm.smax.i64", a, b, low=low, high=high)

    def select(self, test: Bit, yes: Num, no: Num) -> Num:
        if test in (TRUE, FALSE):
            return yes if test == TRUE else no
        result = self.make(f"select i1 {test.ref}, i64 {yes.ref}, i64 {no.ref}")
        return Num(result, min(yes.low, no.low), max(yes.high, no.high))

    # ---- tests

    def compare(self, relation: str, a: Num, b: Num) -> Bit:
        """eq, ne, slt, sle, sgt, sge; decided now if the bounds decide it."""
        known = _decided(relation, a, b)
        if known is not None:
            return TRUE if known else FALSE
        return Bit(self.make(f"icmp {relation} i64 {a.ref}, {b.ref}"))

    def test(self, relation: str, a: Num, b: Num) -> Bit:
        """The same, also without signs (ult, ule, ugt, uge); decided when it runs."""
        return Bit(self.make(f"icmp {relation} i64 {a.ref}, {b.ref}"))

    def but_not(self, a: Bit, b: Bit) -> Bit:
        return Bit(self.make(f"icmp ugt i1 {a.ref}, {b.ref}"))

    def compare_real(self, relation: str, a: Real, b: Real) -> Bit:
        return Bit(self.make(f"fcmp {relation} double {a.ref}, {b.ref}"))

    def negated(self, a: Bit) -> Bit:
        if a in (TRUE, FALSE):
            return FALSE if a == TRUE else TRUE
        return Bit(self.make(f"xor i1 {a.ref}, true"))

    def both(self, a: Bit, b: Bit) -> Bit:
        if TRUE in (a, b):
            return b if a == TRUE else a
        return Bit(self.make(f"and i1 {a.ref}, {b.ref}"))

    def as_bit(self, a: Bit) -> Num:
        if a in (TRUE, FALSE):
            return number(int(a == TRUE))
        return Num(self.make(f"zext i1 {a.ref} to i64"), 0, 1)

    def is_true(self, a: Num) -> Bit:
        return self.compare("ne", a, number(0))

    def lazily(self, tests: list[Callable[[], Bit]], stop_at: Bit) -> Bit:
        """and (`stop_at` FALSE) or or (TRUE): later ones are worked out only if they matter."""
        end, slot = self.label(), self.slot(kind="i1")
        for make in tests[:-1]:
            value = make()
            if value == stop_at:  # certainly, and whatever follows
                self.store_bit(slot, stop_at)
                self.begin(end)
                return self.load_bit(slot)
            if value in (TRUE, FALSE):
                continue
            self.store_bit(slot, stop_at)
            on = self.label()
            self.branch(value, *((end, on) if stop_at == TRUE else (on, end)))
            self.begin(on)
        last = tests[-1]()
        self.store_bit(slot, last)
        self.begin(end)
        return self.load_bit(slot)

    # ---- loops

    def count_up(self, count: Num, body: Callable[[Num], None], done: str | None = None) -> None:
        """body(0), body(1) … body(count - 1); `done` is the label behind the loop."""
        index = self.slot()
        self.store(index, number(0))
        head, inside = self.label(), self.label()
        end = done or self.label()
        self.begin(head)
        at = self.load(index, 0, max(count.high - 1, 0))
        self.branch(self.test("slt", at, count), inside, end)
        self.begin(inside)
        body(at)
        if not self.dead:
            self.store(index, Num(self.make(f"add nuw nsw i64 {at.ref}, 1")))
            self.jump(head)
        self.begin(end)


def table_text(name: str, values: Sequence[int]) -> str:
    """Constant numbers in a row."""
    listed = ", ".join(f"i64 {value}" for value in values) or "i64 0"
    return f"{name} = private unnamed_addr constant [{max(1, len(values))} x i64] [{listed}]"


def _listed(given: Sequence[Argument]) -> str:
    return ", ".join(f"{_kind_of(one)} {one.ref}" for one in given)


def _kind_of(argument: Argument) -> str:
    match argument:
        case Num():
            return "i64"
        case Real():
            return "double"
        case Bit():
            return "i1"
    return "ptr"


def _label(reason: Reason) -> str:
    return f"exit_{reason.name.lower()}"


def _decided(relation: str, a: Num, b: Num) -> bool | None:
    if relation in ("sgt", "sge"):
        return _decided({"sgt": "slt", "sge": "sle"}[relation], b, a)
    if relation == "slt":
        return True if a.high < b.low else False if a.low >= b.high else None
    if relation == "sle":
        return True if a.high <= b.low else False if a.low > b.high else None
    apart = a.high < b.low or b.high < a.low
    same = a.low == a.high == b.low == b.high
    if not apart and not same:
        return None
    return same if relation == "eq" else apart
