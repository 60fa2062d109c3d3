"""Expressions whose evaluation is certain: it neither fails nor is charged for while it runs. So it
may happen earlier, less often or not at all, and nobody notices. What may fail but is not charged
for may still happen once instead of often.
"""

from __future__ import annotations

from typing import NamedTuple

from rulegame.language import typed
from rulegame.language.arguments import has_some, is_inside, is_never_zero
from rulegame.language.costs import is_open
from rulegame.language.functions import FUNCTIONS
from rulegame.language.typed import Typed
from rulegame.language.types import (
    Int,
    List,
    Optional,
    Type,
    is_bounded,
    product_of,
)


class Charging(NamedTuple):
    """What the meter is charged for as it runs: everything that is not known exactly (`strict`),
    what nothing bounds, or nothing at all, since no move can spend the budget.
    """

    strict: bool = False
    metered: bool = True

    def is_free(self, e: Typed) -> bool:
        """Whether going through a collection is not charged for."""
        if isinstance(e, typed.Range) and isinstance(e.type, List) and e.type.size is None:
            return not self.metered
        return not is_open(e.type, self.strict)


def is_certain(e: Typed, charging: Charging) -> bool:
    """Whether nothing can go wrong in an expression, and nothing is charged for."""
    return (
        _is_sure(e) and charging.is_free(e) and all(is_certain(p, charging) for p in worked_out(e))
    )


def is_free(e: Typed, charging: Charging) -> bool:
    """Whether nothing is charged for in an expression as it runs."""
    return charging.is_free(e) and all(is_free(part, charging) for part in worked_out(e))


def worked_out(e: Typed) -> list[Typed]:
    """The parts that are worked out for an expression."""
    if isinstance(e, typed.Membership) and isinstance(e.collection, typed.Range):
        return [e.element, *typed.parts(e.collection)]  # nobody goes through these
    return typed.parts(e)


def _is_sure(e: Typed) -> bool:
    """Whether nothing can go wrong, if it does not in the parts."""
    match e:
        case typed.TextLiteral():
            return False
        case typed.Element(base=base, indices=indices):
            return is_inside(base, indices)
        case typed.Arithmetic(operator="*", operands=(a, b)):
            assert isinstance(a.type, Int) and isinstance(b.type, Int)
            return is_bounded(product_of(a.type, b.type))
        case typed.Arithmetic(operator="/", operands=(_, by)):
            return is_never_zero(by.type)
        case typed.IfElse(then=then, otherwise=otherwise, type=type_):
            return all(_fits(part, type_) for part in (then, otherwise))
        case typed.ListLiteral(items=items, type=type_):
            of = type_.of if isinstance(type_, List) else type_
            return all(_fits(item, of) for item in items)
        case typed.Call():
            return _is_sure_call(e)
        case typed.Aggregate(function="min" | "max", loops=loops):
            return all(loop.condition is None and has_some(loop.collection) for loop in loops)
    return True


def _fits(part: Typed, into: Type) -> bool:
    """Whether a part can be told from `none`, if another one may be none."""
    of, found = (t.of if isinstance(t, List) else t for t in (into, part.type))
    return not (isinstance(of, Optional) and isinstance(found, Int) and not is_bounded(found))


def _is_sure_call(e: typed.Call) -> bool:
    function = FUNCTIONS[e.function]
    if function.is_sure is not None:
        return function.is_sure(e)
    return not function.fails and not function.text
