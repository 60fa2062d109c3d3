"""The best answer to a player whose way to play is known: how much can be had against it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from rulegame.exploring import explore
from rulegame.game import Game, Move, View
from rulegame.progress import Progress, silent
from rulegame.solving import MAX_STATES, CannotSolve
from rulegame.solving.hidden import histories_of
from rulegame.solving.histories import Histories, Side
from rulegame.solving.mixing import exact_plan
from rulegame.solving.sequence_form import SequenceForm

Strategy = Callable[[View], Mapping[Move, Any]]


def best_response(
    game: Game,
    seat: int,
    strategy: Strategy | None = None,
    *,
    first: int = 0,
    max_states: int = MAX_STATES,
    progress: Progress = silent,
) -> Fraction:
    """The most that a seat can get on average against an opponent whose strategy is known: what it
    plays by what it sees, each move with its probability; every move alike, if it is left out. For
    games of two that always end; with hidden information neither sees more than in the game.
    """
    if len(game.players) != 2:
        raise CannotSolve("only in games of two there is one opponent to answer")
    if not 0 <= seat < 2:
        raise IndexError(f"there is no seat {seat}")
    first = game.kernel.who_begins(first)
    graph = explore(game, first=first, max_states=max_states, progress=progress)
    histories, _, _ = histories_of(graph, first, max_states, progress)
    side = 0 if seat == first else 1
    other = histories.sides[1 - side]
    found = SequenceForm(histories).exact_answer(side, _plan(histories, other, strategy))
    total = Fraction(sum(graph.outcomes[0].payoffs)) if graph.outcomes else Fraction(0)
    return found if side == 0 else total + found


def _plan(histories: Histories, side: Side, strategy: Strategy | None) -> tuple[Fraction, ...]:
    """The plan of a strategy; ValueError if its probabilities make no whole."""
    shares = [Fraction(1)] * side.sequences
    for number in range(len(side.parents)):
        low, high = side.starts[number : number + 2].tolist()
        if strategy is None:
            shares[low:high] = [Fraction(1, high - low)] * (high - low)
            continue
        view = histories.view(side, number)
        given = strategy(view)
        some = [Fraction(given.get(move, 0)) for move in view.moves]
        total = sum(some, Fraction(0))
        if any(share < 0 for share in some) or abs(total - 1) > Fraction(1, 10**9):
            raise ValueError(f"the probabilities of {dict(given)} make no whole")
        shares[low:high] = [share / total for share in some]
    return exact_plan(side, shares)
