"""Games of three and more players, and of two who are not opposed.

In: the state graph of a game with open information. Out: what each player can make sure of alone,
against all others together; what all of them can reach together; and, where play always ends, what
comes of everybody playing for the own payoff at every turn (`ManySolution`).

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
from typing import Final

from rulegame.compiling import OVER
from rulegame.exploring import StateGraph
from rulegame.game import CHANCE, Game, Move, State
from rulegame.progress import Progress
from rulegame.shown import Large, Plotted, Tabled
from rulegame.solving.arena import side_arena
from rulegame.solving.components import Structure, find_structure, shortest_play
from rulegame.solving.solution import Solution

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
class ManySolution(Large, Tabled, Plotted):
    """What can be said of a game whose players are not opposed in two."""

    graph: StateGraph
    first: int
    alone: tuple[Solution, ...]  # for each seat, against all others
    together: Solution  # for the sum of all payoffs
    winning: Solution | None  # whether all win; None if no end is won by all
    equilibria: Equilibria | None  # None where play can be endless, or there are too many states
    longest_game: int | None
    shortest_game: int | None

    @property
    def game(self) -> Game:
        return self.graph.game

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

    def best_moves(self, state: State | int = 0) -> list[Move]:
        """The moves of a state that are best for the player who makes them."""
        if self.equilibria is None:
            return []
        number = state if isinstance(state, int) else self.graph.number(state)
        seat = int(self.graph.owner[number])
        if seat < 0:
            return []
        options = list(self.options(number))
        most = max(payoffs[seat] for _, payoffs in options)
        return [move for move, payoffs in options if payoffs[seat] == most]


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
