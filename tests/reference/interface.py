"""The interface that every reference game shares, and what they have in common.

A module of this package implements one game and has a function ``start(first=0, ...)`` that
returns the first position. Seats are 0 and 1. A stuck player's pass or loss happens by itself,
so a position is always a decision, a chance event or over. End rules are checked after a move,
never before the first one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal, Protocol, TypeVar

Turn = int | Literal["chance"] | None
Item = TypeVar("Item")


@dataclass(frozen=True)
class Result:
    """How a game ended, and the rule that ended it; a draw has no winners and no losers.

    Winners get 1 and losers -1, unless the game says otherwise.
    """

    winners: tuple[int, ...]
    losers: tuple[int, ...]
    draw: bool
    rule: str
    payoffs: tuple[int | Fraction, ...] | None = None


class Position(Protocol):
    """One immutable position of a game."""

    @property
    def turn(self) -> Turn:
        """The seat to move, "chance" when a random event is due, None when the game is over."""

    @property
    def moves(self) -> tuple[str, ...]:
        """The valid moves, or the possible events at a chance position; none when over."""

    @property
    def result(self) -> Result | None:
        """The result, or None while the game goes on."""

    @property
    def values(self) -> dict[str, object]:
        """The declared values by name; a value that each player has is a list over the seats."""

    def __hash__(self) -> int:
        """Positions are hashable, so that sets and caches can hold them."""

    def play(self, text: str) -> Position:
        """Return the position after a move or event; raise ValueError for an invalid one."""


def win(seat: int, rule: str) -> Result:
    """Return the result in which this seat wins against the other."""
    return Result(winners=(seat,), losers=(1 - seat,), draw=False, rule=rule)


def lose(seat: int, rule: str) -> Result:
    """Return the result in which this seat loses to the other."""
    return win(1 - seat, rule)


def check(text: str, moves: tuple[str, ...]) -> None:
    """Raise ValueError unless the text is one of the moves."""
    if text not in moves:
        raise ValueError(f"invalid move: {text!r}")


def put(items: tuple[Item, ...], index: int, item: Item) -> tuple[Item, ...]:
    """Return the items with the one at this index replaced."""
    return (*items[:index], item, *items[index + 1 :])


def select(
    known: tuple[str, ...],
    enable: Iterable[str],
    disable: Iterable[str],
    off: tuple[str, ...] = (),
) -> tuple[str, ...]:
    """Return the operations in use, in their known order; those in `off` need enabling."""
    enabled, disabled = set(enable), set(disable)
    if unknown := (enabled | disabled) - set(known):
        raise ValueError(f"unknown operations: {sorted(unknown)}")
    unused = (set(off) - enabled) | disabled
    return tuple(name for name in known if name not in unused)
