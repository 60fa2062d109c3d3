"""A state graph as the solver sees it: who wants the value high, who wants it low, what ends pay.

Everything is from one side: HIGH is the player who moves first, and wants the value high; LOW is
the other one. There may be nobody who is LOW, and several who are: see `side_arena`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from rulegame.compiling import OVER, Outcome
from rulegame.errors import CannotSolve, NotOpposed
from rulegame.exploring import StateGraph, offset_type
from rulegame.files.mapped import ArrayRoom
from rulegame.game import CHANCE
from rulegame.native.graph_kernels import call, has_kernels, run_python

HIGH: Final = 0
LOW: Final = 1
ROLL: Final = 2
END: Final = 3


MOST_PAY: Final = 1 << 62


@dataclass(frozen=True)
class Adjacency:
    """Edges between numbered states, forward and backward: those of state k are from offsets[k] up
    to offsets[k + 1].
    """

    offsets: NDArray[Any]
    successors: NDArray[np.int32]
    room: ArrayRoom = field(default_factory=ArrayRoom, compare=False, repr=False, kw_only=True)

    def __post_init__(self) -> None:
        kind = offset_type(len(self.successors))
        object.__setattr__(self, "offsets", self.offsets.astype(kind, copy=False))

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @cached_property
    def is_large(self) -> bool:
        """Whether machine code goes through it."""
        return has_kernels(len(self.successors))

    def run(self, kernel: str, *given: int | NDArray[Any]) -> int:
        """Run a kernel of `native.kernels.graphs`, as machine code if the graph is large."""
        return (call if self.is_large else run_python)(kernel, *given)

    @cached_property
    def degrees(self) -> NDArray[Any]:
        """How many edges leave each state."""
        return np.diff(self.offsets)

    @cached_property
    def sources(self) -> NDArray[np.int32]:
        """Of each edge, the state that it leaves."""
        return np.repeat(np.arange(len(self), dtype=np.int32), self.degrees)

    @cached_property
    def backward_sources(self) -> tuple[NDArray[Any], NDArray[np.int32]]:
        """The states that lead to state k: those from offsets[k] up to offsets[k + 1]."""
        if self.is_large:
            into = self.room.zeros(len(self) + 1, np.int32)
            sources = self.room.zeros(len(self.successors), np.int32)
            call("transpose", len(self), self.offsets, self.successors, into, sources)
            return into, sources
        offsets, edges = self._backward
        return offsets, self.sources[edges]

    @cached_property
    def _backward(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Edges by where they lead to: those into state k are edges[offsets[k]:offsets[k + 1]]."""
        offsets = offsets_of(len(self), self.successors)
        return offsets, np.argsort(self.successors, kind="stable")

    def outgoing(self, states: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of all edges out of these states."""
        return spans(self.offsets, states)

    def incoming(self, states: NDArray[np.int64]) -> NDArray[np.int64]:
        """The numbers of all edges into these states."""
        offsets, edges = self._backward
        return edges[spans(offsets, states)]


@dataclass(frozen=True)
class Arena(Adjacency):
    """Edges, and what the states at their ends are to the players."""

    role: NDArray[np.int8]  # HIGH, LOW, ROLL or END
    weights: NDArray[np.signedinteger[Any]]
    pay: NDArray[np.signedinteger[Any]]  # of an end, in units; 0 elsewhere
    unit: Fraction = field(default=Fraction(1), kw_only=True)  # what a pay of 1 is worth
    plain: bool = field(default=True, kw_only=True)  # whether ends are won, lost or drawn: 1, -1, 0
    first: int = field(default=0, kw_only=True)  # the seat whose payoffs these are

    @property
    def has_chance(self) -> bool:
        return bool((self.role == ROLL).any())

    def payoff_range(self, endless: bool) -> tuple[Fraction, Fraction]:
        """The least and the greatest payoff; `endless` play pays 0."""
        paid = self.pay[self.role == END]
        units = [int(paid.min()), int(paid.max())] if len(paid) else []
        units += [0] if endless or not units else []
        return min(units) * self.unit, max(units) * self.unit


def rounded_out(low: Fraction, high: Fraction) -> tuple[float, float]:
    """The nearest floats that do not lie between two numbers."""
    lower, upper = float(low), float(high)
    lower = lower if Fraction(lower) <= low else float(np.nextafter(lower, -np.inf))
    upper = upper if Fraction(upper) >= high else float(np.nextafter(upper, np.inf))
    return lower, upper


def offsets_of(size: int, states: NDArray[Any]) -> NDArray[np.int64]:
    """Where the entries of each state begin, once they are sorted by state."""
    return np.concatenate(([0], np.cumsum(np.bincount(states, minlength=size))))


def spans(offsets: NDArray[Any], rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """offsets[r] up to offsets[r + 1] for each of the rows, one after the other."""
    starts = offsets[rows]
    lengths = offsets[rows + 1] - starts
    shifts = np.repeat(starts - np.concatenate(([0], np.cumsum(lengths)[:-1])), lengths)
    return shifts + np.arange(int(lengths.sum()))


def make_arena(graph: StateGraph, first: int) -> Arena:
    """The graph from the side of the seat that moves first: of one player against chance, or of two
    whose payoffs always add up to the same. NotOpposed if they do not.
    """
    outcomes = graph.outcomes
    if len(graph.game.players) == 1:
        plain = graph.game.kernel.is_plain
    else:
        plain = all(sorted(o.payoffs) in ([-1, 1], [0, 0]) for o in outcomes)
        check_opposed(outcomes)
    return side_arena(graph, [first], [o.payoffs[first] for o in outcomes], plain)


def side_arena(
    graph: StateGraph, high: Collection[int], pays: Sequence[int | Fraction], plain: bool = False
) -> Arena:
    """The graph from the side of some seats, who want high what the outcomes pay; all others want
    it low.
    """
    role = np.full(len(graph.owner), LOW, np.int8)
    for seat in high:
        role[graph.owner == seat] = HIGH
    role[graph.owner == CHANCE] = ROLL
    role[graph.owner == OVER] = END
    exact = [Fraction(pay) for pay in pays]
    unit = Fraction(1, lcm(*(pay.denominator for pay in exact)))
    whole = [int(pay / unit) for pay in exact]
    if any(abs(pay) >= MOST_PAY for pay in whole):
        raise CannotSolve("payoffs do not fit in 62 bits")
    pay = np.array([*whole, 0], np.int8 if plain else np.int64)[graph.outcome]
    return Arena(
        graph.offsets, graph.successors, role, graph.weights, pay,
        room=graph.room, unit=unit, plain=plain, first=next(iter(high), 0),
    )  # fmt: skip


def check_opposed(outcomes: Sequence[Outcome], endless: bool = False) -> None:
    """NotOpposed unless all ends pay the players the same together: zero, if play can be endless,
    which pays nothing.
    """
    for outcome in outcomes:
        if len(outcome.payoffs) > 1 and outcome.score is not None:
            raise NotOpposed(f"the end rule '{outcome.rule}' gives all players the same score")
        if len(outcome.payoffs) > 1 and len(outcome.payoffs) in map(
            len, (outcome.winners, outcome.losers)
        ):
            shared = "win" if outcome.winners else "lose"
            raise NotOpposed(f"the end rule '{outcome.rule}' lets everyone {shared}")
    totals = {sum(outcome.payoffs): outcome for outcome in outcomes}
    for total, outcome in totals.items():
        paid = f"the end rule '{outcome.rule}' pays {payoffs_text(outcome.payoffs)}"
        if len(totals) > 1 and total:
            raise NotOpposed(f"{paid}, which does not add up to zero")
        if total and endless:
            raise NotOpposed(f"{paid}, which adds up to {total}, and play that never ends to zero")


def payoffs_text(payoffs: Sequence[int | Fraction]) -> str:
    """Payoffs as people write them."""
    return f"[{', '.join(str(pay) for pay in payoffs)}]"
