"""What rules tell of numbers: where one is on its way to, and whether it counts something."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulegame.language.typed import (
    Arithmetic,
    BoolOp,
    Compare,
    Constant,
    Typed,
    Value,
    every_part,
)
from rulegame.language.types import Int
from rulegame.model import Effects, Ruleset

MIRRORED: Mapping[str, str] = {"==": "==", "<=": ">=", ">=": "<="}


def goals_of(ruleset: Ruleset) -> dict[str, int]:
    """For values that are numbers, the one at which the game ends: the first that an end rule
    wants to be reached exactly, or else the first that it wants to be passed.
    """
    exact: dict[str, int] = {}
    beyond: dict[str, int] = {}
    for rule in ruleset.end:
        for name, relation, number in _compared(rule.when):
            (exact if relation == "==" else beyond).setdefault(name, number)
    return {**beyond, **exact}


def _compared(condition: Typed) -> Iterator[tuple[str, str, int]]:
    """Each value that a condition compares with a number, as it would be written with the value on
    the left.
    """
    match condition:
        case BoolOp(operator="or", operands=operands):  # with `and` it is no goal by itself
            for operand in operands:
                yield from _compared(operand)
        case Compare(operands=(left, right), relations=(relation,)) if relation in MIRRORED:
            if isinstance(left, Constant):
                left, right, relation = right, left, MIRRORED[relation]
            if (
                isinstance(left, Value)
                and isinstance(right, Constant)
                and isinstance(left.type, Int)
                and isinstance(right.type, Int)
            ):
                yield left.variable.name, relation, right.code


def counted_values(ruleset: Ruleset) -> frozenset[str]:
    """The values that something is added to or taken from: they count, and are no mere labels."""
    return frozenset(
        write.variable.name
        for operation in (*ruleset.operations, *ruleset.setup)
        for step in operation.steps
        if isinstance(step, Effects)
        for write in step.writes
        if _reckons_with(write.value, write.variable.name)
    )


def _reckons_with(value: Typed, name: str) -> bool:
    return any(
        isinstance(inner, Value) and inner.variable.name == name
        for part in every_part(value)
        if isinstance(part, Arithmetic)
        for inner in every_part(part)
    )
