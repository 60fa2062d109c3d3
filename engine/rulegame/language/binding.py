"""Names and types: turns the syntax tree of an expression into a typed one, or says what is
wrong with it.

All problems of an expression are found in one pass: what is already wrong has the type `Unknown`,
which fits everywhere and is never complained about again.
"""

from __future__ import annotations

from collections.abc import Sequence

from rulegame.diagnostics import Diagnostic, Hint, Problems, Related, guess_instead, write_instead
from rulegame.language import syntax, typed
from rulegame.language.calling import CallBinder
from rulegame.language.costs import cost, costliest, loops_cost, too_many_steps
from rulegame.language.judging import UNKNOWN, Oversized, is_unknown
from rulegame.language.operating import OperatorBinder, as_set
from rulegame.language.syntax import Expression, Place
from rulegame.language.typed import Typed, Variable
from rulegame.language.types import (
    NONE_CODE,
    Bool,
    Grid,
    Int,
    List,
    Nothing,
    PlayerType,
    Type,
)
from rulegame.language.vocabulary import Scope
from rulegame.limits import LIMITS


class Binder(CallBinder, OperatorBinder):
    """Binds the expressions of one ruleset; `diagnostics` collects what is wrong."""

    def bind(
        self, expression: Expression, scope: Scope, expected: Type | None = None
    ) -> Typed | None:
        """The typed expression, or None (with diagnostics) if it is wrong or not of the expected
        type.
        """
        self._begin()
        with self.watching() as problems:
            try:
                result = self._bind(expression, scope)
            except Oversized as problem:
                self._refuse(problem, expression.place)
                return None
            if not problems and expected is not None:
                self._expect(result, expected, expression)
            steps = 0 if problems else cost(result)
            if steps > LIMITS.expression_cost:
                taken = too_many_steps(steps, LIMITS.expression_cost)
                message = f"this expression takes {taken}"
                self._too_slow(message, expression.place, [result])
            return None if problems or is_unknown(result) else result

    def _too_slow(self, message: str, place: Place, parts: Sequence[Typed]) -> None:
        """Report an estimate, and the part that takes most of the steps."""
        most = costliest(max(parts, key=cost))
        related = () if most is None else (Related("most of them are here", most.span),)
        hint = "use smaller ranges"
        self.diagnostics.append(Diagnostic("E311", message, place.span, hint, related=related))

    @property
    def total(self) -> int:
        """How many parts all expressions have so far."""
        return self._total

    def repeat(self, parts: int, place: Place) -> bool:
        """Counts what is used once more as it is; False, and reported, if that is too much."""
        self._total += parts
        try:
            self._check_total()
        except Oversized as problem:
            self._refuse(problem, place)
            return False
        return True

    def bind_write(
        self, target: syntax.Target, value: Expression, scope: Scope
    ) -> typed.Write | None:
        """One effect."""
        with self.watching() as problems:
            found = self._bound_write(target, value, scope, problems)
            return None if problems else found

    def _bound_write(
        self, target: syntax.Target, value: Expression, scope: Scope, problems: Problems
    ) -> typed.Write | None:
        self._begin()
        owner: Typed | None = None
        try:
            loops, inner = self._loops(target.loops, scope)
            lets = scope.lets if isinstance(target.to, syntax.Name) else {}
            variable = self._variable(target.to.name, target.to, lets=lets)
            if variable is not None:
                owner = self._write_owner(target, variable, inner)
            indices = tuple(self._bind(i, inner) for i in target.indices)
            result = self._bind(value, inner)
        except Oversized as problem:
            self._refuse(problem, target.place)
            return None
        if variable is None or problems:
            return None
        if any(map(is_unknown, (result, *indices, *(loop.collection for loop in loops)))):
            return None
        place_type: Type = variable.type
        if indices:
            element: Type | None
            if isinstance(variable.type, List) and variable.type.index is not None:
                right = self._is_index(indices, variable.type.index, target)
                element = variable.type.of if right else None
            elif self._is_cell(indices):
                element = self._content(variable.type, indices[0], target.indices[0])
            else:
                element = self._element_type(variable.type, indices, target.place)
            if element is None:
                return None
            place_type = element
        result = as_set(result, place_type, value.place)
        self._expect(result, place_type, value)
        steps = loops_cost(loops, sum(cost(part) for part in (result, *indices)))
        if steps > LIMITS.expression_cost:
            message = f"this effect takes {too_many_steps(steps, LIMITS.expression_cost)}"
            self._too_slow(message, target.place, [result, *indices])
        return typed.Write(variable, owner, indices, loops, result, target.place, value.place)

    def bind_words(self, e: syntax.WordsOf) -> Typed:
        """Words to choose from, each of which is known."""
        known, words = self.vocabulary.words, tuple(dict.fromkeys(e.words))
        items = tuple(typed.Constant(self.vocabulary.word(word), known[word]) for word in words)
        return typed.ListLiteral(List(self.vocabulary.word(*words), len(items)), items)

    def bind_write_to_all(
        self, target: syntax.Target, value: Expression, scope: Scope
    ) -> list[typed.Write] | None:
        """One effect for all players, from a list: one write for each; None if it is none."""
        variable = self.vocabulary.variables.get(target.to.name)
        if (
            not isinstance(target.to, syntax.Name)
            or variable is None
            or not variable.each_player
            or isinstance(variable.type, (List, Grid))
            or target.loops
            or target.indices
        ):
            return None
        found = self.bind(value, scope)
        if found is None:
            return []
        if not isinstance(found.type, List):
            return None  # whose it is must be said
        with self.watching() as problems:
            self._expect(found, List(variable.type, self.vocabulary.players), value)
        if problems:
            return []
        return [
            typed.Write(
                variable, typed.Constant(PlayerType(), seat), (), (), one, target.place, value.place
            )
            for seat, one in enumerate(_each_of(found, self.vocabulary.players, value.place))
        ]

    def knows(self, name: str, scope: Scope) -> bool:
        """Whether a name means something in a place."""
        v = self.vocabulary
        return any(name in names for names in (scope.locals, scope.lets, v.own))

    # ---- parts

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
                return typed.TextLiteral(text)
            case syntax.Name():
                return self._name(e, scope)
            case syntax.Owned():
                return self._owned(e, scope)
            case syntax.OfPlayer():
                return self._of_player(e, scope)
            case syntax.Call() | syntax.Let():
                return self._call(e, scope) if isinstance(e, syntax.Call) else self._let(e, scope)
            case syntax.Element():
                return self._indexed(e, scope)
            case syntax.Not(operand=operand):
                inner = self._bind(operand, scope)
                ok = self._is(inner, Bool, "a condition", operand)
                return typed.Not(inner) if ok and not is_unknown(inner) else UNKNOWN
            case syntax.Minus() | syntax.Arithmetic():
                return self._arithmetic(e, scope)
            case syntax.Compare():
                return self._comparison(e, scope)
            case syntax.BoolOp():
                return self._junction(e, scope)
            case syntax.IfElse():
                return self._conditional(e, scope)
            case syntax.Range(low=low, high=high):
                ends = [self._bind(x, scope) for x in (low, high)]
                if not self._are_numbers(ends, (low, high)):
                    return UNKNOWN
                return self._interval(ends[0], ends[1], e.place)
            case syntax.ListLiteral(items=items):
                return self._list(items, scope, e.place)
            case syntax.WordsOf(words=words):
                message = "words with '|' between them can only be chosen or rolled from"
                name = words[0]
                known = name in self.vocabulary.words
                hint = Hint(f"one of them is a value: {name}" if known else "")
                if not known and len(words) == 2 and all(self.knows(word, scope) for word in words):
                    hint = guess_instead(f"union({', '.join(words)})", "everything in either")
                return self._report("E307", message, e.place, hint)

    def _quoted(self, text: str, place: Place) -> Typed:
        """Quotation marks in a rule, around a word or the name of a player."""
        from rulegame.language import foreign

        hint = Hint("write words without quotation marks")
        if text in self.vocabulary.words:
            hint = write_instead(text, "words are written without quotation marks")
        elif seated := foreign.name(text, self.vocabulary.names, me=True):
            hint = seated
        return self._report("E307", "quoted text can only be used in texts", place, hint)

    # ---- effects

    def _write_owner(self, target: syntax.Target, variable: Variable, scope: Scope) -> Typed | None:
        to = target.to
        if isinstance(to, syntax.Name):
            if variable.each_player:
                message = f"'{to.name}' belongs to each player: say whose"
                self._report("E303", message, to.place, f"write my.{to.name}")
            return None
        if not variable.each_player:
            hint = Hint(f"write {to.name}", (to.name,))
            self._report("E302", f"'{to.name}' is shared by all players", to.place, hint)
            return None
        if isinstance(to, syntax.Owned):
            if self.vocabulary.everyone is not None:
                return self._nobody(to.whose, to.place)
            return (
                typed.Seat(PlayerType(), "me") if to.whose == "my" else self._them(to.place, scope)
            )
        if target.indices and self._is_of_many(to.player, scope):
            return self._of_many(to, target.indices, target.place)
        owner = self._bind(to.player, scope)
        self._is(owner, PlayerType, "a player", to.player)
        return owner


def _each_of(found: Typed, count: int, place: Place) -> tuple[Typed, ...]:
    """The elements of a list, of which there are so many."""
    if isinstance(found, typed.ListLiteral):
        return found.items
    assert isinstance(found.type, List)
    places = (typed.Constant(Int(k, k), k) for k in range(1, count + 1))
    return tuple(typed.Element(found.type.of, found, (k,), place) for k in places)
