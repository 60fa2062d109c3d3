"""Advice from the solution of a game."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from rulegame.game import GameError, State, View
from rulegame.players.findings import Advice, RatedMove
from rulegame.players.mixed import HiddenSolutions, Mixed
from rulegame.players.perfect import good_moves
from rulegame.players.solutions import Solutions, Unsolved
from rulegame.progress import Progress
from rulegame.solving import Solution
from rulegame.solving.arena import HIGH
from rulegame.solving.solution import BY_CHANCE, DRAW, ENDLESS, PAYOFF, Option

MOST_HISTORIES: Final = 20_000  # for a hint, where something is hidden or chosen at once


def solved_advice(view: View, first: int, max_states: int, progress: Progress) -> Advice | str:
    """Advice for the seat of a view; or why there is no solution, as a clause."""
    try:
        most = min(max_states, MOST_HISTORIES)
        mixed = view.game.companion(HiddenSolutions).find(first, most, progress)
        advice = None if mixed is None else _from_mixed(mixed, view)
        if advice is not None:
            return advice
        solution = view.game.companion(Solutions).find(first, max_states, progress)
    except Unsolved as reason:
        return str(reason)
    except GameError as error:
        return f"the rules fail in some position ({error.diagnostic.message})"
    if view.state is not None and view.state in solution:
        return _from_solution(solution, view.state)
    return "the solution does not cover this position"


def _from_solution(solution: Solution, state: State) -> Advice:
    number = solution.number(state)
    sign = 1 if solution.arena.role[number] == HIGH else -1
    total = 0.0 if sign == 1 else float(solution.graph.payoff_sum)
    worths = []
    for option in solution.options(state):
        value = total + sign * (option.lower + option.upper) / 2
        decided = option.result not in (BY_CHANCE, PAYOFF)
        worths.append(RatedMove(option.move, value, _told(option, sign, value), decided))
    note = None if solution.exact else "The values are rounded bounds."
    best = solution.moves_like(state, good_moves(solution, number))
    return Advice(tuple(best), tuple(worths), "solution", note)


def _told(option: Option, sign: int, value: float) -> str:
    """What a move leads to under best play, for people."""
    if option.result == DRAW:
        return "draws"
    if option.result == ENDLESS:
        return "never ends"
    if option.result in (BY_CHANCE, PAYOFF):
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
    note = (
        None
        if solution.exact
        else "The strategy is nearly optimal; `rulegame solve` shows the bounds."
    )
    best = tuple(move for move, share in strategy.items() if share)
    return Advice(best, rated, "solution", note)


def _mixed_text(share: Fraction | float, worth: float | None) -> str:
    """How often a move is best, and what it is worth."""
    often = f"best {100 * float(share):.3g} % of the time" if 0 < share < 1 else ""
    value = "" if worth is None else f"is worth {worth:+.3f}"
    return ", ".join(filter(None, (value, often))) or ("always" if share else "never")
