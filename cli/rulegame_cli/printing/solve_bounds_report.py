"""What can be forced within so many moves, as `rulegame solve --depth` prints it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rulegame.wording import counted
from rulegame_cli.printing.terminal import one_line

if TYPE_CHECKING:
    from rulegame.game import Move
    from rulegame.solving.deepening import DepthBounds, ValueBounds


def as_data(found: DepthBounds, top: int | None) -> dict[str, Any]:
    """The bounds as JSON has them."""
    options = [{"move": move.text, **_data(bounds)} for move, bounds in ranked(found)[:top]]
    about = {"depth": found.depth, "positions": found.positions}
    return {**about, **_data(found.bounds), "options": options}


def _data(bounds: ValueBounds) -> dict[str, Any]:
    return {
        "lower": bounds.lower,
        "upper": bounds.upper,
        "lower_within": bounds.lower_within,
        "upper_within": bounds.upper_within,
        "exact": bounds.is_settled,
    }


def report(found: DepthBounds, top: int | None) -> Iterator[str]:
    """The bounds for people to read."""
    game = found.state.game
    yield one_line(game.ruleset.title)
    steps = "moves and rolls" if found.has_chance else "moves"
    yield f"Looked {found.depth} {steps} ahead, at {counted(found.positions, 'position')}"
    yield ""
    names = one_line(game.players[found.first]), one_line(game.players[1 - found.first])
    yield from _verdict(found, names)
    options = ranked(found)
    if options:
        yield ""
        rolled = found.mover < 0
        yield "What the first roll is worth:" if rolled else "Opening moves, best first:"
        shown = options[:top]
        width = max(len(one_line(move.text)) for move, _ in shown)
        for move, bounds in shown:
            yield f"  {one_line(move.text).ljust(width)}  {_worth(found, bounds)}"
        if len(shown) < len(options):
            yield f"  … and {len(options) - len(shown)} more"


def _verdict(found: DepthBounds, names: tuple[str, str]) -> Iterator[str]:
    first, second = f"{names[0]}, who moves first,", f"{names[1]}, who moves second,"
    low, high = found.bounds.lower, found.bounds.upper
    if low == 1:
        yield f"{first} can force a win within {_steps(found, found.bounds.lower_within)}."
    elif high == -1:
        yield f"{second} can force a win within {_steps(found, found.bounds.upper_within)}."
    elif found.has_chance:
        yield f"The value for {first} lies between {low!r} and {high!r}."
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


def _steps(found: DepthBounds, count: int) -> str:
    return f"{count} moves and rolls" if found.has_chance else counted(count, "move")


def _worth(found: DepthBounds, bounds: ValueBounds) -> str:
    """What a move is worth to who makes it."""
    low, high = bounds.lower, bounds.upper
    within = bounds.lower_within, bounds.upper_within
    if found.mover == 1 - found.first and not found.has_chance:
        low, high, within = -high, -low, within[::-1]
    if low == high == 1:
        return f"wins within {within[0]}"
    if low == high == -1:
        return f"loses within {within[1]}"
    if found.has_chance:
        return f"{low:+.10f} to {high:+.10f}"
    if low == high:
        return f"draw within {max(within)}"
    if low == 0:
        return f"draw or win, within {within[0]}"
    return f"draw or loss, within {within[1]}" if high == 0 else "open"


def ranked(found: DepthBounds) -> list[tuple[Move, ValueBounds]]:
    """The moves, best first; rolls in their own order."""
    if found.mover < 0:
        return list(found.options)
    sign = -1 if found.mover == found.first else 1

    def rank(option: tuple[Move, ValueBounds]) -> tuple[float, int]:
        bounds = option[1]
        won = bounds.lower == 1 if sign < 0 else bounds.upper == -1
        away = max(bounds.lower_within, bounds.upper_within)
        hurry = away if won else -away
        return sign * (bounds.lower + bounds.upper), hurry

    return sorted(found.options, key=rank)
