"""Expressions with what the parameters decide already worked out, so that a rulebook says `15` and
not how one comes to it.
"""

from __future__ import annotations

from typing import Any

from rulegame.evaluation.constants import evaluate
from rulegame.evaluation.runtime import Fault
from rulegame.language import typed
from rulegame.language.trees import Tree, rebuilt
from rulegame.language.typed import Typed
from rulegame.language.types import Grid, List, Text, known_size
from rulegame.limits import LIMITS

MOST_ITEMS = 60  # of a collection that is written out


def fold(part: Typed, players: int) -> Typed:
    """The expression with its outermost parts worked out, as far as no state is needed."""
    match part:
        case typed.Constant() | typed.TextLiteral() | typed.Local() | typed.Seat() | typed.Range():
            return part
        case typed.Call(function="size", arguments=(collection,)):
            size = known_size(collection.type)
            if size is not None:
                return typed.Constant(part.type, size)
        case typed.IfElse(condition=condition, then=then, otherwise=otherwise):
            known = fold(condition, players)
            if isinstance(known, typed.Constant):
                return fold(then if known.code else otherwise, players)
        case typed.BoolOp(operator=operator, operands=operands):
            return _junction(operator, operands, players)
        case typed.Not(operand=operand):
            known = fold(operand, players)
            if isinstance(known, typed.Constant):
                return typed.Constant(part.type, 1 - known.code)
        case typed.Let(name=name, value=value, body=body):
            return fold(replaced(body, name, value), players)
        case typed.Call(function="subsets" | "cells"):  # which have words, however few they are
            return part
    return _worked_out(part, players) if _is_closed(part) else part


def replaced(part: Typed, name: str, value: Typed) -> Typed:
    """The expression with a local replaced by a value."""

    def change(node: Tree) -> Typed | None:
        return value if isinstance(node, typed.Local) and node.name == name else None

    other: Typed = rebuilt(part, change)
    return other


def _junction(operator: Any, operands: tuple[Typed, ...], players: int) -> Typed:
    """`and` and `or` without what is always true, or always false."""
    deciding = 0 if operator == "and" else 1
    kept: list[Typed] = []
    for operand in operands:
        known = fold(operand, players)
        if not isinstance(known, typed.Constant):
            kept.append(known)
        elif known.code == deciding:
            return known
    if len(kept) == 1:
        return kept[0]
    whole = typed.BoolOp(operator, tuple(kept))
    return whole if kept else typed.Constant(whole.type, 1 - deciding)


def _is_closed(part: Typed) -> bool:
    return not any(map(_is_open, typed.every_part(part)))


def _is_open(part: Typed) -> bool:
    """Whether a part depends on the state, or has names of its own."""
    if isinstance(part, typed.Call):
        return part.function in ("can_move", "repetitions")
    return isinstance(part, (typed.Value, typed.Local, typed.Seat, typed.Aggregate, typed.Let))


def _worked_out(part: Typed, players: int) -> Typed:
    if isinstance(part.type, (Grid, Text)) or (known_size(part.type) or 0) > LIMITS.moves:
        return part
    try:
        value = evaluate(part, players)
    except Fault:
        return part
    if isinstance(part.type, List):
        of = part.type.of
        if not isinstance(value, (tuple, list, range)) or isinstance(of, List):
            return part
        if len(value) > MOST_ITEMS:
            return part
        return typed.ListLiteral(part.type, tuple(typed.Constant(of, item) for item in value))
    return typed.Constant(part.type, value) if isinstance(value, int) else part
