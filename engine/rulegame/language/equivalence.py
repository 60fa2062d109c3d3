"""The normal form of expressions: what two of them have in common that mean the same.

Spaces and parentheses, the order of what may be exchanged, names of loops, and definitions make no
difference; parameters stay names.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from rulegame.language import syntax
from rulegame.language.shape import kind, shape
from rulegame.language.syntax import Era, Expression
from rulegame.language.trees import Tree
from rulegame.limits import LIMITS

Normal = tuple[Any, ...]

AS_WRITTEN: Final = "as written"  # too large to be brought into normal form
SWAPPED = {">": "<", ">=": "<="}
OPPOSITE = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}


class Meaning(NamedTuple):
    """A definition: its parameters, and what it stands for."""

    parameters: tuple[str, ...]
    body: Expression


def normal(expression: Expression, definitions: Mapping[str, Meaning]) -> Normal:
    """The normal form of an expression."""
    try:
        return _Normaliser(definitions).of(expression, {}, "now")
    except _TooLarge:
        return (AS_WRITTEN, shape(expression))


def normal_effect(
    target: syntax.Target, value: Expression, definitions: Mapping[str, Meaning]
) -> tuple[Normal, Normal]:
    """The normal forms of what an effect changes, and of its new value."""
    try:
        return _Normaliser(definitions).effect(target, value)
    except _TooLarge:
        return (AS_WRITTEN, shape(target)), (AS_WRITTEN, shape(value))


Names = Mapping[str, Normal]


class _TooLarge(Exception):
    """Definitions written out go too far; those that nothing uses may even go in circles."""


class _Normaliser:
    def __init__(self, definitions: Mapping[str, Meaning]) -> None:
        self._definitions = definitions
        self._made = self._depth = 0

    def of(self, e: Expression, names: Names, era: Era) -> Normal:
        """`names` are loops and arguments, `era` that of the definition that this is in."""
        self._made += 1
        self._depth += 1
        if self._made > LIMITS.expression_parts or self._depth > LIMITS.nesting:
            raise _TooLarge
        found = self._of(e, names, era)
        self._depth -= 1
        return found

    def _of(self, e: Expression, names: Names, era: Era) -> Normal:
        match e:
            case syntax.Name(name=name):
                return self._name(name, names, e.era if e.era != "now" else era)
            case syntax.Owned(whose=whose, name=name):
                return ("of", name, whose, e.era if e.era != "now" else era)
            case syntax.OfPlayer(name=name, player=player):
                return self._owned(name, player, names, era, e.era)
            case syntax.Call():
                return self._call(e, names, era)
            case syntax.Let(bindings=bindings, body=body):
                for binding in bindings:
                    names = {**names, binding.name: self.of(binding.value, names, era)}
                return self.of(body, names, era)
            case syntax.Minus(operand=syntax.Number(value=value)):
                return ("number", -value)
            case syntax.Number(value=value):
                return ("number", value)
            case syntax.Truth(value=truth):
                return ("truth", truth)
            case syntax.Not(operand=operand):
                return self._negated(operand, names, era)
            case syntax.Arithmetic(operator=operator, left=left, right=right):
                parts = [self.of(left, names, era), self.of(right, names, era)]
                if operator in "+*":
                    parts.sort(key=repr)
                return (operator, *parts)
            case syntax.Compare(operands=operands, relations=relations):
                return self._comparison(operands, relations, names, era)
            case syntax.BoolOp(operator=operator):
                parts = list(self._flat(e, operator, names, era))
                return (operator, *sorted(parts, key=repr))
        return (kind(e), *(self._field(f, names, era) for f in e.fields()[1:]))

    def _field(self, field: Any, names: Names, era: Era) -> Any:
        if isinstance(field, Tree):
            return self.of(field, names, era)  # type: ignore[arg-type]
        if isinstance(field, tuple):
            return tuple(self._field(one, names, era) for one in field)
        return field

    def _name(self, name: str, names: Names, era: Era) -> Normal:
        if name in names:
            return names[name]
        meaning = self._definitions.get(name)
        if meaning is not None and not meaning.parameters:
            return self.of(meaning.body, {}, era)
        return ("name", name, era)

    def _owned(self, name: str, player: Expression, names: Names, around: Era, own: Era) -> Normal:
        era = own if own != "now" else around
        owner = self.of(player, names, around)
        match owner:
            case ("name", "me" | "them" as seat, _):
                return ("of", name, "my" if seat == "me" else "their", era)
        return ("of", name, owner, era)

    def _call(self, e: syntax.Call, names: Names, era: Era) -> Normal:
        inside = e.era if e.era != "now" else era
        meaning = self._definitions.get(e.name)
        if meaning is not None and len(meaning.parameters) == len(e.arguments):
            arguments = [self.of(a, names, era) for a in e.arguments]
            return self.of(
                meaning.body, dict(zip(meaning.parameters, arguments, strict=True)), inside
            )
        loops, inner = self._loops(e.loops, names, era)
        return ("call", e.name, loops, *(self.of(a, inner, era) for a in e.arguments))

    def _loops(
        self, loops: tuple[syntax.Loop, ...], names: Names, era: Era
    ) -> tuple[Normal, Names]:
        said: list[Normal] = []
        for loop in loops:
            collection = self.of(loop.collection, names, era)
            names = {**names, loop.name: ("loop", len(names))}
            condition = () if loop.condition is None else self.of(loop.condition, names, era)
            said.append((collection, condition))
        return tuple(said), names

    def _negated(self, operand: Expression, names: Names, era: Era) -> Normal:
        match operand:
            case syntax.Not(operand=inner):
                return self.of(inner, names, era)
            case syntax.Compare(operands=operands, relations=(relation,)) if relation in OPPOSITE:
                return self._comparison(operands, (OPPOSITE[relation],), names, era)
            case syntax.Compare(operands=operands, relations=("not in",)):
                return self._comparison(operands, ("in",), names, era)
        return ("not", self.of(operand, names, era))

    def _comparison(
        self, operands: tuple[Expression, ...], relations: tuple[str, ...], names: Names, era: Era
    ) -> Normal:
        parts = [self.of(operand, names, era) for operand in operands]
        if len(relations) == 1:
            return self._relation(parts, relations[0])
        if all(relation in SWAPPED for relation in relations):
            return ("compare", *(SWAPPED[r] for r in relations[::-1]), *parts[::-1])
        return ("compare", *relations, *parts)

    def _relation(self, parts: list[Normal], relation: str) -> Normal:
        if relation in SWAPPED:
            return ("compare", SWAPPED[relation], *parts[::-1])
        if relation in ("==", "!="):
            return ("compare", relation, *sorted(parts, key=repr))
        if relation in ("in", "not in") and parts[1][0] == "Range":
            inside = ("compare", "<=", "<=", parts[1][1], parts[0], parts[1][2])
            return inside if relation == "in" else ("not", inside)
        return ("compare", relation, *parts)

    def _flat(self, e: Expression, operator: str, names: Names, era: Era) -> list[Normal]:
        if isinstance(e, syntax.BoolOp) and e.operator == operator:
            return [part for one in e.operands for part in self._flat(one, operator, names, era)]
        return [self.of(e, names, era)]

    def effect(self, target: syntax.Target, value: Expression) -> tuple[Normal, Normal]:
        loops, names = self._loops(target.loops, {}, "now")
        indices = tuple(self.of(i, names, "now") for i in target.indices)
        to = ("target", self.of(target.to, names, "now"), indices, loops)
        return to, self.of(value, names, "now")
