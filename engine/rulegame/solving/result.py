"""The answer of `solve`, whatever the game: one interface for all algorithms."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any, ClassVar, Final, Protocol

from rulegame.game import Game, Move, State, View
from rulegame.model.kind import GameKind
from rulegame.shown import Plotted, Shown, Tabled

if TYPE_CHECKING:
    from rulegame.exploring import StateGraph

VERSION: Final = 1  # of the JSON
VACUOUS: Final = Fraction(9, 10)  # bounds that are wider than this part of the range say nothing

Number = Fraction | float
Place = State | View | int | None  # None: where the solution begins


class Result(StrEnum):
    """What best play comes to; FIRST and SECOND count from who moves first."""

    FIRST = "first"
    SECOND = "second"
    DRAW = "draw"
    ENDLESS = "endless"
    CHANCE = "chance"  # dice decide
    LOST = "lost"  # by the one player there is
    PAYOFF = "payoff"  # what counts is how much is paid
    MIXED = "mixed"  # best play mixes moves at random
    OPEN = "open"  # not decided within the depth


class Method(StrEnum):
    """The algorithms of `solve`; AUTO takes the one that answers for the game as it is."""

    AUTO = "auto"
    PERFECT_INFORMATION = "perfect_information"
    SIMULTANEOUS = "simultaneous"
    HIDDEN = "hidden"
    MULTIPLAYER = "multiplayer"
    REVEALED = "revealed"  # another game: secret picks are shown before the first turn
    LOOKAHEAD = "lookahead"  # bounds within a number of moves


class Choice(Protocol):
    """A move, or several that belong together."""

    @property
    def text(self) -> str: ...


@dataclass(frozen=True)
class MoveValue:
    """A move with its value for the player who makes it; for the first mover, if it is a roll."""

    move: Choice
    value: Number | None  # None: only bounds are known, or nothing
    lower: float | None = None
    upper: float | None = None
    loss: Number | None = None  # against the best move
    best: bool = False
    probability: Number | None = None  # in a mixed strategy
    result: Result | None = None
    distance: int | None = None  # moves to the end, this one included

    @property
    def decimal(self) -> float | None:
        """The value as a float; halfway between its bounds where only those are known."""
        if self.value is not None:
            return float(self.value)
        if self.lower is None or self.upper is None:
            return None
        return (self.lower + self.upper) / 2


class Solution(Shown, Tabled, Plotted):
    """What is known of best play. Values are those of the player who moves first, unless they are
    said to be another's.
    """

    __slots__ = ()
    algorithm: ClassVar[Method]  # that found it
    graph: StateGraph
    first: int  # the seat that moves first
    longest_game: int | None  # moves and rolls; None: play can be endless
    shortest_game: int | None  # None: no end can be reached
    values: Sequence[Fraction] | None  # of each state of the graph, if all are known exactly

    @property
    def game(self) -> Game:
        """The game that is solved."""
        return self.graph.game

    @property
    def kind(self) -> GameKind:
        """The kind of the game."""
        return self.game.kind

    # ---- values

    @property
    @abstractmethod
    def result(self) -> Result:
        """What best play comes to."""

    @property
    @abstractmethod
    def value(self) -> Fraction | None:
        """The value of the game for who moves first; None if it is not known exactly."""

    @property
    @abstractmethod
    def bounds(self) -> tuple[float, float]:
        """Numbers between which the value lies."""

    @property
    def lower(self) -> float:
        """The first mover can make sure of this on average."""
        return self.bounds[0]

    @property
    def upper(self) -> float:
        """The first mover can be held to this on average."""
        return self.bounds[1]

    @property
    def exact(self) -> bool:
        """Whether the value is known exactly."""
        return self.value is not None

    @property
    def seat_values(self) -> tuple[Fraction | None, ...]:
        """What each seat gets on average under best play; None where that is not known."""
        if self.kind.players == 1 or self.value is None:
            return (self.value,) * self.kind.players
        pair = self.value, self.graph.payoff_sum - self.value
        return pair if self.first == 0 else pair[::-1]

    @property
    def payoffs_between(self) -> tuple[Fraction, Fraction] | None:
        """The least and the greatest payoff of the first mover; None if that is not known."""
        return None

    @property
    def is_vacuous(self) -> bool:
        """Whether the bounds say hardly more than the payoffs do."""
        span = self.payoffs_between
        if self.exact:
            return False
        if span is None or not (isfinite(self.lower) and isfinite(self.upper)):
            return not isfinite(self.upper - self.lower)
        return Fraction(self.upper) - Fraction(self.lower) > VACUOUS * (span[1] - span[0])

    @property
    def win_probability(self) -> Number | None:
        """With which probability the first mover wins; None if that is not known, or if play may be
        drawn or endless.
        """
        return None

    @property
    def distance(self) -> int | None:
        """How many moves the end is away; None if nobody can force it, or chance decides."""
        return None

    # ---- moves

    @abstractmethod
    def moves(self, at: Place = None) -> tuple[MoveValue, ...]:
        """The moves of a state, or of what a player sees, best first; rolls in their own order."""

    def best_moves(self, at: Place = None) -> list[Any]:
        """The moves that keep the value; where best play mixes, those that it mixes."""
        return [one.move for one in self.moves(at) if one.best]

    @abstractmethod
    def strategy(self, view: View) -> Mapping[Move, Number] | None:
        """How likely each move is in best play, by what a player sees; None if best play as it was
        computed never comes to that.
        """

    # ---- how it was found

    @property
    @abstractmethod
    def method(self) -> str:
        """The algorithm, in a few words."""

    @property
    def assumed(self) -> str:
        """What is taken for granted, as a sentence; empty if nothing is."""
        return "Endless play counts as 0." if self.longest_game is None else ""

    @property
    def account(self) -> str:
        """How the answer was found and what it is worth, in a sentence or two."""
        result = "Exact result" if self.exact else "Certified bounds"
        return f"{result} ({self.method}).{' ' * bool(self.assumed)}{self.assumed}"

    # ---- for programs

    def to_dict(self, top: int | None = None) -> dict[str, Any]:
        """The solution as JSON has it: fractions are texts. `top` limits lists of moves."""
        return {
            "version": VERSION,
            "kind": self.kind.as_data(),
            "method": self.method,
            "account": self.account,
            "value": None if self.value is None else str(self.value),
            "value_decimal": middle(self),
            "exact": self.exact,
            "lower": finite(self.lower),
            "upper": finite(self.upper),
            "result": self.result,
            "seat_values": [None if one is None else str(one) for one in self.seat_values],
            **self.details(top),
        }

    def details(self, top: int | None) -> dict[str, Any]:
        """The fields of this kind of solution."""
        chance = self.win_probability
        return {
            "first": self.first + 1,
            "states": len(self.graph),
            "moves": self.graph.edges,
            "win_probability": str(chance) if isinstance(chance, Fraction) else chance,
            "distance": self.distance,
            "shortest_game": self.shortest_game,
            "longest_game": self.longest_game,
        }


def number_data(name: str, value: Number | None) -> dict[str, Any]:
    """A number for programs: as a fraction in a text, if it is exact, and as a decimal."""
    exact = str(value) if isinstance(value, Fraction) else None
    return {name: exact, f"{name}_decimal": None if value is None else float(value)}


def finite(bound: float) -> float | None:
    """A bound for JSON, which has no infinity."""
    return bound if isfinite(bound) else None


def middle(solution: Solution) -> float | None:
    """The value as a decimal; halfway between the bounds where only those are known."""
    if solution.value is not None:
        return float(solution.value)
    return finite((solution.lower + solution.upper) / 2)


def best_first(moves: Sequence[MoveValue]) -> tuple[MoveValue, ...]:
    """The moves of a player with what each gives away, the best ones first."""
    return tuple(sorted(with_losses(moves), key=lambda one: (not one.best, one.loss or 0.0)))


def with_losses(moves: Sequence[MoveValue]) -> list[MoveValue]:
    """The moves of a player with what each gives away against the best."""
    most = max(moves, key=_rank, default=None)
    return [] if most is None else [replace(one, loss=_difference(most, one)) for one in moves]


def _rank(one: MoveValue) -> Number:
    """The value of a move: floats cannot tell all exact ones apart."""
    return (one.decimal or 0.0) if one.value is None else one.value


def _difference(best: MoveValue, one: MoveValue) -> Number:
    if isinstance(best.value, Fraction) and isinstance(one.value, Fraction):
        return best.value - one.value
    return (best.decimal or 0.0) - (one.decimal or 0.0)
