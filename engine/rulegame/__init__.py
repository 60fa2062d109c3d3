"""rulegame: one YAML file describes a turn-based game; this library loads it and plays it.

game = rulegame.load("zero_sum_duel", {"start": 30})
state = game.start()
state = state.play(state.moves[0])
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulegame.comparing import Comparison, compare
    from rulegame.counting import perft
    from rulegame.diagnostics import Diagnostic, RulesetError, Span
    from rulegame.explaining import Explanation, explain_move
    from rulegame.game import (
        CHANCE,
        HIDDEN,
        Event,
        Game,
        GameError,
        IllegalMove,
        Move,
        Outcome,
        Reason,
        State,
        View,
    )
    from rulegame.graph import StateGraph, TooLarge, explore
    from rulegame.loading import load
    from rulegame.rulebook import Rulebook, write_rulebook
    from rulegame.solving import CannotSolve, Solution, solve

__version__ = "0.1.0"

_HOMES = {
    **dict.fromkeys(("Diagnostic", "RulesetError", "Span"), "rulegame.diagnostics"),
    **dict.fromkeys(
        (
            "CHANCE",
            "HIDDEN",
            "Event",
            "Game",
            "GameError",
            "IllegalMove",
            "Move",
            "Outcome",
            "Reason",
            "State",
            "View",
        ),
        "rulegame.game",
    ),
    **dict.fromkeys(("StateGraph", "TooLarge", "explore"), "rulegame.graph"),
    **dict.fromkeys(("CannotSolve", "Solution", "solve"), "rulegame.solving"),
    **dict.fromkeys(("Comparison", "compare"), "rulegame.comparing"),
    **dict.fromkeys(("Explanation", "explain_move"), "rulegame.explaining"),
    **dict.fromkeys(("Rulebook", "write_rulebook"), "rulegame.rulebook"),
    "load": "rulegame.loading",
    "perft": "rulegame.counting",
}

__all__ = [
    "CHANCE",
    "HIDDEN",
    "CannotSolve",
    "Comparison",
    "Diagnostic",
    "Event",
    "Explanation",
    "Game",
    "GameError",
    "IllegalMove",
    "Move",
    "Outcome",
    "Reason",
    "Rulebook",
    "RulesetError",
    "Solution",
    "Span",
    "State",
    "StateGraph",
    "TooLarge",
    "View",
    "compare",
    "explain_move",
    "explore",
    "load",
    "perft",
    "solve",
    "write_rulebook",
]


def __getattr__(name: str) -> Any:
    """Imports what is asked for when it is asked for: a command pays only for what it uses."""
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'rulegame' has no attribute '{name}'")
