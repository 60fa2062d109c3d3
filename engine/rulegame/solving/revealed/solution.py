"""Games with secret picks, solved as the game in which both picks are laid open before the turns.

Every pair of picks leads to a position of one graph, which is solved like any other; the picks are
then rows and columns of a matrix game. That is another game than the one with hidden picks, in
which a player must guess what the other one holds: what is found here says nothing certain of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import Cells
from rulegame.errors import CannotSolve
from rulegame.exploring import StateGraph
from rulegame.game import Move, View
from rulegame.shown import Large
from rulegame.solving.arena import END, rounded_out
from rulegame.solving.perfect_information.retrograde import NEVER
from rulegame.solving.perfect_information.solution import PerfectInformationSolution
from rulegame.solving.result import (
    Method,
    MoveValue,
    Place,
    Result,
    Solution,
    number_data,
    with_losses,
)
from rulegame.solving.simultaneous.matrix import (
    MatrixSolution,
    Mix,
    Payoffs,
    bound_matrix,
    means,
    solve_matrix,
    sufficient,
)


@dataclass(frozen=True)
class Pick:
    """All that one player picks before the first turn."""

    moves: tuple[Move, ...]

    @property
    def text(self) -> str:
        return ", ".join(move.text for move in self.moves)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class PickOption:
    """A pick with its share in the best mix, and what it is worth against the other side's; values
    are the first mover's.
    """

    pick: Pick
    probability: Fraction
    value: Fraction | None
    lower: float
    upper: float


@dataclass(frozen=True, repr=False, eq=False)
class RevealedSolution(Large, Solution):
    """The solution of the game with the picks laid open; sides are 0, who moves first, and 1."""

    algorithm = Method.REVEALED

    values = None

    play: PerfectInformationSolution  # of what follows the picks
    picks: tuple[tuple[Pick, ...], tuple[Pick, ...]]
    positions: NDArray[np.int32]  # the state after pick i of the first mover and j of the other
    payoffs: Payoffs | None  # None where there are only bounds
    mix: MatrixSolution

    @property
    def graph(self) -> StateGraph:  # type: ignore[override]
        return self.play.graph

    @property
    def first(self) -> int:  # type: ignore[override]
        return self.play.first

    @property
    def value(self) -> Fraction | None:
        return self.mix.value

    @property
    def payoffs_between(self) -> tuple[Fraction, Fraction]:
        return self.play.payoffs_between

    @property
    def bounds(self) -> tuple[float, float]:
        return rounded_out(self.mix.lower, self.mix.upper)

    @property
    def longest_game(self) -> int | None:  # type: ignore[override]
        return self.play.longest_game

    @property
    def shortest_game(self) -> int | None:  # type: ignore[override]
        return self.play.shortest_game

    @property
    def result(self) -> Result:
        """As of any solution if one pick of a side settles it, or one of each side is best; `mixed`
        if not.
        """
        if self.mix.lower == 1:
            return Result.FIRST
        if self.mix.upper == -1:
            return Result.SECOND
        if self.distance is not None:
            return Result.DRAW
        if self.mix.saddle is None:
            return Result.MIXED
        if self.play.distances is not None:
            return Result.ENDLESS  # neither side can force the end that one pair of picks may have
        return self.play.result_of(int(self.positions[self.mix.saddle]))

    @cached_property
    def distance(self) -> int | None:
        """Picks and moves to the end, if one pick of a side forces it; the winner hurries, the
        loser delays; in a draw the side that can force it hurries.
        """
        if self.payoffs is None or self.play.distances is None or self.value is None:
            return None
        never = np.iinfo(np.int32).max
        away = self.play.distances[self.positions]
        away[away == NEVER] = never
        worth = np.array([float(level) for level in self.payoffs.levels])[self.payoffs.ranks]
        away[worth != float(self.value)] = 0  # who leaves the value loses by it
        rows, columns = sufficient(self.payoffs, self.value)
        lengths = [never]
        if self.value >= 0:
            lengths += away[rows].max(axis=1).tolist()
        if self.value <= 0:
            lengths += away[:, columns].max(axis=0).tolist()
        shortest = min(lengths)
        return None if shortest == never else shortest + sum(len(p[0].moves) for p in self.picks)

    @cached_property
    def win_probability(self) -> Fraction | float | None:
        if self._may_be_undecided():
            return None
        if self.mix.value is not None:
            return (1 + self.mix.value) / 2
        return float(2 + self.mix.lower + self.mix.upper) / 4

    def _may_be_undecided(self) -> bool:
        arena = self.play.arena
        drawn = bool(((arena.role == END) & (arena.pay == 0)).any())
        if not drawn and self.longest_game is not None:
            return False
        rows, columns = (
            [k for k, share in enumerate(mix) if share] for mix in (self.mix.rows, self.mix.columns)
        )
        reached = np.unique(self.positions[np.ix_(rows, columns)]).tolist()
        return any(self.play.win_probability_of(state) is None for state in reached)

    @property
    def best_picks(self) -> tuple[tuple[Pick, ...], tuple[Pick, ...]]:
        """Of each side all picks that keep the value by themselves; if none does, those of the best
        mix.
        """
        return self._best(0), self._best(1)

    def _best(self, side: int) -> tuple[Pick, ...]:
        keeps = () if self.payoffs is None else sufficient(self.payoffs, self.value)[side]
        if not len(keeps):
            return tuple(pick for pick, _ in self.best_mix(side))
        return tuple(self.picks[side][k] for k in keeps)

    def best_mix(self, side: int) -> list[tuple[Pick, Fraction]]:
        """One best mix of a side: its picks with their probabilities, the likeliest first."""
        mix = (self.mix.rows, self.mix.columns)[side]
        pairs = [pair for pair in zip(self.picks[side], mix, strict=True) if pair[1]]
        return sorted(pairs, key=lambda pair: -pair[1])

    def options(self, side: int) -> list[PickOption]:
        """Every pick of a side, with its worth against the best mix of the other side."""
        mix, against = (self.mix.rows, self.mix.columns)[:: 1 if side == 0 else -1]
        worth = self._worth(against, 1 - side)
        return [
            PickOption(pick, share, value, low, high)
            for pick, share, (value, low, high) in zip(self.picks[side], mix, worth, strict=True)
        ]

    def moves(self, at: Place = None) -> tuple[MoveValue, ...]:
        """The picks of the player who is to pick: of who moves first, if nothing else is said."""
        if at is None or at == 0:
            return self.picks_of(0)
        point = at if not isinstance(at, int) else self.graph.state(at)
        seat = point.seat if isinstance(point, View) else point.player
        return self.picks_of(0 if seat == self.first else 1)

    def picks_of(self, side: int) -> tuple[MoveValue, ...]:
        """The picks of a side with their values for that side: the likeliest first, then those that
        are worth most.
        """
        best, sign = set(self.best_picks[side]), 1 if side == 0 else -1
        found = []
        for option in self.options(side):
            value = None if option.value is None else sign * option.value
            low, high = sorted((sign * option.lower, sign * option.upper))
            one = MoveValue(
                option.pick, value, low, high,
                best=option.pick in best, probability=option.probability,
            )  # fmt: skip
            found.append(one)
        return tuple(
            sorted(with_losses(found), key=lambda one: (-(one.probability or 0), one.loss or 0))
        )

    def strategy(self, view: View) -> dict[Move, Fraction] | None:
        """How likely each pick is in the best mix, after the player's own picks so far; None after
        the setup, where the picks of the other player would have to be known.
        """
        if len(view.moves) == 1:
            return {view.moves[0]: Fraction(1)}
        if view.game.kernel.point(cast(Cells, view.cells)).kind != "setup":
            return None
        own = {seen.move for seen in view.past if isinstance(seen.move, Move)}
        mix = self.best_mix(0 if view.seat == self.first else 1)
        shares = dict.fromkeys(view.moves, Fraction(0))
        for pick, share in mix:
            made = [move for move in pick.moves if move in own]
            if len(made) < len(pick.moves) and pick.moves[len(made)] in shares:
                shares[pick.moves[len(made)]] += share * (list(pick.moves[: len(made)]) == made)
        total = sum(shares.values())
        return {move: share / total for move, share in shares.items()} if total else None

    @property
    def method(self) -> str:
        return "matrix game over all pairs of picks"

    def details(self, top: int | None) -> dict[str, Any]:
        return super().details(top) | {
            "laid_open": True,
            "best_moves": [pick.text for pick in self.best_picks[0]],
            "pairs": self.positions.size,
            "strategies": {
                name: [
                    {"move": pick.text, **number_data("probability", share)}
                    for pick, share in self.best_mix(side)
                ]
                for side, name in enumerate((Result.FIRST, Result.SECOND))
            },
            "options": self._picks_data(0, top),
            "replies": self._picks_data(1, top),
        }

    def _picks_data(self, side: int, top: int | None) -> list[dict[str, Any]]:
        """The picks for programs: values of the first mover, as everywhere in the JSON."""
        options = {option.pick: option for option in self.options(side)}
        order = [options[one.move] for one in self.picks_of(side)[:top]]  # type: ignore[index]
        return [
            {
                "move": one.pick.text,
                "probability": str(one.probability),
                **number_data("value", one.value),
                "value_decimal": float(
                    (one.lower + one.upper) / 2 if one.value is None else one.value
                ),
                "lower": one.lower,
                "upper": one.upper,
            }
            for one in order
        ]

    def _worth(self, mix: Mix, axis: int) -> list[tuple[Fraction | None, float, float]]:
        if self.payoffs is not None:
            values = means(self.payoffs, mix, axis)
            return [(value, *rounded_out(value, value)) for value in values]
        found = []
        for bounds in (self.play.lowers, self.play.uppers):
            entries = np.moveaxis(bounds[self.positions], axis, 0)
            shares = np.array([float(share) for share in mix])
            found.append(np.tensordot(shares, entries, axes=1))
        slack = 1e-12  # more than the rounding of these means
        lows, highs = np.maximum(found[0] - slack, -1.0), np.minimum(found[1] + slack, 1.0)
        return [(None, low, high) for low, high in zip(lows.tolist(), highs.tolist(), strict=True)]


def lay_open(play: PerfectInformationSolution, first: int) -> RevealedSolution:
    """The matrix game over all pairs of picks, for a game that begins with secret ones."""
    rows, columns, positions = _pairs(play.graph)
    if first == 1:
        rows, columns, positions = columns, rows, positions.T
    if play.exact:
        payoffs = _payoffs(play, positions)
        return RevealedSolution(play, (rows, columns), positions, payoffs, solve_matrix(payoffs))
    found = bound_matrix(play.lowers[positions], play.uppers[positions])
    return RevealedSolution(play, (rows, columns), positions, None, found)


def _payoffs(play: PerfectInformationSolution, positions: NDArray[np.int32]) -> Payoffs:
    states, places = np.unique(positions, return_inverse=True)
    values = [Fraction(play.value_of(state) or 0) for state in states.tolist()]
    levels = sorted(set(values))
    rank = {level: k for k, level in enumerate(levels)}
    ranks = np.array([rank[value] for value in values], np.int32)
    return Payoffs(tuple(levels), ranks[places.reshape(positions.shape)])


def _pairs(graph: StateGraph) -> tuple[tuple[Pick, ...], tuple[Pick, ...], NDArray[np.int32]]:
    """The picks of both seats, and the number of the state that each pair leads to."""
    picks: list[tuple[Pick, ...]] = [(Pick(()),), (Pick(()),)]
    states = np.zeros((1, 1), np.int32)
    for _ in graph.game.ruleset.setup:  # of each entry, first the one seat picks, then the other
        for seat in (0, 1):
            picks[seat], states = _picked(graph, picks[seat], states)
            states = states.T
    return picks[0], picks[1], states


def _picked(
    graph: StateGraph, picks: Sequence[Pick], states: NDArray[np.int32]
) -> tuple[tuple[Pick, ...], NDArray[np.int32]]:
    """One more pick of the player whose picks are the rows."""
    longer: list[Pick] = []
    rows: list[NDArray[np.int32]] = []
    for pick, row in zip(picks, states.tolist(), strict=True):
        offered: list[Move] | None = None
        targets: list[list[int]] = []
        for state in row:
            following = graph.following(state)
            moves = [move for move, _ in following]
            if offered is not None and moves != offered:
                raise CannotSolve("the picks of one player depend on the other player's pick")
            offered = moves
            targets.append([target for _, target in following])
        longer += [Pick((*pick.moves, move)) for move in offered or ()]
        rows.append(np.array(targets, np.int32).T)
    return tuple(longer), np.concatenate(rows)
