"""The rules of a ruleset taken apart, each part with its meaning and how it is written: what
`comparing` compares.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple

from rulegame.diagnostics import Passage, Span
from rulegame.evaluation.values import decode, show
from rulegame.keys.declarations import PARAMETER, STATE_VALUE
from rulegame.keys.ends import END_RULE, VALIDITY_RULE
from rulegame.keys.kinds import Key, Section
from rulegame.keys.moves import CHOICE, MOVE_VALUE, OPERATION, SETUP_CHOICE, STEP, TURN_ROLL
from rulegame.keys.ruleset import RULESET, section_at
from rulegame.keys.values import NAMES, is_expression
from rulegame.language import syntax, typed
from rulegame.language.equivalence import Meaning, Normal, normal, normal_effect
from rulegame.language.syntax import Expression, Place
from rulegame.language.typed import Typed
from rulegame.language.types import (
    Cell,
    Grid,
    Int,
    List,
    PlayerType,
    Set,
    Type,
    Word,
    points_of,
    range_in,
)
from rulegame.model import (
    VERDICTS,
    Effects,
    Operation,
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

SECTIONS: Final = tuple(key.noun for key in RULESET.keys if key.is_rule)
UNREAD: Final = "text"  # the meaning of what is no expression begins with it


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
LOSS: Final = "lose"
DRAW: Final = "draw"


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
NO_READERS: Final[Mapping[str, Iterable[Part]]] = {}


class _Reader:
    """Reads the rules of one ruleset: what stands under each key of a section, in the order of the
    declaration.
    """

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
        for part, fact in self._keys(section_at("players"), ruleset.player_counts):
            yield "parameters", "players", part, fact
        for rule in ruleset.parameters.values():
            for part, fact in self._keys(PARAMETER, rule.sources):
                yield "parameters", rule.name, part, fact
        for name, named in ruleset.types.items():
            yield "types", name, "", _of_type(named.type)
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
            for part, fact in self._keys(VALIDITY_RULE, limit.sources):
                yield "validity", limit.name, part, fact
        for part, fact in self._stuck(ruleset.stuck):
            yield "stuck", "a player without a valid move", part, fact
        for end in ruleset.end:
            for part, fact in self._keys(END_RULE, end.sources):
                yield "end", end.name, part, fact
        if ruleset.unit != 1:
            yield "end", "payoff unit", "", Fact(ruleset.unit, str(ruleset.unit))

    # ---- what stands under a key

    def _keys(
        self,
        section: Section,
        sources: Sources,
        readers: Mapping[str, Iterable[Part]] = NO_READERS,
        where: str = "",
    ) -> Iterator[Part]:
        """What a rule says under each key of its section; `readers` are for mappings, and for keys
        that mean something where they are left out.
        """
        for key in section.keys:
            if key.name in readers:
                yield from ((f"{where}{part}", fact) for part, fact in readers[key.name])
            elif key.is_rule and key.name in sources:
                fact = self._fact(key, sources[key.name])
                if fact is not None:
                    yield f"{where}{key.name}", fact

    def _fact(self, key: Key, source: Source) -> Fact | None:
        """What is said under a key; None if it is said without it as well."""
        if source.tree is not None or is_expression(key.value):
            return self._expression(source)
        if source.value is None or source.value == key.default:
            return None
        named = key.value is NAMES  # operations, in any order
        return _plain(sorted(map(str, source.value)) if named else source.value)

    def _expression(self, source: Source) -> Fact:
        if source.tree is None:
            return Fact((UNREAD, source.written), source.written)
        return self._written(source.tree)

    def _written(self, tree: Expression) -> Fact:
        return Fact(normal(tree, self._definitions), tree.place.passage.written)

    def _default(self, sources: Sources, key: str, default: Expression) -> Fact:
        """An expression, or what stands for it where it is left out."""
        return self._expression(sources[key]) if key in sources else self._written(default)

    # ---- the state

    def _value(self, value: StateValue) -> Iterator[Part]:
        each, type_ = value.variable.each_player, value.variable.type
        yield "whose", Fact(each, "each player's" if each else "shared")
        naming = type_.naming if isinstance(type_, Grid) else "numbers"
        readers: dict[str, Iterable[Part]] = {
            **self._declared(STATE_VALUE, type_, value.sources),
            "start": [("start", self._start(value))],
            "show": [("names of cells", _plain(naming))] if naming != "numbers" else (),
            "seen by": [("seen by", _plain(value.seen_by))],
        }
        yield from self._keys(STATE_VALUE, value.sources, readers)

    def _start(self, value: StateValue) -> Fact:
        source, type_ = value.sources.get("start"), value.variable.type
        if source is None or source.tree is not None or value.start is None:
            return self._default(value.sources, "start", STARTS.get(_kind(type_), NOTHING))
        words, players = self._ruleset.words, self._ruleset.players
        cells = list(_constants(value.start))  # of a board that is drawn
        of = type_.of if isinstance(type_, Grid) else type_
        symbols = [
            f"{s} = {show(of, code, words, players)}" for code, s in value.show.symbols.items()
        ]
        return Fact(str(decode(type_, cells, words)), f"{source.written} ({', '.join(symbols)})")

    def _declared(
        self, section: Section, type_: Type, sources: Sources
    ) -> dict[str, Iterable[Part]]:
        """A type with its sizes, which are the expressions of its section beside the start."""
        sizes = [
            key.name
            for key in section.keys
            if is_expression(key.value) and key.name != section.short
        ]
        declared = sources["type"].written if "type" in sources else ""
        size: list[Any] = []
        for part in sizes:
            if part in sources:
                fact = self._expression(sources[part])
                size.append((part, fact.meaning))
                declared += f", {part} {fact.text}"
        meaning = (_kind(type_), tuple(size))
        if isinstance(type_, Set):
            meaning = (declared.replace(" ", ""), tuple(size))
        fact = Fact(meaning, declared.removeprefix(", ") or _kind(type_))
        return {"type": [("type", fact)], **dict.fromkeys(sizes, ())}

    # ---- moves and turns

    def _operation(self, operation: Operation) -> Iterator[Part]:
        section = SETUP_CHOICE if operation.setup else OPERATION
        on = operation.enabled_by_default
        readers: dict[str, Iterable[Part]] = {
            "enabled": [("enabled", Fact(on, "on" if on else "off"))],
            "choose": self._choices(operation),
            **self._steps(operation),
        }
        yield from self._keys(section, operation.sources, readers)

    def _choices(self, operation: Operation) -> Iterator[Part]:
        for choice in operation.choices:
            yield from self._entry(CHOICE, choice.sources, f"choice {choice.name}")
        yield from _order("choices", [choice.name for choice in operation.choices])

    def _entry(
        self,
        section: Section,
        sources: Sources,
        name: str,
        readers: Mapping[str, Iterable[Part]] = NO_READERS,
    ) -> Iterator[Part]:
        """A choice, a roll or a value of a move: what its short form says goes by its name."""
        for part, fact in self._keys(section, sources, readers):
            yield name if part == section.short else f"{name} {part}", fact

    def _steps(self, operation: Operation) -> dict[str, Iterable[Part]]:
        """What an operation does, in one step or in several."""
        if not operation.step_names:
            rolls, effects = self._step(operation, "")
            return {"let": self._lets(operation), "roll": rolls, "effects": effects}
        return {"let": self._lets(operation), "steps": self._named_steps(operation)}

    def _lets(self, operation: Operation) -> Iterator[Part]:
        for value in operation.lets:
            where = f"let {value.variable.name}"
            start = self._default(value.sources, "start", NOTHING)
            readers = self._declared(MOVE_VALUE, value.variable.type, value.sources)
            if "type" not in value.sources:
                readers["type"] = ()
            yield from self._entry(
                MOVE_VALUE, value.sources, where, {**readers, "start": [("start", start)]}
            )
        yield from _order("let", [one.variable.name for one in operation.lets])

    def _named_steps(self, operation: Operation) -> Iterator[Part]:
        return self._steps_named(operation.own_steps, operation.step_names)

    def _steps_named(self, steps: Sequence[Step], names: Sequence[str]) -> Iterator[Part]:
        for name in names:
            rolls, effects = self._parts(steps, name)
            sources = next((s.sources for s in steps if _is_part(s, name)), {})
            readers = {"roll": rolls, "effects": effects}
            yield from self._keys(STEP, sources, readers, f"step {name}: ")
        yield from _order("steps", names)

    def _at_begin(self, effects: Effects) -> Iterator[Part]:
        yield from ((f"begin: {part}", fact) for part, fact in self._effects(effects))

    def _step(self, operation: Operation, name: str) -> tuple[Iterable[Part], Iterable[Part]]:
        """The rolls and the effects of a step."""
        return self._parts(operation.own_steps, name)

    def _parts(self, steps: Sequence[Step], name: str) -> tuple[Iterable[Part], Iterable[Part]]:
        """The rolls and the effects of one of several steps."""
        steps = [step for step in steps if step.step == name]
        rolls = [step for step in steps if isinstance(step, Roll)]
        effects = [step for step in steps if isinstance(step, Effects) and not step.let]
        return self._rolls(rolls), (part for one in effects for part in self._effects(one))

    def _rolls(self, rolls: Sequence[Roll]) -> Iterator[Part]:
        yield from _order("rolls", [roll.name for roll in rolls])
        for roll in rolls:
            yield from self._entry(TURN_ROLL, roll.sources, f"roll {roll.name}")

    def _effects(self, effects: Effects) -> Iterator[Part]:
        for target, value in effects.assignments:
            to, meaning = normal_effect(target, value, self._definitions)
            name = _target_name(to) or target.place.passage.written
            yield f"effect on {name}", Fact((to, meaning), value.place.passage.written)

    def _turn(self, turn: Turn) -> Iterator[Part]:
        readers: dict[str, Iterable[Part]] = {"roll": self._rolls(turn.rolls)}
        if turn.together is None:
            following = self._default(turn.sources, "next", NEXT_OF_ME)
            readers["next"] = [("next", following)]
            readers["begin"] = [] if turn.begin is None else self._at_begin(turn.begin)
            readers["effects"] = self._parts(turn.common, "")[1]
            readers["steps"] = self._steps_named(turn.common, turn.common_names)
        else:
            done = self._steps(turn.together.done)
            rolled = done.pop("roll", ())
            readers |= {**done, "roll": [*readers["roll"], *rolled]}
        yield from self._keys(section_at("turn"), turn.sources, readers)

    # ---- ends

    def _stuck(self, stuck: Stuck) -> Iterator[Part]:
        passes = "result" in stuck.sources and stuck.sources["result"].value == "pass"
        effects = () if stuck.effects is None else self._effects(stuck.effects)
        readers: dict[str, Iterable[Part]] = {
            **self._verdict(stuck.sources, LOSS),
            "effects": effects,
            "all": self._all_stuck(stuck) if passes else (),
        }
        yield from self._keys(section_at("stuck"), stuck.sources, readers)

    def _all_stuck(self, stuck: Stuck) -> Iterator[Part]:
        readers = self._verdict(stuck.all_sources, DRAW)
        yield from self._keys(section_at("stuck", "all"), stuck.all_sources, readers, "all: ")

    def _verdict(self, sources: Sources, default: str) -> dict[str, Iterable[Part]]:
        """The result in a word, which stands where no other verdict does."""
        if any(key in sources for key in VERDICTS if key != "result"):
            return {}
        said = str(sources["result"].value) if "result" in sources else default
        return {"result": [("result", self._written(syntax.Name(_at(said), said)))]}


def _constants(e: Typed) -> Iterator[int]:
    """The values in the rows of a drawn board, in order."""
    if isinstance(e, typed.Constant):
        yield e.code
    elif isinstance(e, typed.ListLiteral):
        for item in e.items:
            yield from _constants(item)


def _is_part(step: Step, name: str) -> bool:
    """Whether these are the effects of a step that is named so."""
    return isinstance(step, Effects) and step.step == name


def _order(what: str, names: Sequence[str]) -> Iterator[Part]:
    if len(names) > 1:
        yield f"order of {what}", _plain(list(names))


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
    if isinstance(type_, Int) and range_in(type_) is not None:
        return f"{type_.low}..{type_.high}"
    if isinstance(type_, (List, Grid)):
        assert of is not None
        return f"{type(type_).__name__.lower()} of {_kind(of)}"
    if of is not None:
        return f"optional {_kind(of)}"
    return "player" if isinstance(type_, PlayerType) else type(type_).__name__.lower()


def _of_type(type_: Type) -> Fact:
    """What a declared type is; the order of its words counts."""
    text = ", ".join(type_.words) if isinstance(type_, Word) else _kind(type_)
    order = points_of(type_)
    if order is not None and order.graph is not None:
        lines = ("-".join(order.words[k] for k in line) for line in order.graph.lines)
        text += f"; lines {', '.join(lines)}"
    return Fact((type(type_).__name__, text), text)


def _plain(value: Any) -> Fact:
    return Fact((type(value).__name__, value), as_written(value))
