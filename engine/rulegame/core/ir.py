"""The intermediate representation: functions over the cells of a state.

Lowering (`evaluation.emitting`, `compiling`) builds it from typed expressions and statements,
`passes` improve it, backends translate it; `printer` shows it, and `verify` checks it. It knows
four arrays of integers: the state `s`, the next state `t`, the words of a move `m`, and the state
after a move as validity rules see it, `u`, which `passes.substitute_after` removes. A call may
fail; its `site` is the index of a source location.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from typing import Any, ClassVar, Final, Literal, NamedTuple, Self

from rulegame.core import SEATS, SITES
from rulegame.language.syntax import Place
from rulegame.language.trees import Tree
from rulegame.language.types import UNBOUNDED, Bool, Int, List, Text, Type, known_range
from rulegame.language.types import bounds_of as bounds_of_arithmetic

Bounds = tuple[int, int]
ONE: Final = ("Expr", "Call")  # annotations of fields
SEVERAL: Final = ("tuple[Expr, ...]", "Block")

State = Literal["s", "t", "u", "m"]
Relation = str  # one of == != < <= > >= in
Operator = str  # one of + - * // % neg not popcount; in kernels also / & | ^ << >>


class Node(Tree):
    """An expression or a statement. `source` is where the ruleset says so; None: see the node
    around it.
    """

    __hidden__ = ("_source",)
    __inside__: ClassVar[tuple[str, ...]] = ()  # the fields that are nodes,
    __within__: ClassVar[tuple[str, ...]] = ()  # and those that hold several

    def __init_subclass__(cls) -> None:
        names: tuple[str, ...] = cls.__match_args__
        kinds = {name: cls.__annotations__[name].replace("ir.", "") for name in names}
        cls.__inside__ = tuple(n for n, kind in kinds.items() if kind.partition(" |")[0] in ONE)
        cls.__within__ = tuple(n for n, kind in kinds.items() if kind in SEVERAL)

    def __hash__(self) -> int:
        fields = [tuple(one) if type(one) is list else one for one in self.fields()]
        return hash((type(self), *fields))

    def __eq__(self, other: object) -> bool:
        return super().__eq__(other)

    @property
    def source(self) -> Place | None:
        return getattr(self, "_source", None)

    def replace(self, **changes: Any) -> Self:
        made = super().replace(**changes)
        source = getattr(self, "_source", None)
        if source is not None:
            _set_source(made, source)
        return made

    def at(self, source: Place | None) -> Self:
        """The node, with a source location unless it has one."""
        if self.source is None:
            _set_source(self, source)
        return self


class Expr(Node):
    """An expression. Its type is that of the ruleset's expression, or follows from the operands;
    None: it has none there.
    """

    __hidden__ = ("_type",)

    @property
    def type(self) -> Type | None:
        return self.declared_type or structural_type(self)

    @property
    def declared_type(self) -> Type | None:
        return getattr(self, "_type", None)

    @property
    def bounds(self) -> Bounds:
        """The least and the greatest number that the value may be."""
        return bounds_of(self.type)

    def replace(self, **changes: Any) -> Self:
        made = super().replace(**changes)
        type_ = getattr(self, "_type", None)
        if type_ is not None:
            _set_type(made, type_)
        return made

    def typed(self, type_: Type | None) -> Self:
        """The expression, with a type unless it has one."""
        if type_ is not None and getattr(self, "_type", None) is None:
            _set_type(self, type_)
        return self


_set_source: Final = Node.__dict__["_source"].__set__
_set_type: Final = Expr.__dict__["_type"].__set__


class Stmt(Node):
    """A statement."""


Block = list[Stmt]  # lowering appends to blocks that are already part of a statement

# ---- expressions


class Const(Expr):
    """A number, a truth value, or a text."""

    value: int | bool | float | str


class Local(Expr):
    """A local variable, or a parameter."""

    name: str


class Array(Expr):
    """All cells of a state, as an argument of a call."""

    state: State


class Load(Expr):
    """One cell."""

    state: State
    offset: Expr


class Slice(Expr):
    """Consecutive cells. A `view` is read before the next store; otherwise the cells are copied."""

    state: State
    start: Expr
    size: int
    view: bool = False


class Item(Expr):
    """An element of a list, counted from 0."""

    items: Expr
    index: Expr


class Op(Expr):
    """Arithmetic, negation, or the number of bits that are set."""

    operator: Operator
    operands: tuple[Expr, ...]


class Compare(Expr):
    """A chain of comparisons; later operands are evaluated only if the earlier ones hold."""

    operands: tuple[Expr, ...]
    relations: tuple[Relation, ...]


class BoolOp(Expr):
    """A conjunction or disjunction, evaluated from left to right as far as necessary."""

    operator: Literal["and", "or"]
    operands: tuple[Expr, ...]


class Select(Expr):
    """One of two values; the other is not evaluated."""

    test: Expr
    then: Expr
    otherwise: Expr


class ListExpr(Expr):
    """A list of given elements."""

    items: tuple[Expr, ...]


class Call(Expr):
    """A call of an intrinsic (`core.intrinsics`). `site` is given if it may fail; it is `sure` if
    it does not with values of its arguments' types.
    """

    function: str
    arguments: tuple[Expr, ...]
    site: int | None = None
    sure: bool = False


class BlockExpr(Expr):
    """Statements, then a value: what a loop computes. Lowering makes it; the pass `linearize`
    places the statements, so that backends do not meet it.
    """

    body: Block
    value: Expr


class Incremental(Expr):
    """An end condition that did not hold before the move: of the lines that a loop goes through,
    only those with one of the changed cells matter. The pass `incremental_ends` narrows the loop.
    """

    condition: Expr
    loop: str
    cells: tuple[Expr, ...]


# ---- statements


class Assign(Stmt):
    """Set a local variable."""

    name: str
    value: Expr


class CopyState(Stmt):
    """Copy all cells of `s` to `t`, or let `u` have them."""

    state: State = "t"


class Store(Stmt):
    """Write one cell of `t`; or give one of `u`, whose value is evaluated where it is read."""

    offset: Expr
    value: Expr
    state: State = "t"


class StoreSlice(Stmt):
    """Write a list into consecutive cells of `t`, or of `u`."""

    start: Expr
    size: int
    value: Expr
    state: State = "t"


class If(Stmt):
    """A conditional statement; `rule` is the validity rule that the test is, if it is one."""

    test: Expr
    then: Block
    otherwise: Block
    rule: str = ""


class For(Stmt):
    """A loop over a list."""

    name: str
    collection: Expr
    body: Block


class Break(Stmt):
    """Leave the innermost loop."""


class NewList(Stmt):
    """Set a local variable to an empty list. `distinct`: it will have no element twice, and is
    appended to at one place.
    """

    name: str
    distinct: bool = False


class Append(Stmt):
    """Append to a list."""

    name: str
    value: Expr


class Do(Stmt):
    """A call for its effect."""

    call: Call


class NewOffers(Stmt):
    """Begin the list of valid moves."""


class Offer(Stmt):
    """Append a valid move."""

    operation: str
    choices: tuple[Expr, ...]


class OfferAll(Stmt):
    """Begin the list of valid moves with those that another function finds."""

    function: str


class Compel(Stmt):
    """Drop the moves of some operations that fail a compulsory rule, if one of them satisfies it.
    For each operation a function tests a move; its arguments are these, then the choices.
    """

    rule: str
    operations: tuple[str, ...]
    functions: tuple[str, ...]
    arguments: tuple[Expr, ...]


class Attempt(Stmt):
    """Apply the effects of an operation to a copy of the state, `t`, and run the body, unless they
    divide by zero.
    """

    operation: str
    arguments: tuple[Expr, ...]
    body: Block


class NewWrites(Stmt):
    """Begin a list of deferred writes; `joint`: those of all players who move at once."""

    joint: bool = False


class Defer(Stmt):
    """Append a write to the deferred ones."""

    offset: Expr
    value: Expr


class DeferJoint(Stmt):
    """Append a write of a player to those of all players."""

    player: Expr
    offset: Expr
    value: Expr
    site: int


class Commit(Stmt):
    """Carry out the deferred writes; two to the same cell are a fault."""

    site: int


class CommitJoint(Stmt):
    """Carry out the writes of all players; those of two players to the same cell are a fault."""


class Return(Stmt):
    """Return a value: that of an expression, whether the game is over, or all cells of the next
    state.
    """

    value: Expr


class ReturnState(Stmt):
    """Return `t`."""


class ReturnMoves(Stmt):
    """Return the offered moves, or none if the condition does not hold."""

    condition: Expr | None = None


class ReturnOperations(Stmt):
    """Return one move for each of the operations, which have no choices."""

    operations: tuple[str, ...]


class ReturnEvents(Stmt):
    """Return the values of a roll and their weights; without weights they are equally likely."""

    values: Expr
    weights: Expr | None


RETURNS: Final = (Return, ReturnState, ReturnMoves, ReturnOperations, ReturnEvents)

# Those that change `t`.
WRITES: Final = (Store, StoreSlice, CopyState, Commit, CommitJoint, Attempt)


# ---- functions


class Role(Enum):
    """The question that a function answers."""

    MOVES = "moves"
    PLAY = "play"
    EVENTS = "events"
    OVER = "over"
    STUCK = "stuck"
    GATE = "gate"
    AFTER = "after"
    MUST = "must"
    CHECK = "check"
    VALUE = "value"


class Function(Node):
    """A function. Its parameters are states, the words of a move, and numbers with their types."""

    name: str
    role: Role
    parameters: tuple[Local, ...]
    body: Block


class StateValue(NamedTuple):
    """A value of a state: its cells, and the least and greatest number that each of them holds, as
    far as that is certain. While a game goes on, that is: its end uses the cells otherwise.
    """

    name: str
    cells: range
    low: int | None = None
    high: int | None = None


class Operation(NamedTuple):
    """An operation: the first word of its moves, and how many choices follow."""

    number: int
    choices: int


class Module(NamedTuple):
    """All functions of a ruleset, and what they refer to."""

    functions: Mapping[str, Function]  # by name
    values: tuple[StateValue, ...]  # of a state, in the order of their cells
    players: int
    operations: Mapping[str, Operation]
    sites: int  # how many source locations there are
    metered: bool  # a move may spend its whole budget of steps

    @property
    def size(self) -> int:
        """The cells of a state."""
        return max((value.cells.stop for value in self.values), default=0)


ANYTHING: Final = (-UNBOUNDED, UNBOUNDED)
BOOL: Final = Bool()
TEXT: Final = Text()
RANGED: Final = ("+", "-", "*")


def describe(e: Expr, type_: Type, source: Place | None) -> None:
    """Set the type and the source location of an expression that was just made."""
    _set_type(e, type_)
    _set_source(e, source)


def bounds_of(type_: Type | None) -> Bounds:
    """The least and the greatest number of a type."""
    return known_range(type_) or ANYTHING


def structural_type(e: Expr) -> Type | None:
    """The type that follows from the operands."""
    match e:
        case Const(value=bool()) | Compare() | BoolOp() | Op(operator="not"):
            return BOOL
        case Const(value=int() as value):
            return Int(value, value)
        case Const(value=str()):
            return TEXT
        case Op(operator=operator, operands=operands):
            types = [operand.type for operand in operands]
            numbers = [one for one in types if isinstance(one, Int)]
            if operator in RANGED and len(numbers) == 2:
                return bounds_of_arithmetic(operator, numbers)
            return Int(*ANYTHING)
        case Load():
            return Int(*ANYTHING)
        case Slice(size=size):
            return List(Int(), size)
        case Select(then=then, otherwise=otherwise):
            return then.type if then.type == otherwise.type else None
        case BlockExpr(value=value):
            return value.type
        case Incremental(condition=condition):
            return condition.type
    return None


def children(node: Node) -> list[Node]:
    """The nodes directly inside a node, in the order of its fields."""
    if not node.__within__:
        found = [getattr(node, name) for name in node.__inside__]
        return [one for one in found if one is not None]
    children: list[Node] = []
    names: tuple[str, ...] = node.__match_args__
    for name in names:
        if name in node.__within__:
            children += getattr(node, name)
        elif name in node.__inside__:
            children.append(getattr(node, name))
    return children


def walk(*roots: Node) -> Iterator[Node]:
    """All nodes, parents before children."""
    waiting: list[Node] = list(reversed(roots))
    while waiting:
        node = waiting.pop()
        yield node
        kind = type(node)
        if kind is Local or kind is Const:
            continue
        if node.__within__:
            waiting += reversed(children(node))
        else:
            for name in reversed(node.__inside__):
                child = getattr(node, name)
                if child is not None:
                    waiting.append(child)


def blocks(statement: Stmt) -> list[Block]:
    """The blocks directly inside a statement."""
    return [value for value in statement.fields() if isinstance(value, list)]


def statements(*block: Stmt) -> Iterator[Stmt]:
    """All statements, those inside others too, but not those inside expressions."""
    for statement in block:
        yield statement
        for name in statement.__within__:
            inner = getattr(statement, name)
            if type(inner) is list:
                yield from statements(*inner)


def own_nodes(node: Node) -> Iterator[Node]:
    """A node and the expressions in it, without the blocks inside."""
    yield node
    for child in () if isinstance(node, BlockExpr) else children(node):
        if isinstance(child, Expr):
            yield from own_nodes(child)


def called_by(function: Function) -> set[str]:
    """The intrinsics and the functions that a function calls."""
    names: set[str] = set()
    for node in walk(function):
        if isinstance(node, (Call, OfferAll)):
            names.add(node.function)
        elif isinstance(node, Attempt):
            names.add(f"after_{node.operation}")
        elif isinstance(node, Compel):
            names.update(("compel", *node.functions))
    return names


def constants_of(collection: Expr) -> Sequence[int] | None:
    """The elements of a range or list of constants."""
    match collection:
        case Call(function="range", arguments=(Const(value=low), Const(value=high))):
            return range(int(low), int(high))
        case ListExpr(items=items):
            values = [one.value for one in items if isinstance(one, Const)]
            return None if len(values) < len(items) else [int(value) for value in values]
    return None


def add(left: Expr, right: Expr) -> Expr:
    """The sum, with constants folded."""
    if isinstance(left, Const) and isinstance(left.value, int):
        if isinstance(right, Const) and isinstance(right.value, int):
            return Const(left.value + right.value)
        if left.value == 0:
            return right
        left, right = right, left
    if isinstance(right, Const) and isinstance(right.value, int):
        if right.value == 0:
            return left
        match left:
            case Op(operator="+", operands=(first, Const(value=int() as known))):
                return add(first, Const(known + right.value))
    return Op("+", (left, right))


def subtract(left: Expr, right: Expr) -> Expr:
    return Op("-", (left, right))


def multiply(left: Expr, right: Expr) -> Expr:
    return Op("*", (left, right))


def invert(test: Expr) -> Expr:
    return Op("not", (test,))


def compare(left: Expr, relation: Relation, right: Expr) -> Expr:
    return Compare((left, right), (relation,))


def between(low: Expr, value: Expr, high: Expr, below: bool = False) -> Expr:
    """low <= value <= high; or value < high, if it must be `below`."""
    return Compare((low, value, high), ("<=", "<" if below else "<="))


def call(function: str, *arguments: Expr, site: int | None = None, sure: bool = False) -> Call:
    return Call(function, arguments, site, sure)


def joint_key(write: DeferJoint) -> Expr:
    """The player, the cell and the site of a write, in one number."""
    player = add(multiply(write.offset, Const(SEATS)), write.player)
    return add(player, Const(write.site * SITES))
