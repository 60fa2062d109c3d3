"""Validates a ruleset with other settings than its defaults: builds each game and plays a few
moves.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Final

from rulegame.building.samples import sample_settings
from rulegame.building.settings import NO_SETTINGS, Settings
from rulegame.codes import VALUE_REFUSED
from rulegame.diagnostics import Diagnostic, RulesetError, in_file_order, is_allowed
from rulegame.game import CHANCE, Game, GameError
from rulegame.loading import RulesetText, game_of, read_ruleset
from rulegame.wording import as_written

_MOVES: Final = 20  # of the game that is played with each setting


def validate_settings(
    name: str | Path | RulesetText, given: Settings = NO_SETTINGS
) -> tuple[Diagnostic, ...]:
    """Return the problems of a ruleset and, as warnings, those of other settings: each parameter
    that is not given at its extremes and in between, and every two at their extremes. Settings that
    a `require` bars are left out.
    """
    ruleset, diagnostics, document = read_ruleset(name, given)
    if ruleset is None or document is None:
        return diagnostics
    found = list(diagnostics)
    seen = {(problem.code, problem.span) for problem in found}
    for settings in sample_settings(ruleset):
        if not given.parameters.keys().isdisjoint(settings.parameters):
            continue
        try:
            _play(game_of(document, given.beside(settings)))
        except RulesetError as error:
            problems = error.diagnostics
        except GameError as error:
            problems = (error.diagnostic,)
        else:
            continue
        if any(problem.code == VALUE_REFUSED for problem in problems):
            continue
        for problem in problems:
            if problem.severity == "error" and (problem.code, problem.span) not in seen:
                seen.add((problem.code, problem.span))
                message = f"with {_text(settings)}: {problem.message}"
                found.append(problem._replace(message=message, severity="warning", suggestions=()))
    return tuple(problem for problem in in_file_order(found) if not is_allowed(problem))


def _play(game: Game) -> None:
    """Play the first moves of a random game that prefers operations not played before."""
    random = Random(0)
    played: set[str] = set()
    state = game.start()
    for _ in range(_MOVES):
        if state.is_over:
            return
        if state.player == CHANCE:
            state = state.play(state.roll(random.randrange))
            continue
        fresh = [move for move in state.moves if move.operation not in played]
        move = random.choice(fresh or state.moves)
        played.add(move.operation)
        state = state.play(move)


def _text(settings: Settings) -> str:
    enabled = [f"--enable {operation.text}" for operation in settings.enable]
    values = [f"{name}={as_written(value)}" for name, value in settings.values().items()]
    return ", ".join(values + enabled)
