"""Whether the `tests:` of a ruleset make sense: their moves, values and rules exist; and whether
its `claims:` are for values that its parameters can have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from rulegame.building import Document, Settings
from rulegame.building.boards import drawn_codes
from rulegame.building.claims import FOR, ClaimBlock, blocks
from rulegame.diagnostics import Diagnostic, Hint, did_you_mean
from rulegame.edits import offered
from rulegame.evaluation.values import decode, encode, encode_one
from rulegame.language.types import Grid, List, Optional, PlayerType, Set, Type
from rulegame.model import Ruleset
from rulegame.model.move_texts import NotAMove, read_move
from rulegame.model.payoffs import verdicts
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, items_of, mapping_of, passage_of, to_plain, written
from rulegame.source.nodes import Sequence as SequenceNode


def check_tests(document: Document, ruleset: Ruleset) -> list[Diagnostic]:
    """What is wrong with the tests themselves: moves, names of values and rules that
    do not exist.
    """
    found: list[Diagnostic] = []
    variations = Variations(document, ruleset)
    for name in ruleset.tests:
        found += _TestChecker(variations, name).check()
    return found


def check_claims(document: Document) -> list[Diagnostic]:
    """What is wrong with the values that claims are for, each taken by itself; what parameters must
    fulfil together leaves combinations out, and is no mistake.
    """
    found: list[Diagnostic] = []
    for block in blocks(document.root.get("claims")):
        if FOR in block.node.entries:
            found += _check_block(document, block)
    return found


def _check_block(document: Document, block: ClaimBlock) -> Iterator[Diagnostic]:
    over, place = mapping_of(block.node.get(FOR)), block.node.entries[FOR].key.span
    if not over.entries:
        hint = "name a parameter: for: {name: 1..10}"
        yield Diagnostic("E480", "'for' lists no values", place, hint)
    elif len(block.node.entries) == 1:
        hint = "for example: no_draws: true"
        yield Diagnostic("E480", "no claim for these values", place, hint)
    for key, node in over:
        bad = next((bad for wrong, bad in block.mistakes if wrong is node), None)
        if bad is not None:
            hint = f"write {key.text}: {bad.instead}" if bad.instead else ""
            yield Diagnostic("E480", bad.problem, node.span, hint)
        else:
            yield from _refused_values(document, key, block.over[key.text])


def _refused_values(
    document: Document, key: Scalar, values: tuple[Node, ...]
) -> tuple[Diagnostic, ...]:
    """What is wrong with the first of the values that a parameter cannot have; nothing if it can
    have them all.
    """
    names = {key.text: key}
    for value in values:
        problems = document.refused(Settings({key.text: value}, names=names))
        refused = tuple(p for p in problems if p.severity == "error")
        if refused:
            return refused
    return ()


def _test_node(document: Document, name: str) -> MappingNode:
    return mapping_of(mapping_of(document.root.get("tests")).get(name))


class _TestChecker:
    def __init__(self, variations: Variations, name: str) -> None:
        self._node = node = _test_node(variations.document, name)
        self._varied = _with_operations(variations.ruleset, node) or variations.of(name)
        self._found: list[Diagnostic] = []

    def _report(
        self, code: str, message: str, node: Node, hint: Hint | str = "", end: int | None = None
    ) -> None:
        suggestions = offered(passage_of(node), hint, 0, end)
        found = Diagnostic(code, message, node.span, str(hint), suggestions=suggestions)
        self._found.append(found)

    def check(self) -> list[Diagnostic]:
        own = self._varied
        if isinstance(own, list):
            return own
        self._own = own
        expect = mapping_of(self._node.get("expect"))
        self._player(self._node.get("first"))
        self._first(self._node.get("first"))
        self._player(expect.get("player"))
        self._values(mapping_of(self._node.get("given")))
        for move in items_of(self._node.get("play")):
            self._move(move)
        for move in items_of(expect.get("valid")):
            self._move(move)
        rules = [*(r.name for r in own.validity), "division_by_zero", "when"]
        for key, rule in mapping_of(expect.get("invalid")):
            self._move(key)
            if isinstance(rule, Scalar) and rule.text not in rules:
                message = f"unknown validity rule '{rule.text}'"
                self._report("E421", message, rule, did_you_mean(rule.text, rules))
        self._values(mapping_of(expect.get("values")))
        outcome = expect.get("outcome")
        if isinstance(outcome, MappingNode):
            self._outcome(outcome)
        return self._found

    def _player(self, node: Node | None) -> None:
        """The number of a player, where one is given."""
        players = len(self._own.players)
        if isinstance(node, Scalar) and not (
            isinstance(node.value, int) and 1 <= node.value <= players
        ):
            self._report(
                "E421", f"unknown player {node.text}", node, f"a number from 1 to {players}"
            )

    def _first(self, node: Node | None) -> None:
        """Who moves first is not for a test to say, where the ruleset does."""
        fixed = self._own.turn.first
        if self._own.turn.opener is not None:
            return
        if isinstance(node, Scalar) and fixed is not None and node.value != fixed + 1:
            message = f"in this ruleset, {self._own.players[fixed]} always moves first"
            self._report("E421", message, node, "remove this")

    def _outcome(self, outcome: MappingNode) -> None:
        rules = [*(r.name for r in self._own.end), "stuck", "all_stuck"]
        rule = outcome.get("rule")
        if isinstance(rule, Scalar) and rule.text not in rules:
            self._report(
                "E421", f"unknown end rule '{rule.text}'", rule, did_you_mean(rule.text, rules)
            )
        named = (*items_of(outcome.get("winners")), *items_of(outcome.get("losers")))
        for node in (*named, outcome.get("winner")):
            self._player(node)
        self._payoffs(outcome.get("payoffs"), outcome.get("score"))

    def _payoffs(self, payoffs: Node | None, score: Node | None) -> None:
        players = len(self._own.players)
        given = len(list(items_of(payoffs)))
        if payoffs is not None and given != players:
            message = f"{given} payoffs for {players} players"
            self._report("E421", message, payoffs, "give one for each player, in seat order")
        scored = players == 1 or any(verdict.score is not None for verdict in verdicts(self._own))
        if score is not None and not scored:
            message = "no end rule has a 'score'"
            self._report("E421", message, score, "expect 'payoffs' instead")

    def _values(self, node: MappingNode) -> None:
        for key, value in node:
            declared = self._own.state.get(key.text)
            if declared is None:
                message = f"unknown state value '{key.text}'"
                self._report("E421", message, key, did_you_mean(key.text, self._own.state))
                continue
            try:
                state_codes(self._own, key.text, to_plain(value))
            except ValueError as problem:
                self._wrong_value(key, declared.variable.type, value, str(problem))

    def _wrong_value(self, key: Scalar, type_: Type, node: Node, wanted: str) -> None:
        """Reports the element that does not fit, where the rest of a list or a grid does."""
        of = type_.of if isinstance(type_, (List, Grid)) else type_
        leaves = [] if isinstance(of, Set) else list(_leaves(node))
        unfit = [leaf for leaf in leaves if not self._fits(of, leaf)]
        if not unfit or len(leaves) == 1 or len(unfit) == len(leaves):
            self._report("E422", f"'{key.text}' must be {wanted}", node, self._allowed(of))
            return
        message = f"'{key.text}' cannot hold {written(unfit[0])}"
        self._report("E422", message, unfit[0], self._allowed(of))

    def _fits(self, of: Type, leaf: Node) -> bool:
        try:
            value = seats_from_one(to_plain(leaf), of)
            encode_one(of, value, self._own.words, len(self._own.players))
        except ValueError:
            return False
        return True

    def _allowed(self, of: Type) -> str:
        """What a player is written as; other types say it themselves."""
        inner = of.of if isinstance(of, Optional) else of
        if not isinstance(inner, PlayerType):
            return ""
        none = ", or none" if isinstance(of, Optional) else ""
        return f"the number of a seat, from 1 to {len(self._own.players)}{none}"

    def _move(self, node: Node) -> None:
        if not isinstance(node, Scalar):
            self._report("E420", "a move is expected here", node, "such as 'subtract 5'")
            return
        try:
            read_move(self._own, node.text)
        except NotAMove as problem:
            first_word = len(node.text.partition(" ")[0])  # of which alone a hint may offer another
            self._report("E420", problem.message, node, problem.hint, first_word)


def _leaves(node: Node) -> Iterator[Node]:
    """The single values of a list, or of a list of lists."""
    if isinstance(node, SequenceNode):
        for item in node.items:
            yield from _leaves(item)
    else:
        yield node


def state_codes(ruleset: Ruleset, name: str, given: Any) -> list[int]:
    """The cells of a value that a test gives; ValueError if it does not fit."""
    variable = ruleset.state[name].variable
    value = value_of_test(ruleset, name, given)
    players = len(ruleset.players)
    if not variable.each_player:
        return encode(variable.type, value, ruleset.words, players)
    if not isinstance(value, list) or len(value) != players:
        raise ValueError(f"a list of {players}, one for each player")
    return [code for one in value for code in encode(variable.type, one, ruleset.words, players)]


def value_of_test(ruleset: Ruleset, name: str, given: Any) -> Any:
    """A value of the state in a test, as Python has it; ValueError if a drawing does not fit."""
    variable, symbols = ruleset.state[name].variable, ruleset.state[name].show.symbols

    def one(value: Any) -> Any:
        if not isinstance(variable.type, Grid) or not isinstance(value, str):
            return seats_from_one(value, variable.type)
        codes = drawn_codes(value, variable.type, symbols)
        return decode(variable.type, codes, ruleset.words)

    return (
        [one(v) for v in given] if variable.each_player and isinstance(given, list) else one(given)
    )


def seats_from_one(value: Any, type_: Type) -> Any:
    """A value of a ruleset, which counts players from 1, as Python has it, which does from 0."""
    return _seats(value, type_, -1)


def seats_to_one(value: Any, type_: Type) -> Any:
    """A value of Python as a ruleset has it."""
    return _seats(value, type_, 1)


def _seats(value: Any, type_: Type, by: int) -> Any:
    inner = type_.of if isinstance(type_, (List, Grid)) else type_
    inner = inner.of if isinstance(inner, Optional) else inner
    if not isinstance(inner, PlayerType):
        return value
    if isinstance(value, list):
        return [_seats(v, type_, by) for v in value]
    return value + by if isinstance(value, int) else value


class Variations:
    """The rulesets of tests: with the parameters and operations that a test sets. Each is built
    once.
    """

    def __init__(self, document: Document, ruleset: Ruleset) -> None:
        self.document = document
        self.ruleset = ruleset
        self._built: dict[str, Ruleset] = {}

    def of(self, test: str) -> Ruleset | list[Diagnostic]:
        """The ruleset of a test, or the problems with its settings."""
        node = _test_node(self.document, test)
        sets = mapping_of(node.get("set"))
        enable = tuple(i for i in items_of(node.get("enable")) if isinstance(i, Scalar))
        disable = tuple(i for i in items_of(node.get("disable")) if isinstance(i, Scalar))
        if not sets.entries and not enable and not disable:
            return self.ruleset
        switched = [[i.text for i in names] for names in (enable, disable)]
        key = repr((to_plain(sets), switched))
        if key not in self._built:
            names = {key.text: key for key, _ in sets}
            settings = Settings({key.text: value for key, value in sets}, enable, disable, names)
            changed, problems = self.document.build(settings)
            if changed is None:
                return list(problems)  # at the place of this test
            self._built[key] = changed
        return self._built[key]


def _with_operations(ruleset: Ruleset, node: MappingNode) -> Ruleset | None:
    """Where a test only switches operations that exist on and off: the ruleset with those; it
    need not be built again to see whether the test makes sense.
    """
    switched = [
        i.text
        for key in ("enable", "disable")
        for i in items_of(node.get(key))
        if isinstance(i, Scalar)
    ]
    known = {o.name: o for o in (*ruleset.operations, *ruleset.disabled)}
    off = {i.text for i in items_of(node.get("disable")) if isinstance(i, Scalar)}
    if node.get("set") is not None or not switched or any(name not in known for name in switched):
        return None
    on = {o.name for o in ruleset.operations} | set(switched) - off
    enabled = tuple(o for name, o in known.items() if name in on - off)
    rest = tuple(o for name, o in known.items() if name not in on - off)
    return ruleset._replace(operations=enabled, disabled=rest) if enabled else None
