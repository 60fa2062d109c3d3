"""The rules of a ruleset taken apart, each part with its meaning and how it is written: what
`comparing` compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from rulegame.diagnostics import Passage, Span
from rulegame.evaluation.values import decode
from rulegame.language import syntax
from rulegame.language.equivalence import Meaning, Normal, normal, normal_effect
from rulegame.language.syntax import Expression, Place
from rulegame.language.types import Cell, Grid, List, PlayerType, Set, Type, Word
from rulegame.model import (
    VERDICTS,
    Effects,
    Operation,
    ParameterRule,
    Roll,
    Ruleset,
    Source,
    Sources,
    StateValue,
    Step,
    Stuck,
    Turn,
)
from rulegame.wording import as_written

SECTIONS: Final = (
    "players", "parameters", "definitions", "state", "setup", "turn", "operations", "validity",
    "stuck", "end",
)  # fmt: skip
UNREAD: Final = "text"  # the meaning of what is no expression begins with it
LIMITS: Final = ("min", "max", "min size", "max size", "different", "one of")


def _at(text: str) -> Place:
    """The place of an expression that stands for what a ruleset leaves out."""
    return Place(Passage(Span.whole(""), text))


# What stands for an expression that is left out.
ZERO: Final = syntax.Number(_at("0"), 0)
NOTHING: Final = syntax.NoneLiteral(_at("none"))
STARTS: Final[Mapping[str, Expression]] = {
    "int": ZERO,
    "bool": syntax.Truth(_at("false"), False),
    "list of int": ZERO,
}
NEXT_OF_ME: Final = syntax.Call(_at("next(me)"), "next", (syntax.Name(_at("me"), "me"),))
LOSS: Final = syntax.Name(_at("lose"), "lose")
DRAW: Final = syntax.Name(_at("draw"), "draw")


class Fact(NamedTuple):
    """A part of a rule: its meaning, and how it is written."""

    meaning: Any
    text: str


Facts = dict[tuple[str, str, str], Fact]  # by section, name and part


def facts(ruleset: Ruleset) -> Facts:
    """Every part of every rule."""
    found: Facts = {}
    for section, name, part, fact in _Reader(ruleset).facts():
        found[section, name, part] = fact
    return found


Row = tuple[str, str, str, Fact]
Part = tuple[str, Fact]


class _Reader:
    """Reads the rules of one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._definitions = {
            name: Meaning(definition.parameters or (), definition.body)
            for name, definition in ruleset.definitions.items()
        }

    def facts(self) -> Iterator[Row]:
        ruleset = self._ruleset
        count = len(ruleset.players)
        yield "players", "number", "", Fact(count, str(count))
        for rule in ruleset.parameters.values():
            for part, fact in self._parameter(rule):
                yield "parameters", rule.name, part, fact
        for name, meaning in self._definitions.items():
            yield "definitions", name, "", self._written(meaning.body)
            yield "definitions", name, "arguments", _plain(len(meaning.parameters))
        for name, value in ruleset.state.items():
            for part, fact in self._value(value):
                yield "state", name, part, fact
        for section, operations in (("setup", ruleset.setup), ("operations", ruleset.listed)):
            for operation in operations:
                for part, fact in self._operation(operation):
                    yield section, operation.name, part, fact
        for part, fact in self._turn(ruleset.turn):
            yield "turn", "every turn", part, fact
        order = ruleset.names.get("validity", ())
        for limit in sorted(ruleset.validity, key=lambda rule: order.index(rule.name)):
            yield "validity", limit.name, "require", self._expression(limit.sources["require"])
            if limit.listed is not None:
                yield "validity", limit.name, "for", _plain(sorted(limit.listed))
        for part, fact in self._stuck(ruleset.stuck):
            yield "stuck", "a player without a valid move", part, fact
        for end in ruleset.end:
            for part, source in end.sources.items():
                yield "end", end.name, part, self._expression(source)
        if ruleset.unit != 1:
            yield "end", "payoff unit", "", Fact(ruleset.unit, str(ruleset.unit))

    def _expression(self, source: Source) -> Fact:
        if source.tree is None:
            return Fact((UNREAD, source.written), source.written)
        return self._written(source.tree)

    def _written(self, tree: Expression) -> Fact:
        return Fact(normal(tree, self._definitions), tree.place.passage.written)

    def _default(self, sources: Sources, key: str, default: Expression) -> Fact:
        """An expression, or what stands for it where it is left out."""
        return self._expression(sources[key]) if key in sources else self._written(default)

    def _parameter(self, rule: ParameterRule) -> Iterator[Part]:
        yield "default", _plain(decode(rule.type, rule.default, self._ruleset.words))
        allowed: list[Any] = [*rule.words, *rule.numbers]
        limits = rule.low, rule.high, rule.least, rule.most, rule.different, allowed
        for limit, value in zip(LIMITS, limits, strict=True):
            if value is not None and value is not False and value != []:
                yield limit, _plain(value)
        yield from self._expressions(rule.sources, "require")

    def _value(self, value: StateValue) -> Iterator[Part]:
        each, kind = value.variable.each_player, _kind(value.variable.type)
        yield "whose", Fact(each, "each player's" if each else "shared")
        yield "type", self._type(value.variable.type, value.sources)
        yield "start", self._default(value.sources, "start", STARTS.get(kind, NOTHING))
        yield "seen by", _plain(value.seen_by)
        type_ = value.variable.type
        if isinstance(type_, Grid) and type_.naming != "numbers":
            yield "names of cells", _plain(type_.naming)  # of which moves are written

    def _type(self, type_: Type, sources: Sources) -> Fact:
        declared = sources["type"].written if "type" in sources else ""
        size: list[Any] = []
        for part in ("size", "rows", "columns"):
            if part in sources:
                fact = self._expression(sources[part])
                size.append((part, fact.meaning))
                declared += f", {part} {fact.text}"
        meaning = (_kind(type_), tuple(size))
        if isinstance(type_, Set):
            meaning = (declared.replace(" ", ""), tuple(size))
        return Fact(meaning, declared.removeprefix(", ") or _kind(type_))

    def _operation(self, operation: Operation) -> Iterator[Part]:
        if not operation.setup:
            on = operation.enabled_by_default
            yield "enabled", Fact(on, "on" if on else "off")
        yield from self._expressions(operation.sources, "for", "when")
        if operation.once:
            yield "once", _plain(True)
        for choice in operation.choices:
            yield f"choice {choice.name}", self._expression(choice.sources["from"])
        yield from _order("choices", [choice.name for choice in operation.choices])
        yield from self._steps(operation)
        yield from self._others(operation.sources, "for", "when")
        if operation.secret:
            yield "secret", _plain(True)

    def _steps(self, operation: Operation) -> Iterator[Part]:
        for value in operation.lets:
            where = f"let {value.variable.name}"
            if "type" in value.sources:
                yield f"{where}: type", self._type(value.variable.type, value.sources)
            yield where, self._default(value.sources, "start", NOTHING)
        yield from _order("let", [one.variable.name for one in operation.lets])
        for name in operation.step_names or ("",):
            where = f"step {name}: " if name else ""
            steps = [s for s in operation.steps if s.step == name and not _is_let(s)]
            effects = [step for step in steps if isinstance(step, Effects)]
            for one in effects:
                yield from self._expressions(one.sources, *one.sources, where=where)
            yield from self._rolls([step for step in steps if isinstance(step, Roll)], where)
            for one in effects:
                yield from self._effects(one, where)
        yield from _order("steps", operation.step_names)

    def _expressions(self, sources: Sources, *keys: str, where: str = "") -> Iterator[Part]:
        for key in keys:
            if key in sources:
                yield f"{where}{key}", self._expression(sources[key])

    def _others(self, sources: Sources, *but: str) -> Iterator[Part]:
        """All expressions but these."""
        yield from self._expressions(sources, *(key for key in sources if key not in but))

    def _rolls(self, rolls: Sequence[Roll], where: str) -> Iterator[Part]:
        yield from _order("rolls", [roll.name for roll in rolls], where)
        for roll in rolls:
            for part, source in roll.sources.items():
                word = "" if part == "from" else " weight"
                yield f"{where}roll {roll.name}{word}", self._expression(source)
            if roll.seen_by is not None:
                yield f"{where}roll {roll.name} seen by", _plain(roll.seen_by)

    def _effects(self, effects: Effects, where: str) -> Iterator[Part]:
        for target, value in effects.assignments:
            to, meaning = normal_effect(target, value, self._definitions)
            name = _target_name(to) or target.place.passage.written
            yield f"{where}effect on {name}", Fact((to, meaning), value.place.passage.written)

    def _turn(self, turn: Turn) -> Iterator[Part]:
        yield from self._rolls(turn.rolls, "")
        if turn.together is None:
            yield "next", self._default(turn.sources, "next", NEXT_OF_ME)
            yield from self._expressions(turn.sources, "first")
        else:
            yield from self._expressions(turn.sources, "together")
            yield from self._steps(turn.together.done)
        if turn.forced:
            yield "forced", _plain("play")

    def _stuck(self, stuck: Stuck) -> Iterator[Part]:
        yield from self._verdict(stuck.sources, "", LOSS)
        yield from self._expressions(stuck.sources, "unless")
        if stuck.effects is not None:
            yield from self._effects(stuck.effects, "")
        if "result" in stuck.sources and stuck.sources["result"].passage.text == "pass":
            yield from self._verdict(stuck.all_sources, "all: ", DRAW)

    def _verdict(self, sources: Sources, where: str, default: Expression) -> Iterator[Part]:
        given = [part for part in VERDICTS if part in sources]
        for part in given or ["result"]:
            yield f"{where}{part}", self._default(sources, part, default)


def _is_let(step: Step) -> bool:
    """Whether a step gives a value of the move its start."""
    return isinstance(step, Effects) and step.let


def _order(what: str, names: Sequence[str], where: str = "") -> Iterator[Part]:
    if len(names) > 1:
        yield f"{where}order of {what}", _plain(list(names))


def _target_name(to: Normal) -> str:
    """What an effect changes, as it would be written most plainly."""
    match to:
        case ("target", ("name", str(name), _), (), ()):
            return name
        case ("target", ("of", str(name), "my" | "their" as whose, _), (), ()):
            return f"{whose}.{name}"
    return ""


def _kind(type_: Type) -> str:
    """The kind of a value, without what is known of its bounds."""
    of = getattr(type_, "of", None)
    if isinstance(type_, Word):
        return " | ".join(sorted(type_.words))
    if isinstance(type_, Cell):
        return f"cell of {type_.board}"
    if isinstance(type_, (List, Grid)):
        assert of is not None
        tiles = " of hexagons" if isinstance(type_, Grid) and type_.hexagons else ""
        return f"{type(type_).__name__.lower()}{tiles} of {_kind(of)}"
    if of is not None:
        return f"optional {_kind(of)}"
    return "player" if isinstance(type_, PlayerType) else type(type_).__name__.lower()


def _plain(value: Any) -> Fact:
    return Fact((type(value).__name__, value), as_written(value))
