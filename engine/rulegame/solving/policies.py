"""What a solution says to play, situation by situation: for files that other programs read."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from rulegame.exploring import StateGraph
from rulegame.game import Move, State
from rulegame.solving import (
    MixedSolution,
    MultiplayerSolution,
    PerfectInformationSolution,
    SimultaneousSolution,
)
from rulegame.solving.arena import HIGH
from rulegame.solving.situations import situation_text


class PolicyRow(NamedTuple):
    """A move in a situation: how likely it is in best play, and what it is worth to the player who
    makes it; None where that is not known.
    """

    seat: int
    situation: str  # the values of the state or, where something is hidden, what the player knows
    move: str
    probability: Fraction | float
    value: Fraction | float | None


Followed = PerfectInformationSolution | MixedSolution | MultiplayerSolution


def policy(solution: Followed) -> Iterator[PolicyRow]:
    """Every situation in which a player chooses between several moves, with each of them."""
    if isinstance(solution, SimultaneousSolution):
        return _together(solution)
    if isinstance(solution, MixedSolution):
        return _mixed(solution)
    if isinstance(solution, MultiplayerSolution):
        return _many(solution)
    return _open(solution)


def _open(solution: PerfectInformationSolution) -> Iterator[PolicyRow]:
    graph = solution.graph
    for number in _choices(graph.owner.tolist(), graph.offsets.tolist()):
        seat, target = int(graph.owner[number]), int(graph.successors[solution.chosen[number]])
        high = solution.arena.role[number] == HIGH
        for state, following in _images(graph, number):
            told = situation_text(state)
            best = next(move for move, to in following if to == target)
            for move, to in following:
                value = solution.value_of(to)
                worth = sum(solution.bounds_of(to)) / 2 if value is None else value
                worth = worth if high else graph.payoff_sum - worth
                yield PolicyRow(seat, told, move.text, Fraction(int(move == best)), worth)


def _images(graph: StateGraph, number: int) -> Iterator[tuple[State, list[tuple[Move, int]]]]:
    """The states for which one stands in a graph, with their moves."""
    if graph.symmetries is None:
        yield graph.state(number), graph.following(number)
        return
    for cells in graph.symmetries.images(graph.cells[number]):
        state = graph.game.resume(cells)
        yield state, graph.following_from(state)


def _many(solution: MultiplayerSolution) -> Iterator[PolicyRow]:
    graph, found = solution.graph, solution.equilibria
    if found is None:
        return
    for number in _choices(graph.owner.tolist(), graph.offsets.tolist()):
        seat, low = int(graph.owner[number]), int(graph.offsets[number])
        told = situation_text(graph.state(number))
        for k, (move, target) in enumerate(graph.following(number)):
            share = Fraction(int(low + k == found.edges[number]))
            yield PolicyRow(seat, told, move.text, share, found.chosen[target][seat])


def _mixed(solution: MixedSolution) -> Iterator[PolicyRow]:
    for seat in range(len(solution.game.players)):
        for one in solution.information_sets(seat):
            for mixed in one.moves:
                yield PolicyRow(seat, one.knows, mixed.move.text, mixed.probability, mixed.value)


def _together(solution: SimultaneousSolution) -> Iterator[PolicyRow]:
    for number in solution.mixes:
        told = situation_text(solution.graph.state(number))
        rows = zip(
            (solution.first, 1 - solution.first),
            solution.stages.moves(number),
            solution.mixes[number],
            solution.worths(number),
            strict=True,
        )
        for seat, moves, mix, worths in rows:
            if len(moves) > 1:
                for move, share, worth in zip(moves, mix, worths, strict=True):
                    yield PolicyRow(seat, told, move.text, share, worth)


def _choices(owners: list[int], offsets: list[int]) -> Iterator[int]:
    """The states in which a player has several moves."""
    for number, owner in enumerate(owners):
        if owner >= 0 and offsets[number + 1] - offsets[number] > 1:
            yield number
