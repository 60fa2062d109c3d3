"""`rulegame rules`: the rulebook of a game, generated from its ruleset."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from rulegame.extras import is_installed
from rulegame_cli.calling.opening import compiled, open_document, settings
from rulegame_cli.calling.options import OUTPUT, ReportOptions, RulesetOptions, option
from rulegame_cli.printing.paging import page
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.reporters import problems_text

if TYPE_CHECKING:
    from rulegame import Game
    from rulegame.building import Document
    from rulegame.proving import CheckResult, Finding

# Of a game that is examined on the way: a second or two.
MAX_STATES: Final = 200_000
MAX_CELLS: Final = 3_200_000  # values of all its states together
MAX_SETTINGS: Final = 100  # that claims are for


class RulesOptions(RulesetOptions, ReportOptions):
    """Print the rulebook of a game."""

    format: str = option(
        "text|md|html|json", "Plain text, Markdown, HTML or JSON.", default="text", heading=OUTPUT
    )


def run(options: RulesOptions) -> int:
    """Exit code 0, or 1 if the ruleset has problems."""
    ruleset, document = open_document(options.ruleset, options)
    if ruleset is None or document is None:
        return 1
    game = compiled(options.ruleset, ruleset, options)
    if game is None:
        return 1
    from rulegame.game import GameError
    from rulegame.rulebook import render, write_rulebook

    try:
        proved, never_stuck = None, None
        if is_installed("solve"):  # what cannot be proved is left out
            proved, never_stuck = _proved(game), _never_stuck(game)
        if proved is not None and not any(settings(options)):
            proved = replace(proved, findings=(*proved.findings, *_proved_widely(game, document)))
        book = write_rulebook(game, proved, never_stuck)
    except GameError as error:
        sys.stdout.write(problems_text([error.diagnostic], options.style))
        return 1
    page(render(book, options.format))
    return 0


def _never_stuck(game: Game) -> bool | None:
    """Whether all players always have a valid move; None if that takes longer to find out, or if
    the author says what happens.
    """
    if "stuck" in game.ruleset.rulebook or game.ruleset.stuck.told:
        return None
    from rulegame.game import GameError
    from rulegame.proving import nobody_stuck

    try:
        with working() as progress:
            return nobody_stuck(game, _most_states(game) // len(game.players), progress)
    except GameError:
        return None  # in some play the rules fail: `rulegame prove` says where


def _most_states(game: Game) -> int:
    return min(MAX_STATES, MAX_CELLS // len(game.start().cells))


def _proved(game: Game) -> CheckResult | None:
    """What is true of the game's claims, at the settings that it is played with; None if there
    are none, or if they are not all examined in a short while.
    """
    if not game.ruleset.claims or "claims" in game.ruleset.rulebook:
        return None
    from rulegame.game import GameError
    from rulegame.proving import check

    try:
        with working() as progress:
            most = _most_states(game)
            report = check(game, max_states=most, progress=progress, warn=False)
    except GameError:
        return None  # in some play the rules fail: `rulegame prove` says where
    return None if report.refusal else report


def _proved_widely(game: Game, document: Document) -> tuple[Finding, ...]:
    """What is true of claims for many values of parameters; nothing if it takes more than a short
    while.
    """
    if not any(claim.over for claim in game.ruleset.claims):
        return ()
    from rulegame.building import Settings
    from rulegame.game import GameError
    from rulegame.proving import overall
    from rulegame.proving.settings import Refused, check_settings, plan

    count = len(plan(game.ruleset.claims, Settings(), {}))
    if count > MAX_SETTINGS:
        return ()
    most = _most_states(game) // count
    try:
        with working() as progress:
            reports = check_settings(
                document, Settings(), {}, max_states=most, progress=progress, warn=False
            )
    except (GameError, Refused):
        return ()  # `rulegame prove` says where
    found = (one.shown for one in overall(reports) if one.claim.over)
    return tuple(one for one in found if one.status != "undecided")
