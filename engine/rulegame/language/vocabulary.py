"""What names mean: in a ruleset as a whole, and at one place of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Literal, NamedTuple

from rulegame.language import syntax
from rulegame.language.shape import shape
from rulegame.language.syntax import Era, Expression, Place
from rulegame.language.typed import Typed, Variable
from rulegame.language.types import RESULTS, Cell, Index, Int, Order, Type, Word

_NO_NAMES: Final[Mapping[str, Any]] = {}


class Parameter(NamedTuple):
    """A constant of the game: its type and its value (a list as a tuple)."""

    name: str
    type: Type
    value: int | tuple[int, ...]


class NamedType(NamedTuple):
    """A declared type: words in order, a range of numbers, or the cells of a board."""

    name: str
    type: Word | Int | Cell


def orders(types: Iterable[NamedType]) -> dict[str, Order]:
    """The order of each word of declared types."""
    words = (one.type for one in types if isinstance(one.type, Word))
    return {word: of.order for of in words for word in of.words if of.order is not None}


class Definition(NamedTuple):
    """A named value, or a function of its parameters."""

    name: str
    parameters: tuple[str, ...] | None
    body: Expression
    place: Place
    about: str = ""  # what it is in the author's words


class Sayings:
    """Expressions that a definition with words of its own was expanded to: the words can be said
    instead. An expression that only looks the same is not meant. A copy knows the expressions that
    were copied with it.
    """

    def __init__(self, found: Iterable[tuple[Typed, Definition]] = ()) -> None:
        self._found = {id(whole): (whole, definition) for whole, definition in found}

    def add(self, whole: Typed, definition: Definition) -> None:
        self._found[id(whole)] = whole, definition

    def of(self, part: Typed) -> Definition | None:
        """The definition that was expanded to this very expression."""
        return self._found[id(part)][1] if id(part) in self._found else None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sayings) and self._pairs() == other._pairs()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[type[Sayings], tuple[list[tuple[Typed, Definition]]]]:
        return Sayings, (self._pairs(),)

    def _pairs(self) -> list[tuple[Typed, Definition]]:
        return list(self._found.values())


LocalKind = Literal["choose", "roll", "let", "step roll"]
LOCAL_KINDS: Final[Mapping[LocalKind, str]] = {
    "choose": "a choice",
    "roll": "a roll",
    "let": "a value that lives during a move",
    "step roll": "a roll of the step",
}


class LocalName(NamedTuple):
    """A choice, a roll or a value that only its own operation or step knows."""

    kind: LocalKind
    owner: str

    def __str__(self) -> str:
        of = "" if self.kind == "step roll" else "of "
        return f"{LOCAL_KINDS[self.kind]} {of}'{self.owner}'"


@dataclass(slots=True)
class Vocabulary:
    """What names mean in a ruleset."""

    players: int
    parameters: dict[str, Parameter] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=lambda: {w: k for k, w in enumerate(RESULTS)})
    locals_elsewhere: dict[str, LocalName] = field(default_factory=dict)
    types: dict[str, NamedType] = field(default_factory=dict)
    orders: dict[str, Order] = field(default_factory=dict)  # of words of a declared type
    broken: set[str] = field(default_factory=set)  # declared with a mistake, which has its message
    said: Sayings = field(default_factory=Sayings)
    used: set[str] = field(default_factory=set)  # parameters that some expression reads
    names: tuple[str, ...] = ()  # of the players
    # Where all players act at once: what each has chosen. There is nobody who moves, then.
    everyone: Mapping[str, Variable] | None = None

    @property
    def own(self) -> set[str]:
        """The names that the ruleset gives, choices and rolls aside."""
        return {*self.parameters, *self.variables, *self.definitions, *self.words, *self.types}

    def word(self, *words: str) -> Word:
        """The type of one of these words: in order, if one declared type has them all."""
        orders = {self.orders.get(word) for word in words}
        return Word(words, orders.pop() if len(orders) == 1 else None)

    def index(self, of: Word | Int | Cell) -> Index:
        """What a list is indexed by: all values of a declared type or of a range."""
        match of:
            case Word(words=words):
                return Index(of, self.words[words[0]], len(words))
            case Int(low=low, high=high):
                return Index(of, low, high - low + 1)
        return Index(of, 0, of.rows * of.columns)


class Scope(NamedTuple):
    """What may be used in one place of a ruleset, beside the vocabulary."""

    locals: Mapping[str, Type] = _NO_NAMES
    state: bool = True
    me: bool = True
    instead: str = ""  # what to write where there is no `me`
    eras: tuple[Era, ...] = ()
    texts: bool = False
    narrowed: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = _NO_NAMES  # locals under another name in the code
    era: Era = "now"  # of everything in a definition that was called with `after.`
    calls: tuple[str, ...] = ()
    lets: Mapping[str, Variable] = _NO_NAMES  # values of the move, which are no part of the state
    compulsory: bool = False  # the condition of a compulsory rule

    def with_local(self, name: str, type_: Type, code_name: str) -> Scope:
        """The scope inside a loop."""
        return self._replace(
            locals={**self.locals, name: type_},
            renamed={**self.renamed, name: code_name},
            narrowed=frozenset(k for k in self.narrowed if repr(name) not in k),
        )

    def assuming(self, condition: Expression, truth: bool) -> Scope:
        """The scope where the condition has that truth: what is then known not to be none, or to be
        inside a grid.
        """
        return self._replace(narrowed=self.narrowed | _facts(condition, truth))

    def has(self, e: Expression) -> bool:
        """Whether a value is known not to be none there."""
        return _key(e) in self.narrowed

    def is_inside(self, cell: syntax.Element) -> bool:
        """Whether a condition has made sure that the grid has such a cell."""
        return _inside(cell.base, *cell.indices) in self.narrowed


def _key(e: Expression) -> str:
    """A text that two expressions share only if they are written alike, and so name the same
    value.
    """
    return str(shape(e))


def _inside(grid: Expression, *indices: Expression) -> str:
    return f"inside {_key(grid)} {[_key(index) for index in indices]}"


def _facts(e: Expression, truth: bool) -> frozenset[str]:
    """The values that are known not to be none, and the cells that are known to be there, if the
    condition has that truth.
    """
    match e:
        case syntax.Compare(operands=(left, right), relations=(relation,)):
            wanted = "!=" if truth else "=="
            if relation == wanted:
                if isinstance(right, syntax.NoneLiteral):
                    return frozenset({_key(left)})
                if isinstance(left, syntax.NoneLiteral):
                    return frozenset({_key(right)})
        case syntax.Call(name="inside", arguments=(grid, *indices)) if truth:
            return frozenset({_inside(grid, *indices)})
        case syntax.Not(operand=operand):
            return _facts(operand, not truth)
        case syntax.BoolOp(operator=operator, operands=operands):
            if (operator == "and") == truth:
                return frozenset().union(*(_facts(o, truth) for o in operands))
    return frozenset()
