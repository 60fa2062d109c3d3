"""Evaluates expressions that need no state. The compiler is imported for the first one that is
neither a constant nor an element of a list of constants, as `players[1]` is.
"""

from __future__ import annotations

from typing import Any

from rulegame.language.typed import Constant, Element, ListLiteral, Typed

Value = int | bool | str | tuple[Any, ...]


def evaluate(expression: Typed, players: int, me: int = 0) -> Value:
    """The value of an expression that needs no state."""
    match expression:
        case Constant(code=code):
            return code
        case Element(base=ListLiteral(items=items), indices=(Constant(code=at),)) if 1 <= at <= len(
            items
        ) and isinstance(items[at - 1], Constant):
            return evaluate(items[at - 1], players)
    from rulegame.evaluation.evaluator import compile_stateless

    return compile_stateless(expression, players)((), (), me, ())
