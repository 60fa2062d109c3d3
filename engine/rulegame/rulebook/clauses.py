"""Conditions in English, and their opposites: `your score is at least 100`."""

from __future__ import annotations

from typing import Final

from rulegame.language import typed
from rulegame.language.typed import Loop, Typed
from rulegame.language.types import (
    NONE_CODE,
    Bool,
    Grid,
    Int,
    List,
    Nothing,
    Optional,
    PlayerType,
    Set,
)
from rulegame.rulebook.markup import and_list
from rulegame.rulebook.nouns import article
from rulegame.rulebook.phrases import (
    MIRRORED,
    OPPOSITE,
    RELATIONS,
    NoWords,
    Phrases,
    is_numbered,
    joined_apart,
    loop_name,
    plural,
    which,
)

EMPTY: Final = (("==", 0), ("<=", 0), ("<", 1))  # what says that there is none, and that there is
FILLED: Final = (("!=", 0), (">", 0), (">=", 1))
FLAT: Final = (typed.Compare, typed.Membership, typed.Value, typed.Local, typed.Element)


def clause(w: Phrases, part: Typed, holds: bool) -> str:
    """A condition that is already folded, or its opposite."""
    match part:
        case typed.Constant(code=truth):
            return "this is always so" if bool(truth) == holds else "this is never so"
        case typed.Compare(operands=operands, relations=relations):
            return _comparison(w, operands, relations, holds)
        case typed.Membership(element=element, collection=collection):
            return _membership(w, element, collection, holds)
        case typed.Not(operand=operand):
            return w.condition(operand, not holds)
        case typed.BoolOp(operator=operator, operands=operands):
            return _junction(w, operator, operands, holds)
        case typed.IfElse(condition=condition, then=then, otherwise=otherwise):
            first = f"{joined_apart(w.condition(then, holds))} if {w.condition(condition)}"
            return f"({first}, otherwise {joined_apart(w.condition(otherwise, holds))})"
        case typed.Aggregate(function="any" | "all" as function, body=body, loops=loops):
            return _quantified(w, function, body, loops, holds)
        case typed.Call(function="inside", arguments=(typed.Value() as grid, row, column)):
            has = "has" if holds else "does not have"
            return f"{w.value(grid)} {has} a cell in {w.cell((row, column))}"
        case typed.Call(function="can_move", arguments=(player,)):
            again = " again" if isinstance(player, typed.Seat) and player.which == "me" else ""
            can = "can" if holds else "cannot"
            return f"{w.operand(player)} {can} move{again} after it"
        case typed.Value() | typed.Local() | typed.Element():
            return f"{w.value(part)} is {'true' if holds else 'false'}"
    raise NoWords


# ---- comparisons


def _comparison(
    w: Phrases, operands: tuple[Typed, ...], relations: tuple[str, ...], holds: bool
) -> str:
    if len(relations) == 1:
        return _relation(w, operands[0], relations[0], operands[1], holds)
    if relations == ("<=", "<=") and len(operands) == 3:
        return _between(w, operands[1], operands[0], operands[2], holds)
    pairs = zip(operands, relations, operands[1:], strict=False)
    said = [_relation(w, left, relation, right, holds) for left, relation, right in pairs]
    return _together([joined_apart(one) for one in said], "and" if holds else "or")


def _relation(w: Phrases, left: Typed, relation: str, right: Typed, holds: bool) -> str:
    left, right = w.folded(left), w.folded(right)
    if not holds:
        relation = OPPOSITE[relation]
    if isinstance(left, typed.Constant) and not isinstance(right, typed.Constant):
        left, right, relation = right, left, MIRRORED[relation]
    if isinstance(left, typed.Seat) and isinstance(right, (typed.Element, typed.Value)):
        left, right, relation = right, left, MIRRORED[relation]
    _check_comparable(left, right)
    if isinstance(left.type, Bool):
        assert isinstance(right, typed.Constant)
        return w.condition(left, bool(right.code) == (relation == "=="))
    if isinstance(left, typed.Call) and left.function == "size":
        had = _having(w, left.arguments[0], relation, right)
        if had is not None:
            return had
    if isinstance(left, typed.Aggregate) and left.function == "count":
        counted = _counted(w, left, relation, right)
        if counted is not None:
            return counted
    subject = w.plain(left)
    verb = "are" if w.is_plural(left) else "is"
    if relation in ("==", "!="):
        return f"{subject} {verb} {_equal(w, left, right, relation == '==')}"
    return f"{subject} {verb} {RELATIONS[relation]} {w.plain(right)}"


def _check_comparable(left: Typed, right: Typed) -> None:
    """There are no words for collections that are alike, nor for conditions that are."""
    for part in (left, right):
        if isinstance(part.type, (List, Set, Grid)):
            raise NoWords
        if isinstance(part.type, Optional) and isinstance(part.type.of, (Bool, List, Set)):
            raise NoWords
    truths = [isinstance(part.type, Bool) for part in (left, right)]
    if any(truths) and not (truths[0] and isinstance(right, typed.Constant)):
        raise NoWords


def _equal(w: Phrases, left: Typed, right: Typed, equal: bool) -> str:
    """What something is, or is not."""
    no = "" if equal else "not "
    cell = isinstance(left, (typed.Element, typed.Local)) and isinstance(left.type, Optional)
    if _is_none(right):
        if cell:
            return "empty" if equal else "taken"
        return "not set" if equal else "set"
    if _holds_players(left) and cell and w.is_atom(right):
        return no + _owned(w.value(right))
    if isinstance(right, typed.Constant) and isinstance(right.type, Int) and equal:
        return f"exactly {w.value(right)}"
    return no + w.plain(right)


def _is_none(part: Typed) -> bool:
    return isinstance(part.type, Nothing) or (
        isinstance(part, typed.Constant) and part.code == NONE_CODE
    )


def _holds_players(part: Typed) -> bool:
    of = part.type.of if isinstance(part.type, Optional) else part.type
    return isinstance(of, PlayerType)


def _owned(player: str) -> str:
    """Whose something is."""
    return "yours" if player == "you" else f"{player}'s"


def _having(w: Phrases, collection: Typed, relation: str, right: Typed) -> str | None:
    """`you have no numbers left`, of how many elements a player's set has."""
    if not (isinstance(collection, typed.Value) and isinstance(collection.type, Set)):
        return None
    if collection.owner is None or not isinstance(right, typed.Constant):
        return None
    if not w.is_plural(collection):  # a hand, which has something in it or not
        if (relation, right.code) in EMPTY:
            return f"{w.value(collection)} is empty"
        return f"{w.value(collection)} is not empty" if (relation, right.code) in FILLED else None
    if not w.is_now(collection):
        return None
    owner = w.value(collection.owner)
    has = f"{owner} {'have' if owner == 'you' else 'has'}"
    noun = w.names.noun(collection.variable).text
    if (relation, right.code) in EMPTY:
        if owner == "every player":
            return f"no player has any {noun} left"
        if owner == "no player":
            return f"every player has {noun} left"
        return f"{has} no {noun} left"
    if (relation, right.code) in FILLED:
        if owner == "no player":
            return f"no player has any {noun} left"
        return f"{has} {noun} left"
    words = {**RELATIONS, "==": "exactly", "<": "fewer than", ">": "more than"}
    if relation not in words:
        return None
    return f"{has} {words[relation]} {right.code} {noun} left"


def _counted(w: Phrases, count: typed.Aggregate, relation: str, right: Typed) -> str | None:
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
    if condition is None or isinstance(w.folded(condition), typed.Constant):
        return None
    number = right.code
    some = typed.Aggregate(Bool(), "any", condition, (loop.replace(condition=None),), loop.place)
    if (relation, number) in FILLED:
        return w.condition(some)
    if (relation, number) in EMPTY:
        return w.condition(some, False)
    amounts = {"==": "exactly", "<": "fewer than", ">": "more than", "<=": "at most"}
    if relation == "!=":
        return None
    noun, where = w.kind(loop)
    many = f"{amounts.get(relation, 'at least')} {number}"
    whose = w.whose(loop, condition)
    if whose is not None and not where:
        return f"there are {many} {plural(noun)} whose {whose}"
    inner = w.inside(loop, noun)
    one = f"{plural(noun)} {loop_name(loop)}{where}" if is_numbered(noun) else plural(noun) + where
    return f"there are {many} {one} {which(noun)} {joined_apart(inner.condition(condition))}"


def _between(w: Phrases, middle: Typed, low: Typed, high: Typed, holds: bool) -> str:
    verb = "are" if w.is_plural(middle) else "is"
    subject, least, most = w.plain(middle), w.operand(low), w.operand(high)
    if holds:
        return f"{subject} {verb} from {least} to {most}"
    return f"{subject} {verb} below {least} or above {most}"


def _membership(w: Phrases, element: Typed, collection: Typed, holds: bool) -> str:
    inside, element = w.folded(collection), w.folded(element)
    if isinstance(inside, typed.Range):
        return _between(w, element, inside.low, inside.high, holds)
    _check_comparable(element, element)
    subject = w.plain(element)
    verb = "are" if w.is_plural(element) else "is"
    if isinstance(inside, typed.ListLiteral) and inside.items and not w.is_everyone(inside):
        return f"{subject} {verb} {_one_of(w, inside.items, holds)}"
    if not isinstance(inside, typed.Value) or isinstance(inside.type, Grid):
        raise NoWords
    among = "among" if w.is_plural(inside) else "in"
    return f"{subject} {verb} {'' if holds else 'not '}{among} {w.value(inside)}"


def _one_of(w: Phrases, items: tuple[Typed, ...], holds: bool) -> str:
    """`1 or 3`, `neither 1 nor 3`, `none of 1, 2 and 3`."""
    if any(_is_none(w.folded(item)) for item in items):
        raise NoWords
    if holds:
        return w.listed(items, "or")
    if len(items) == 1:
        return f"not {w.operand(items[0])}"
    if len(items) == 2:
        return f"neither {w.operand(items[0])} nor {w.operand(items[1])}"
    return f"none of {w.listed(items, 'and')}"


# ---- several conditions


def _junction(w: Phrases, operator: str, operands: tuple[Typed, ...], holds: bool) -> str:
    word = operator if holds else {"and": "or", "or": "and"}[operator]
    return _together([joined_apart(w.condition(one, holds)) for one in operands], word)


def _together(said: list[str], word: str) -> str:
    return f" {word} ".join(said) if len(said) == 2 else and_list(said, word)


def _quantified(
    w: Phrases, function: str, body: Typed, loops: tuple[Loop, ...], holds: bool
) -> str:
    """`every cell of the board is taken`, `there is a number i from 1 to 3 such that …`."""
    loop, rest = loops[0], loops[1:]
    inner: Typed = typed.Aggregate(body.type, function, body, rest, loop.place) if rest else body
    noun, where = w.kind(loop)
    exists = (function == "any") == holds  # otherwise something holds of all
    if not rest and loop.condition is None and _is_subject(w, loop, body, bool(where)):
        return _about_each(w, loop, body, exists, holds)
    named = w.inside(loop, noun)
    one = f"{noun} {loop_name(loop)}{where}" if is_numbered(noun) else noun + where
    if loop.condition is not None:
        one += f" {which(noun)} {joined_apart(named.condition(loop.condition))}"
    if exists:
        return f"there is {article(one)} such that {named.condition(inner, holds)}"
    if function == "any":
        return f"there is no {one} such that {named.condition(inner)}"
    return f"for every {one}, {named.condition(inner)}"


def _about_each(w: Phrases, loop: Loop, body: Typed, exists: bool, holds: bool) -> str:
    """`no player's score is above 3`: the element is what the condition is about."""
    noun, where = w.kind(loop)
    body = w.folded(body)
    if exists:
        return w.knowing(loop.name, f"at least one {noun}{where}").condition(body, holds)
    # It holds of all; of what is not so, it is plainer that it is so of none.
    none = _is_negative(w, body) == holds
    known = w.knowing(loop.name, f"{'no' if none else 'every'} {noun}{where}")
    return known.condition(body, holds != none)


def _is_negative(w: Phrases, body: Typed) -> bool:
    """Whether the words for a condition have a `not` in them."""
    match body:
        case typed.Compare(operands=(_, right), relations=("!=",)):
            return not _is_none(w.folded(right))
    return False


def _is_subject(w: Phrases, loop: Loop, body: Typed, long: bool) -> bool:
    """Whether the element is named once, at the beginning of a plain condition: it is what the
    condition is about, or (if its name is short) the owner of that.
    """
    body = w.folded(body)
    mentions = [p.name for p in typed.every_part(body) if isinstance(p, typed.Local)]
    if mentions.count(loop.name) != 1 or not isinstance(body, FLAT):
        return False
    subject: Typed = body
    if isinstance(body, typed.Compare):
        if len(body.relations) > 1:
            return False
        subject = w.folded(body.operands[0])
    elif isinstance(body, typed.Membership):
        subject = w.folded(body.element)
    if isinstance(subject, typed.Call) and subject.function == "size":
        subject = subject.arguments[0]
    if isinstance(subject, typed.Value) and subject.owner is not None and not long:
        subject = w.folded(subject.owner)
    return isinstance(subject, typed.Local) and subject.name == loop.name
