"""Opens the one ruleset that a command works with, and its game."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rulegame.bundled import ruleset_path
from rulegame.files import disk
from rulegame_cli.calling.gathering import STANDARD_INPUT, ruleset_of
from rulegame_cli.calling.options import ColorOptions, SettingsOptions
from rulegame_cli.calling.usage_errors import WrongCall, no_such_file, refuse_settings
from rulegame_cli.printing.reporters import CheckedRuleset, text_report

if TYPE_CHECKING:
    from rulegame.building import Document, Settings
    from rulegame.diagnostics import Diagnostic
    from rulegame.game import Game
    from rulegame.model import Ruleset


def settings(options: SettingsOptions) -> Settings:
    """What `--set`, `--enable` and `--disable` say."""
    from rulegame.diagnostics import RulesetError
    from rulegame.loading import read_settings

    try:
        return read_settings(options.sets, options.enable, options.disable)
    except RulesetError as error:
        refuse_settings(error.diagnostics)
        raise


def open_ruleset(name: str, options: SettingsOptions) -> Ruleset | None:
    """The ruleset of a path or a bundled name; None, and its problems printed, if it has any."""
    return open_document(name, options)[0]


def open_document(
    name: str, options: SettingsOptions
) -> tuple[Ruleset, Document] | tuple[None, None]:
    """The same, with the ruleset as it is written."""
    from rulegame.loading import read_ruleset

    given = settings(options)
    if name != STANDARD_INPUT and disk.is_folder(Path(name)) and ruleset_path(name) is None:
        raise WrongCall(f"'{name}' is a folder. Name a ruleset file.")
    try:
        ruleset, diagnostics, document = read_ruleset(ruleset_of(name), given)
    except FileNotFoundError:
        raise no_such_file(name) from None
    if ruleset is None or document is None:
        refuse_settings(diagnostics)
        print_problems(name, diagnostics, options)
        return None, None
    return ruleset, document


def open_game(name: str, options: SettingsOptions) -> Game | None:
    """The game of a path or a bundled name; None, and its problems printed, if it has any."""
    ruleset = open_ruleset(name, options)
    return None if ruleset is None else compiled(name, ruleset, options)


def compiled(name: str, ruleset: Ruleset, options: ColorOptions) -> Game | None:
    """The game of a ruleset; None, and its problems printed, if it cannot even start."""
    from rulegame.diagnostics import RulesetError
    from rulegame.loading import make_game

    try:
        return make_game(ruleset)
    except RulesetError as error:
        print_problems(name, error.diagnostics, options)
        return None


def print_problems(name: str, diagnostics: Sequence[Diagnostic], options: ColorOptions) -> None:
    """Say what is wrong with a ruleset, as `rulegame validate` does."""
    sys.stdout.write(text_report([CheckedRuleset(name, tuple(diagnostics))], options.style))
