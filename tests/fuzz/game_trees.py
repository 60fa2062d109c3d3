"""The tree of all histories of a small game of hidden information, solved by linear programming in
sequence form. It uses `State.play` and `State.view` alone.
"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_matrix, hstack

import rulegame
from fuzz.brute_force import TooMany
from rulegame import CHANCE, Game, State, View

DEEPEST: Final = 24  # moves and rolls of a history

Past = tuple[tuple[State, rulegame.Move], ...]


def knowledge(view: View) -> Hashable:
    """All that a player knows when it moves."""
    return view.seat, view.past, view.trail, view.cells, view.moves


@dataclass
class Side:
    """The sequences of one player: number 0 is the empty one."""

    parents: list[int] = field(default_factory=list)  # of each information set, the sequence to it
    starts: list[int] = field(default_factory=list)  # its first sequence
    moves: list[int] = field(default_factory=list)  # how many it has
    numbers: dict[Hashable, int] = field(default_factory=dict)
    size: int = 1

    def find(self, known: Hashable, parent: int, moves: int) -> int:
        """The first sequence of an information set."""
        if known not in self.numbers:
            self.numbers[known] = len(self.parents)
            self.parents.append(parent)
            self.starts.append(self.size)
            self.moves.append(moves)
            self.size += moves
        number = self.numbers[known]
        if self.parents[number] != parent:
            raise AssertionError("a player forgets its own moves")
        return self.starts[number]

    def constraints(self) -> tuple[coo_matrix, np.ndarray[tuple[int], np.dtype[np.float64]]]:
        rows, columns, values = [0], [0], [1.0]
        for k, parent in enumerate(self.parents):
            those = range(self.starts[k], self.starts[k] + self.moves[k])
            rows += [k + 1] * (1 + len(those))
            columns += [parent, *those]
            values += [-1.0, *(1.0 for _ in those)]
        whole = np.zeros(len(self.parents) + 1)
        whole[0] = 1.0
        return coo_matrix((values, (rows, columns)), (len(whole), self.size)), whole


@dataclass
class Tree:
    """The payoffs of a game in sequence form, from the side of one seat."""

    sides: tuple[Side, Side]
    entries: dict[tuple[int, int], Fraction]
    histories: int

    @property
    def scale(self) -> float:
        return max((abs(float(entry)) for entry in self.entries.values()), default=1.0) or 1.0

    def value(self) -> float:
        """The value of the game, by the linear program of Koller, Megiddo and von Stengel."""
        one, two = self.sides
        scale = self.scale
        places = list(self.entries)
        data = [float(self.entries[place]) / scale for place in places]
        paid = coo_matrix(
            (data, ([i for i, _ in places], [j for _, j in places])), (one.size, two.size)
        )
        own, whole = one.constraints()
        other, end = two.constraints()
        # maximise end·q with other^T q <= paid^T x, own x = whole, x >= 0
        upper = hstack([-paid.T, other.T])
        equal = hstack([own, coo_matrix((own.shape[0], other.shape[0]))])
        costs = np.concatenate((np.zeros(one.size), -end))
        limits = [(0, None)] * one.size + [(None, None)] * other.shape[0]
        found = linprog(
            costs, upper.tocsr(), np.zeros(two.size), equal.tocsr(), whole, limits, method="highs"
        )
        if found.status != 0:
            raise AssertionError(found.message)
        return float(-found.fun * scale)


def tree_of(
    game: Game,
    first: int,
    limit: int,
    cut: tuple[int, Fraction] | None = None,
    at: State | None = None,
) -> Tree:
    """All histories of a game, or of what is left from a state on, with the payoffs of the seat
    `first`. `cut` is the length of histories that are broken off, and what they pay then; without
    it they are TooMany.
    """
    sides = Side(), Side()
    entries: dict[tuple[int, int], Fraction] = {}
    waiting: list[tuple[State, Past, Fraction, tuple[int, int]]] = [
        (game.start(first) if at is None else at, (), Fraction(1), (0, 0))
    ]
    count = 0
    while waiting:
        state, past, weight, sequences = waiting.pop()
        count += 1
        if count > limit or (cut is None and len(past) > DEEPEST):
            raise TooMany
        if state.outcome is not None or (cut is not None and len(past) == cut[0]):
            paid = cut[1] if state.outcome is None and cut is not None else None
            if state.outcome is not None:
                paid = Fraction(state.outcome.payoffs[first])
            assert paid is not None
            pay = weight * paid
            entries[sequences] = entries.get(sequences, Fraction(0)) + pay
            continue
        if state.player == CHANCE:
            for move, share in state.chances:
                then = state.play(move), (*past, (state, move))
                waiting.append((*then, weight * share, sequences))
            continue
        assert state.player is not None
        side = 0 if state.player == first else 1
        known = knowledge(state.view(state.player, past))
        begin = sides[side].find(known, sequences[side], len(state.moves))
        for k, move in enumerate(state.moves):
            reached = (begin + k, sequences[1]) if side == 0 else (sequences[0], begin + k)
            waiting.append((state.play(move), (*past, (state, move)), weight, reached))
    return Tree(sides, entries, count)
