"""Best play, exactly or between proved bounds. In: a game. Out: a `Solution`, from `solve`.

`dispatch` chooses the algorithm by the kind of the game; each is a package: `perfect_information`
(retrograde analysis), `stochastic` (positions with chance), `simultaneous` (matrix games), `hidden`
(sequence form, CFR+), `multiplayer` (three and more players), `revealed` (secret picks shown before
the first turn) and `lookahead` (what can be forced within a number of moves). `result` is what they
have in common, `arena` the state graph from one side, `answers` the best response to a strategy.
"""

from __future__ import annotations

from rulegame.extras import is_installed, missing

if not is_installed("solve"):
    raise missing("solve")

from rulegame.errors import CannotSolve, NotOpposed
from rulegame.memory import MAX_STATES
from rulegame.solving.dispatch import (
    Limits,
    Method,
    can_reveal,
    check_open,
    check_solvable,
    check_two,
    known_solution,
    solve,
    solve_graph,
)
from rulegame.solving.hidden.solution import HiddenSolution, solve_histories
from rulegame.solving.lookahead.solution import LookaheadSolution, ValueBounds
from rulegame.solving.mixed import ChoicePoint, MixedMove, MixedSolution
from rulegame.solving.multiplayer.solution import Equilibria, MultiplayerSolution
from rulegame.solving.perfect_information.keeping import keep_solution, load_solution
from rulegame.solving.perfect_information.sides import solve_arena, solve_for
from rulegame.solving.perfect_information.solution import (
    Evaluation,
    Option,
    PerfectInformationSolution,
    Solved,
)
from rulegame.solving.result import MoveValue, Result, Solution
from rulegame.solving.revealed.solution import RevealedSolution
from rulegame.solving.room import check_room, check_stages_room
from rulegame.solving.simultaneous.solution import SimultaneousSolution, solve_stages

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
    "check_stages_room",
    "check_two",
    "keep_solution",
    "known_solution",
    "load_solution",
    "solve",
    "solve_arena",
    "solve_for",
    "solve_graph",
    "solve_histories",
    "solve_stages",
]
