"""Typed expressions: every name resolved, every definition written out, every part with its type.

The binder makes them out of the syntax tree; the emitter turns them into Python code.
"""

from typing import Final, Literal, NamedTuple

from rulegame.expressions.syntax import Era, Place
from rulegame.types import Bool, Text, Type

_BOOL: Final = Bool()
_TEXT: Final = Text()


class Variable(NamedTuple):
    """A declared value of the state."""

    name: str
    type: Type
    each_player: bool = False


class Constant(NamedTuple):
    """A number, truth, word, player or none, as its integer."""

    type: Type
    code: int


class Phrase(NamedTuple):
    """Text as it stands."""

    value: str
    type: Type = _TEXT


class Local(NamedTuple):
    """A choice, a roll, a loop's element or a definition's argument."""

    type: Type
    name: str


class Seat(NamedTuple):
    """The player who moves, or who moved first."""

    type: Type
    which: Literal["me", "first"]


class Value(NamedTuple):
    """A declared value as a whole: of one player if there is an owner, else the shared one or all
    players'.
    """

    type: Type
    variable: Variable
    owner: "Typed | None"
    era: Era


class Element(NamedTuple):
    """One element of a list, or one cell of a grid; indices count from 1."""

    type: Type
    base: "Typed"
    indices: tuple["Typed", ...]
    place: Place


class Operation(NamedTuple):
    """Arithmetic: + - * / and unary minus (with one operand)."""

    type: Type
    operator: str
    operands: tuple["Typed", ...]
    place: Place


class Comparison(NamedTuple):
    """`a < b <= c`."""

    operands: tuple["Typed", ...]
    relations: tuple[str, ...]
    type: Type = _BOOL


class Membership(NamedTuple):
    """`x in collection`."""

    element: "Typed"
    collection: "Typed"
    type: Type = _BOOL


class Junction(NamedTuple):
    """`and` or `or`."""

    operator: Literal["and", "or"]
    operands: tuple["Typed", ...]
    type: Type = _BOOL


class Negation(NamedTuple):
    operand: "Typed"
    type: Type = _BOOL


class Conditional(NamedTuple):
    type: Type
    condition: "Typed"
    then: "Typed"
    otherwise: "Typed"


class Interval(NamedTuple):
    """`a..b`."""

    type: Type
    low: "Typed"
    high: "Typed"
    place: Place


class Row(NamedTuple):
    """A list written out."""

    type: Type
    items: tuple["Typed", ...]


class Apply(NamedTuple):
    """A built-in function."""

    type: Type
    function: str
    arguments: tuple["Typed", ...]
    place: Place


class Loop(NamedTuple):
    """For every element of the collection that fulfils the condition."""

    name: str
    element: Type
    collection: "Typed"
    condition: "Typed | None"
    place: Place


class Aggregate(NamedTuple):
    """any, all, sum, count, min, max or list over loops."""

    type: Type
    function: str
    body: "Typed"
    loops: tuple[Loop, ...]
    place: Place


class Let(NamedTuple):
    """A definition's argument, evaluated once."""

    type: Type
    name: str
    value: "Typed"
    body: "Typed"


Typed = (
    Constant
    | Phrase
    | Local
    | Seat
    | Value
    | Element
    | Operation
    | Comparison
    | Membership
    | Junction
    | Negation
    | Conditional
    | Interval
    | Row
    | Apply
    | Aggregate
    | Let
)


class Write(NamedTuple):
    """One effect: where to, the loops that repeat it, and the new value."""

    variable: Variable
    owner: Typed | None
    indices: tuple[Typed, ...]
    loops: tuple[Loop, ...]
    value: Typed
    place: Place


def parts(typed: Typed) -> tuple[Typed, ...]:
    """The expressions that the expression is directly made of."""
    match typed:
        case Constant() | Phrase() | Local() | Seat():
            return ()
        case Value(owner=owner):
            return () if owner is None else (owner,)
        case Element(base=base, indices=indices):
            return (base, *indices)
        case Operation(operands=many) | Comparison(operands=many) | Junction(operands=many):
            return many
        case Membership(element=element, collection=collection):
            return (element, collection)
        case Negation(operand=one):
            return (one,)
        case Conditional(condition=condition, then=then, otherwise=otherwise):
            return (condition, then, otherwise)
        case Interval(low=low, high=high):
            return (low, high)
        case Row(items=many) | Apply(arguments=many):
            return many
        case Aggregate(body=body, loops=loops):
            return (body, *loop_parts(loops))
        case Let(value=value, body=body):
            return (value, body)


def loop_parts(loops: tuple[Loop, ...]) -> tuple[Typed, ...]:
    """The collections and conditions of loops."""
    return tuple(
        part for loop in loops for part in (loop.collection, loop.condition) if part is not None
    )


def every_part(typed: Typed) -> list[Typed]:
    """The expression and all that it is made of, at any depth."""
    found: list[Typed] = []
    pending = [typed]
    while pending:
        one = pending.pop()
        found.append(one)
        pending += parts(one)
    return found


def owner_key(owner: Typed | None) -> str:
    """A name for an owner that is known when the code is written; '?' for any other."""
    match owner:
        case None:
            return ""
        case Seat(which="me"):
            return "me"
        case Apply(function="next", arguments=(Seat(which="me"),)):
            return "them"
        case Constant(code=code):
            return str(code)
    return "?"
