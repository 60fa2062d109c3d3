"""Who sits where: how people and computer players are called, and who moves on to which seat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from rulegame.game import Game

T = TypeVar("T")
HUMAN: Final = "human"
REPLY_PAUSE: Final = 0.5  # seconds on a screen between a move and a computer's reply, to see both
NUMBERED: Final = re.compile(r"Player \S+$")


def swapped(people: Sequence[T], game: Game, first: int) -> tuple[T, ...]:
    """Who sits where if that one of them begins: where the ruleset says which seat does, everybody
    moves on by as many seats.
    """
    fixed = game.ruleset.turn.first
    shift = 0 if fixed is None else (first - fixed) % len(people)
    return (*people[shift:], *people[:shift])


def seated_names(players: Sequence[str], specs: Sequence[str]) -> tuple[str, ...]:
    """The names at a screen: a computer is called so, if the ruleset has no better name for its
    seat than a number.
    """
    unnamed = [k for k, spec in enumerate(specs) if spec != HUMAN and NUMBERED.match(players[k])]
    several = len(unnamed) > 1
    names = {k: f"Computer {n}" if several else "Computer" for n, k in enumerate(unnamed, 1)}
    found = tuple(names.get(k, name) for k, name in enumerate(players))
    return found if len(set(found)) == len(found) else tuple(players)


def computer_notes(specs: Sequence[str]) -> dict[int, str]:
    """Each computer player in words: `search, 1 s`. A perfect player gets its words later, since
    another one plays if the game cannot be solved.
    """
    return {
        seat: player_words(spec)
        for seat, spec in enumerate(specs)
        if spec != HUMAN and spec.partition(":")[0] != "perfect"
    }


def player_words(spec: str) -> str:
    """A computer player in words."""
    name, _, argument = spec.partition(":")
    seconds = re.fullmatch(r"([0-9.]+)(m?s)", argument)
    if name == "search" and not argument:
        return "search, 1 s"
    if seconds:
        return f"{name}, {seconds[1]} {seconds[2]}"
    if argument.isdecimal() and len(argument) < 20:
        what = "tries" if name == "search" else "states"
        return f"{name}, {int(argument):,} {what}"
    return f"{name}, {argument}" if argument else name
