"""The syntax tree of expressions, effect targets and types: what was written, not yet what it
means.
"""

from typing import Literal, NamedTuple

from rulegame.diagnostics import Span
from rulegame.nodes import Node, Scalar

Era = Literal["now", "after", "before"]
Whose = Literal["my", "their"]


class Place(NamedTuple):
    """Where a piece of syntax stands: a stretch of a node's text, or the whole node."""

    node: Node
    start: int = 0
    end: int = -1

    @property
    def span(self) -> Span:
        """The place in the file."""
        if isinstance(self.node, Scalar) and self.end >= 0:
            return self.node.at(self.start, self.end)
        return self.node.span


class Number(NamedTuple):
    place: Place
    value: int


class Truth(NamedTuple):
    place: Place
    value: bool


class Nothing(NamedTuple):
    place: Place


class Text(NamedTuple):
    place: Place
    value: str


class Name(NamedTuple):
    """A bare name: a local, a value, a parameter, a definition or a word."""

    place: Place
    name: str
    era: Era = "now"


class Owned(NamedTuple):
    """`my.score` or `their.score`."""

    place: Place
    whose: Whose
    name: str
    era: Era = "now"


class OfPlayer(NamedTuple):
    """`score of p`."""

    place: Place
    name: str
    player: "Expression"
    era: Era = "now"


class Loop(NamedTuple):
    """`for v in collection if condition`."""

    place: Place
    name: str
    collection: "Expression"
    condition: "Expression | None"


class Call(NamedTuple):
    """A function; with loops, its single argument is evaluated for each element."""

    place: Place
    name: str
    arguments: tuple["Expression", ...]
    loops: tuple[Loop, ...] = ()
    era: Era = "now"


class Indexed(NamedTuple):
    place: Place
    base: "Expression"
    indices: tuple["Expression", ...]


class Negation(NamedTuple):
    place: Place
    operand: "Expression"


class Minus(NamedTuple):
    place: Place
    operand: "Expression"


class Arithmetic(NamedTuple):
    place: Place
    operator: str
    left: "Expression"
    right: "Expression"


class Comparison(NamedTuple):
    """`a < b <= c`: the operands, and the relations between them."""

    place: Place
    operands: tuple["Expression", ...]
    relations: tuple[str, ...]


class Junction(NamedTuple):
    """Operands joined by `and` or by `or`."""

    place: Place
    operator: Literal["and", "or"]
    operands: tuple["Expression", ...]


class Conditional(NamedTuple):
    place: Place
    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"


class Range(NamedTuple):
    place: Place
    low: "Expression"
    high: "Expression"


class ListOf(NamedTuple):
    place: Place
    items: tuple["Expression", ...]


Expression = (
    Number
    | Truth
    | Nothing
    | Text
    | Name
    | Owned
    | OfPlayer
    | Call
    | Indexed
    | Negation
    | Minus
    | Arithmetic
    | Comparison
    | Junction
    | Conditional
    | Range
    | ListOf
)


class Target(NamedTuple):
    """What an effect writes to, with the loops that repeat it."""

    place: Place
    to: Name | Owned | OfPlayer
    indices: tuple["Expression", ...]
    loops: tuple[Loop, ...]


class TypeName(NamedTuple):
    """A declared type: `optional`, words or a base name, and what collects them."""

    place: Place
    collection: str  # list, grid, set, or empty
    optional: bool
    names: tuple[str, ...]
    low: "Expression | None" = None
    high: "Expression | None" = None


def free_names(expression: Expression) -> set[str]:
    """The bare names in an expression, without those that its loops bring."""
    found: set[str] = set()

    def walk(e: object, bound: frozenset[str]) -> None:
        match e:
            case Name(name=name):
                if name not in bound:
                    found.add(name)
            case Call(arguments=arguments, loops=loops):
                for loop in loops:
                    walk(loop.collection, bound)
                    bound = bound | {loop.name}
                    walk(loop.condition, bound)
                for argument in arguments:
                    walk(argument, bound)
            case OfPlayer(player=player):
                walk(player, bound)
            case Indexed(base=base, indices=indices):
                for part in (base, *indices):
                    walk(part, bound)
            case Negation(operand=one) | Minus(operand=one):
                walk(one, bound)
            case Arithmetic(left=left, right=right) | Range(low=left, high=right):
                walk(left, bound)
                walk(right, bound)
            case Comparison(operands=many) | Junction(operands=many) | ListOf(items=many):
                for part in many:
                    walk(part, bound)
            case Conditional(condition=condition, then=then, otherwise=otherwise):
                for part in (condition, then, otherwise):
                    walk(part, bound)

    walk(expression, frozenset())
    return found
