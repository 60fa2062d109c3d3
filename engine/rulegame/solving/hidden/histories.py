"""Every way in which a game can go, and what each of two players knows on it.

What a player knows is all that it has seen since the start (`View.past` and what it saw of the
state at each step): so nobody forgets anything, and two histories belong to the same *information
set* if the player who is to move there cannot tell them apart. A *sequence* is the last own choice
of a player; it tells all choices before it. Payoffs are kept by pairs of sequences (Koller, Megiddo
and von Stengel), which takes room for each end of a history and no strategy of a whole game.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import OVER, Cells
from rulegame.errors import TooLarge
from rulegame.exploring import StateGraph
from rulegame.game import CHANCE, Game, Move, State, View
from rulegame.game.visibility import Sight
from rulegame.progress import Progress

Numbers = NDArray[np.int64]

NOTHING: Final = -1  # was noticed
REPORT_EVERY: Final = 1 << 10  # states or histories
NOBODY: Final = -3  # a seat that nobody has: neither CHANCE nor OVER


class TooManyHistories(TooLarge):
    """A game whose states are few enough can go in too many ways."""

    def __init__(
        self,
        histories: int,
        budget: int,
        payoffs: tuple[Fraction, Fraction] | None = None,
        option: str = "--max-states",
    ) -> None:
        found = f"{histories:,}" if histories < 10**15 else f"about {histories:.1e}"
        Exception.__init__(
            self,
            f"with imperfect information every history must be enumerated: there are {found} of "
            f"them, and the budget is {budget:,} ({option} allows more)",
        )
        self.states = self.expanded = budget
        self.payoffs = payoffs  # of the first mover: the least and the greatest


class Interned:
    """Numbers for things, from 0 on, in the order in which they are met."""

    def __init__(self) -> None:
        self.numbers: dict[Hashable, int] = {}

    def __len__(self) -> int:
        return len(self.numbers)

    def number(self, thing: Hashable) -> int:
        """The number of a thing, which is a new one if it was not met before."""
        return self.numbers.setdefault(thing, len(self.numbers))

    def pairs(self, one: Numbers, other: Numbers, report: Callable[[], None]) -> Numbers:
        """The numbers of many pairs of numbers; `report` is called now and then."""
        both = one.astype(np.int64) << 32 | other.astype(np.int64)
        found, first, places = np.unique(both, return_index=True, return_inverse=True)
        order = np.argsort(first, kind="stable")
        numbers = np.zeros(len(found), np.int64)
        for done, k in enumerate(order.tolist()):
            if done % REPORT_EVERY == 0:
                report()
            code = int(found[k])
            numbers[k] = self.number((code >> 32, code & 0xFFFFFFFF))
        found_numbers: Numbers = numbers[places.reshape(-1)]
        return found_numbers


class Sights:
    """What one seat sees of states, and notices of moves and rolls. Of those that are chosen at
    once it learns when the last has been chosen.
    """

    def __init__(self, game: Game, seat: int) -> None:
        self._game, self._seat = game, seat
        self._sight = game.companion(Sight)
        self._kernel = game.kernel

    def look(self, cells: Cells, owner: int, moves: Iterable[Move]) -> Hashable:
        """What is seen of a state; `moves` are those that there are."""
        own = tuple(move.codes for move in moves) if owner == self._seat else ()
        return self._sight.cells(cells, self._seat), owner, own

    def notices(self, cells: Cells) -> bool:
        """Whether it is noticed that something happens in a state."""
        return self._sight.notices(cells, self._seat)

    def step(self, cells: Cells, move: Move, after: Cells) -> Hashable:
        """What is seen of a move or a roll, by the states before and after it."""
        kernel, seat = self._kernel, self._seat
        mine = kernel.player(cells) == seat
        if kernel.chosen(after):
            return move.codes if mine else ()
        told = [self._sight.glimpse(cells, move, seat)]
        for other in kernel.chosen(cells):
            code = kernel.code_chosen(cells, other)
            before = (other, *cells[1:])
            told.append(self._sight.glimpse(before, self._game.move_of(code), seat))
        return tuple(told)


@dataclass(frozen=True)
class Noticed:
    """What one seat sees of each state, and notices of each move or roll, as numbers."""

    seat: int
    looks: Interned
    steps: Interned  # of (look, what is seen of the move)
    look: Numbers  # of each state
    step: Numbers  # of each edge; NOTHING where the seat does not notice that something happens

    @staticmethod
    def of(graph: StateGraph, seat: int, progress: Progress) -> Noticed:
        """What a seat sees in all states of a graph."""
        sights = Sights(graph.game, seat)
        looks, steps = Interned(), Interned()
        look = np.zeros(len(graph), np.int64)
        step = np.full(graph.edges, NOTHING, np.int64)
        owners, offsets = graph.owner.tolist(), graph.offsets.tolist()
        states = list(graph.cells)
        for number, cells in enumerate(states):
            if number % REPORT_EVERY == 0:
                progress("Building information sets", number, len(graph))
            edges = range(offsets[number], offsets[number + 1])
            moves = [graph.move_table[graph.moves[e]] for e in edges]
            seen = look[number] = looks.number(sights.look(cells, owners[number], moves))
            if owners[number] == OVER or not sights.notices(cells):
                continue
            for e, move in zip(edges, moves, strict=True):
                told = sights.step(cells, move, states[graph.successors[e]])
                step[e] = steps.number((int(seen), told))
        return Noticed(seat, looks, steps, look, step)

    @staticmethod
    def none(graph: StateGraph) -> Noticed:
        """Those of nobody: where there is only one player."""
        look, step = np.zeros(len(graph), np.int64), np.full(graph.edges, NOTHING, np.int64)
        return Noticed(NOBODY, Interned(), Interned(), look, step)


@dataclass(frozen=True)
class Side:
    """The information sets and sequences of one player. Sequence 0 is to have chosen nothing; those
    of information set k are from starts[k] up to starts[k + 1]. Sets come after those that lead to
    them.
    """

    seat: int
    parents: Numbers  # of each set, the sequence that leads to it
    starts: Numbers
    samples: tuple[tuple[int, int], ...]  # of each set, one of its histories: level, place
    knowledge: Interned  # what a seat knows: of (what it knew, step)
    sets: Interned  # of (knowledge, look), wherever there is more than one move
    seen: Noticed

    @property
    def sequences(self) -> int:
        return int(self.starts[-1])

    @cached_property
    def owner(self) -> Numbers:
        """Of each sequence, its set; -1 of the empty one."""
        return np.repeat(np.arange(-1, len(self.parents)), np.diff(self.starts, prepend=0))

    @cached_property
    def layers(self) -> list[Numbers]:
        """The sets, by how many own choices were made before; the first ones first."""
        depth = np.zeros(len(self.parents), np.int64)
        owner = self.owner.tolist()
        for k, parent in enumerate(self.parents.tolist()):
            depth[k] = depth[owner[parent]] + 1 if parent else 0
        return [np.flatnonzero(depth == d) for d in range(int(depth.max(initial=-1)) + 1)]


@dataclass(frozen=True)
class Histories:
    """All that can happen, as far as it matters who knows what. The sides are those of the first
    mover, who wants the payoff high, and of the other player.
    """

    graph: StateGraph
    first: int
    sides: tuple[Side, Side]
    ends: tuple[Numbers, Numbers]  # the sequences of both sides at each end
    shares: NDArray[np.float64]  # of each end, about its probability by chance
    weights: list[int]  # the same times its payoff, …
    scale: int  # … as whole numbers, divided by this
    histories: int
    trail: list[tuple[Numbers, Numbers]] = field(repr=False)  # by level: the history before, edge

    def play(self, sample: tuple[int, int]) -> list[tuple[State, Move]]:
        """The moves and rolls of a history, each with the state before it."""
        level, place = sample
        edges: list[int] = []
        while level:
            before, edge = self.trail[level]
            edges.append(int(edge[place]))
            level, place = level - 1, int(before[place])
        found: list[tuple[State, Move]] = []
        state = self.graph.state(0)
        for e in reversed(edges):
            move = self.graph.move_table[self.graph.moves[e]]
            found.append((state, move))
            state = state.play(move)
        return found

    def view(self, side: Side, number: int) -> View:
        """What the player of a side sees in one of the information sets."""
        past = self.play(side.samples[number])
        state = past[-1][0].play(past[-1][1]) if past else self.graph.state(0)
        return state.view(side.seat, past)

    def find(self, view: View) -> tuple[Side, int] | None:
        """The information set that a player is in by what it has seen; None if it is none of this
        game, or if there is nothing to choose.
        """
        side = self.sides[0 if view.seat == self.first else 1]
        sights = Sights(view.game, view.seat)
        looks, steps = side.seen.looks.numbers, side.seen.steps.numbers
        known: int | None = 0
        for before, move in view._noticed:
            owner = CHANCE if before.player is None else before.player
            look = looks.get(sights.look(before.cells, owner, before.moves))
            told = sights.step(before.cells, move, before.play(move).cells)
            known = side.knowledge.numbers.get((known, steps.get((look, told))))
            if known is None:
                return None
        now = looks.get((view.cells, view.seat, tuple(move.codes for move in view.moves)), NOTHING)
        number = side.sets.numbers.get((known, now))
        return None if number is None else (side, number)


def count_histories(graph: StateGraph, order: Iterator[Numbers], progress: Progress) -> int:
    """How many ways there are for a game to go, unfinished ones counted; `order` has the states
    after all that follow them.
    """
    counts = [1] * len(graph)
    offsets, successors = graph.offsets.tolist(), graph.successors
    done = 0
    for states in order:
        for state in states.tolist():
            done += 1
            if done % REPORT_EVERY == 0:
                progress("Counting histories", done, len(graph))
            following = successors[offsets[state] : offsets[state + 1]].tolist()
            counts[state] = 1 + sum(counts[t] for t in following)
    return counts[0]


def tell_apart(
    graph: StateGraph, first: int, pays: list[Fraction], progress: Progress
) -> Histories:
    """All histories of a graph without cycles; `pays` is what its outcomes pay the first mover."""
    growing = _Growing(graph, first, noticed(graph, first, progress), progress)
    growing.grow()
    return growing.histories(pays)


def tell_apart_until(
    graph: StateGraph,
    first: int,
    seen: tuple[Noticed, Noticed],
    depth: int,
    beyond: Numbers,
    pays: Sequence[list[Fraction]],
    progress: Progress,
) -> list[Histories]:
    """The histories of so many moves and rolls, or of fewer at the end of a game. What is not over
    then ends by an outcome that `beyond` has for its state; of each of the `pays` histories, which
    differ in nothing else.
    """
    growing = _Growing(graph, first, seen, progress)
    growing.grow(depth, beyond)
    return [growing.histories(some) for some in pays]


def noticed(graph: StateGraph, first: int, progress: Progress) -> tuple[Noticed, Noticed]:
    """What both sides see in all states of a graph."""
    alone = len(graph.game.players) == 1
    theirs = Noticed.none(graph) if alone else Noticed.of(graph, 1 - first, progress)
    return Noticed.of(graph, first, progress), theirs


class _Growing:
    """Histories of the same length at a time."""

    def __init__(
        self, graph: StateGraph, first: int, seen: tuple[Noticed, ...], progress: Progress
    ) -> None:
        self._graph, self._first, self._seen = graph, first, seen
        self._progress = progress
        self._knowledge = [Interned(), Interned()]
        for known in self._knowledge:
            known.number("nothing")
        self._sets = [Interned(), Interned()]
        self._parents: list[list[int]] = [[], []]
        self._starts: list[list[int]] = [[1], [1]]
        self._samples: list[list[tuple[int, int]]] = [[], []]
        self._shares = Interned()  # probabilities by chance
        self._ends: list[tuple[Numbers, Numbers, Numbers, Numbers]] = []
        self._trail: list[tuple[Numbers, Numbers]] = []
        self._total = 0

    def grow(self, depth: int | None = None, beyond: Numbers | None = None) -> None:
        """Follows all histories, or those of so many steps."""
        graph = self._graph
        level = _Level.start(self._shares.number(Fraction(1)))
        none = np.zeros(1, np.int64)
        self._trail.append((none, none))
        while len(level.state):
            self._total += len(level.state)
            self._report()
            over = graph.owner[level.state] == OVER
            outcome = graph.outcome[level.state].astype(np.int64)
            if beyond is not None and depth == len(self._trail) - 1:
                outcome, over = np.where(over, outcome, beyond[level.state]), over | True
            ended = (s[over] for s in level.sequences)
            self._ends.append((*ended, level.share[over], outcome[over]))
            level = self._next(level, np.flatnonzero(~over))

    def _next(self, level: _Level, places: Numbers) -> _Level:
        """The histories that are one step longer."""
        graph = self._graph
        states = level.state[places]
        degrees = (graph.offsets[states + 1] - graph.offsets[states]).astype(np.int64)
        before = np.repeat(places, degrees)
        begin = np.cumsum(degrees) - degrees
        edge = np.repeat(graph.offsets[states] - begin, degrees) + np.arange(len(before))
        action = np.arange(len(before)) - np.repeat(begin, degrees)
        sequences = self._choices(level, before, edge, action)
        known = [self._learned(level, side, before, edge) for side in range(2)]
        share = self._chance(level, before, edge)
        self._trail.append((before, edge))
        state = graph.successors[edge].astype(np.int64)
        return _Level(state, (known[0], known[1]), sequences, share)

    def _report(self) -> None:
        self._progress("Enumerating histories", self._total, None)

    def _learned(self, level: _Level, side: int, before: Numbers, edge: Numbers) -> Numbers:
        """What a player knows after one more step."""
        known = level.known[side][before]
        step = self._seen[side].step[edge]
        noticed = step != NOTHING
        known[noticed] = self._knowledge[side].pairs(known[noticed], step[noticed], self._report)
        return known

    def _choices(
        self, level: _Level, before: Numbers, edge: Numbers, action: Numbers
    ) -> tuple[Numbers, Numbers]:
        """The sequences after one more step; information sets are numbered as they are met."""
        owner = self._graph.owner[level.state]
        degree = np.diff(self._graph.offsets)[level.state]
        found = []
        for side, seen in enumerate(self._seen):
            sequence = level.sequences[side][before]
            numbers = np.full(len(level.state), -1, np.int64)
            mine = np.flatnonzero((owner == seen.seat) & (degree > 1))
            numbers[mine] = self._numbered(side, level, mine)
            chosen = numbers[before] >= 0
            starts = np.array(self._starts[side], np.int64)
            sequence[chosen] = starts[numbers[before[chosen]]] + action[chosen]
            found.append(sequence)
        return found[0], found[1]

    def _numbered(self, side: int, level: _Level, places: Numbers) -> Numbers:
        """The information sets of some histories, in which a player is to choose."""
        sets, parents, starts = self._sets[side], self._parents[side], self._starts[side]
        states, sequence = level.state[places], level.sequences[side][places]
        numbers = sets.pairs(level.known[side][places], self._seen[side].look[states], self._report)
        found, first = np.unique(numbers, return_index=True)
        for number, k in zip(found.tolist(), first.tolist(), strict=True):
            if number < len(parents):
                continue
            low, high = self._graph.offsets[states[k] : states[k] + 2].tolist()
            parents.append(int(sequence[k]))
            starts.append(starts[-1] + high - low)
            self._samples[side].append((len(self._trail) - 1, int(places[k])))
        # What a player has chosen is part of what it knows, so this cannot fail.
        assert (np.array(parents, np.int64)[numbers] == sequence).all()
        return numbers

    def _chance(self, level: _Level, before: Numbers, edge: Numbers) -> Numbers:
        """The probabilities by chance after one more step."""
        graph = self._graph
        share = level.share[before]
        rolled = np.flatnonzero(graph.owner[level.state[before]] == CHANCE)
        if not len(rolled):
            return share
        known: list[Any] = list(self._shares.numbers)
        both = share[rolled] << 32 | edge[rolled]
        found, first, places = np.unique(both, return_index=True, return_inverse=True)
        numbers = np.zeros(len(found), np.int64)
        for k, place in enumerate(rolled[first].tolist()):
            if k % REPORT_EVERY == 0:
                self._report()
            state = int(level.state[before[place]])
            low, high = int(graph.offsets[state]), int(graph.offsets[state + 1])
            total = int(graph.weights[low:high].sum())
            part = Fraction(int(graph.weights[edge[place]]), total)
            numbers[k] = self._shares.number(known[share[place]] * part)
        share[rolled] = numbers[places.reshape(-1)]
        return share

    def histories(self, pays: list[Fraction]) -> Histories:
        """What has grown, with what each outcome pays."""
        ends = [np.concatenate(column) for column in zip(*self._ends, strict=True)]
        shares: list[Any] = list(self._shares.numbers)
        worth = Interned()
        pairs = worth.pairs(ends[2], ends[3], self._report)
        both: Any = worth.numbers
        weights = [shares[share] * pays[outcome] for share, outcome in both]
        scale = lcm(*(weight.denominator for weight in weights))
        whole = [int(weight * scale) for weight in weights]
        sides = tuple(
            Side(
                seen.seat,
                np.array(self._parents[k], np.int64),
                np.array(self._starts[k], np.int64),
                tuple(self._samples[k]),
                self._knowledge[k],
                self._sets[k],
                seen,
            )
            for k, seen in enumerate(self._seen)
        )
        return Histories(
            self._graph,
            self._first,
            (sides[0], sides[1]),
            (ends[0], ends[1]),
            np.array([float(share) for share in shares])[ends[2]],
            [whole[k] for k in pairs.tolist()],
            scale,
            self._total,
            self._trail,
        )


@dataclass(frozen=True)
class _Level:
    """The histories of one length."""

    state: Numbers
    known: tuple[Numbers, Numbers]  # what both players know
    sequences: tuple[Numbers, Numbers]
    share: Numbers  # the number of the probability by chance

    @staticmethod
    def start(share: int) -> _Level:
        none = np.zeros(1, np.int64)
        return _Level(none, (none, none.copy()), (none.copy(), none.copy()), none + share)
