"""Builds the model of a ruleset out of merged, schema-checked nodes: names, types, arity,
ranges, templates.

One function a section, in the order in which the sections depend on one another. Every problem is
collected; what is wrong is left out of the model, which is used only if there was none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from rulegame.diagnostics import Diagnostic, Related, Span, did_you_mean
from rulegame.expressions import syntax, typed
from rulegame.expressions.binding import (
    Binder,
    Definition,
    Parameter,
    Scope,
    Vocabulary,
    cost,
    loops_cost,
)
from rulegame.expressions.functions import FUNCTIONS
from rulegame.expressions.parsing import SyntaxProblem, parse_expression, parse_target, parse_type
from rulegame.expressions.syntax import Expression, Place
from rulegame.expressions.typed import Typed, Variable, owner_key
from rulegame.limits import LIMITS
from rulegame.model import (
    Choice,
    Effects,
    EndRule,
    Operation,
    ParameterRule,
    Roll,
    Ruleset,
    StateValue,
    Step,
    Stuck,
    Turn,
    Validity,
    Verdict,
)
from rulegame.nodes import Mapping as MappingNode
from rulegame.nodes import Node, Scalar
from rulegame.nodes import Sequence as SequenceNode
from rulegame.runtime import Fault
from rulegame.structure import RESERVED
from rulegame.templates import Template, bind_template
from rulegame.types import (
    RESULTS,
    Bool,
    Element,
    Grid,
    Int,
    List,
    Optional,
    Player,
    Set,
    Text,
    Type,
    Word,
    element_of,
    fits,
    join,
    size_of,
)

MENU_NAMES: Final[dict[str, Type]] = {
    "options": List(Text()),
    "valid": List(Text()),
    "entries": List(Text()),
    "notes": List(Text()),
}
ENDING_NAMES: Final[dict[str, Type]] = {
    "winner": Text(),
    "loser": Text(),
    "winners": List(Text()),
    "losers": List(Text()),
    "draw_game": Bool(),
}
COMMON_NAMES: Final[dict[str, Type]] = {"title": Text(), "summary": Text(), "turn": Int(1)}
TEXT_NAMES: Final[dict[str, dict[str, Type]]] = {
    "welcome": {},
    "begin": {},
    "turn": {"again": Bool()},
    "rolled": {"roll": Text(), "rolled": Text()},
    "menu": MENU_NAMES,
    "option": {
        "position": Int(1),
        "key": Text(),
        "label": Text(),
        "value": Text(),
        "why": Text(),
        "note": Text(),
    },
    "prompt": MENU_NAMES,
    "chosen": {"label": Text(), "move": Text()},
    "updated": {"label": Text(), "move": Text()},
    "refused": {"because": Text(), "label": Text(), **MENU_NAMES},
    "unknown": {"typed": Text(), **MENU_NAMES},
    "stuck": {"why": Text(), **ENDING_NAMES},
    "passed": {"why": Text()},
    "all_stuck": ENDING_NAMES,
    "ended": ENDING_NAMES,
    "between": {"again": Bool()},
}
CHOICE_NAMES: Final[dict[str, Type]] = {"choice": Text()}
WITH_BEFORE: Final = ("chosen", "updated", "ended")
_DEFINITION = re.compile(r"\s*([A-Za-z][A-Za-z0-9_]*)\s*(?:\(([^()]*)\))?\s*")


@dataclass(frozen=True, slots=True)
class Settings:
    """What players vary: parameters (as nodes, so that errors have a place), operations on and
    off.
    """

    parameters: Mapping[str, Node] = field(default_factory=dict)
    enable: tuple[Scalar, ...] = ()
    disable: tuple[Scalar, ...] = ()
    names: Mapping[str, Scalar] = field(
        default_factory=dict
    )  # where parameters are named, if in a file


def build(
    root: MappingNode, file: str, settings: Settings
) -> tuple[Ruleset | None, tuple[Diagnostic, ...]]:
    """The model, and everything that is wrong; None if anything is."""
    builder = _Builder(root, file, settings)
    model = builder.build()
    found = tuple(builder.diagnostics)
    return (None if any(d.severity == "error" for d in found) else model), found


class _Builder:
    def __init__(self, root: MappingNode, file: str, settings: Settings) -> None:
        self._root = root
        self._file = file
        self._settings = settings
        names = root.get("players")
        self._players: tuple[str, ...] = ("Player 1", "Player 2")
        if isinstance(names, SequenceNode):
            self._players = tuple(item.text for item in names.items if isinstance(item, Scalar))
        self._vocabulary = Vocabulary(len(self._players))
        self._binder = Binder(self._vocabulary)
        self.diagnostics = self._binder.diagnostics
        self._turn_rolls: dict[str, Type] = {}
        self._common: dict[str, Type] = {}

    # ---- the order of things

    def build(self) -> Ruleset:
        parameters = self._parameters()
        self._definitions()
        state = self._state()
        self._name_locals()
        turn_node = _mapping(self._root.get("turn"))
        rolls = self._rolls(_mapping(turn_node.get("roll")), {})
        self._turn_rolls = {roll.name: roll.element for roll in rolls}
        everything = [
            *self._operations("setup", setup=True),
            *self._operations("operations", setup=False),
        ]
        setup = [o for o in everything if o.setup]
        enabled = [o for o in everything if not o.setup and o.enabled]
        disabled = [o for o in everything if not o.setup and not o.enabled]
        self._common = _common_choices(enabled or disabled)
        turn = Turn(
            tuple(rolls), self._ask(turn_node, enabled), self._next(turn_node, self._turn_rolls)
        )
        validity = self._validity(everything)
        self._check_work(everything, validity)
        stuck = self._stuck(enabled)
        end = self._end()
        texts = self._texts(_mapping(self._root.get("texts")), {}, {})
        if not enabled and not any(d.severity == "error" for d in self.diagnostics):
            place = self._root.entries["operations"].key
            self._report(
                "E405", "no operation is switched on", place, "switch one on with --enable NAME"
            )
        self._check_unused_functions()
        return Ruleset(
            title=_text(self._root.get("title")),
            summary=_text(self._root.get("summary")),
            file=self._file,
            players=self._players,
            parameters=parameters,
            words=tuple(self._vocabulary.words),
            state=state,
            setup=tuple(setup),
            turn=turn,
            operations=tuple(enabled),
            disabled=tuple(disabled),
            validity=tuple(validity),
            stuck=stuck,
            end=tuple(end),
            texts=texts,
            claims=_claims(self._root.get("claims")),
            tests={k.text: v for k, v in _mapping(self._root.get("tests"))},
            root=self._root,
        )

    # ---- reports and small pieces

    def _report(
        self, code: str, message: str, node: Node, hint: str = "", related: tuple[Related, ...] = ()
    ) -> None:
        self.diagnostics.append(Diagnostic(code, message, node.span, hint, related=related))

    def _parse(self, node: Node) -> Expression | None:
        try:
            return parse_expression(node)
        except SyntaxProblem as problem:
            self.diagnostics.append(problem.diagnostic)
            return None

    def _bound(self, node: Node | None, scope: Scope, expected: Type | None = None) -> Typed | None:
        """A typed expression; None if there is none, or if something is wrong with it."""
        if node is None:
            return None
        expression = self._parse(node)
        return None if expression is None else self._binder.bind(expression, scope, expected)

    def _condition(self, node: Node | None, scope: Scope) -> Typed | None:
        return self._bound(node, scope, Bool())

    def _size(self, node: Node | None, default: int, most: int) -> int:
        """A size: a number that is known before the game."""
        if node is None:
            return default
        value = self._known(self._bound(node, Scope(state=False, me=False), Int()), node)
        if value is None:
            return default
        if not 1 <= value <= most:
            self._report("E407", f"a size must be between 1 and {most}, not {value}", node)
            return default
        return value

    def _known(self, expression: Typed | None, node: Node) -> int | None:
        """The value of an expression over parameters."""
        if expression is None or isinstance(expression, typed.Constant):
            return None if expression is None else expression.code
        from rulegame.evaluation import evaluate  # needed only for what is not written as a number

        try:
            value = evaluate(expression, self._vocabulary.players)
        except Fault as fault:
            self._report(fault.code, fault.message, node)
            return None
        assert isinstance(value, int)
        return value

    def _template(
        self, node: Node | None, scope: Scope, names: Mapping[str, Type]
    ) -> Template | None:
        if not isinstance(node, Scalar):
            return None
        return bind_template(node, self._binder, scope, {**COMMON_NAMES, **names})

    def _check_count(self, what: str, node: MappingNode, most: int) -> None:
        if len(node.entries) > most:
            self._report("E407", f"there are more than {most} {what}", list(node)[most][0])

    def _check_name(self, key: Scalar, taken: Iterable[Mapping[str, object]]) -> None:
        if any(key.text in names for names in taken):
            self._report(
                "E312", f"'{key.text}' already means something else", key, "use another name"
            )

    # ---- parameters, definitions, state

    def _parameters(self) -> dict[str, ParameterRule]:
        rules: dict[str, ParameterRule] = {}
        for key, node in _mapping(self._root.get("parameters")):
            rule = self._parameter(key, _mapping(node))
            if rule is not None:
                rules[key.text] = rule
                self._vocabulary.parameters[key.text] = Parameter(key.text, rule.type, rule.value)
            else:
                self._vocabulary.broken.add(key.text)
        for name, value in self._settings.parameters.items():
            if name not in _mapping(self._root.get("parameters")).entries:
                known = _mapping(self._root.get("parameters")).entries
                self._report(
                    "E403",
                    f"there is no parameter '{name}'",
                    self._settings.names.get(name, value),
                    did_you_mean(name, known) or "this ruleset has no parameters",
                )
        return rules

    def _parameter(self, key: Scalar, node: MappingNode) -> ParameterRule | None:
        default_node = node.get("default")
        if default_node is None:
            return None
        one_of = node.get("one of")
        words = (
            tuple(i.text for i in one_of.items if isinstance(i, Scalar))
            if isinstance(one_of, SequenceNode)
            else ()
        )
        for word in words:
            self._vocabulary.words.setdefault(word, len(self._vocabulary.words))
        bounds = {
            k: n.value
            for k in ("min", "max", "min size", "max size")
            if isinstance(n := node.get(k), Scalar)
        }
        different = isinstance(n := node.get("different"), Scalar) and n.value is True
        low, high, least, most = (
            b if isinstance(b := bounds.get(k), int) else None
            for k in ("min", "max", "min size", "max size")
        )

        def check(
            given: Node, like: Type | None, code: str
        ) -> tuple[Type, int | tuple[int, ...]] | None:
            found = self._parameter_value(given, words, code, key.text)
            if found is None:
                return None
            type_, value = found
            if like is not None and not _same_kind(type_, like):
                self._report(code, f"'{key.text}' must be {_kind(like)}, not {_kind(type_)}", given)
                return None
            numbers = (
                value if isinstance(value, tuple) else (value,) if isinstance(type_, Int) else ()
            )
            for number in numbers:
                if (low is not None and number < low) or (high is not None and number > high):
                    self._report(
                        code, f"'{key.text}' must be {_between(low, high)}, not {number}", given
                    )
                    return None
            if isinstance(value, tuple):
                if (least is not None and len(value) < least) or (
                    most is not None and len(value) > most
                ):
                    self._report(
                        code,
                        f"'{key.text}' must have {_between(least, most)} numbers, not {len(value)}",
                        given,
                    )
                    return None
                if len(value) > LIMITS.cells:
                    self._report(code, f"'{key.text}' is longer than {LIMITS.cells}", given)
                    return None
                if different and len(set(value)) != len(value):
                    self._report(code, f"the numbers of '{key.text}' must all be different", given)
                    return None
            return type_, value

        default = check(default_node, None, "E401")
        if default is None:
            return None
        type_, value = default
        override = self._settings.parameters.get(key.text)
        if override is not None:
            type_, value = check(override, type_, "E402") or default
        return ParameterRule(
            key.text, type_, value, default[1], low, high, words, _text(node.get("about"))
        )

    def _parameter_value(
        self, node: Node, words: tuple[str, ...], code: str, name: str
    ) -> tuple[Type, int | tuple[int, ...]] | None:
        if isinstance(node, SequenceNode):
            numbers = []
            for item in node.items:
                if not isinstance(item, Scalar) or type(item.value) is not int:
                    self._report(code, f"'{name}' must be a list of whole numbers", item)
                    return None
                numbers.append(item.value)
            return List(Int(), len(numbers)), tuple(numbers)
        if isinstance(node, Scalar):
            if isinstance(node.value, bool):
                return Bool(), int(node.value)
            if isinstance(node.value, int):
                return Int(), node.value
            if words and isinstance(node.value, str):
                if node.value in words:
                    return Word(words), self._vocabulary.words[node.value]
                self._report(
                    code,
                    f"'{name}' cannot be '{node.value}'",
                    node,
                    did_you_mean(node.value, words),
                )
                return None
        hint = (
            ""
            if words
            else "a whole number, true, false, or a list of whole numbers; for a word give 'one of'"
        )
        self._report(code, f"this is not a value for '{name}'", node, hint)
        return None

    def _definitions(self) -> None:
        for key, node in _mapping(self._root.get("define")):
            match = _DEFINITION.fullmatch(key.text)
            if match is None:
                continue  # the schema has complained
            name, inner = match.group(1), match.group(2)
            parameters = None if inner is None else tuple(p.strip() for p in inner.split(","))
            taken: list[Mapping[str, object]] = [
                self._vocabulary.parameters,
                self._vocabulary.definitions,
            ]
            self._check_name(Scalar(key.span, name, name), taken)
            if name in FUNCTIONS:
                self._report("E312", f"'{name}' is a built-in function", key, "use another name")
            body = self._parse(node)
            if body is not None:
                place = Place(key, 0, len(key.text))
                self._vocabulary.definitions[name] = Definition(name, parameters, body, place)
            else:
                self._vocabulary.broken.add(name)

    def _check_unused_functions(self) -> None:
        """A definition that nothing uses is still checked, as far as it can be without
        arguments.
        """
        for definition in tuple(self._vocabulary.definitions.values()):
            if definition.parameters is None and definition.name not in self._vocabulary.broken:
                before = len(self.diagnostics)
                name = syntax.Name(definition.place, definition.name)
                if self._binder.bind(name, Scope()) is None:  # not again for what uses it
                    self._vocabulary.broken.add(definition.name)
                    del self._vocabulary.definitions[definition.name]
                self.diagnostics[before:] = [
                    d for d in self.diagnostics[before:] if d not in self.diagnostics[:before]
                ]

    def _state(self) -> dict[str, StateValue]:
        found: dict[str, StateValue] = {}
        pending: list[tuple[Scalar, MappingNode, bool]] = []
        for key, node in _mapping(self._root.get("state")):
            if key.text == "each player":
                pending += [(k, _mapping(n), True) for k, n in _mapping(node)]
            else:
                pending.append((key, _mapping(node), False))
        for key, node, each in pending:
            self._check_name(key, (found, self._vocabulary.definitions))
            value = self._state_value(key, node, each)
            if value is not None:
                found[key.text] = value
            else:
                self._vocabulary.broken.add(key.text)
        self._vocabulary.variables.update({name: v.variable for name, v in found.items()})
        cells = sum(
            size_of(v.variable.type) * (len(self._players) if v.variable.each_player else 1)
            for v in found.values()
        )
        if cells > LIMITS.cells:
            self._report(
                "E407",
                f"the state has more than {LIMITS.cells} single values",
                self._root.entries["state"].key,
            )
        return found

    def _state_value(self, key: Scalar, node: MappingNode, each: bool) -> StateValue | None:
        scope = Scope(state=False, me=each)
        start_node, type_node = node.get("start"), node.get("type")
        declared: Type | None = None
        wrong = len(self.diagnostics)
        if isinstance(type_node, Scalar):
            declared = self._declared(type_node, node)
        if len(self.diagnostics) > wrong:
            return None
        start = self._bound(start_node, scope)
        if start_node is not None and start is None:
            return None
        if declared is None:
            if start is None:
                self._report(
                    "E202", f"'{key.text}' needs a type or a start", key, f"write {key.text}: 0"
                )
                return None
            declared = _storable(start.type)
            if declared is None:
                self._report(
                    "E303",
                    f"a value cannot start as {start.type} without a type",
                    key,
                    "declare it: {type: optional int}",
                )
                return None
        elif start is not None:
            type_ = self._fitting(declared, start, start_node or key)
            if type_ is None:
                return None
            declared = type_
        elif isinstance(declared, List) and declared.size is None:
            self._report("E202", f"the list '{key.text}' needs a size or a start", key, "size: 10")
            return None
        elif _needs_start(declared):
            self._report("E202", f"'{key.text}' needs a start", key, "start: …")
            return None
        if start is not None and not self._can_start(declared, start, start_node or key, each):
            return None
        sight = _text(node.get("seen by")) or "all"
        if sight == "owner" and not each:
            self._report(
                "E204", "only a value under 'each player' has an owner", node.get("seen by") or key
            )
        variable = Variable(key.text, declared, each)
        return StateValue(variable, start, sight, _text(node.get("about")), Place(key))  # type: ignore[arg-type]

    def _can_start(self, declared: Type, start: Typed, node: Node, each: bool) -> bool:
        """Works the start out, for each player who may have another, to see that it can be."""
        if not isinstance(declared, Set) and _is_plain(start):
            return True
        from rulegame.evaluation import evaluate  # costs start-up time, and is seldom needed

        for seat in range(len(self._players) if each else 1):
            try:
                found = evaluate(start, len(self._players), seat)
            except Fault as fault:
                self._report(fault.code, fault.message, node)
                return False
            items = found if isinstance(declared, Set) and isinstance(found, (tuple, range)) else ()
            for item in items:
                if not isinstance(declared, Set) or declared.low <= item <= declared.high:
                    continue
                message = f"{item} cannot be in a set of {declared.low}..{declared.high}"
                self._report("E508", message, node)
                return False
        return True

    def _declared(self, node: Scalar, owner: MappingNode) -> Type | None:
        try:
            name = parse_type(node)
        except SyntaxProblem as problem:
            hint = "int, bool, player, red | green, optional int, list of int, set of 1..9, …"
            self.diagnostics.append(
                problem.diagnostic._replace(message="this is not a type", hint=hint)
            )
            return None
        if name.collection == "set":
            return self._set_type(name, node)
        element = self._element(name, node)
        if element is None or not name.collection:
            return element
        if name.collection == "list":
            size = owner.get("size")
            return List(element, None if size is None else self._size(size, 1, LIMITS.cells))
        for side in ("rows", "columns"):
            if owner.get(side) is None:
                self._report("E202", f"a grid needs '{side}'", node, f"{side}: 3")
        return Grid(
            element,
            self._size(owner.get("rows"), 1, LIMITS.cells),
            self._size(owner.get("columns"), 1, LIMITS.cells),
        )

    def _set_type(self, name: syntax.TypeName, node: Scalar) -> Type | None:
        assert name.low is not None and name.high is not None
        scope = Scope(state=False, me=False)
        low, high = (
            self._known(self._binder.bind(e, scope, Int()), node) for e in (name.low, name.high)
        )
        if low is None or high is None:
            return None
        if not 0 < high - low + 1 <= LIMITS.set_width:
            self._report(
                "E407", f"a set can hold 1 to {LIMITS.set_width} numbers, not {low}..{high}", node
            )
            return None
        return Set(low, high)

    def _element(self, name: syntax.TypeName, node: Scalar) -> Element | None:
        basic: dict[str, Int | Bool | Player] = {"int": Int(), "bool": Bool(), "player": Player()}
        of: Int | Bool | Player | Word
        if len(name.names) == 1 and name.names[0] in basic:
            of = basic[name.names[0]]
        elif len(name.names) == 1:
            self._report(
                "E303",
                f"there is no type '{name.names[0]}'",
                node,
                did_you_mean(name.names[0], ["int", "bool", "player"]),
            )
            return None
        else:
            for word in name.names:
                if word in RESERVED and word not in RESULTS:
                    self._report(
                        "E206", f"'{word}' is a word of the language", node, "use another word"
                    )
                self._vocabulary.words.setdefault(word, len(self._vocabulary.words))
            of = Word(name.names)
        return Optional(of) if name.optional else of

    def _fitting(self, declared: Type, start: Typed, node: Node) -> Type | None:
        """The declared type with its sizes, if the start fits it."""
        if isinstance(declared, List):
            if isinstance(start.type, List) and fits(start.type.of, declared.of):
                size = start.type.size
                if (
                    size is None
                    or declared.size not in (None, size)
                    or not 0 < size <= LIMITS.cells
                ):
                    self._report("E303", "the length of this list does not fit", node)
                    return None
                return List(declared.of, size)
            if declared.size is not None and fits(start.type, declared.of):
                return declared
        elif isinstance(declared, Grid):
            rows = start.type
            if fits(rows, declared.of):
                return declared
            if (
                isinstance(rows, List)
                and rows.size == declared.rows
                and isinstance(rows.of, List)
                and rows.of.size == declared.columns
                and fits(rows.of.of, declared.of)
            ):
                return declared
        elif isinstance(declared, Set):
            of = element_of(start.type)
            if isinstance(of, Int):
                return declared
        elif fits(start.type, declared):
            return declared
        self._report("E303", f"this cannot be the start of {declared}", node)
        return None

    # ---- choices, rolls, steps, operations

    def _name_locals(self) -> None:
        """Remembers which operation each choice and roll belongs to, for better messages."""
        owners = self._vocabulary.owners_of_locals
        for section in ("setup", "operations"):
            for key, node in _mapping(self._root.get(section)):
                for kind in ("choose", "roll"):
                    what = "a choice" if kind == "choose" else "a roll"
                    for name, _ in _mapping(_mapping(node).get(kind)):
                        owners.setdefault(name.text, f"{what} of '{key.text}'")

    def _check_local(self, key: Scalar, others: Mapping[str, Type]) -> None:
        v = self._vocabulary
        self._check_name(key, (v.parameters, v.variables, v.definitions, others))

    def _rolls(self, node: MappingNode, scope_locals: Mapping[str, Type]) -> list[Roll]:
        rolls: list[Roll] = []
        known = dict(scope_locals)
        self._check_count("rolls", node, LIMITS.rolls)
        for key, value in node:
            self._check_local(key, known)
            entry = _mapping(value)
            collection = self._collection(entry.get("from"), Scope(locals=known))
            if collection is None:
                self._vocabulary.broken.add(key.text)
                continue
            element = element_of(collection.type)
            assert element is not None
            known[key.text] = element
            weight = self._bound(entry.get("weight"), Scope(locals=known), Int())
            if isinstance(collection.type, List) and collection.type.size == 0:
                self._report(
                    "E409", f"there is nothing to roll for '{key.text}'", entry.get("from") or key
                )
            if isinstance(weight, typed.Constant) and weight.code <= 0:
                self._report("E409", "a weight must be at least 1", entry.get("weight") or key)
            names = {"roll": Text(), "rolled": Text(), **known}
            text = self._template(entry.get("text"), Scope(), names)
            rolls.append(Roll(key.text, collection, element, weight, text, Place(key)))
        return rolls

    def _collection(self, node: Node | None, scope: Scope) -> Typed | None:
        collection = self._bound(node, scope)
        if collection is None or node is None:
            return None
        of = element_of(collection.type)
        if of is None or isinstance(of, (List, Grid, Text)):
            self._report(
                "E303",
                f"expected a collection here, not {collection.type}",
                node,
                "a range a..b, a list, a set or a grid",
            )
            return None
        return collection

    def _operations(self, section: str, setup: bool) -> Iterator[Operation]:
        enabled = {s.text for s in self._settings.enable}
        disabled = {s.text for s in self._settings.disable}
        node = _mapping(self._root.get(section))
        if not setup:
            for given in (*self._settings.enable, *self._settings.disable):
                if given.text not in node.entries:
                    self._report(
                        "E403",
                        f"there is no operation '{given.text}'",
                        given,
                        did_you_mean(given.text, node.entries),
                    )
        self._check_count(section, node, LIMITS.operations)
        others = _mapping(self._root.get("setup")).entries if not setup else {}
        for key, value in node:
            self._check_name(key, (others,))
            operation = self._operation(key, _mapping(value), setup)
            on = (operation.enabled or key.text in enabled) and key.text not in disabled
            yield operation._replace(enabled=on)

    def _operation(self, key: Scalar, node: MappingNode, setup: bool) -> Operation:
        before = {} if setup else dict(self._turn_rolls)
        known = dict(before)
        choices: list[Choice] = []
        for name, value in _mapping(node.get("choose")):
            choice = self._choice(name, _mapping(value), known)
            if choice is None:
                self._vocabulary.broken.add(name.text)
            else:
                known[name.text] = choice.element
                choices.append(choice)
        for choice in choices[:-1]:
            if isinstance(choice.element, Set):
                self._report("E408", "a choice of a set must be the last choice", choice.place.node)
        at_choice = dict(known)
        steps = self._steps(key, node, known)
        self._check_moves(key, choices)
        enabled = node.get("enabled")
        label = _text(node.get("label")) or key.text.replace("_", " ").title()
        texts = self._texts(_mapping(node.get("texts")), at_choice, known)
        return Operation(
            name=key.text,
            label=label,
            key=_text(node.get("key")),
            doing=_text(node.get("doing")) or label,
            about=_text(node.get("about")),
            enabled=not (isinstance(enabled, Scalar) and enabled.value is False),
            setup=setup,
            secret=isinstance(s := node.get("secret"), Scalar) and s.value is True,
            when=self._condition(node.get("when"), Scope(locals=before)),
            choices=tuple(choices),
            steps=tuple(steps),
            next=self._next(node, known),
            texts=texts,
            place=Place(key),
        )

    def _choice(self, key: Scalar, node: MappingNode, known: Mapping[str, Type]) -> Choice | None:
        self._check_local(key, known)
        collection = self._collection(node.get("from"), Scope(locals=known))
        texts = {}
        for name in ("menu", "option", "prompt"):
            template = self._template(
                node.get(name), Scope(locals=known), {**TEXT_NAMES[name], **CHOICE_NAMES}
            )
            if template is not None:
                texts[name] = template
        if collection is None:
            return None
        element = element_of(collection.type)
        assert element is not None
        return Choice(key.text, collection, element, texts, Place(key))

    def _check_moves(self, key: Scalar, choices: Sequence[Choice]) -> None:
        """What is known of the number of moves; what depends on the state is counted in play."""
        if len(choices) > LIMITS.choices:
            message = f"'{key.text}' has more than {LIMITS.choices} choices"
            self._report("E407", message, choices[LIMITS.choices].place.node)
        elif _least_moves(choices) > LIMITS.moves:
            message = f"'{key.text}' has more than {LIMITS.moves:,} moves"
            self._report("E407", message, choices[-1].place.node, "choose from smaller collections")

    def _check_work(self, operations: Sequence[Operation], validity: Sequence[Validity]) -> None:
        """Every move is tried before a player is asked: that must not take too long."""
        for operation in operations:
            effects = sum(map(_effort, operation.steps))
            rules = [r for r in validity if operation.name in r.requires]
            each = sum(cost(r.requires[operation.name]) for r in rules)
            if any(r.uses_after for r in rules):
                each += effects
            if max(effects, each * _least_moves(operation.choices)) > LIMITS.steps:
                message = f"the moves of '{operation.name}' take too many steps to work out"
                hint = "use smaller ranges, fewer repetitions or fewer moves"
                self._report("E311", message, operation.place.node, hint)

    def _steps(self, key: Scalar, node: MappingNode, known: dict[str, Type]) -> list[Step]:
        """The steps, in order; rolls add their names to what is known."""
        if node.get("steps") is None:
            rolls = self._rolls(_mapping(node.get("roll")), known)
            known.update({roll.name: roll.element for roll in rolls})
            effects = node.entries.get("effects")
            done: list[Step] = [*rolls]
            if effects is not None:
                done.append(
                    self._effects("effects", _mapping(effects.value), known, Place(effects.key))
                )
            return done
        steps: list[Step] = []
        for other in ("roll", "effects"):
            if node.get(other) is not None:
                self._report(
                    "E204",
                    f"'{other}' and 'steps' exclude each other",
                    node.entries[other].key,
                    "put it into a step",
                )
        for name, value in _mapping(node.get("steps")):
            step = _mapping(value)
            rolls = self._rolls(_mapping(step.get("roll")), known)
            known.update({roll.name: roll.element for roll in rolls})
            steps += rolls
            if step.get("roll") is not None:
                for other in ("when", "repeat", "while"):
                    if step.get(other) is not None:
                        self._report(
                            "E204", f"a step that rolls has no '{other}'", step.entries[other].key
                        )
            if step.get("effects") is None:
                if step.get("roll") is None:
                    self._report("E202", f"the step '{name.text}' needs 'effects' or 'roll'", name)
                continue
            scope = Scope(locals=known)
            made = self._effects(name.text, _mapping(step.get("effects")), known, Place(name))
            steps.append(
                made._replace(
                    when=self._condition(step.get("when"), scope),
                    repeat=self._bound(step.get("repeat"), scope, Int()),
                    while_=self._condition(step.get("while"), scope),
                )
            )
            if step.get("while") is not None and step.get("repeat") is None:
                self._report(
                    "E202",
                    "'while' needs 'repeat': how often at most",
                    step.entries["while"].key,
                    "repeat: 100",
                )
        return steps

    def _effects(
        self, name: str, node: MappingNode, known: Mapping[str, Type], place: Place
    ) -> Effects:
        writes: list[typed.Write] = []
        for key, value in node:
            try:
                target = parse_target(key)
            except SyntaxProblem as problem:
                hint = "number, my.score, score of p, heaps[i], board[row, column]"
                message = f"'{key.text}' is not something that can be changed"
                if not problem.diagnostic.hint.startswith("did you mean"):
                    problem.diagnostic = problem.diagnostic._replace(message=message, hint=hint)
                self.diagnostics.append(problem.diagnostic)
                continue
            expression = self._parse(value)
            if expression is None:
                continue
            write = self._binder.bind_write(target, expression, Scope(locals=known))
            if write is not None:
                self._check_write(write, writes, key)
                writes.append(write)
        return Effects(name, tuple(writes), None, None, None, place)

    def _check_write(self, write: typed.Write, others: list[typed.Write], key: Scalar) -> None:
        """Two writes to one value contradict each other; what only shows at run time is checked
        there.
        """
        mine = (write.variable, owner_key(write.owner))
        for other in others:
            same = (other.variable, owner_key(other.owner)) == mine and mine[1] != "?"
            if same and (not write.indices or not other.indices or write.indices == other.indices):
                if write.loops or other.loops:
                    continue
                self._report(
                    "E404",
                    f"'{key.text}' is written twice in one step",
                    key,
                    "",
                    (Related("first here", other.place.span),),
                )

    def _next(self, node: MappingNode, known: Mapping[str, Type]) -> Typed | None:
        return self._bound(node.get("next"), Scope(locals=known), Player())

    def _ask(self, node: MappingNode, operations: Sequence[Operation]) -> tuple[str, ...]:
        asked = node.get("ask")
        if not isinstance(asked, SequenceNode):
            return ()
        names = []
        choices = list(dict.fromkeys(c.name for o in operations for c in o.choices))
        for item in asked.items:
            if not isinstance(item, Scalar):
                continue
            if item.text in self._vocabulary.broken:
                continue
            if item.text != "operation" and item.text not in choices:
                self._report(
                    "E302",
                    f"'{item.text}' is not a choice of any operation",
                    item,
                    did_you_mean(item.text, [*choices, "operation"]),
                )
            elif item.text != "operation" and "operation" not in names:
                for operation in operations:
                    if item.text not in {c.name for c in operation.choices}:
                        self._report(
                            "E204",
                            f"'{item.text}' cannot be asked before the operation: "
                            f"'{operation.name}' has no such choice",
                            item,
                        )
            names.append(item.text)
        return tuple(names)

    # ---- validity, stuck, end

    def _validity(self, operations: Sequence[Operation]) -> list[Validity]:
        rules: list[Validity] = []
        by_name = {o.name: o for o in operations}
        for key, value in _mapping(self._root.get("validity")):
            node = _mapping(value)
            expression = (
                self._parse(node.entries["require"].value) if "require" in node.entries else None
            )
            if expression is None:
                continue
            applies = self._applies_to(node, expression, operations, by_name)
            requires: dict[str, Typed] = {}
            texts: dict[str, dict[str, Template]] = {}
            uses_after = False
            for operation in applies:
                before = len(self.diagnostics)
                scope = self._move_scope(operation)
                bound = self._binder.bind(expression, scope, Bool())
                self._once(before)
                if bound is None:
                    break
                uses_after = uses_after or _uses_after(bound)
                self._check_chance(bound, operation, node.entries["require"].value)
                requires[operation.name] = bound
                texts[operation.name] = self._rule_texts(node, scope)
                self._once(before)
                if len(self.diagnostics) > before:
                    break
            source = require.text if isinstance(require := node.get("require"), Scalar) else ""
            rules.append(Validity(key.text, requires, uses_after, texts, source, Place(key)))
        return sorted(rules, key=lambda rule: rule.uses_after)

    def _rule_texts(self, node: MappingNode, scope: Scope) -> dict[str, Template]:
        texts: dict[str, Template] = {}
        for name in ("note", "because", "stuck"):
            template = self._template(node.get(name), scope, {"label": Text(), "doing": Text()})
            if template is not None:
                texts[name] = template
        return texts

    def _once(self, before: int) -> None:
        """The same problem for several operations is reported once."""
        self.diagnostics[before:] = [
            d
            for k, d in enumerate(self.diagnostics[before:], before)
            if d not in self.diagnostics[:k]
        ]

    def _move_scope(self, operation: Operation) -> Scope:
        rolls = {} if operation.setup else self._turn_rolls
        names = {**rolls, **{c.name: c.element for c in operation.choices}}
        return Scope(locals=names, eras=("after",))

    def _applies_to(
        self,
        node: MappingNode,
        expression: Expression,
        operations: Sequence[Operation],
        by_name: Mapping[str, Operation],
    ) -> list[Operation]:
        listed = node.get("for")
        if isinstance(listed, SequenceNode):
            found = []
            for item in listed.items:
                if not isinstance(item, Scalar):
                    continue
                if item.text in by_name:
                    found.append(by_name[item.text])
                else:
                    self._report(
                        "E302",
                        f"there is no operation '{item.text}'",
                        item,
                        did_you_mean(item.text, by_name),
                    )
            return found
        choices = {c.name for o in operations for c in o.choices}
        named = _free_names(expression) & choices
        if not named:
            return [o for o in operations if not o.setup]
        return [o for o in operations if named <= {c.name for c in o.choices}] or [
            o for o in operations if named & {c.name for c in o.choices}
        ]

    def _check_chance(self, condition: Typed, operation: Operation, node: Node) -> None:
        """`after.x` has no one value if x depends on a roll inside the operation."""
        uncertain = uncertain_values(operation)
        for part in typed.every_part(condition):
            if (
                isinstance(part, typed.Value)
                and part.era == "after"
                and part.variable.name in uncertain
            ):
                self._report(
                    "E410",
                    f"'after.{part.variable.name}' depends on the roll inside '{operation.name}'",
                    node,
                    "list the operations that the rule is for: 'for: […]'",
                )
                return

    def _verdict(
        self, node: MappingNode, owner: Scalar, results: tuple[str, ...], scope: Scope
    ) -> Verdict:
        given = [k for k in ("result", "winners", "payoff") if node.get(k) is not None]
        if len(given) > 1:
            self._report(
                "E204",
                f"'{given[0]}' and '{given[1]}' exclude each other",
                node.entries[given[1]].key,
            )
        result = self._bound(node.get("result"), scope, Word(results))
        if (
            result is not None
            and len(self._players) > 2
            and _may_be(result, self._vocabulary.words["lose"])
        ):
            self._report(
                "E406",
                f"with {len(self._players)} players 'lose' does not say who wins",
                node.entries["result"].value,
                "name the winners: 'winners: …'",
            )
        winners = self._bound(node.get("winners"), scope)
        if winners is not None and not isinstance(winners.type, Player):
            of = element_of(winners.type)
            if not isinstance(of, Player):
                self._report(
                    "E303",
                    f"expected players here, not {winners.type}",
                    node.entries["winners"].value,
                    "winners: list(p for p in players if …)",
                )
        payoff = self._bound(node.get("payoff"), scope, List(Int(), len(self._players)))
        return Verdict(result, winners, payoff)

    def _stuck(self, operations: Sequence[Operation]) -> Stuck:
        entry = self._root.entries.get("stuck")
        key = entry.key if entry is not None else Scalar(self._root.span, "stuck", "stuck")
        node = _mapping(entry.value if entry is not None else None)
        scope = Scope(locals=self._turn_rolls)
        verdict = self._verdict(node, key, RESULTS, scope)
        lose = typed.Constant(Word(("lose",)), self._vocabulary.words["lose"])
        draw = typed.Constant(Word(("draw",)), self._vocabulary.words["draw"])
        if verdict == Verdict() and not any(node.get(k) for k in ("result", "winners", "payoff")):
            if len(self._players) > 2:
                self._report(
                    "E406",
                    f"with {len(self._players)} players 'stuck' must say what happens",
                    key,
                    "stuck: pass, or stuck: draw",
                )
            verdict = Verdict(result=lose)
        all_node = _mapping(node.get("all"))
        all_verdict = self._verdict(all_node, key, ("win", "lose", "draw"), scope)
        if all_verdict == Verdict():
            all_verdict = Verdict(result=draw)
        effects = None
        if node.get("effects") is not None:
            effects = self._effects(
                "stuck", _mapping(node.get("effects")), self._turn_rolls, Place(key)
            )
            if verdict.result is not None and not _may_be(
                verdict.result, self._vocabulary.words["pass"]
            ):
                self._report(
                    "E204",
                    "only a player who passes has 'effects'",
                    node.entries["effects"].key,
                    "result: pass",
                )
        unless: dict[str, Typed] = {}
        unless_node = node.get("unless")
        if unless_node is not None:
            before = len(self.diagnostics)
            for operation in operations:
                bound = self._condition(
                    unless_node, Scope(locals=self._turn_rolls, eras=("after",))
                )
                self._once(before)
                if bound is not None:
                    self._check_chance(bound, operation, unless_node)
                    unless[operation.name] = bound
        names = TEXT_NAMES["stuck"]
        return Stuck(
            unless,
            verdict,
            effects,
            self._template(node.get("text"), scope, names),
            all_verdict,
            self._template(all_node.get("text"), scope, ENDING_NAMES),
            Place(key),
        )

    def _end(self) -> list[EndRule]:
        rules: list[EndRule] = []
        scope = Scope(locals=self._turn_rolls)
        for key, value in _mapping(self._root.get("end")):
            if key.text in ("stuck", "all_stuck"):
                self._report(
                    "E312",
                    f"the name '{key.text}' is taken: it is the rule when a player is stuck",
                    key,
                )
            node = _mapping(value)
            when = self._condition(node.get("when"), scope)
            verdict = self._verdict(node, key, ("win", "lose", "draw"), scope)
            text_scope = Scope(locals={**self._turn_rolls, **self._common}, eras=("before",))
            text = self._template(node.get("text"), text_scope, ENDING_NAMES)
            if when is not None:
                rules.append(EndRule(key.text, when, verdict, text, Place(key)))
        return rules

    # ---- texts

    def _texts(
        self, node: MappingNode, at_choice: Mapping[str, Type], after_rolls: Mapping[str, Type]
    ) -> dict[str, Template]:
        """The texts of the ruleset, or (with names) those of an operation."""
        texts: dict[str, Template] = {}
        for key, value in node:
            names = TEXT_NAMES.get(key.text)
            if names is None:
                continue  # the schema has complained
            known: dict[str, Type] = dict(self._turn_rolls)
            if key.text == "chosen":
                known.update(at_choice or self._common)
            elif key.text in ("updated", "ended"):
                known.update(after_rolls or self._common)
            eras: tuple[syntax.Era, ...] = ("before",) if key.text in WITH_BEFORE else ()
            template = self._template(value, Scope(locals=known, eras=eras), names)
            if template is not None:
                texts[key.text] = template
        return texts


# ---- what the sections share


def uncertain_values(operation: Operation) -> frozenset[str]:
    """The values whose state after the operation depends on a roll inside it."""
    rolls: set[str] = set()
    values: set[str] = set()

    def depends(expressions: Iterable[Typed | None]) -> bool:
        for expression in expressions:
            for part in typed.every_part(expression) if expression is not None else ():
                if isinstance(part, typed.Local) and part.name in rolls:
                    return True
                if isinstance(part, typed.Value) and part.variable.name in values:
                    return True
        return False

    for step in operation.steps:
        if isinstance(step, Roll):
            rolls.add(step.name)
            continue
        for _ in range(len(step.writes) + 1 if step.repeat is not None else 1):
            around = depends((step.when, step.repeat, step.while_))
            for write in step.writes:
                inside = (write.value, write.owner, *write.indices, *typed.loop_parts(write.loops))
                if around or depends(inside):
                    values.add(write.variable.name)
    return frozenset(values)


def _least_moves(choices: Iterable[Choice]) -> int:
    """How many moves the choices make, where collections have a size that is known."""
    moves = 1
    for choice in choices:
        type_ = choice.collection.type
        if isinstance(type_, Grid):
            moves *= type_.rows * type_.columns
        elif isinstance(type_, List) and type_.size is not None:
            moves *= type_.size
    return moves


def _effort(step: Step) -> int:
    """The most steps that the effects take, all their repetitions together."""
    if isinstance(step, Roll):
        return 0
    once = sum(
        loops_cost(w.loops, sum(cost(part) for part in (w.value, *w.indices))) for w in step.writes
    )
    if step.repeat is None:
        return once
    times = step.repeat.code if isinstance(step.repeat, typed.Constant) else LIMITS.repeat
    return times * once


def _mapping(node: Node | None) -> MappingNode:
    """The mapping, or an empty one where there is none."""
    return node if isinstance(node, MappingNode) else _EMPTY


_EMPTY: Final = MappingNode(Span.whole(""))


def _text(node: Node | None) -> str:
    return node.text if isinstance(node, Scalar) and node.value is not None else ""


def _claims(node: Node | None) -> dict[str, bool | float]:
    claims: dict[str, bool | float] = {}
    for key, value in _mapping(node):
        if isinstance(value, Scalar) and isinstance(value.value, (bool, int, float)):
            claims[key.text] = value.value
    return claims


def _common_choices(operations: Sequence[Operation]) -> dict[str, Type]:
    """The choices that every operation has, so that a text of the ruleset may use them."""
    common: dict[str, Type] | None = None
    for operation in operations:
        own = {c.name: c.element for c in operation.choices}
        if common is None:
            common = own
        else:
            shared = {n: join(t, own[n]) for n, t in common.items() if n in own}
            common = {n: t for n, t in shared.items() if t is not None}
    return common or {}


def _storable(type_: Type) -> Type | None:
    """The type of a value that starts as that, or None if it cannot be told."""
    match type_:
        case Int():
            return Int()
        case Bool() | Player() | Set():
            return type_
        case List(of=Int(), size=size) if size is not None:
            return List(Int(), size)
        case List(of=(Bool() | Player()), size=size) if size is not None:
            return type_
    return None


def _is_plain(start: Typed) -> bool:
    """Whether nothing has to be worked out: a value, or a list of values."""
    if isinstance(start, typed.Row):
        return all(map(_is_plain, start.items))
    return isinstance(start, (typed.Constant, typed.Seat))


def _needs_start(type_: Type) -> bool:
    of = type_.of if isinstance(type_, (List, Grid)) else type_
    return isinstance(of, (Player, Word))


def _same_kind(left: Type, right: Type) -> bool:
    return type(left) is type(right)


def _kind(type_: Type) -> str:
    match type_:
        case Int():
            return "a whole number"
        case List():
            return "a list of whole numbers"
    return str(type_)


def _between(low: int | None, high: int | None) -> str:
    if low is None:
        return f"at most {high}"
    return f"at least {low}" if high is None else f"between {low} and {high}"


def _uses_after(expression: Typed) -> bool:
    return any(
        isinstance(p, typed.Value) and p.era == "after" for p in typed.every_part(expression)
    )


def _may_be(result: Typed, code: int) -> bool:
    return any(
        isinstance(p, typed.Constant) and isinstance(p.type, Word) and p.code == code
        for p in typed.every_part(result)
    )


def _free_names(expression: Expression) -> set[str]:
    """The bare names in an expression, without those that its loops bring."""
    found: set[str] = set()

    def walk(e: object, bound: frozenset[str]) -> None:
        match e:
            case syntax.Name(name=name):
                if name not in bound:
                    found.add(name)
            case syntax.Call(arguments=arguments, loops=loops):
                for loop in loops:
                    walk(loop.collection, bound)
                    bound = bound | {loop.name}
                    walk(loop.condition, bound)
                for argument in arguments:
                    walk(argument, bound)
            case syntax.OfPlayer(player=player):
                walk(player, bound)
            case syntax.Indexed(base=base, indices=indices):
                for part in (base, *indices):
                    walk(part, bound)
            case syntax.Negation(operand=one) | syntax.Minus(operand=one):
                walk(one, bound)
            case syntax.Arithmetic(left=left, right=right) | syntax.Range(low=left, high=right):
                walk(left, bound)
                walk(right, bound)
            case (
                syntax.Comparison(operands=many)
                | syntax.Junction(operands=many)
                | syntax.ListOf(items=many)
            ):
                for part in many:
                    walk(part, bound)
            case syntax.Conditional(condition=condition, then=then, otherwise=otherwise):
                for part in (condition, then, otherwise):
                    walk(part, bound)

    walk(expression, frozenset())
    return found
