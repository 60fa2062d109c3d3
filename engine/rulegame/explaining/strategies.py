"""Strategies that fit in a sentence: the same move at every turn, or the greatest number each time.

They are followed through the whole game against every reply, rolls included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.game import Move
from rulegame.solving.arena import END, HIGH, LOW
from rulegame.solving.perfect_information.solution import PerfectInformationSolution
from rulegame.solving.result import Result

SUPPORT: Final = 3  # positions with another move, for each number that the strategy names
MOST_MOVES: Final = 200  # different moves that are tried

Choose = Callable[[int, int], int]  # the edge to take, of those from one number up to another; -1


@dataclass(frozen=True)
class Strategy:
    """What a player does at every turn, and what that achieves."""

    seat: int
    plays: str  # `plays subtract 5`
    result: str  # `wins`
    positions: int  # in which there is another move

    def sentence(self, names: tuple[str, ...]) -> str:
        """`Player 1 wins by playing subtract 5 at every turn`."""
        return f"{names[self.seat]} {self.result} by playing {self.plays} at every turn"


def is_settled(solution: PerfectInformationSolution) -> bool:
    """Whether the result is the same however all play."""
    arena = solution.arena
    pays = np.unique(arena.pay[arena.role == END])
    alternatives = bool((arena.degrees[arena.role <= LOW] > 1).any())
    return len(pays) == 1 and solution.longest_game is not None and alternatives


def find_strategy(solution: PerfectInformationSolution) -> Strategy | None:
    """A strategy of a player that achieves as much as best play; None if there is none."""
    if solution.values is None or is_settled(solution):
        return None
    for role in _players(solution):
        for text, constants, choose in _candidates(solution):
            positions = _follow(solution, role, choose)
            if positions is not None and positions >= SUPPORT * constants:
                seat = _seat(solution, role)
                return Strategy(seat, text, _achieves(solution, role), positions)
    return None


def _players(solution: PerfectInformationSolution) -> list[int]:
    """Whose strategy is looked for: the winner's, or else either's."""
    value, alone = solution.value, solution.kind.players == 1
    if alone:
        return [HIGH]
    if solution.arena.plain and value in (1, -1):
        return [HIGH if value == 1 else LOW]
    return [HIGH, LOW]


def _seat(solution: PerfectInformationSolution, role: int) -> int:
    return solution.first if role == HIGH else 1 - solution.first


def _achieves(solution: PerfectInformationSolution, role: int) -> str:
    if solution.result in (Result.FIRST, Result.SECOND):
        return "wins"
    if solution.result is Result.DRAW:
        return "draws at least"
    return "plays best"


def _candidates(solution: PerfectInformationSolution) -> Iterator[tuple[str, int, Choose]]:
    """Strategies in words, with how many constants they name."""
    graph = solution.graph
    moves = graph.move_table
    played = np.unique(graph.moves[_decided(solution)])
    for number in played[:MOST_MOVES].tolist():
        yield moves[number].text, max(1, len(moves[number].choices)), _same(graph.moves, number)
    names = {moves[number].operation for number in played.tolist()}
    numbered = [moves[number] for number in played.tolist()]
    if len(names) == 1 and all(_is_number(move) for move in numbered):
        name = next(iter(names))
        size = np.array([_amount(move) for move in moves], np.int64)
        yield f"{name} with the greatest number possible", 1, _extreme(graph.moves, size)
        yield f"{name} with the least number possible", 1, _extreme(graph.moves, -size)


def _decided(solution: PerfectInformationSolution) -> NDArray[np.bool_]:
    """The edges that a player chooses."""
    return np.asarray(solution.arena.role[solution.arena.sources] <= LOW)


def _is_number(move: Move) -> bool:
    value = move.choices[0] if len(move.choices) == 1 else None
    return isinstance(value, int) and not isinstance(value, bool)


def _amount(move: Move) -> int:
    return int(move.choices[0]) if _is_number(move) else 0


def _same(moves: NDArray[Any], number: int) -> Choose:
    def choose(low: int, high: int) -> int:
        found = np.flatnonzero(moves[low:high] == number)
        return low + int(found[0]) if len(found) else -1

    return choose


def _extreme(moves: NDArray[Any], size: NDArray[np.int64]) -> Choose:
    def choose(low: int, high: int) -> int:
        return low + int(np.argmax(size[moves[low:high]]))

    return choose


def _follow(solution: PerfectInformationSolution, role: int, choose: Choose) -> int | None:
    """In how many positions with another move a player follows a strategy; None unless it can
    always be followed, keeps the value everywhere, and comes to an end.
    """
    arena, values = solution.arena, solution.values
    assert values is not None
    offsets, successors, roles = arena.offsets, arena.successors, arena.role
    following: dict[int, list[int]] = {}
    counted, waiting = 0, [0]
    while waiting:
        state = waiting.pop()
        if state in following:
            continue
        low, high = int(offsets[state]), int(offsets[state + 1])
        if roles[state] == role:
            edge = choose(low, high)
            if edge < 0 or _gives_away(values, state, int(successors[edge])):
                return None
            counted += len(set(successors[low:high].tolist())) > 1
            following[state] = [int(successors[edge])]
        else:
            following[state] = successors[low:high].tolist()
        waiting += following[state]
    return counted if _ends(following) else None


def _gives_away(values: Any, state: int, to: int) -> bool:
    value: Fraction = values[state]
    return bool(values[to] != value)


def _ends(following: dict[int, list[int]]) -> bool:
    """Whether no position comes back."""
    into = dict.fromkeys(following, 0)
    for targets in following.values():
        for target in targets:
            into[target] += 1
    free = [state for state, count in into.items() if not count]
    done = 0
    while free:
        done += 1
        for target in following[free.pop()]:
            into[target] -= 1
            if not into[target]:
                free.append(target)
    return done == len(following)
