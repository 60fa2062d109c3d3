"""Where in a range a condition can hold: `p == following` for one number, `abs(to - from) <= 1` for
three. Who goes through the range need not ask the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from rulegame.language import typed
from rulegame.language.syntax import Place
from rulegame.language.typed import Typed
from rulegame.language.types import Int, bounds_of

End = tuple[Literal["low", "high"], Typed]  # the least or the greatest that a number can be
MIRRORED: Final = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


def ends(condition: Typed, name: str) -> Iterator[End]:
    """What a named number cannot be below or above if a condition holds, as far as the part of it
    tells that is asked first, and does not depend on the number itself.
    """
    for end, limit in _ends(condition, name):
        if all(not isinstance(p, typed.Local) or p.name != name for p in typed.every_part(limit)):
            yield end, limit


def first_asked(condition: Typed) -> Typed:
    """The condition, or that of several which is asked before the others."""
    if isinstance(condition, typed.BoolOp) and condition.operator == "and":
        return first_asked(condition.operands[0])
    return condition


def _ends(condition: Typed, name: str) -> Iterator[End]:
    match first_asked(condition):
        case typed.Membership(element=element, collection=typed.Range(low=low, high=high)):
            if _is_named(element, name):
                yield "low", low
                yield "high", high
        case typed.Compare(operands=(left, right), relations=(relation,)):
            if relation in MIRRORED:
                yield from _compared(left, relation, right, name)
                yield from _compared(right, MIRRORED[relation], left, name)


def _compared(left: Typed, relation: str, right: Typed, name: str) -> Iterator[End]:
    if not isinstance(right.type, Int):
        return
    match left:
        case typed.Local() if _is_named(left, name):
            if relation in ("<", "<=", "=="):
                yield "high", right
            if relation in (">", ">=", "=="):
                yield "low", right
        case typed.Arithmetic(operator="-", operands=(one, other), place=place):
            if relation == "==" and _is_named(one, name):
                yield from _both(_sum("+", other, right, place))
            elif relation == "==" and _is_named(other, name):
                yield from _both(_sum("-", one, right, place))
        case typed.Call(
            function="abs",
            arguments=(typed.Arithmetic(operator="-", operands=(one, other), place=place),),
        ) if relation in ("<", "<=", "=="):
            middle = other if _is_named(one, name) else one
            if _is_named(one, name) or _is_named(other, name):
                yield "low", _sum("-", middle, right, place)
                yield "high", _sum("+", middle, right, place)


def _is_named(e: Typed, name: str) -> bool:
    return isinstance(e, typed.Local) and e.name == name


def _both(limit: Typed) -> Iterator[End]:
    yield "low", limit
    yield "high", limit


def _sum(operator: str, left: Typed, right: Typed, place: Place) -> Typed:
    assert isinstance(left.type, Int) and isinstance(right.type, Int)
    type_ = bounds_of(operator, (left.type, right.type))
    return typed.Arithmetic(type_, operator, (left, right), place)
