"""How good a player is: beside the exact solution, and beside the best possible answer to random
play.

A score is 1 for a win, 1/2 for a draw, 0 for a loss and for a game that does not end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import OVER, by_random
from rulegame.exploring import StateGraph
from rulegame.game import CHANCE, Game, Move, State
from rulegame.players.interface import Player
from rulegame.solving import PerfectInformationSolution
from rulegame.solving.arena import HIGH

LONGEST: Final = 2000  # moves and rolls after which a game counts as endless
SWEEPS: Final = 100_000
PRECISE: Final = 1e-12


def best_response(graph: StateGraph, seat: int) -> float:
    """The score of the best possible player in a seat, if all others choose at random."""
    return float(best_responses(graph, seat)[0])


def best_responses(graph: StateGraph, seat: int) -> NDArray[np.float64]:
    """The same from every state: value iteration from below, which is where endless play stays."""
    ends = graph.owner == OVER
    score = np.array([_score(o.winners, o.draw, seat) for o in graph.outcomes] + [0.0])
    values = np.where(ends, score[graph.outcome], 0.0)
    live = np.flatnonzero(~ends)
    if not len(live):
        return values
    starts = graph.offsets[live]
    degrees = np.diff(graph.offsets)[live]
    weights = np.where(graph.weights > 0, graph.weights, 1).astype(np.float64)
    shares = weights / np.repeat(np.add.reduceat(weights, starts), degrees)
    chooses = graph.owner[live] == seat
    for _ in range(SWEEPS):
        following = values[graph.successors]
        after = np.where(
            chooses,
            np.maximum.reduceat(following, starts),
            np.add.reduceat(shares * following, starts),
        )
        change = float(np.abs(after - values[live]).max())
        values[live] = after
        if change < PRECISE:
            break
    return values


def _score(winners: Sequence[int], draw: bool, seat: int) -> float:
    return 1.0 if seat in winners else 0.5 if draw else 0.0


# ---- games


def play_game(
    players: Sequence[Player], start: State, rngs: Sequence[Random], dice: Random
) -> State:
    """The end of a game between players, each with a generator of its own, or where it was
    broken off.
    """
    state = start
    past: list[tuple[State, Move]] = []
    while state.outcome is None and len(past) < LONGEST:
        seat = state.player
        assert seat is not None
        if seat == CHANCE:
            move = state.roll(by_random(dice))
        else:
            move = players[seat].choose(state.view(seat, past), rngs[seat])
        past.append((state, move))
        state = state.play(move)
    return state


def score_against(
    player: Player, opponent: Player, game: Game, games: int, seed: int = 0, first: int = 0
) -> float:
    """The mean score of a player over some games, in each seat as often as in the others."""
    total = 0.0
    seats = len(game.players)
    for number in range(games):
        seat = number % seats
        players = [player if s == seat else opponent for s in range(seats)]
        rngs = [Random(f"{seed} {number} {s}") for s in range(seats)]
        end = play_game(players, game.start(first), rngs, Random(f"{seed} {number} dice"))
        if end.outcome is not None:
            total += _score(end.outcome.winners, end.outcome.draw, seat)
    return total / games


# ---- beside the solution


@dataclass(frozen=True, slots=True)
class Loss:
    """What a player gave away, on average and at most, in moves from positions of random games."""

    mean: float  # of the value, where a win is 1 and a loss -1
    worst: float
    moves: int


def value_lost(
    player: Player, solution: PerfectInformationSolution, moves: int, seed: int = 0
) -> Loss:
    """Ask a player for moves in positions of random games, and compare with the best."""
    rng, own = Random(f"{seed} positions"), Random(f"{seed} player")
    lost: list[float] = []
    while len(lost) < moves:
        state = solution.graph.state(0)
        past: list[tuple[State, Move]] = []
        while state.outcome is None and len(lost) < moves and len(past) < LONGEST:
            seat = state.player
            assert seat is not None
            if seat != CHANCE and len(state.moves) > 1:
                lost.append(_lost(solution, state, player.choose(state.view(seat, past), own)))
            move = state.roll(by_random(rng)) if seat == CHANCE else rng.choice(state.moves)
            past.append((state, move))
            state = state.play(move)
    return Loss(sum(lost) / len(lost), max(lost), len(lost))


def _lost(solution: PerfectInformationSolution, state: State, move: Move) -> float:
    number = solution.number(state)
    sign = 1 if solution.arena.role[number] == HIGH else -1
    worths = {o.move: sign * (o.lower + o.upper) / 2 for o in solution.options(number)}
    return max(worths.values()) - worths[move]
