"""How likely each move of a player is: as it says itself, or as it is found by asking often."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from random import Random
from typing import Any, NoReturn, Protocol, runtime_checkable

from rulegame.game import Move, View
from rulegame.players.interface import Player

Mix = Mapping[Move, Fraction]


@runtime_checkable
class SaysItsMix(Protocol):
    """A player that can say how it chooses."""

    def mix(self, view: View) -> Mix | None:
        """The moves that it may play, each with its probability; None if it cannot say."""
        ...


class Drawn(Exception):
    """Something was left to chance."""


class NoChance(Random):
    """A generator for what must not be left to chance."""

    def random(self) -> NoReturn:
        raise Drawn

    def getrandbits(self, k: int, /) -> NoReturn:
        raise Drawn


def alike(moves: Sequence[Move]) -> Mix:
    """Each of some moves is as likely as the others."""
    return dict.fromkeys(moves, Fraction(1, len(moves)))


def mix_of(player: Player, view: View) -> Mix | None:
    """What a player says of how it chooses; None if it does not."""
    if len(view.moves) == 1:
        return alike(view.moves)
    return player.mix(view) if isinstance(player, SaysItsMix) else None


def asked(player: Player, view: View, times: int, seed: Any, tell: Callable[[], None]) -> Mix:
    """How often a player chooses each move, if it is asked so often; `tell` is called each time."""
    chosen: Counter[Move] = Counter()
    for k in range(times):
        tell()
        chosen[player.choose(view, Random(f"{seed} {k}"))] += 1
    return {move: Fraction(count, times) for move, count in chosen.items()}
