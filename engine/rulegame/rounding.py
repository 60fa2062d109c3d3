"""Bounds of values as reports write them: rounded outward, so that they still hold."""

from __future__ import annotations

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from math import isfinite
from typing import Final

DIGITS: Final = 10  # of a bound, or decimals of one below 1
NEAR: Final = 1e-9  # bounds that are relatively so close differ by rounding only


def bounds_text(low: float, high: float) -> str:
    """`between 1 and 3`, or a number and how far it may be off."""
    return near_text(low, high) or f"between {floor_text(low)} and {ceiling_text(high)}"


def near_text(low: float, high: float) -> str | None:
    """Bounds that only rounding keeps apart, as a number and how far it may be off."""
    if not (isfinite(low) and high - low <= NEAR * max(1.0, abs(low))):
        return None
    value = float(f"{(low + high) / 2:.10g}") + 0.0
    off = max(value - low, high - value)
    return f"{value:.10g} ± {1.05 * off:.1e}"


def floor_text(value: float) -> str:
    """A lower bound, rounded down."""
    return _rounded(value, ROUND_FLOOR)


def ceiling_text(value: float) -> str:
    """An upper bound, rounded up."""
    return _rounded(value, ROUND_CEILING)


def _rounded(value: float, rounding: str) -> str:
    if not isfinite(value):
        return f"{value:g}"
    exact = Decimal(value)
    digits = Decimal(1).scaleb(
        min(0, exact.adjusted() - DIGITS + 1) if abs(exact) >= 1 else -DIGITS
    )
    with localcontext(prec=max(60, exact.adjusted() + 2)):
        found = exact.quantize(digits, rounding)
    return f"{found:f}".rstrip("0").rstrip(".") if digits < 1 else f"{found:f}"
