"""Why a move is valid or not: every rule that it is held to, with the values of the parts of its
expression.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rulegame.compiling import CHANCE, Fault
from rulegame.evaluation.values import readable
from rulegame.game.candidates import DIVISION, Candidates, Judged, offers_of
from rulegame.game.moves import Check, GameError, Move
from rulegame.game.reasons import domain_text, rule_reason
from rulegame.game.rules import Position, Rules
from rulegame.language import syntax
from rulegame.language.functions import FUNCTIONS
from rulegame.language.syntax import Expression
from rulegame.language.typed import Typed
from rulegame.language.types import Grid, Text, Type
from rulegame.model import Choice, Operation, Source, Validity
from rulegame.model.analysis import uses_after


def checks(state: Position, move: Move) -> tuple[Check, ...]:
    """Everything that the move is held to; nothing where nobody is to move."""
    if state.outcome is not None or state.player == CHANCE:
        return ()
    point = state.game.point(state)
    operation = next((o for o in point.operations if o.name == move.operation), None)
    if operation is None or len(move.codes) != len(operation.choices) + 1:
        return ()
    with state.game.telling_faults():
        return tuple(_Inquiry(state, move, operation).checks())


class _Inquiry:
    """One move in one state."""

    def __init__(self, state: Position, move: Move, operation: Operation) -> None:
        self._state = state
        self._game = state.game
        self._move = move
        self._operation = operation
        self._codes = move.codes[1:]
        self._offers: Candidates = offers_of(state.game)
        self._checks = state.game.kernel.checks(operation)
        self._parts = state.game.companion(Parts)

    def checks(self) -> Iterator[Check]:
        operation = self._operation
        if operation.when is not None:
            yield self._when()
        rules = self._game.operation_rules(operation)
        for number, choice in enumerate(operation.choices):
            check = self._choice(number, choice)
            yield check
            if not check.holds:  # the rules count on choices that can be made
                yield from self._skipped(operation.choices[number + 1 :], rules)
                return
        kept = True
        for judged in self._offers.judged(self._state, self._move):
            yield self._rule(judged)
            kept = kept and judged.holds is True
        compulsory = [rule for rule in rules if rule.compulsory]
        if not kept:
            yield from self._skipped((), compulsory)
            return
        for number, rule in enumerate(compulsory):
            check = self._compulsory(rule)
            yield check
            if not check.holds:
                yield from self._skipped((), compulsory[number + 1 :])
                return

    def _skipped(self, choices: Iterable[Choice], rules: Iterable[Validity]) -> Iterator[Check]:
        """What is not looked at, since it has no meaning."""
        for choice in choices:
            source = choice.sources["from"]
            yield Check("choice", choice.name, source.written, {}, None, "", source.span)
        for rule in rules:
            source = rule.source
            yield Check(
                _kind(rule, self._operation.name),
                rule.name,
                source.written,
                {},
                None,
                "",
                source.span,
            )

    def _when(self) -> Check:
        holds = self._checks.is_available(self._state.cells)
        source = self._operation.sources["when"]
        message = "" if holds else f"'{self._operation.name}' is not available now"
        values = self._values(source, (), ())
        meanings = self._meanings(source)
        return Check(
            "when", "when", source.written, values, holds, message, source.span, meanings=meanings
        )

    def _choice(self, number: int, choice: Choice) -> Check:
        source = choice.sources["from"]
        earlier = self._codes[:number]
        code = self._codes[number]
        chosen = {choice.name: self._shown(choice.element, code)}
        try:
            domain = self._checks.values(self._state.cells, earlier)
        except Fault:
            return self._of_choice(choice, chosen, None, "")
        holds = code in domain
        message = "" if holds else domain_text(self._game, choice, domain)
        values = {**chosen, **self._values(source, earlier, ())}
        return self._of_choice(choice, values, holds, message)

    def _of_choice(
        self, choice: Choice, values: dict[str, Any], holds: bool | None, message: str
    ) -> Check:
        source = choice.sources["from"]
        more = choice.told, self._meanings(source)
        return Check(
            "choice", choice.name, source.written, values, holds, message, source.span, *more
        )

    def _rule(self, judged: Judged) -> Check:
        rule, holds, after = judged
        if rule is None:
            span, message = self._operation.place.span, "it would divide by zero"
            return Check("validity", DIVISION, "", {}, False, message, span)
        source = rule.source
        message = "" if holds is True else "it cannot be evaluated for this move"
        if holds is False:
            message = self._message(rule)
        values = self._values(source, self._codes, after)
        known = None if isinstance(holds, Fault) else holds
        more = "", self._meanings(source)
        return Check(
            "validity", rule.name, source.written, values, known, message, source.span, *more
        )

    def _compulsory(self, rule: Validity) -> Check:
        """Whether a move gives way to a compulsory one."""
        forgone = self._offers.forgone(self._state).get(self._move) == rule.name
        message = ""
        if forgone:
            message = self._message(rule)
        elif self._operation.name in rule.forgone:
            message = "no move is compulsory"
        elif not self._offers.satisfies(self._state, self._move, rule):
            message = "no valid move satisfies it"
        source, operation = rule.source, self._operation.name
        values: dict[str, Any] = {}
        if operation not in rule.forgone:
            after = self._offers.after(self._state, self._move) if rule.uses_after else ()
            values = self._values(source, self._codes, after)
        kind, more = _kind(rule, operation), ("", self._meanings(source))
        return Check(
            kind, rule.name, source.written, values, not forgone, message, source.span, *more
        )

    def _meanings(self, source: Source) -> dict[str, str]:
        """What the author says of the definitions in an expression, by what is written there."""
        found: dict[str, str] = {}
        for part in (*_parts(source.tree), source.tree) if source.tree is not None else ():
            if isinstance(part, (syntax.Name, syntax.Call)):
                definition = self._game.ruleset.definitions.get(part.name)
                if definition is not None and definition.about:
                    found[part.place.written] = definition.about
        return found

    def _message(self, rule: Validity) -> str:
        args = self._offers, self._state, self._operation, self._move, rule.name
        try:
            return rule_reason(*args).message
        except (GameError, Fault):  # its text is about a state that cannot be
            return rule.name.replace("_", " ")

    def _values(self, source: Source, codes: tuple[int, ...], after: Any) -> dict[str, Any]:
        """The parts of an expression with their values, the inner ones first."""
        found: dict[str, Any] = {}
        for text, part in self._parts.of(source, self._operation, len(codes)):
            if not after and uses_after(part):
                continue
            try:
                code = self._offers.value(part, self._operation, self._state, codes, after)
            except Fault:
                continue
            found[text] = self._shown(part.type, code)
        return found

    def _shown(self, type_: Type, code: Any) -> Any:
        return readable(type_, code, self._game.ruleset.words, self._game.players)


def _kind(rule: Validity, operation: str) -> str:
    """The kind of a check."""
    if not rule.compulsory:
        return "validity"
    return "gives way" if operation in rule.forgone else "compulsory"


class Parts:
    """The parts of the expressions of one game, typed; made when they are first asked for, and
    kept, since compiled expressions are found by identity.
    """

    def __init__(self, game: Rules) -> None:
        # Loaded here: only explanations of moves need the builder.
        from rulegame.building.parts import PartBinder

        self._game = game
        self._binder = PartBinder(game.ruleset)
        self._known: dict[tuple[int, str, int], list[tuple[str, Typed]]] = {}

    def of(self, source: Source, operation: Operation, choices: int) -> list[tuple[str, Typed]]:
        """The parts of an expression of an operation whose first so many choices are known."""
        key = id(source), operation.name, choices  # the ruleset keeps its sources alive
        if key not in self._known:
            self._known[key] = list(self._bound(source, operation, choices))
        return self._known[key]

    def _bound(
        self, source: Source, operation: Operation, choices: int
    ) -> Iterator[tuple[str, Typed]]:
        whole = source.tree
        if whole is None:
            return
        rolls = {} if operation.setup else {r.name: r.element for r in self._turn_rolls()}
        names = {**rolls, **{c.name: c.element for c in operation.choices[:choices]}}
        seen: set[str] = {whole.place.written}
        parts = [whole] if isinstance(whole, (syntax.Name, syntax.Owned, syntax.OfPlayer)) else []
        for part in (*_parts(whole), *parts):
            text = part.place.written
            if (text in seen and part is not whole) or self._says_nothing(part):
                continue
            seen.add(text)
            bound = self._binder.bind(part, names)
            if bound is not None and not isinstance(bound.type, (Grid, Text)):
                yield text, bound

    def _turn_rolls(self) -> tuple[Any, ...]:
        return self._game.ruleset.turn.rolls

    def _says_nothing(self, part: Expression) -> bool:
        """Numbers, words and ranges stand for themselves, and what is worked out of nothing else
        is the same in every state.
        """
        return isinstance(part, (syntax.Range, syntax.ListLiteral)) or self._is_constant(part)

    def _is_constant(self, part: Expression) -> bool:
        match part:
            case syntax.Name(name=name, era="now"):
                return name == "players" or name in self._game.ruleset.words
            case syntax.Call(name=name, loops=()) if (
                name not in FUNCTIONS or name in self._game.ruleset.definitions
            ):
                return False
            case syntax.Name() | syntax.Owned() | syntax.OfPlayer() | syntax.Element():
                return False
            case syntax.Call(loops=loops) if loops:
                return False
        return all(map(self._is_constant, _inner(part)))


def _parts(e: Expression) -> Iterator[Expression]:
    """The parts of an expression, the inner ones first; not those inside loops, which have a value
    for each element.
    """
    for part in _inner(e):
        yield from _parts(part)
        if not isinstance(part, syntax.Binding):  # `x = …` in a `let` has no value of its own
            yield part


def _inner(e: Expression) -> list[Expression]:
    if isinstance(e, syntax.Call) and e.loops:
        return [e.loops[0].collection]
    return syntax.operands(e)
