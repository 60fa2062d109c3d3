"""The types of values, and what a value of each type looks like as machine integers.

Every value is one integer, except lists, grids and sets of many numbers (a row of them).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from rulegame.language.graphs import Graph
from rulegame.limits import LIMITS

NONE_CODE: Final = -(2**63)  # the one 64-bit integer that no number of a game can be
UNBOUNDED: Final = 2**65  # an end of what is known of a number: it may be anything beyond 64 bits
SET_CELL: Final = LIMITS.chosen_set  # numbers of a set that the bits of one cell hold
RESULTS: Final = ("win", "lose", "draw", "pass")
# What cells are called: `2 3` (row and column), `c2`, `c2` with rows from below, `b3` (row first).
Naming = Literal["numbers", "letters", "letters upward", "row letters"]


class _Kind:
    """Types are equal if they are of the same class and have the same fields."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Kind) or type(self) is not type(other):
            return False
        return self._fields() == other._fields()

    def __hash__(self) -> int:
        return hash((type(self), self._fields()))

    def __repr__(self) -> str:
        return f"{type(self).__name__}{self._fields()}"

    def _fields(self) -> tuple[object, ...]:
        names: tuple[str, ...] = self.__slots__
        return tuple(getattr(self, name) for name in names)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Int(_Kind):
    """A whole number; the bounds are what is known before the game runs, not a rule. What is stored
    is within 64 bits, which is what the bounds say if nothing else is known; of what was worked out
    and not stored yet, an end may be unbounded.
    """

    low: int = -LIMITS.integer
    high: int = LIMITS.integer

    def __str__(self) -> str:
        return "a number"


class Bool(_Kind):
    """true or false."""

    __slots__ = ()

    def __str__(self) -> str:
        return "true or false"


class PlayerType(_Kind):
    """A seat."""

    __slots__ = ()

    def __str__(self) -> str:
        return "a player"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Order(_Kind):
    """A declared type whose words have an order: its name, the code of the first, all of them; and
    the graph whose points they are, if they are.
    """

    name: str
    first: int
    words: tuple[str, ...]
    graph: Graph | None = None

    @property
    def size(self) -> int:
        """How many words it has."""
        return len(self.words)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Word(_Kind):
    """One of a closed set of words. The `order` of the declared type that they all belong to makes
    no difference between types.
    """

    words: tuple[str, ...]
    order: Order | None = None

    def _fields(self) -> tuple[object, ...]:
        return (self.words,)

    def __str__(self) -> str:
        if set(self.words) <= set(RESULTS):
            return "a result"
        return f"one of the words {', '.join(self.words)}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Cell(_Kind):
    """A place on a board: its number, row by row, from 0 on."""

    board: str
    rows: int
    columns: int
    hexagons: bool = False
    naming: Naming = "numbers"

    def __str__(self) -> str:
        return f"a cell of {self.board}"


class Nothing(_Kind):
    """The type of `none` itself."""

    __slots__ = ()

    def __str__(self) -> str:
        return "none"


class Text(_Kind):
    """Text, which only templates have."""

    __slots__ = ()

    def __str__(self) -> str:
        return "text"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Optional(_Kind):
    """A value of the type, or none."""

    of: Element

    def __str__(self) -> str:
        return f"{self.of} or none"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Set(_Kind):
    """Different whole numbers between low and high, as the bits of one integer, or, if these are
    too few, of several (see `evaluation.wide_sets`).
    """

    low: int
    high: int

    @property
    def cells(self) -> int:
        """How many integers that takes."""
        return (self.high - self.low) // SET_CELL + 1

    @property
    def is_wide(self) -> bool:
        """Whether it is a row of integers."""
        return self.high - self.low >= SET_CELL

    def __str__(self) -> str:
        return "a set"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Index(_Kind):
    """What a list is indexed by: all values of a type, the first of which has the code `first`."""

    of: Int | Word | Cell
    first: int
    size: int

    def __str__(self) -> str:
        if isinstance(self.of, Int):
            return f"{self.of.low}..{self.of.high}"
        if isinstance(self.of, Word):
            return "" if self.of.order is None else self.of.order.name
        return f"cells of {self.of.board}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class List(_Kind):
    """Values in a row; `size` where it is known before the game runs, or else, if anything bounds
    it, the `most` that there may be. This, and the `index` (None: numbers from 1), make no
    difference between types.
    """

    of: Type
    size: int | None = None
    most: int | None = None
    index: Index | None = None

    def _fields(self) -> tuple[object, ...]:
        return self.of, self.size

    def __str__(self) -> str:
        return f"a list of {plural(self.of)}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Grid(_Kind):
    """Values in rows and columns. The name of the board, and what its cells are called, make no
    difference between types.
    """

    of: Element
    rows: int
    columns: int
    hexagons: bool = False
    board: str = ""  # that it is certain to be
    naming: Naming = "numbers"

    def _fields(self) -> tuple[object, ...]:
        return self.of, self.rows, self.columns, self.hexagons

    def __str__(self) -> str:
        return f"a grid of {plural(self.of)}"


ANY_NUMBER: Final = Int(-UNBOUNDED, UNBOUNDED)  # not even known to fit in 64 bits
Element = Int | Bool | PlayerType | Word | Cell | Optional
Type = Element | Nothing | Text | Set | List | Grid


def plural(type_: Type) -> str:
    """The type as in 'a list of …'."""
    names = {Int: "numbers", Bool: "truths", PlayerType: "players", Set: "sets", Text: "texts"}
    if isinstance(type_, Cell):
        return f"cells of {type_.board}"
    return names.get(type(type_), str(type_))


def between(low: int, high: int) -> Int:
    """A number from `low` to `high`; an end outside of 64 bits is not known at all. Checks are left
    out where bounds say that they cannot fail, so bounds may be too wide, but never too narrow.
    """
    most = LIMITS.integer
    return Int(
        -UNBOUNDED if low < -most else min(low, most),
        UNBOUNDED if high > most else max(high, -most),
    )


def is_bounded(type_: Int) -> bool:
    """Whether a number of the type certainly fits in 64 bits."""
    return -LIMITS.integer <= type_.low and type_.high <= LIMITS.integer


def points_of(type_: Type) -> Order | None:
    """The type of the points of a graph, of which some words are; None for anything else."""
    if not isinstance(type_, Word) or type_.order is None or type_.order.graph is None:
        return None
    return type_.order


def board_of_points(type_: Type) -> Order | None:
    """The type of the points that index a list; None for anything else."""
    index = type_.index if isinstance(type_, List) else None
    return None if index is None else points_of(index.of)


def range_in(type_: Type) -> Int | None:
    """The declared range that every number of a value must be in; None if there is none."""
    of = type_.of if isinstance(type_, (List, Grid)) else type_
    of = of.of if isinstance(of, Optional) else of
    return of if isinstance(of, Int) and of != Int() else None


def known_range(type_: Type | None, players: int | None = None) -> tuple[int, int] | None:
    """The least and the greatest number that a value of a type may be in a cell; None if the type
    does not tell. `players`: how many there are.
    """
    match type_:
        case Int(low=low, high=high):
            return low, high
        case Bool():
            return 0, 1
        case Cell(rows=rows, columns=columns):
            return 0, rows * columns - 1
        case PlayerType() if players is not None:
            return 0, players - 1
    return None


def cell_of(grid: Grid) -> Cell:
    """The type of the cells of a board."""
    return Cell(grid.board, grid.rows, grid.columns, grid.hexagons, grid.naming)


def element_of(type_: Type) -> Type | None:
    """The type of the elements of a collection, or None if the type is not a collection."""
    if isinstance(type_, List):
        return type_.of
    if isinstance(type_, Set):
        return Int(type_.low, type_.high)
    if isinstance(type_, Grid):
        return type_.of
    return None


def known_size(type_: Type) -> int | None:
    """How many elements a collection has, where the type tells."""
    if isinstance(type_, Grid):
        return type_.rows * type_.columns
    return type_.size if isinstance(type_, List) else None


def most_elements(type_: Type) -> int | None:
    """The most elements that a collection can have, if anything bounds their number."""
    if isinstance(type_, Set):
        return type_.high - type_.low + 1
    known = known_size(type_)
    return type_.most if known is None and isinstance(type_, List) else known


def size_of(type_: Type) -> int:
    """How many cells of a state a value of the type takes."""
    if isinstance(type_, List):
        assert type_.size is not None
        return type_.size
    if isinstance(type_, Grid):
        return type_.rows * type_.columns
    return type_.cells if isinstance(type_, Set) else 1


def is_row(type_: Type) -> bool:
    """Whether a value is a row of cells, be it of one alone."""
    return isinstance(type_, (List, Grid)) or (isinstance(type_, Set) and type_.is_wide)


def join(left: Type, right: Type) -> Type | None:
    """The least type that holds the values of both, or None if there is none."""
    if isinstance(left, Int) and isinstance(right, Int):
        return Int(min(left.low, right.low), max(left.high, right.high))
    if isinstance(left, Word) and isinstance(right, Word):
        order = left.order if left.order == right.order else None
        return Word(tuple(dict.fromkeys(left.words + right.words)), order)
    if isinstance(left, List) and isinstance(right, List) and left.index != right.index:
        return join(replace(left, index=None), replace(right, index=None))
    if isinstance(left, Grid) and isinstance(right, Grid) and left.board != right.board:
        return Grid(left.of, left.rows, left.columns, left.hexagons) if left == right else None
    if left == right:
        return left
    if isinstance(left, Nothing):
        return right if isinstance(right, Optional) else _optional(right)
    if isinstance(right, Nothing):
        return left if isinstance(left, Optional) else _optional(left)
    if isinstance(left, Optional) or isinstance(right, Optional):
        inner = join(_unwrap(left), _unwrap(right))
        return None if inner is None else _optional(inner)
    if isinstance(left, List) and isinstance(right, List):
        of = join(left.of, right.of)
        size = left.size if left.size == right.size else None
        most = [most_elements(left), most_elements(right)]
        longest = None if None in most else max(n for n in most if n is not None)
        if of is None or _cells_in(left.of) != _cells_in(right.of):
            return None
        return List(of, size, longest, left.index)
    if isinstance(left, Set) and isinstance(right, Set) and left.low == right.low:
        return Set(left.low, max(left.high, right.high))  # its bits mean the same numbers
    return None


def join_all(types: Sequence[Type]) -> Type | None:
    """The least type that holds all."""
    result: Type | None = types[0]
    for one in types[1:]:
        result = None if result is None else join(result, one)
    return result


def fits(value: Type, place: Type) -> bool:
    """Whether a value of the first type may be stored where the second is declared."""
    if isinstance(value, Int) and isinstance(place, Int):
        return True
    if isinstance(value, Word) and isinstance(place, Word):
        return set(value.words) <= set(place.words)
    if isinstance(place, Optional):
        return isinstance(value, Nothing) or fits(_unwrap(value), place.of)
    if isinstance(value, List) and isinstance(place, List):
        return fits(value.of, place.of) and place.size in (None, value.size)
    if isinstance(value, Set) and isinstance(place, Set):
        return value.low == place.low
    return value == place


def comparable(left: Type, right: Type) -> bool:
    """Whether == between the two can ever be true."""
    if isinstance(left, Word) and isinstance(right, Word):
        return bool(set(left.words) & set(right.words))
    if isinstance(left, Nothing) or isinstance(right, Nothing):
        return isinstance(left, (Optional, Nothing)) or isinstance(right, (Optional, Nothing))
    if isinstance(left, Optional) or isinstance(right, Optional):
        return comparable(_unwrap(left), _unwrap(right))
    if isinstance(left, Set) and isinstance(right, Set):
        return left.low == right.low
    return join(left, right) is not None


def optional(type_: Type) -> Type:
    """The type with none beside its values, if there is such a type."""
    return _optional(type_) or type_


def _optional(type_: Type) -> Type | None:
    return Optional(type_) if isinstance(type_, (Int, Bool, PlayerType, Word, Cell)) else None


def _cells_in(type_: Type) -> int:
    """How many cells a set is, wherever it may lie in lists; 1 for anything else."""
    if isinstance(type_, List):
        return _cells_in(type_.of)
    return type_.cells if isinstance(type_, Set) else 1


def _unwrap(type_: Type) -> Type:
    return type_.of if isinstance(type_, Optional) else type_


def product_of(left: Int, right: Int) -> Int:
    """What is known of a product that is not checked."""
    corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return between(min(corners), max(corners))


def bounds_of(operator: str, types: Sequence[Int]) -> Int:
    """What is known of the result of arithmetic."""
    if len(types) == 1:
        return between(-types[0].high, -types[0].low)
    left, right = types
    if operator == "+":
        low, high = left.low + right.low, left.high + right.high
    elif operator == "-":
        low, high = left.low - right.high, left.high - right.low
    elif operator == "*":
        product, most = product_of(left, right), LIMITS.integer
        # one that may not fit is checked when it is worked out
        low, high = max(product.low, -most), min(product.high, most)
    elif right.low <= 0 <= right.high:
        most = max(abs(left.low), abs(left.high))
        low, high = -most, most
    else:
        corners = [quotient(a, b) for a in (left.low, left.high) for b in (right.low, right.high)]
        low, high = min(corners), max(corners)
    return between(low, high)


def quotient(left: int, right: int) -> int:
    """What division gives: toward zero."""
    whole = abs(left) // abs(right)
    return whole if (left < 0) == (right < 0) else -whole
