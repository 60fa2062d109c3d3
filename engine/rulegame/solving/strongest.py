"""Every game with the strongest answer that there is for its kind."""

from __future__ import annotations

from typing import Any

from rulegame.errors import CannotSolve, NotOpposed
from rulegame.game import Game, State
from rulegame.progress import Progress, silent
from rulegame.solving import (
    HiddenSolution,
    LaidOpenSolution,
    ManySolution,
    Solution,
    TogetherSolution,
    solve,
    solve_hidden,
    solve_laid_open,
    solve_many,
    solve_together,
)
from rulegame.solving.deadline import deadline_after, until
from rulegame.solving.secrets import check_picks

Strongest = Solution | LaidOpenSolution | HiddenSolution | TogetherSolution | ManySolution


def solve_strongest(
    game: Game,
    *,
    first: int = 0,
    at: State | None = None,
    hidden: bool = False,
    max_time: float | None = None,
    progress: Progress = silent,
    **limits: Any,
) -> Strongest:
    """What can be said of best play. A game whose only secrets are picks before the first turn is
    solved with the picks laid open, unless `hidden` or a later position asks for the game as it is.
    After `max_time` seconds, OutOfTime, or bounds where something is hidden or chosen at once.
    """
    limited = until(deadline_after(max_time), progress)
    if game.kind.is_open:
        if hidden:
            raise CannotSolve("nothing is hidden in this game")
        if len(game.players) > 2:
            return solve_many(game, first=first, at=at, progress=limited, **limits)
        try:
            return solve(game, first=first, at=at, progress=limited, **limits)
        except NotOpposed:
            return solve_many(game, first=first, at=at, progress=limited, **limits)
    if not game.kind.is_staged and not hidden and at is None and can_be_laid_open(game):
        return solve_laid_open(game, first=first, progress=limited, **limits)
    solving = solve_together if game.kind.is_staged else solve_hidden
    return solving(game, first=first, at=at, max_time=max_time, progress=progress, **limits)


def can_be_laid_open(game: Game) -> bool:
    """Whether picks before the first turn are all that is hidden in a game of two."""
    try:
        check_picks(game.ruleset)
    except CannotSolve:
        return False
    return len(game.players) == 2 and game.kernel.is_plain
