"""Advice for the player to move: the best moves, and what each move is worth.

From the solution, if the game can be solved; otherwise from a search. It uses nothing but the view.
Where not everybody sees everything, the best moves are those that a best strategy mixes.
"""

from __future__ import annotations

from math import inf
from random import Random
from typing import Final

from rulegame.extras import is_installed, missing
from rulegame.game import Move, View
from rulegame.players.budget import Budget
from rulegame.players.findings import Advice, Findings, RatedMove, SearchResult
from rulegame.players.search import DEFAULT, search
from rulegame.players.table import FastTable
from rulegame.progress import Progress, silent

__all__ = ["MAX_STATES", "Advice", "RatedMove", "advise"]

MAX_STATES: Final = 200_000
ENOUGH: Final = 5  # a move is tried enough if no other was tried more than so many times as often
SOLVING: Final = 1.5  # times the budget of a search, for solving the game,
MIN_SECONDS: Final = 3.0  # and at least for an open game
PERCENT: Final = 50  # steps of an estimate from 0 to 1: each is one percent of a winning chance


def advise(
    view: View,
    rng: Random,
    *,
    first: int = 0,
    budget: Budget = DEFAULT,
    max_states: int = MAX_STATES,
    patience: float | None = None,
    progress: Progress = silent,
) -> Advice:
    """Advice for the seat of a view, which must be to move. A solution that a perfect player has
    found already is used, however large it is. Without the packages that solving needs, or if
    solving takes longer than `patience` seconds, it comes from a search.
    """
    if not view.moves:
        raise ValueError("it is not this player's turn")
    if not is_installed("solve"):
        return _from_search(view, rng, budget, str(missing("solve", "An exact hint")))
    from rulegame.players.solved_advice import solved_advice

    if patience is None:
        patience = inf if budget.seconds is None else SOLVING * budget.seconds
        if view.game.kind.is_open:
            patience = max(patience, MIN_SECONDS)
    found = solved_advice(view, first, max_states, patience, progress)
    if isinstance(found, Advice):
        return found
    return _from_search(view, rng, budget, f"Estimates only: {found}.")


# ---- from a search


def _from_search(view: View, rng: Random, budget: Budget, note: str | None) -> Advice:
    found = search(view, rng, budget)
    if found is None:
        unknown = tuple(RatedMove(move, None, "unknown") for move in view.moves)
        return Advice((), unknown, "search", note)
    plain = view.game.companion(FastTable).plain
    rated = {result.move: _rated(result, plain) for result in found.moves}
    best = _best_found(found, rated)
    worths = tuple(rated[move] for move in view.moves)
    return Advice(tuple(move for move in view.moves if move in best), worths, "search", note)


def _best_found(found: Findings, rated: dict[Move, RatedMove]) -> list[Move]:
    """The best moves by the values that are shown, among those that were tried often enough; none
    if the search prefers a move that it has not tried. A move that was hardly tried and looks as
    good loses its value.
    """
    if rated[found.best].value is None:
        return []
    most = max(result.visits for result in found.moves)
    tried = [result for result in found.moves if rated[result.move].value is not None]
    sound = [r for r in tried if r.proof is not None or ENOUGH * r.visits >= most]
    top = max(_value(rated[result.move]) for result in sound)
    for result in tried:
        if result not in sound and _value(rated[result.move]) >= top:
            rated[result.move] = RatedMove(result.move, None, "hardly tried")
    equal = [result for result in sound if _value(rated[result.move]) == top]
    if top > 0:  # a certain win is better than an estimate that looks like one
        equal = [result for result in equal if rated[result.move].decided] or equal
    first = next((result for result in equal if result.move == found.best), equal[0])
    text = rated[first.move].text  # of proved results it tells how soon they come
    return [r.move for r in equal if r.proof is None or rated[r.move].text == text]


def _value(rated: RatedMove) -> float:
    assert rated.value is not None
    return rated.value


def _rated(result: SearchResult, plain: bool) -> RatedMove:
    value = result.value
    if value is None:
        return RatedMove(result.move, None, "not searched")
    proof = result.proof
    if proof is None:
        value = round(PERCENT * value) / PERCENT if plain else round(value, 2)
        return RatedMove(result.move, value, f"is worth about {value:+.2f}")
    if not plain or not proof.sure:
        return RatedMove(result.move, value, f"is worth {value:+.3f}")
    if value == 0:
        return RatedMove(result.move, value, "draws", decided=True)
    soon = "at once" if proof.away == 1 else f"within {proof.away} moves"
    verb = "wins" if value > 0 else "loses"
    return RatedMove(result.move, value, f"{verb} {soon}", decided=True)
