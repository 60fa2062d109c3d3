"""Bounds for games that are too large to solve: what each side can make sure of within one move,
within two, and so on (`lookahead`). Nothing is guessed: what lies beyond may pay the first mover
anything that the rules can pay (`model.payoffs`), or nothing, if play never ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import inf, isfinite, isinf, nextafter
from time import monotonic
from typing import Any, Final

from rulegame.compiling import CHANCE, Cells, Kernel
from rulegame.errors import OutOfTime
from rulegame.game import Game, Move, State, View
from rulegame.memory import memory_budget
from rulegame.model.payoffs import possible_payoffs
from rulegame.native.machine_kernel import machine_for
from rulegame.progress import Progress, silent
from rulegame.solving.lookahead.search import (
    LeftToPython,
    Lookahead,
    MachineLookahead,
    PythonLookahead,
    Stakes,
)
from rulegame.solving.result import (
    Method,
    MoveValue,
    Place,
    Result,
    Solution,
    finite,
)
from rulegame.wording import counted

MOST_DEPTH: Final = 300
FEW: Final = 20_000  # positions that Python looks at before machine code is worth its making
MOST_TABLE: Final = 1 << 28  # bytes, if nobody says how many


@dataclass(frozen=True, slots=True)
class ValueBounds:
    """What a position is worth at least and at most; values are those of who moves first. `within`
    is how many moves and rolls it takes for each of the two; 0 for what needs no proof. A bound is
    infinite if the rules set none; `value` is exact.
    """

    lower: float
    upper: float
    lower_within: int = 0
    upper_within: int = 0
    value: Fraction | None = None

    @property
    def is_settled(self) -> bool:
        return self.value is not None or self.lower == self.upper

    def range_for(self, first: bool) -> tuple[Fraction | float, Fraction | float]:
        """What who moves first, or the other one, gets at least and at most."""
        low, high = (self.lower, self.upper) if self.value is None else (self.value, self.value)
        return (low, high) if first else (-high, -low)

    def in_units(self, parts: int) -> ValueBounds:
        """The same, from parts of 1."""
        lower, upper = (_divided(bound, parts) for bound in (self.lower, self.upper))
        return ValueBounds(
            rounded(lower, -inf), rounded(upper, inf), self.lower_within, self.upper_within,
            lower if isinstance(lower, Fraction) and lower == upper else None,
        )  # fmt: skip

    def narrowed(self, lower: float, upper: float, within: int) -> ValueBounds:
        """With bounds that are closer, or the same."""
        lower_within = within if lower > self.lower else self.lower_within
        upper_within = within if upper < self.upper else self.upper_within
        return ValueBounds(
            max(lower, self.lower), min(upper, self.upper), lower_within, upper_within
        )


@dataclass(frozen=True)
class LookaheadSolution(Solution):
    """What is known of a position when one looks so many moves and rolls ahead."""

    algorithm = Method.LOOKAHEAD

    state: State
    first: int  # the seat whose values these are
    depth: int  # how far all moves have been followed
    positions: int  # that were looked at on the way
    whole: ValueBounds
    options: tuple[tuple[Move, ValueBounds], ...]  # each move, or roll, with the position after it

    values = None

    @property
    def game(self) -> Game:
        return self.state.game

    @property
    def mover(self) -> int:
        """The seat that moves there, or CHANCE, or OVER."""
        return self.state.game.kernel.player(self.state.cells)

    @property
    def is_plain(self) -> bool:
        """Whether games are won, lost or drawn, and nothing else is paid."""
        return self.state.game.kernel.is_plain

    @property
    def has_chance(self) -> bool:
        """Whether rolls count beside moves."""
        return self.state.game.kind.chance

    @property
    def bounds(self) -> tuple[float, float]:
        return self.whole.lower, self.whole.upper

    @property
    def value(self) -> Fraction | None:
        return self.whole.value

    @property
    def seat_values(self) -> tuple[Fraction | None, ...]:
        if self.value is None or not self.is_plain:  # nothing says what payoffs add up to
            return None, None
        return (self.value, -self.value) if self.first == 0 else (-self.value, self.value)

    @property
    def payoffs_between(self) -> tuple[Fraction, Fraction] | None:
        low, high = possible_payoffs(self.game.ruleset, self.first)
        return None if low is None or high is None else (low, high)

    @property
    def result(self) -> Result:
        if not self.is_plain:
            return Result.PAYOFF
        if self.lower == self.upper and self.lower in (-1, 1):
            return Result.FIRST if self.lower == 1 else Result.SECOND
        draw = self.lower == self.upper == 0 and not self.has_chance
        return Result.DRAW if draw else Result.CHANCE if self.exact else Result.OPEN

    def moves(self, at: Place = None) -> tuple[MoveValue, ...]:
        state = at.state if isinstance(at, View) else at
        if state not in (None, 0, self.state):
            raise KeyError("only the searched position is known")
        best = set() if self.mover < 0 else self._best
        found = []
        for move, bounds in self.ranked:
            value, low, high = bounds.value, bounds.lower, bounds.upper
            # Where ends pay amounts, values stay the first mover's: nothing says what others get.
            if self.mover == 1 - self.first and self.is_plain:
                value, low, high = None if value is None else -value, 0.0 - high, 0.0 - low
            found.append(MoveValue(move, value, low, high, best=move in best))
        return tuple(found)

    @property
    def _best(self) -> set[Move]:
        """The moves that no other one can surpass, whatever lies beyond the depth."""
        ranges = {move: bounds.range_for(self.mover == self.first) for move, bounds in self.options}
        most = max((possible for _, possible in ranges.values()), default=0)
        return {move for move, (sure, _) in ranges.items() if sure >= most}

    @property
    def ranked(self) -> list[tuple[Move, ValueBounds]]:
        """The moves, best first; rolls in their own order."""
        if self.mover < 0:
            return list(self.options)
        sign = -1 if self.mover == self.first else 1

        def rank(option: tuple[Move, ValueBounds]) -> tuple[float, float, int]:
            bounds = option[1]
            won = bounds.lower == 1 if sign < 0 else bounds.upper == -1
            away = max(bounds.lower_within, bounds.upper_within)
            hurry = away if won else -away
            if self.is_plain:
                return sign * (bounds.lower + bounds.upper), 0.0, hurry
            sure, possible = sorted((bounds.lower, bounds.upper), reverse=sign > 0)
            return sign * sure, sign * possible, hurry

        return sorted(self.options, key=rank)

    def strategy(self, view: View) -> dict[Move, Fraction] | None:
        """The move that makes sure of most, in the position that was searched; None elsewhere, or
        if nothing is known there.
        """
        if view.state != self.state or self.mover != view.seat or self.is_vacuous:
            return None
        best = self.ranked[0][0]
        return {move: Fraction(int(move == best)) for move in view.moves}

    @property
    def method(self) -> str:
        steps = f"{self.depth} moves and rolls" if self.has_chance else counted(self.depth, "move")
        return f"alpha-beta search, {steps} deep"

    @property
    def assumed(self) -> str:
        return ""

    def details(self, top: int | None) -> dict[str, Any]:
        return {
            "depth": self.depth,
            "positions": self.positions,
            **_bounds_data(self.whole),
            "options": [
                {"move": move.text, **_bounds_data(bounds)} for move, bounds in self.ranked[:top]
            ],
        }


def _bounds_data(bounds: ValueBounds) -> dict[str, Any]:
    return {
        "lower": finite(bounds.lower),
        "upper": finite(bounds.upper),
        "lower_within": bounds.lower_within,
        "upper_within": bounds.upper_within,
        "exact": bounds.is_settled,
    }


def look_ahead(
    game: Game,
    *,
    depth: int | None,
    first: int,
    at: State | None,
    max_time: float | None,
    max_memory: int | None,
    progress: Progress = silent,
) -> LookaheadSolution:
    """What each side can make sure of within `depth` moves and rolls (None: as far as can be), from
    the start or from a state on; less far ahead if `max_time` seconds are over before.
    """
    depth = MOST_DEPTH if depth is None else depth
    if not 1 <= depth <= MOST_DEPTH:
        raise ValueError(f"depth: expected a whole number from 1 to {MOST_DEPTH}, not {depth}")
    first = game.kernel.who_begins(first)
    state = game.start(first) if at is None else at
    room = min(memory_budget(), MOST_TABLE) if max_memory is None else max_memory
    deadline = None if max_time is None else monotonic() + max_time
    with game.telling_faults():
        return Deepening(state, first, room, deadline, progress).run(depth)


class Deepening:
    """One position, looked at from farther and farther ahead."""

    def __init__(
        self, state: State, first: int, room: int, deadline: float | None, progress: Progress
    ) -> None:
        self._state, self._first, self._room, self._deadline = state, first, room, deadline
        self._progress = progress
        self._kernel: Kernel = state.game.kernel
        self._codes = self._kernel.options(state.cells)
        self._after = [self._kernel.step(state.cells, code) for code in self._codes]
        self._stakes = stakes_of(self._kernel, first)
        self._whole = ValueBounds(self._stakes.low, self._stakes.high)
        self._bounds = [self._whole for _ in self._codes]
        self._chance = state.game.kind.chance
        self._python = PythonLookahead(self._kernel, self._stakes, deadline)
        self._machine: Lookahead | None = None
        self._trusted = True  # machine code has answered everything so far
        self._depth = 0

    def run(self, depth: int) -> LookaheadSolution:
        """The bounds at a depth, or where time is over."""
        done = 0
        try:
            for self._depth in range(1, depth + 1):
                self._tell(0)
                for k in range(len(self._codes)):
                    self._sharpen(k)
                done = self._depth
                self._sum_up()
                if all(bounds.is_settled for bounds in self._bounds):
                    break
        except OutOfTime:
            self._sum_up()
        game = self._state.game
        moves = game.moves_of(self._codes)
        parts = self._kernel.parts
        bounds = [one.in_units(parts) for one in self._bounds]
        options = tuple(zip(moves, bounds, strict=True))
        looked = self._python.nodes + (0 if self._machine is None else self._machine.nodes)
        whole = self._whole.in_units(parts)
        return LookaheadSolution(self._state, self._first, done, looked, whole, options)

    def _tell(self, positions: int) -> None:
        self._progress(f"Looking {self._depth} moves ahead, positions", positions, None)

    # ---- one move

    def _sharpen(self, k: int) -> None:
        """What follows a move, seen from one step farther away."""
        before = self._bounds[k]
        if before.is_settled:
            return
        lower = self._sure(self._after[k], self._first, before.lower, before.upper)
        now = self._bounds[k] = before.narrowed(lower, before.upper, self._depth)
        if not now.is_settled:
            upper = 0.0 - self._sure(self._after[k], 1 - self._first, -now.upper, -now.lower)
            self._bounds[k] = now.narrowed(now.lower, upper, self._depth)

    def _sure(self, cells: Cells, seat: int, low: float, high: float) -> float:
        """What a seat can make sure of, if that is more than what is known already."""
        if self._chance or not self._kernel.is_plain:
            return self._ask(cells, seat, low, high)
        win = self._stakes.high
        for draw in (-win, 0.0):  # can a draw be forced, and if so, can a win?
            if low == draw < high:
                low = max(low, self._ask(cells, seat, draw, draw + win))
        return low

    def _ask(self, cells: Cells, seat: int, low: float, high: float) -> float:
        if self._deadline is not None and monotonic() > self._deadline:
            raise OutOfTime
        depth = self._depth - 1
        machine = self._machine_lookahead()
        if machine is not None:
            try:
                return machine.sure(cells, seat, depth, low, high)
            except LeftToPython:
                self._trusted = False
        return self._python.sure(cells, seat, depth, low, high)

    def _machine_lookahead(self) -> Lookahead | None:
        """Machine code, as soon as it is worth its making, and as long as it answers."""
        if self._machine is None and self._trusted and self._python.nodes >= FEW:
            made = machine_for(self._kernel, "deepening")
            self._trusted = made is not None
            if made is not None:
                start = self._state.cells
                self._machine = MachineLookahead(
                    made, start, self._stakes, self._room, self._deadline, self._tell
                )
        return self._machine if self._trusted else None

    # ---- all moves together

    def _sum_up(self) -> None:
        """What the moves tell of the position."""
        if not self._codes:
            value = self._python.payoff(self._state.cells)
            self._whole = ValueBounds(value, value)
            return
        lowers = [bounds.lower for bounds in self._bounds]
        uppers = [bounds.upper for bounds in self._bounds]
        player = self._kernel.player(self._state.cells)
        if player == CHANCE:
            weights = self._kernel.weights(self._state.cells)
            lower, upper = mean(lowers, weights, -inf), mean(uppers, weights, inf)
        else:
            choose = max if player == self._first else min
            lower, upper = choose(lowers), choose(uppers)
        self._whole = self._whole.narrowed(lower, upper, self._depth)


def stakes_of(kernel: Kernel, first: int) -> Stakes:
    """What the rules can pay the first mover, in parts of 1."""
    low, high = possible_payoffs(kernel.ruleset, first)
    return Stakes(
        first,
        -inf if low is None else float(low * kernel.parts),
        inf if high is None else float(high * kernel.parts),
    )


def mean(values: Sequence[float], weights: Sequence[int], towards: float) -> float:
    """A mean, rounded to one side if need be."""
    if towards in values:
        return towards
    exact = sum(Fraction(v) * w for v, w in zip(values, weights, strict=True)) / sum(weights)
    return rounded(exact, towards)


def rounded(exact: Fraction | float, towards: float) -> float:
    """A number, rounded to one side if need be."""
    near = float(exact)
    if isinf(near):
        return near
    beyond = Fraction(near) > exact if towards < 0 else Fraction(near) < exact
    return nextafter(near, towards) if beyond else near


def _divided(bound: float, parts: int) -> Fraction | float:
    return Fraction(bound) / parts if isfinite(bound) else bound
