"""`rulegame validate`: every problem of the rulesets, in one of four formats."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Annotated

import typer

from rulegame.diagnostics import has_errors
from rulegame_cli.arguments import Disable, Enable, NoColor, RulesetNames, Set, Watch
from rulegame_cli.gathering import gather, ruleset_of
from rulegame_cli.printing.reporters import REPORTS, CheckedRuleset, all_of
from rulegame_cli.printing.terminal import style_for
from rulegame_cli.usage_errors import WrongCall, complain, is_of_call, no_such_file, settings


def command(
    rulesets: RulesetNames,
    report: Annotated[
        str,
        typer.Option(
            "--format", metavar="text|json|github|sarif", help="How problems are reported."
        ),
    ] = "text",
    sets: Set = None,
    enable: Enable = None,
    disable: Disable = None,
    watch: Watch = False,
    no_color: NoColor = False,
) -> int:
    """Check rulesets: exit code 0 valid, 1 problems, 2 wrong call."""

    def once() -> int:
        return run(rulesets, report, sets or (), enable or (), disable or (), no_color)

    if not watch:
        return once()
    from rulegame_cli import watching

    return watching.watch(rulesets, once)


def run(
    files: Sequence[str],
    report: str,
    sets: Sequence[str],
    enable: Sequence[str],
    disable: Sequence[str],
    no_color: bool,
) -> int:
    """Exit code 0: all valid; 1: problems; 2: a file that does not exist, or a wrong setting."""
    from rulegame.loading import load_ruleset

    if report not in REPORTS:
        raise WrongCall(f"--format: expected {', '.join(REPORTS)}, not '{report}'")
    given = settings(sets, enable, disable)
    checked: list[CheckedRuleset] = []
    missing: list[WrongCall] = []
    for file in gather(files):
        try:
            _, diagnostics = load_ruleset(ruleset_of(file), given)
        except FileNotFoundError:
            missing.append(no_such_file(file))
        else:
            checked.append(CheckedRuleset(file, diagnostics))
    sys.stdout.write(REPORTS[report](checked, style_for(sys.stdout, no_color)))
    sys.stdout.flush()
    for mistake in missing:
        complain(mistake)
    found = all_of(checked)
    return 2 if missing or any(map(is_of_call, found)) else int(has_errors(found))
