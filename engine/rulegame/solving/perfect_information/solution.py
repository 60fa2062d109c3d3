"""What solving a game tells: the value of every state, the moves that keep it, and how long."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rulegame.exploring import StateGraph
from rulegame.game import Move, State, View
from rulegame.shown import Large
from rulegame.solving.arena import END, HIGH, LOW, Arena
from rulegame.solving.perfect_information.retrograde import NEVER
from rulegame.solving.result import (
    Method,
    MoveValue,
    Place,
    Result,
    Solution,
    best_first,
    number_data,
)


@dataclass(frozen=True)
class Evaluation:
    """What a state is worth; values are the first mover's."""

    value: Fraction | None  # None where there are only bounds
    lower: float
    upper: float
    result: Result
    distance: int | None  # moves to the end; None with chance, or if it is endless


@dataclass(frozen=True)
class Option(Evaluation):
    """A move of a state, with what it leads to; its distance counts the move itself."""

    move: Move


@dataclass(frozen=True, slots=True)
class Solved:
    """What solving a game comes to, without its states; values are the first mover's."""

    states: int
    value: Fraction | None  # None: only the bounds are known
    lower: float
    upper: float
    result: Result
    win_probability: Fraction | float | None
    distance: int | None
    shortest_game: int | None
    longest_game: int | None


class WholeValues(Sequence[Fraction]):
    """Values that are all -1, 0 or 1, a byte for each state."""

    def __init__(self, values: NDArray[np.int8]) -> None:
        self._values = values

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, number: int) -> Fraction:  # type: ignore[override]
        return Fraction(int(self._values[number]))


@dataclass(frozen=True, repr=False, eq=False)
class PerfectInformationSolution(Large, Solution):
    """The values of all states of a game of one or two players who see everything; values are the
    first mover's: win 1, loss -1, draw and endless 0, or what is paid.
    """

    algorithm = Method.PERFECT_INFORMATION

    graph: StateGraph
    arena: Arena
    values: Sequence[Fraction] | None  # of each state; None where there are only bounds
    lowers: NDArray[Any]
    uppers: NDArray[Any]
    distances: NDArray[np.int32] | None  # of a game without chance; NEVER: no end can be forced
    chosen: NDArray[np.signedinteger[Any]]  # of each player's state, an edge of best play, or -1
    longest_game: int | None
    shortest_game: int | None

    @property
    def first(self) -> int:  # type: ignore[override]
        return self.arena.first

    @property
    def value(self) -> Fraction | None:
        return self.value_of(0)

    @property
    def bounds(self) -> tuple[float, float]:
        return self.bounds_of(0)

    @property
    def result(self) -> Result:
        return self.result_of(0)

    @property
    def win_probability(self) -> Fraction | float | None:
        return self.win_probability_of(0)

    @property
    def distance(self) -> int | None:
        return self.distance_of(0)

    @property
    def summary(self) -> Solved:
        """What is worth knowing of a solution when there are many."""
        return Solved(
            states=len(self.graph),
            value=self.value,
            lower=self.lower,
            upper=self.upper,
            result=self.result,
            win_probability=self.win_probability,
            distance=self.distance,
            shortest_game=self.shortest_game,
            longest_game=self.longest_game,
        )

    __iter__ = None  # it is asked about states; they are numbered in its graph

    def __contains__(self, state: object) -> bool:
        if isinstance(state, int):
            return 0 <= state < len(self.graph)
        return isinstance(state, State) and self.graph.find(state) is not None

    def number(self, state: State | int) -> int:
        """The number of a state in the graph, which the methods `…_of` ask for."""
        return state if isinstance(state, int) else self.graph.number(state)

    def __getitem__(self, state: State | int) -> Evaluation:
        """What a state is worth; KeyError if it is not reachable."""
        number = self.number(state)
        low, high = self.bounds_of(number)
        return Evaluation(
            self.value_of(number), low, high, self.result_of(number), self.distance_of(number)
        )

    def value_of(self, number: int) -> Fraction | None:
        """The value of a state, if it is known exactly."""
        if self.values is not None:
            return self.values[number]
        low, high = self.bounds_of(number)
        return Fraction(low) if low == high else None

    def bounds_of(self, number: int) -> tuple[float, float]:
        """Two floats between which the value of a state lies."""
        return float(self.lowers[number]), float(self.uppers[number])

    def distance_of(self, number: int) -> int | None:
        """How many moves the end is away under best play; None with chance, or if it is endless."""
        if self.distances is None or self.distances[number] == NEVER:
            return None
        return int(self.distances[number])

    def result_of(self, number: int) -> Result:
        """How best play from a state ends."""
        low, high = self.bounds_of(number)
        if not self.arena.plain:
            return Result.PAYOFF
        if low == 1:
            return Result.FIRST
        if high == -1:
            return Result.LOST if self.kind.players == 1 else Result.SECOND
        if self.distances is not None:
            return Result.ENDLESS if self.distance_of(number) is None else Result.DRAW
        wins, draws, endless = self._ways(number)
        if not wins and draws != endless and low <= 0 <= high:
            return Result.DRAW if draws else Result.ENDLESS
        return Result.CHANCE

    def win_probability_of(self, number: int) -> Fraction | float | None:
        """With which probability the first mover wins; None if play may be drawn or endless."""
        value = self.value_of(number)
        if not self.arena.plain:
            return None
        if value in (1, -1):
            return (1 + value) / 2
        if self.distances is not None or self._ways(number)[1:] != (False, False):
            return None
        if value is not None:
            return (1 + value) / 2
        return (2 + sum(self.bounds_of(number))) / 4

    def win_bounds_of(self, number: int) -> tuple[float, float] | None:
        """Two floats between which that probability lies."""
        if self.win_probability_of(number) is None:
            return None
        low, high = self.bounds_of(number)
        return max(0.0, np.nextafter((1 + low) / 2, -1)), min(1.0, np.nextafter((1 + high) / 2, 2))

    @property
    def payoffs_between(self) -> tuple[Fraction, Fraction]:
        return self.arena.payoff_range(endless=self.longest_game is None)

    def best_moves(self, at: Place = None) -> list[Move]:
        """The moves of a player's state that keep its value; those that end sooner (for the winner)
        or later (for the loser) first. With bounds only: those that may keep it.
        """
        state = _place(at)
        number = self.number(state)
        role = self.arena.role[number]
        if role not in (HIGH, LOW):
            return []
        following = self._following(state)
        if self.values is not None:
            value = self.values[number]
            best = [(move, t) for move, t in following if self.values[t] == value]
            hurry = 1 if (value > 0) == (role == HIGH) else -1
            best.sort(key=lambda pair: hurry * (self.distance_of(pair[1]) or 0))
            return [move for move, _ in best]
        if role == HIGH:
            floor = max(self.lowers[t] for _, t in following)
            return [move for move, t in following if self.uppers[t] >= floor]
        ceiling = min(self.uppers[t] for _, t in following)
        return [move for move, t in following if self.lowers[t] <= ceiling]

    def options(self, state: State | int) -> list[Option]:
        """The moves (or rolls) of a state with what each is worth."""
        return [self._option(move, self[target]) for move, target in self._following(state)]

    def moves(self, at: Place = None) -> tuple[MoveValue, ...]:
        state = _place(at)
        role, best = self.arena.role[self.number(state)], self.best_moves(state)
        total = self.graph.payoff_sum if role == LOW else None
        found = [_valued(option, total, option.move in best) for option in self.options(state)]
        if role not in (HIGH, LOW):
            return tuple(found)
        place = {move: k for k, move in enumerate(best)}
        found.sort(key=lambda one: place.get(one.move, len(best)))  # type: ignore[call-overload]
        return best_first(found)

    def strategy(self, view: View) -> dict[Move, Fraction] | None:
        if len(view.moves) == 1:
            return {view.moves[0]: Fraction(1)}
        state = view.state
        number = None if state is None else self.graph.find(state)
        if state is None or number is None or self.chosen[number] < 0:
            return None
        target = self.graph.successors[self.chosen[number]]
        chosen = next(move for move, to in self.graph.following_from(state) if to == target)
        return {move: Fraction(int(move == chosen)) for move in view.moves}

    @property
    def method(self) -> str:
        endless = self.longest_game is None
        if self.distances is not None:
            return "worked back from every possible ending"
        if not self.exact:
            return "strategy iteration in floating point, rounding included"
        if not endless:
            return "worked back from every possible ending, in fractions"
        how = "strategy iteration" if self.arena.has_chance else "solved cycle by cycle"
        return f"{how}, in fractions"

    def details(self, top: int | None) -> dict[str, Any]:
        mover = int(self.graph.owner[0])
        chance_bounds = self.win_bounds_of(0) or (None, None)
        options = {option.move: option for option in self.options(0)}
        return super().details(top) | {
            "to_move": mover + 1 if mover >= 0 else None,
            "bytes_per_state": round(self.graph.bytes_per_state, 1),
            "win_probability_lower": chance_bounds[0],
            "win_probability_upper": chance_bounds[1],
            "best_moves": [move.text for move in self.best_moves(0)],
            "options": [_option_data(options[one.move], one) for one in self.moves()[:top]],  # type: ignore[index]
        }

    def _following(self, state: State | int) -> list[tuple[Move, int]]:
        graph = self.graph
        return graph.following(state) if isinstance(state, int) else graph.following_from(state)

    def moves_like(self, state: State, moves: list[Move]) -> list[Move]:
        """The moves of a state that lead to the same as some of the state that stands for it."""
        graph = self.graph
        if graph.symmetries is None:
            return moves
        targets = {t for move, t in graph.following(graph.number(state)) if move in moves}
        return [move for move, target in graph.following_from(state) if target in targets]

    def _option(self, move: Move, then: Evaluation) -> Option:
        away = None if then.distance is None else then.distance + 1
        return Option(then.value, then.lower, then.upper, then.result, away, move)

    def _ways(self, number: int) -> tuple[bool, bool, bool]:
        """Whether one line of best play may end decided, drawn, or not at all."""
        decided, drawn, endless = self.fates
        return bool(decided[number]), bool(drawn[number]), bool(endless[number])

    @cached_property
    def fates(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.bool_]]:
        """From which states one line of best play may end decided, drawn, or not at all."""
        arena = self.arena
        followed = np.full(len(arena), -1, np.int32)
        moving = self.chosen >= 0
        followed[moving] = arena.successors[self.chosen[moving]]
        queue = arena.room.zeros(len(arena), np.int32)

        def leading_to(goal: NDArray[np.bool_]) -> NDArray[np.bool_]:
            found, begin = goal.astype(np.int8), np.flatnonzero(goal)
            queue[: len(begin)] = begin
            states = arena.role, followed, found, queue
            arena.run("lead_back", *arena.backward_sources, *states, len(begin))
            return found.astype(bool)

        over = arena.role == END
        decided, drawn = (leading_to(over & kind) for kind in (arena.pay != 0, arena.pay == 0))
        return decided, drawn, leading_to(~(decided | drawn))


def _place(at: Place) -> State | int:
    """The state that is asked for; KeyError for what a player sees, if that is less."""
    if isinstance(at, View):
        at = at.state
        if at is None:
            raise KeyError("a view with hidden values is not a state of this game")
    return 0 if at is None else at


def _valued(option: Option, total: Fraction | None, best: bool) -> MoveValue:
    """An option for who makes the move: for who moves second, if both together get a total."""
    value, low, high = option.value, option.lower, option.upper
    if total is not None:
        value = None if value is None else total - value
        low, high = float(total) - high, float(total) - low
    return MoveValue(
        option.move, value, low, high, best=best, result=option.result, distance=option.distance
    )


def _option_data(option: Option, one: MoveValue) -> dict[str, Any]:
    """A move for programs: values of the first mover, as everywhere in the JSON."""
    middle = (option.lower + option.upper) / 2
    return {
        "move": option.move.text,
        **number_data("value", option.value),
        "value_decimal": middle if option.value is None else float(option.value),
        "lower": option.lower,
        "upper": option.upper,
        "loss": None if one.loss is None else float(one.loss),
        "result": option.result,
        "distance": option.distance,
    }
