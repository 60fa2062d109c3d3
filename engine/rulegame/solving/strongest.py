"""Every game with the strongest answer that there is for its kind."""

from __future__ import annotations

from typing import Any

from rulegame.game import Game, State
from rulegame.solving import (
    CannotSolve,
    HiddenSolution,
    LaidOpenSolution,
    ManySolution,
    NotOpposed,
    Solution,
    TogetherSolution,
    has_secrets,
    is_staged,
    solve,
    solve_hidden,
    solve_laid_open,
    solve_many,
    solve_together,
)
from rulegame.solving.secrets import check_picks

Strongest = Solution | LaidOpenSolution | HiddenSolution | TogetherSolution | ManySolution


def solve_strongest(
    game: Game,
    *,
    first: int = 0,
    at: State | None = None,
    hidden: bool = False,
    max_time: float | None = None,
    **limits: Any,
) -> Strongest:
    """What can be said of best play. A game whose only secrets are picks before the first turn is
    solved with the picks laid open, unless `hidden` or a later position asks for the game as it is.
    """
    if not has_secrets(game.ruleset):
        if hidden:
            raise CannotSolve("nothing is hidden in this game")
        if len(game.players) > 2:
            return solve_many(game, first=first, at=at, **limits)
        try:
            return solve(game, first=first, at=at, **limits)
        except NotOpposed:
            return solve_many(game, first=first, at=at, **limits)
    if is_staged(game):
        return solve_together(game, first=first, at=at, max_time=max_time, **limits)
    if not hidden and at is None and can_be_laid_open(game):
        return solve_laid_open(game, first=first, **limits)
    return solve_hidden(game, first=first, at=at, max_time=max_time, **limits)


def can_be_laid_open(game: Game) -> bool:
    """Whether picks before the first turn are all that is hidden in a game of two."""
    try:
        check_picks(game.ruleset)
    except CannotSolve:
        return False
    return len(game.players) == 2 and game.kernel.is_plain
