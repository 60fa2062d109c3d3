"""What other libraries ask of a game before it is played: whether anything is hidden or rolled,
what can be gained and lost, how long a game can be. Worked out from all states where these are few.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from rulegame.compiling import CHANCE
from rulegame.errors import TooLarge
from rulegame.exploring import StateGraph, explore
from rulegame.game import Game, GameError
from rulegame.game.actions import Unbounded
from rulegame.model.payoffs import payoff_range, union

FEW_STATES: Final = 20_000  # that are explored, to know the length and the ends of a game
MANY_STATES: Final = 200_000  # where it matters what the ends pay
LONGEST: Final = 1_000  # moves after which a game is cut, where nothing says how long it can be

Utility = Literal["zero sum", "constant sum", "identical", "general sum"]


@dataclass(frozen=True, slots=True)
class Traits:
    """What a game is like, as other libraries have it; `longest` counts the moves of players, and
    is None where games can be endless, or nobody knows; `rolls` likewise.
    """

    hidden: bool  # something other than what is chosen at once
    chance: bool
    together: bool  # players choose at once
    utility: Utility
    low: Fraction
    high: Fraction
    total: Fraction | None  # what all get together, if it is always the same
    longest: int | None
    rolls: int | None


def traits_of(game: Game, paid: tuple[int, int] | None = None) -> Traits:
    """The traits of a game; `Unbounded` if nothing says how much can be gained and lost: neither
    the ends of the game, nor their types, nor `paid`, the least and the most as somebody says.
    """
    return _traits(game, _few_states(game), paid)


def first_traits(game: Game) -> Traits:
    """What can be told of a game at a glance; of gains and losses that may be nothing."""
    try:
        return _traits(game, None, None)
    except Unbounded:
        zero = Fraction(0)
        return Traits(*_workings(game), "general sum", zero, zero, None, None, None)


def _traits(game: Game, graph: StateGraph | None, paid: tuple[int, int] | None) -> Traits:
    longest, rolls = (None, None) if graph is None else lengths(graph)
    duel = game.kind.is_duel and not game.kind.payoffs
    ends: set[tuple[int | Fraction, ...]]
    if graph is not None:
        ends = {outcome.payoffs for outcome in graph.outcomes}
    else:
        ends = {(1, -1), (-1, 1), (0, 0)} if duel else _declared_payoffs(game, paid)
    if longest is None:
        ends = {*ends, (0,) * len(game.players)}  # of a game that is cut
    low, high = (Fraction(pick(paid for end in ends for paid in end)) for pick in (min, max))
    utility, total = _kind(ends, known=graph is not None or duel)
    return Traits(*_workings(game), utility, low, high, total, longest, rolls)


def _workings(game: Game) -> tuple[bool, bool, bool]:
    """Whether anything is hidden or rolled, and whether players choose at once."""
    kind = game.kind
    return kind.hidden is not None, kind.chance, kind.simultaneous


def _few_states(game: Game) -> StateGraph | None:
    """All states, where they are few and the rules never fail."""
    most = FEW_STATES if game.kernel.is_plain else MANY_STATES
    try:
        return explore(game, max_states=most)
    except (TooLarge, GameError):
        return None


def lengths(graph: StateGraph) -> tuple[int | None, int | None]:
    """How many moves, and how many rolls, a game has at most; None if it can be endless."""
    waiting = [0] * len(graph)
    for after in graph.successors.tolist():
        waiting[after] += 1
    moves, rolls = [0] * len(graph), [0] * len(graph)
    ready, done = [k for k, before in enumerate(waiting) if not before], 0
    while ready:
        number = ready.pop()
        done += 1
        rolled = int(graph.owner[number]) == CHANCE
        low, high = int(graph.offsets[number]), int(graph.offsets[number + 1])
        for after in graph.successors[low:high].tolist():
            moves[after] = max(moves[after], moves[number] + (not rolled))
            rolls[after] = max(rolls[after], rolls[number] + rolled)
            waiting[after] -= 1
            if not waiting[after]:
                ready.append(after)
    return (max(moves), max(rolls)) if done == len(graph) else (None, None)


def _declared_payoffs(game: Game, paid: tuple[int, int] | None) -> set[tuple[int | Fraction, ...]]:
    """The least and the most that anybody can be paid, as somebody says or the types tell."""
    ruleset, seats = game.ruleset, len(game.players)
    if paid is not None:
        return {(bound,) * seats for bound in paid}
    found: set[tuple[int | Fraction, ...]] = {(1,) * seats, (-1,) * seats}
    named = [("stuck", ruleset.stuck.verdict), ("stuck", ruleset.stuck.all_verdict)]
    for rule, verdict in [*named, *((rule.name, rule.verdict) for rule in ruleset.end)]:
        low, high = union(payoff_range(verdict, seat, ruleset.unit) for seat in range(seats))
        if low is None or high is None:
            raise Unbounded(
                f"nothing says how much '{rule}' can pay: its payoff has no bounds, and the game "
                f"has more than {MANY_STATES:,} states; min_utility and max_utility can say it"
            )
        found |= {(low,) * seats, (high,) * seats}
    return found


def _kind(ends: set[tuple[int | Fraction, ...]], known: bool) -> tuple[Utility, Fraction | None]:
    """What the payoffs have in common; `known`: they are those that there really are."""
    totals = {sum(map(Fraction, end), Fraction(0)) for end in ends}
    if known and totals == {Fraction(0)} and _seats(ends) > 1:
        return "zero sum", Fraction(0)
    if known and all(len(set(end)) == 1 for end in ends):
        return "identical", None
    if known and len(totals) == 1:
        return "constant sum", totals.pop()
    return "general sum", None


def _seats(ends: set[tuple[Fraction | int, ...]] | set[tuple[int, ...]]) -> int:
    return len(next(iter(ends)))


def rewards(payoffs: Sequence[Fraction | int]) -> list[float]:
    """What each player gets, as other libraries count."""
    return [float(payoff) for payoff in payoffs]
