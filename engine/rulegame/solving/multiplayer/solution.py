"""Games of three and more players, and of two who are not opposed.

In: the state graph of a game with open information. Out: what each player can make sure of alone,
against all others together; what all of them can reach together; and, where play always ends, what
comes of everybody playing for the own payoff at every turn (`MultiplayerSolution`).

The last is found backward from the ends. A player who has several moves that are equally good may
choose any, and what the others get may depend on it; so there may be several such outcomes. A
payoff of a move is one of its mover's best if each of the other moves can lead to one that is no
better for the mover. All of them are kept, as long as they are few.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from math import prod
from typing import Any, Final

from rulegame.compiling import OVER
from rulegame.exploring import StateGraph
from rulegame.game import CHANCE, Move, View
from rulegame.progress import Progress
from rulegame.shown import Large
from rulegame.solving.arena import side_arena
from rulegame.solving.components import Structure, find_structure, shortest_play
from rulegame.solving.perfect_information.sides import solve_for
from rulegame.solving.perfect_information.solution import PerfectInformationSolution
from rulegame.solving.result import (
    Method,
    MoveValue,
    Place,
    Result,
    Solution,
    best_first,
    middle,
    number_data,
)

MOST_STATES: Final = 1_000_000  # that are looked at in fractions
MOST_OUTCOMES: Final = 200  # of a state that are kept
MOST_BITS: Final = 5_000  # of a payoff

Payoffs = tuple[Fraction, ...]


@dataclass(frozen=True)
class Equilibria:
    """What comes of everybody playing for the own payoff. `chosen` are the payoffs of each state if
    of equally good moves the first is taken.
    """

    chosen: list[Payoffs]
    edges: list[int]  # of each state, the move that is taken, or -1
    outcomes: list[tuple[Payoffs, ...] | None]  # of each state; None where they are too many
    ties: int  # states in which equally good moves lead to different payoffs of others


@dataclass(frozen=True, repr=False, eq=False)
class MultiplayerSolution(Large, Solution):
    """What can be said of a game whose players are not opposed in two."""

    algorithm = Method.MULTIPLAYER

    values = None

    graph: StateGraph
    first: int
    alone: tuple[PerfectInformationSolution, ...]  # for each seat, against all others
    together: PerfectInformationSolution  # for the sum of all payoffs
    winning: PerfectInformationSolution | None  # whether all win; None if no end is won by all
    equilibria: Equilibria | None  # None where play can be endless, or there are too many states
    longest_game: int | None
    shortest_game: int | None

    @property
    def result(self) -> Result:
        return Result.PAYOFF

    @property
    def value(self) -> Fraction | None:
        """What the first mover can make sure of alone, whatever all others do."""
        return self.alone[self.first].value

    @property
    def bounds(self) -> tuple[float, float]:
        return self.alone[self.first].bounds

    @property
    def seat_values(self) -> tuple[Fraction | None, ...]:
        return (None,) * self.kind.players if self.payoffs is None else self.payoffs

    @cached_property
    def totals(self) -> frozenset[Fraction]:
        """What the ends pay all players together."""
        return frozenset(Fraction(sum(outcome.payoffs)) for outcome in self.graph.outcomes)

    @property
    def payoffs(self) -> Payoffs | None:
        """What each player gets if everybody plays for the own payoff; None if that is not known,
        or depends on a choice between equally good moves.
        """
        found = self.outcomes
        return found[0] if found is not None and len(found) == 1 else None

    @property
    def outcomes(self) -> tuple[Payoffs, ...] | None:
        """All that can come of it; None if that is not known, or if they are too many."""
        return None if self.equilibria is None else self.equilibria.outcomes[0]

    def options(self, number: int = 0) -> Iterator[tuple[Move, Payoffs]]:
        """The moves of a state, with what then comes of everybody playing for the own payoff, if of
        equally good moves the first is taken.
        """
        assert self.equilibria is not None
        for move, target in self.graph.following(number):
            yield move, self.equilibria.chosen[target]

    def _number(self, at: Place) -> int:
        at = at.state if isinstance(at, View) else at
        return 0 if at is None else at if isinstance(at, int) else self.graph.number(at)

    def moves(self, at: Place = None) -> tuple[MoveValue, ...]:
        if self.equilibria is None:
            return ()
        number = self._number(at)
        seat, best = int(self.graph.owner[number]), self.best_moves(number)
        found = [
            MoveValue(move, paid[max(seat, 0)], best=move in best, result=Result.PAYOFF)
            for move, paid in self.options(number)
        ]
        return tuple(found) if seat < 0 else best_first(found)

    def strategy(self, view: View) -> dict[Move, Fraction] | None:
        """The move that is taken if of equally good moves the first is taken."""
        number = None if view.state is None else self.graph.find(view.state)
        if number is None or self.equilibria is None:
            return None
        edge = self.equilibria.edges[number] - int(self.graph.offsets[number])
        chosen = self.graph.following(number)[edge][0]
        return {move: Fraction(int(move == chosen)) for move in view.moves}

    @property
    def method(self) -> str:
        return "each player against all others, all together, and backward induction for all"

    @property
    def account(self) -> str:
        exact = all(one.exact for one in (*self.alone, self.together))
        result = "Exact result" if exact else "Exact except where bounds are given"
        return f"{result} ({self.method}).{' ' * bool(self.assumed)}{self.assumed}"

    def details(self, top: int | None) -> dict[str, Any]:
        mover, found, outcomes = int(self.graph.owner[0]), self.equilibria, self.outcomes
        options = [] if found is None else list(self.options())[:top]
        return super().details(top) | {
            "to_move": mover + 1 if mover >= 0 else None,
            "guarantees": [_bound_data(one) for one in self.alone],
            "together": _bound_data(self.together),
            "everyone_wins": None if self.winning is None else _bound_data(self.winning),
            "payoffs": None if self.payoffs is None else _texts(self.payoffs),
            "outcomes": None if outcomes is None else [_texts(one) for one in outcomes],
            "ties": None if found is None else found.ties,
            "best_moves": [move.text for move in self.best_moves()],
            "options": [{"move": move.text, "payoffs": _texts(paid)} for move, paid in options],
        }

    def best_moves(self, at: Place = None) -> list[Move]:
        """The moves of a state that are best for the player who makes them."""
        if self.equilibria is None:
            return []
        number = self._number(at)
        seat = int(self.graph.owner[number])
        if seat < 0:
            return []
        options = list(self.options(number))
        most = max(payoffs[seat] for _, payoffs in options)
        return [move for move, payoffs in options if payoffs[seat] == most]


def _bound_data(one: PerfectInformationSolution) -> dict[str, Any]:
    return {
        **number_data("value", one.value),
        "value_decimal": middle(one),
        "exact": one.exact,
        "lower": one.lower,
        "upper": one.upper,
    }


def _texts(payoffs: Payoffs) -> list[str]:
    return [str(pay) for pay in payoffs]


def solve_each(graph: StateGraph, first: int, progress: Progress) -> MultiplayerSolution:
    """What each player can make sure of, what all together can, and what comes of everybody playing
    for the own payoff; for a game whose states are known.
    """
    outcomes, everybody = graph.outcomes, range(len(graph.game.players))
    structure, shortest = structure_of(graph, progress)
    all_win = [int(len(o.winners) == len(everybody)) for o in outcomes]
    few = structure.longest_play is not None and len(graph) <= MOST_STATES
    return MultiplayerSolution(
        graph,
        first,
        tuple(
            solve_for(graph, [seat], [o.payoffs[seat] for o in outcomes], progress)
            for seat in everybody
        ),
        solve_for(graph, everybody, [sum(o.payoffs) for o in outcomes], progress),
        solve_for(graph, everybody, all_win, progress) if any(all_win) else None,
        find_equilibria(graph, structure, progress) if few else None,
        structure.longest_play,
        shortest,
    )


def find_equilibria(
    graph: StateGraph, structure: Structure, progress: Progress
) -> Equilibria | None:
    """Backward from the ends; None if numbers grow too large."""
    finder = _Finder(graph)
    done = 0
    for states in structure.in_order():
        for state in states.tolist():
            if not finder.find(state):
                return None
        done += len(states)
        progress("Solving", done, len(graph))
    return Equilibria(finder.chosen, finder.edges, finder.outcomes, finder.ties)


class _Finder:
    def __init__(self, graph: StateGraph) -> None:
        self._graph = graph
        self._paid = [tuple(Fraction(p) for p in o.payoffs) for o in graph.outcomes]
        self.chosen: list[Payoffs] = [()] * len(graph)
        self.edges = [-1] * len(graph)
        self.outcomes: list[tuple[Payoffs, ...] | None] = [None] * len(graph)
        self.ties = 0

    def find(self, state: int) -> bool:
        """What comes of one state, by those that follow it; whether that is feasible."""
        graph = self._graph
        owner = int(graph.owner[state])
        if owner == OVER:
            self.chosen[state] = self._paid[graph.outcome[state]]
            self.outcomes[state] = (self.chosen[state],)
        elif owner == CHANCE:
            self._roll(state)
        else:
            self._choose(state, owner)
        return all(v.denominator.bit_length() <= MOST_BITS for v in self.chosen[state])

    def _roll(self, state: int) -> None:
        following = self._graph.chances(state)
        self.chosen[state] = _mean([(p, self.chosen[t]) for t, p in following])
        sets = [self.outcomes[t] for t, _ in following]
        known = [found for found in sets if found is not None]
        if len(known) == len(sets) and prod(len(found) for found in known) <= MOST_OUTCOMES:
            shares = [p for _, p in following]
            every = (_mean(list(zip(shares, one, strict=True))) for one in product(*known))
            self.outcomes[state] = tuple(dict.fromkeys(every))

    def _choose(self, state: int, seat: int) -> None:
        low, high = int(self._graph.offsets[state]), int(self._graph.offsets[state + 1])
        targets = self._graph.successors[low:high].tolist()
        worths = [self.chosen[t] for t in targets]
        best = max(range(len(targets)), key=lambda k: worths[k][seat])
        self.chosen[state], self.edges[state] = worths[best], low + best
        self.ties += any(w[seat] == worths[best][seat] and w != worths[best] for w in worths)
        sets = [self.outcomes[t] for t in targets]
        known = [found for found in sets if found is not None]
        if len(known) == len(sets):
            floors = [min(v[seat] for v in found) for found in known]
            kept = {
                v: None
                for k, found in enumerate(known)
                for v in found
                if all(v[seat] >= floor for j, floor in enumerate(floors) if j != k)
            }
            self.outcomes[state] = tuple(kept) if len(kept) <= MOST_OUTCOMES else None


def _mean(weighted: list[tuple[Fraction, Payoffs]]) -> Payoffs:
    seats = range(len(weighted[0][1]))
    return tuple(sum((p * v[seat] for p, v in weighted), Fraction(0)) for seat in seats)


def structure_of(graph: StateGraph, progress: Progress) -> tuple[Structure, int | None]:
    """The levels of a graph, and its shortest play."""
    arena = side_arena(graph, (), [0] * len(graph.outcomes))
    return find_structure(arena, progress), shortest_play(arena)
