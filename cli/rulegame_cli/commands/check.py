"""`rulegame check`: proves the claims of rulesets, or refutes them with a play."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

import typer

from rulegame_cli.arguments import (
    AsJson,
    Disable,
    Enable,
    First,
    MaxMemory,
    MaxStates,
    NoColor,
    RulesetNames,
    Set,
    read_count,
    read_memory,
    read_seat,
)
from rulegame_cli.gathering import gather, ruleset_of
from rulegame_cli.printing.check_report import Examined, json_text, people_text, summary
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.terminal import style_for
from rulegame_cli.usage_errors import WrongCall, complain, no_such_file, refuse_settings, settings

if TYPE_CHECKING:
    from rulegame.building.ranges import Ranges
    from rulegame.proving.settings import Refused


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """How rulesets are checked, as the call said it."""

    sets: Sequence[str] = ()
    enable: Sequence[str] = ()
    disable: Sequence[str] = ()
    parameters: Sequence[str] = ()
    first: str = "1"
    as_json: bool = False
    max_states: str = ""
    max_memory: str = ""
    no_color: bool = False


def command(
    rulesets: RulesetNames,
    sets: Set = None,
    enable: Enable = None,
    disable: Disable = None,
    parameters: Annotated[
        list[str] | None,
        typer.Option(
            "--parameters",
            metavar="NAME=5..40",
            help="Check with each of these values (or 5,10,20). Repeatable: all combinations.",
        ),
    ] = None,
    first: First = "1",
    as_json: AsJson = False,
    max_states: MaxStates = "",
    max_memory: MaxMemory = "",
    no_color: NoColor = False,
) -> int:
    """Prove what rulesets claim, or refute it with a play; warn of rules that never apply."""
    options = CheckOptions(
        sets or (),
        enable or (),
        disable or (),
        parameters or (),
        first,
        as_json,
        max_states,
        max_memory,
        no_color,
    )
    return run(rulesets, options)


def run(files: Sequence[str], options: CheckOptions) -> int:
    """Exit code 0: every claim is proved; 1: one is not, or a ruleset has problems; 2: no such
    file.
    """
    examiner = _Examiner(options)
    style = style_for(sys.stdout, options.no_color)
    examined: list[Examined] = []
    missing: list[WrongCall] = []
    for file in gather(files):
        try:
            examined.append(examiner.examine(file))
        except FileNotFoundError:
            missing.append(no_such_file(file))
            continue
        if not options.as_json:
            sys.stdout.write(people_text(examined[-1], style))
            sys.stdout.flush()
    if options.as_json:
        sys.stdout.write(json_text(examined))
    elif len(examined) > 1:
        sys.stdout.write(summary(examined))
    sys.stdout.flush()
    for mistake in missing:
        complain(mistake)
    return 2 if missing else int(not all(one.holds for one in examined))


class _Examiner:
    """What the call says about every ruleset; read before the first is opened, so that a wrong call
    is told at once.
    """

    def __init__(self, options: CheckOptions) -> None:
        from rulegame.proving import MAX_STATES

        self._given = settings(options.sets, options.enable, options.disable)
        self._ranges = _ranges(options.parameters)
        self._first = options.first
        self._max_states = read_count("--max-states", options.max_states) or MAX_STATES
        self._max_memory = read_memory(options.max_memory)

    def examine(self, file: str) -> Examined:
        from rulegame.game import GameError
        from rulegame.loading import load_ruleset
        from rulegame.proving.settings import Refused, check_settings

        ruleset, diagnostics = load_ruleset(ruleset_of(file), self._given)
        if ruleset is None:
            refuse_settings(diagnostics)
            return Examined(file, file, diagnostics)
        first = read_seat(self._first, len(ruleset.players))
        try:
            with working() as progress:
                reports = check_settings(
                    ruleset,
                    self._given,
                    self._ranges,
                    first=first,
                    max_states=self._max_states,
                    max_memory=self._max_memory,
                    progress=progress,
                )
                return Examined(file, ruleset.file, (), tuple(reports), first)
        except GameError as error:
            return Examined(file, ruleset.file, (error.diagnostic,))
        except Refused as refused:
            if not self._ranges:
                return Examined(file, ruleset.file, refused.diagnostics)
            raise _wrong_setting(refused) from None


def _ranges(texts: Sequence[str]) -> Ranges:
    from rulegame.building.ranges import BadRange, read_ranges

    try:
        return read_ranges(texts)
    except BadRange as mistake:
        raise WrongCall(f"--parameters: {mistake}") from None


def _wrong_setting(refused: Refused) -> WrongCall:
    problem = next(d for d in refused.diagnostics if d.severity == "error")
    hint = f"; {problem.hint}" if problem.hint else ""
    return WrongCall(f"--parameters: with {refused.setting}: {problem.message}{hint}")
