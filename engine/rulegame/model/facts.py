"""The rules of a ruleset taken apart, each part with its meaning and how it is written: what
`comparing` compares.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from rulegame.language.equivalence import Meaning, Normal, normal, normal_effect
from rulegame.language.parsing import SyntaxProblem, parse_expression, parse_target
from rulegame.language.types import Grid, List, PlayerType, Set, Type, Word
from rulegame.model import Ruleset
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import (
    Node,
    Scalar,
    items_of,
    mapping_of,
    passage_of,
    text_of,
    to_plain,
    written,
)
from rulegame.wording import as_written

SECTIONS: Final = (
    "players", "parameters", "definitions", "state", "setup", "turn", "operations", "validity",
    "stuck", "end",
)  # fmt: skip
UNREAD: Final = "text"  # the meaning of what is no expression begins with it
LIMITS: Final = ("min", "max", "min size", "max size", "different", "one of")


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


class _Reader:
    """Reads the rules of one ruleset."""

    def __init__(self, ruleset: Ruleset) -> None:
        self._ruleset = ruleset
        self._root = ruleset.root
        self._definitions = dict(_definitions(ruleset.root))

    def facts(self) -> Iterator[Row]:
        count = len(self._ruleset.players)
        yield "players", "number", "", Fact(count, str(count))
        yield from self._parameters()
        for name, meaning in self._definitions.items():
            node = next(n for k, n in self._section("define") if _head(k.text)[0] == name)
            yield "definitions", name, "", Fact(self._meaning(node), written(node))
            yield "definitions", name, "arguments", _plain(len(meaning.parameters))
        yield from self._state()
        for section in ("setup", "operations"):
            for key, node in self._section(section):
                for part, fact in self._operation(mapping_of(node), section):
                    yield section, key.text, part, fact
        for part, fact in self._turn():
            yield "turn", "every turn", part, fact
        for key, node in self._section("validity"):
            yield from self._validity(key.text, mapping_of(node))
        for part, fact in self._stuck():
            yield "stuck", "a player without a valid move", part, fact
        for key, node in self._section("end"):
            rule = mapping_of(node)
            for part in ("when", "result", "winners", "payoff"):
                if rule.get(part) is not None:
                    yield "end", key.text, part, self._expression(rule.get(part))

    def _section(self, name: str) -> MappingNode:
        return mapping_of(self._root.get(name))

    def _meaning(self, node: Node) -> Normal:
        try:
            return normal(parse_expression(passage_of(node)), self._definitions)
        except SyntaxProblem:
            return (UNREAD, written(node))

    def _expression(self, node: Node | None, default: str = "") -> Fact:
        if node is None:
            node = Scalar(self._root.span, default, default)
        return Fact(self._meaning(node), written(node))

    def _parameters(self) -> Iterator[Row]:
        for key, node in self._section("parameters"):
            rule = to_plain(node)
            yield "parameters", key.text, "default", _plain(rule["default"])
            for limit in LIMITS:
                if rule.get(limit) is not None and rule[limit] is not False:
                    yield "parameters", key.text, limit, _plain(rule[limit])

    def _state(self) -> Iterator[Row]:
        for name, value in self._ruleset.state.items():
            each = value.variable.each_player
            home = self._section("state")
            node = mapping_of(mapping_of(home.get("each player")).get(name) if each else None)
            node = node if each else mapping_of(home.get(name))
            type_ = value.variable.type
            yield "state", name, "whose", Fact(each, "each player's" if each else "shared")
            yield "state", name, "type", self._type(type_, node)
            yield "state", name, "start", self._start(type_, node)
            yield "state", name, "seen by", _plain(value.seen_by)

    def _type(self, type_: Type, node: MappingNode) -> Fact:
        declared = written(node.get("type"))
        size: list[Any] = []
        for part in ("size", "rows", "columns"):
            if node.get(part) is not None:
                size.append((part, self._expression(node.get(part)).meaning))
                declared += f", {part} {written(node.get(part))}"
        meaning = (_kind(type_), tuple(size))
        if isinstance(type_, Set):
            meaning = (declared.replace(" ", ""), tuple(size))
        return Fact(meaning, declared.removeprefix(", ") or _kind(type_))

    def _start(self, type_: Type, node: MappingNode) -> Fact:
        default = {"int": "0", "bool": "false", "list of int": "0"}.get(_kind(type_), "none")
        return self._expression(node.get("start"), default)

    def _operation(self, node: MappingNode, section: str) -> Iterator[tuple[str, Fact]]:
        if section == "operations":
            on = to_plain(node).get("enabled", True)
            yield "enabled", Fact(on, "on" if on else "off")
        if node.get("when") is not None:
            yield "when", self._expression(node.get("when"))
        choices = mapping_of(node.get("choose"))
        for key, choice in choices:
            yield f"choice {key.text}", self._expression(mapping_of(choice).get("from"))
        if len(choices.entries) > 1:
            yield "order of choices", _plain(list(choices.entries))
        yield from self._rolls(node, "")
        yield from self._effects(node, "")
        steps = mapping_of(node.get("steps"))
        for key, step in steps:
            yield from self._step(key.text, mapping_of(step))
        if len(steps.entries) > 1:
            yield "order of steps", _plain(list(steps.entries))
        if node.get("next") is not None:
            yield "next", self._expression(node.get("next"))
        if to_plain(node).get("secret"):
            yield "secret", _plain(True)

    def _step(self, name: str, step: MappingNode) -> Iterator[tuple[str, Fact]]:
        for part in ("when", "repeat", "while"):
            if step.get(part) is not None:
                yield f"step {name}: {part}", self._expression(step.get(part))
        yield from self._rolls(step, f"step {name}: ")
        yield from self._effects(step, f"step {name}: ")

    def _rolls(self, node: MappingNode, where: str) -> Iterator[tuple[str, Fact]]:
        rolls = mapping_of(node.get("roll"))
        if len(rolls.entries) > 1:
            yield f"{where}order of rolls", _plain(list(rolls.entries))
        for key, roll in rolls:
            for part in ("from", "weight"):
                rolled = mapping_of(roll).get(part)
                if rolled is not None:
                    word = "" if part == "from" else " weight"
                    yield f"{where}roll {key.text}{word}", self._expression(rolled)

    def _effects(self, node: MappingNode, where: str) -> Iterator[tuple[str, Fact]]:
        for key, value in mapping_of(node.get("effects")):
            try:
                target = parse_target(key.passage)
                to, new = normal_effect(
                    target, parse_expression(passage_of(value)), self._definitions
                )
            except SyntaxProblem:
                to, new = (UNREAD, key.text), (UNREAD, written(value))
            name = _target_name(to) or " ".join(key.text.split())
            yield f"{where}effect on {name}", Fact((to, new), written(value))

    def _turn(self) -> Iterator[tuple[str, Fact]]:
        node = self._section("turn")
        yield from self._rolls(node, "")
        yield "next", self._expression(node.get("next"), "next(me)")

    def _validity(self, name: str, rule: MappingNode) -> Iterator[Row]:
        yield "validity", name, "require", self._expression(rule.get("require"))
        listed = rule.get("for")
        if listed is not None:
            names = sorted(text_of(item) for item in items_of(listed))
            yield "validity", name, "for", _plain(names)

    def _stuck(self) -> Iterator[tuple[str, Fact]]:
        node = self._section("stuck")
        yield from self._verdict(node, "", "lose")
        if node.get("unless") is not None:
            yield "unless", self._expression(node.get("unless"))
        yield from self._effects(node, "")
        if text_of(node.get("result")) == "pass":
            yield from self._verdict(mapping_of(node.get("all")), "all: ", "draw")

    def _verdict(self, node: MappingNode, where: str, default: str) -> Iterator[tuple[str, Fact]]:
        given = [part for part in ("result", "winners", "payoff") if node.get(part) is not None]
        for part in given or ["result"]:
            yield f"{where}{part}", self._expression(node.get(part), default)


def _definitions(root: MappingNode) -> Iterator[tuple[str, Meaning]]:
    for key, node in mapping_of(root.get("define")):
        name, parameters = _head(key.text)
        try:
            yield name, Meaning(parameters, parse_expression(passage_of(node)))
        except SyntaxProblem:
            continue


def _head(text: str) -> tuple[str, tuple[str, ...]]:
    """`free(r, c)`: its name, and its arguments."""
    name, _, rest = text.partition("(")
    inside = rest.rpartition(")")[0]
    arguments = tuple(part.strip() for part in inside.split(",") if part.strip())
    return name.strip(), arguments


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
    if isinstance(type_, (List, Grid)):
        assert of is not None
        return f"{type(type_).__name__.lower()} of {_kind(of)}"
    if of is not None:
        return f"optional {_kind(of)}"
    return "player" if isinstance(type_, PlayerType) else type(type_).__name__.lower()


def _plain(value: Any) -> Fact:
    return Fact((type(value).__name__, value), as_written(value))
