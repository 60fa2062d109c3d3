"""Where a number is on its way to: what the end rules compare it with."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rulegame.language.typed import Constant, Junction, Relation, Typed, Value
from rulegame.language.types import Int
from rulegame.model import Ruleset

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
        case Junction(operands=operands):
            for operand in operands:
                yield from _compared(operand)
        case Relation(operands=(left, right), relations=(relation,)) if relation in MIRRORED:
            if isinstance(left, Constant):
                left, right, relation = right, left, MIRRORED[relation]
            if (
                isinstance(left, Value)
                and isinstance(right, Constant)
                and isinstance(left.type, Int)
                and isinstance(right.type, Int)
            ):
                yield left.variable.name, relation, right.code
