"""Games in which players choose at once and nothing else is hidden, solved stage by stage.

In: a game of one or two players whose payoffs are opposed. Out: of every state its value, or proved
bounds, and how to mix moves there (`SimultaneousSolution`). Where play cannot come back to a state,
it is a matrix game over the values of what follows; cycles are solved as a whole
(`cycle_bounds`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import ceil, floor
from time import monotonic
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.errors import CannotSolve
from rulegame.exploring import StateGraph
from rulegame.game import Move, State, View
from rulegame.game.visibility import Sight
from rulegame.progress import Progress
from rulegame.solving.arena import END, HIGH, LOW, ROLL, check_opposed, rounded_out
from rulegame.solving.components import Structure, find_structure, shortest_play
from rulegame.solving.mixed import ChoicePoint, MixedMove, MixedSolution
from rulegame.solving.result import Method, Result
from rulegame.solving.simultaneous.cycle_bounds import Shares, solve_cycle
from rulegame.solving.simultaneous.cycles import Cycle
from rulegame.solving.simultaneous.matrix import (
    MatrixSolution,
    Mix,
    Payoffs,
    pure_mix,
    solve_matrix,
)
from rulegame.solving.simultaneous.stages import Stages, Targets
from rulegame.solving.situations import situation_text

MOST_BITS: Final = 2_000  # of a value that is still exact
FINE: Final = 1 << 100  # parts of what is not
SECONDS: Final = 120.0  # for better bounds, if nothing else is said
REPORT_EVERY: Final = 256


@dataclass(frozen=True, repr=False, eq=False)
class SimultaneousSolution(MixedSolution):
    """The solution of a game in which players choose at once; values are those of `first`."""

    algorithm = Method.SIMULTANEOUS

    stages: Stages
    lowers: list[Fraction]  # of each state; 0 where one player has chosen and the other one not
    uppers: list[Fraction]
    mixes: dict[int, tuple[Mix, Mix]]  # of each state in which somebody chooses
    longest_game: int | None
    shortest_game: int | None

    @property
    def graph(self) -> StateGraph:  # type: ignore[override]
        return self.stages.graph

    @property
    def first(self) -> int:  # type: ignore[override]
        return self.stages.first

    @property
    def plain(self) -> bool:
        """Whether games are won, lost or drawn."""
        return self.stages.arena.plain

    # ---- values

    @property
    def value(self) -> Fraction | None:
        return self.value_of(0)

    @property
    def bounds(self) -> tuple[float, float]:
        return self.bounds_of(0)

    @property
    def payoffs(self) -> tuple[Fraction, Fraction]:  # type: ignore[override]
        return self.stages.arena.payoff_range(endless=self.longest_game is None)

    def value_of(self, state: State | int) -> Fraction | None:
        """The value of a state; None if only bounds are known."""
        number = self._number(state)
        return self.lowers[number] if self.lowers[number] == self.uppers[number] else None

    def bounds_of(self, state: State | int) -> tuple[float, float]:
        """Floats between which the value of a state lies; the nearest ones if it is exact."""
        number = self._number(state)
        return rounded_out(self.lowers[number], self.uppers[number])

    def _number(self, state: State | int) -> int:
        number = state if isinstance(state, int) else self.graph.number(state)
        if self.stages.waiting[number]:
            raise KeyError("one player has chosen here and the other one has not: this state has "
                           "no value of its own, only the one before")  # fmt: skip
        return number

    @property
    def result(self) -> Result:
        """`draw` or `endless` only if best play comes to nothing else."""
        if not self.plain:
            return Result.PAYOFF
        if self.value in (1, -1):
            return Result.FIRST if self.value == 1 else Result.SECOND
        decided, drawn, endless = self._fates
        if self.exact and not decided and drawn != endless:
            return Result.DRAW if drawn else Result.ENDLESS
        return Result.MIXED

    @property
    def win_probability(self) -> Fraction | None:
        _, drawn, endless = self._fates
        decided = self.plain and not drawn and not endless
        return None if self.value is None or not decided else (1 + self.value) / 2

    @cached_property
    def _fates(self) -> tuple[bool, bool, bool]:
        """Whether the game may end decided, drawn, or not at all, if both play their mixes."""
        arena = self.stages.arena
        following = _reached(self._led_to)
        ends = [number for number in following if arena.role[number] == END]
        reaching = _leading_to(following, ends)
        pays = [int(arena.pay[number]) for number in ends]
        return any(pays), 0 in pays, len(reaching) < len(following)

    def _led_to(self, number: int) -> list[int]:
        """Where a state leads to if both play their mixes."""
        arena = self.stages.arena
        if not self.stages.is_stage(number):
            low, high = arena.offsets[number : number + 2].tolist()
            found: list[int] = arena.successors[low:high].tolist()
            return found
        rows, columns = ([k for k, p in enumerate(mix) if p] for mix in self.mixes[number])
        led: list[int] = np.unique(self.stages.targets(number)[np.ix_(rows, columns)]).tolist()
        return led

    # ---- strategies

    def _mix(self, view: View) -> dict[Move, Fraction | float] | None:
        number = self._seen.get((view.seat, view.cells))
        if number is None:
            return None
        mix = self.mixes[number][0 if view.seat == self.first else 1]
        return dict(zip(view.moves, mix, strict=True))

    def worth(self, view: View) -> dict[Move, tuple[float, float]]:
        number = self._seen.get((view.seat, view.cells))
        if number is None:
            return {}
        side = 0 if view.seat == self.first else 1
        lows, highs = (
            self._against_mix(number, bounds.__getitem__)[side]
            for bounds in (self.lowers, self.uppers)
        )
        pairs = [rounded_out(*sorted(pair)) for pair in zip(lows, highs, strict=True)]
        return dict(zip(view.moves, pairs, strict=True))

    @property
    def method(self) -> str:
        how = "a matrix game in every position"
        if self.longest_game is None:
            how += ", strategy iteration where positions repeat"
        return f"{how}; {'proved in fractions' if self.exact else 'certified'} by best responses"

    def details(self, top: int | None) -> dict[str, Any]:
        return super().details(top) | {"together": True}

    @cached_property
    def _seen(self) -> dict[tuple[int, tuple[int | None, ...]], int]:
        """The states in which somebody chooses, by who is asked and what it sees then."""
        graph, sight = self.graph, self.game.companion(Sight)
        found = {}
        for number in self.mixes:
            asked = int(graph.owner[number])
            found[asked, sight.cells(graph.cells[number], asked)] = number
            then = int(graph.successors[graph.offsets[number]])
            if self.stages.waiting[then]:
                found[1 - asked, sight.cells(graph.cells[then], 1 - asked)] = number
        return found

    def choices(self, state: State | int = 0) -> tuple[ChoicePoint, ...]:
        """How those who choose in a state do it, who is first before the other one."""
        number = self._number(state)
        if not self.stages.is_stage(number):
            return ()
        worths = self.worths(number)
        knows = situation_text(self.graph.state(number))
        found = []
        for side, moves in enumerate(self.stages.moves(number)):
            if moves:
                seat = self.first if side == 0 else 1 - self.first
                mixes, worth = self.mixes[number][side], map(float, worths[side])
                mixed = tuple(map(MixedMove, moves, mixes, worth))
                found.append(ChoicePoint(seat, knows, mixed, True))
        return tuple(found)

    def worths(self, number: int) -> tuple[list[Fraction | float], list[Fraction | float]]:
        """What each row and column is worth to who chooses it, against the other's mix; floats that
        are halfway between bounds, where there are only those.
        """
        found = self._against_mix(number, lambda t: (self.lowers[t] + self.uppers[t]) / 2)
        table = self.stages.targets(number)
        exact = all(self.lowers[t] == self.uppers[t] for t in np.unique(table).tolist())
        one, other = ([w if exact else float(w) for w in worths] for worths in found)
        return one, other

    def _against_mix(
        self, number: int, value: Callable[[int], Fraction]
    ) -> tuple[list[Fraction], list[Fraction]]:
        """What each row and column is worth to who chooses it, against the other's mix, by the
        value of each state.
        """
        table = [[value(t) for t in row] for row in self.stages.targets(number).tolist()]
        rows, columns = self.mixes[number]
        total = self.graph.payoff_sum
        return (
            [_mean(columns, row) for row in table],
            [total - _mean(rows, column) for column in zip(*table, strict=True)],
        )

    def information_sets(self, seat: int, opening: bool = False) -> Iterator[ChoicePoint]:
        for number in self._openings() if opening else sorted(self.mixes):
            for one in self.choices(number):
                if one.seat == seat and len(one.moves) > 1:
                    yield one

    def _openings(self) -> Iterator[int]:
        """The states in which somebody chooses for the first time."""
        is_stage = self.stages.is_stage
        before = _reached(lambda number: [] if is_stage(number) else self._led_to(number))
        return filter(is_stage, before)


def _mean(mix: Mix, values: Sequence[Fraction]) -> Fraction:
    return sum((p * v for p, v in zip(mix, values, strict=True) if p), Fraction(0))


def _reached(led_to: Callable[[int], list[int]]) -> dict[int, list[int]]:
    """The states that play comes to, the nearest first, each with those that it leads to."""
    following: dict[int, list[int]] = {}
    waiting = [0]
    for number in waiting:
        if number not in following:
            following[number] = led_to(number)
            waiting += following[number]
    return following


def _leading_to(following: dict[int, list[int]], goals: Sequence[int]) -> set[int]:
    """The states from which a goal can be reached."""
    before: dict[int, list[int]] = {}
    for number, targets in following.items():
        for target in targets:
            before.setdefault(target, []).append(number)
    found, waiting = set(goals), list(goals)
    while waiting:
        for number in before.get(waiting.pop(), ()):
            if number not in found:
                found.add(number)
                waiting.append(number)
    return found


# ---- solving


def solve_stages(
    graph: StateGraph, first: int, seconds: float | None, progress: Progress
) -> SimultaneousSolution:
    """The solution of a game whose states are known; so many seconds are spent on bounds."""
    deadline = monotonic() + (SECONDS if seconds is None else seconds)
    stages = Stages.of(graph, first, progress)
    if stages.waiting[0]:
        raise CannotSolve(
            "one player has chosen here, unseen, and the other one has not: give the position "
            "before both choose"
        )
    stages.check(progress)
    structure = find_structure(stages.arena, progress)
    longest = structure.longest_play
    if len(graph.game.players) == 2:
        check_opposed(graph.outcomes, endless=longest is None)
    solver = _Solver(stages, deadline, progress)
    solver.solve(structure)
    least, most = stages.arena.payoff_range(endless=longest is None)
    waits = stages.waiting  # where one player has chosen, there is no value
    lowers = [low if w else max(low, least) for low, w in zip(solver.lowers(), waits, strict=True)]
    uppers = [up if w else min(up, most) for up, w in zip(solver.uppers(), waits, strict=True)]
    shortest = shortest_play(stages.arena)
    return SimultaneousSolution(stages, lowers, uppers, solver.mixes, longest, shortest)


class _Solver:
    """Values are numbered, so that states and matrices are compared by those numbers."""

    def __init__(self, stages: Stages, deadline: float, progress: Progress) -> None:
        self._stages, self._arena, self._deadline = stages, stages.arena, deadline
        self._progress = progress
        self._fractions = [Fraction(0)]
        self._numbers = {Fraction(0): 0}
        self._low = np.zeros(len(self._arena), np.int64)
        self._high = np.zeros(len(self._arena), np.int64)
        self._matrices: dict[tuple[tuple[int, ...], bytes], MatrixSolution] = {}
        self._shapes: dict[object, tuple[Shares, Shares]] = {}
        self.mixes: dict[int, tuple[Mix, Mix]] = {}

    def lowers(self) -> list[Fraction]:
        """The lower bounds of all states."""
        return [self._fractions[k] for k in self._low.tolist()]

    def uppers(self) -> list[Fraction]:
        """The upper bounds of all states."""
        return [self._fractions[k] for k in self._high.tolist()]

    def solve(self, structure: Structure) -> None:
        done = 0
        for states in structure.in_order():
            cycles: dict[int, list[int]] = {}
            for state in states[~self._stages.waiting[states]].tolist():
                done += 1
                if done % REPORT_EVERY == 0:
                    self._progress("Solving", done, len(self._arena))
                if structure.cycle[state] < 0:
                    self._solve_one(state)
                else:
                    cycles.setdefault(int(structure.cycle[state]), []).append(state)
            for some in cycles.values():
                self._solve_cycle(some)

    def _number(self, value: Fraction) -> int:
        number = self._numbers.setdefault(value, len(self._fractions))
        if number == len(self._fractions):
            self._fractions.append(value)
        return number

    def _keep(self, state: int, low: Fraction, high: Fraction) -> None:
        """The bounds of a state; what has too many digits is rounded outward."""
        if max(low.denominator, high.denominator).bit_length() > MOST_BITS:
            low, high = Fraction(floor(low * FINE), FINE), Fraction(ceil(high * FINE), FINE)
        self._low[state], self._high[state] = self._number(low), self._number(high)

    def _solve_one(self, state: int) -> None:
        arena, late = self._arena, monotonic() > self._deadline
        if arena.role[state] == END:
            pay = int(arena.pay[state]) * arena.unit
            self._keep(state, pay, pay)
        elif arena.role[state] == ROLL:
            self._keep(state, *(self._mean(state, values) for values in (self._low, self._high)))
        elif late:
            self._bound_one(state)
        else:
            table = self._stages.targets(state)
            low = self._solved(self._low[table])
            high = low if self._are_exact(table) else self._solved(self._high[table])
            self.mixes[state] = low.rows, high.columns
            self._keep(state, low.lower, high.upper)

    def _bound_one(self, state: int) -> None:
        """The bounds that one row and one column prove, after the deadline."""
        table = self._stages.targets(state)
        lows, highs = (
            [[self._fractions[k] for k in row] for row in values[table].tolist()]
            for values in (self._low, self._high)
        )
        floors = [min(row) for row in lows]
        ceilings = [max(column) for column in zip(*highs, strict=True)]
        low, high = max(floors), min(ceilings)
        self.mixes[state] = (
            pure_mix(len(floors), floors.index(low)),
            pure_mix(len(ceilings), ceilings.index(high)),
        )
        self._keep(state, low, high)

    def _are_exact(self, table: Targets) -> bool:
        return bool((self._low[table] == self._high[table]).all())

    def _mean(self, state: int, values: NDArray[np.int64]) -> Fraction:
        low, high = self._arena.offsets[state : state + 2].tolist()
        weights = self._arena.weights[low:high].tolist()
        following = values[self._arena.successors[low:high]].tolist()
        pairs = zip(weights, following, strict=True)
        total = sum((int(w) * self._fractions[k] for w, k in pairs), Fraction(0))
        return total / int(sum(weights))

    def _solved(self, numbers: NDArray[np.int64]) -> MatrixSolution:
        """The matrix game over some values."""
        key = numbers.shape, numbers.tobytes()
        if key not in self._matrices:
            used, places = np.unique(numbers, return_inverse=True)
            order = sorted(range(len(used)), key=lambda k: self._fractions[used[k]])
            rank = np.empty(len(used), np.int32)
            rank[order] = np.arange(len(used), dtype=np.int32)
            levels = tuple(self._fractions[used[k]] for k in order)
            payoffs = Payoffs(levels, rank[places.reshape(numbers.shape)])
            self._matrices[key] = solve_matrix(payoffs)
        return self._matrices[key]

    def _solve_cycle(self, states: list[int]) -> None:
        cycle, exits = self._cut_out(states)
        lows = [self._fractions[self._low[t]] for t in exits]
        highs = [self._fractions[self._high[t]] for t in exits]
        rows, columns = solve_cycle(cycle, lows, highs, self._shapes, self._deadline)
        for k, state in enumerate(states):
            self._keep(state, rows.values[k], -columns.values[k])
            if self._arena.role[state] in (HIGH, LOW):
                self.mixes[state] = rows.mixes[k], columns.mixes[k]

    def _cut_out(self, states: list[int]) -> tuple[Cycle, list[int]]:
        """A cycle, and the states that it leads to."""
        tables: list[Targets] = []
        weights: list[tuple[int, ...] | None] = []
        for state in states:
            if self._arena.role[state] == ROLL:
                low, high = self._arena.offsets[state : state + 2].tolist()
                tables.append(self._arena.successors[low:high].astype(np.int64).reshape(-1, 1))
                weights.append(tuple(self._arena.weights[low:high].tolist()))
            else:
                tables.append(self._stages.targets(state))
                weights.append(None)
        inside = {state: k for k, state in enumerate(states)}
        outside: dict[int, int] = {}
        for table in tables:
            for target in np.unique(table).tolist():
                if target not in inside:
                    outside.setdefault(target, len(states) + len(outside))
        place = inside | outside
        places = np.zeros(1 + max(place), np.int64)
        places[list(place)] = list(place.values())
        local = [places[table] for table in tables]
        return Cycle(tuple(local), tuple(weights), len(outside)), list(outside)
