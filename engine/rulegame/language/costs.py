"""How many steps expressions take: what is refused before a game (`cost`), and what the meter of a
move need not count while it runs (`work`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from rulegame.language import typed
from rulegame.language.functions import FUNCTIONS
from rulegame.language.syntax import Place
from rulegame.language.typed import Typed
from rulegame.language.types import Grid, List, Set, Type, known_size, size_of
from rulegame.limits import LIMITS

LISTED: Final = 4  # what it takes to keep an element in a list, in steps
BESIDE: Final = 8  # what it takes to look at the neighbours of a cell
SHOWN: Final = 10  # and to put it into words
FEW: Final = 100  # steps that are no part to point at
COUNTED: Final = 10**12  # steps; larger estimates are not written out


def keeps_elements(e: typed.Aggregate) -> bool:
    """Whether a loop makes a list."""
    loops = FUNCTIONS[e.function].loops
    return loops is not None and loops.keeps


def cost(expression: Typed) -> int:
    """The most steps that one evaluation takes; a range that depends on the state counts as one,
    and is charged when it runs.
    """
    if isinstance(expression, typed.Aggregate):
        reached = _reached_cost(expression)
        return reached + loops_cost(expression.loops, cost(expression.body))
    if isinstance(expression, typed.Membership) and isinstance(expression.collection, typed.Range):
        bounds = typed.parts(expression.collection)
        return 1 + sum(cost(part) for part in (expression.element, *bounds))
    if isinstance(expression, typed.Element) and isinstance(expression.base, typed.Value):
        owner = () if expression.base.owner is None else (expression.base.owner,)
        return 1 + sum(cost(part) for part in (*expression.indices, *owner))
    total = 1 + sum(cost(part) for part in typed.parts(expression))
    type_ = expression.type
    if isinstance(type_, List) and type_.size is not None:
        total += type_.size
    return total + _made(expression)


def costliest(expression: Typed) -> Place | None:
    """The place of the part that takes most of the steps, if it is not the whole expression."""
    found: Place | None = None
    part = expression
    while inside := typed.parts(part):
        costs = [cost(one) for one in inside]
        if max(costs) < FEW or 2 * max(costs) < sum(costs):
            break
        part = inside[costs.index(max(costs))]
        found = getattr(part, "place", found)
    return found


def _made(expression: Typed) -> int:
    """The elements that a function makes, beside those that its type tells of."""
    function = FUNCTIONS.get(expression.function) if isinstance(expression, typed.Call) else None
    if function is None or function.work is None or not isinstance(expression, typed.Call):
        return 0
    return function.work(expression.arguments)


def _reached_cost(e: typed.Aggregate) -> int:
    """What it takes to ask all cells that may be reached, each once, and their neighbours."""
    condition = e.loops[0].condition
    if e.function != "connected" or condition is None:
        return 0
    assert isinstance(e.type, List) and e.type.most is not None
    return e.type.most * (cost(condition) + BESIDE)


def loops_cost(loops: Iterable[typed.Loop], body: int) -> int:
    """The steps of loops around a body of that cost."""
    total = body
    for loop in reversed(list(loops)):
        type_ = loop.collection.type
        each = total + (cost(loop.condition) if loop.condition is not None else 0)
        known = known_size(type_)
        if isinstance(type_, Set):
            known = max(count(type_, False), LIMITS.chosen_set)
        if known is None:
            known = max(1, _made(loop.collection))
        total = cost(loop.collection) + each * known
    return total


def too_many_steps(steps: int, limit: int) -> str:
    """What is wrong with an estimate, for a message: the estimate and the limit."""
    estimate = f"up to {steps:,}" if steps < COUNTED else f"more than {COUNTED:,}"
    return f"{estimate} steps; the limit is {limit:,}"


# ---- the meter


def is_open(type_: Type, strict: bool) -> bool:
    """Whether going through such a collection is charged when it happens: nothing bounds its
    length, or (`strict`) only something that is not known exactly.
    """
    return isinstance(type_, List) and type_.size is None and (strict or type_.most is None)


def count(type_: Type, strict: bool) -> int:
    """The most elements that a collection has; 1 where each is charged when it is visited."""
    if isinstance(type_, Grid):
        return type_.rows * type_.columns
    if isinstance(type_, Set):
        return type_.high - type_.low + 1
    if not isinstance(type_, List) or is_open(type_, strict):
        return 1
    known = type_.size if type_.size is not None else type_.most
    return 1 if known is None else max(known, 0)


def work(e: Typed, strict: bool = False) -> int:
    """The most steps that one evaluation takes, without those that are charged while it runs."""
    match e:
        case typed.Aggregate(body=body, loops=loops):
            each = work(body, strict) + (LISTED if keeps_elements(e) else 1)
            return 1 + loops_work(loops, each, strict) + _reached_work(e, each, strict)
        case typed.Membership(element=element, collection=typed.Range(low=low, high=high)):
            return 1 + sum(work(part, strict) for part in (element, low, high))
        case typed.Call(function="inside", arguments=(typed.Value(), row, column)):
            return 1 + work(row, strict) + work(column, strict)  # the grid is not looked at
        case typed.Element(base=typed.Value(owner=owner), indices=indices):
            whose = () if owner is None else (owner,)
            return 1 + sum(work(part, strict) for part in (*indices, *whose))
    total = 1 + _made(e)
    if isinstance(e, (typed.Value, typed.Range, typed.Call)):
        wide = isinstance(e.type, Set) and e.type.is_wide
        total += size_of(e.type) if wide else _elements(e.type, strict)
    for part in typed.parts(e):
        total += work(part, strict)
        if _goes_through(e, part):
            known = FUNCTIONS.get(e.function) if isinstance(e, typed.Call) else None
            shown = known is not None and known.text
            total += _elements(part.type, strict) * (SHOWN if shown else 1)
    return total


def _reached_work(e: typed.Aggregate, each: int, strict: bool) -> int:
    """The steps of going on from cell to cell, beside those at which it begins."""
    if e.function != "connected":
        return 0
    assert isinstance(e.type, List) and e.type.most is not None
    return e.type.most * (visit_work(e.loops[0], each, strict) + BESIDE)


def loops_work(loops: Iterable[typed.Loop], body: int, strict: bool) -> int:
    """The steps of loops around a body that takes so many."""
    total = body
    for loop in reversed(list(loops)):
        each = visit_work(loop, total, strict)
        total = work(loop.collection, strict) + each * count(loop.collection.type, strict)
    return total


def visit_work(loop: typed.Loop, inside: int, strict: bool) -> int:
    """The steps of one round of a loop."""
    return 1 + inside + (work(loop.condition, strict) if loop.condition is not None else 0)


def _elements(type_: Type, strict: bool) -> int:
    """The elements of a collection, those of lists in a list too."""
    if not isinstance(type_, (List, Grid, Set)):
        return 0
    inner = _elements(type_.of, strict) if isinstance(type_, List) else 0
    return count(type_, strict) * max(1, inner)


def _goes_through(e: Typed, part: Typed) -> bool:
    if isinstance(e, (typed.Element, typed.Let, typed.IfElse)):
        return False
    function = FUNCTIONS.get(e.function) if isinstance(e, typed.Call) else None
    if function is not None:
        return function.visits
    return isinstance(e, typed.Call) or not isinstance(part.type, Set)
