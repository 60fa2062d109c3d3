"""Games of two players who do not see everything, or who choose at the same time.

In: a game whose payoffs are opposed. Out: its value and a best strategy of each player, exact and
proved, or bounds that strategies prove (`HiddenSolution`). Play that can be endless is followed for
so many moves: see `unfolding`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import groupby, islice
from typing import Any, Final, NamedTuple, Protocol, cast

import numpy as np

from rulegame.compiling import Cells
from rulegame.errors import CannotSolve, NotOpposed
from rulegame.exploring import StateGraph
from rulegame.game import HIDDEN, Game, Move, Seen, View
from rulegame.memory import memory_budget
from rulegame.model.secrecy import exposed_values
from rulegame.progress import Progress
from rulegame.shown import Large
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
from rulegame.solving.result import (
    MoveValue,
    Place,
    Result,
    Solution,
    constant_sum_values,
    number_data,
)

__all__ = ["ChoicePoint", "HiddenSolution", "MixedMove", "solve_histories"]

BYTES_PER_HISTORY: Final = 400  # while histories are enumerated


class MixedMove(NamedTuple):
    """A move, how likely it is in a best strategy, and about what it is worth to the player who
    makes it, if both go on with their strategies; None if the other one never lets it come to that.
    """

    move: Move
    probability: Fraction | float
    value: float | None


class ChoicePoint(NamedTuple):
    """What a player knows when it is to choose, and how it chooses."""

    seat: int
    knows: str  # in words: own values that others do not see, and the moves so far
    moves: tuple[MixedMove, ...]
    used: bool  # whether the player's own strategy ever comes to this


@dataclass(frozen=True, repr=False, eq=False)
class HiddenSolution(Large, Solution):
    """The solution of a game with hidden information; values are those of the seat `first`."""

    values = None

    histories: Histories
    plans: Plans
    plain: bool  # whether games are won, lost or drawn
    payoffs: tuple[Fraction, Fraction]  # the least and the greatest
    longest_game: int | None
    shortest_game: int | None
    depth: int | None = None  # how many moves and rolls were followed, if not all

    @property
    def graph(self) -> StateGraph:
        return self.histories.graph

    @property
    def game(self) -> Game:
        return self.graph.game

    @property
    def first(self) -> int:
        return self.histories.first

    @property
    def value(self) -> Fraction | None:
        """What the first mover gets on average under best play; None if only bounds are known."""
        return self.plans.lower if self.plans.lower == self.plans.upper else None

    @property
    def seat_values(self) -> tuple[Fraction | None, ...]:
        return constant_sum_values(self.value, self.first, self.kind.players, self.graph.payoff_sum)

    @property
    def payoffs_between(self) -> tuple[Fraction, Fraction]:
        return self.payoffs

    @property
    def lower(self) -> float:
        """The first mover's strategy gets at least this on average, whatever the other does."""
        return rounded_out(self.plans.lower, self.plans.upper)[0]

    @property
    def upper(self) -> float:
        """The other player's strategy does not let the first mover get more than this."""
        return rounded_out(self.plans.lower, self.plans.upper)[1]

    @property
    def payoff_range(self) -> float:
        """The difference between the greatest and the least payoff."""
        return float(self.payoffs[1] - self.payoffs[0])

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
        """With which probability the first mover wins; None if it is not known, or games may be
        drawn.
        """
        ends = self.plain and self.longest_game is not None
        decided = ends and not any(outcome.draw for outcome in self.graph.outcomes)
        return None if self.value is None or not decided else (1 + self.value) / 2

    @property
    def exploitability(self) -> float:
        """At most so much less than the value does either of the two strategies get against the
        best answer to it.
        """
        return 0.0 if self.exact else float(np.nextafter(self.upper - self.lower, np.inf))

    @cached_property
    def _form(self) -> SequenceForm:
        return SequenceForm(self.histories)

    # ---- strategies

    def strategy(self, view: View) -> dict[Move, Fraction | float] | None:
        """How likely each move is in a best strategy, by what a player has seen; None if the game
        as it was solved never comes to that.
        """
        if len(view.moves) == 1:
            return {view.moves[0]: Fraction(1)}
        found = self.histories.find(view)
        if found is None:
            return None
        side, number = found
        shares = self.plans.shares[0 if side.seat == self.first else 1]
        low, high = side.starts[number : number + 2].tolist()
        return dict(zip(view.moves, shares[low:high], strict=True))

    def worth(self, view: View) -> dict[Move, tuple[float, float]]:
        """What each move is worth to the player who makes it, if both go on with their strategies,
        as two equal bounds; nothing, if that is not known.
        """
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

    def moves(self, at: Place = None) -> tuple[MoveValue, ...]:
        view = view_at(self, at)
        strategy = None if view is None else self.strategy(view)
        return () if view is None or strategy is None else mixed(strategy, self.worth(view))

    @property
    def method(self) -> str:
        regrets = self.plans.method == "regret matching"
        how = "CFR+" if regrets else "linear program in sequence form"
        if self.depth is not None:
            how += f", {self.depth} moves and rolls deep"
        return f"{how}; {'proved in fractions' if self.exact else 'certified'} by best responses"

    @property
    def assumed(self) -> str:
        if self.longest_game is not None:
            return ""
        deep = "" if self.depth is None else "Beyond that depth, the worst case is assumed. "
        return f"{deep}Endless play counts as 0."

    def details(self, top: int | None) -> dict[str, Any]:
        sides = self.histories.sides[: self.kind.players]
        return {
            "hidden": True,
            "first": self.first + 1,
            "states": len(self.graph),
            "moves": self.graph.edges,
            "histories": self.histories.histories,
            "depth": self.depth,
            "information_sets": [len(side.parents) for side in sides],
            "exploitability": self.exploitability,
            **number_data("win_probability", self.win_probability),
            "shortest_game": self.shortest_game,
            "longest_game": self.longest_game,
            "strategies": strategies_data(self, top),
        }

    def information_sets(self, seat: int, opening: bool = False) -> Iterator[ChoicePoint]:
        """Where a player chooses between several moves, in the order in which that comes about;
        with `opening` only where it does so for the first time.
        """
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


class Mixing(Protocol):
    """A solution whose best play mixes moves."""

    @property
    def game(self) -> Game: ...
    @property
    def graph(self) -> StateGraph: ...
    @property
    def first(self) -> int: ...
    @property
    def is_vacuous(self) -> bool: ...
    def information_sets(self, seat: int, opening: bool = False) -> Iterator[ChoicePoint]: ...


def seats_of(solution: Mixing) -> tuple[int, ...]:
    """Who is first, and the other one, if there is one."""
    first = solution.first
    return (first,) if solution.game.kind.players == 1 else (first, 1 - first)


def view_at(solution: Mixing, at: Place) -> View | None:
    """What the player to move sees; None at a roll, and when the game is over."""
    if isinstance(at, View):
        return at
    state = solution.graph.state(at or 0) if at is None or isinstance(at, int) else at
    seat = state.player
    return None if seat is None or seat < 0 else state.view(seat)


def mixed(
    strategy: Mapping[Move, Fraction | float], worths: Mapping[Move, tuple[float, float]]
) -> tuple[MoveValue, ...]:
    """Moves with their shares in a strategy, the likeliest first."""
    most = max((sum(bounds) / 2 for bounds in worths.values()), default=0.0)
    found = []
    for move, share in strategy.items():
        one = MoveValue(move, None, best=bool(share), probability=share)
        if move in worths:
            low, high = worths[move]
            loss = max(0.0, most - (low + high) / 2)
            one = replace(one, value=low if low == high else None, lower=low, upper=high, loss=loss)
        found.append(one)
    return tuple(sorted(found, key=lambda one: (-(one.probability or 0), one.loss or 0.0)))


def strategies_data(solution: Mixing, top: int | None) -> dict[str, Any]:
    """What each player does at its first choice, for programs."""
    if solution.is_vacuous:
        return {}
    names = (Result.FIRST, Result.SECOND)
    return {
        name: [_set_data(one) for one in islice(solution.information_sets(seat, True), top)]
        for name, seat in zip(names, seats_of(solution), strict=False)
    }


def _set_data(one: ChoicePoint) -> dict[str, Any]:
    return {
        "player": one.seat + 1,
        "knows": one.knows,
        "used": one.used,
        "moves": [
            {
                "move": move.move.text,
                **number_data("probability", move.probability),
                "value": move.value,
            }
            for move in one.moves
        ],
    }


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


def knowledge_text(view: View) -> str:
    """What a player knows that not all know, the moves that it saw, and how values changed that
    depend on something hidden, in words.
    """
    own: list[str] = []
    for name, value in view.game.ruleset.state.items():
        if value.seen_by not in ("all", "nobody"):
            own += _told_alone(view, name)
    made = list(zip(view.past, view.trail, strict=True))[: len(view.past) - view.waiting]
    moves = [text for text in (_seen_text(seen, view.game, cells) for seen, cells in made) if text]
    parts = [", ".join(own), f"after {', '.join(moves)}" if moves else "at the start"]
    for name in exposed_values(view.game.ruleset):
        changes = [value for value, _ in groupby(view.history(name))]
        parts += [f"{name} {', then '.join(map(_told, changes))}"] if len(changes) > 1 else []
    return "; ".join(filter(None, parts))


def _told_alone(view: View, name: str) -> list[str]:
    """A value as a player sees it that some do not see: its own is not said to be anybody's."""
    found, players = view[name], view.game.players
    if not view.game.ruleset.state[name].variable.each_player:
        return [] if found is HIDDEN else [f"{name} {_told(found)}"]
    owned = [(seat, one) for seat, one in enumerate(found) if one is not HIDDEN]
    return [
        f"{name} {_told(one)}" if seat == view.seat else f"{name} of {players[seat]} {_told(one)}"
        for seat, one in owned
    ]


def _seen_text(seen: Seen, game: Game, cells: tuple[int | None, ...]) -> str:
    """A move as a player saw it; nothing of a hidden roll, or of a secret pick in the setup."""
    if seen.move is not HIDDEN:
        return seen.move.text  # type: ignore[union-attr]
    in_turn = game.kernel.point(cast(Cells, cells)).kind == "turn"
    return "a hidden move" if in_turn else ""


def _told(value: Any) -> str:
    if isinstance(value, (list, tuple, set, frozenset)):
        return f"[{', '.join(_told(one) for one in value)}]"
    return "none" if value is None else str(value)


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
        raise CannotSolve(
            "play can go on forever: with something hidden only games that always end are "
            "solved (a rule that ends the game after so many turns makes it one)"
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
