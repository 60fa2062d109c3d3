"""When validity rules are asked while a move is being chosen: those that need only the first
choices before the others are gone through, if nobody can notice.

A rule that bars a piece bars all its moves. To ask it first must not hide what would have gone
wrong without it: so it has to be certain, and so must be the collections of the other choices, and
the rules before it that are asked later (`language.certainty`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rulegame.language import typed
from rulegame.language.certainty import Charging, is_certain
from rulegame.language.costs import work
from rulegame.language.typed import Typed
from rulegame.language.types import Int, element_of
from rulegame.model import Choice, Operation, Ruleset, Validity

MOST_LIGHT: Final = 40  # steps of a rule that may be asked more often than before
MOST_EARLY: Final = 8  # rules of an operation that are asked early: they stand inside one another


def tests_by_choice(
    ruleset: Ruleset, operation: Operation, charging: Charging
) -> dict[int, list[Validity]]:
    """The validity rules of an operation that do not look at the state after it, in their order, by
    the number of choices that are made before they are asked.
    """
    name, choices = operation.name, operation.choices
    rules = [r for r in ruleset.required_of(operation) if not r.uses_after]
    tests: dict[int, list[Validity]] = {}
    for rule in rules:
        condition = rule.requires[name]
        level = len(choices) if charging.strict else _needed(condition, choices)
        later = [r.requires[name] for k, found in tests.items() if k > level for r in found]
        early = sum(len(found) for k, found in tests.items() if k < len(choices))
        if early == MOST_EARLY or not _may_precede(condition, choices[level:], later, charging):
            level = len(choices)
        tests.setdefault(level, []).append(rule)
    return tests


def _needed(condition: Typed, choices: Sequence[Choice]) -> int:
    """How many choices a condition needs."""
    named = {p.name for p in typed.every_part(condition) if isinstance(p, typed.Local)}
    return max((k + 1 for k, choice in enumerate(choices) if choice.name in named), default=0)


def _may_precede(
    condition: Typed, rest: Sequence[Choice], later: Sequence[Typed], charging: Charging
) -> bool:
    """Whether a condition may be asked before some choices and other conditions."""
    if not rest:
        return True
    asked = [condition, *(choice.collection for choice in rest), *later]
    certain = all(is_certain(e, charging) for e in asked) and all(map(stays_within, rest))
    return certain and work(condition, charging.strict) <= MOST_LIGHT


def stays_within(choice: Choice) -> bool:
    """Whether a choice is certainly not beyond its declared bounds."""
    found = element_of(choice.collection.type)
    if choice.within is None or not isinstance(found, Int):
        return True
    low, high = choice.within
    if low <= found.low and found.high <= high:
        return True
    match choice.collection:
        case typed.Aggregate(function="list", body=typed.Local(name=name), loops=loops):
            asked = [loop.condition for loop in loops if loop.condition is not None]
            return any(_keeps_within(condition, name, low, high) for condition in asked)
    return False


def _keeps_within(condition: Typed, name: str, low: int, high: int) -> bool:
    """Whether a name stands for a number within bounds if a condition holds."""
    match condition:
        case typed.BoolOp(operator="and", operands=operands):
            return any(_keeps_within(operand, name, low, high) for operand in operands)
        case typed.Membership(
            element=typed.Local(name=found),
            collection=typed.Range(low=typed.Constant(code=a), high=typed.Constant(code=b)),
        ):
            return found == name and low <= a and b <= high
    return False
