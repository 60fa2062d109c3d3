"""Checks functions of the intermediate representation: every name is set before it is used, kinds
agree with one another and with types, and bounds with what follows from the operands; loads and
stores stay inside the state, sites and source locations exist, and a function answers the question
of its role on every path.

A violation is a bug of lowering or of a pass: `InvalidIR`. The tests check after lowering and after
every pass (`passes.VERIFY`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, Literal

from rulegame.core import ir
from rulegame.core.intrinsics import OWN, signature_of
from rulegame.core.ir import Role
from rulegame.core.printer import expression_text, statement_text
from rulegame.language.types import Bool, Grid, List, Set, Text, Type

Kind = Literal["number", "truth", "text", "flood", "anything"] | tuple[Literal["list"], "Kind"]

NUMBERS: Final[Kind] = ("list", "number")
LETTERS: Final[Mapping[str, Kind]] = {
    "i": "number", "b": "truth", "t": "text", "f": "flood", "a": "anything",
    "l": ("list", "anything"), "m": NUMBERS, "n": ("list", NUMBERS),
}  # fmt: skip
PARAMETERS: Final[Mapping[Role, tuple[str, ...]]] = {
    Role.MOVES: ("s",),
    Role.PLAY: ("s", "m"),
    Role.EVENTS: ("s",),
    Role.OVER: ("t", "me"),
    Role.STUCK: ("s",),
    Role.GATE: ("s",),
    Role.AFTER: ("s", "me"),  # and the rolls of the turn, and the choices
    Role.MUST: ("s", "me"),  # and the rolls of the turn, and the choices
    Role.CHECK: ("s", "t"),  # and the choices that are made before
    Role.VALUE: ("s", "t", "me", "names"),  # and the names of the expression
}
OPEN: Final = (Role.AFTER, Role.MUST, Role.CHECK, Role.VALUE)  # they have more parameters
RETURNS: Final[Mapping[Role, tuple[type[ir.Stmt], ...]]] = {
    Role.MOVES: (ir.ReturnMoves, ir.ReturnOperations),
    Role.PLAY: (ir.ReturnState, ir.Return),
    Role.EVENTS: (ir.ReturnEvents,),
    Role.OVER: (ir.Return,),
    Role.STUCK: (ir.ReturnState,),
    Role.GATE: (ir.ReturnState,),
    Role.AFTER: (ir.ReturnState,),
    Role.MUST: (ir.Return,),
    Role.CHECK: (ir.Return,),
    Role.VALUE: (ir.Return,),
}
RESULTS: Final[Mapping[Role, Kind]] = {
    Role.OVER: "truth", Role.PLAY: NUMBERS, Role.MUST: "truth",
}  # fmt: skip
ALL_RETURNS: Final = (
    ir.Return, ir.ReturnState, ir.ReturnMoves, ir.ReturnOperations, ir.ReturnEvents,
)  # fmt: skip
# What a statement needs before it: a state to write to, a list of moves or of writes.
MOVES, WRITES, JOINT_WRITES = "(moves)", "(writes)", "(joint writes)"


class InvalidIR(AssertionError):
    """A function that breaks a rule of the representation."""


Kinds = dict[str, "Kind | _Flag"]  # of the names that are set


@dataclass(frozen=True, slots=True, eq=False)
class _Flag:
    """A truth that was assigned as such: what is set where it holds, None if it does not hold."""

    known: Kinds | None


def verify(module: ir.Module, before: ir.Module | None = None) -> None:
    """Check the functions of a module, except those that a pass took unchanged from the module
    before.
    """
    known = {} if before is None else before.functions
    for name, function in module.functions.items():
        if function is not known.get(name):
            _Verifier(function, module).run()


@dataclass(slots=True)
class _Loop:
    """The kinds of names where a loop is left by `break`."""

    left: list[Kinds] = field(default_factory=list)


class _Verifier:
    def __init__(self, function: ir.Function, module: ir.Module) -> None:
        self._function = function
        self._module = module
        self._loops: list[_Loop] = []
        self._statement: ir.Stmt | None = None

    def run(self) -> None:
        function = self._function
        if function.source is None and any(node.source for node in ir.walk(function)):
            self._fail("has no source location, but its nodes have")
        given = tuple([one.name for one in function.parameters])
        expected = PARAMETERS[function.role]
        if given[: len(expected)] != expected:
            self._fail(f"parameters {given} of a function '{function.role.value}'")
        if len(given) > len(expected) and function.role not in OPEN:
            self._fail(f"too many parameters {given}")
        known: Kinds = {name: "number" for name in given if name not in ("s", "m", "t")}
        anything: Kind = "anything"
        if function.role is Role.VALUE:  # texts are about names, lists and truths, too
            known = {**dict.fromkeys(known, anything), "names": ("list", "text")}
        known |= {name: NUMBERS for name in given if name in ("s", "m", "t")}
        if self._block(function.body, known) is not None:
            self._fail("does not return on every path")

    def _fail(self, problem: str) -> None:
        where = "" if self._statement is None else f": {statement_text(self._statement)}"
        raise InvalidIR(f"{self._function.name}{where}: {problem}")

    # ---- statements: the names that are set after them, or None if nothing follows

    def _block(self, block: ir.Block, known: Kinds) -> Kinds | None:
        after: Kinds | None = dict(known)
        for statement in block:
            self._statement = statement
            if after is None:
                self._fail("is never reached")
                return None
            after = self._after(statement, after)
        return after

    def _after(self, s: ir.Stmt, known: Kinds) -> Kinds | None:
        match s:
            case ir.Assign(name=name, value=ir.Const(value=bool() as raised)):
                return {**known, name: _Flag(_without_flags(known) if raised else None)}
            case ir.Assign(name=name, value=value):
                kind = self._kind(value, known)  # which may set names
                return {**known, name: kind}
            case ir.If(test=test, then=then, otherwise=otherwise):
                self._expect(test, "truth", known)
                yes, no = known, known
                match test:
                    case ir.Local(name=name) if isinstance(flag := known[name], _Flag):
                        yes = {**(flag.known or {}), **known}
                        no = {**known, name: _Flag(None)}
                return _joined(self._block(then, yes), self._block(otherwise, no))
            case ir.For(name=name, collection=collection, body=body):
                items = self._expect(collection, ("list", "anything"), known)
                element = items[1] if isinstance(items, tuple) else "anything"
                return self._loop(body, known, {name: element})
            case ir.Attempt(operation=operation, arguments=arguments, body=body):
                self._check_attempt(operation, arguments, known)
                return _joined(known, self._block(body, {**known, "t": NUMBERS}))
            case ir.Break():
                if not self._loops:
                    self._fail("is not in a loop")
                self._loops[-1].left.append(known)
                return None
            case ir.CopyState(state=state):
                self._need("s", known)
                return {**known, state: NUMBERS}
            case ir.NewList(name=name):
                return {**known, name: ("list", "anything")}
            case ir.NewOffers() | ir.OfferAll():
                return {**known, MOVES: "anything"}
            case ir.NewWrites(joint=joint):
                return {**known, JOINT_WRITES if joint else WRITES: "anything"}
        if isinstance(s, ALL_RETURNS):
            self._check_return(s, known)
            return None
        if isinstance(s, ir.Append):
            self._expect(ir.Local(s.name), ("list", "anything"), known)
            return {**known, s.name: ("list", self._kind(s.value, known))}
        self._check_simple(s, known)
        if isinstance(s, ir.Do) and s.call.function in FAULTS:
            return None
        return known

    def _loop(self, body: ir.Block, known: Kinds, own: Kinds) -> Kinds | None:
        """What a loop sets is known behind it only if it was before."""
        while True:
            self._loops.append(_Loop())
            ended = self._block(body, {**known, **own})
            left = self._loops.pop().left
            after: Kinds | None = known
            for one in (ended, *left):
                after = _joined(after, one)
            assert after is not None
            again = {name: after[name] for name in known if name in after}
            if _are_alike(again, known):
                return known
            known = again

    def _check_simple(self, s: ir.Stmt, known: Kinds) -> None:
        """Statements that set no name."""
        match s:
            case ir.Store(offset=offset, value=value, state=state):
                self._need(state, known)
                self._check_cells(offset, 1, known)
                self._expect(value, "number", known)
            case ir.StoreSlice(start=start, size=size, value=value, state=state):
                self._need(state, known)
                self._check_cells(start, size, known)
                self._expect(value, NUMBERS, known)
            case ir.Do(call=call):
                self._kind(call, known)
            case ir.Offer(operation=operation, choices=choices):
                self._need(MOVES, known)
                self._check_operation(operation, len(choices))
                for choice in choices:
                    self._expect(choice, "number", known)
            case ir.Defer(offset=offset, value=value) | ir.DeferJoint(offset=offset, value=value):
                if isinstance(s, ir.DeferJoint):
                    self._check_site(s.site)
                    self._expect(s.player, "number", known)
                self._need(JOINT_WRITES if isinstance(s, ir.DeferJoint) else WRITES, known)
                self._check_cells(offset, 1, known)
                self._expect(value, "number", known)
            case ir.Compel():
                self._check_compel(s, known)
            case ir.Commit(site=site):
                self._check_site(site)
                self._need(WRITES, known)
                self._need("t", known)
            case ir.CommitJoint():
                self._need(JOINT_WRITES, known)
                self._need("t", known)
            case _:
                self._fail("is no statement of rules")

    def _check_return(self, s: ir.Stmt, known: Kinds) -> None:
        role = self._function.role
        if not isinstance(s, RETURNS[role]):
            self._fail(f"in a function '{role.value}'")
        match s:
            case ir.Return(value=value):
                self._expect(value, RESULTS.get(role, "anything"), known)
                cells = len(value.items) if isinstance(value, ir.ListExpr) else None
                if role is Role.PLAY and cells != self._module.size:
                    self._fail(f"a state has {self._module.size} cells")
            case ir.ReturnState():
                self._need("t", known)
            case ir.ReturnMoves(condition=condition):
                self._need(MOVES, known)
                if condition is not None:
                    self._expect(condition, "truth", known)
            case ir.ReturnOperations(operations=operations):
                for operation in operations:
                    self._check_operation(operation, 0)
            case ir.ReturnEvents(values=values, weights=weights):
                self._expect(values, NUMBERS, known)
                if weights is not None:
                    self._expect(weights, NUMBERS, known)

    def _check_compel(self, s: ir.Compel, known: Kinds) -> None:
        self._need(MOVES, known)
        for argument in s.arguments:
            self._expect(argument, "number", known)
        for operation, name in zip(s.operations, s.functions, strict=True):
            called = self._module.functions.get(name)
            choices = self._module.operations[operation].choices
            if called is None or called.role is not Role.MUST:
                self._fail(f"there is no test {name}")
            elif len(called.parameters) != 1 + len(s.arguments) + choices:
                self._fail(f"{name} takes {len(called.parameters) - 1} arguments")

    def _check_attempt(self, operation: str, arguments: tuple[ir.Expr, ...], known: Kinds) -> None:
        if self._function.role not in (Role.MOVES, Role.MUST):
            self._fail(f"in a function '{self._function.role.value}'")
        called = self._module.functions.get(f"after_{operation}")
        if called is None or called.role is not Role.AFTER:
            self._fail(f"there is no state after '{operation}'")
        elif len(called.parameters) != 1 + len(arguments):
            self._fail(f"{called.name} takes {len(called.parameters) - 1} arguments")
        for argument in arguments:
            self._expect(argument, "number", known)

    # ---- what statements refer to

    def _check_operation(self, operation: str, choices: int) -> None:
        known = self._module.operations.get(operation)
        if known is None or known.choices != choices:
            self._fail(f"there is no operation '{operation}' with {choices} choices")

    def _check_site(self, site: int) -> None:
        if not -1 <= site < self._module.sites:
            self._fail(f"there is no site {site}")

    def _check_cells(self, start: ir.Expr, size: int, known: Kinds) -> None:
        self._expect(start, "number", known)
        first = int(start.value) if isinstance(start, ir.Const) else 0
        if not 0 <= first <= self._module.size - size:
            self._fail(f"a state has {self._module.size} cells")

    def _need(self, name: str, known: Kinds) -> None:
        if name not in known:
            self._fail(f"{name} is not set")

    # ---- expressions

    def _expect(self, e: ir.Expr, wanted: Kind, known: Kinds) -> Kind:
        found = self._kind(e, known)
        if not _fits(found, wanted):
            self._fail(f"{expression_text(e)} is {_named(found)}, not {_named(wanted)}")
        return found

    def _kind(self, e: ir.Expr, known: Kinds) -> Kind:
        found = self._kind_of(e, known)
        declared = e.declared_type
        if declared is None:
            return found
        if not _fits(found, kind_of_type(declared)):
            self._fail(f"{expression_text(e)} is {_named(found)}, not {declared}")
        if isinstance(e, (ir.Const, ir.Op)):
            (low, high), follows = ir.bounds_of(declared), ir.bounds_of(ir.structural_type(e))
            if low > follows[1] or follows[0] > high:
                self._fail(f"{expression_text(e)} is not from {low} to {high}")
        return found

    def _kind_of(self, e: ir.Expr, known: Kinds) -> Kind:
        match e:
            case ir.Const(value=value):
                return _kind_of_constant(value)
            case ir.Local(name=name):
                self._need(name, known)
                found = known.get(name, "anything")
                return "truth" if isinstance(found, _Flag) else found
            case ir.Array(state=state):
                self._need(state, known)
                return NUMBERS
            case ir.Load(state=state, offset=offset):
                self._need(state, known)
                if state == "m":
                    self._expect(offset, "number", known)
                else:
                    self._check_cells(offset, 1, known)
                return "number"
            case ir.Slice(state=state, start=start, size=size):
                self._need(state, known)
                self._check_cells(start, size, known)
                return NUMBERS
            case ir.Item(items=items, index=index):
                self._expect(index, "number", known)
                found = self._expect(items, ("list", "anything"), known)
                return found[1] if isinstance(found, tuple) else "anything"
            case ir.Op(operator=operator, operands=operands):
                return self._operation(operator, operands, known)
            case ir.Compare():
                return self._comparison(e, known)
            case ir.BoolOp(operands=(first, *others)):
                self._expect(first, "truth", known)
                known = dict(known)
                for operand in others:
                    self._expect(operand, "truth", known)
                return "truth"
            case ir.Select(test=test, then=then, otherwise=otherwise):
                self._expect(test, "truth", known)
                kinds = [self._kind(one, dict(known)) for one in (then, otherwise)]
                return self._either_of(kinds, otherwise)
            case ir.ListExpr(items=items):
                return ("list", self._common(items, known))
            case ir.Call():
                return self._call(e, known)
            case ir.Incremental(condition=condition, cells=cells):
                for cell in cells:
                    self._expect(cell, "number", known)
                return self._expect(condition, "truth", known)
            case ir.BlockExpr(body=body, value=value):
                return self._block_expression(body, value, known)
        self._fail(f"{e!r} is no expression")
        return "anything"

    def _block_expression(self, body: ir.Block, value: ir.Expr, known: Kinds) -> Kind:
        statement, loops = self._statement, self._loops
        self._loops = []  # a loop around it cannot be left from inside
        after = self._block(body, known)
        self._statement, self._loops = statement, loops
        if after is None:
            self._fail("has a block that does not end")
            return "anything"
        found = self._kind(value, after)
        known.update(after)  # a name may be set for what is evaluated later
        return found

    def _operation(
        self, operator: ir.Operator, operands: tuple[ir.Expr, ...], known: Kinds
    ) -> Kind:
        sizes = {"not": 1, "neg": 1, "popcount": 1, "+": 2, "-": 2, "*": 2, "//": 2, "%": 2}
        if sizes.get(operator) != len(operands):
            self._fail(f"{operator} of {len(operands)} operands")
        kind: Kind = "truth" if operator == "not" else "number"
        for operand in operands:
            self._expect(operand, kind, known)
        return kind

    def _comparison(self, e: ir.Compare, known: Kinds) -> Kind:
        if len(e.operands) != 1 + len(e.relations):
            self._fail(f"{len(e.operands)} operands of {len(e.relations)} relations")
        kinds = [self._kind(operand, known) for operand in e.operands]
        for relation, left, right in zip(e.relations, kinds, kinds[1:], strict=False):
            if relation == "in":
                wanted = right[1] if isinstance(right, tuple) else right
                agree = _fits(right, ("list", "anything")) and _meet(left, wanted) is not None
            elif relation in ("==", "!="):
                agree = _meet(left, right) is not None
            else:
                agree = _fits(left, "number") and _fits(right, "number")
            if not agree:
                self._fail(f"{_named(left)} {relation} {_named(right)}")
        return "truth"

    def _common(self, items: Iterable[ir.Expr], known: Kinds) -> Kind:
        """The kind that expressions have in common."""
        common: Kind = "anything"
        for item in items:
            common = self._either_of((common, self._kind(item, known)), item)
        return common

    def _either_of(self, kinds: Iterable[Kind], last: ir.Expr) -> Kind:
        """The kind of either of two expressions; this is the last of them."""
        one, other = kinds
        both = _meet(one, other)
        if both is None:
            self._fail(f"{expression_text(last)} is {_named(other)}, unlike the one before")
        return both or "anything"

    def _call(self, e: ir.Call, known: Kinds) -> Kind:
        signature = signature_of(e.function)
        if signature is None:
            self._fail(f"there is no intrinsic {e.function}")
            return "anything"
        if signature.fails != (e.site is not None):
            self._fail(f"{e.function} {'needs a' if signature.fails else 'has no'} site")
        if e.site is not None:
            self._check_site(e.site)
        letters = list(_letters(signature.arguments, len(e.arguments)))
        if len(letters) != len(e.arguments):
            self._fail(f"{len(e.arguments)} arguments of {e.function}({signature.arguments})")
        for letter, argument in zip(letters, e.arguments, strict=False):
            if letter == "s":
                if not isinstance(argument, ir.Array):
                    self._fail(f"{expression_text(argument)} is no state")
                self._kind(argument, known)
            else:
                self._expect(argument, LETTERS[letter], known)
        if signature.result == "l" and signature.arguments[0] == "l":
            return self._kind(e.arguments[0], known)  # `list`, `different`, `through`
        if e.function == "element":
            items = self._kind(e.arguments[0], known)
            return items[1] if isinstance(items, tuple) else "anything"
        return LETTERS.get(signature.result, "anything")


FAULTS: Final = frozenset(name for name, one in OWN.items() if one.result == "-" and one.fails) - {
    "charge"
}  # which always end the function


def _letters(arguments: str, count: int) -> Iterator[str]:
    """The kinds of so many arguments, or of as many as there may be or must be."""
    needed, _, more = arguments.partition("?")
    if needed.endswith("*"):
        needed = needed[:-1]
        needed += needed[-1] * (count - len(needed))
    yield from needed
    yield from more[: max(0, count - len(needed))]


def _kind_of_constant(value: int | bool | float | str) -> Kind:
    return "truth" if isinstance(value, bool) else "text" if isinstance(value, str) else "number"


def kind_of_type(type_: Type) -> Kind:
    """The kind of the values of a type."""
    match type_:
        case List(of=of):
            return ("list", kind_of_type(of))
        case Grid(of=of):
            return ("list", kind_of_type(of))
        case Set():
            return NUMBERS if type_.is_wide else "number"
        case Bool():
            return "truth"
        case Text():
            return "text"
    return "number"


def _fits(found: Kind, wanted: Kind) -> bool:
    """Whether a value of one kind may stand where another is wanted. Truths are the numbers 0 and
    1, and a number that is not 0 is true.
    """
    if isinstance(found, tuple) and isinstance(wanted, tuple):
        return _fits(found[1], wanted[1])
    return _meet(found, wanted) is not None


def _meet(one: Kind, other: Kind) -> Kind | None:
    """The kind of what is either; None if there is none."""
    if one == other or other == "anything":
        return one
    if one == "anything":
        return other
    if isinstance(one, tuple) and isinstance(other, tuple):
        inner = _meet(one[1], other[1])
        return None if inner is None else ("list", inner)
    return "number" if {one, other} == {"number", "truth"} else None


def _joined(one: Kinds | None, other: Kinds | None) -> Kinds | None:
    """The names that are set on both of two paths to the same kind."""
    if one is None or other is None:
        return other if one is None else one
    found = {name: _either(kind, other[name]) for name, kind in one.items() if name in other}
    return {name: kind for name, kind in found.items() if kind is not None}


def _without_flags(known: Kinds) -> Kinds:
    """The same with flags as truths: flags do not hold other flags."""
    return {name: "truth" if isinstance(kind, _Flag) else kind for name, kind in known.items()}


def _are_alike(one: Kinds, other: Kinds) -> bool:
    """Whether the same names are set to the same kinds."""
    return one.keys() == other.keys() and all(
        kind is other[name] or _same(kind, other[name]) for name, kind in one.items()
    )


def _same(one: Kind | _Flag, other: Kind | _Flag) -> bool:
    if isinstance(one, _Flag) and isinstance(other, _Flag):
        return one.known == other.known
    return one == other


def _either(one: Kind | _Flag, other: Kind | _Flag) -> Kind | _Flag | None:
    """What a name is known to be on either of two paths."""
    if one is other:
        return one
    if isinstance(one, _Flag) and isinstance(other, _Flag):
        return _Flag(_joined(one.known, other.known))
    return _meet(*("truth" if isinstance(kind, _Flag) else kind for kind in (one, other)))


def _named(kind: Kind) -> str:
    return f"a list of {_named(kind[1])}" if isinstance(kind, tuple) else kind
