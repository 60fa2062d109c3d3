"""The best answer to players whose way to play is known: how much can be had against them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from rulegame.errors import CannotSolve
from rulegame.exploring import StateGraph, explore
from rulegame.game import Game, Move, View
from rulegame.memory import MAX_STATES, memory_budget
from rulegame.progress import Progress, silent
from rulegame.solving.arena import LOW, ROLL, Arena, offsets_of, side_arena
from rulegame.solving.perfect_information.sides import solve_arena
from rulegame.solving.perfect_information.solution import PerfectInformationSolution
from rulegame.solving.room import check_room

if TYPE_CHECKING:
    from rulegame.solving.hidden.histories import Histories, Side

Strategy = Callable[[View], Mapping[Move, Any]]

MOST_WEIGHT: Final = 1 << 30  # of one move among those of a state
WHOLE: Final = Fraction(1, 10**9)  # by how much probabilities in floating point may miss it


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
        raise CannotSolve("a best response needs a game for two players")
    if not 0 <= seat < 2:
        raise IndexError(f"there is no seat {seat}")
    first = game.kernel.who_begins(first)
    graph = explore(game, first=first, max_states=max_states, progress=progress)
    return answer_to_plan(histories_of(graph, first, max_states, progress), seat, strategy)


def histories_of(graph: StateGraph, first: int, most: int, progress: Progress) -> Histories:
    """All histories of a game; CannotSolve if play can be endless, or players are not opposed."""
    from rulegame.solving.hidden.solution import histories_of as all_histories

    return all_histories(graph, first, most, progress)


def answer_to_plan(histories: Histories, seat: int, strategy: Strategy | None) -> Fraction:
    """The same for a game whose histories are known."""
    from rulegame.solving.hidden.sequence_form import SequenceForm

    side = 0 if seat == histories.first else 1
    other = histories.sides[1 - side]
    found = SequenceForm(histories).exact_answer(side, _plan(histories, other, strategy))
    return found if side == 0 else histories.graph.payoff_sum + found


def answer_open(
    graph: StateGraph, seat: int, strategy: Strategy, progress: Progress = silent
) -> PerfectInformationSolution:
    """The best answer of a seat in a game in which everybody sees everything, if all others choose
    by the state alone, each move with its probability; also where play can go on forever, which
    pays nothing. Only states that it can come to are asked for.
    """
    if not graph.game.kind.is_open:
        raise CannotSolve(
            "hidden information: the other players' moves do not depend on the position alone"
        )
    check_room(graph, memory_budget(None))
    arena = side_arena(graph, [seat], [o.payoffs[seat] for o in graph.outcomes])
    weights = graph.weights.astype(np.int64)
    weights[arena.role[arena.sources] == LOW] = 1  # where it never comes to, anything may be played
    role = arena.role.copy()
    role[role == LOW] = ROLL
    for number in _reached(graph, arena, weights):
        low, high = int(graph.offsets[number]), int(graph.offsets[number + 1])
        progress("Sampling the other players", number, len(graph))
        view = graph.state(number).view(int(graph.owner[number]))
        shares = dict(zip(view.moves, _shares(view, strategy), strict=True))
        moves = [move for move, _ in graph.following(number)]
        weights[low:high] = _weights([shares[move] for move in moves])
    return solve_arena(graph, _pruned(replace(arena, role=role), weights), progress)


def _reached(graph: StateGraph, arena: Arena, weights: Any) -> Iterator[int]:
    """The states in which others choose, as far as play can come to them; their weights are known
    when the next one is asked for.
    """
    seen = np.zeros(len(graph), bool)
    seen[0] = True
    waiting = [0]
    while waiting:
        number = waiting.pop()
        low, high = int(graph.offsets[number]), int(graph.offsets[number + 1])
        if arena.role[number] == LOW:
            yield number
        chosen = arena.role[number] in (LOW, ROLL)
        for edge in range(low, high):
            target = int(graph.successors[edge])
            if not seen[target] and (weights[edge] > 0 or not chosen):
                seen[target] = True
                waiting.append(target)


def _weights(shares: list[Fraction]) -> list[int]:
    """Probabilities as whole numbers; CannotSolve if those are too large."""
    unit = lcm(*(share.denominator for share in shares))
    if unit > MOST_WEIGHT:
        raise CannotSolve("the probabilities of moves have too large denominators")
    return [int(share * unit) for share in shares]


def _pruned(arena: Arena, weights: Any) -> Arena:
    """Without the moves that nobody makes."""
    kept = (arena.role[arena.sources] != ROLL) | (weights > 0)
    return replace(
        arena,
        offsets=offsets_of(len(arena), arena.sources[kept]),
        successors=np.ascontiguousarray(arena.successors[kept]),
        weights=weights[kept],
    )


def _plan(histories: Histories, side: Side, strategy: Strategy | None) -> tuple[Fraction, ...]:
    """The plan of a strategy; ValueError if its probabilities do not add up to 1."""
    from rulegame.solving.hidden.mixing import exact_plan

    shares = [Fraction(1)] * side.sequences
    for number in range(len(side.parents)):
        low, high = side.starts[number : number + 2].tolist()
        if strategy is None:
            shares[low:high] = [Fraction(1, high - low)] * (high - low)
        else:
            shares[low:high] = _shares(histories.view(side, number), strategy)
    return exact_plan(side, shares)


def _shares(view: View, strategy: Strategy) -> list[Fraction]:
    """How likely each move is; ValueError if that makes no whole."""
    given = strategy(view)
    some = [Fraction(given.get(move, 0)) for move in view.moves]
    total = sum(some, Fraction(0))
    if any(share < 0 for share in some) or abs(total - 1) > WHOLE:
        raise ValueError(f"the probabilities of {dict(given)} do not add up to 1")
    return [share / total for share in some]
