"""Names and types: turns the syntax tree of an expression into a typed one, or says what is
wrong with it.

All problems of an expression are found in one pass: what is already wrong has the type `Unknown`,
which fits everywhere and is never complained about again.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from rulegame.diagnostics import (
    Diagnostic,
    Hint,
    Problems,
    TooManyProblems,
    did_you_mean,
    meant,
    nearest,
)
from rulegame.language import foreign, syntax, typed
from rulegame.language.costs import cost, loops_cost
from rulegame.language.functions import FUNCTIONS, Mismatch, aggregate_type, joined
from rulegame.language.parsing import advise
from rulegame.language.shape import shape
from rulegame.language.suggestions import closest, elements_of, in_seat, instead_of
from rulegame.language.syntax import Era, Expression, Place, name_place
from rulegame.language.typed import Typed, Variable
from rulegame.language.types import (
    NONE_CODE,
    RESULTS,
    Bool,
    Grid,
    Int,
    List,
    Nothing,
    Optional,
    PlayerType,
    Set,
    Text,
    Type,
    Word,
    between,
    comparable,
    element_of,
    fits,
    join,
)
from rulegame.limits import LIMITS


class Unknown:
    """The type of what was already complained about."""


TEXT_KEYWORDS: Final = ("else", "end")  # what may stand alone in the braces of a text
UNKNOWN: Final[Typed] = typed.Local(Unknown(), "?")  # type: ignore[arg-type]


class Parameter(NamedTuple):
    """A constant of the game: its type and its value (a list as a tuple)."""

    name: str
    type: Type
    value: int | tuple[int, ...]


class Definition(NamedTuple):
    """A named value, or a function of its parameters."""

    name: str
    parameters: tuple[str, ...] | None
    body: Expression
    place: Place


@dataclass(slots=True)
class Vocabulary:
    """What names mean in a ruleset."""

    players: int
    parameters: dict[str, Parameter] = field(default_factory=dict)
    variables: dict[str, Variable] = field(default_factory=dict)
    definitions: dict[str, Definition] = field(default_factory=dict)
    words: dict[str, int] = field(default_factory=lambda: {w: k for k, w in enumerate(RESULTS)})
    owners_of_locals: dict[str, str] = field(default_factory=dict)  # 'n' is a choice of 'subtract'
    broken: set[str] = field(default_factory=set)  # declared with a mistake, which has its message
    used: set[str] = field(default_factory=set)  # parameters that some expression reads
    names: tuple[str, ...] = ()  # of the players


_NO_NAMES: Final[Mapping[str, Any]] = {}


class Scope(NamedTuple):
    """What may be used in one place of a ruleset, beside the vocabulary."""

    locals: Mapping[str, Type] = _NO_NAMES
    state: bool = True
    me: bool = True
    eras: tuple[Era, ...] = ()
    texts: bool = False
    narrowed: frozenset[str] = frozenset()
    renamed: Mapping[str, str] = _NO_NAMES  # locals under another name in the code
    era: Era = "now"  # of everything in a definition that was called with `after.`
    calls: tuple[str, ...] = ()

    def with_local(self, name: str, type_: Type, code_name: str) -> Scope:
        """The scope inside a loop."""
        return self._replace(
            locals={**self.locals, name: type_},
            renamed={**self.renamed, name: code_name},
            narrowed=frozenset(k for k in self.narrowed if name not in k),
        )


Heard = Callable[[Expression, Typed], None]  # who wants to know what each expression means


class Binder:
    """Binds the expressions of one ruleset; `diagnostics` collects what is wrong."""

    def __init__(self, vocabulary: Vocabulary, heard: Heard | None = None) -> None:
        self.vocabulary = vocabulary
        self._heard = heard
        self.diagnostics = Problems()
        self._made = 0  # parts of this expression
        self._total = 0  # parts of all expressions
        self._depth = 0
        self._looping = 0
        self._fresh = 0

    # ---- entry points

    def bind(
        self, expression: Expression, scope: Scope, expected: Type | None = None
    ) -> Typed | None:
        """The typed expression, or None (with diagnostics) if it is wrong or not of the expected
        type.
        """
        before = len(self.diagnostics)
        self._begin()
        try:
            result = self._bind(expression, scope)
        except _TooLarge as problem:
            self._refuse(problem, expression.place)
            return None
        if len(self.diagnostics) == before and expected is not None:
            self._expect(result, expected, expression)
        if len(self.diagnostics) == before and cost(result) > LIMITS.expression_cost:
            self._report(
                "E311",
                "this expression takes too many steps to evaluate",
                expression.place,
                "use smaller ranges",
            )
        return result if len(self.diagnostics) == before and not _unknown(result) else None

    @property
    def total(self) -> int:
        """How many parts all expressions have so far."""
        return self._total

    def repeat(self, parts: int, place: Place) -> bool:
        """Counts what is used once more as it is; False, and reported, if that is too much."""
        self._total += parts
        try:
            self._check_total()
        except _TooLarge as problem:
            self._refuse(problem, place)
            return False
        return True

    def bind_write(
        self, target: syntax.Target, value: Expression, scope: Scope
    ) -> typed.Write | None:
        """One effect."""
        before = len(self.diagnostics)
        self._begin()
        owner: Typed | None = None
        try:
            loops, inner = self._loops(target.loops, scope)
            variable = self._variable(target.to.name, target.to)
            if variable is not None:
                owner = self._write_owner(target, variable, inner)
            indices = tuple(self._bind(i, inner) for i in target.indices)
            result = self._bind(value, inner)
        except _TooLarge as problem:
            self._refuse(problem, target.place)
            return None
        if variable is None or len(self.diagnostics) > before:
            return None
        if any(map(_unknown, (result, *indices, *(loop.collection for loop in loops)))):
            return None
        place_type: Type = variable.type
        if indices:
            element = self._element_type(variable.type, indices, target.place)
            if element is None:
                return None
            place_type = element
        self._expect(result, place_type, value)
        if (
            loops_cost(loops, sum(cost(part) for part in (result, *indices)))
            > LIMITS.expression_cost
        ):
            message = "this effect takes too many steps to work out"
            self._report("E311", message, target.place, "use smaller ranges")
        if len(self.diagnostics) > before:
            return None
        return typed.Write(variable, owner, indices, loops, result, target.place, value.place)

    def knows(self, name: str, scope: Scope) -> bool:
        """Whether a name means something in a place."""
        v = self.vocabulary
        return any(
            name in names
            for names in (scope.locals, v.parameters, v.variables, v.definitions, v.words)
        )

    def assuming(self, condition: Expression, truth: bool, scope: Scope) -> Scope:
        """The scope where the condition has that truth: what is then known not to be none."""
        return scope._replace(narrowed=scope.narrowed | _facts(condition, truth))

    # ---- reports

    def _report(
        self,
        code: str,
        message: str,
        place: Place,
        hint: Hint | str = "",
        wrong: Place | None = None,
    ) -> Typed:
        """`wrong` is the part that what the hint offers stands for, if not all that is shown."""
        suggestions = advise(wrong or place, hint)
        found = Diagnostic(code, message, place.span, str(hint), suggestions=suggestions)
        self.diagnostics.append(found)
        return UNKNOWN

    def _refuse(self, problem: _TooLarge, place: Place) -> None:
        """What is too large; if the ruleset as a whole is, nothing else can be said."""
        self._report("E311", problem.message, place, problem.hint)
        if self._total > LIMITS.ruleset_parts:
            raise TooManyProblems

    def _expect(self, found: Typed, expected: Type, expression: Expression) -> None:
        if _unknown(found) or fits(found.type, expected):
            return
        place = expression.place
        if isinstance(found.type, Optional) and fits(found.type.of, expected):
            self._report("E306", "this may be none here", place, _ask_first(expression))
        elif (
            isinstance(found.type, List)
            and isinstance(expected, List)
            and fits(found.type.of, expected.of)
        ):
            self._report(
                "E303",
                f"expected a list of {expected.size} here, not of "
                f"{'unknown length' if found.type.size is None else found.type.size}",
                place,
            )
        elif isinstance(found.type, Set) and isinstance(expected, Set):
            self._report(
                "E303",
                f"expected a set of {expected.low}..{expected.high} here, "
                f"not of {found.type.low}..{found.type.high}",
                place,
            )
        else:
            hint = instead_of(found, type(expected))
            self._report("E303", f"expected {expected} here, not {found.type}", place, hint)

    def _is(self, found: Typed, kind: type, expected: str, expression: Expression) -> bool:
        """Whether a part has the type that its place needs; complains if not."""
        if _unknown(found) or isinstance(found.type, kind):
            return True
        if isinstance(found.type, Optional) and isinstance(found.type.of, kind):
            self._report("E306", "this may be none here", expression.place, _ask_first(expression))
        else:
            message = f"expected {expected} here, not {found.type}"
            self._report("E303", message, expression.place, instead_of(found, kind))
        return False

    # ---- expressions

    def _begin(self) -> None:
        self._made = self._depth = self._looping = 0

    def _bind(self, e: Expression, scope: Scope) -> Typed:
        self._made += 1
        self._total += 1
        self._depth += 1
        if self._made > LIMITS.expression_parts:
            raise _TooLarge(WRITTEN_OUT, "simplify the definitions that it uses")
        self._check_total()
        if self._depth > LIMITS.nesting:
            raise _TooLarge(TOO_DEEP, "name parts of it under 'define'")
        found = self._bind_part(e, scope)
        self._depth -= 1
        if self._heard is not None:
            self._heard(e, found)
        return found

    def _check_total(self) -> None:
        if self._total > LIMITS.ruleset_parts:
            raise _TooLarge("the expressions of this ruleset are too large", "simplify the ruleset")

    def _bind_part(self, e: Expression, scope: Scope) -> Typed:
        match e:
            case syntax.Number(value=value):
                return typed.Constant(Int(value, value), value)
            case syntax.Truth(value=value):
                return typed.Constant(Bool(), int(value))
            case syntax.NoneLiteral():
                return typed.Constant(Nothing(), NONE_CODE)
            case syntax.TextLiteral(value=text):
                if not scope.texts:
                    return self._quoted(text, e.place)
                return typed.Phrase(text)
            case syntax.Name():
                return self._name(e, scope)
            case syntax.Owned():
                return self._owned(e, scope)
            case syntax.OfPlayer():
                return self._of_player(e, scope)
            case syntax.Call():
                return self._call(e, scope)
            case syntax.Indexed():
                return self._indexed(e, scope)
            case syntax.Not(operand=operand):
                inner = self._bind(operand, scope)
                ok = self._is(inner, Bool, "a condition", operand)
                return typed.Negation(inner) if ok and not _unknown(inner) else UNKNOWN
            case syntax.Minus() | syntax.Arithmetic():
                return self._arithmetic(e, scope)
            case syntax.Compare():
                return self._comparison(e, scope)
            case syntax.AndOr():
                return self._junction(e, scope)
            case syntax.IfElse():
                return self._conditional(e, scope)
            case syntax.RangeLiteral(low=low, high=high):
                ends = [self._bind(x, scope) for x in (low, high)]
                fine = [
                    self._is(x, Int, "a number", y) for x, y in zip(ends, (low, high), strict=True)
                ]
                if not all(fine) or any(map(_unknown, ends)):
                    return UNKNOWN
                return self._interval(ends[0], ends[1], e.place)
            case syntax.ListOf(items=items):
                return self._list(items, scope, e.place)

    def _quoted(self, text: str, place: Place) -> Typed:
        """Quotation marks in a rule, around a word or the name of a player."""
        hint = Hint("write words without quotation marks")
        if text in self.vocabulary.words:
            hint = foreign.write(text, "words have no quotation marks")
        elif seated := foreign.name(text, self.vocabulary.names, me=True):
            hint = seated
        return self._report("E307", "quoted text can only be used in texts", place, hint)

    def _interval(self, low: Typed, high: Typed, place: Place) -> Typed:
        assert isinstance(low.type, Int) and isinstance(high.type, Int)
        size = None
        if isinstance(low, typed.Constant) and isinstance(high, typed.Constant):
            size = max(0, high.code - low.code + 1)
        most = max(0, high.type.high - low.type.low + 1)
        of = Int(low.type.low, high.type.high)
        type_ = List(of, size, most if most <= LIMITS.collection else None)
        return typed.Bounds(type_, low, high, place)

    def _list(self, items: tuple[Expression, ...], scope: Scope, place: Place) -> Typed:
        bound = tuple(self._bind(item, scope) for item in items)
        if any(map(_unknown, bound)):
            return UNKNOWN
        if not bound:
            return typed.Row(List(Int(0, 0), 0), ())
        of = joined([b.type for b in bound])
        if of is None:
            return self._report("E303", "the elements of this list are of different kinds", place)
        return typed.Row(List(of, len(bound)), bound)

    # ---- names

    def _era(
        self, e: syntax.Name | syntax.Owned | syntax.OfPlayer | syntax.Call, scope: Scope
    ) -> Era:
        if e.era == "now":
            return scope.era
        if e.era not in scope.eras:
            where = (
                "in validity and in 'stuck: unless'"
                if e.era == "after"
                else "in texts about a move"
            )
            self._report("E307", f"'{e.era}.' can only be used {where}", e.place)
        return e.era

    def _name(self, e: syntax.Name, scope: Scope) -> Typed:
        name, vocabulary = e.name, self.vocabulary
        if e.era == "now":
            if name in scope.locals:
                return self._narrow(
                    typed.Local(scope.locals[name], scope.renamed.get(name, name)), e, scope
                )
            special = self._special(e, scope)
            if special is not None:
                return special
        era = self._era(e, scope)
        if name in vocabulary.variables:
            if not scope.state:
                return self._report(
                    "E307",
                    f"the state cannot be used here: '{name}'",
                    e.place,
                    "only parameters are known at this point",
                )
            variable = vocabulary.variables[name]
            if not variable.each_player:
                return self._narrow(typed.Value(variable.type, variable, None, era), e, scope)
            if isinstance(variable.type, (List, Grid)):
                return self._report(
                    "E303",
                    f"every player has '{name}': say whose",
                    e.place,
                    f"write my.{name}, or {name} of p",
                )
            return typed.Value(List(variable.type, vocabulary.players), variable, None, era)
        if name in vocabulary.definitions:
            return self._use(vocabulary.definitions[name], None, e, scope, era)
        if e.era == "now":
            if name in vocabulary.parameters:
                vocabulary.used.add(name)
                return _constant(vocabulary.parameters[name])
            if name in vocabulary.words:
                return typed.Constant(Word((name,)), vocabulary.words[name])
        return self._unknown_name(e, scope)

    def _special(self, e: syntax.Name, scope: Scope) -> Typed | None:
        players = self.vocabulary.players
        match e.name:
            case "me":
                if not scope.me:
                    return self._report("E307", "there is no 'me' here", e.place)
                return typed.Seat(PlayerType(), "me")
            case "them":
                return self._them(e.place, scope)
            case "first":
                if not scope.state:
                    return self._report("E307", "'first' is not known here", e.place)
                return typed.Seat(PlayerType(), "first")
            case "players":
                seats = tuple(typed.Constant(PlayerType(), k) for k in range(players))
                return typed.Row(List(PlayerType(), players), seats)
        return None

    def _them(self, place: Place, scope: Scope) -> Typed:
        players = self.vocabulary.players
        if not scope.me:
            return self._report("E307", "there is no opponent here", place)
        if players != 2:
            return self._report(
                "E307",
                "a game for one player has no opponent"
                if players == 1
                else f"with {players} players there is not one opponent",
                place,
                "" if players == 1 else "say whose: 'score of p', next(me), players",
            )
        return typed.Apply(PlayerType(), "next", (typed.Seat(PlayerType(), "me"),), place)

    def _owned(self, e: syntax.Owned, scope: Scope) -> Typed:
        if e.whose == "their":
            owner = self._them(e.place, scope)
        elif scope.me:
            owner = typed.Seat(PlayerType(), "me")
        else:
            owner = self._report("E307", "there is no 'my' here", e.place)
        return self._player_value(e, e.name, owner, scope)

    def _of_player(self, e: syntax.OfPlayer, scope: Scope) -> Typed:
        declared = e.name in self.vocabulary.variables or e.name in self.vocabulary.broken
        if not declared and e.name in (*FUNCTIONS, *foreign.SIZES):
            hint = foreign.of(e.name, e.player.place.written)
            return self._report("E302", f"'{e.name}' is not a value of a player", e.place, hint)
        before = len(self.diagnostics)
        owner = self._bind(e.player, scope)
        self._is(owner, PlayerType, "a player", e.player)
        for k, problem in enumerate(self.diagnostics[before:], before):
            seat = problem.suggestions[0].text if problem.suggestions else ""
            if SEAT.fullmatch(seat):  # `of` takes no more than a name
                words = problem.hint.replace(seat, f"({seat})", 1)
                suggestions = advise(e.player.place, Hint(words, (f"({seat})",)))
                self.diagnostics[k] = problem._replace(hint=words, suggestions=suggestions)
        return self._player_value(e, e.name, owner, scope)

    def _player_value(
        self, e: syntax.Owned | syntax.OfPlayer, name: str, owner: Typed, scope: Scope
    ) -> Typed:
        era = self._era(e, scope)
        if name == "name" and scope.texts:
            return typed.Apply(Text(), "name", (owner,), e.place)
        variable = self._variable(name, e, ["name"] if scope.texts else [])
        if variable is None or _unknown(owner):
            return UNKNOWN
        if not scope.state:
            return self._report("E307", f"the state cannot be used here: '{name}'", e.place)
        if not variable.each_player:
            hint = Hint(f"write {name}", (_in_era(e, name),))
            return self._report("E302", f"'{name}' is shared by all players", e.place, hint)
        return self._narrow(typed.Value(variable.type, variable, owner, era), e, scope)

    def _variable(
        self,
        name: str,
        e: syntax.Name | syntax.Owned | syntax.OfPlayer,
        others: Iterable[str] = (),
    ) -> Variable | None:
        """The declared value that is written to, or that is some player's."""
        variables = self.vocabulary.variables
        found = variables.get(name)
        if found is None and name not in self.vocabulary.broken:
            known = [
                v.name for v in variables.values() if v.each_player or isinstance(e, syntax.Name)
            ]
            self._report(
                "E302",
                f"there is no value '{name}' in the state",
                e.place,
                did_you_mean(name, [*known, *others]),
                name_place(e),
            )
        return found

    def _unknown_name(self, e: syntax.Name, scope: Scope) -> Typed:
        name, place, vocabulary = e.name, e.place, self.vocabulary
        if name in vocabulary.broken:
            return UNKNOWN
        if name in vocabulary.owners_of_locals:
            owner = vocabulary.owners_of_locals[name]
            help_ = "store it in the state, with an effect, to use it here"
            if "after" in scope.eras:
                help_ = "limit the rule to operations that have it ('for: […]'), or leave it out"
            return self._report("E302", f"'{name}' is not known here: it is {owner}", place, help_)
        if name in FUNCTIONS:
            return self._report("E302", f"'{name}' is a function", place, FUNCTIONS[name].usage)
        known: list[str] = [*scope.locals, *vocabulary.parameters, *vocabulary.definitions]
        if scope.state:
            known += vocabulary.variables
        if scope.me:
            known += ["me", *(["them"] if vocabulary.players == 2 else [])]
        known += ["players", *(w for w in vocabulary.words if w not in RESULTS)]
        if scope.texts:
            known += TEXT_KEYWORDS
        close = closest(name, known, (*RESULTS, "none", "first", "true", "false"))
        other = foreign.name(name, vocabulary.names, scope.me)
        first = close[0] if close else None
        if other and (first is None or first.lower() != name.lower()) and not _is_slip(name, first):
            hint = other if e.era == "now" else Hint(other.words)
        else:
            hint = meant(*close) if close else Hint(_all_names(known))
        message = f"there is nothing called '{name}'"
        return self._report("E302", message, place, hint, name_place(e))

    def _narrow(self, value: Typed, e: Expression, scope: Scope) -> Typed:
        if isinstance(value.type, Optional) and _key(e) in scope.narrowed:
            return value.replace(type=value.type.of)
        return value

    # ---- calls

    def _call(self, e: syntax.Call, scope: Scope) -> Typed:
        definition = self.vocabulary.definitions.get(e.name)
        if definition is not None:
            return self._use(definition, e, e, scope, self._era(e, scope))
        if e.name in self.vocabulary.broken:
            return UNKNOWN
        function = FUNCTIONS.get(e.name)
        if function is None or (function.text and not scope.texts):
            return self._no_function(e, scope)
        if e.era != "now":
            return self._report(
                "E307", f"'{e.era}.' goes before a value, not before '{e.name}'", e.place
            )
        if e.loops:
            return self._aggregate(e, scope)
        arguments = tuple(self._bind(a, scope) for a in e.arguments)
        if function.only_loops or not function.least <= len(arguments) <= function.most:
            hint = self._other_call(e) or Hint(f"write {function.usage}")
            return self._report("E304", f"'{e.name}' is not called like this", e.place, hint)
        if any(map(_unknown, arguments)):
            return UNKNOWN
        try:
            type_ = function.check(arguments)
        except Mismatch as mismatch:
            found = arguments[mismatch.argument].type
            return self._misfit(e, mismatch, found, function.usage)
        return typed.Apply(type_, e.name, arguments, e.place)

    def _no_function(self, e: syntax.Call, scope: Scope) -> Typed:
        """Reports a call of nothing, and what is wrong with its arguments."""
        functions = (n for n, f in FUNCTIONS.items() if scope.texts or not f.text)
        value = self.vocabulary.variables.get(e.name) or self.vocabulary.parameters.get(e.name)
        hint = elements_of(e.name, value.type) if value else self._other_call(e)
        wrong = None if hint else name_place(e)
        hint = hint or did_you_mean(e.name, (*self.vocabulary.definitions, *functions))
        self._report("E305", f"there is no function '{e.name}'", e.place, hint, wrong)
        for argument in e.arguments if not e.loops else ():
            self._bind(argument, scope)
        return UNKNOWN

    def _misfit(self, e: syntax.Call, mismatch: Mismatch, found: Type, usage: str) -> Typed:
        """Reports an argument that a function cannot take."""
        argument = e.arguments[mismatch.argument]
        if isinstance(found, Optional) and mismatch.expected in (str(found.of), "a number or text"):
            hint = _ask_first(argument)
            return self._report("E306", "this may be none here", argument.place, hint)
        message = f"'{e.name}' needs {mismatch.expected} here, not {found}"
        return self._report("E303", message, argument.place, f"write {usage}")

    def _other_call(self, e: syntax.Call) -> Hint:
        """A hint for a call that other languages have."""
        if not e.loops:
            hint = foreign.call(e.name, [a.place.written for a in e.arguments])
        else:
            inside = e.place.written.partition("(")[2].removesuffix(")").strip()
            hint = foreign.call(e.name, (), inside)
        return hint if e.era == "now" else Hint(hint.words)

    def _aggregate(self, e: syntax.Call, scope: Scope) -> Typed:
        function = FUNCTIONS[e.name]
        loops, inner = self._loops(e.loops, scope)
        body = self._bind(e.arguments[0], inner)
        self._looping -= len(loops)
        if not function.loops:
            return self._report(
                "E304", f"'{e.name}' is not called with 'for'", e.place, f"write {function.usage}"
            )
        if _unknown(body) or any(_unknown(loop.collection) for loop in loops):
            return UNKNOWN
        type_ = aggregate_type(e.name, body.type, loops)
        if type_ is None:
            expected = "a condition" if e.name in ("any", "all") else "numbers"
            return self._report(
                "E303",
                f"'{e.name}' needs {expected} here, not {body.type}",
                e.arguments[0].place,
                f"write {function.usage}",
            )
        return typed.Aggregate(type_, e.name, body, loops, e.place)

    def _loops(
        self, loops: tuple[syntax.ForIn, ...], scope: Scope
    ) -> tuple[tuple[typed.Loop, ...], Scope]:
        result: list[typed.Loop] = []
        for loop in loops:
            collection = self._bind(loop.collection, scope)
            self._looping += 1
            if self._looping > LIMITS.loops:
                message = f"more than {LIMITS.loops} loops inside one another"
                raise _TooLarge(message, "use fewer loops")
            of: Type | None = element_of(collection.type)
            if of is None:
                if not _unknown(collection):
                    self._report(
                        "E303",
                        f"expected a collection here, not {collection.type}",
                        loop.collection.place,
                        "a range a..b, a list, a set or a grid",
                    )
                collection, of = UNKNOWN, UNKNOWN.type
            self._check_new_name(loop.name, loop.place, scope)
            code_name = self._new_name(loop.name)
            scope = scope.with_local(loop.name, of, code_name)
            condition = None
            if loop.condition is not None:
                condition = self._bind(loop.condition, scope)
                self._is(condition, Bool, "a condition", loop.condition)
                scope = scope._replace(narrowed=scope.narrowed | _facts(loop.condition, True))
            result.append(typed.Loop(code_name, of, collection, condition, loop.place))
        return tuple(result), scope

    def _check_new_name(self, name: str, place: Place, scope: Scope) -> None:
        vocabulary = self.vocabulary
        taken = {
            **vocabulary.variables,
            **vocabulary.parameters,
            **vocabulary.definitions,
            **scope.locals,
        }
        if name in taken or name in ("me", "them", "first", "players"):
            self._report(
                "E312", f"'{name}' already means something else here", place, "use another name"
            )

    def _new_name(self, name: str) -> str:
        self._fresh += 1
        return f"{self._fresh}_{name}"  # no name of a ruleset begins with a digit

    def _use(
        self,
        definition: Definition,
        call: syntax.Call | None,
        e: Expression,
        scope: Scope,
        era: Era,
    ) -> Typed:
        """A definition is written out where it is used; its arguments are evaluated once."""
        name, parameters = definition.name, definition.parameters
        given = () if call is None else call.arguments
        if (
            (parameters is None) != (call is None)
            or len(parameters or ()) != len(given)
            or (call is not None and call.loops)
        ):
            usage = name if parameters is None else f"{name}({', '.join(parameters)})"
            return self._report(
                "E304", f"'{name}' is not used like this", e.place, f"write {usage}"
            )
        if name in scope.calls:
            return self._report(
                "E310",
                f"the definition '{name}' uses itself",
                definition.place,
                " -> ".join([*scope.calls[scope.calls.index(name) :], name]),
            )
        arguments = [self._bind(a, scope) for a in given]
        inner = Scope(
            state=scope.state, me=scope.me, texts=scope.texts, era=era, calls=(*scope.calls, name)
        )
        names = []
        for parameter, argument in zip(parameters or (), arguments, strict=True):
            names.append(self._new_name(parameter))
            inner = inner.with_local(parameter, argument.type, names[-1])
        body = self._bind(definition.body, inner)
        if _unknown(body) or any(map(_unknown, arguments)):
            return UNKNOWN
        for code_name, argument in zip(reversed(names), reversed(arguments), strict=True):
            body = typed.Let(body.type, code_name, argument, body)
        return body

    # ---- operators

    def _indexed(self, e: syntax.Indexed, scope: Scope) -> Typed:
        if isinstance(e.base, syntax.OfPlayer) and self._is_of_many(e.base.player, scope):
            return self._of_many(e.base, e.indices, e.place)
        base = self._bind(e.base, scope)
        indices = tuple(self._bind(i, scope) for i in e.indices)
        fine = [self._is(i, Int, "a number", x) for i, x in zip(indices, e.indices, strict=True)]
        if _unknown(base) or any(map(_unknown, indices)) or not all(fine):
            return UNKNOWN
        of = self._element_type(base.type, indices, e.place)
        if of is None:
            return UNKNOWN
        return self._narrow(typed.Element(of, base, indices, e.place), e, scope)

    def _is_of_many(self, holder: Expression, scope: Scope) -> bool:
        """Whether what stands behind `of` is a list of players: `penny of players[1]` is read as
        `(penny of players)[1]`.
        """
        if not isinstance(holder, syntax.Name):
            return False
        before = len(self.diagnostics)
        type_ = self._bind(holder, scope).type
        del self.diagnostics[before:]
        return isinstance(type_, List) and isinstance(type_.of, (PlayerType, Optional))

    def _of_many(
        self, value: syntax.OfPlayer, indices: tuple[Expression, ...], place: Place
    ) -> Typed:
        listed = ", ".join(index.place.written for index in indices)
        hint = foreign.write(f"{value.name} of ({value.player.place.written}[{listed}])")
        message = f"expected a player after 'of', not all of {value.player.place.written}"
        return self._report("E303", message, place, hint)

    def _element_type(self, base: Type, indices: tuple[Typed, ...], place: Place) -> Type | None:
        if isinstance(base, List):
            bounds: tuple[int | None, ...] = (base.size,)
        elif isinstance(base, Grid):
            bounds = (base.rows, base.columns)
        else:
            self._report("E303", f"{base} has no elements to be counted", place)
            return None
        if len(indices) != len(bounds):
            usage = "[row, column]" if isinstance(base, Grid) else "[number]"
            self._report("E304", f"{base} is indexed with {usage}", place)
            return None
        for index, bound in zip(indices, bounds, strict=True):
            if not isinstance(index.type, Int):
                self._report("E303", f"expected a number here, not {index.type}", place)
                return None
            if index.type.high < 1 or (bound is not None and index.type.low > bound):
                self._report(
                    "E309", f"this index is outside 1..{bound}", place, "counting begins with 1"
                )
                return None
        return base.of

    def _arithmetic(self, e: syntax.Minus | syntax.Arithmetic, scope: Scope) -> Typed:
        sources = (e.operand,) if isinstance(e, syntax.Minus) else (e.left, e.right)
        operands = tuple(self._bind(s, scope) for s in sources)
        operator = "-" if isinstance(e, syntax.Minus) else e.operator
        for operand, source in zip(operands, sources, strict=True):
            if isinstance(operand.type, Set) and operator in "+-":
                sign = "with" if operator == "+" else "without"
                return self._report(
                    "E303",
                    f"a set is not changed with '{operator}'",
                    source.place,
                    f"write {sign}(set, number)",
                )
        fine = [self._is(o, Int, "a number", s) for o, s in zip(operands, sources, strict=True)]
        if not all(fine) or any(map(_unknown, operands)):
            return UNKNOWN
        divisor = operands[-1]
        if operator == "/" and isinstance(divisor, typed.Constant) and divisor.code == 0:
            return self._report("E308", "division by zero", sources[-1].place)
        if all(isinstance(o, typed.Constant) for o in operands) and operator != "/":
            value = _fold(operator, [o.code for o in operands if isinstance(o, typed.Constant)])
            if abs(value) > LIMITS.integer:
                return self._report("E112", "this number does not fit in 64 bits", e.place)
            return typed.Constant(Int(value, value), value)
        type_ = bounds_of(operator, [o.type for o in operands if isinstance(o.type, Int)])
        return typed.Calculation(type_, operator, operands, e.place)

    def _comparison(self, e: syntax.Compare, scope: Scope) -> Typed:
        bound = [self._bind(o, scope) for o in e.operands]
        results: list[Typed] = []
        chain = [bound[0]]
        relations: list[str] = []
        for k, relation in enumerate(e.relations):
            left, right = bound[k], bound[k + 1]
            sources = (e.operands[k], e.operands[k + 1])
            if relation in ("in", "not in"):
                if chain and relations:
                    results.append(typed.Relation(tuple(chain), tuple(relations)))
                results.append(self._membership(left, right, relation, sources))
                chain, relations = [right], []
                continue
            self._check_relation(left, right, relation, sources, e.place)
            chain.append(right)
            relations.append(relation)
        if relations:
            results.append(typed.Relation(tuple(chain), tuple(relations)))
        if any(map(_unknown, bound)) or any(map(_unknown, results)):
            return UNKNOWN
        return results[0] if len(results) == 1 else typed.Junction("and", tuple(results))

    def _membership(
        self,
        element: Typed,
        collection: Typed,
        relation: str,
        sources: tuple[Expression, Expression],
    ) -> Typed:
        if _unknown(element) or _unknown(collection):
            return UNKNOWN
        of = element_of(collection.type)
        if of is None:
            return self._report(
                "E303",
                f"expected a collection after 'in', not {collection.type}",
                sources[1].place,
                "a range a..b, a list, a set or a grid",
            )
        ordered = isinstance(collection.type, Set) or isinstance(collection, typed.Bounds)
        if ordered and not self._is(element, Int, "a number", sources[0]):
            return UNKNOWN
        if not comparable(element.type, of):
            return self._report(
                "E303", f"{element.type} is never in {collection.type}", sources[0].place
            )
        found = typed.Membership(element, collection)
        return typed.Negation(found) if relation == "not in" else found

    def _check_relation(
        self,
        left: Typed,
        right: Typed,
        relation: str,
        sources: tuple[Expression, Expression],
        place: Place,
    ) -> None:
        if _unknown(left) or _unknown(right):
            return
        if relation in ("==", "!="):
            if not comparable(left.type, right.type):
                self._never_equal((left.type, right.type), relation, sources, place)
            return
        for side, source in ((left, sources[0]), (right, sources[1])):
            self._is(side, Int, "a number", source)

    def _never_equal(
        self,
        types: tuple[Type, Type],
        relation: str,
        sources: tuple[Expression, Expression],
        place: Place,
    ) -> None:
        hint, wrong = Hint(), None
        for (a, b), source in zip((types, types[::-1]), sources, strict=True):
            if isinstance(a, Nothing):
                hint = Hint(f"{b} is never none")
            elif isinstance(a, Word) and isinstance(b, Word) and len(a.words) == 1:
                hint, wrong = did_you_mean(a.words[0], b.words), source.place
                hint = hint if isinstance(source, syntax.Name) else Hint(hint.words)
        hint = hint or in_seat(sources, types, relation, self.vocabulary.players)
        message = f"{types[0]} and {types[1]} can never be equal"
        self._report("E303", message, place, hint, wrong or _both(sources))

    def _junction(self, e: syntax.AndOr, scope: Scope) -> Typed:
        operands: list[Typed] = []
        for source in e.operands:
            operand = self._bind(source, scope)
            operands.append(operand if self._is(operand, Bool, "a condition", source) else UNKNOWN)
            scope = scope._replace(narrowed=scope.narrowed | _facts(source, e.operator == "and"))
        if any(map(_unknown, operands)):
            return UNKNOWN
        return typed.Junction(e.operator, tuple(operands))

    def _conditional(self, e: syntax.IfElse, scope: Scope) -> Typed:
        condition = self._bind(e.condition, scope)
        self._is(condition, Bool, "a condition", e.condition)
        yes = scope._replace(narrowed=scope.narrowed | _facts(e.condition, True))
        no = scope._replace(narrowed=scope.narrowed | _facts(e.condition, False))
        then, otherwise = self._bind(e.then, yes), self._bind(e.otherwise, no)
        if any(map(_unknown, (condition, then, otherwise))) or not isinstance(condition.type, Bool):
            return UNKNOWN
        type_ = join(then.type, otherwise.type)
        if type_ is None:
            sets = isinstance(then.type, Set) and isinstance(otherwise.type, Set)
            return self._report(
                "E303",
                f"one side of 'if' is {then.type}, the other {otherwise.type}",
                e.place,
                "sets go together if they begin with the same number" if sets else "",
            )
        return typed.Conditional(type_, condition, then, otherwise)

    # ---- effects

    def _write_owner(self, target: syntax.Target, variable: Variable, scope: Scope) -> Typed | None:
        to = target.to
        if isinstance(to, syntax.Name):
            if variable.each_player:
                self._report(
                    "E303",
                    f"every player has '{to.name}': say whose",
                    to.place,
                    f"write my.{to.name}",
                )
            return None
        if not variable.each_player:
            hint = Hint(f"write {to.name}", (to.name,))
            self._report("E302", f"'{to.name}' is shared by all players", to.place, hint)
            return None
        if isinstance(to, syntax.Owned):
            return (
                typed.Seat(PlayerType(), "me") if to.whose == "my" else self._them(to.place, scope)
            )
        if target.indices and self._is_of_many(to.player, scope):
            return self._of_many(to, target.indices, target.place)
        owner = self._bind(to.player, scope)
        self._is(owner, PlayerType, "a player", to.player)
        return owner


def _in_era(e: syntax.Owned | syntax.OfPlayer, name: str) -> str:
    return name if e.era == "now" else f"{e.era}.{name}"


def _both(sources: tuple[Expression, Expression]) -> Place:
    """Two neighbours of a comparison, and what stands between them."""
    left, right = (source.place for source in sources)
    return Place(left.passage, left.start, right.end)


def _is_slip(written: str, close: str | None) -> bool:
    """Whether a name of the ruleset is near enough to be meant: one letter is different."""
    if close is None or close in LANGUAGE or abs(len(written) - len(close)) > 1:
        return False
    return min(len(written), len(close)) > 2 and nearest(written, [close]) is not None


def _all_names(known: Sequence[str]) -> str:
    shown = known if len(known) <= 12 else [*known[:12], "…"]
    return f"known here: {', '.join(shown)}"


SEAT: Final = re.compile(r"players\[[1-8]\]")
LANGUAGE: Final = ("players", "me", "them", "none", "first", "true", "false", *RESULTS)
WRITTEN_OUT: Final = "this expression is too large when its definitions are written out"
TOO_DEEP: Final = f"this expression is nested deeper than {LIMITS.nesting} levels when written out"


class _TooLarge(Exception):
    """An expression is too large, perhaps because of its definitions."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def _unknown(t: Typed) -> bool:
    return isinstance(t.type, Unknown)


def _constant(parameter: Parameter) -> Typed:
    if isinstance(parameter.value, tuple):
        assert isinstance(parameter.type, List)
        of = parameter.type.of
        items = tuple(
            typed.Constant(Int(v, v) if isinstance(of, Int) else of, v) for v in parameter.value
        )
        joined_type = joined([i.type for i in items]) if items else of
        assert joined_type is not None
        return typed.Row(List(joined_type, len(items)), items)
    if isinstance(parameter.type, Int):
        return typed.Constant(Int(parameter.value, parameter.value), parameter.value)
    return typed.Constant(parameter.type, parameter.value)


def _key(e: Expression) -> str:
    """A text that two expressions share only if they are written alike, and so name the same
    value.
    """
    return str(shape(e))


def _facts(e: Expression, truth: bool) -> frozenset[str]:
    """The values that are known not to be none if the condition has that truth."""
    match e:
        case syntax.Compare(operands=(left, right), relations=(relation,)):
            wanted = "!=" if truth else "=="
            if relation == wanted:
                if isinstance(right, syntax.NoneLiteral):
                    return frozenset({_key(left)})
                if isinstance(left, syntax.NoneLiteral):
                    return frozenset({_key(right)})
        case syntax.Not(operand=operand):
            return _facts(operand, not truth)
        case syntax.AndOr(operator=operator, operands=operands):
            if (operator == "and") == truth:
                return frozenset().union(*(_facts(o, truth) for o in operands))
    return frozenset()


def _ask_first(e: Expression) -> str:
    if isinstance(e, (syntax.Name, syntax.Owned, syntax.OfPlayer, syntax.Indexed)):
        text = e.place.written
        return f"ask first: {text} != none and …, or … if {text} != none else …"
    return "ask first whether it is none"


def _fold(operator: str, values: list[int]) -> int:
    if len(values) == 1:
        return -values[0]
    left, right = values
    return left + right if operator == "+" else left - right if operator == "-" else left * right


def product_of(left: Int, right: Int) -> Int:
    """What is known of a product that is not checked."""
    corners = [a * b for a in (left.low, left.high) for b in (right.low, right.high)]
    return between(min(corners), max(corners))


def bounds_of(operator: str, types: Sequence[Int]) -> Int:
    """What is known of the result of arithmetic."""
    if len(types) == 1:
        return between(-types[0].high, -types[0].low)
    left, right = types
    if operator == "+":
        low, high = left.low + right.low, left.high + right.high
    elif operator == "-":
        low, high = left.low - right.high, left.high - right.low
    elif operator == "*":
        product, most = product_of(left, right), LIMITS.integer
        # one that may not fit is checked when it is worked out
        low, high = max(product.low, -most), min(product.high, most)
    else:
        most = max(abs(left.low), abs(left.high))
        low, high = (0 if left.low >= 0 and right.low > 0 else -most), most
    return between(low, high)
