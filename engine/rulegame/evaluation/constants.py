"""Evaluates expressions that need no state. The compiler is imported when one is no constant."""

from __future__ import annotations

from typing import Any

from rulegame.language.typed import Constant, Typed


def evaluate(expression: Typed, players: int, me: int = 0) -> int | bool | str | tuple[Any, ...]:
    """The value of an expression that needs no state."""
    if isinstance(expression, Constant):
        return expression.code
    from rulegame.evaluation.evaluator import compile_stateless

    return compile_stateless(expression, players)((), (), me, ())
