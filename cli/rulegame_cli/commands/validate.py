"""`rulegame validate`: report the problems of rulesets in one of four formats."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO

from rulegame.diagnostics import Diagnostic, has_errors
from rulegame_cli.calling.gathering import STANDARD_INPUT, gather, ruleset_of
from rulegame_cli.calling.opening import settings
from rulegame_cli.calling.options import (
    OUTPUT,
    RULESETS,
    WATCH,
    FindingsOptions,
    SettingsOptions,
    Texts,
    flag,
    option,
)
from rulegame_cli.calling.usage_errors import (
    WrongCall,
    complain,
    is_of_call,
    no_such_file,
)
from rulegame_cli.printing.reporters import REPORTS, CheckedRuleset, all_of
from rulegame_cli.printing.terminal import style_for

if TYPE_CHECKING:
    from rulegame.building import Settings
    from rulegame.loading import RulesetText
    from rulegame_cli.calling.fixing import Rewritten


Diagnostics = tuple[Diagnostic, ...]


class ValidateOptions(SettingsOptions, FindingsOptions):
    """Check rulesets and show where each error is and how to fix it.

    Exit code: 0 if all are valid, 1 if there are errors, 2 for a usage error.
    """

    rulesets: Texts = RULESETS
    fix: bool = flag("Apply the safe fixes.")
    diff: bool = flag("Print what --fix would change, as a diff.")
    try_settings: bool = flag(
        "Also try other settings, such as the extremes of every parameter; failures are warnings.",
        "--settings",
    )
    watch: bool = WATCH
    format: str = option("text|json|github|sarif", "Report format.", default="text", heading=OUTPUT)


def run(options: ValidateOptions) -> int:
    """Exit code 0: all valid; 1: problems; 2: a file that does not exist, or a wrong setting."""
    if options.fix and options.diff:
        raise WrongCall("--fix and --diff cannot be combined")
    if not options.watch:
        return _validate(options)
    from rulegame_cli.calling import watching

    return watching.watch(options.rulesets, lambda: _validate(options))


def _validate(options: ValidateOptions) -> int:
    check = _check_of(options)
    form = _form(options)
    given, names = settings(options), gather(options.rulesets)
    aside = options.diff or (
        options.fix and STANDARD_INPUT in names
    )  # what is printed is no report
    report = sys.stderr if aside else sys.stdout
    fixed = _fixed(options, names, given, report)
    checked: list[CheckedRuleset] = []
    missing: list[WrongCall] = [] if fixed is None else [*fixed.refused]
    for file in names:
        piped = fixed.standard_input if fixed and file == STANDARD_INPUT else None
        try:
            diagnostics = check(piped or ruleset_of(file), given)
        except FileNotFoundError:
            missing.append(no_such_file(file))
        else:
            checked.append(CheckedRuleset(file, diagnostics))
    report.write(REPORTS[form](checked, style_for(report, options.no_color)))
    report.flush()
    for mistake in missing:
        complain(mistake)
    found = all_of(checked)
    if missing or any(map(is_of_call, found)):
        return 2
    would_change = options.diff and fixed is not None and fixed.changed > 0
    return int(has_errors(found) or would_change)


def _check_of(options: ValidateOptions) -> Callable[[str | RulesetText, Settings], Diagnostics]:
    """What finds the problems of a ruleset."""
    if options.try_settings:
        from rulegame.validation import validate_settings

        return validate_settings
    from rulegame.loading import load_ruleset

    return lambda name, given: load_ruleset(name, given)[1]


def _form(options: ValidateOptions) -> str:
    """Which of the reports is wanted."""
    return options.format


def _fixed(
    options: ValidateOptions, names: Sequence[str], given: Settings, report: TextIO
) -> Rewritten | None:
    if not (options.fix or options.diff):
        return None
    from rulegame_cli.calling.fixing import fix_rulesets

    say = report if _form(options) == "text" else sys.stderr
    return fix_rulesets(names, given, options.diff, say)
