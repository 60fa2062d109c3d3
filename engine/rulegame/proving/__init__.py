"""Prove the claims of a ruleset on the state graph, or refute them with a play; find suspicious
rules.

`findings` has the results, `inquiry` caches what claims need to know about the game, `plays`
searches its graph. `ending`, `reaching` and `winning` decide the claims, `warnings` finds
suspicious rules, `settings` checks many settings of the parameters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from time import process_time
from typing import Final

from rulegame.extras import is_installed, missing

if not is_installed("solve"):
    raise missing("solve", "Proving claims")

from rulegame.compiling import by_random
from rulegame.errors import TooLarge
from rulegame.exploring import explore
from rulegame.game import CHANCE, Game
from rulegame.memory import memory_budget
from rulegame.model import Claim
from rulegame.model.analysis import always_leaves_a_move
from rulegame.progress import Progress, silent
from rulegame.proving import ending, reaching, winning
from rulegame.proving.findings import (
    PROVED,
    REFUTED,
    UNDECIDED,
    CheckResult,
    Evidence,
    Finding,
    Overall,
    ParameterSetting,
    Warned,
    common_warnings,
    finding,
    overall,
)
from rulegame.proving.inquiry import Inquiry, claims_about
from rulegame.proving.warnings import find_doubts
from rulegame.solving import MAX_STATES, known_solution

__all__ = [
    "KINDS",
    "MAX_STATES",
    "PROVED",
    "REFUTED",
    "UNDECIDED",
    "CheckResult",
    "Claim",
    "Evidence",
    "Finding",
    "Overall",
    "ParameterSetting",
    "Warned",
    "check",
    "check_some",
    "common_warnings",
    "nobody_stuck",
    "overall",
]

TRIED_GAMES: Final = 10
TRIED_MOVES: Final = 200  # of each

KINDS: Final[Mapping[str, Callable[[Inquiry, Claim], Evidence]]] = {
    "always_ends": ending.always_ends,
    "ends_almost_surely": ending.ends_almost_surely,
    "ends_under_best_play": ending.ends_under_best_play,
    "no_draws": reaching.no_draws,
    "never_stuck": reaching.never_stuck,
    "every_operation_used": reaching.every_operation_used,
    "every_end_rule_reached": reaching.every_end_rule_reached,
    "first_player_wins": winning.first_player_wins,
    "second_player_wins": winning.second_player_wins,
    "cooperative_win": winning.cooperative_win,
    "first_player_gets": winning.first_player_gets,
    "fair_within": winning.fair_within,
}


def nobody_stuck(game: Game, max_states: int, progress: Progress = silent) -> bool | None:
    """Whether every player always has a valid move, whoever moves first; None if there are too many
    states.
    """
    if always_leaves_a_move(game.ruleset):
        return True
    if _is_seen_stuck(game):
        return False
    for first in range(len(game.players)):
        try:
            graph = explore(game, first=first, max_states=max_states, progress=progress)
        except TooLarge:
            return None
        if Inquiry(graph, first, progress).first_stuck is not None:
            return False
    return True


def _is_seen_stuck(game: Game) -> bool:
    """Whether a player gets stuck in one of a few random games: the quickest counterexample."""
    chance = Random(1)
    below = by_random(chance)
    for number in range(TRIED_GAMES):
        state = game.start(number % len(game.players))
        for _ in range(TRIED_MOVES):
            if state.is_over:
                break
            rolls = state.player == CHANCE
            state = state.play(state.roll(below) if rolls else chance.choice(state.moves))
            if state.events:
                return True
    return False


def check(
    game: Game,
    *,
    first: int = 0,
    max_states: int = MAX_STATES,
    max_memory: int | None = None,
    progress: Progress = silent,
    warn: bool = True,
) -> CheckResult:
    """Check the claims of a game and, unless `warn` is False, look for suspicious rules. Claims for
    other values of the parameters are skipped: `check_claims` covers all settings. If the game has
    more states than the budget allows, the result says so and decides nothing.
    """
    claims = [claim._replace(over={}, over_as_written={}) for claim in claims_about(game)]
    return check_some(game, claims, first, max_states, max_memory, progress, warn=warn)


def check_some(
    game: Game,
    claims: Sequence[Claim],
    first: int,
    max_states: int,
    max_memory: int | None,
    progress: Progress,
    *,
    warn: bool,
) -> CheckResult:
    """Check some of the claims."""
    first = game.kernel.who_begins(first)
    room, began = memory_budget(max_memory), process_time()
    known = known_solution(game, first, max_states, room)
    try:
        graph = None if known is None else known.graph
        graph = graph or explore(
            game, first=first, max_states=max_states, max_memory=room, progress=progress
        )
    except TooLarge as refusal:
        unknown = Evidence(None, str(refusal))
        findings = tuple(finding(claim, unknown) for claim in claims)
        return CheckResult(None, findings, (), str(refusal))
    inquiry = Inquiry(graph, first, progress, room, known, process_time() - began)
    findings = tuple(finding(claim, KINDS[claim.name](inquiry, claim)) for claim in claims)
    return CheckResult(len(graph), findings, tuple(find_doubts(inquiry)) if warn else ())
