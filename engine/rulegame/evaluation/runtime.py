"""What generated code calls: checked arithmetic, indices, sets and grids. Knows integers and
tuples, nothing of rulesets.

A `site` is the number of a place in the ruleset; the game looks it up when a fault is reported.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import combinations
from math import comb
from typing import Final

from rulegame.core import SEATS, SITES
from rulegame.language import cells as boards
from rulegame.language import graphs
from rulegame.language.types import NONE_CODE
from rulegame.limits import LIMITS

Cells = tuple[int, ...]


FEWER: Final = "use smaller ranges and lists, fewer repetitions or fewer moves"


class Fault(Exception):
    """Something that only shows while a game runs: its diagnostic code, its site, and what
    happened.
    """

    def __init__(self, code: str, site: int, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.site = site
        self.message = message
        self.hint = hint


class OverBudget(Fault):
    """A call takes more steps than it may."""

    def __init__(self, site: int, more: str = "") -> None:
        message = f"this takes more than {LIMITS.steps:,} steps, the limit{more}"
        super().__init__("E506", site, message, FEWER)


class Meter:
    """Counts the steps that a move takes, or finding the moves of a state, or a text: whatever
    spends them, they have one budget.

    What is certain to be within it is not counted (see `costs.work`). A game has one meter, which
    every call resets: two threads that play the same game at the same time share its count. They
    should each load a game of their own.
    """

    __slots__ = ("_before", "_spent", "left")

    def __init__(self) -> None:
        self.left = LIMITS.steps
        self._before = 0
        self._spent: dict[int, int] | None = None  # by site, in `find_costliest`

    def reset(self) -> None:
        self.left = LIMITS.steps

    def charge(self, steps: int, site: int) -> None:
        """Steps that are about to be taken."""
        self.left -= steps
        if self.left < 0:
            self._overrun(site)

    def _overrun(self, site: int) -> None:
        spent = self._spent
        if spent is None:
            raise OverBudget(site)
        spent[site] = spent.get(site, 0) + self._before - self.left
        self._before = self.left
        if -self.left > LIMITS.steps:
            most = max(spent, key=spent.__getitem__)
            raise OverBudget(most, f"; {100 * spent[most] // -self.left} % of them here")

    def find_costliest(self, call: Callable[[], object]) -> OverBudget | None:
        """Repeat a call that was over budget, counting the steps of each site."""
        self._spent, self.left, self._before = {}, 0, 0
        try:
            call()
        except OverBudget as found:
            return found
        finally:
            self._spent = None
        return None

    def span(self, low: int, high: int, weight: int, site: int) -> range:
        """low..high, charged with what a loop over it costs."""
        size = high - low + 1
        if size > LIMITS.collection:
            raise Fault("E506", site, f"a range of {size} numbers is too long")
        if size > 0:
            self.left -= size * weight
            if self.left < 0:
                self.charge(0, site)
        return range(low, high + 1)

    def through(self, items: Sequence[int], weight: int, site: int) -> Sequence[int]:
        """A list, charged with what going through it costs."""
        self.charge(len(items) * weight, site)
        return items


def fit(value: int, site: int) -> int:
    """A value that is to be stored."""
    if -LIMITS.integer <= value <= LIMITS.integer:
        return value
    raise Fault("E501", site, f"the number {_short(value)} does not fit in 64 bits")


def fit_or_none(value: int, site: int) -> int:
    return value if value == NONE_CODE else fit(value, site)


def fit_all(values: Sequence[int], site: int) -> Sequence[int]:
    """The elements of a list that is to be stored."""
    for value in values:
        fit(value, site)
    return values


def fit_all_or_none(values: Sequence[int], site: int) -> Sequence[int]:
    for value in values:
        fit_or_none(value, site)
    return values


def fit_set(bits: int, low: int, high: int, site: int) -> int:
    """A set that is to be stored where only low..high have a place."""
    if bits >> (high - low + 1) == 0:
        return bits
    item = low + bits.bit_length() - 1
    raise Fault("E508", site, f"{item} cannot be in a set of {low}..{high}")


def mul(a: int, b: int, site: int) -> int:
    return fit(a * b, site)


def div(a: int, b: int, site: int) -> int:
    """The quotient toward zero."""
    if b == 0:
        raise Fault("E503", site, f"division of {a} by zero")
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def f_mod(a: int, b: int, site: int) -> int:
    if b == 0:
        raise Fault("E503", site, f"remainder of {a} by zero")
    return a % abs(b)


def index(i: int, size: int, site: int) -> int:
    """An index that is inside 1..size."""
    if 1 <= i <= size:
        return i
    raise Fault("E502", site, f"the index {i} is outside 1..{size}")


def outside(value: int, low: int, high: int, site: int) -> int:
    """An index of a list that is indexed by a range."""
    raise Fault("E502", site, f"the index {value} is outside {low}..{high}")


def unfit(value: int, low: int, high: int, site: int) -> int:
    """A number that is written where a range is declared."""
    raise Fault("E540", site, f"{value} cannot be stored here: the range is {low}..{high}")


def beyond(value: int, low: int, high: int, site: int) -> int:
    """A choice that is not within its declared bounds."""
    hint = "widen `within`, or choose from a smaller range"
    raise Fault("E510", site, f"{value} can be chosen but is outside {low}..{high}", hint)


def astray(site: int) -> int:
    """Something would be written to the cells of another value."""
    raise Fault("E502", site, "this index is out of range")


def element(items: Sequence[int], i: int, site: int) -> int:
    return items[index(i, len(items), site) - 1]


def different(items: Sequence[int]) -> Sequence[int]:
    """Each element once: a choice that stands in a list twice is one choice."""
    return tuple(dict.fromkeys(items))


def repetitions(count: int, site: int) -> range:
    if count > LIMITS.repeat:
        raise Fault("E506", site, f"a step cannot be repeated {count} times")
    return range(count)


def times(count: int, site: int) -> int:
    """How often a step is to be done, which is worked out before the first time."""
    return len(repetitions(count, site))


def f_min(items: Sequence[int], site: int) -> int:
    if not items:
        raise Fault("E504", site, "min of an empty collection")
    return min(items)


def f_max(items: Sequence[int], site: int) -> int:
    if not items:
        raise Fault("E504", site, "max of an empty collection")
    return max(items)


def none_left(site: int) -> int:
    """A loop for min or max had no element."""
    raise Fault("E504", site, "min or max of an empty collection")


def write_all(cells: list[int], writes: list[tuple[int, int]], site: int) -> None:
    """Carries out effects at once; two to the same cell contradict each other."""
    if len({place for place, _ in writes}) != len(writes):
        written_twice(site)
    for place, value in writes:
        cells[place] = value


def write_of_all(cells: list[int], done: list[tuple[int, int]]) -> None:
    """Carries out what players do at once; two of them to the same cell contradict each other."""
    owners: dict[int, int] = {}
    for key, value in done:
        site, inside = divmod(key, SITES)
        place, seat = divmod(inside, SEATS)
        if owners.setdefault(place, seat) != seat:
            raise Fault("E535", site, "two players set the same value at the same time")
        cells[place] = value


def nobody_chooses(site: int) -> int:
    """Somebody must make a move in a turn."""
    raise Fault("E536", site, "nobody chooses in this turn")


def written_twice(site: int) -> int:
    """Two effects would write to the same cell."""
    raise Fault("E505", site, "the effects set the same value twice")


# ---- sets: bit k is the number low + k


@lru_cache(maxsize=65_536)
def members(bits: int, low: int) -> Cells:
    """The numbers in a set, ascending."""
    return tuple(low + k for k in range(bits.bit_length()) if bits >> k & 1)


def pack(items: Sequence[int], low: int) -> int:
    """The set of the numbers."""
    bits = 0
    for item in items:
        bits |= 1 << (item - low)
    return bits


def contains(bits: int, item: int, low: int) -> bool:
    return item >= low and bool(bits >> (item - low) & 1)


def f_with(bits: int, item: int, low: int, high: int, site: int) -> int:
    if not low <= item <= high:
        raise Fault("E508", site, f"{item} cannot be in a set of {low}..{high}")
    return bits | 1 << (item - low)


def f_without(bits: int, item: int, low: int, high: int, site: int) -> int:
    return bits & ~(1 << (item - low)) if low <= item <= high else bits


def pack_all(items: Sequence[int], low: int, high: int, site: int) -> int:
    """The set of the numbers, all of which must have a place in it."""
    for item in items:
        if not low <= item <= high:
            raise Fault("E508", site, f"{item} cannot be in a set of {low}..{high}")
    return pack(items, low)


def pack_some(items: Sequence[int], low: int, high: int) -> int:
    """The set of those of the numbers that have a place in it."""
    return pack([item for item in items if low <= item <= high], low)


def f_union(bits: int, others: int, low: int, high: int, site: int) -> int:
    return fit_set(bits | others, low, high, site)


def f_intersection(bits: int, others: int) -> int:
    return bits & others


def f_difference(bits: int, others: int) -> int:
    return bits & ~others


def f_complement(bits: int, low: int, high: int) -> int:
    return ((1 << (high - low + 1)) - 1) & ~bits


def f_subsets(items: Sequence[int], size: int, low: int, high: int, site: int) -> Cells:
    """All sets of `size` of the numbers, in lexicographic order."""
    different = _among(items, low, high, site)
    if size > len(different):
        return ()
    if size < 0 or comb(len(different), size) > LIMITS.collection:
        raise Fault("E506", site, f"there are too many sets of {size} out of {len(different)}")
    return tuple(pack(chosen, low) for chosen in combinations(different, size))


def f_all_subsets(items: Sequence[int], low: int, high: int, site: int) -> Cells:
    """All sets of the numbers, smaller ones first."""
    different = _among(items, low, high, site)
    if 1 << len(different) > LIMITS.collection:
        raise Fault("E506", site, f"there are too many sets out of {len(different)}")
    sizes = range(len(different) + 1)
    return tuple(pack(chosen, low) for size in sizes for chosen in combinations(different, size))


def _among(items: Sequence[int], low: int, high: int, site: int) -> list[int]:
    """Different numbers, ascending, that have a place in one set."""
    different = sorted(set(items))
    for item in (*different[:1], *different[-1:]):
        if not low <= item <= high:
            raise Fault("E508", site, f"{item} cannot be in a set of {low}..{high}")
    return different


# ---- numbers in order


def f_reversed(items: Sequence[int]) -> Cells:
    return tuple(items)[::-1]


def f_joined(first: Sequence[int], *more: Sequence[int]) -> Cells:
    return tuple(item for part in (first, *more) for item in part)


def f_sorted(items: Sequence[int]) -> Cells:
    return tuple(sorted(items))


def f_lowest(items: Sequence[int], count: int) -> Cells:
    return tuple(sorted(items)[: max(0, count)])


def f_highest(items: Sequence[int], count: int) -> Cells:
    return tuple(sorted(items, reverse=True)[: max(0, count)])


# ---- grids: cells row by row


def f_rows(rows: int, columns: int, cells: Cells) -> tuple[Cells, ...]:
    return tuple(cells[r * columns : (r + 1) * columns] for r in range(rows))


def f_columns(rows: int, columns: int, cells: Cells) -> tuple[Cells, ...]:
    return tuple(tuple(cells[c::columns]) for c in range(columns))


def f_lines(
    rows: int, columns: int, cells: Cells, length: int, hexagons: bool = False
) -> tuple[Cells, ...]:
    return tuple(
        tuple([cells[k] for k in line]) for line in boards.lines(rows, columns, hexagons, length)
    )


def line_places(rows: int, columns: int, length: int, hexagons: bool = False) -> tuple[Cells, ...]:
    """The lines as the numbers of their cells, which count from 0."""
    return boards.lines(rows, columns, hexagons, length)


def line_places_through(
    rows: int, columns: int, length: int, cell: int, hexagons: bool = False
) -> tuple[Cells, ...]:
    """Those of the lines that a cell is on, in the same order."""
    return boards.lines_through(rows, columns, hexagons, length, cell)


def cells_at(cells: Sequence[int], first: int, places: Cells) -> Cells:
    """What is in some cells; their numbers count from the first one."""
    return tuple([cells[first + k] for k in places])


def f_inside(rows: int, columns: int, cells: Cells, r: int, c: int) -> bool:
    return 1 <= r <= rows and 1 <= c <= columns


def f_neighbours(
    rows: int, columns: int, cells: Cells, r: int, c: int, hexagons: bool = False
) -> Cells:
    return _near(rows, columns, cells, r, c, boards.steps_beside(hexagons))


def f_around(
    rows: int, columns: int, cells: Cells, r: int, c: int, hexagons: bool = False
) -> Cells:
    return _near(rows, columns, cells, r, c, boards.steps_around(hexagons))


def _near(
    rows: int, columns: int, cells: Cells, r: int, c: int, steps: tuple[tuple[int, int], ...]
) -> Cells:
    return tuple(
        cells[(r + down - 1) * columns + c + right - 1]
        for down, right in steps
        if 1 <= r + down <= rows and 1 <= c + right <= columns
    )


# ---- cells: their numbers, row by row


def cells_beside(rows: int, columns: int, hexagons: bool, cell: int) -> Cells:
    """The neighbours of a cell."""
    return boards.cells_beside(rows, columns, hexagons)[cell]


def cells_around(rows: int, columns: int, hexagons: bool, cell: int) -> Cells:
    return boards.cells_around(rows, columns, hexagons)[cell]


def rays_from(rows: int, columns: int, hexagons: bool, cell: int) -> tuple[Cells, ...]:
    return boards.rays_from(rows, columns, hexagons)[cell]


def ray_from(rows: int, columns: int, cell: int, down: int, right: int) -> Cells:
    return boards.ray(rows, columns, cell, down, right)


# ---- points of a graph, by the number of the graph and the code of its first point


def points_beside(graph: int, first: int, point: int) -> Cells:
    """The neighbours of a point."""
    return graphs.beside(graph, first)[point - first]


def points_in_line(graph: int, first: int, length: int, point: int) -> tuple[Cells, ...]:
    """The lines of that many points that a point is on."""
    return graphs.lines_through(graph, first, length)[point - first]


def points_on_rays(graph: int, first: int, point: int) -> tuple[Cells, ...]:
    """The points of each line from a point on, one way and the other."""
    return graphs.rays(graph, first)[point - first]


class flood:
    """Cells that wait to be asked, each once: who goes through `waiting` adds to it."""

    __slots__ = ("_beside", "_seen", "cells")

    def __init__(self, rows: int, columns: int, tiles: int, in_any_order: bool = False) -> None:
        """`in_any_order` is for machine code, which is faster then. `tiles` is the number of a
        graph, if there are no rows; then cells are its points, from 0 on.
        """
        self._beside = beside_all(rows, columns, tiles)
        rows = max(rows, 1)
        self._seen = bytearray(rows * columns)
        self.cells: list[int] = []

    def add(self, cell: int) -> None:
        if not self._seen[cell]:
            self._seen[cell] = 1
            self.cells.append(cell)

    def add_beside(self, cell: int) -> None:
        for other in self._beside[cell]:
            self.add(other)


def beside_all(rows: int, columns: int, tiles: int) -> tuple[Cells, ...]:
    """The neighbours of each cell that a flood may reach."""
    return graphs.beside(tiles, 0) if rows == 0 else boards.cells_beside(rows, columns, bool(tiles))


def waiting(cells: flood) -> list[int]:
    """The cells of a flood, also those that are added while they are gone through."""
    return cells.cells


def begin_at(cells: flood, cell: int) -> None:
    """One more cell at which a flood begins."""
    cells.add(cell)


def spread(cells: flood, cell: int) -> None:
    """A cell that is reached: its neighbours wait, too."""
    cells.add_beside(cell)


def _short(value: int) -> str:
    return str(value) if abs(value) < 10**30 else "that results"


# ---- outcomes: the winners as bits, and above them the losers


def winners_of(winners: Sequence[int], players: int) -> int:
    """Everyone or nobody is a draw."""
    bits = 0
    for seat in winners:
        bits |= 1 << seat
    everyone = (1 << players) - 1
    return bits | (everyone ^ bits) << 8 if 0 < bits < everyone or (players == 1 and bits) else 0


def winners_by_result(result: int, me: int, players: int) -> int:
    """0 win, 1 lose, 2 draw, as in `types.RESULTS`."""
    everyone = (1 << players) - 1
    mine = 1 << me
    if result == 0:
        return mine | (everyone ^ mine) << 8
    return (everyone ^ mine) | mine << 8 if result == 1 else 0


def winners_by_payoff(payoffs: Sequence[int]) -> int:
    """Those who get most win; if all get the same it is a draw."""
    best = max(payoffs)
    winners = [seat for seat, payoff in enumerate(payoffs) if payoff == best]
    return 0 if len(winners) == len(payoffs) else winners_of(winners, len(payoffs))
