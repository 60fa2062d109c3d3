"""What every part of an expression is held to: the type that its place needs, and how large it may
become. What is wrong is collected.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from rulegame.diagnostics import Diagnostic, Hint, Problems, TooManyProblems, write_instead
from rulegame.language import syntax, typed
from rulegame.language.parsing import advise
from rulegame.language.syntax import Expression, Place
from rulegame.language.typed import Typed
from rulegame.language.types import Grid, Int, List, Nothing, Optional, Set, Type, Word, fits
from rulegame.language.vocabulary import Scope, Vocabulary
from rulegame.limits import LIMITS

Heard = Callable[[Expression, Typed], None]  # who wants to know what each expression means
WRITTEN_OUT: Final = "this expression is too large once its definitions are expanded"
SEAT: Final = re.compile(r"players\[[1-8]\]")
TOO_DEEP: Final = f"this expression has more than {LIMITS.nesting} nested levels once expanded"


class _Collecting:
    """Inside, problems go to a list of their own; if they are `reported`, or if looking for them
    was broken off, they join the others at the end.
    """

    __slots__ = ("_around", "_found", "_judge", "_reported")

    def __init__(self, judge: Judge, reported: bool) -> None:
        self._judge, self._reported = judge, reported

    def __enter__(self) -> Problems:
        self._around, self._found = self._judge.diagnostics, Problems()
        self._judge.diagnostics = self._found
        return self._found

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._judge.diagnostics = self._around
        if kind is not None:
            self._around.extend(self._found)
        elif self._reported:
            self._around.report(self._found)


class Unknown:
    """The type of what was already complained about."""


UNKNOWN: Final[Typed] = typed.Local(Unknown(), "?")  # type: ignore[arg-type]


class Judge:
    """What the binders of all kinds of expressions share."""

    def __init__(self, vocabulary: Vocabulary, heard: Heard | None = None) -> None:
        self.vocabulary = vocabulary
        self._heard = heard
        self.diagnostics = Problems()
        self._made = 0  # parts of this expression
        self._total = 0  # parts of all expressions
        self._depth = 0
        self._looping = 0
        self._fresh = 0
        self._holder: Expression | None = None  # what stands behind an `of`

    def collecting(self) -> _Collecting:
        """The problems that are found inside, for the caller to report or to leave out."""
        return _Collecting(self, False)

    def watching(self) -> _Collecting:
        """The problems that are found inside, which are reported."""
        return _Collecting(self, True)

    def _begin(self) -> None:
        self._made = self._depth = self._looping = 0
        self._holder = None

    def _bind(self, e: Expression, scope: Scope) -> Typed:
        self._made += 1
        self._total += 1
        self._depth += 1
        if self._made > LIMITS.expression_parts:
            raise Oversized(WRITTEN_OUT, "simplify the definitions that it uses")
        self._check_total()
        if self._depth > LIMITS.nesting:
            raise Oversized(TOO_DEEP, "name parts of it under 'define'")
        found = self._bind_part(e, scope)
        self._depth -= 1
        if self._heard is not None:
            self._heard(e, found)
        return found

    def _bind_part(self, e: Expression, scope: Scope) -> Typed:
        raise NotImplementedError

    def _check_total(self) -> None:
        if self._total > LIMITS.ruleset_parts:
            raise Oversized("the expressions of this ruleset are too large", "simplify the ruleset")

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

    def _refuse(self, problem: Oversized, place: Place) -> None:
        """What is too large; if the ruleset as a whole is, nothing else can be said."""
        self._report("E311", problem.message, place, problem.hint)
        if self._total > LIMITS.ruleset_parts:
            raise TooManyProblems

    def _expect(self, found: Typed, expected: Type, expression: Expression) -> None:
        if is_unknown(found) or fits(found.type, expected):
            return
        place = expression.place
        if isinstance(found.type, Optional) and fits(found.type.of, expected):
            self._report("E306", "this may be none here", place, ask_first(expression))
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
        elif isinstance(found.type, Nothing) and isinstance(expected, Set):
            hint = write_instead("[]", "the empty set")
            self._report("E303", f"expected {expected} here, not none", place, hint)
        else:
            from rulegame.language.suggestions import instead_of

            hint = self._not_the_word(expression, expected) or instead_of(found, type(expected))
            if isinstance(expected, List) and expected.size == 1 and fits(found.type, expected.of):
                hint = Hint('a list of this one, in brackets: "[…]"')
            self._report("E303", f"expected {expected} here, not {found.type}", place, hint)

    def _not_the_word(self, e: Expression, expected: Type) -> Hint:
        """The hint for a name that is also a word, where a word is expected."""
        of = expected
        while isinstance(of, (Optional, List, Grid)):
            of = of.of
        if not (isinstance(e, syntax.Name) and e.name in self.vocabulary.words):
            return Hint()
        return self._name_clash(e.name) if isinstance(of, Word) else Hint()

    def _name_clash(self, name: str) -> Hint:
        """The hint for a word that cannot be reached, because something else has its name."""
        vocabulary = self.vocabulary
        definition = vocabulary.definitions.get(name)
        if name in vocabulary.locals_elsewhere:
            what = str(vocabulary.locals_elsewhere[name])
        elif name in vocabulary.variables:
            what = "a value of the state"
        elif definition is not None:
            parameters = definition.parameters
            usage = name if parameters is None else f"{name}({', '.join(parameters)})"
            what = f"the definition {usage}"
        else:
            what = "a parameter"
        return Hint(f"'{name}' is {what} here, not the word '{name}': rename one of them")

    def _are_numbers(self, found: Sequence[Typed], sources: Sequence[Expression]) -> bool:
        """Whether all of these are numbers; complains of each that is not."""
        fine = [self._is(f, Int, "a number", s) for f, s in zip(found, sources, strict=True)]
        return all(fine) and not any(map(is_unknown, found))

    def _is(self, found: Typed, kind: type, expected: str, expression: Expression) -> bool:
        """Whether a part has the type that its place needs; complains if not."""
        if is_unknown(found) or isinstance(found.type, kind):
            return True
        if isinstance(found.type, Optional) and isinstance(found.type.of, kind):
            self._report("E306", "this may be none here", expression.place, ask_first(expression))
        else:
            from rulegame.language.suggestions import instead_of

            message = f"expected {expected} here, not {found.type}"
            hint = self._of_holder(expression, instead_of(found, kind))
            self._report("E303", message, expression.place, hint)
        return False

    def _of_holder(self, e: Expression, hint: Hint) -> Hint:
        """A hint for a part: behind `of`, which takes no more than a name, with parentheses."""
        seat = hint.offers[0] if hint.offers else ""
        if e is not self._holder or not SEAT.fullmatch(seat):
            return hint
        return Hint(hint.words.replace(seat, f"({seat})", 1), (f"({seat})",), hint.certain)


class Oversized(Exception):
    """An expression is too large, perhaps because of its definitions."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


def is_unknown(t: Typed) -> bool:
    """Whether something was complained about already."""
    return isinstance(t.type, Unknown)


def ask_first(e: Expression) -> str:
    """A hint for what may be none."""
    if isinstance(e, (syntax.Name, syntax.Owned, syntax.OfPlayer, syntax.Element)):
        text = e.place.written
        return f"check first: {text} != none and …, or … if {text} != none else …"
    return "check first whether it is none"
