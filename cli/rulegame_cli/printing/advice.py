"""Hints as lines: the best moves, and what each move is worth."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import inf
from typing import TYPE_CHECKING, Final, NamedTuple

from rulegame.wording import counted

if TYPE_CHECKING:
    from rulegame.game import View
    from rulegame.players.advice import Advice, RatedMove

MOST_MOVES: Final = 40  # in the answer to `hint`
LEAST: Final = 1  # move, however little room there is
MOST_BEST: Final = 8


def advice_lines(advice: Advice) -> Iterator[str]:
    """The best moves, and each move with what is known of it."""
    best = ", ".join(move.text for move in advice.best[:MOST_BEST])
    if len(advice.best) > MOST_BEST:
        best += f" and {len(advice.best) - MOST_BEST} more"
    yield f"Best: {best} ({advice.origin})" if best else "No best move was found."
    shown = _listed(advice)
    width = max((len(worth.move.text) for worth in shown), default=0)
    for worth in shown:
        mark = "*" if worth.move in advice.best else " "
        yield f"{mark} {worth.move.text:<{width}}  {worth.text}".rstrip()
    if len(shown) < len(advice.worths):
        yield f"  ... and {len(advice.worths) - len(shown)} more"
    if advice.note:
        yield advice.note


class Room(NamedTuple):
    """The columns and lines that a screen has for a hint."""

    columns: int
    lines: int

    def holds(self, texts: Sequence[str]) -> bool:
        """Whether these lines fit, broken where they are too long."""
        return sum(1 + len(text) // self.columns for text in texts) <= self.lines


def chance_lines(
    advice: Advice, view: View, names: Sequence[str], room: Room | None = None
) -> Iterator[str]:
    """The moves by their labels, with the chance to win, and what it costs not to play the best
    one; the best ones first, as many as there is `room` for, at least one. Where more than
    winning counts, what they are worth.
    """
    from rulegame.playing.telling import label_text

    worths = advice.worths
    known = [worth.value for worth in worths if worth.value is not None]
    best = max(known, default=0.0)
    percent = view.game.kernel.is_plain and len(names) > 1
    texts = {worth.move: label_text(view.game, worth.move, names) for worth in worths}
    head = f"{'Your winning chances' if percent else 'Value of each move'}, {advice.origin}:"
    ranked = _ranked(advice)[:MOST_MOVES]
    width = max((len(texts[worth.move]) for worth in ranked), default=0)
    lines = []
    for worth in ranked:
        mark = "*" if worth.move in advice.best else " "
        told = _chance(worth.value, best, percent)
        sure = f", {worth.text}" if worth.decided and told else ""
        lines.append(f"{mark} {texts[worth.move]:<{width}}  {told or worth.text}{sure}")
    remarks = [*_remarks(advice)]
    while room is not None and len(lines) > LEAST and not room.holds([head, *lines, "", *remarks]):
        lines.pop()
    yield from (head, *lines)
    if len(lines) < len(worths):
        yield f"  ... and {len(worths) - len(lines)} more"
    yield from remarks


def _remarks(advice: Advice) -> Iterator[str]:
    """What stands below the moves."""
    worths = advice.worths
    if advice.best and len(advice.best) < len(worths):
        which = "* is the best move" if len(advice.best) == 1 else "* are the best moves"
        partly = any(worth.value is None for worth in worths) and advice.source == "search"
        yield f"{which} of those that were tried." if partly else f"{which}."
    elif not advice.best:
        yield "No best move was found."
    if advice.note:
        yield advice.note


def _listed(advice: Advice) -> Sequence[RatedMove]:
    """All moves, or the best ones if there are too many to list."""
    return advice.worths if len(advice.worths) <= MOST_MOVES else _ranked(advice)[:MOST_MOVES]


def _ranked(advice: Advice) -> list[RatedMove]:
    """All moves, the best ones first."""

    def rank(rated: RatedMove) -> tuple[bool, float]:
        return rated.move not in advice.best, inf if rated.value is None else -rated.value

    return sorted(advice.worths, key=rank)


def _chance(value: float | None, best: float, percent: bool) -> str:
    """`75 %`, and what that is less than the best."""
    if value is None:
        return ""
    if not percent:
        lost = best - value
        return f"{value:+.2f}" + (f"  ({lost:.2f} worse)" if lost >= 0.005 else "")
    chance, most = round(50 * (1 + value)), round(50 * (1 + best))
    points = counted(most - chance, "point")
    return f"{chance:>3} %" + (f"  ({points} worse)" if chance < most else "")
