"""The syntax tree of expressions, effect targets and types: what was written, not yet what it
means.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple, cast

from rulegame.diagnostics import Passage, Span
from rulegame.language.trees import Tree, parts

Era = Literal["now", "after", "before"]
Whose = Literal["my", "their"]


class Place(NamedTuple):
    """Where a piece of syntax stands: a stretch of a passage, or all of it."""

    passage: Passage
    start: int = 0
    end: int = -1

    @property
    def span(self) -> Span:
        """The place in the file."""
        passage = self.passage
        return passage.span if self.end < 0 else passage.at(self.start, self.end)

    @property
    def written(self) -> str:
        """What is written there, on one line."""
        end = None if self.end < 0 else self.end
        return " ".join(self.passage.text[self.start : end].split())

    def group(self, pattern: str) -> Place:
        """The place of the first group of a pattern that fits what stands here; else the same."""
        found = re.compile(pattern).match(self.passage.text, self.start)
        return self if found is None else Place(self.passage, *found.span(1))


class Number(Tree):
    place: Place
    value: int


class Truth(Tree):
    place: Place
    value: bool


class NoneLiteral(Tree):
    place: Place


class TextLiteral(Tree):
    place: Place
    value: str


class Name(Tree):
    """A bare name: a local, a value, a parameter, a definition or a word."""

    place: Place
    name: str
    era: Era = "now"


class Owned(Tree):
    """`my.score` or `their.score`."""

    place: Place
    whose: Whose
    name: str
    era: Era = "now"


class OfPlayer(Tree):
    """`score of p`."""

    place: Place
    name: str
    player: Expression
    era: Era = "now"


class Loop(Tree):
    """`for v in collection if condition`."""

    place: Place
    name: str
    collection: Expression
    condition: Expression | None


class Call(Tree):
    """A function; with loops, its single argument is evaluated for each element."""

    place: Place
    name: str
    arguments: tuple[Expression, ...]
    loops: tuple[Loop, ...] = ()
    era: Era = "now"


class Binding(Tree):
    """`x = a + b` in a `let`."""

    place: Place
    name: str
    value: Expression


class Let(Tree):
    """`let(x = a + b, x * x)`: names for parts, each known from then on, and the value."""

    place: Place
    name: str  # what is called so; only `let` can be
    bindings: tuple[Binding, ...]
    body: Expression


class Element(Tree):
    place: Place
    base: Expression
    indices: tuple[Expression, ...]


class Not(Tree):
    place: Place
    operand: Expression


class Minus(Tree):
    place: Place
    operand: Expression


class Arithmetic(Tree):
    place: Place
    operator: str
    left: Expression
    right: Expression


class Compare(Tree):
    """`a < b <= c`: the operands, and the relations between them."""

    place: Place
    operands: tuple[Expression, ...]
    relations: tuple[str, ...]


class BoolOp(Tree):
    """Operands joined by `and` or by `or`."""

    place: Place
    operator: Literal["and", "or"]
    operands: tuple[Expression, ...]


class IfElse(Tree):
    place: Place
    condition: Expression
    then: Expression
    otherwise: Expression


class Range(Tree):
    place: Place
    low: Expression
    high: Expression


class ListLiteral(Tree):
    place: Place
    items: tuple[Expression, ...]


class WordsOf(Tree):
    """`rock | paper | scissors`: words to choose from."""

    place: Place
    words: tuple[str, ...]


Expression = (
    Number
    | Truth
    | NoneLiteral
    | TextLiteral
    | Name
    | Owned
    | OfPlayer
    | Call
    | Let
    | Element
    | Not
    | Minus
    | Arithmetic
    | Compare
    | BoolOp
    | IfElse
    | Range
    | ListLiteral
    | WordsOf
)


class Target(Tree):
    """What an effect writes to, with the loops that repeat it."""

    place: Place
    to: Name | Owned | OfPlayer
    indices: tuple[Expression, ...]
    loops: tuple[Loop, ...]


class TypeName(Tree):
    """A declared type: `optional`, words or a base name, and what collects them."""

    place: Place
    collection: str  # list, grid, set, or empty
    optional: bool
    names: tuple[str, ...]
    low: Expression | None = None
    high: Expression | None = None
    board: str = ""  # of a cell


Named = Name | Owned | OfPlayer | Call
_NAMED: Final = r"(?:(?:after|before)\s*\.\s*)?(?:(?:my|their)\s*\.\s*)?([A-Za-z][A-Za-z0-9_]*)"


def name_place(e: Name | Owned | OfPlayer | Call) -> Place:
    """Where the name itself stands: `score` in `after.my.score`, `score` in `score of p`."""
    return e.place.group(_NAMED)


def operands(e: Expression) -> list[Expression]:
    """The expressions directly inside of one that has no loops."""
    return cast("list[Expression]", parts(e))


def free_names(expression: Expression) -> set[str]:
    """The bare names in an expression, without those that it brings itself."""
    found: set[str] = set()

    def walk(e: Tree, bound: frozenset[str]) -> None:
        match e:
            case Name(name=name):
                if name not in bound:
                    found.add(name)
            case Let(bindings=bindings, body=body):
                for binding in bindings:
                    walk(binding.value, bound)
                    bound = bound | {binding.name}
                walk(body, bound)
            case Call(arguments=arguments, loops=loops):
                for loop in loops:
                    walk(loop.collection, bound)
                    bound = bound | {loop.name}
                    if loop.condition is not None:
                        walk(loop.condition, bound)
                for argument in arguments:
                    walk(argument, bound)
            case _:
                for part in parts(e):
                    walk(part, bound)

    walk(expression, frozenset())
    return found
