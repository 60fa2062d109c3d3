"""Names of the last release: they warn, and do what `solve` does. The next release removes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final
from warnings import warn

from rulegame import solving
from rulegame.game import Game
from rulegame.solving import Method, Solution, solve

FUNCTIONS: Final = {
    "solve_bounds": Method.LOOKAHEAD,
    "solve_hidden": Method.HIDDEN,
    "solve_laid_open": Method.REVEALED,
    "solve_many": Method.MULTIPLAYER,
    "solve_together": Method.SIMULTANEOUS,
}
CLASSES: Final = {
    "DepthBounds": "LookaheadSolution",
    "LaidOpenSolution": "RevealedSolution",
    "ManySolution": "MultiplayerSolution",
    "TogetherSolution": "SimultaneousSolution",
}


def __getattr__(name: str) -> Callable[..., Solution]:
    if name in CLASSES:
        warn(f"{name} is now {CLASSES[name]}", DeprecationWarning, stacklevel=3)
        found: Callable[..., Solution] = getattr(solving, CLASSES[name])
        return found
    if name not in FUNCTIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    method = FUNCTIONS[name]

    def function(game: Game, **given: Any) -> Solution:
        warn(f"{name}(game) is now solve(game, {method.value!r})", DeprecationWarning, stacklevel=2)
        return solve(game, method, **given)

    function.__name__ = function.__qualname__ = name
    return function
