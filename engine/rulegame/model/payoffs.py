"""The payoffs that the end rules of a ruleset can pay, by their types."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Final, NamedTuple

from rulegame.language import typed
from rulegame.language.typed import Typed
from rulegame.language.types import Int, List, Type
from rulegame.model import Ruleset, Verdict

MOST: Final = 1 << 53  # floats represent every whole number below


class PayoffRange(NamedTuple):
    """The least and the greatest payoff; None where the types give no bound."""

    low: Fraction | None
    high: Fraction | None


WIN_OR_LOSS: Final = PayoffRange(Fraction(-1), Fraction(1))


def verdicts(ruleset: Ruleset) -> tuple[Verdict, ...]:
    """What each rule that ends a game means: being stuck, alone or all, then the end rules."""
    stuck = ruleset.stuck
    return (stuck.verdict, stuck.all_verdict, *(rule.verdict for rule in ruleset.end))


def payoff_range(verdict: Verdict, seat: int, unit: Fraction) -> PayoffRange:
    """What one end rule can pay a seat."""
    if verdict.score is not None:
        low, high = _bounds(verdict.score.type)
    elif verdict.payoff is not None:
        low, high = _item_range(verdict.payoff, seat)
    else:
        return WIN_OR_LOSS
    return PayoffRange(
        None if low <= -MOST else low * unit,
        None if high >= MOST else high * unit,
    )


def possible_payoffs(ruleset: Ruleset, seat: int) -> PayoffRange:
    """What the rules can pay a seat; play that never ends pays nothing."""
    low, high = union(payoff_range(verdict, seat, ruleset.unit) for verdict in verdicts(ruleset))
    return PayoffRange(
        None if low is None else min(Fraction(0), low),
        None if high is None else max(Fraction(0), high),
    )


def union(ranges: Iterable[PayoffRange]) -> PayoffRange:
    """The least range that contains some ranges."""
    lows, highs = zip(*ranges, strict=True)
    return PayoffRange(
        None if None in lows else min(lows),
        None if None in highs else max(highs),
    )


def _item_range(payoff: Typed, seat: int) -> tuple[int, int]:
    match payoff:
        case typed.ListLiteral(items=items) if seat < len(items):
            type_ = items[seat].type
        case typed.IfElse(then=then, otherwise=otherwise):
            (low, high), (least, most) = _item_range(then, seat), _item_range(otherwise, seat)
            return min(low, least), max(high, most)
        case typed.Let(body=body):
            return _item_range(body, seat)
        case _:
            type_ = payoff.type.of if isinstance(payoff.type, List) else payoff.type
    return _bounds(type_)


def _bounds(type_: Type) -> tuple[int, int]:
    return (type_.low, type_.high) if isinstance(type_, Int) else (-MOST, MOST)
