"""rulegame: load, play and analyse turn-based games, each described in one YAML file.

game = rulegame.load("zero_sum_duel", {"start": 30})
state = game.start()
state = state.play(state.moves[0])
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rulegame.comparing import Comparison, compare
    from rulegame.diagnostics import Diagnostic, RulesetError, RulesetNotFound, Span
    from rulegame.errors import CannotSolve, TooLarge, TooMuchMemory
    from rulegame.explaining import SolutionExplanation, explain_solution
    from rulegame.exploring import StateGraph, explore
    from rulegame.exploring.perft import perft
    from rulegame.extras import MissingExtra
    from rulegame.game import (
        CHANCE,
        HIDDEN,
        Actions,
        Event,
        Game,
        GameError,
        IllegalMove,
        Move,
        Outcome,
        Reason,
        Seen,
        State,
        Unbounded,
        View,
    )
    from rulegame.game.explanation import Explanation, explain_move
    from rulegame.loading import load, loads, validate, validate_text
    from rulegame.model.kind import GameKind
    from rulegame.players import Player, UnknownPlayer, make_player
    from rulegame.players.exploiting import Exploited, exploit
    from rulegame.playing.audience import Audience
    from rulegame.playing.match import Match, MatchError
    from rulegame.proving import CheckResult, Overall, check
    from rulegame.proving.settings import check_claims
    from rulegame.rating import Rating, rate
    from rulegame.reviewing import Review, review
    from rulegame.rulebook import Rulebook, write_rulebook
    from rulegame.simulation import Report, simulate
    from rulegame.solving import (
        ChoicePoint,
        Evaluation,
        HiddenSolution,
        Limits,
        LookaheadSolution,
        Method,
        MixedMove,
        MoveValue,
        MultiplayerSolution,
        Option,
        PerfectInformationSolution,
        Result,
        RevealedSolution,
        SimultaneousSolution,
        Solution,
        ValueBounds,
        solve,
    )
    from rulegame.solving.answers import best_response
    from rulegame.sweeping import Setting, SweepResult, sweep
    from rulegame.workers import WorkersLost

__version__ = "0.1.0"

__all__ = [
    "CHANCE",
    "HIDDEN",
    "Actions",
    "Audience",
    "CannotSolve",
    "CheckResult",
    "ChoicePoint",
    "Comparison",
    "Diagnostic",
    "Evaluation",
    "Event",
    "Explanation",
    "Exploited",
    "Game",
    "GameError",
    "GameKind",
    "HiddenSolution",
    "IllegalMove",
    "Limits",
    "LookaheadSolution",
    "Match",
    "MatchError",
    "Method",
    "MissingExtra",
    "MixedMove",
    "Move",
    "MoveValue",
    "MultiplayerSolution",
    "Option",
    "Outcome",
    "Overall",
    "PerfectInformationSolution",
    "Player",
    "Rating",
    "Reason",
    "Report",
    "Result",
    "RevealedSolution",
    "Review",
    "Rulebook",
    "RulesetError",
    "RulesetNotFound",
    "Seen",
    "Setting",
    "SimultaneousSolution",
    "Solution",
    "SolutionExplanation",
    "Span",
    "State",
    "StateGraph",
    "SweepResult",
    "TooLarge",
    "TooMuchMemory",
    "Unbounded",
    "UnknownPlayer",
    "ValueBounds",
    "View",
    "WorkersLost",
    "best_response",
    "check",
    "check_claims",
    "compare",
    "explain_move",
    "explain_solution",
    "exploit",
    "explore",
    "load",
    "loads",
    "make_player",
    "perft",
    "rate",
    "review",
    "simulate",
    "solve",
    "sweep",
    "validate",
    "validate_text",
    "write_rulebook",
]

_HOMES = {
    "comparing": "Comparison compare",
    "diagnostics": "Diagnostic RulesetError RulesetNotFound Span",
    "errors": "CannotSolve TooLarge TooMuchMemory",
    "explaining": "SolutionExplanation explain_solution",
    "exploring": "StateGraph explore",
    "extras": "MissingExtra",
    "game": "CHANCE HIDDEN Actions Event Game GameError IllegalMove Move Outcome Reason Seen State "
    "Unbounded View",
    "game.explanation": "Explanation explain_move",
    "exploring.perft": "perft",
    "model.kind": "GameKind",
    "loading": "load loads validate validate_text",
    "players.exploiting": "Exploited exploit",
    "players": "Player UnknownPlayer make_player",
    "playing.audience": "Audience",
    "playing.match": "Match MatchError",
    "proving": "CheckResult Overall check",
    "proving.settings": "check_claims",
    "rating": "Rating rate",
    "reviewing": "Review review",
    "rulebook": "Rulebook write_rulebook",
    "simulation": "Report simulate",
    "solving": "ChoicePoint Evaluation HiddenSolution Limits LookaheadSolution Method MixedMove "
    "MoveValue MultiplayerSolution Option PerfectInformationSolution Result RevealedSolution "
    "SimultaneousSolution Solution ValueBounds solve",
    "solving.answers": "best_response",
    "sweeping": "Setting SweepResult sweep",
    "workers": "WorkersLost",
}

_DEPRECATED = {  # names of one release ago
    "DepthBounds", "LaidOpenSolution", "ManySolution", "TogetherSolution", "solve_bounds",
    "solve_hidden", "solve_laid_open", "solve_many", "solve_together",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Imports what is asked for when it is asked for: a command pays only for what it uses."""
    for module, names in _HOMES.items():
        if name in names.split():
            return getattr(import_module(f"rulegame.{module}"), name)
    if name in _DEPRECATED:
        return getattr(import_module("rulegame.solving.deprecated"), name)
    raise AttributeError(f"module 'rulegame' has no attribute '{name}'")


def __dir__() -> list[str]:
    return [*__all__, "__doc__", "__version__"]
