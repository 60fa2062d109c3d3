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
from typing import Final

import numpy as np
from numpy.typing import NDArray

from rulegame.errors import CannotSolve
from rulegame.exploring import StateGraph
from rulegame.game import Move
from rulegame.shown import Large, Plotted, Tabled
from rulegame.solving.arena import END
from rulegame.solving.matrix import (
    MatrixSolution,
    Mix,
    Payoffs,
    bound_matrix,
    means,
    solve_matrix,
    sufficient,
)
from rulegame.solving.retrograde import NEVER
from rulegame.solving.solution import DRAW, ENDLESS, FIRST, SECOND, Solution

MIXED: Final = "mixed"


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
class LaidOpenSolution(Large, Tabled, Plotted):
    """The solution of the game with the picks laid open; sides are 0, who moves first, and 1."""

    play: Solution  # of what follows; the numbers of its states are those of `positions`
    picks: tuple[tuple[Pick, ...], tuple[Pick, ...]]
    positions: NDArray[np.int32]  # the state after pick i of the first mover and j of the other
    payoffs: Payoffs | None  # None where there are only bounds
    mix: MatrixSolution

    @property
    def graph(self) -> StateGraph:
        return self.play.graph

    @property
    def exact(self) -> bool:
        """Whether the value is known exactly, not only between bounds."""
        return self.mix.value is not None

    @property
    def value(self) -> Fraction | None:
        """What the player who moves first can make sure of, on average."""
        return self.mix.value

    @property
    def lower(self) -> float:
        return _at_most(self.mix.lower)

    @property
    def upper(self) -> float:
        return -_at_most(-self.mix.upper)

    @property
    def longest_game(self) -> int | None:
        """Picks, moves and rolls; None: play can be endless."""
        return self.play.longest_game

    @property
    def shortest_game(self) -> int | None:
        return self.play.shortest_game

    @property
    def result(self) -> str:
        """As of any solution if one pick of a side settles it, or one of each side is best; `mixed`
        if not.
        """
        if self.mix.lower == 1:
            return FIRST
        if self.mix.upper == -1:
            return SECOND
        if self.distance is not None:
            return DRAW
        if self.mix.saddle is None:
            return MIXED
        if self.play.distances is not None:
            return ENDLESS  # neither side can force the end that one pair of picks may have
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
        """With which probability the first mover wins; None if play may be drawn or endless."""
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
            return tuple(pick for pick, _ in self.strategy(side))
        return tuple(self.picks[side][k] for k in keeps)

    def strategy(self, side: int) -> list[tuple[Pick, Fraction]]:
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

    def _worth(self, mix: Mix, axis: int) -> list[tuple[Fraction | None, float, float]]:
        if self.payoffs is not None:
            values = means(self.payoffs, mix, axis)
            return [(value, _at_most(value), -_at_most(-value)) for value in values]
        found = []
        for bounds in (self.play.lowers, self.play.uppers):
            entries = np.moveaxis(bounds[self.positions], axis, 0)
            shares = np.array([float(share) for share in mix])
            found.append(np.tensordot(shares, entries, axes=1))
        slack = 1e-12  # more than the rounding of these means
        lows, highs = np.maximum(found[0] - slack, -1.0), np.minimum(found[1] + slack, 1.0)
        return [(None, low, high) for low, high in zip(lows.tolist(), highs.tolist(), strict=True)]


def _at_most(value: Fraction) -> float:
    """The greatest float that is not above a value between -1 and 1."""
    near = float(value)
    return near if Fraction(near) <= value else float(np.nextafter(near, -2.0))


def lay_open(play: Solution, first: int) -> LaidOpenSolution:
    """The matrix game over all pairs of picks, for a game that begins with secret ones."""
    rows, columns, positions = _pairs(play.graph)
    if first == 1:
        rows, columns, positions = columns, rows, positions.T
    if play.exact:
        payoffs = _payoffs(play, positions)
        return LaidOpenSolution(play, (rows, columns), positions, payoffs, solve_matrix(payoffs))
    found = bound_matrix(play.lowers[positions], play.uppers[positions])
    return LaidOpenSolution(play, (rows, columns), positions, None, found)


def _payoffs(play: Solution, positions: NDArray[np.int32]) -> Payoffs:
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
