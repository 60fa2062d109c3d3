"""Rulesets that are made piece by piece, with every construct of the language, most of them valid
and with few states.
"""

from __future__ import annotations

from random import Random
from typing import Any, Final, NamedTuple

import yaml

from fuzz.ruleset_texts import Texts
from fuzz.table import is_compared
from fuzz.typed_expressions import (
    BOOL,
    COIN,
    INT,
    PLAYER,
    POINTS,
    SINGLE,
    SIZE,
    WORD,
    WORDS,
    Expressions,
    Function,
    Kind,
    Place,
    Value,
    optional,
)

RESULTS: Final = ("win", "lose", "draw")
INDEXED: Final = Kind("of a type")  # lists that a declared type indexes, and a number in a range


class Drawing(str):
    """Text in several lines, which are written as they are."""


def _as_drawn(dumper: yaml.SafeDumper, drawing: Drawing) -> yaml.Node:
    return dumper.represent_scalar("tag:yaml.org,2002:str", str(drawing), style="|")


yaml.SafeDumper.add_representer(Drawing, _as_drawn)
SHARED, OWN = "abcdef", "uvwxyz"


def make(rng: Random) -> bytes:
    """The text of a ruleset."""
    aside = Random(str(rng.getstate()))  # without a draw of the others
    shares = (0.0,) * 4 if is_compared() else (0.2, 0.15, 0.2, 0.3)
    wanted = Wanted(*(aside.random() < share for share in shares))
    made = _variant(rng) if rng.random() < 0.03 else Author(rng, wanted).ruleset()
    if wanted.sights:
        _other_sights(made, aside)
    return yaml.safe_dump(made, sort_keys=False, allow_unicode=True, width=10_000).encode()


def _other_sights(made: Any, rng: Random) -> None:
    """Some of what only its owner sees is for all others, some of what nobody sees for a seat."""
    for key, value in made.items() if isinstance(made, dict) else ():
        if key == "seen by" and value in ("owner", "nobody") and rng.random() < 0.5:
            made[key] = "others" if value == "owner" else [1]
        _other_sights(value, rng)


def _variant(rng: Random) -> dict[str, Any]:
    """Of a bundled game, with as few states as it can have."""
    small = {"default": rng.randint(1, 3)}
    gone = {"effects": {"spare": "spare - die"}}
    rolls = {"high": "1..2", "low": {"before": "high", "from": "[1, 2]"}}
    return {
        "rulegame": 1,
        "extends": "nim",
        "title": "Variant",
        "parameters": {"heaps": [rng.randint(1, 2)], "extra": {"before": "misere", **small}},
        "state": {
            "spare": {"before": "heaps", "start": "extra", "show": {"as": "bar", "to": 9}},
        },
        "define": {"two": 2, "one": {"before": "two", "value": 1}},
        "setup": {
            "pick": {"choose": {"how": "1..2"}, "effects": {"spare": "spare + how"}},
            "early": {"before": "pick", "choose": {"so": "[1, 2]"}, "effects": {"spare": "so"}},
        },
        "turn": {"roll": {"die": "1..2", "coin": {"before": "die", "from": "[1, 1, 2]"}}},
        "operations": {
            "leave": {
                "before": "take",
                "choose": {"many": "1..spare", "few": {"before": "many", "from": "1..coin"}},
                "let": {"marks": {"type": "list of int", "indexed by": "2..3", "start": 0}},
                "steps": {"last": {"roll": rolls, **gone}, "once": {"before": "last", **gone}},
            },
        },
        "validity": {
            "more": "spare > -2",
            "less": {"before": "more", "require": "few <= many", "for": ["leave"]},
        },
        "end": {"little": {"before": "last_taken", "when": "spare < 0", "result": "draw"}},
    }


class Wanted(NamedTuple):
    """What a ruleset is to have beside the rest."""

    boards: bool = False
    types: bool = False
    turns: bool = False  # effects when a turn begins and after every move, rolls that are left out
    sights: bool = False  # values and rolls that all others see, or some seats


PLAIN: Final = Wanted()


class Author:
    """Makes one ruleset."""

    def __init__(self, rng: Random, wanted: Wanted = PLAIN) -> None:
        self.rng = rng
        self.with_boards = wanted.boards
        self.with_types = wanted.types
        self.with_turns = wanted.turns
        self.decides_first = False
        self.players = rng.choice([2, 2, 2, 2, 2, 2, 1, 3, 3, 4])
        self.place = Place(self.players, words=rng.random() < 0.5 or wanted.types)
        self.write = Expressions(rng, self.place)
        self.texts = Texts(rng, self.write)
        self.made: dict[str, Any] = {"rulegame": 1, "title": "Random"}
        self.turn_rolls: list[tuple[str, Kind]] = []
        self.choices: dict[str, Kind] = {}  # of all operations

    def maybe(self, share: float) -> bool:
        return self.rng.random() < share

    def ruleset(self) -> dict[str, Any]:
        """All sections, each out of what the ones before have named."""
        made = self.made
        if self.players != 2 or self.maybe(0.3):
            made["players"] = self._who_plays()
        if self.maybe(0.2):
            made["summary"] = "Nobody knows how this is played."
        if self.with_types:
            made["types"] = self._types()
        self._parameters()
        self._state()
        self._definitions()
        self._turn()
        setup = self._setup() if self.maybe(0.25) else {}
        operations = {f"op{k}": self._operation(k) for k in range(self.rng.randint(1, 3))}
        if len(operations) > 1 and self.maybe(0.15):
            operations["op0"]["enabled"] = False
        if setup:
            made["setup"] = setup
            able = [v.name for v in self.place.values if v.kind == PLAYER and not v.each]
            if self.decides_first and able:
                turn = made.setdefault("turn", {})
                turn["first"] = self.rng.choice([able[0], f"next({able[0]})"])
        if len(operations) == 1 and operations["op0"].get("choose") and self.maybe(0.3):
            asked = [*list(operations["op0"]["choose"])[:1], "operation"]
            made["turn"] = {**made.get("turn", {}), "ask": asked}
        made["operations"] = operations
        self._validity(operations, setup)
        self._stuck(operations)
        made["end"] = self._end()
        if self.maybe(0.15):
            made["payoff unit"] = self.rng.choice(["1/2", 3, "2/3"])
        self.texts.add(made)
        if self.maybe(0.2):
            made["claims"] = self._claims()
        if "grid of" in str(made["state"]) and self.maybe(0.4):
            made["symmetry"] = self._symmetry()
        return made

    def _who_plays(self) -> Any:
        """The names, or how many may play: by default as many as the expressions are made for."""
        names = ["Ann", "Bob", "Cleo", "Dan"]
        if self.maybe(0.75):
            return names[: self.players]
        few = many = self.players
        if self.maybe(0.4):
            few, many = self.rng.randint(1, few), self.rng.randint(many, 4)
        named = {"names": names[:many]} if self.maybe(0.3) else {}
        return {"from": few, "to": many, "default": self.players, **named}

    def _types(self) -> dict[str, Any]:
        """The words in order, a range, and cells."""
        told = {"values": list(WORDS), "before": "few", "about": "From light to dark"}
        found: dict[str, Any] = {"few": "-1..1"}
        found["hue"] = told if self.maybe(0.5) else list(WORDS)
        if self.with_boards:
            found["field"] = "cell of board"
        places = {name: [k + 1, k % 2 + 1] for k, name in enumerate(POINTS)}
        lines = [["pa", "pb", "pc"], ["pc", "pd"], *([["pd", "pa"]] if self.maybe(0.5) else [])]
        found["spot"] = {"points": places, "lines": lines}
        return found

    def _of_types(self, shared: dict[str, Any]) -> list[Value]:
        """Values that are indexed by types, and one in a range."""
        of = self.rng.choice(["int", "int", "optional int"])
        shared["tints"] = {"type": "list of int", "indexed by": "hue", "start": [1, 2, 3]}
        shared["shades"] = {"type": "list of int", "indexed by": "few"}
        shared["net"] = {"type": "list of int", "indexed by": "spot"}
        shared["sparse"] = {"type": f"list of {of}", "indexed by": self.rng.choice(["2..4", "hue"])}
        shared["narrow"] = {"type": self.rng.choice(["few", "optional few"]), "start": 1}
        if self.with_boards:
            shared["paths"] = {"type": "list of int", "indexed by": "field"}
        self.place.types = True
        return [Value(name, INDEXED) for name in ("tints", "shades", "net", "narrow")]

    # ---- parameters, state, definitions

    def _parameters(self) -> None:
        rng, place = self.rng, self.place
        about = {"about": "What players may vary"} if self.maybe(0.3) else {}
        found: dict[str, Any] = {}
        if self.maybe(0.4):
            bounds: dict[str, Any] = {"min": -2, "max": 5} if self.maybe(0.6) else {}
            n = rng.randint(0, 3)
            if bounds and self.maybe(0.3):
                bounds |= {"one of": [0, 1, 2, 3], "require": f"pn + {self.players} > 0"}
                bounds["because"] = "{pn} is {if pn > 1}not{else}hardly{end} enough"
            found["pn"] = {"default": n, **bounds, **about} if bounds or about else n
            place.constants.append(("pn", INT))
        if self.maybe(0.25):
            numbers = rng.sample(range(-1, 5), rng.randint(1, 3))
            sizes = {"min size": 1, "max size": 4, "different": True, "min": -1, "max": 9}
            found["pl"] = {"default": numbers, **sizes} if self.maybe(0.5) else numbers
            place.constants.append(("pl", Kind("list", INT, len(numbers))))
        if self.maybe(0.2):
            found["pb"] = self.maybe(0.5)
            place.constants.append(("pb", BOOL))
        if self.place.words and self.maybe(0.4):
            found["pw"] = {"default": rng.choice(WORDS), "one of": list(WORDS)}
            place.constants.append(("pw", WORD))
        if found:
            self.made["parameters"] = found

    def _state(self) -> None:
        shared: dict[str, Any] = {"t": 0}
        own: dict[str, Any] = {}
        self.place.owner = self.place.first = False
        declared = []
        if self.place.words:
            declared.append(Value("light", WORD))
            shared["light"] = self._declared(declared[-1])
        for name in SHARED[: self.rng.randint(2, 4)]:
            declared.append(Value(name, self._kind()))
            shared[name] = self._declared(declared[-1])
        if self.with_boards:
            declared += self._boards(shared)
        if self.with_types:
            declared += self._of_types(shared)
        self.place.owner = True
        for name in OWN[: self.rng.randint(0, 2)]:
            declared.append(Value(name, self._kind(), True))
            own[name] = self._declared(declared[-1])
        self._add_stores(own, [one.name for one in declared if one.each and one.kind == INT])
        if own:
            shared["each player"] = own
        self.made["state"] = shared
        self.place.first = True
        self.place.values += [Value("t", INT), *declared]

    def _add_stores(self, own: dict[str, Any], numbers: list[str]) -> None:
        """Draw a number of each player as the store of a row of pits."""
        for made in own.values():
            if numbers and isinstance(made, dict) and made.get("show") == "pits":
                made["show"] = {"as": "pits", "store": self.rng.choice(numbers)}

    def _boards(self, shared: dict[str, Any]) -> list[Value]:
        """A board, and values that are cells of it."""
        rows, columns = self.rng.choice([(2, 2), (2, 3), (3, 2), (1, 4)])
        of = self.write.kind(optional(PLAYER), optional(PLAYER), INT, BOOL, WORD)
        board = Value("board", Kind("grid", of, rows, columns))
        shared["board"] = self._drawn(board) if of == optional(PLAYER) else self._declared(board)
        cell = Kind("cell", None, rows, columns, "board")
        self.place.boards.append(cell)
        declared = [board]
        kinds = [cell, optional(cell), Kind("list", cell, 2), Kind("list", optional(cell), 2),
                 Kind("grid", cell, 1, 2), Kind("grid", optional(cell), 2, 1)]  # fmt: skip
        for name, kind in zip("gh", self.rng.sample(kinds, 2), strict=True):
            declared.append(Value(name, kind))
            shared[name] = self._declared(declared[-1])
        return declared

    def _drawn(self, board: Value) -> dict[str, Any]:
        """A board as it is drawn."""
        symbols = {"none": ".", "players[1]": "X"}
        show: dict[str, Any] = {"symbols": symbols}
        if self.maybe(0.5):
            show |= {"columns": "letters", "rows": self.rng.choice(["upward", "numbers"])}
        if not is_compared() and self.maybe(0.5):
            grounds = ["chequered", "plain", "intersections", "upright"]
            show |= {"as": self.rng.choice(["discs", "stones", "men"]), "sides": "players"}
            show["board"] = self.rng.choice(grounds)
            columns, rows = board.kind.columns, board.kind.rows
            number = f"{columns} * (r - 1) + c"
            show["numbers"] = f"list(list({number} for c in 1..{columns}) for r in 1..{rows})"
        made: dict[str, Any] = {"type": board.kind.text, "show": show}
        if self.maybe(0.5):
            made["tiles"] = self.rng.choice(["hexagons", "hexagons", "squares"])
        if self.maybe(0.3):
            return {**made, "rows": board.kind.rows, "columns": board.kind.columns}
        lines = [self.rng.choices("..X", k=board.kind.columns) for _ in range(board.kind.rows)]
        made["start"] = Drawing("".join(" ".join(line) + "\n" for line in lines))
        return made

    def _kind(self) -> Kind:
        rng = self.rng
        single = self.write.kind(INT, INT, *SINGLE)
        of = optional(single) if self.maybe(0.35) else single
        match rng.choice(["single", "single", "optional", "list", "set", "grid"]):
            case "single":
                return single
            case "optional":
                return optional(single)
            case "list":
                return Kind("list", of, rng.randint(1, 3))
            case "set":
                low = rng.choice([0, 1, -1])
                width = rng.randint(1, 3)
                if low == -1 and width == 3:  # now and then several cells
                    width = 100
                return Kind("set", None, low, low + width)
        return Kind("grid", of, rng.randint(1, 2), rng.randint(1, 3))

    def _declared(self, value: Value) -> Any:
        """A value of the state as it is written: in short, if that says enough."""
        kind, of = value.kind, value.kind.of
        if kind.name in ("int", "bool") and self.maybe(0.5):
            return self.write.of(kind, 1)
        made: dict[str, Any] = {"type": kind.text}
        start = self._start(kind)
        alone = of is not None and (of in (PLAYER, WORD) or of.name == "cell")
        given = kind.name in ("player", "word", "cell") or (kind.name != "optional" and alone)
        if kind.name == "list" and not isinstance(start, list):
            made["size"] = kind.rows
        if kind.name == "grid":
            made["rows"], made["columns"] = kind.rows, kind.columns
        if given or self.maybe(0.5) or isinstance(start, list):
            made["start"] = start
        if self.maybe(0.15):
            made["about"] = "What is remembered"
        if self.with_boards and kind.name == "int" and self.maybe(0.6):
            ways: list[Any] = ["pips", "cards", {"as": "bar", "to": 9}]
            later: list[Any] = ["no", {"history": True}, {"like": "t"}]
            made["show"] = self.rng.choice(ways if is_compared() else [*ways, *later])
        if kind.name in ("list", "set") and not is_compared() and self.maybe(0.3):
            made["show"] = self._shown(value, made)
        if self.maybe(0.1):
            made["seen by"] = self.rng.choice(["owner", "nobody"] if value.each else ["nobody"])
        return made

    def _shown(self, value: Value, made: dict[str, Any]) -> Any:
        """How a list or a set is drawn."""
        kind = value.kind
        if kind.name == "set":
            ranks = [*range(1, kind.columns - kind.rows + 2)]
            narrow = len(ranks) < 10
            return {"as": "cards", "suits": ["hearts"], "ranks": ranks} if narrow else "cards"
        count = len(made["start"]) if isinstance(made.get("start"), list) else kind.rows
        assert isinstance(count, int)
        graph: dict[str, Any] = {"lines": [list(range(1, count + 1))]}
        if self.maybe(0.5):
            graph["points"] = [[k, self.rng.randint(1, 3)] for k in range(1, count + 1)]
            graph["names"] = [f"n{k}" for k in range(count)]
        pits = value.each and kind.of == INT
        return self.rng.choice(["pits", graph]) if pits else graph

    def _start(self, kind: Kind) -> Any:
        write = self.write
        if kind.name == "set":
            those = range(kind.rows, kind.columns + 1)
            return sorted(self.rng.sample(those, self.rng.randint(0, len(those))))
        if kind.name in ("list", "grid"):
            assert kind.of is not None
            if self.maybe(0.5):
                return write.of(kind.of, 1)
            if kind.name == "list":
                return [write.of(kind.of, 1) for _ in range(kind.rows)]
            return [[write.of(kind.of, 0) for _ in range(kind.columns)] for _ in range(kind.rows)]
        return write.of(kind, 1)

    def _definitions(self) -> None:
        found: dict[str, Any] = {}
        for k in range(self.rng.choice([0, 0, 1, 2])):
            kind = self.rng.choice([INT, INT, BOOL, PLAYER])
            takes = tuple(self.rng.choice([INT, PLAYER]) for _ in range(self.rng.randint(0, 2)))
            names = [f"{letter}{k}" for letter in "ij"[: len(takes)]]
            self.place.names += zip(names, takes, strict=True)
            body = self.write.of(kind, 2)
            self.place.names.clear()
            about = self.rng.choice(["What counts", "Whether it is so", "It is (more or less) so."])
            told = {"value": body, "about": about} if self.maybe(0.4) else body
            found[f"d{k}({', '.join(names)})" if names else f"d{k}"] = told
            self.place.functions.append(Function(f"d{k}", kind, takes))
        if found:
            self.made["define"] = found

    # ---- turns, rolls, operations

    def _turn(self) -> None:
        turn: dict[str, Any] = {}
        if self.maybe(0.4):
            turn["roll"] = self._rolls(["die", "dice"][: self.rng.choice([1, 1, 2])])
            if self.with_turns:
                self._leave_out(turn["roll"])
            self.turn_rolls = list(self.place.names)
        if self.maybe(0.25):
            names, self.place.names = self.place.names, []
            turn["next"] = self.write.player(2)
            self.place.names = names
        if self.maybe(0.1):
            turn["first"] = f"players[{self.rng.randint(1, self.players)}]"
        if self.maybe(0.15):
            turn["forced"] = self.rng.choice(["play", "play", "ask"])
        if self.with_turns:
            self._beginning_and_end(turn)
        if turn:
            self.made["turn"] = turn

    def _leave_out(self, rolls: dict[str, Any]) -> None:
        """Rolls that take place only where a condition holds; else they are none."""
        known = self.place.names
        self.place.names = []
        for name, kind in known:
            if self.maybe(0.6):
                given = rolls[name] if isinstance(rolls[name], dict) else {"from": rolls[name]}
                rolls[name] = {**given, "when": self._often(self.write.condition(1))}
                kind = kind if kind.name == "optional" else optional(kind)
            self.place.names.append((name, kind))

    def _beginning_and_end(self, turn: dict[str, Any]) -> None:
        """Effects when a turn begins and after every move, and who begins."""
        names, self.place.names = self.place.names, []
        if self.maybe(0.6):
            turn["begin"] = self._effects(1)
        self.place.names = names
        match self.rng.randrange(3):
            case 0:
                turn["effects"] = self._effects(self.rng.choice([1, 1, 2]))
            case 1:
                turn["steps"] = {"settle": {"effects": self._effects(1), **self._around()}}
                if self.maybe(0.4):
                    turn["steps"]["settle"]["roll"] = {"late": "1..2"}
        self.decides_first = self.maybe(0.4)

    def _around(self) -> dict[str, Any]:
        return {"when": self._often(self.write.condition(1))} if self.maybe(0.5) else {}

    def _rolls(self, names: list[str]) -> dict[str, Any]:
        """Rolls, whose names are known from then on."""
        found: dict[str, Any] = {}
        for name in names:
            kind = self.write.kind(INT, INT, INT, PLAYER, WORD, BOOL, optional(INT))
            if self.place.boards and self.maybe(0.3):
                kind = self.rng.choice(self.place.boards)
            values, sure = self.write.collection(kind, self.rng.choice([0, 1]))
            if self.maybe(0.1):
                kind, values = COIN, "heads | tails"
            elif not sure and not self.write.risky:
                kind, values = INT, self.rng.choice(["1..2", "1..3", "[1, 2, 2]"])
            self.place.names.append((name, kind))
            more: dict[str, Any] = {}
            if self.maybe(0.35):
                more["weight"] = f"1 + mod({self.write.number(1)}, 3)"
                if self.write.risky and self.maybe(0.2):
                    more["weight"] = self.write.number(1)
            if self.maybe(0.15):
                more["text"] = f"It is {{{name}}}."
            if self.maybe(0.15):
                seen = ["all", "nobody", *(["owner"] if self.place.owner else [])]
                more["seen by"] = self.rng.choice(seen)
            found[name] = {"from": values, **more} if more or self.maybe(0.3) else values
        return found

    def _choose(self, letter: str, most: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        count = self.rng.choice([0, 1, 1, 1, most])
        for k in range(count):
            name = f"{letter}{k}"
            if k == count - 1 and self.maybe(0.12):
                kind, values = self._subsets()
            else:
                kind = self.write.kind(INT, INT, INT, PLAYER, WORD, BOOL, optional(PLAYER))
                if self.place.boards and self.maybe(0.4):
                    kind = self.rng.choice(self.place.boards)
                values = self.write.collection(kind, self.rng.choice([0, 0, 1]))[0]
                if self.maybe(0.1):
                    kind, values = SIZE, "big | small"
                elif self.maybe(0.4):  # more than one, most of the time
                    kind, values = INT, self.rng.choice(["1..2", "0..3", "[2, 0, 2, 1]"])
            self.place.names.append((name, kind))
            self.choices[name] = kind
            found[name] = values
            if self.maybe(0.15):
                found[name] = {"from": values, **self.texts.of_choice()}
                if self.maybe(0.3):
                    found[name]["about"] = "The one to take"
                if kind is INT and len(values) % 2:  # a promise, which may be broken
                    found[name]["within"] = "-9..9"
        return found

    def _subsets(self) -> tuple[Kind, str]:
        """Sets to choose from, of the same numbers as a value of the state if there is one."""
        kinds = [v.kind for v in self.place.values if v.kind.name == "set"]
        kinds = [kind for kind in kinds if kind.columns - kind.rows < 62]
        kind = self.rng.choice(kinds) if kinds else Kind("set", None, 0, 2)
        few = kind.columns - kind.rows < 4
        size = "" if few and self.maybe(0.3) else f", {self.rng.randint(0, 2)}"
        return kind, f"subsets({kind.rows}..{kind.columns}{size})"

    def _setup(self) -> dict[str, Any]:
        found = {}
        for k in range(self.rng.choice([1, 1, 2])):
            names, self.place.names = self.place.names, []
            found[f"pick{k}"] = self._by_itself(k) if self.maybe(0.5) else self._pick(k)
            self.place.names, self.place.owner = names, True
        return found

    def _pick(self, k: int) -> dict[str, Any]:
        made: dict[str, Any] = self._for_whom()
        made["choose"] = self._choose(f"s{k}", 1)
        if not made["choose"]:
            self.choices[f"s{k}0"] = INT
            made["choose"] = {f"s{k}0": "1..2"}
        let = self._let(made, f"m{k}")
        if self.maybe(0.15):
            made["roll"] = self._rolls([f"luck{k}"])
        made["effects"] = self._effects(self.rng.choice([1, 1, 2]))
        self._change(made, let)
        if self.maybe(0.3):
            made["secret"] = True
        self.texts.of_setup(made)
        return made

    def _by_itself(self, k: int) -> dict[str, Any]:
        """What happens before the first turn, without anybody who chooses."""
        self.place.owner = self.maybe(0.7)
        made: dict[str, Any] = self._for_whom() if self.place.owner else {"once": True}
        if not self.place.owner and self.maybe(0.4):
            made["when"] = self._often(self.write.condition(1))
        if self.maybe(0.3):
            steps = self._steps(9 - k)
            del steps["last"]
            made["steps"] = steps
            return made
        if self.maybe(0.8):
            made["roll"] = self._rolls([f"card{k}"])
        made["effects"] = self._effects(self.rng.choice([1, 1, 2]))
        return made

    def _for_whom(self) -> dict[str, Any]:
        made: dict[str, Any] = {}
        if self.maybe(0.2):
            made["for"] = f"players[{self.rng.randint(1, self.players)}]"
        elif self.maybe(0.1):
            made["for"] = "list(p for p in players if seat(p) != 1)"
        if self.maybe(0.2):
            made["when"] = self._often(self.write.condition(1))
        return made

    def _operation(self, k: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        self.place.names = list(self.turn_rolls)
        if self.maybe(0.25):
            made["when"] = self._often(self.write.condition(2))
        choose = self._choose(f"n{k}", 2)
        if choose:
            made["choose"] = choose
        let = self._let(made, f"l{k}")
        if self.maybe(0.5):
            if self.maybe(0.25):
                made["roll"] = self._rolls([f"coin{k}"])
            made["effects"] = {**self._effects(self.rng.choice([1, 1, 2, 3])), "t": "t + 1"}
        else:
            made["steps"] = self._steps(k)
        if self.maybe(0.25):
            made["next"] = self.write.player(2)
        self._change(made, let)
        self.texts.of_operation(made, k)
        self.place.names = list(self.turn_rolls)
        return made

    def _let(self, made: dict[str, Any], name: str) -> str:
        """A value of the move, now and then, which effects may read; its name."""
        if self.maybe(0.7):
            return ""
        start: Any = self.write.number(1)
        if self.maybe(0.4):
            start = {"type": "int", "start": start, "about": "What is kept in mind"}
        made["let"] = {name: start}
        if self.maybe(0.3):
            made["let"][f"{name}s"] = {"type": "list of int", "size": 2}
        self.place.names.append((name, INT))
        return name

    def _change(self, made: dict[str, Any], let: str) -> None:
        """Effects may change a value of the move, too; texts do not know it."""
        self.place.names = [pair for pair in self.place.names if pair[0] != let]
        effects = [part["effects"] for part in made.get("steps", {}).values() if "effects" in part]
        if let and self.maybe(0.7):
            self.rng.choice(effects or [made["effects"]])[let] = f"{let} + 1"

    def _steps(self, k: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for s in range(self.rng.randint(1, 3)):
            step: dict[str, Any] = {}
            if self.maybe(0.15):
                step["roll"] = self._rolls([f"chance{k}{s}"])
            else:
                if s and self.maybe(0.3):
                    step["when"] = self.write.condition(2)
                if self.maybe(0.3):
                    step["repeat"] = self.rng.choice([2, 3, f"mod({self.write.number(1)}, 4)"])
                    if self.maybe(0.5):
                        step["while"] = self.write.condition(1)
                known = list(self.place.names)
                if self.maybe(0.25):
                    names = [f"toss{k}{s}", f"throw{k}{s}"]
                    step["roll"] = self._rolls(names[: self.rng.choice([1, 1, 2])])
                step["effects"] = self._effects(self.rng.choice([1, 1, 2]))
                if "when" in step or "repeat" in step:
                    self.place.names = known
            if self.maybe(0.1):
                step["about"] = "Something happens"
            found[f"s{s}"] = step
        found["last"] = {"effects": {"t": "t + 1"}}
        return found

    def _effects(self, count: int) -> dict[str, str]:
        able = [v for v in self.place.values if v.name != "t"]
        chosen = self.rng.sample(able, min(count, len(able)))
        return dict(self._write(value) for value in chosen)

    def _write(self, value: Value) -> tuple[str, str]:
        """A value, or a part of it, or that of several players; and what it becomes."""
        kind, name = value.kind, value.name
        if kind is INDEXED:
            if name == "narrow":
                return name, self.write.few(1)
            if name == "net":
                return f"net[{self.write.point()}]", self._small(INT)
            index = self.write.of(WORD, 1) if name == "tints" else self.write.few(1)
            return f"{name}[{index}]", self._small(INT)
        before = list(self.place.names)
        loops = ""
        if value.each and kind.name not in ("list", "grid") and self.maybe(0.15):
            return name, self.write.of(Kind("list", kind, self.players), 2)
        if value.each:
            name, loops = self._whose(name)
        if kind.name == "grid" or (kind.name == "list" and self.maybe(0.6)):
            if kind.name == "grid" and self.maybe(0.1):
                made = self.write.of(kind, 1)
                return name + loops, made
            sizes = [kind.rows] if kind.name == "list" else [kind.rows, kind.columns]
            places = []
            of = next((one for one in self.place.boards if one.board == value.name), None)
            if of is not None and self.maybe(0.6):
                at = self.write.fresh()
                if self.maybe(0.5):
                    loops += f" for {at} in {self.write.collection(of, 1)[0]}"
                    self.place.names.append((at, of))
                sizes, places = [], [at if loops else self.write.of(of, 1)]
            for size in sizes:
                if self.maybe(0.3):
                    at = self.write.fresh()
                    loops += f" for {at} in 1..{size}"
                    self.place.names.append((at, INT))
                    places.append(at)
                else:
                    places.append(self.write.index(size, 1))
            if loops and " if " not in loops and self.maybe(0.4):
                loops += f" if {self.write.condition(1)}"
            name, kind = f"{name}[{', '.join(places)}]", kind.of or INT
        made = self._small(kind)
        if kind.name == "set" and "(" not in made:  # a list of numbers, or none at all
            made = f"[{kind.rows}, {kind.columns}]" if len(made) % 2 else "[]"
        self.place.names = before
        return name + loops, made

    def _whose(self, name: str) -> tuple[str, str]:
        way = self.rng.randrange(4) if self.place.owner else self.rng.choice([1, 2])
        if way == 0 and self.players == 2:
            return f"their.{name}", ""
        if way == 1:
            return f"{name} of ({self.write.player(1)})", ""
        if way == 2:
            person = self.write.fresh()
            self.place.names.append((person, PLAYER))
            barred = f" if {self.write.condition(1)}" if self.maybe(0.4) else ""
            return f"{name} of {person}", f" for {person} in players{barred}"
        return f"my.{name}", ""

    def _small(self, kind: Kind) -> str:
        """A new value; numbers that do not grow without end, most of the time."""
        if kind == optional(INT):
            asked = f"{self._small(INT)} if {self.write.condition(1)} else none"
            return self.rng.choice(["none", asked, self._small(INT)])
        if kind.name == "list" and kind.of == INT and self.maybe(0.7):
            if self.maybe(0.5):
                return f"[{', '.join(self._small(INT) for _ in range(kind.rows))}]"
            return f"list(mod(l, 3) for l in {self.write.of(kind, 1)})"
        made = self.write.of(kind, 2)
        if kind != INT or (self.write.risky and self.maybe(0.4)):
            return made
        n = self.rng.randint(2, 6)
        return f"mod({made}, {n})" if self.maybe(0.7) else f"min(max({made}, -1), {n})"

    # ---- what bars moves, and how games end

    def _often(self, condition: str) -> str:
        """A condition that does not bar too much."""
        return f"({condition}) or mod(t + {self.rng.choice([0, 1, 1, 2, 2])}, 3) != 0"

    def _validity(self, operations: dict[str, Any], setup: dict[str, Any]) -> None:
        found: dict[str, Any] = {}
        for k in range(self.rng.choice([0, 1, 1, 2])):
            asked = [name for name, entry in setup.items() if "choose" in entry]
            name = self.rng.choice([*operations, *asked])
            operation = operations.get(name) or setup[name]
            chance = "roll" in operation or any(
                "roll" in step for step in operation.get("steps", {}).values()
            )
            self.place.names = list(self.turn_rolls) if name in operations else []
            listed = self.maybe(0.4)
            if listed:
                self.place.names += [(n, self.choices[n]) for n in operation.get("choose", {})]
            self.place.after = not chance and name in operations and listed and self.maybe(0.7)
            rule: Any = self._often(self.write.condition(2))
            if name in setup:
                rule = f"({rule}) or true"
            if listed or self.maybe(0.2):
                rule = {"require": rule, **({"for": [name]} if listed else {})}
                self.texts.of_rule(rule)
            self.place.after = False
            found[f"rule{k}"] = rule
        if not is_compared():
            for k in range(self.rng.choice([0, 0, 1, 1, 2])):
                found[f"must{k}"] = self._compulsory(operations)
        if self.maybe(0.25):  # from then on all are stuck
            found["early"] = f"t < {self.rng.randint(2, 4)}"
        if found:
            self.made["validity"] = found

    def _seen(self) -> list[Value]:
        """The values that all players see."""
        state = self.made["state"]
        own = state.get("each player", {})
        hidden = [n for n, made in {**state, **own}.items() if "seen by" in str(made)]
        return [value for value in self.place.values if value.name not in hidden]

    def _compulsory(self, operations: dict[str, Any]) -> dict[str, Any]:
        """A rule that makes moves compulsory, by what all see."""
        name, *others = self.rng.sample(list(operations), len(operations))
        operation = operations[name]
        chance = "roll" in operation or any(
            "roll" in step for step in operation.get("steps", {}).values()
        )
        known = self.place.values
        self.place.values = self._seen()
        self.place.names = list(self.turn_rolls)
        self.place.names += [(n, self.choices[n]) for n in operation.get("choose", {})]
        condition = self.write.condition(2)
        self.place.values = known
        if not chance and not self.turn_rolls and len(known) == len(self._seen()):
            further = self.rng.choice(["me", "next(me)"])
            condition = self.rng.choice([condition, f"({condition}) or after.can_move({further})"])
        rule: dict[str, Any] = {"must": condition, "for": [name]}
        if others and self.maybe(0.5):
            rule["instead of"] = others[:1]
        self.texts.of_rule(rule)
        rule.pop("stuck", None)
        return rule

    def _stuck(self, operations: dict[str, Any]) -> None:
        self.place.names = list(self.turn_rolls)
        chance = any("roll" in o or "steps" in o for o in operations.values())
        result = self.rng.choice(["pass", "pass", "pass", "draw", "win", "lose"])
        if self.players > 2 and result == "lose":
            result = "pass"
        if self.maybe(0.3):
            if self.players > 2 or self.maybe(0.6):
                self.made["stuck"] = result
            return
        made: dict[str, Any] = {}
        if self.maybe(0.3):
            self.place.after = not chance
            made["unless"] = self._often(self.write.condition(2))
            self.place.after = False
        if self.maybe(0.3):
            made |= self._verdict(RESULTS[:1], plain=True)
        else:
            made["result"] = result
        if made.get("result") == "pass":
            if self.maybe(0.6):
                made["effects"] = self._effects(self.rng.choice([1, 1, 2])) | self._rolled()
            if self.maybe(0.6):
                ends = [r for r in RESULTS if r != "lose" or self.players <= 2]
                made["all"] = self.rng.choice(ends)
                if self.maybe(0.6):
                    made["all"] = self._verdict(ends, plain=True)
                    self.texts.of_end(made["all"], about=False)
        self.texts.of_end(made)
        self.made["stuck"] = made

    def _rolled(self) -> dict[str, str]:
        """What a player who passes has rolled is kept, now and then."""
        numbers = [v for v in self.place.values if v.kind == INT and v.name != "t"]
        rolls = [name for name, kind in self.turn_rolls if kind == INT]
        if not numbers or not rolls or self.maybe(0.3):
            return {}
        value = self.rng.choice(numbers)
        return {f"my.{value.name}" if value.each else value.name: self.rng.choice(rolls)}

    def _verdict(self, results: Any, plain: bool = False) -> dict[str, Any]:
        """How a game ends: `result` or `everyone` (words, expressions), `winners`, `payoff` or
        `score`.
        """
        ways = ["result", "result", "result", "winners", "winners", "payoff", "everyone"]
        ways += [] if is_compared() else ["score"]
        way = self.rng.choice(ways)
        if way == "everyone":
            words = self.rng.choice(["win", "lose", f"win if {self.write.condition(1)} else lose"])
            return {"everyone": words}
        if way == "score":
            return {"score": self.write.number(1)}
        if way == "winners":
            return {"winners": self._winners()}
        if way == "payoff":
            if self.maybe(0.5):
                score = self.write.number(0)
                return {"payoff": f"list(mod({score} + seat(p), 3) - 1 for p in players)"}
            return {"payoff": [self.write.number(1) for _ in range(self.players)]}
        one = self.rng.choice(results)
        if plain or self.maybe(0.5):
            return {"result": one}
        return {"result": f"{one} if {self.write.condition(1)} else {self.rng.choice(results)}"}

    def _winners(self) -> str:
        if self.maybe(0.3):
            return self.write.player(1)
        if self.maybe(0.2):
            return "players"
        self.place.names.append(("p", PLAYER))
        made = f"list(p for p in players if {self.write.condition(1)})"
        self.place.names.pop()
        return made

    def _end(self) -> dict[str, Any]:
        self.place.names = list(self.turn_rolls)
        found: dict[str, Any] = {}
        ends = RESULTS if self.players <= 2 else ("win", "draw")
        for k in range(self.rng.choice([1, 1, 2])):
            n = self.rng.randint(2, 4)  # games should not all end with the first move
            rule = {"when": f"t >= {n} and ({self.write.condition(2)})", **self._verdict(ends)}
            self.texts.of_end(rule)
            found[f"end{k}"] = rule
        counted = [v.name for v in self._seen() if not v.each and v.name != "t"]
        if counted and not is_compared() and self.maybe(0.1):
            what = self.rng.choice([*counted, f"{counted[0]}, me", ""])
            ended = self._verdict(ends)
            found["again"] = {"when": f"repetitions({what}) >= {self.rng.randint(1, 2)}", **ended}
        if self.maybe(0.85):  # the others may go on forever
            found["late"] = {"when": f"t >= {self.rng.randint(4, 7)}", **self._verdict(ends)}
        else:
            for operation in self.made["operations"].values():
                for step in (operation, *operation.get("steps", {}).values()):
                    if "t" in step.get("effects", {}):
                        step["effects"]["t"] = "mod(t + 1, 3)"
        return found

    def _symmetry(self) -> str | list[str]:
        """What every grid can have; whether the game has it is another question."""
        words = ["mirror columns", "mirror rows", "half turn"]
        return self.rng.choice(words) if self.maybe(0.5) else self.rng.sample(words, 2)

    def _claims(self) -> dict[str, Any] | list[dict[str, Any]]:
        names = [
            "always_ends", "ends_almost_surely", "ends_under_best_play", "no_draws", "never_stuck",
            "every_operation_used", "every_end_rule_reached", "first_player_wins",
            "second_player_wins", "cooperative_win",
        ]  # fmt: skip
        found: dict[str, Any] = {name: self.maybe(0.5) for name in self.rng.sample(names, 3)}
        found |= (
            {"first_player_gets": self.rng.choice([0, "1/3", "-2/5"])} if self.maybe(0.3) else {}
        )
        found = {**found, "fair_within": 0.5} if self.maybe(0.5) else found
        return found if self.maybe(0.6) else self._claims_for(found)

    def _claims_for(self, found: dict[str, Any]) -> dict[str, Any] | list[dict[str, Any]]:
        """The same for some values of the parameters, which have them in any case."""
        over = {
            name: [given["default"] if isinstance(given, dict) else given]
            for name, given in self.made.get("parameters", {}).items()
            if self.maybe(0.5)
        }
        if not over:
            return [found]
        return {"for": over, **found} if self.maybe(0.5) else [found, {"for": over, **found}]
