"""Best play, exactly or between proved bounds. In: a game. Out: a `Solution`, from `solve`.

`dispatch` chooses the algorithm by the kind of the game; each is a package: `perfect_information`
(retrograde analysis), `stochastic` (positions with chance), `simultaneous` (matrix games), `hidden`
(sequence form, CFR+), `multiplayer` (three and more players), `revealed` (secret picks shown before
the first turn) and `lookahead` (what can be forced within a number of moves). `result` is what they
have in common, `mixed` what mixed strategies have, `arena` the state graph from one side, `answers`
the best response to a strategy.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any, Final

from rulegame.extras import is_installed, missing

if not is_installed("solve"):
    raise missing("solve")

from rulegame.errors import CannotSolve, NotOpposed
from rulegame.memory import MAX_STATES
from rulegame.solving.dispatch import (
    Limits,
    can_reveal,
    check_open,
    check_solvable,
    known_solution,
    solve,
    solve_graph,
)
from rulegame.solving.perfect_information.solution import (
    Evaluation,
    Option,
    PerfectInformationSolution,
    Solved,
)
from rulegame.solving.result import Method, MoveValue, Result, Solution
from rulegame.solving.room import check_room

if TYPE_CHECKING:
    from rulegame.solving.hidden.solution import HiddenSolution
    from rulegame.solving.lookahead.solution import LookaheadSolution, ValueBounds
    from rulegame.solving.mixed import ChoicePoint, MixedMove, MixedSolution
    from rulegame.solving.multiplayer.solution import Equilibria, MultiplayerSolution
    from rulegame.solving.revealed.solution import RevealedSolution
    from rulegame.solving.simultaneous.solution import SimultaneousSolution

__all__ = [
    "MAX_STATES",
    "CannotSolve",
    "ChoicePoint",
    "Equilibria",
    "Evaluation",
    "HiddenSolution",
    "Limits",
    "LookaheadSolution",
    "Method",
    "MixedMove",
    "MixedSolution",
    "MoveValue",
    "MultiplayerSolution",
    "NotOpposed",
    "Option",
    "PerfectInformationSolution",
    "Result",
    "RevealedSolution",
    "SimultaneousSolution",
    "Solution",
    "Solved",
    "ValueBounds",
    "can_reveal",
    "check_open",
    "check_room",
    "check_solvable",
    "known_solution",
    "solve",
    "solve_graph",
]

_HOMES: Final = {
    "hidden.solution": ("HiddenSolution",),
    "lookahead.solution": ("LookaheadSolution", "ValueBounds"),
    "mixed": ("ChoicePoint", "MixedMove", "MixedSolution"),
    "multiplayer.solution": ("Equilibria", "MultiplayerSolution"),
    "revealed.solution": ("RevealedSolution",),
    "simultaneous.solution": ("SimultaneousSolution",),
}  # of what only some games need


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
