"""Opens the one ruleset that a command works with."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulegame_cli.gathering import ruleset_of
from rulegame_cli.printing.reporters import CheckedRuleset, text_report
from rulegame_cli.printing.terminal import style_for
from rulegame_cli.usage_errors import no_such_file, refuse_settings, settings

if TYPE_CHECKING:
    from rulegame.diagnostics import Diagnostic
    from rulegame.game import Game
    from rulegame.model import Ruleset


def open_ruleset(
    name: str, sets: Sequence[str], enable: Sequence[str], disable: Sequence[str], no_color: bool
) -> Ruleset | None:
    """The ruleset of a path or a bundled name; None, and its problems printed, if it has any."""
    from rulegame.loading import load_ruleset

    given = settings(sets, enable, disable)
    try:
        ruleset, diagnostics = load_ruleset(ruleset_of(name), given)
    except FileNotFoundError:
        raise no_such_file(name) from None
    if ruleset is None:
        refuse_settings(diagnostics)
        print_problems(name, diagnostics, no_color)
    return ruleset


def open_game(name: str, ruleset: Ruleset, no_color: bool) -> Game | None:
    """The compiled game; None, and its problems printed, if it cannot even start."""
    from rulegame.diagnostics import RulesetError
    from rulegame.loading import make_game

    try:
        return make_game(ruleset)
    except RulesetError as error:
        print_problems(name, error.diagnostics, no_color)
        return None


def print_problems(name: str, diagnostics: Sequence[Diagnostic], no_color: bool) -> None:
    """Say what is wrong with a ruleset, as `rulegame validate` does."""
    style = style_for(sys.stdout, no_color)
    sys.stdout.write(text_report([CheckedRuleset(name, tuple(diagnostics))], style))
