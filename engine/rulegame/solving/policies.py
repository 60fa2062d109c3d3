"""What a solution says to play, situation by situation: for files that other programs read."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from rulegame.solving import HiddenSolution, ManySolution, Solution, TogetherSolution
from rulegame.solving.arena import HIGH
from rulegame.solving.together import situation_text


class PolicyRow(NamedTuple):
    """A move in a situation: how likely it is in best play, and what it is worth to the player who
    makes it; None where that is not known.
    """

    seat: int
    situation: str  # the values of the state or, where something is hidden, what the player knows
    move: str
    probability: Fraction | float
    value: Fraction | float | None


Followed = Solution | HiddenSolution | TogetherSolution | ManySolution


def policy(solution: Followed) -> Iterator[PolicyRow]:
    """Every situation in which a player chooses between several moves, with each of them."""
    if isinstance(solution, HiddenSolution):
        return _hidden(solution)
    if isinstance(solution, TogetherSolution):
        return _together(solution)
    if isinstance(solution, ManySolution):
        return _many(solution)
    return _open(solution)


def _open(solution: Solution) -> Iterator[PolicyRow]:
    graph = solution.graph
    total = sum(graph.outcomes[0].payoffs) if graph.outcomes else 0
    for number in _choices(graph.owner.tolist(), graph.offsets.tolist()):
        seat, low = int(graph.owner[number]), int(graph.offsets[number])
        high = solution.arena.role[number] == HIGH
        told = situation_text(graph.state(number))
        for k, (move, target) in enumerate(graph.following(number)):
            value = solution.value_of(target)
            worth = sum(solution.bounds_of(target)) / 2 if value is None else value
            share = Fraction(int(low + k == solution.chosen[number]))
            yield PolicyRow(seat, told, move.text, share, worth if high else total - worth)


def _many(solution: ManySolution) -> Iterator[PolicyRow]:
    graph, found = solution.graph, solution.equilibria
    if found is None:
        return
    for number in _choices(graph.owner.tolist(), graph.offsets.tolist()):
        seat, low = int(graph.owner[number]), int(graph.offsets[number])
        told = situation_text(graph.state(number))
        for k, (move, target) in enumerate(graph.following(number)):
            share = Fraction(int(low + k == found.edges[number]))
            yield PolicyRow(seat, told, move.text, share, found.chosen[target][seat])


def _hidden(solution: HiddenSolution) -> Iterator[PolicyRow]:
    for seat in range(len(solution.game.players)):
        for one in solution.information_sets(seat):
            for mixed in one.moves:
                yield PolicyRow(seat, one.knows, mixed.move.text, mixed.probability, mixed.value)


def _together(solution: TogetherSolution) -> Iterator[PolicyRow]:
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
