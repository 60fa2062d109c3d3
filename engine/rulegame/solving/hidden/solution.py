"""Games of two players who do not see everything, or who choose at the same time.

In: a game whose payoffs are opposed. Out: its value and a best strategy of each player, exact and
proved, or bounds that strategies prove (`HiddenSolution`). Play that can be endless is followed for
so many moves: see `unfolding`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final

import numpy as np

from rulegame.errors import CannotSolve, NotOpposed
from rulegame.exploring import StateGraph
from rulegame.game import Move, View
from rulegame.memory import memory_budget
from rulegame.progress import Progress
from rulegame.solving.arena import Arena, check_opposed, make_arena, rounded_out
from rulegame.solving.components import Structure, find_structure, shortest_play
from rulegame.solving.deadline import deadline_after, time_left
from rulegame.solving.hidden.histories import (
    Histories,
    Side,
    TooManyHistories,
    count_histories,
    tell_apart,
)
from rulegame.solving.hidden.mixing import Plans, best_plans
from rulegame.solving.hidden.sequence_form import Floats, SequenceForm, plan_of, set_members
from rulegame.solving.hidden.unfolding import unfold
from rulegame.solving.mixed import ChoicePoint, MixedMove, MixedSolution
from rulegame.solving.result import Method, Result
from rulegame.solving.situations import knowledge_text

BYTES_PER_HISTORY: Final = 400  # while histories are enumerated


@dataclass(frozen=True, repr=False, eq=False)
class HiddenSolution(MixedSolution):
    """The solution of a game with hidden information; values are those of the seat `first`."""

    algorithm = Method.HIDDEN

    histories: Histories
    plans: Plans
    plain: bool  # whether games are won, lost or drawn
    payoffs: tuple[Fraction, Fraction]  # the least and the greatest
    longest_game: int | None
    shortest_game: int | None
    depth: int | None = None  # how many moves and rolls were followed, if not all

    @property
    def graph(self) -> StateGraph:  # type: ignore[override]
        return self.histories.graph

    @property
    def first(self) -> int:  # type: ignore[override]
        return self.histories.first

    @property
    def value(self) -> Fraction | None:
        return self.plans.lower if self.plans.lower == self.plans.upper else None

    @property
    def bounds(self) -> tuple[float, float]:
        """What the first mover's strategy gets on average, whatever the other does, and what the
        other's does not let be exceeded.
        """
        return rounded_out(self.plans.lower, self.plans.upper)

    @property
    def result(self) -> Result:
        """`first` or `second` if that player wins for certain, `mixed` if not; `payoff` where ends
        pay something else than a win or a loss.
        """
        if not self.plain:
            return Result.PAYOFF
        if self.value in (1, -1):
            return Result.FIRST if self.value == 1 else Result.SECOND
        return Result.MIXED

    @property
    def win_probability(self) -> Fraction | None:
        ends = self.plain and self.longest_game is not None
        decided = ends and not any(outcome.draw for outcome in self.graph.outcomes)
        return None if self.value is None or not decided else (1 + self.value) / 2

    @cached_property
    def _form(self) -> SequenceForm:
        return SequenceForm(self.histories)

    # ---- strategies

    def _mix(self, view: View) -> dict[Move, Fraction | float] | None:
        found = self.histories.find(view)
        if found is None:
            return None
        side, number = found
        shares = self.plans.shares[0 if side.seat == self.first else 1]
        low, high = side.starts[number : number + 2].tolist()
        return dict(zip(view.moves, shares[low:high], strict=True))

    def worth(self, view: View) -> dict[Move, tuple[float, float]]:
        found = self.histories.find(view)
        if found is None:
            return {}
        side, number = found
        worth, mass, _ = self._worths[0 if side.seat == self.first else 1]
        low, high = side.starts[number : number + 2].tolist()
        if not mass[number] > 0:
            return {}
        values = (worth[low:high] / mass[number]).tolist()
        return {move: (value, value) for move, value in zip(view.moves, values, strict=True)}

    @property
    def method(self) -> str:
        regrets = self.plans.method == "regret matching"
        how = "CFR+" if regrets else "linear program in sequence form"
        if self.depth is not None:
            how += f", {self.depth} moves and rolls deep"
        return f"{how}; {'proved in fractions' if self.exact else 'certified'} by best responses"

    @property
    def assumed(self) -> str:
        deep = "" if self.depth is None else "Beyond that depth, the worst case is assumed. "
        return deep + super().assumed

    def details(self, top: int | None) -> dict[str, Any]:
        sides = self.histories.sides[: self.kind.players]
        return super().details(top) | {
            "hidden": True,
            "histories": self.histories.histories,
            "depth": self.depth,
            "information_sets": [len(side.parents) for side in sides],
        }

    def information_sets(self, seat: int, opening: bool = False) -> Iterator[ChoicePoint]:
        k = 0 if seat == self.first else 1
        side, shares = self.histories.sides[k], self.plans.shares[k]
        worth, mass, own = self._worths[k]
        for number, parent in enumerate(side.parents.tolist()):
            if opening and parent:
                continue
            view = self.histories.view(side, number)
            low = int(side.starts[number])
            moves = tuple(
                MixedMove(
                    move,
                    shares[low + j],
                    float(worth[low + j] / mass[number]) if mass[number] > 0 else None,
                )
                for j, move in enumerate(view.moves)
            )
            yield ChoicePoint(seat, knowledge_text(view), moves, bool(own[parent] > 0))

    @cached_property
    def _worths(self) -> list[tuple[Floats, Floats, Floats]]:
        """Of each side: what its sequences gain against the other's plan, how likely each of its
        sets is by chance and by that plan, and its own plan.
        """
        plans = [
            plan_of(side, np.array(shares, np.float64))
            for side, shares in zip(self.histories.sides, self.plans.shares, strict=True)
        ]
        found = []
        for k, side in enumerate(self.histories.sides):
            worth = self._form.gradient(k, plans[1 - k])
            shares = np.array(self.plans.shares[k], np.float64)
            theirs = self.histories.shares * plans[1 - k][self.histories.ends[1 - k]]
            mass: Floats = np.bincount(self.histories.ends[k], theirs, side.sequences)  # type: ignore[assignment]
            found.append((worth, _gather(side, worth, mass, shares), plans[k]))
        return found


def _gather(side: Side, worth: Floats, mass: Floats, shares: Floats) -> Floats:
    """Adds up what comes later, and gives back how likely each set is."""
    likely = np.zeros(len(side.parents))
    for sets in reversed(side.layers):
        places, begins = set_members(side, sets)
        np.add.at(
            worth, side.parents[sets], np.add.reduceat(worth[places] * shares[places], begins)
        )
        likely[sets] = mass[side.starts[sets]]  # the same after each of the moves
        np.add.at(mass, side.parents[sets], likely[sets])
    return likely


def solve_histories(
    graph: StateGraph,
    first: int,
    budget: int,
    seconds: float | None,
    progress: Progress,
    histories: Histories | None = None,
    max_memory: int | None = None,
) -> HiddenSolution:
    """The solution of a game whose states are known, as far as it can be had; `budget` is how many
    histories may be followed, in `max_memory` bytes, unless they are known. Better strategies are
    looked for until so many seconds have passed.
    """
    deadline = deadline_after(seconds)
    arena = opposed_arena(graph, first)
    structure = find_structure(arena, progress)
    lengths = structure.longest_play, shortest_play(arena)
    payoffs = arena.payoff_range(endless=structure.longest_play is None)
    if structure.longest_play is None:
        check_opposed(graph.outcomes, endless=True)
        found = unfold(graph, first, budget, time_left(deadline), progress)
        plans = found.plans.within(*payoffs)
        return HiddenSolution(found.histories, plans, arena.plain, payoffs, *lengths, found.depth)
    if histories is None:
        histories = _histories(graph, arena, structure, budget, progress, max_memory)
    plans = best_plans(SequenceForm(histories), time_left(deadline), progress).within(*payoffs)
    return HiddenSolution(histories, plans, arena.plain, payoffs, *lengths)


def opposed_arena(graph: StateGraph, first: int) -> Arena:
    """The graph from the side of who moves first; CannotSolve if players are not opposed."""
    try:
        return make_arena(graph, first)
    except NotOpposed as reason:
        raise CannotSolve(
            f"{reason}: with something hidden, only games in which one player loses what the other "
            "one gains are solved (rulegame simulate plays it, rulegame prove decides claims that "
            "need no solution)"
        ) from None


def histories_of(graph: StateGraph, first: int, budget: int, progress: Progress) -> Histories:
    """All histories of a game; CannotSolve if play can be endless, or players are not opposed."""
    arena = opposed_arena(graph, first)
    structure = find_structure(arena, progress)
    if structure.longest_play is None:
        staged = graph.game.kind.is_staged
        where = "players choose at once" if staged else "something is hidden"
        raise CannotSolve(
            f"play can go on forever: where {where}, a best response is found only in games that "
            "always end (a rule that ends the game after so many turns makes it one)"
        )
    return _histories(graph, arena, structure, budget, progress)


def _histories(
    graph: StateGraph,
    arena: Arena,
    structure: Structure,
    budget: int,
    progress: Progress,
    max_memory: int | None = None,
) -> Histories:
    count = count_histories(graph, structure.in_order(), progress)
    in_memory = memory_budget(max_memory) // BYTES_PER_HISTORY
    if count > min(budget, in_memory):
        payoffs = arena.payoff_range(endless=False)
        if count > budget:
            raise TooManyHistories(count, budget, payoffs)
        raise TooManyHistories(count, in_memory, payoffs, "--max-memory")
    pays = [Fraction(outcome.payoffs[arena.first]) for outcome in graph.outcomes]
    return tell_apart(graph, arena.first, pays, progress)
