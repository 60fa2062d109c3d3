"""Conditions in English, and their opposites: `your score is at least 100`."""

from __future__ import annotations

import re
from typing import Final

from rulegame.expressions import typed
from rulegame.expressions.typed import Loop, Typed
from rulegame.rulebook.marks import and_list
from rulegame.rulebook.nouns import article
from rulegame.rulebook.phrases import MIRRORED, OPPOSITE, RELATIONS, Wording, head, plural, which
from rulegame.types import NONE_CODE, Bool, Int, Nothing, Optional, Player, Set

JOINED: Final = re.compile(r",| and | or ")  # clauses in which another one would be lost
EMPTY: Final = (("==", 0), ("<=", 0), ("<", 1))  # what says that there is none, and that there is
FILLED: Final = (("!=", 0), (">", 0), (">=", 1))
FLAT: Final = (typed.Comparison, typed.Membership, typed.Value, typed.Local, typed.Element)


def clause(w: Wording, part: Typed, holds: bool) -> str:
    """A condition that is already folded, or its opposite."""
    match part:
        case typed.Constant(code=truth):
            return "this is always so" if bool(truth) == holds else "this is never so"
        case typed.Comparison(operands=operands, relations=relations):
            return _comparison(w, operands, relations, holds)
        case typed.Membership(element=element, collection=collection):
            return _membership(w, element, collection, holds)
        case typed.Negation(operand=operand):
            return w.condition(operand, not holds)
        case typed.Junction(operator=operator, operands=operands):
            return _junction(w, operator, operands, holds)
        case typed.Conditional(condition=condition, then=then, otherwise=otherwise):
            first = f"{w.condition(then, holds)} if {w.condition(condition)}"
            return f"({first}, and otherwise {w.condition(otherwise, holds)})"
        case typed.Aggregate(function="any" | "all" as function, body=body, loops=loops):
            return _quantified(w, function, body, loops, holds)
        case typed.Apply(function="inside", arguments=(grid, row, column)):
            has = "has" if holds else "does not have"
            cell = w.element(grid, (row, column)).removeprefix("the cell in ")
            return f"{w.value(grid)} {has} a cell in {cell.rpartition(' of ')[0]}"
        case typed.Apply(function="any" | "all" as function, arguments=(collection,)):
            of = "at least one" if (function == "any") == holds else "every one"
            if not holds:
                return f"{of} of {w.value(collection)} is false"
            return f"{of} of {w.value(collection)} is true"
        case typed.Let(name=name, value=value, body=body):
            return w.knowing(**{name: w.value(value)}).condition(body, holds)
    return f"{w.value(part)} is {'true' if holds else 'false'}"


# ---- comparisons


def _comparison(
    w: Wording, operands: tuple[Typed, ...], relations: tuple[str, ...], holds: bool
) -> str:
    if len(relations) == 1:
        return _relation(w, operands[0], relations[0], operands[1], holds)
    if relations == ("<=", "<=") and len(operands) == 3:
        return _between(w, operands[1], operands[0], operands[2], holds)
    pairs = zip(operands, relations, operands[1:], strict=False)
    said = [_relation(w, left, relation, right, holds) for left, relation, right in pairs]
    return and_list(said, "and" if holds else "or")


def _relation(w: Wording, left: Typed, relation: str, right: Typed, holds: bool) -> str:
    left, right = w.folded(left), w.folded(right)
    if not holds:
        relation = OPPOSITE[relation]
    if isinstance(left, typed.Constant) and not isinstance(right, typed.Constant):
        left, right, relation = right, left, MIRRORED[relation]
    if isinstance(left, typed.Seat) and isinstance(right, (typed.Element, typed.Value)):
        left, right, relation = right, left, MIRRORED[relation]
    if isinstance(left, typed.Apply) and left.function == "size":
        had = _having(w, left.arguments[0], relation, right)
        if had is not None:
            return had
    if isinstance(left, typed.Aggregate) and left.function == "count":
        counted = _counted(w, left, relation, right)
        if counted is not None:
            return counted
    subject = w.value(left)
    verb = "are" if w.is_plural(left) else "is"
    if relation in ("==", "!="):
        return f"{subject} {verb} {_equal(w, left, right, relation == '==')}"
    return f"{subject} {verb} {RELATIONS[relation]} {w.value(right)}"


def _equal(w: Wording, left: Typed, right: Typed, equal: bool) -> str:
    """What something is, or is not."""
    no = "" if equal else "not "
    cell = isinstance(left, (typed.Element, typed.Local)) and isinstance(left.type, Optional)
    if isinstance(right.type, Nothing) or (
        isinstance(right, typed.Constant) and right.code == NONE_CODE
    ):
        if cell:
            return "empty" if equal else "taken"
        return "not set" if equal else "set"
    if _holds_players(left) and cell:
        return no + _owned(w.value(right))
    if isinstance(right, typed.Constant) and isinstance(right.type, Int) and equal:
        return f"exactly {w.value(right)}"
    return no + w.value(right)


def _holds_players(part: Typed) -> bool:
    of = part.type.of if isinstance(part.type, Optional) else part.type
    return isinstance(of, Player)


def _owned(player: str) -> str:
    """Whose something is."""
    return "yours" if player == "you" else f"{player}'s"


def _having(w: Wording, collection: Typed, relation: str, right: Typed) -> str | None:
    """`you have no numbers left`, of how many elements a player's set has."""
    if not (isinstance(collection, typed.Value) and isinstance(collection.type, Set)):
        return None
    if collection.owner is None or not isinstance(right, typed.Constant):
        return None
    if not w.is_plural(collection):  # a hand, which has something in it or not
        if (relation, right.code) in EMPTY:
            return f"{w.value(collection)} is empty"
        return f"{w.value(collection)} is not empty" if (relation, right.code) in FILLED else None
    owner = w.value(collection.owner)
    has = f"{owner} {'have' if owner == 'you' else 'has'}"
    noun = w.names.noun(collection.variable).text
    if (relation, right.code) in EMPTY:
        if owner == "every player":
            return f"no player has any {noun} left"
        return f"{has} no {noun} left"
    if (relation, right.code) in FILLED:
        return f"{has} {noun} left"
    words = {**RELATIONS, "==": "exactly", "<": "fewer than", ">": "more than"}
    if relation not in words:
        return None
    return f"{has} {words[relation]} {right.code} {noun} left"


def _counted(w: Wording, count: typed.Aggregate, relation: str, right: Typed) -> str | None:
    """`there are at least 2 players whose gold is exactly 0`."""
    if len(count.loops) != 1 or not isinstance(right, typed.Constant):
        return None
    loop, body = count.loops[0], w.folded(count.body)
    if isinstance(body.type, Bool):
        if loop.condition is not None:
            return None
        condition: Typed | None = body
    else:
        condition = loop.condition
    if condition is None:
        return None
    number = right.code
    if (relation, number) in FILLED:
        return w.condition(typed.Aggregate(Bool(), "any", condition, (_bare(loop),), loop.place))
    if (relation, number) in EMPTY:
        some = typed.Aggregate(Bool(), "any", condition, (_bare(loop),), loop.place)
        return w.condition(some, False)
    amounts = {"==": "exactly", "<": "fewer than", ">": "more than", "<=": "at most"}
    if relation == "!=":
        return None
    noun, where = w.kind(loop)
    many = f"{amounts.get(relation, 'at least')} {number}"
    whose = w.whose(loop, condition)
    if whose is not None and not where:
        return f"there are {many} {plural(noun)} whose {whose}"
    name = loop.name.partition("_")[2] or loop.name
    numbered = noun in ("number", "element")
    inner = w.knowing(**{loop.name: name if numbered else _short(noun)})
    one = f"{plural(noun)} {name}{where}" if numbered else plural(noun) + where
    return f"there are {many} {one} {which(noun)} {inner.condition(condition)}"


def _bare(loop: Loop) -> Loop:
    return loop.replace(condition=None)


def _between(w: Wording, middle: Typed, low: Typed, high: Typed, holds: bool) -> str:
    verb = "are" if w.is_plural(middle) else "is"
    if holds:
        return f"{w.value(middle)} {verb} between {w.value(low)} and {w.value(high)}"
    return f"{w.value(middle)} {verb} below {w.value(low)} or above {w.value(high)}"


def _membership(w: Wording, element: Typed, collection: Typed, holds: bool) -> str:
    inside = w.folded(collection)
    if isinstance(inside, typed.Interval):
        return _between(w, element, inside.low, inside.high, holds)
    verb = "are" if w.is_plural(element) else "is"
    no = "" if holds else "not "
    if isinstance(inside, typed.Row):
        words = and_list([w.value(item) for item in inside.items], "or")
        return f"{w.value(element)} {verb} {no}{words}"
    among = "among" if w.is_plural(inside) or not isinstance(inside, typed.Value) else "in"
    return f"{w.value(element)} {verb} {no}{among} {w.value(inside)}"


# ---- several conditions


def _junction(w: Wording, operator: str, operands: tuple[Typed, ...], holds: bool) -> str:
    word = operator if holds else {"and": "or", "or": "and"}[operator]
    said = []
    for operand in operands:
        text = w.condition(operand, holds)
        flat = isinstance(w.folded(operand), FLAT)
        clear = flat or not JOINED.search(text) or _enclosed(text)
        said.append(text if clear else f"({text})")
    return f" {word} ".join(said) if len(said) == 2 else and_list(said, word)


def _enclosed(text: str) -> bool:
    """Whether one pair of parentheses holds it all."""
    depth = [text[: n + 1].count("(") - text[: n + 1].count(")") for n in range(len(text))]
    return text.startswith("(") and all(d > 0 for d in depth[:-1]) and not depth[-1]


def _quantified(
    w: Wording, function: str, body: Typed, loops: tuple[Loop, ...], holds: bool
) -> str:
    """`every cell of the board is taken`, `there is a number i from 1 to 3 such that …`."""
    loop, rest = loops[0], loops[1:]
    inner: Typed = typed.Aggregate(body.type, function, body, rest, loop.place) if rest else body
    noun, where = w.kind(loop)
    some = function == "any"
    if not rest and loop.condition is None and _is_subject(w, loop, body, bool(where)):
        quantity = ("no" if some else "at least one", "at least one" if some else "every")[holds]
        known = w.knowing(**{loop.name: f"{quantity} {noun}{where}"})
        return known.condition(body, holds or some)
    name = loop.name.partition("_")[2] or loop.name
    numbered = noun in ("number", "element")
    named = w.knowing(**{loop.name: name if numbered else _short(noun)})
    one = f"{noun} {name}{where}" if numbered else noun + where
    if loop.condition is not None:
        one += f" {which(noun)} {named.condition(loop.condition)}"
    if some == holds:
        return f"there is {article(one)} such that {named.condition(inner, holds)}"
    if some:
        return f"there is no {one} such that {named.condition(inner)}"
    return f"for every {one}, {named.condition(inner)}"


def _short(noun: str) -> str:
    """How an element is named once it has been introduced: `that line`."""
    return f"that {head(noun)}"


def _is_subject(w: Wording, loop: Loop, body: Typed, long: bool) -> bool:
    """Whether the element is named once, at the beginning of a plain condition: it is what the
    condition is about, or (if its name is short) the owner of that.
    """
    body = w.folded(body)
    mentions = [p.name for p in typed.every_part(body) if isinstance(p, typed.Local)]
    if mentions.count(loop.name) != 1 or not isinstance(body, FLAT):
        return False
    subject: Typed = body
    if isinstance(body, typed.Comparison):
        subject = body.operands[0]
    elif isinstance(body, typed.Membership):
        subject = body.element
    if isinstance(subject, typed.Apply) and subject.function == "size":
        subject = subject.arguments[0]
    if isinstance(subject, typed.Value) and subject.owner is not None and not long:
        subject = subject.owner
    return isinstance(subject, typed.Local) and subject.name == loop.name
