"""Best response to a strategy by the plainest means: every history, played by the public
interface. What one side's best answer gets proves what the other side's strategy makes sure of.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from fractions import Fraction
from typing import Any

import rulegame

Past = tuple[tuple[rulegame.State, rulegame.Move], ...]
Reached = tuple[rulegame.State, Past, Fraction]
Strategy = Callable[[rulegame.View], Mapping[rulegame.Move, Any] | None]


def best_answer(
    game: rulegame.Game, first: int, seat: int, strategy: Strategy, payee: int
) -> Fraction:
    """The most (for the payee itself) or the least (for its opponent) that a seat can make of what
    is paid to the payee, if the other seat plays a strategy.
    """
    pick: Callable[..., Fraction] = max if seat == payee else min
    return _worth([(game.start(first), (), Fraction(1))], seat, strategy, payee, pick)


def _worth(
    reached: list[Reached],
    seat: int,
    strategy: Strategy,
    payee: int,
    pick: Callable[..., Fraction],
) -> Fraction:
    """What follows on histories that the seat cannot tell apart, weighted."""
    total = Fraction(0)
    waiting = list(reached)
    groups: dict[Hashable, list[Reached]] = {}
    while waiting:
        state, past, weight = waiting.pop()
        if state.outcome is not None:
            total += weight * state.outcome.payoffs[payee]
        elif state.player == seat:
            view = state.view(seat, past)
            known = view.past, view.trail, view.cells, view.moves
            groups.setdefault(known, []).append((state, past, weight))
        else:
            chances: Any = state.chances
            if state.player != rulegame.CHANCE:
                assert state.player is not None
                found = strategy(state.view(state.player, past))
                assert found is not None and sum(found.values()) == 1, (state, found)
                assert tuple(found) == state.moves
                chances = found.items()
            waiting += [
                (state.play(move), (*past, (state, move)), weight * share)
                for move, share in chances
                if share
            ]
    for group in groups.values():
        total += pick(
            _worth(
                [(s.play(move), (*past, (s, move)), w) for s, past, w in group],
                seat,
                strategy,
                payee,
                pick,
            )
            for move in group[0][0].moves
        )
    return total
