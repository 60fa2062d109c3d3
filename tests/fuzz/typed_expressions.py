"""Random expressions of the ruleset language, of every type, out of what a place can name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from rulegame.language.functions import FUNCTIONS

ARGUMENT: Final = re.compile(r"\{(\w[\w ]*)\}")
WORDS: Final = ("red", "amber", "green")
POINTS: Final = ("pa", "pb", "pc", "pd")
LARGE: Final = (2**63 - 1, 1 - 2**63, 2**62, 3037000500)


class Kind(NamedTuple):
    """A type: `int`, `bool`, `player` or `word`, perhaps optional; or a list, set or grid."""

    name: str
    of: Kind | None = None  # of an optional, a list or a grid
    rows: int = 0  # the size of a list, the rows of a grid, the least element of a set
    columns: int = 0  # the columns of a grid, the greatest element of a set
    board: str = ""  # that a cell is of

    @property
    def text(self) -> str:
        match self.name:
            case "word":
                return " | ".join(WORDS)
            case "cell":
                return f"cell of {self.board}"
            case "set":
                return f"set of {self.rows}..{self.columns}"
            case "optional" | "list" | "grid":
                assert self.of is not None
                between = " " if self.name == "optional" else " of "
                return f"{self.name}{between}{self.of.text}"
        return self.name


INT, BOOL, PLAYER, WORD = (Kind(name) for name in ("int", "bool", "player", "word"))
SIZE, COIN = Kind("word", None, 1), Kind("word", None, 2)  # words of a choice, of a roll
OWN_WORDS: Final = {SIZE: ("big", "small"), COIN: ("heads", "tails")}
SINGLE: Final = (INT, BOOL, PLAYER, WORD)


def optional(kind: Kind) -> Kind:
    return Kind("optional", kind)


class Value(NamedTuple):
    """A value of the state."""

    name: str
    kind: Kind
    each: bool = False


class Function(NamedTuple):
    """A definition: what it is, and what it takes."""

    name: str
    kind: Kind
    takes: tuple[Kind, ...] = ()


@dataclass
class Place:
    """What can be named where an expression stands."""

    players: int
    values: list[Value] = field(default_factory=list)
    constants: list[tuple[str, Kind]] = field(default_factory=list)  # parameters, and their lists
    functions: list[Function] = field(default_factory=list)
    names: list[tuple[str, Kind]] = field(default_factory=list)  # choices, rolls, loops, arguments
    owner: bool = True  # whether `me` is known
    first: bool = True  # whether `first` is
    words: bool = True  # whether any word is
    boards: list[Kind] = field(default_factory=list)  # the types of their cells; few have any
    after: bool = False
    types: bool = False  # whether `hue` and `few` are declared, and `tints` and `shades` are lists


class Expressions:
    """Makes expressions at a place. Few of them fail when they are worked out, unless `risky`."""

    def __init__(self, rng: Random, place: Place) -> None:
        self.rng = rng
        self.place = place
        self.risky = rng.random() < 0.15
        self._fresh = 0

    def maybe(self, share: float) -> bool:
        return self.rng.random() < share

    def kind(self, *kinds: Kind) -> Kind:
        """One of these types that there are values of."""
        return self.rng.choice([k for k in kinds if self.place.words or WORD not in (k, k.of)])

    def of(self, kind: Kind, depth: int = 2) -> str:
        """An expression of a type."""
        makers: dict[str, Callable[[Kind, int], str]] = {
            "int": lambda kind, depth: self.number(depth),
            "bool": lambda kind, depth: self.condition(depth),
            "player": lambda kind, depth: self.player(depth),
            "word": self._word,
            "cell": self._cell,
            "optional": self._optional,
            "list": self._list,
            "set": self._set,
            "grid": self._grid,
        }
        return makers[kind.name](kind, depth)

    # ---- built-in functions

    def _built_in(
        self, result: str, kind: Kind, depth: int, grid: tuple[str, Kind] | None = None
    ) -> str | None:
        """A call of a built-in function, as the samples of its row tell."""
        heads = [sample.partition(": ") for row in FUNCTIONS.values() for sample in row.samples]
        able = [call for head, _, call in heads if head == result]
        if grid is None and self._grids():
            grid = self.rng.choice(self._grids())
        call = self.rng.choice(able)
        if "{grid}" not in call:
            grid = None
        elif grid is None:
            return None
        missing = False

        def fill(found: re.Match[str]) -> str:
            nonlocal missing
            made = self._argument(found[1], kind, depth, grid)
            missing = missing or made is None
            return made or ""

        made = ARGUMENT.sub(fill, call)
        return None if missing else made

    def _argument(
        self, name: str, kind: Kind, depth: int, grid: tuple[str, Kind] | None
    ) -> str | None:
        """An argument of a sample."""
        of = kind if kind.board else self.rng.choice(self.place.boards or [kind])
        sizes = kind if grid is None else grid[1]
        match name:
            case "int" | "bool" | "player":
                return self.of(Kind(name), depth)
            case "few":
                return self.rng.choice(["1", "2", self.number(0)])
            case "step":
                return self.rng.choice(["0", "1", "(-1)", self.number(0)])
            case "divisor":
                return self._divisor(depth)
            case "any" | "ints" | "bools":
                of = {"any": self.kind(*SINGLE), "ints": INT, "bools": BOOL}[name]
                return self.collection(of, depth)[0]
            case "some ints":
                items, sure = self.collection(INT, depth)
                return items if sure or self.risky else None
            case "ordered":
                return self.of(WORD, depth) if self.place.types else None
            case "same":
                return self._set(kind, depth)
            case "element":
                return self._element_of_set(kind, depth)
            case "elements":
                return self._elements_of_set(kind, depth)
            case "cell":
                return self.of(of, depth)
            case "board":
                return kind.board
            case "grid":
                return None if grid is None else grid[0]
            case "row" | "column":
                return self.index(sizes.rows if name == "row" else sizes.columns, depth)
        raise ValueError(f"no random argument is called {name}")

    # ---- names

    def _known(self, kind: Kind) -> list[str]:
        """All that has this type and needs no more than its name."""
        place = self.place
        found = [name for name, one in (*place.names, *place.constants) if one == kind]
        for value in place.values:
            if value.kind == kind:
                found += self._readings(value)
        found += [f.name for f in place.functions if f.kind == kind and not f.takes]
        return found

    def _readings(self, value: Value) -> list[str]:
        eras = ["", "after."] if self.place.after else [""]
        if not value.each:
            return [era + value.name for era in eras]
        whose = []
        if self.place.owner:
            whose.append(f"my.{value.name}")
            whose += [f"their.{value.name}"] if self.place.players == 2 else []
        whose += [f"{value.name} of {n}" for n, k in self.place.names if k == PLAYER]
        seat = self.rng.randint(1, self.place.players)
        whose.append(f"{value.name} of (players[{seat}])")
        return [era + one for era in eras for one in whose]

    def _all_of(self, kinds: Callable[[Kind], bool], each: bool = False) -> list[tuple[str, Kind]]:
        """Values with a type that fits, as they can be read; of `each` player, all in a list."""
        known = () if each else (*self.place.names, *self.place.constants)
        found = [(n, k) for n, k in known if kinds(k)]
        for value in self.place.values:
            if each and value.each and kinds(value.kind):
                found += [
                    (era + value.name, value.kind)
                    for era in (["", "after."] if self.place.after else [""])
                ]
            elif not each and kinds(value.kind):
                found += [(text, value.kind) for text in self._readings(value)]
        return found

    def _call(self, kind: Kind, depth: int) -> str | None:
        able = [f for f in self.place.functions if f.kind == kind and f.takes]
        if not able:
            return None
        one = self.rng.choice(able)
        given = ", ".join(self.of(k, min(depth, 1)) for k in one.takes)
        return f"{'after.' if self.place.after and self.maybe(0.2) else ''}{one.name}({given})"

    def _one(self, kind: Kind, depth: int, more: Sequence[Callable[[int], str | None]]) -> str:
        """A name, an element, a definition, or one of the other makers' expressions."""
        makers: list[Callable[[int], str | None]] = [
            lambda depth: self._choice(self._known(kind)),
            lambda depth: self._element(kind, depth),
        ]
        if depth > 0:
            makers += [*more, *more, lambda depth: self._call(kind, depth),
                       lambda depth: self._either(kind, depth)]  # fmt: skip
        for maker in self.rng.sample(makers, len(makers)):
            made = maker(depth - 1)
            if made is not None:
                return made
        return self._plain(kind)

    def _choice(self, texts: Sequence[str]) -> str | None:
        return self.rng.choice(texts) if texts else None

    def _plain(self, kind: Kind) -> str:
        """What can be written anywhere."""
        match kind.name:
            case "int":
                return self.literal()
            case "bool":
                return self.rng.choice(["true", "false", f"{self.literal()} > 0"])
            case "player":
                return f"players[{self.rng.randint(1, self.place.players)}]"
            case "cell":
                row, column = self.rng.randint(1, kind.rows), self.rng.randint(1, kind.columns)
                return f"cell({kind.board}, {row}, {column})"
        return self.rng.choice(WORDS)

    def _either(self, kind: Kind, depth: int) -> str:
        a, b = self.of(kind, depth), self.of(kind, depth)
        return f"({a} if {self.condition(depth)} else {b})"

    def _element(self, kind: Kind, depth: int) -> str | None:
        """Of a list, a grid, or what all players have."""
        able = self._all_of(lambda k: k.name in ("list", "grid") and k.of == kind)
        everyone = self._all_of(lambda k: k == kind, each=True)
        if everyone and self.maybe(0.3):
            text, _ = self.rng.choice(everyone)
            return f"{text}[{self.index(self.place.players, depth)}]"
        if not able:
            return None
        text, among = self.rng.choice(able)
        if " of " in text:
            text = f"({text})"
        of = next((one for one in self.place.boards if one.board == text.split(".")[-1]), None)
        if among.name == "grid" and of is not None and self.maybe(0.6):
            return f"{text}[{self.of(of, depth)}]"
        if among.name == "grid":
            r, c = self.index(among.rows, depth), self.index(among.columns, depth)
            return f"{text}[{r}, {c}]"
        return f"{text}[{self.index(among.rows, depth)}]"

    def index(self, size: int, depth: int) -> str:
        if self.risky and self.maybe(0.3):
            return self.number(min(depth, 1))
        if depth <= 0 or self.maybe(0.4):
            return str(self.rng.randint(1, size))
        return f"mod({self.number(depth - 1)}, {size}) + 1"

    # ---- whole numbers

    def literal(self) -> str:
        if self.risky and self.maybe(0.1):
            n = self.rng.choice(LARGE)
        else:
            n = self.rng.choice([0, 1, 1, 2, 2, 3, 4, 7, -1, -2, -5])
        return str(n) if n >= 0 else f"({n})"

    def number(self, depth: int = 2) -> str:
        return self._one(
            INT,
            depth,
            [
                lambda depth: self.literal(), self._sum, self._sum, self._product, self._quotient,
                self._minus, self._looped, self._counted, self._unwrapped, self._let,
                *[lambda depth: self._built_in("int", INT, depth)] * 5,
                *([lambda depth: self._built_in("side", INT, depth)] * 2
                  if self.place.boards else []),
                *([self._indexed] * 4 if self.place.types else []),
            ],
        )  # fmt: skip

    def _indexed(self, depth: int) -> str | None:
        """An element of a list that a declared type indexes."""
        era = "after." if self.place.after and self.maybe(0.3) else ""
        if not self.place.values:
            return None
        if self.maybe(0.4):
            return self._of_points(era)
        if self.maybe(0.5):
            return f"{era}tints[{self.of(WORD, depth)}]"
        return f"{era}shades[{self.few(depth)}]"

    def point(self) -> str:
        """A point of the type `spot`."""
        beside = f"min(neighbours({self.rng.choice(POINTS)}))"
        return self.rng.choice(
            [*POINTS, beside, f"max(q for q in spot if net[q] < {self.literal()} or q == pa)"]
        )

    def _of_points(self, era: str) -> str:
        """A number that is asked of a board of points."""
        p, name = self.point(), self.fresh()
        return self.rng.choice([
            f"{era}net[{p}]",
            f"sum({era}net[{name}] for {name} in {self.rng.choice(['neighbours', 'around'])}({p}))",
            f"size(connected({name} for {name} in [{p}] if {era}net[{name}] > 0))",
            f"count({name} for {name} in lines({p}, {self.rng.randint(1, 3)}))",
            f"max(sum({name}) for {name} in lines({era}net, {self.rng.randint(1, 2)}))",
            f"sum(size({name}) for {name} in rays({p}))",
        ])  # fmt: skip

    def few(self, depth: int) -> str:
        """A number that the type `few` has."""
        inside = f"max(-1, min(1, {self.number(depth)}))"
        return self.rng.choice(["-1", "0", "1", inside, self.number(depth) if self.risky else "0"])

    def _ordered(self, depth: int) -> str:
        """A comparison of words that a type puts in order."""
        sign = self.rng.choice(["<", "<=", ">", ">="])
        each = self.rng.choice([f"max({self.of(WORD, depth)}, amber)", "min(w for w in hue)"])
        other = self.rng.choice([self.of(WORD, depth), each])
        return f"(({self.of(WORD, depth)}) {sign} ({other}))"

    def _let(self, depth: int) -> str:
        """A number under a name."""
        name, value = self.fresh(), self.number(depth)
        with self._knowing(name, INT):
            body = self.number(depth)
        return f"let({name} = {value}, {body})"

    def _sum(self, depth: int) -> str:
        return f"({self.number(depth)} {self.rng.choice('+-')} {self.number(depth)})"

    def _product(self, depth: int) -> str:
        return f"({self.number(depth)} * {self.number(depth)})"

    def _quotient(self, depth: int) -> str:
        return f"({self.number(depth)} / {self._divisor(depth)})"

    def _divisor(self, depth: int) -> str:
        if self.risky or self.maybe(0.05):
            return self.number(depth)
        return self.rng.choice(["2", "3", "(-2)", "7"])

    def _minus(self, depth: int) -> str:
        return f"(-{self.number(depth)})"

    def _looped(self, depth: int) -> str:
        with self._loop(depth, conditions=0.3) as loop:
            body = self.number(depth)
        unsure = not self.risky and (loop.condition or not loop.sure)
        name = "sum" if unsure else self.rng.choice(["sum", "min", "max"])
        return f"{name}({body} {loop.text})"

    def _counted(self, depth: int) -> str:
        with self._loop(depth) as loop:
            body = self.condition(depth) if self.maybe(0.6) else loop.name
        return f"count({body} {loop.text})"

    def _unwrapped(self, depth: int) -> str | None:
        return self._asked(INT, depth)

    def _asked(self, kind: Kind, depth: int) -> str | None:
        """What may be none, asked first."""
        name = self._choice(self._known(optional(kind)))
        if name is None or " of (" in name or "after." in name:
            return None
        otherwise = self.of(kind, depth)
        if self.maybe(0.5):
            return f"({otherwise} if {name} == none else {name})"
        return f"({name} if {name} != none else {otherwise})"

    # ---- conditions

    def condition(self, depth: int = 2) -> str:
        return self._one(
            BOOL,
            depth,
            [
                self._comparison, self._comparison, self._chain, self._same, self._junction,
                self._negation, self._membership, self._nothing, self._quantified,
                *[lambda depth: self._built_in("bool", BOOL, depth)] * 2, self._lined,
                self._same_collection, self._own_word,
                *([self._of_cells] * 4 if self.place.boards else []),
                *([self._ordered] * 3 if self.place.types else []),
            ],
        )  # fmt: skip

    def _comparison(self, depth: int) -> str:
        sign = self.rng.choice(["==", "!=", "<", "<=", ">", ">="])
        return f"{self.number(depth)} {sign} {self.number(depth)}"

    def _chain(self, depth: int) -> str:
        a, b, c = (self.number(depth) for _ in range(3))
        return f"({a} {self.rng.choice(['<=', '<'])} {b} {self.rng.choice(['<', '!=', '>='])} {c})"

    def _same(self, depth: int) -> str:
        kind = self.kind(PLAYER, WORD, BOOL, optional(self.kind(*SINGLE)))
        a, b = self.of(kind, depth), self.of(kind, depth)
        return f"(({a}) {self.rng.choice(['==', '!='])} ({b}))"

    def _same_collection(self, depth: int) -> str | None:
        able = self._all_of(lambda k: k.name in ("set", "list", "grid"))
        if not able:
            return None
        text, kind = self.rng.choice(able)
        return f"(({text}) {self.rng.choice(['==', '!='])} ({self.of(kind, depth)}))"

    def _own_word(self, depth: int) -> str | None:
        able = [(name, kind) for name, kind in self.place.names if kind in OWN_WORDS]
        if not able:
            return None
        name, kind = self.rng.choice(able)
        return f"({name} {self.rng.choice(['==', '!='])} {self.rng.choice(OWN_WORDS[kind])})"

    def _junction(self, depth: int) -> str:
        word = self.rng.choice(["and", "or"])
        return "(" + f" {word} ".join(self.condition(depth) for _ in range(2)) + ")"

    def _negation(self, depth: int) -> str:
        return f"(not ({self.condition(depth)}))"

    def _membership(self, depth: int) -> str:
        kind = self.kind(INT, INT, INT, PLAYER, WORD, optional(PLAYER))
        items = self.collection(kind, depth)[0]
        return f"({self.of(kind, depth)} {self.rng.choice(['in', 'not in'])} {items})"

    def _nothing(self, depth: int) -> str | None:
        kind = self.kind(*SINGLE)
        name = self._choice(self._known(optional(kind)))
        if name is None:
            return None
        if kind == INT and " of (" not in name and "after." not in name and self.maybe(0.4):
            return f"({name} != none and {name} > {self.number(depth)})"
        return f"({name} {self.rng.choice(['==', '!='])} none)"

    def _quantified(self, depth: int) -> str:
        with self._loop(depth) as loop:
            body = self.condition(depth)
        return f"{self.rng.choice(['any', 'all'])}({body} {loop.text})"

    def _grids(self) -> list[tuple[str, Kind]]:
        return self._all_of(lambda k: k.name == "grid")

    def _lined(self, depth: int) -> str | None:
        grids = self._grids()
        if not grids:
            return None
        grid, kind = self.rng.choice(grids)
        assert kind.of is not None
        rows = self._built_in("rows", BOOL, depth, (grid, kind))
        row, cell = self.fresh(), self.fresh()
        same = f"{cell} == {self.of(kind.of, 0)}"
        if kind.of == BOOL:
            same = cell
        name, other = self.rng.choice(["any", "all"]), self.rng.choice(["any", "all"])
        if self.maybe(0.3):
            return f"{name}({same} for {row} in {rows} for {cell} in {row})"
        return f"{name}({other}({same} for {cell} in {row}) for {row} in {rows})"

    # ---- players, words, what may be none

    def player(self, depth: int = 2) -> str:
        return self._one(
            PLAYER,
            depth,
            [
                self._person, self._person, self._asked_player,
                lambda depth: self._built_in("player", PLAYER, depth),
            ],
        )  # fmt: skip

    def _person(self, depth: int) -> str:
        known = ["me", "me"] if self.place.owner else []
        known += ["first"] if self.place.first else []
        if self.place.owner and self.place.players == 2:
            known.append("them")
        return self.rng.choice([*known, f"players[{self.index(self.place.players, depth)}]"])

    def _asked_player(self, depth: int) -> str | None:
        return self._asked(PLAYER, depth)

    def _word(self, kind: Kind, depth: int) -> str:
        return self._one(WORD, depth, [lambda depth: self.rng.choice(WORDS)])

    def _optional(self, kind: Kind, depth: int) -> str:
        assert kind.of is not None
        inner = kind.of
        makers: list[Callable[[int], str | None]] = [
            lambda depth: "none",
            lambda depth: self.of(inner, depth),
            lambda depth: f"({self.of(inner, depth)} if {self.condition(depth)} else none)",
        ]
        if depth <= 0:
            return self._choice(self._known(kind)) or self.of(inner, 0)
        return self._one(kind, depth, makers) if self.maybe(0.8) else "none"

    # ---- collections

    def collection(self, kind: Kind, depth: int) -> tuple[str, bool]:
        """Elements of a type; and whether there is certainly one."""
        makers: list[Callable[[int], tuple[str, bool] | None]] = [
            lambda depth: self._stored(kind),
            lambda depth: self._everyone(kind),
            lambda depth: self._row(kind, depth),
        ]
        if kind == PLAYER:
            makers += [lambda depth: ("players", True)] * 2
        if kind == INT:
            makers += [self._range, self._range, self._members]
        if kind.name == "cell":
            makers += [lambda depth: self._cells(kind, depth + 1)] * 3
        if self.place.boards and depth > 0:
            makers.append(lambda depth: self._run(kind, depth))
        if depth > 0:
            makers += [
                lambda depth: self._comprehension(kind, depth),
                *[lambda depth: self._of_grid(kind, depth)] * 3,
                lambda depth: self._one_of_two(kind, depth),
            ]
            if kind == INT:
                makers.append(lambda depth: (self._built_in("ints", kind, depth) or "[1]", False))
        for maker in self.rng.sample(makers, len(makers)):
            made = maker(depth - 1)
            if made is not None:
                return made
        return self._row(kind, 0)

    def _stored(self, kind: Kind) -> tuple[str, bool] | None:
        able = self._all_of(lambda k: k.name in ("list", "grid") and k.of == kind)
        return (f"({self.rng.choice(able)[0]})", True) if able else None

    def _everyone(self, kind: Kind) -> tuple[str, bool] | None:
        able = self._all_of(lambda k: k == kind, each=True)
        return (self.rng.choice(able)[0], True) if able else None

    def _row(self, kind: Kind, depth: int) -> tuple[str, bool]:
        one = "none" if kind.name == "optional" and self.maybe(0.3) else self.of(kind, depth)
        items = [one] + [self.of(kind, depth) for _ in range(self.rng.choice([0, 1, 2]))]
        return f"[{', '.join(items)}]", True

    def _range(self, depth: int) -> tuple[str, bool]:
        if depth <= 0 or self.maybe(0.4):
            low = self.rng.choice([0, 1, 1, -1])
            return f"({low}..{low + self.rng.choice([0, 1, 2, 3])})", True
        if self.maybe(0.4):
            one = self.number(0)
            return f"({one}..{one} + {self.rng.randint(0, 3)})", True
        a, b = self.number(depth), self.number(depth)
        return f"(mod({a}, 4) - 1..mod({b}, 5))", False

    def _members(self, depth: int) -> tuple[str, bool] | None:
        able = self._all_of(lambda k: k.name == "set")
        if not able:
            return None
        text, kind = self.rng.choice(able)
        return (f"({text})" if depth <= 0 else self._set(kind, depth)), False

    def _of_grid(self, kind: Kind, depth: int) -> tuple[str, bool] | None:
        able = [(text, k) for text, k in self._grids() if k.of == kind]
        if not able:
            return None
        made = self._built_in("items", kind, depth, self.rng.choice(able))
        return None if made is None else (made, False)

    def _one_of_two(self, kind: Kind, depth: int) -> tuple[str, bool] | None:
        """Lists of different lengths, and not of sets beside lists."""
        a, b = (
            self._comprehension(kind, depth) if self.maybe(0.6) else self._row(kind, depth)
            for _ in range(2)
        )
        return f"({a[0]} if {self.condition(depth)} else {b[0]})", a[1] and b[1]

    def _comprehension(self, kind: Kind, depth: int) -> tuple[str, bool]:
        with self._loop(depth) as loop:
            body = self.of(kind, depth)
            if kind.name == "optional" and body == "none":
                body = self.of(kind.of or INT, 0)
        return f"list({body} {loop.text})", loop.sure and not loop.condition

    def _list(self, kind: Kind, depth: int) -> str:
        """Of exactly so many elements."""
        assert kind.of is not None
        known = self._known(kind)
        if known and self.maybe(0.3):
            return self.rng.choice(known)
        if depth > 0 and self.maybe(0.3):
            a, b = self._list(kind, depth - 1), self._list(kind, depth - 1)
            return f"({a} if {self.condition(depth - 1)} else {b})"
        if self.maybe(0.5):
            name = self.fresh()
            with self._knowing(name, INT):
                body = self.of(kind.of, depth - 1)
            return f"list({body} for {name} in 1..{kind.rows})"
        return f"[{', '.join(self.of(kind.of, depth - 1) for _ in range(kind.rows))}]"

    def _set(self, kind: Kind, depth: int) -> str:
        known = self._known(kind)
        if not known:
            known = [f"with({one}, {kind.rows})" for one in ("none",)]
        if depth <= 0:
            return self.rng.choice(known)
        inner = self._set(kind, depth - 1)
        if self.maybe(0.15):
            return f"({inner} if {self.condition(depth - 1)} else {self._set(kind, depth - 1)})"
        return self._built_in("set", kind, depth - 1) or inner

    def _element_of_set(self, kind: Kind, depth: int) -> str:
        item = self.number(depth)
        if self.risky and self.maybe(0.3):
            return item
        return f"mod({item}, {kind.columns - kind.rows + 1}) + {kind.rows}"

    def _elements_of_set(self, kind: Kind, depth: int) -> str:
        items, one = self.collection(INT, depth)[0], self.fresh()
        if self.risky and self.maybe(0.3):
            return items
        return (
            f"list(mod({one}, {kind.columns - kind.rows + 1}) + {kind.rows} for {one} in {items})"
        )

    # ---- cells

    def _cell(self, kind: Kind, depth: int) -> str:
        return self._one(kind, depth, [lambda depth: self._placed(kind, depth)] * 2)

    def _placed(self, kind: Kind, depth: int) -> str:
        if self.maybe(0.3):
            return f"cells({kind.board})[{self.index(kind.rows * kind.columns, depth)}]"
        return self._built_in("cell", kind, depth) or self._plain(kind)

    def _cells(self, kind: Kind, depth: int) -> tuple[str, bool]:
        """All cells, or those that have to do with one."""
        if self.maybe(0.9 if depth <= 0 else 0.3):
            return f"cells({kind.board})", True
        if not self.maybe(0.4):
            return self._built_in("cells", kind, depth - 1) or f"cells({kind.board})", False
        name, starts = self.fresh(), self._cells(kind, depth - 1)[0]
        with self._knowing(name, kind):
            condition = self.condition(depth - 1)
        return f"connected({name} for {name} in {starts} if {condition})", False

    def _run(self, kind: Kind, depth: int) -> tuple[str, bool]:
        among, name = self.rng.choice([*self.place.boards, INT, PLAYER]), self.fresh()
        items = self.collection(among, depth - 1)[0]
        with self._knowing(name, among):
            body, condition = self.of(kind, 0), self.condition(depth - 1)
        return f"run({body} for {name} in {items} if {condition})", False

    def _of_cells(self, depth: int) -> str:
        """What holds of cells, or of lines of them."""
        of = self.rng.choice(self.place.boards)
        one, line, name = self.of(of, depth), self.fresh(), self.fresh()
        if self.maybe(0.3):
            return f"({one} {self.rng.choice(['==', '!='])} {self.of(of, depth)})"
        if self.maybe(0.3):
            return f"({one} {self.rng.choice(['in', 'not in'])} {self.collection(of, depth)[0]})"
        lines = self._built_in("lines", of, depth)
        with self._knowing(name, of):
            inner = self.condition(depth)
        a, b = (self.rng.choice(["any", "all"]) for _ in range(2))
        return f"{a}({b}({inner} for {name} in {line}) for {line} in {lines})"

    def _grid(self, kind: Kind, depth: int) -> str:
        known = self._known(kind)
        if depth <= 0 or self.maybe(0.5):
            return self.rng.choice(known)
        a, b = self._grid(kind, depth - 1), self._grid(kind, depth - 1)
        return f"({a} if {self.condition(depth - 1)} else {b})"

    # ---- loops

    def fresh(self) -> str:
        self._fresh += 1
        return f"v{self._fresh}"

    @contextmanager
    def _knowing(self, name: str, kind: Kind) -> Iterator[None]:
        self.place.names.append((name, kind))
        yield
        self.place.names.remove((name, kind))

    @contextmanager
    def _loop(self, depth: int, conditions: float = 0.4) -> Iterator[_Loop]:
        """`for … in … if …`, around what is made inside."""
        kind = self.kind(INT, INT, INT, PLAYER, PLAYER, BOOL, WORD, optional(PLAYER))
        name = self.fresh()
        if self.place.boards and self.maybe(0.4):
            kind = self.rng.choice(self.place.boards)
        if depth > 0 and self.maybe(0.08):
            kind = Kind("set", None, 1, 3)
            sizes = [", 1", ", 2", f", {self.number(0)}", ""]
            items, sure = f"subsets(1..3{self.rng.choice(sizes)})", False
        else:
            items, sure = self.collection(kind, depth - 1)
        with self._knowing(name, kind):
            condition = f" if {self.condition(depth - 1)}" if self.maybe(conditions) else ""
            loop = _Loop(name, f"for {name} in {items}{condition}", bool(condition), sure)
            if depth > 0 and self.maybe(0.15):
                second = self.fresh()
                more, more_sure = self.collection(INT, 0)
                loop = loop._replace(
                    text=f"{loop.text} for {second} in {more}", sure=sure and more_sure
                )
                with self._knowing(second, INT):
                    yield loop
            else:
                yield loop


class _Loop(NamedTuple):
    name: str
    text: str
    condition: bool
    sure: bool  # it certainly goes round
