"""Random small rulesets, each with a second reading of its rules: `Play` carries out whole games
with the functions of `random_expressions`, over plain dictionaries.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from engine.language.random_expressions import (
    COLUMNS,
    HAND,
    PITS,
    ROWS,
    START,
    STATE,
    WORDS,
    Broken,
    DividedByZero,
    Made,
    Scene,
    Writer,
    added,
    element,
    stored,
)

PICKS = 2


@dataclass(frozen=True)
class Write:
    """What is written: places (a name, and the way into its value) with their new values."""

    text: str
    places: Callable[[Scene], list[tuple[tuple[Any, ...], Any]]]


@dataclass(frozen=True)
class Step:
    """Effects, or (with `values`) a roll."""

    name: str
    writes: tuple[Write, ...] = ()
    when: Made | None = None
    repeat: Made | None = None
    while_: Made | None = None
    values: Made | None = None
    weight: Made | None = None

    def lines(self, indent: str) -> list[str]:
        if self.values is not None:
            lines = [f"{indent}{self.name}:", f'{indent}  from: "{self.values[0]}"']
            return lines + ([f'{indent}  weight: "{self.weight[0]}"'] if self.weight else [])
        asked = [("when", self.when), ("repeat", self.repeat), ("while", self.while_)]
        lines = [f'{indent}{key}: "{made[0]}"' for key, made in asked if made is not None]
        return [*lines, f"{indent}effects:", *(f"{indent}  {write.text}" for write in self.writes)]


@dataclass(frozen=True)
class Operation:
    name: str
    when: Made | None
    choices: tuple[tuple[str, Made], ...]
    steps: tuple[Step, ...]
    next: Made | None


@dataclass(frozen=True)
class Rule:
    """A validity rule, or one about the end, with what it leads to."""

    name: str
    when: Made
    result: Made
    late: bool = False  # it names `after.`
    only: str | None = None  # the operation whose choices it names


@dataclass(frozen=True)
class Rules:
    """A whole ruleset, as text and as functions."""

    definitions: tuple[tuple[str, Made], ...]
    roll: Step | None
    next: Made | None
    operations: tuple[Operation, ...]
    validity: tuple[Rule, ...]
    unless: Made | None
    stuck: str
    passing: tuple[Write, ...]
    everyone: Made  # when all have passed
    end: tuple[Rule, ...]
    pick: Made | None  # what each player begins with in x, out of the choice `pick`

    @property
    def text(self) -> str:
        lines = ["rulegame: 1", "title: Random", STATE.rstrip()]
        if self.definitions:
            lines += ["define:", *(f'  "{n}(i, p)": "{made[0]}"' for n, made in self.definitions)]
        if self.pick:
            lines += ["setup:", "  begin:", f"    choose: {{pick: 1..{PICKS}}}"]
            lines += [f'    effects: {{my.x: "{self.pick[0]}"}}']
        if self.roll or self.next:
            lines.append("turn:")
            lines += ["  roll:", *self.roll.lines("    ")] if self.roll else []
            lines += [f'  next: "{self.next[0]}"'] if self.next else []
        lines.append("operations:")
        for operation in self.operations:
            lines += self._operation(operation)
        if self.validity:
            lines += ["validity:", *(f'  {r.name}: "{r.when[0]}"' for r in self.validity)]
        lines += ["stuck:", f"  result: {self.stuck}"]
        lines += [f'  unless: "{self.unless[0]}"'] if self.unless else []
        lines += ["  effects:", *(f"    {w.text}" for w in self.passing)] if self.passing else []
        lines += [f"  all: {{{self.everyone[0]}}}"] if self.stuck == "pass" else []
        lines.append("end:")
        for rule in self.end:
            lines += [f"  {rule.name}:", f'    when: "{rule.when[0]}"', f"    {rule.result[0]}"]
        return "\n".join(lines) + "\n"

    def _operation(self, operation: Operation) -> list[str]:
        lines = [f"  {operation.name}:"]
        lines += [f'    when: "{operation.when[0]}"'] if operation.when else []
        if operation.choices:
            lines += ["    choose:", *(f'      {n}: "{m[0]}"' for n, m in operation.choices)]
        lines += [f'    next: "{operation.next[0]}"'] if operation.next else []
        lines.append("    steps:")
        for k, step in enumerate(operation.steps):
            lines.append(f"      s{k}:")
            roll = step.values is not None
            lines += ["        roll:"] if roll else []
            lines += step.lines("          " if roll else "        ")
        return lines


class Author:
    """Makes random rulesets. Some may divide by zero, some overflow or point outside a list;
    others may use `after.`.
    """

    def __init__(self, chance: Random) -> None:
        self.chance = chance
        self.writer = Writer(chance)
        kind = chance.random()
        self.writer.divides, self.writer.fails = kind < 0.15, 0.15 <= kind < 0.3
        self.foresees = kind > 0.6

    def maybe(self, share: float) -> bool:
        return self.chance.random() < share

    def rules(self) -> Rules:
        writer = self.writer
        definitions = []
        writer.numbers, writer.people = ["i"], ["p"]
        for name in ("d1", "d2")[: self.chance.randint(0, 2)]:
            definitions.append((name, writer.number(2)))
        writer.numbers, writer.people = [], []
        writer.defined = [(name, made[1]) for name, made in definitions]
        roll = None
        if self.maybe(0.35):
            roll = self.roll("die")
            writer.numbers.append("die")
        operations = tuple(self.operation(k) for k in range(self.chance.randint(1, 3)))
        writer.after = self.foresees
        validity = []
        for k in range(self.chance.randint(0, 2)):
            validity.append(self.validity(k, self.chance.choice(operations)))
        unless = self.often(writer.condition(2)) if self.foresees and self.maybe(0.5) else None
        writer.after = False
        writer.numbers = ["die"] if roll else []
        end = tuple(self.end(k) for k in range(self.chance.randint(1, 2)))
        stuck = self.chance.choice(["lose", "win", "draw", "pass", "pass"])
        passing = self.writes(1) if stuck == "pass" and self.maybe(0.5) else ()
        writer.numbers = ["pick"]
        pick = self.bounded() if self.maybe(0.2) else None
        writer.numbers = []
        everyone = self.verdict(self.chance.choice(["win", "lose", "draw"]))
        after = writer.player(2) if self.maybe(0.3) else None
        bound = self.chance.randint(3, 6)
        late: Made = (f"t >= {bound}", lambda s: s.values["t"] >= bound)
        return Rules(
            tuple(definitions), roll, after, operations, tuple(validity), unless, stuck, passing,
            everyone, (*end, Rule("late", late, self.verdict("draw"))), pick,
        )  # fmt: skip

    def verdict(self, result: str) -> Made:
        """A result, or those who have most."""
        if self.maybe(0.3):
            return (
                'winners: "list(p for p in players if x of p == max(x))"',
                lambda s: [p for p in (0, 1) if s.values["x"][p] == max(s.values["x"])],
            )
        return f"result: {result}", lambda s: (result, s.me)

    def often(self, made: Made) -> Made:
        """A condition that does not bar too much."""
        k = self.chance.randrange(3)
        a, f = made
        return f"({a}) or mod(t + {k}, 3) != 0", lambda s: f(s) or (s.values["t"] + k) % 3 != 0

    def validity(self, k: int, operation: Operation) -> Rule:
        """It may name the choices of one operation, and then is about that one alone."""
        writer = self.writer
        before = list(writer.numbers), list(writer.people)
        for name, made in operation.choices:
            (writer.people if made[0] == "players" else writer.numbers).append(name)
        text, holds = self.often(writer.condition(3))
        writer.numbers, writer.people = before
        named = any(re.search(rf"\b{name}\b", text) for name, _ in operation.choices)
        only = operation.name if named else None
        return Rule(f"rule_{k}", (text, holds), ("", bool), "after." in text, only)

    def roll(self, name: str) -> Step:
        writer = self.writer
        if self.maybe(0.4):
            n = self.chance.randint(2, 3)
            values: Made = (f"1..{n}", lambda s: list(range(1, n + 1)))
        elif self.maybe(0.5):
            values = ("[1, 2, 2]", lambda s: [1, 2, 2])
        else:
            a, f = writer.value(0)
            values = (
                f"list(mod({a} + k, 3) for k in 1..4)",
                lambda s: [(f(s) + k) % 3 for k in range(1, 5)],
            )
        weight: Made | None = None
        if self.maybe(0.5):
            b, g = writer.value(0)
            weight = f"1 + mod({b} + {name}, 3)", lambda s: 1 + (g(s) + s.names[name]) % 3
        return Step(name, values=values, weight=weight)

    def operation(self, k: int) -> Operation:
        writer = self.writer
        before = list(writer.numbers), list(writer.people)
        when = self.often(writer.condition(2)) if self.maybe(0.3) else None
        choices = []
        for c in range(self.chance.choice([0, 1, 1, 2])):
            name = f"n{k}{c}"
            if self.maybe(0.2):
                choices.append((name, ("players", lambda s: [0, 1])))
                writer.people.append(name)
            else:
                choices.append((name, self.options()))
                writer.numbers.append(name)
        steps = []
        rolls = not self.foresees and self.maybe(0.25)
        divides, writer.divides = writer.divides, writer.divides and not rolls
        for place in range(self.chance.randint(1, 2)):
            steps.append(self.effects(place == 0))
            if rolls and place == 0:
                steps.append(self.roll(f"coin{k}"))
                writer.numbers.append(f"coin{k}")
                steps.append(self.effects(False))
        writer.divides = divides
        writer.numbers, writer.people = before
        next_ = writer.player(2) if self.maybe(0.3) else None
        return Operation(f"op{k}", when, tuple(choices), tuple(steps), next_)

    def options(self) -> Made:
        if self.maybe(0.4):
            return self.chance.choice(
                [("1..2", lambda s: [1, 2]), ("[3, -1, 3]", lambda s: [3, -1])]
            )
        c, f = self.writer.collection(1)
        return f"list(mod(k, 4) for k in {c})", lambda s: list(dict.fromkeys(k % 4 for k in f(s)))

    def effects(self, counts: bool) -> Step:
        when = self.writer.condition(1) if not counts and self.maybe(0.3) else None
        repeat = while_ = None
        if not counts and self.maybe(0.3):
            a, f = self.writer.number(1)
            repeat = (f"mod({a}, 4) - 1", lambda s: f(s) % 4 - 1)
            while_ = self.writer.condition(1) if self.maybe(0.5) else None
        writes = self.writes(self.chance.randint(1, 2))
        if counts:
            writes += (Write("t: t + 1", lambda s: [(("t",), s.values["t"] + 1)]),)
        return Step("", writes, when, repeat, while_)

    def writes(self, count: int) -> tuple[Write, ...]:
        makers = [
            self.write_number, self.write_number, self.write_flag, self.write_last,
            self.write_light, self.write_who, self.write_pit, self.write_pits, self.write_cell,
            self.write_bag, self.write_x, self.write_hand, self.write_few, self.write_either,
        ]  # fmt: skip
        made = [maker() for maker in self.chance.sample(makers, count)]
        return tuple(
            {
                re.findall(r"[a-z]+", w.text.replace("my.", "").replace("their.", ""))[0]: w
                for w in made
            }.values()
        )

    def bounded(self) -> Made:
        a, f = self.writer.number(3)
        if self.writer.fails and self.maybe(0.5):
            return a, lambda s: stored(f(s))
        if self.maybe(0.5):
            return f"mod({a}, 5) - 2", lambda s: f(s) % 5 - 2
        return f"min(max({a}, -3), 4)", lambda s: min(max(f(s), -3), 4)

    def write_number(self) -> Write:
        name = self.chance.choice(["a", "b"])
        a, f = self.bounded()
        return Write(f'{name}: "{a}"', lambda s: [((name,), f(s))])

    def write_flag(self) -> Write:
        c, f = self.writer.condition(2)
        return Write(f'flag: "{c}"', lambda s: [(("flag",), f(s))])

    def write_last(self) -> Write:
        (a, f), (c, g) = self.bounded(), self.writer.condition(1)
        return Write(
            f'last: "none if {c} else {a}"', lambda s: [(("last",), None if g(s) else f(s))]
        )

    def write_light(self) -> Write:
        c, f = self.writer.condition(2)
        one, other = self.chance.sample(WORDS, 2)
        return Write(
            f'light: "{one} if {c} else {other}"',
            lambda s: [(("light",), one if f(s) else other)],
        )

    def write_who(self) -> Write:
        p, f = self.writer.player(2)
        return Write(f'who: "{p}"', lambda s: [(("who",), f(s))])

    def write_pit(self) -> Write:
        (i, f), (a, g) = self.writer.index(1, PITS), self.bounded()

        def places(s: Scene) -> list[tuple[tuple[Any, ...], Any]]:
            value, place = g(s), f(s)
            element([0] * PITS, place)
            return [(("pits", place - 1), value)]

        return Write(f'"pits[{i}]": "{a}"', places)

    def write_pits(self) -> Write:
        (a, f), (b, g), (c, h) = (self.bounded() for _ in range(3))
        return Write(f'pits: "[{a}, {b}, {c}]"', lambda s: [(("pits",), [f(s), g(s), h(s)])])

    def write_few(self) -> Write:
        a, f = self.bounded()
        if self.maybe(0.5):
            return Write(f'few: "[{a}]"', lambda s: [(("few",), [f(s)])])
        v = self.writer.fresh()
        return Write(
            f'few: "list(mod({v} + 1, 4) for {v} in few)"',
            lambda s: [(("few",), [(n + 1) % 4 for n in s.values["few"]])],
        )

    def write_either(self) -> Write:
        """One of two lists, of which one takes a loop."""
        (a, f), (b, g), (c, h) = self.bounded(), self.bounded(), self.writer.condition(2)
        v = self.writer.fresh()
        loop = f"list(mod({v}, 3) for {v} in pits)"
        return Write(
            f'pits: "{loop} if {c} else [{a}, {b}, 0]"',
            lambda s: [(("pits",), [n % 3 for n in s.values["pits"]] if h(s) else [f(s), g(s), 0])],
        )

    def write_cell(self) -> Write:
        r, f = self.writer.index(1, ROWS)
        c, g = self.writer.index(1, COLUMNS)
        p, h = self.writer.player(1) if self.maybe(0.8) else ("none", lambda s: None)

        def places(s: Scene) -> list[tuple[tuple[Any, ...], Any]]:
            value, row, column = h(s), f(s), g(s)
            element(element([[0] * COLUMNS] * ROWS, row), column)
            return [(("board", row - 1, column - 1), value)]

        return Write(f'"board[{r}, {c}]": "{p}"', places)

    def write_bag(self) -> Write:
        b, f = self.writer.bag(2)
        return Write(f'bag: "{b}"', lambda s: [(("bag",), frozenset(f(s)))])

    def write_x(self) -> Write:
        writer = self.writer
        kind = self.chance.randrange(4)
        if kind == 0:
            a, f = self.bounded()
            return Write(f'my.x: "{a}"', lambda s: [(("x", s.me), f(s))])
        if kind == 1:
            a, f = self.bounded()
            return Write(f'their.x: "{a}"', lambda s: [(("x", 1 - s.me), f(s))])
        if kind == 2:
            (p, h), (a, f) = writer.player(1), self.bounded()
            return Write(f'"x of ({p})": "{a}"', lambda s: [(("x", h(s)), f(s))])
        v = writer.fresh()
        writer.people.append(v)
        (a, f), (c, g) = self.bounded(), writer.condition(1)
        writer.people.remove(v)
        return Write(
            f'"x of {v} for {v} in players if {c}": "{a}"',
            lambda s: [
                (("x", p), f(s.knowing(**{v: p}))) for p in (0, 1) if g(s.knowing(**{v: p}))
            ],
        )

    def write_hand(self) -> Write:
        a, f = self.writer.number(1)
        if self.maybe(0.5):
            return Write(
                f'my.hand: "without(my.hand, {a})"',
                lambda s: [(("hand", s.me), s.values["hand"][s.me] - {f(s)})],
            )
        return Write(
            f'my.hand: "with(their.hand, mod({a}, 5))"',
            lambda s: [(("hand", s.me), added(s.values["hand"][1 - s.me], f(s) % 5, *HAND))],
        )

    def end(self, k: int) -> Rule:
        made = self.writer.condition(3)
        kind = self.chance.randrange(4)
        c, f = self.writer.condition(1)
        result: Made
        if kind == 0:
            result = f'result: "win if {c} else draw"', lambda s: ("win" if f(s) else "draw", s.me)
        elif kind == 1:
            result = f'result: "lose if {c} else win"', lambda s: ("lose" if f(s) else "win", s.me)
        elif kind == 2:
            result = (
                'winners: "list(p for p in players if x of p == max(x))"',
                lambda s: [p for p in (0, 1) if s.values["x"][p] == max(s.values["x"])],
            )
        else:
            result = "winners: who", lambda s: [s.values["who"]]
        n = self.chance.randint(1, 3)  # games should not all end with the first move
        when: Made = (f"t > {n} and ({made[0]})", lambda s: s.values["t"] > n and made[1](s))
        return Rule(f"end_{k}", when, result)


# ---- playing


@dataclass(frozen=True)
class Position:
    """`waiting` is the operation whose roll is due, with its step and the names that are known;
    or the name of the roll of the turn; or None.
    """

    values: dict[str, Any]
    seat: int
    names: dict[str, Any] = field(default_factory=dict)
    waiting: tuple[Operation, int] | None = None
    rolling: bool = False  # the roll of the turn is due
    picking: bool = False  # before the first turn
    passes: int = 0
    outcome: tuple[str, tuple[int, ...]] | None = None  # the rule, and who has won


class Play:
    """Plays by the rules, as docs/language.md says it goes."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules

    def start(self) -> Position:
        values = copy.deepcopy(START)
        if self.rules.pick is not None:
            return Position(values, 0, picking=True)
        return self._arrive(self._turn(values, 0))

    def _picked(self, at: Position, pick: int) -> Position:
        assert self.rules.pick is not None
        values = copy.deepcopy(at.values)
        values["x"][at.seat] = self.rules.pick[1](Scene(at.values, at.seat, {"pick": pick}))
        if at.seat == 0:
            return Position(values, 1, picking=True)
        return self._arrive(self._turn(values, 0))

    def _turn(self, values: dict[str, Any], seat: int, passes: int = 0) -> Position:
        return Position(values, seat, rolling=self.rules.roll is not None, passes=passes)

    def moves(self, at: Position) -> list[str]:
        """The valid moves, or what can be rolled, as the ruleset's texts."""
        if at.outcome is not None:
            return []
        if at.picking:
            return [f"begin {pick}" for pick in range(1, PICKS + 1)]
        roll = self._due(at)
        if roll is not None:
            return [f"{roll.name} {value}" for value in self.chances(at)]
        return [self._text(o, given) for o, given in self._valid(at)]

    def chances(self, at: Position) -> dict[int, int]:
        """Of each value that can be rolled, its weight."""
        roll = self._due(at)
        assert roll is not None and roll.values is not None
        scene = Scene(at.values, at.seat, at.names)
        found: dict[int, int] = {}
        for value in roll.values[1](scene):
            weight = roll.weight[1](scene.knowing(**{roll.name: value})) if roll.weight else 1
            found[value] = found.get(value, 0) + weight
        return found

    def _due(self, at: Position) -> Step | None:
        if at.waiting is not None:
            return at.waiting[0].steps[at.waiting[1]]
        return self.rules.roll if at.rolling else None

    def _text(self, operation: Operation, given: dict[str, Any]) -> str:
        parts = [
            str(given[n] + 1 if made[0] == "players" else given[n]) for n, made in operation.choices
        ]
        return " ".join([operation.name, *parts])

    def _valid(self, at: Position) -> list[tuple[Operation, dict[str, Any]]]:
        found, free = [], self.rules.unless is None
        for operation in self.rules.operations:
            scene = Scene(at.values, at.seat, at.names)
            if operation.when is not None and not operation.when[1](scene):
                continue
            for given in self._choices(scene, operation.choices):
                scene = Scene(at.values, at.seat, {**at.names, **given})
                rules = [r for r in self.rules.validity if r.only in (None, operation.name)]
                if not all(r.when[1](scene) for r in rules if not r.late):
                    continue
                after = self._foreseen(scene, operation)
                if after is None:
                    continue
                scene = replace(scene, after=after)
                if all(r.when[1](scene) for r in rules if r.late):
                    found.append((operation, given))
                    free = free or bool(self.rules.unless and self.rules.unless[1](scene))
        return found if free else []

    def _choices(
        self, scene: Scene, choices: Sequence[tuple[str, Made]]
    ) -> Iterator[dict[str, Any]]:
        if not choices:
            yield {}
            return
        (name, made), rest = choices[0], choices[1:]
        for value in made[1](scene):
            for more in self._choices(scene.knowing(**{name: value}), rest):
                yield {name: value, **more}

    def _foreseen(self, scene: Scene, operation: Operation) -> dict[str, Any] | None:
        """The state after a move; None if its effects divide by zero."""
        if any(step.values is not None for step in operation.steps):
            return {}
        try:
            return self._carried_out(scene, operation.steps)
        except DividedByZero:
            return None
        except Broken:  # which shows when the move is made
            return {}

    def _carried_out(self, scene: Scene, steps: Sequence[Step]) -> dict[str, Any]:
        for step in steps:
            if step.when is not None and not step.when[1](scene):
                continue
            for _ in range(1 if step.repeat is None else step.repeat[1](scene)):
                if step.while_ is not None and not step.while_[1](scene):
                    break
                scene = replace(scene, values=written(scene, step.writes))
        return scene.values

    def play(self, at: Position, move: str) -> Position:
        if at.picking:
            return self._picked(at, int(move.split()[1]))
        roll = self._due(at)
        if roll is not None:
            names = {**at.names, roll.name: int(move.split()[1])}
            if at.waiting is None:
                return self._arrive(replace(at, names=names, rolling=False))
            operation, step = at.waiting
            return self._on(at.values, at.seat, names, operation, step + 1)
        operation, given = next(v for v in self._valid(at) if self._text(*v) == move)
        return self._on(at.values, at.seat, {**at.names, **given}, operation, 0)

    def _on(
        self,
        values: dict[str, Any],
        seat: int,
        names: dict[str, Any],
        operation: Operation,
        at: int,
    ) -> Position:
        for k, step in enumerate(operation.steps[at:], at):
            if step.values is not None:
                return Position(values, seat, names, (operation, k))
            values = self._carried_out(Scene(values, seat, names), [step])
        kept = {n: v for n, v in names.items() if self.rules.roll and n == self.rules.roll.name}
        over = self._over(Scene(values, seat, kept))
        if over is not None:
            return over
        following = operation.next or self.rules.next
        following_seat = following[1](Scene(values, seat, kept)) if following else 1 - seat
        return self._arrive(self._turn(values, following_seat))

    def _over(self, scene: Scene) -> Position | None:
        for rule in self.rules.end:
            if rule.when[1](scene):
                return ended(rule.name, rule.result[1](scene), scene.values)
        return None

    def _arrive(self, at: Position) -> Position:
        """What happens by itself to a player who is stuck."""
        while at.outcome is None and self._due(at) is None and not self._valid(at):
            if self.rules.stuck != "pass":
                return ended("stuck", (self.rules.stuck, at.seat), at.values)
            scene = Scene(at.values, at.seat, at.names)
            values = written(scene, self.rules.passing)
            scene = replace(scene, values=values)
            over = self._over(scene) if self.rules.passing else None
            if over is not None:
                return over
            following = self.rules.next[1](scene) if self.rules.next else 1 - at.seat
            if at.passes == 1:
                verdict = self.rules.everyone[1](replace(scene, me=following))
                return ended("all_stuck", verdict, values)
            at = self._turn(values, following, at.passes + 1)
        return at


def ended(rule: str, result: Any, values: dict[str, Any]) -> Position:
    winners = result
    if isinstance(result, tuple):
        winners = {"win": [result[1]], "lose": [1 - result[1]], "draw": []}[result[0]]
    return Position(values, -1, outcome=(rule, tuple(winners) if len(winners) == 1 else ()))


def written(scene: Scene, writes: Sequence[Write]) -> dict[str, Any]:
    """The values after effects, all of which see the values before."""
    found = [one for write in writes for one in write.places(scene)]
    values = copy.deepcopy(scene.values)
    for (name, *way), value in found:
        if not way:
            values[name] = value
            continue
        into = values[name]
        for key in way[:-1]:
            into = into[key]
        into[way[-1]] = value
    return values
