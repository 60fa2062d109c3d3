"""Advice for the player to move: the best moves, and what each move is worth.

From the solution, if the game can be solved; otherwise from a search. It uses nothing but the view.
Where not everybody sees everything, the best moves are those that a best strategy mixes.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Final, Literal

from rulegame.game import GameError, Move, State, View
from rulegame.players.budget import Budget
from rulegame.players.findings import SearchResult
from rulegame.players.mixed import HiddenSolutions, Mixed
from rulegame.players.perfect import good_moves
from rulegame.players.search import DEFAULT, search
from rulegame.players.solutions import Solutions, Unsolved
from rulegame.players.table import FastTable
from rulegame.progress import Progress, silent
from rulegame.solving import Solution
from rulegame.solving.arena import HIGH
from rulegame.solving.solution import BY_CHANCE, DRAW, ENDLESS, PAYOFF, Option

MAX_STATES: Final = 200_000
MOST_HISTORIES: Final = 20_000  # for a hint, where something is hidden or chosen at once


@dataclass(frozen=True, slots=True)
class RatedMove:
    """A move, what it is worth to the player who makes it (win 1, loss -1), and that in words."""

    move: Move
    value: float | None  # None: not looked at
    text: str


@dataclass(frozen=True, slots=True)
class Advice:
    """What to play, and why. `worths` has all valid moves in their order."""

    best: tuple[Move, ...]
    worths: tuple[RatedMove, ...]
    source: Literal["solution", "search"]
    note: str | None = None  # why there is no solution


def advise(
    view: View,
    rng: Random,
    *,
    first: int = 0,
    budget: Budget = DEFAULT,
    max_states: int = MAX_STATES,
    progress: Progress = silent,
) -> Advice:
    """Advice for the seat of a view, which must be to move. A solution that a perfect player has
    found already is used, however large it is.
    """
    if not view.moves:
        raise ValueError("there is nothing to advise: this player is not to move")
    note: str | None
    try:
        most = min(max_states, MOST_HISTORIES)
        mixed = view.game.companion(HiddenSolutions).find(first, most, progress)
        advice = None if mixed is None else _from_mixed(mixed, view)
        if advice is not None:
            return advice
        solution = view.game.companion(Solutions).find(first, max_states, progress)
    except Unsolved as reason:
        note = str(reason)
    except GameError as error:
        note = f"the rules fail in some state ({error.diagnostic.message})"
    else:
        if view.state is not None and view.state in solution:
            return _from_solution(solution, view.state)
        note = "the game as it was solved never comes to this state"
    return _from_search(view, rng, budget, note)


# ---- from the solution


def _from_solution(solution: Solution, state: State) -> Advice:
    number = solution.number(state)
    sign = 1 if solution.arena.role[number] == HIGH else -1
    options = solution.options(state)
    worths = tuple(
        RatedMove(o.move, sign * (o.lower + o.upper) / 2, _told(o, sign)) for o in options
    )
    note = None if solution.exact else "the values are proved bounds, rounded"
    best = solution.moves_like(state, good_moves(solution, number))
    return Advice(tuple(best), worths, "solution", note)


def _told(option: Option, sign: int) -> str:
    """What a move leads to under best play, for people."""
    if option.result == DRAW:
        return "draws"
    if option.result == ENDLESS:
        return "goes on without end"
    if option.result in (BY_CHANCE, PAYOFF):
        value = sign * (option.lower + option.upper) / 2
        return f"is worth {value:+.3f}"
    wins = (option.lower == 1) == (sign == 1)
    if option.distance is None:
        return "wins" if wins else "loses"
    verb = "wins" if wins else "loses"
    if option.distance == 1:
        return f"{verb} at once"
    return f"{verb} in {option.distance} moves"


def _from_mixed(solution: Mixed, view: View) -> Advice | None:
    """The moves that a best strategy mixes, by what the player has seen; None if the game as it was
    solved never comes to that.
    """
    strategy = solution.strategy(view)
    if strategy is None:
        return None
    worths = solution.worth(view)
    rated = tuple(
        RatedMove(move, worths.get(move), _mixed_text(share, worths.get(move)))
        for move, share in strategy.items()
    )
    note = None if solution.exact else "the strategy is about the best: see rulegame solve"
    best = tuple(move for move, share in strategy.items() if share)
    return Advice(best, rated, "solution", note)


def _mixed_text(share: Fraction | float, worth: float | None) -> str:
    """How often a move is best, and what it is worth."""
    often = f"best {100 * float(share):.3g} % of the time" if 0 < share < 1 else ""
    value = "" if worth is None else f"is worth {worth:+.3f}"
    return ", ".join(filter(None, (value, often))) or ("always" if share else "never")


# ---- from a search


def _from_search(view: View, rng: Random, budget: Budget, note: str | None) -> Advice:
    found = search(view, rng, budget)
    if found is None:
        unknown = tuple(RatedMove(move, None, "not known") for move in view.moves)
        return Advice(view.moves, unknown, "search", note)
    findings = {finding.move: finding for finding in found.moves}
    plain = view.game.companion(FastTable).plain
    worths = tuple(_found_worth(findings[move], plain) for move in view.moves)
    return Advice((found.best,), worths, "search", note)


def _found_worth(finding: SearchResult, plain: bool) -> RatedMove:
    value = finding.value
    if value is None:
        return RatedMove(finding.move, None, "not tried")
    proof = finding.proof
    if proof is None:
        return RatedMove(finding.move, value, f"is worth about {value:+.2f}")
    if not plain or not proof.sure:
        return RatedMove(finding.move, value, f"is worth {value:+.3f}")
    if value == 0:
        return RatedMove(finding.move, value, "draws")
    soon = "at once" if proof.away == 1 else f"within {proof.away} moves"
    return RatedMove(finding.move, value, f"{'wins' if value > 0 else 'loses'} {soon}")
