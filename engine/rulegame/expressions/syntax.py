"""The syntax tree of expressions, effect targets and types: what was written, not yet what it
means.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from rulegame.diagnostics import Span
from rulegame.nodes import Node, Scalar

Era = Literal["now", "after", "before"]
Whose = Literal["my", "their"]


@dataclass(frozen=True, slots=True)
class Place:
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


@dataclass(frozen=True, slots=True)
class Number:
    place: Place
    value: int


@dataclass(frozen=True, slots=True)
class Truth:
    place: Place
    value: bool


@dataclass(frozen=True, slots=True)
class Nothing:
    place: Place


@dataclass(frozen=True, slots=True)
class Text:
    place: Place
    value: str


@dataclass(frozen=True, slots=True)
class Name:
    """A bare name: a local, a value, a parameter, a definition or a word."""

    place: Place
    name: str
    era: Era = "now"


@dataclass(frozen=True, slots=True)
class Owned:
    """`my.score` or `their.score`."""

    place: Place
    whose: Whose
    name: str
    era: Era = "now"


@dataclass(frozen=True, slots=True)
class OfPlayer:
    """`score of p`."""

    place: Place
    name: str
    player: Expression
    era: Era = "now"


@dataclass(frozen=True, slots=True)
class Loop:
    """`for v in collection if condition`."""

    place: Place
    name: str
    collection: Expression
    condition: Expression | None


@dataclass(frozen=True, slots=True)
class Call:
    """A function; with loops, its single argument is evaluated for each element."""

    place: Place
    name: str
    arguments: tuple[Expression, ...]
    loops: tuple[Loop, ...] = ()
    era: Era = "now"


@dataclass(frozen=True, slots=True)
class Indexed:
    place: Place
    base: Expression
    indices: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Negation:
    place: Place
    operand: Expression


@dataclass(frozen=True, slots=True)
class Minus:
    place: Place
    operand: Expression


@dataclass(frozen=True, slots=True)
class Arithmetic:
    place: Place
    operator: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Comparison:
    """`a < b <= c`: the operands, and the relations between them."""

    place: Place
    operands: tuple[Expression, ...]
    relations: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Junction:
    """Operands joined by `and` or by `or`."""

    place: Place
    operator: Literal["and", "or"]
    operands: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Conditional:
    place: Place
    condition: Expression
    then: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True)
class Range:
    place: Place
    low: Expression
    high: Expression


@dataclass(frozen=True, slots=True)
class ListOf:
    place: Place
    items: tuple[Expression, ...]


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


@dataclass(frozen=True, slots=True)
class Target:
    """What an effect writes to, with the loops that repeat it."""

    place: Place
    to: Name | Owned | OfPlayer
    indices: tuple[Expression, ...]
    loops: tuple[Loop, ...]


@dataclass(frozen=True, slots=True)
class TypeName:
    """A declared type: `optional`, words or a base name, and what collects them."""

    place: Place
    collection: Literal["", "list", "grid", "set"]
    optional: bool
    names: tuple[str, ...]
    low: Expression | None = None
    high: Expression | None = None
