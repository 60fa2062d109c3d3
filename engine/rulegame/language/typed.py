"""Typed expressions: every name resolved, every definition written out, every part with its type.

The binder makes them out of the syntax tree; the emitter turns them into Python code.
"""

from typing import Final, Literal, NamedTuple

from rulegame.language.syntax import Era, Place
from rulegame.language.trees import Tree
from rulegame.language.types import Bool, Text, Type

_BOOL: Final = Bool()
_TEXT: Final = Text()


class Variable(NamedTuple):
    """A declared value of the state."""

    name: str
    type: Type
    each_player: bool = False


class Constant(Tree):
    """A number, truth, word, player or none, as its integer."""

    type: Type
    code: int


class TextLiteral(Tree):
    """Text as it stands."""

    value: str
    type: Type = _TEXT


class Local(Tree):
    """A choice, a roll, a loop's element or a definition's argument."""

    type: Type
    name: str


class Seat(Tree):
    """The player who moves, or who moved first."""

    type: Type
    which: Literal["me", "first"]


class Value(Tree):
    """A declared value as a whole: of one player if there is an owner, else the shared one or all
    players'.
    """

    type: Type
    variable: Variable
    owner: "Typed | None"
    era: Era


class BoardName(Tree):
    """A board, whatever is on it: what functions are asked of that give cells."""

    type: Type
    name: str


class Element(Tree):
    """One element of a list, or one cell of a grid; indices count from 1. A grid may
    have one index, a cell of it.
    """

    type: Type
    base: "Typed"
    indices: tuple["Typed", ...]
    place: Place


class Arithmetic(Tree):
    """Arithmetic: + - * / and unary minus (with one operand)."""

    type: Type
    operator: str
    operands: tuple["Typed", ...]
    place: Place


class Compare(Tree):
    """`a < b <= c`."""

    operands: tuple["Typed", ...]
    relations: tuple[str, ...]
    type: Type = _BOOL


class Membership(Tree):
    """`x in collection`."""

    element: "Typed"
    collection: "Typed"
    type: Type = _BOOL


class BoolOp(Tree):
    """`and` or `or`."""

    operator: Literal["and", "or"]
    operands: tuple["Typed", ...]
    type: Type = _BOOL


class Not(Tree):
    operand: "Typed"
    type: Type = _BOOL


class IfElse(Tree):
    type: Type
    condition: "Typed"
    then: "Typed"
    otherwise: "Typed"


class Range(Tree):
    """`a..b`."""

    type: Type
    low: "Typed"
    high: "Typed"
    place: Place


class ListLiteral(Tree):
    """A list written out."""

    type: Type
    items: tuple["Typed", ...]


class Call(Tree):
    """A built-in function."""

    type: Type
    function: str
    arguments: tuple["Typed", ...]
    place: Place


class Loop(Tree):
    """For every element of the collection that fulfils the condition."""

    name: str
    element: Type
    collection: "Typed"
    condition: "Typed | None"
    place: Place


class Aggregate(Tree):
    """any, all, sum, count, min, max or list over loops."""

    type: Type
    function: str
    body: "Typed"
    loops: tuple[Loop, ...]
    place: Place


class Let(Tree):
    """A definition's argument, evaluated once."""

    type: Type
    name: str
    value: "Typed"
    body: "Typed"


Typed = (
    Constant
    | TextLiteral
    | Local
    | Seat
    | Value
    | BoardName
    | Element
    | Arithmetic
    | Compare
    | Membership
    | BoolOp
    | Not
    | IfElse
    | Range
    | ListLiteral
    | Call
    | Aggregate
    | Let
)


class Write(Tree):
    """One effect: where to, the loops that repeat it, and the new value."""

    variable: Variable
    owner: Typed | None
    indices: tuple[Typed, ...]
    loops: tuple[Loop, ...]
    value: Typed
    place: Place
    source: Place  # of the value


def parts(typed: Typed | Loop) -> list[Typed]:
    """The expressions that the expression is directly made of, those of its loops included."""
    found: list[Typed] = []
    for name in typed.__holds_nodes__:
        value = getattr(typed, name)
        if type(value) is not tuple:
            if value is not None:
                found.append(value)
            continue
        for one in value:
            if type(one) is Loop:
                found += parts(one)
            else:
                found.append(one)
    return found


def loop_parts(loops: tuple[Loop, ...]) -> list[Typed]:
    """The collections and conditions of loops."""
    return [part for loop in loops for part in parts(loop)]


def every_part(typed: Typed) -> list[Typed]:
    """The expression and all that it is made of, at any depth."""
    found: list[Typed] = []
    pending = [typed]
    while pending:
        one = pending.pop()
        found.append(one)
        pending += parts(one)
    return found


def free_names(e: Typed) -> set[str]:
    """The local names in an expression that it does not bind itself."""
    named: set[str] = set()
    bound: set[str] = set()
    for part in every_part(e):
        match part:
            case Local(name=name):
                named.add(name)
            case Let(name=name):
                bound.add(name)
            case Aggregate(loops=loops):
                bound.update(loop.name for loop in loops)
    return named - bound


def owner_key(owner: Typed | None) -> str:
    """A name for an owner that is known when the code is written; '?' for any other."""
    match owner:
        case None:
            return ""
        case Seat(which="me"):
            return "me"
        case Call(function="next", arguments=(Seat(which="me"),)):
            return "them"
        case Constant(code=code):
            return str(code)
    return "?"
