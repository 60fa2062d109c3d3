"""`rulegame validate`: every problem of the rulesets, in one of four formats."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Annotated

import typer

from rulegame.diagnostics import has_errors
from rulegame_cli.calling.gathering import gather, ruleset_of
from rulegame_cli.calling.options import OUTPUT, RulesetNames, SettingsOptions, Watch
from rulegame_cli.calling.usage_errors import (
    WrongCall,
    complain,
    is_of_call,
    no_such_file,
    settings,
)
from rulegame_cli.printing.reporters import REPORTS, CheckedRuleset, all_of


@dataclass(frozen=True, kw_only=True)
class ValidateOptions(SettingsOptions):
    """Check rulesets, and say where and how to mend what is wrong.

    The exit code is 0 if all is valid, 1 if there are problems, and 2 for a wrong call.
    """

    rulesets: RulesetNames
    watch: Watch = False
    format: Annotated[
        str,
        typer.Option(
            metavar="text|json|github|sarif",
            help="How problems are reported.",
            rich_help_panel=OUTPUT,
        ),
    ] = "text"


def run(options: ValidateOptions) -> int:
    """Exit code 0: all valid; 1: problems; 2: a file that does not exist, or a wrong setting."""
    if not options.watch:
        return _validate(options)
    from rulegame_cli.calling import watching

    return watching.watch(options.rulesets, lambda: _validate(options))


def _validate(options: ValidateOptions) -> int:
    from rulegame.loading import load_ruleset

    if options.format not in REPORTS:
        raise WrongCall(f"--format: expected {', '.join(REPORTS)}, not '{options.format}'")
    given = settings(options)
    checked: list[CheckedRuleset] = []
    missing: list[WrongCall] = []
    for file in gather(options.rulesets):
        try:
            _, diagnostics = load_ruleset(ruleset_of(file), given)
        except FileNotFoundError:
            missing.append(no_such_file(file))
        else:
            checked.append(CheckedRuleset(file, diagnostics))
    sys.stdout.write(REPORTS[options.format](checked, options.style))
    sys.stdout.flush()
    for mistake in missing:
        complain(mistake)
    found = all_of(checked)
    return 2 if missing or any(map(is_of_call, found)) else int(has_errors(found))
