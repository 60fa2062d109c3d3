"""The result that can be forced within a number of moves, as `rulegame solve --depth` prints it."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal, localcontext
from math import inf, isfinite
from typing import TYPE_CHECKING, Any, Final

from rulegame.wording import counted
from rulegame_cli.printing.terminal import one_line

if TYPE_CHECKING:
    from rulegame.game import Move
    from rulegame.solving.deepening import DepthBounds, ValueBounds

NEAR: Final = 1e-9  # bounds that are relatively so close differ by rounding only
DIGITS: Final = 10  # of a bound, or decimals of one below 1


def as_data(found: DepthBounds, top: int | None) -> dict[str, Any]:
    """The bounds as JSON has them."""
    options = [{"move": move.text, **_data(bounds)} for move, bounds in ranked(found)[:top]]
    about = {"depth": found.depth, "positions": found.positions}
    return {**about, **_data(found.bounds), "options": options}


def _data(bounds: ValueBounds) -> dict[str, Any]:
    return {
        "lower": bounds.lower if isfinite(bounds.lower) else None,
        "upper": bounds.upper if isfinite(bounds.upper) else None,
        "lower_within": bounds.lower_within,
        "upper_within": bounds.upper_within,
        "exact": bounds.is_settled,
    }


def report(found: DepthBounds, top: int | None) -> Iterator[str]:
    """The bounds for people to read."""
    game = found.state.game
    yield one_line(game.ruleset.title)
    yield f"Looked {_steps(found, found.depth)} ahead, at {counted(found.positions, 'position')}"
    yield ""
    names = one_line(game.players[found.first]), one_line(game.players[1 - found.first])
    yield from _verdict(found, names)
    options = ranked(found)
    if options:
        yield ""
        rolled = found.mover < 0
        if found.is_plain and not found.has_chance:
            yield "Opening moves, best first:"
        else:
            order = "First rolls" if rolled else "Opening moves, best guarantee first"
            yield f"{order}, with the value for {names[0]}:"
        shown = options[:top]
        width = max(len(one_line(move.text)) for move, _ in shown)
        for move, bounds in shown:
            yield f"  {one_line(move.text).ljust(width)}  {_worth(found, bounds)}"
        if len(shown) < len(options):
            yield f"  … and {len(options) - len(shown)} more"


def _verdict(found: DepthBounds, names: tuple[str, str]) -> Iterator[str]:
    first, second = f"{names[0]}, who moves first,", f"{names[1]}, who moves second,"
    low, high = found.bounds.lower, found.bounds.upper
    if not found.is_plain:
        yield from _amounts(found, first, f"{names[0]} to", second)
    elif low == 1:
        yield f"{first} can force a win within {_steps(found, found.bounds.lower_within)}."
    elif high == -1:
        yield f"{second} can force a win within {_steps(found, found.bounds.upper_within)}."
    elif found.has_chance:
        yield from _amounts(found, first, f"{names[0]} to", second)
    elif low == high:
        away = max(found.bounds.lower_within, found.bounds.upper_within)
        yield f"Both sides can force a draw within {_steps(found, away)}: the value is 0."
    else:
        if low == 0:
            yield f"{first} can force a draw within {_steps(found, found.bounds.lower_within)}."
        if high == 0:
            yield f"{second} can force a draw within {_steps(found, found.bounds.upper_within)}."
        what = "a win" if 0 in (low, high) else "a win or a draw"
        yield f"Neither side can force {what} within {_steps(found, found.depth)}."


def _amounts(found: DepthBounds, first: str, held: str, second: str) -> Iterator[str]:
    """The same where ends pay amounts, or chance decides between them."""
    bounds = found.bounds
    if bounds.value is not None:
        away = max(bounds.lower_within, bounds.upper_within)
        forced = f", forced within {_steps(found, away)}" if away else ""
        yield f"The value for {first} is {bounds.value}{forced}."
        return
    within = bounds.lower_within, bounds.upper_within
    if (near := _near(bounds)) is not None:
        yield f"The value for {first} is {near}, forced within {_steps(found, max(within))}."
        return
    average = " on average" if found.has_chance else ""
    if within[0]:
        least = f"at least {floor_text(bounds.lower)}{average}"
        yield f"{first} can force {least} within {_steps(found, within[0])}."
    if within[1]:
        most = f"at most {ceiling_text(bounds.upper)}{average}"
        yield f"{second} can hold {held} {most} within {_steps(found, within[1])}."
    if not any(within):
        yield f"Neither side can force anything within {_steps(found, found.depth)}."
    yield f"The value for {first} {_between(bounds)}."


def _between(bounds: ValueBounds) -> str:
    match bounds.lower > -inf, bounds.upper < inf:
        case True, True:
            return f"is between {floor_text(bounds.lower)} and {ceiling_text(bounds.upper)}"
        case True, False:
            return f"is at least {floor_text(bounds.lower)}; the rules set no upper bound"
        case False, True:
            return f"is at most {ceiling_text(bounds.upper)}; the rules set no lower bound"
    return "has no bound: the rules pay numbers of any size"


def _near(bounds: ValueBounds) -> str | None:
    """Bounds that only rounding keeps apart, as a number and how far it may be off."""
    low, high = bounds.lower, bounds.upper
    if not high - low <= NEAR * max(1.0, abs(low)):
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
    exact = Decimal(value)
    digits = Decimal(1).scaleb(
        min(0, exact.adjusted() - DIGITS + 1) if abs(exact) >= 1 else -DIGITS
    )
    with localcontext(prec=60):
        found = exact.quantize(digits, rounding)
    return f"{found:f}".rstrip("0").rstrip(".") if digits < 1 else f"{found:f}"


def _steps(found: DepthBounds, count: int) -> str:
    return f"{count} moves and rolls" if found.has_chance else counted(count, "move")


def _worth(found: DepthBounds, bounds: ValueBounds) -> str:
    """What a move is worth to who makes it; where payoffs or chance count, to who moves first."""
    low, high = bounds.lower, bounds.upper
    within = bounds.lower_within, bounds.upper_within
    if not found.is_plain or found.has_chance:
        return _worth_amount(bounds)
    if found.mover == 1 - found.first:
        low, high, within = -high, -low, within[::-1]
    if low == high == 1:
        return f"wins within {within[0]}"
    if low == high == -1:
        return f"loses within {within[1]}"
    if low == high:
        return f"draw within {max(within)}"
    if low == 0:
        return f"draw or win, within {within[0]}"
    return f"draw or loss, within {within[1]}" if high == 0 else "open"


def _worth_amount(bounds: ValueBounds) -> str:
    """The bounds of the first mover's payoff after a move."""
    low, high = bounds.lower, bounds.upper
    within = bounds.lower_within, bounds.upper_within
    if bounds.value is not None:
        return f"{bounds.value} within {max(within)}" if any(within) else str(bounds.value)
    if not any(within):
        return "open"
    if (near := _near(bounds)) is not None:
        return f"{near} within {max(within)}"
    if low == -inf:
        return f"at most {ceiling_text(high)}, within {within[1]}"
    if high == inf:
        return f"at least {floor_text(low)}, within {within[0]}"
    return f"{floor_text(low)} to {ceiling_text(high)}, within {max(within)}"


def ranked(found: DepthBounds) -> list[tuple[Move, ValueBounds]]:
    """The moves, best first; rolls in their own order."""
    if found.mover < 0:
        return list(found.options)
    sign = -1 if found.mover == found.first else 1

    def rank(option: tuple[Move, ValueBounds]) -> tuple[float, float, int]:
        bounds = option[1]
        won = bounds.lower == 1 if sign < 0 else bounds.upper == -1
        away = max(bounds.lower_within, bounds.upper_within)
        hurry = away if won else -away
        if found.is_plain:
            return sign * (bounds.lower + bounds.upper), 0.0, hurry
        sure, possible = sorted((bounds.lower, bounds.upper), reverse=sign > 0)
        return sign * sure, sign * possible, hurry

    return sorted(found.options, key=rank)
