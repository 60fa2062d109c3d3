"""Random expressions of the ruleset language, each made twice: as text, and as a Python function
of a `Scene` that does what docs/language.md says and shares no code with the engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from random import Random
from typing import Any

LARGEST = 2**63 - 1
WORDS = ("red", "amber", "green")
PITS, ROWS, COLUMNS = 3, 2, 3
BAG, HAND = (-1, 3), (0, 4)
START: dict[str, Any] = {
    "a": 2,
    "b": -1,
    "t": 0,
    "flag": False,
    "last": None,
    "light": "red",
    "who": 0,
    "pits": [1, 2, 3],
    "few": [4],
    "board": [[None] * COLUMNS for _ in range(ROWS)],
    "bag": frozenset({0, 2}),
    "x": [1, -2],
    "hand": [frozenset({1}), frozenset({1, 3})],
}
STATE = """\
state:
  a: 2
  b: -1
  t: 0
  flag: false
  last: {type: optional int}
  light: {type: red | amber | green, start: red}
  who: {type: player, start: "players[1]"}
  pits: {type: list of int, start: "[1, 2, 3]"}
  few: {type: list of int, size: 1, start: 4}
  board: {type: grid of optional player, rows: 2, columns: 3}
  bag: {type: set of -1..3, start: "[0, 2]"}
  each player:
    x: 1 if seat(me) == 1 else -2
    hand: {type: set of 0..4, start: "[1] if seat(me) == 1 else [1, 3]"}
"""


class Broken(Exception):
    """What docs/language.md calls an error of the rules while a game runs."""


class DividedByZero(Broken):
    """Of a move's effects: the move is not valid."""


@dataclass(frozen=True)
class Scene:
    """Where an expression is worked out: values, the mover, choices, and the state after."""

    values: dict[str, Any]
    me: int
    names: dict[str, Any] = field(default_factory=dict)
    after: dict[str, Any] | None = None

    def knowing(self, **names: Any) -> Scene:
        return replace(self, names={**self.names, **names})


Reading = Callable[[Scene], Any]
Made = tuple[str, Reading]


def multiplied(a: int, b: int) -> int:
    product: int = stored(a * b)
    return product


def stored(value: Any) -> Any:
    if isinstance(value, int) and abs(value) > LARGEST:
        raise Broken("too large")
    return value


def quotient(a: int, b: int) -> int:
    if b == 0:
        raise DividedByZero
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def remainder(a: int, b: int) -> int:
    if b == 0:
        raise DividedByZero
    return a % abs(b)


def element(items: Sequence[Any], i: int) -> Any:
    if not 1 <= i <= len(items):
        raise Broken("an index outside")
    return items[i - 1]


def extreme(pick: Callable[[Any], int], items: Sequence[int]) -> int:
    if not items:
        raise Broken("the least of nothing")
    return pick(items)


def added(items: frozenset[int], n: int, low: int, high: int) -> frozenset[int]:
    if not low <= n <= high:
        raise Broken("cannot be in this set")
    return items | {n}


def lines(board: list[list[Any]], length: int) -> list[list[Any]]:
    found = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for r in range(ROWS):
            for c in range(COLUMNS):
                places = [(r + down * k, c + right * k) for k in range(length)]
                if all(0 <= p < ROWS and 0 <= q < COLUMNS for p, q in places):
                    found.append([board[p][q] for p, q in places])
    return found


def near(board: list[list[Any]], r: int, c: int, corners: bool) -> list[Any]:
    steps = [(p, q) for p in (-1, 0, 1) for q in (-1, 0, 1) if (p, q) != (0, 0)]
    places = [(r + p - 1, c + q - 1) for p, q in steps if corners or p == 0 or q == 0]
    return [board[p][q] for p, q in places if 0 <= p < ROWS and 0 <= q < COLUMNS]


class Writer:
    """Makes expressions: `numbers` are the names of whole numbers that can be used, `people` those
    of players. `after` allows `after.`, `divides` divisors that may be zero, and `fails` all else
    that may fail in the middle of a game.
    """

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.divides = self.fails = False
        self.after = False
        self.numbers: list[str] = []
        self.people: list[str] = []
        self.defined: list[tuple[str, Reading]] = []
        self._names = 0

    def one_of(self, makers: Sequence[Callable[[int], Made]], depth: int) -> Made:
        return self.chance.choice(makers)(depth - 1)

    def fresh(self) -> str:
        self._names += 1
        return f"v{self._names}"

    # ---- whole numbers

    def number(self, depth: int) -> Made:
        if depth <= 0:
            return self.chance.choice([self.literal, self.value, self.value, self.known_number])(0)
        return self.one_of(
            [
                self.value, self.known_number, self.sum_or_difference, self.sum_or_difference,
                self.product, self.division, self.modulo, self.sign, self.either_number,
                self.asked_first, self.pit, self.smallest, self.total, self.best_of_loop,
                self.counted, self.size, self.seat, self.theirs, self.everybody, self.call,
            ],
            depth,
        )  # fmt: skip

    def literal(self, depth: int) -> Made:
        n = self.chance.choice([0, 1, 2, 3, 4, 5, 9, -1, -2, -7])
        if self.fails and self.chance.random() < 0.1:
            n = self.chance.choice([LARGEST, -LARGEST, 3037000500, 2**62])
        return (str(n) if n >= 0 else f"({n})"), lambda s: n

    def _read(self, name: str) -> Made:
        if self.after and self.chance.random() < 0.5:
            return f"after.{name}", lambda s: (s.after or {})[name]
        return name, lambda s: s.values[name]

    def value(self, depth: int) -> Made:
        return self._read(self.chance.choice(["a", "b", "t"]))

    def known_number(self, depth: int) -> Made:
        if not self.numbers:
            return self.literal(depth)
        name = self.chance.choice(self.numbers)
        return name, lambda s: s.names[name]

    def _two(self, depth: int) -> tuple[str, Reading, str, Reading]:
        return (*self.number(depth), *self.number(depth))

    def sum_or_difference(self, depth: int) -> Made:
        a, f, b, g = self._two(depth)
        if self.chance.random() < 0.5:
            return f"({a} + {b})", lambda s: f(s) + g(s)
        return f"({a} - {b})", lambda s: f(s) - g(s)

    def product(self, depth: int) -> Made:
        a, f, b, g = self._two(depth)
        return f"({a} * {b})", lambda s: multiplied(f(s), g(s))

    def division(self, depth: int) -> Made:
        a, f = self.number(depth)
        b, g = self._divisor(depth)
        return f"({a} / {b})", lambda s: quotient(f(s), g(s))

    def modulo(self, depth: int) -> Made:
        a, f = self.number(depth)
        b, g = self._divisor(depth)
        return f"mod({a}, {b})", lambda s: remainder(f(s), g(s))

    def _divisor(self, depth: int) -> Made:
        if self.divides:
            return self.number(depth) if self.chance.random() < 0.5 else self.value(depth)
        n = self.chance.choice([1, 2, 3, 7, -2, -3])
        return (str(n) if n > 0 else f"({n})"), lambda s: n

    def sign(self, depth: int) -> Made:
        a, f = self.number(depth)
        if self.chance.random() < 0.5:
            return f"(-{a})", lambda s: -f(s)
        return f"abs({a})", lambda s: abs(f(s))

    def either_number(self, depth: int) -> Made:
        a, f, b, g = self._two(depth)
        c, h = self.condition(depth)
        return f"({a} if {c} else {b})", lambda s: f(s) if h(s) else g(s)

    def asked_first(self, depth: int) -> Made:
        a, f = self.number(depth)
        return (
            f"({a} if last == none else last)",
            lambda s: f(s) if s.values["last"] is None else s.values["last"],
        )

    def index(self, depth: int, size: int) -> Made:
        if self.fails and self.chance.random() < 0.3:
            return self.value(depth)
        if self.chance.random() < 0.3:
            n = self.chance.randint(1, size)
            return str(n), lambda s: n
        a, f = self.number(depth)
        return f"mod({a}, {size}) + 1", lambda s: f(s) % size + 1

    def pit(self, depth: int) -> Made:
        name, f = self._read("pits")
        i, g = self.index(depth, PITS)
        return f"{name}[{i}]", lambda s: element(f(s), g(s))

    def smallest(self, depth: int) -> Made:
        a, f, b, g = self._two(depth)
        c, h = self.number(depth)
        if self.chance.random() < 0.5:
            return f"min({a}, {b}, {c})", lambda s: min(f(s), g(s), h(s))
        return f"max({a}, {b})", lambda s: max(f(s), g(s))

    def total(self, depth: int) -> Made:
        c, f = self.collection(depth)
        return f"sum({c})", lambda s: sum(f(s))

    def best_of_loop(self, depth: int) -> Made:
        body, loop, f = self._loop(self.number, depth)
        if not self.fails or self.chance.random() < 0.3:  # there may be nothing to go round
            return f"sum({body} {loop})", lambda s: sum(f(s))
        name = self.chance.choice(["min", "max"])
        pick: Callable[[Any], int] = min if name == "min" else max
        return f"{name}({body} {loop})", lambda s: extreme(pick, list(f(s)))

    def counted(self, depth: int) -> Made:
        body, loop, f = self._loop(self.condition, depth)
        if self.chance.random() < 0.5:
            return f"count({body} {loop})", lambda s: sum(f(s))
        body, loop, g = self._loop(self.number, depth)
        return f"count({body} {loop})", lambda s: len(list(g(s)))

    def size(self, depth: int) -> Made:
        c, f = self.collection(depth)
        return f"size({c})", lambda s: len(f(s))

    def seat(self, depth: int) -> Made:
        p, f = self.player(depth)
        return f"seat({p})", lambda s: f(s) + 1

    def theirs(self, depth: int) -> Made:
        which = self.chance.choice(["my.x", "their.x", "of"])
        later = self.after and self.chance.random() < 0.5
        now = "after." if later else ""

        def xs(s: Scene) -> list[int]:
            values: dict[str, Any] = (s.after or {}) if later else s.values
            found: list[int] = values["x"]
            return found

        if which == "my.x":
            return f"{now}my.x", lambda s: xs(s)[s.me]
        if which == "their.x":
            return f"{now}their.x", lambda s: xs(s)[1 - s.me]
        p, f = self.player(depth)
        return f"(x of ({p}))", lambda s: s.values["x"][f(s)]

    def everybody(self, depth: int) -> Made:
        name, f = self._read("x")
        pick = self.chance.choice(["min", "max", "sum"])
        works: dict[str, Callable[[Any], int]] = {"min": min, "max": max, "sum": sum}
        work = works[pick]
        return f"{pick}({name})", lambda s: work(f(s))

    def call(self, depth: int) -> Made:
        """A definition of the ruleset."""
        if not self.defined:
            return self.value(depth)
        name, body = self.chance.choice(self.defined)
        a, f = self.number(0)
        p, g = self.player(0)
        return f"{name}({a}, {p})", lambda s: body(Scene(s.values, s.me, {"i": f(s), "p": g(s)}))

    # ---- conditions

    def condition(self, depth: int) -> Made:
        if depth <= 0:
            return self.chance.choice([self.flag, self.comparison, self.word])(0)
        return self.one_of(
            [
                self.flag, self.comparison, self.comparison, self.chain, self.junction,
                self.junction, self.negation, self.membership, self.optional, self.word,
                self.same_player, self.all_or_any, self.all_or_any, self.cell, self.on_board,
                self.in_line, self.either_condition, self.same_list, self.in_subset,
            ],
            depth,
        )  # fmt: skip

    def flag(self, depth: int) -> Made:
        return self._read("flag")

    def comparison(self, depth: int) -> Made:
        a, f, b, g = self._two(depth)
        sign, work = self._relation()
        return f"{a} {sign} {b}", lambda s: work(f(s), g(s))

    def _relation(self) -> tuple[str, Callable[[int, int], bool]]:
        relations: list[tuple[str, Callable[[int, int], bool]]] = [
            ("==", lambda a, b: a == b),
            ("!=", lambda a, b: a != b),
            ("<", lambda a, b: a < b),
            ("<=", lambda a, b: a <= b),
            (">", lambda a, b: a > b),
            (">=", lambda a, b: a >= b),
        ]
        return self.chance.choice(relations)

    def chain(self, depth: int) -> Made:
        a, f, b, g = self._two(depth)
        c, h = self.value(0)  # nothing that may fail: it need not be looked at
        return f"({a} <= {b} < {c})", lambda s: f(s) <= g(s) < h(s)

    def junction(self, depth: int) -> Made:
        a, f = self.condition(depth)
        b, g = self.condition(depth)
        if self.chance.random() < 0.5:
            return f"({a} and {b})", lambda s: f(s) and g(s)
        return f"({a} or {b})", lambda s: f(s) or g(s)

    def negation(self, depth: int) -> Made:
        a, f = self.condition(depth)
        return f"(not ({a}))", lambda s: not f(s)

    def membership(self, depth: int) -> Made:
        a, f = self.number(depth)
        c, g = self.collection(depth)
        if self.chance.random() < 0.5:
            return f"({a} in {c})", lambda s: f(s) in g(s)
        return f"({a} not in {c})", lambda s: f(s) not in g(s)

    def optional(self, depth: int) -> Made:
        a, f = self.number(depth)
        name, g = self._read("last")
        kind = self.chance.randrange(3)
        if kind == 0:
            return f"({name} == {a})", lambda s: g(s) == f(s)
        if kind == 1:
            return f"({name} != {a})", lambda s: g(s) != f(s)
        return (
            "(last != none and last > " + a + ")",
            lambda s: s.values["last"] is not None and s.values["last"] > f(s),
        )

    def word(self, depth: int) -> Made:
        name, f = self._read("light")
        word = self.chance.choice(WORDS)
        return f"({name} == {word})", lambda s: f(s) == word

    def same_player(self, depth: int) -> Made:
        p, f = self.player(depth)
        q, g = self.player(depth)
        return f"({p} == {q})", lambda s: f(s) == g(s)

    def all_or_any(self, depth: int) -> Made:
        body, loop, f = self._loop(self.condition, depth)
        if self.chance.random() < 0.5:
            return f"all({body} {loop})", lambda s: all(f(s))
        return f"any({body} {loop})", lambda s: any(f(s))

    def cell(self, depth: int) -> Made:
        name, f = self._read("board")
        (r, g), (c, h) = self.index(depth, ROWS), self.index(depth, COLUMNS)
        p, k = self.player(depth)
        if self.chance.random() < 0.5:
            return (
                f"({name}[{r}, {c}] == none)",
                lambda s: element(element(f(s), g(s)), h(s)) is None,
            )
        return f"({name}[{r}, {c}] == {p})", lambda s: element(element(f(s), g(s)), h(s)) == k(s)

    def on_board(self, depth: int) -> Made:
        r, f, c, g = self._two(depth)
        return (
            f"inside(board, {r}, {c})",
            lambda s: (f(s) in (1, 2), g(s) in (1, 2, 3)) == (True, True),
        )

    def in_line(self, depth: int) -> Made:
        name, f = self._read("board")
        kind = self.chance.randrange(5)
        v, w = self.fresh(), self.fresh()
        p, k = self.player(depth)
        (r, g), (c, h) = self.index(0, ROWS), self.index(0, COLUMNS)
        if kind == 0:
            return (
                f"any(all({v} == {p} for {v} in {w}) for {w} in lines({name}, 2))",
                lambda s: any(all(v == k(s) for v in w) for w in lines(f(s), 2)),
            )
        if kind == 1:
            return f"any(all({v} != none for {v} in {w}) for {w} in rows({name}))", lambda s: any(
                all(v is not None for v in w) for w in f(s)
            )
        if kind == 2:
            return (
                f"all(any({v} == none for {v} in {w}) for {w} in columns({name}))",
                lambda s: all(any(row[q] is None for row in f(s)) for q in range(COLUMNS)),
            )
        call = "around" if kind == 3 else "neighbours"
        n = self.chance.randint(0, 3)
        return (
            f"(count({v} == {p} for {v} in {call}({name}, {r}, {c})) >= {n})",
            lambda s: sum(v == k(s) for v in near(f(s), g(s), h(s), kind == 3)) >= n,
        )

    def either_condition(self, depth: int) -> Made:
        (a, f), (b, g), (c, h) = (self.condition(depth) for _ in range(3))
        return f"(({a}) if {c} else ({b}))", lambda s: f(s) if h(s) else g(s)

    def same_list(self, depth: int) -> Made:
        """A list, perhaps of one, and another one that is written out or a range."""
        name, f = self._read(self.chance.choice(["pits", "few"]))
        sign = self.chance.choice(["==", "!="])
        if self.chance.random() < 0.5:
            a, g = self.small(depth)
            size = 3 if name.endswith("pits") else 1
            text = f"({name} {sign} {a}..{a} + {size - 1})"
            same: Reading = lambda s: f(s) == list(range(g(s), g(s) + size))  # noqa: E731
        else:
            c, h = self.collection(depth, lists=True)
            text, same = f"({name} {sign} {c})", lambda s: f(s) == list(h(s))
        return text, same if sign == "==" else lambda s: not same(s)

    def in_subset(self, depth: int) -> Made:
        a, f = self.number(depth)
        v, k = self.fresh(), self.chance.randint(0, 3)
        return (
            f"any({a} in {v} for {v} in subsets(0..3, {k}))",
            lambda s: any(f(s) in chosen for chosen in combinations(range(4), k)),
        )

    # ---- players, collections, loops

    def player(self, depth: int) -> Made:
        if self.people and self.chance.random() < 0.3:
            name = self.chance.choice(self.people)
            return name, lambda s: s.names[name]
        kind = self.chance.randrange(7 if depth > 0 else 4)
        if kind == 0:
            return "me", lambda s: s.me
        if kind == 1:
            return "them", lambda s: 1 - s.me
        if kind == 2:
            return self._read("who")
        if kind == 3:
            return "first", lambda s: 0
        if kind == 4:
            i, g = self.index(depth - 1, 2)
            return f"players[{i}]", lambda s: element([0, 1], g(s))
        p, f = self.player(depth - 1)
        if kind == 5:
            return f"{self.chance.choice(['next', 'previous'])}({p})", lambda s: 1 - f(s)
        q, g = self.player(depth - 1)
        c, h = self.condition(depth - 1)
        return f"({p} if {c} else {q})", lambda s: f(s) if h(s) else g(s)

    def collection(self, depth: int, lists: bool = False) -> Made:
        """Of whole numbers; with `lists`, no set."""
        kind = self.chance.randrange(8 if depth > 0 else 4)
        if kind == 0 or (kind == 1 and lists):
            return self._read(self.chance.choice(["pits", "pits", "few"]))
        if kind == 1:
            return self.bag(depth)
        if kind == 7:
            a, f = self.collection(depth - 1, lists=True)
            b, g = self.collection(depth - 1, lists=True)
            c, h = self.condition(depth - 1)
            return f"({a} if {c} else {b})", lambda s: f(s) if h(s) else g(s)
        if kind == 2:
            return self._read("x")
        if kind == 3:
            (a, f), n = self.value(depth), self.chance.randint(0, 4)
            return f"({a}..{a} + {n})", lambda s: list(range(f(s), f(s) + n + 1))
        if kind == 4:
            (a, f), (b, g), (c, h) = (self.number(depth - 1) for _ in range(3))
            return f"[{a}, {b}, {c}]", lambda s: [f(s), g(s), h(s)]
        if kind == 5:
            a, f = self.small(depth - 1)
            b, g = self.small(depth - 1)
            return f"({a}..{b})", lambda s: list(range(f(s), g(s) + 1))
        body, loop, k = self._loop(self.number, depth - 1)
        return f"list({body} {loop})", lambda s: list(k(s))

    def small(self, depth: int) -> Made:
        a, f = self.number(depth)
        return f"(mod({a}, 6) - 2)", lambda s: f(s) % 6 - 2

    def bag(self, depth: int) -> Made:
        if depth <= 0 or self.chance.random() < 0.4:
            name, f = self._read("bag")
            return name, lambda s: sorted(f(s))
        b, h = self.bag(depth - 1)
        n, g = self.number(depth - 1)
        if self.chance.random() < 0.5:
            return f"without({b}, {n})", lambda s: sorted(set(h(s)) - {g(s)})
        if not self.fails:
            n, g = f"(mod({n}, 5) - 1)", lambda s, g=g: g(s) % 5 - 1  # type: ignore[misc]
        return f"with({b}, {n})", lambda s: sorted(added(frozenset(h(s)), g(s), *BAG))

    def _loop(
        self, body: Callable[[int], Made], depth: int
    ) -> tuple[str, str, Callable[[Scene], Iterator[Any]]]:
        """The body, `for … if …`, and what goes round; a player now and then."""
        if self.chance.random() < 0.25:
            v, names = self.fresh(), self.people
            c: str = "players"
            f: Reading = lambda s: [0, 1]  # noqa: E731
        else:
            v, names = self.fresh(), self.numbers
            c, f = self.collection(depth - 1)
        names.append(v)
        text, g = body(depth - 1)
        test, h = self.condition(0) if self.chance.random() < 0.5 else ("", None)
        names.remove(v)

        def work(s: Scene) -> Iterator[Any]:
            for item in f(s):
                inner = s.knowing(**{v: item})
                if h is None or h(inner):
                    yield g(inner)

        return text, f"for {v} in {c}" + (f" if {test}" if test else ""), work
