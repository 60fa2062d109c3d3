"""`rulegame prove`: prove or refute the claims of rulesets."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rulegame.extras import require
from rulegame_cli.calling.gathering import gather, ruleset_of
from rulegame_cli.calling.hiring import Hiring, WorkerOptions
from rulegame_cli.calling.opening import settings
from rulegame_cli.calling.options import (
    FIRST,
    MOST_MEMORY,
    MOST_STATES,
    RULESETS,
    SETTINGS,
    FindingsOptions,
    SettingsOptions,
    Texts,
    repeatable,
)
from rulegame_cli.calling.usage_errors import (
    WrongCall,
    complain,
    no_such_file,
    refuse_settings,
)
from rulegame_cli.calling.values import read_count, read_first, read_memory
from rulegame_cli.printing.paging import page
from rulegame_cli.printing.progress import working
from rulegame_cli.printing.prove_report import Examined, json_text, people_text, summary

if TYPE_CHECKING:
    from rulegame.building.ranges import Ranges
    from rulegame.proving.settings import Refused


class ProveOptions(SettingsOptions, WorkerOptions, FindingsOptions):
    """Prove or refute a ruleset's claims (with a counterexample game), and warn about rules that
    never apply.

    Exit code: 0 if every claim is proved, 1 if not, 2 for a usage error.
    """

    rulesets: Texts = RULESETS
    parameters: Texts = repeatable(
        "NAME=VALUES",
        "Check every value, e.g. 5..40 or 5,10,20. Repeatable: checks all combinations.",
        heading=SETTINGS,
    )
    first: str = FIRST
    max_states: str = MOST_STATES
    max_memory: str = MOST_MEMORY


def run(options: ProveOptions) -> int:
    """Exit code 0: every claim is proved; 1: one is not, or a ruleset has problems; 2: no such
    file.
    """
    require("solve", "Proving claims")
    examiner = _Examiner(options)
    examined: list[Examined] = []
    missing: list[WrongCall] = []
    files = gather(options.rulesets)
    for file in files:
        try:
            examined.append(examiner.examine(file))
        except FileNotFoundError:
            missing.append(no_such_file(file))
            continue
        if not options.as_json:
            page(people_text(examined[-1], options.style), len(files) > 1)
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

    def __init__(self, options: ProveOptions) -> None:
        from rulegame.proving import MAX_STATES

        self._given = settings(options)
        self._ranges = _ranges(options.parameters)
        self._first = options.first
        self._hiring = Hiring(options)
        self._max_states = read_count("--max-states", options.max_states) or MAX_STATES
        self._max_memory = read_memory(options.max_memory)

    def examine(self, file: str) -> Examined:
        from rulegame.building.ranges import BadRange
        from rulegame.game import GameError
        from rulegame.loading import read_ruleset
        from rulegame.proving.settings import Refused, check_settings

        ruleset, diagnostics, document = read_ruleset(ruleset_of(file), self._given)
        if ruleset is None or document is None:
            refuse_settings(diagnostics)
            return Examined(file, file, diagnostics)
        first = read_first(self._first, ruleset)
        try:
            with self._hiring.hired() as workers, working() as progress:
                reports = check_settings(
                    document,
                    self._given,
                    self._ranges,
                    first=first,
                    max_states=self._max_states,
                    max_memory=self._max_memory,
                    progress=progress,
                    **workers._asdict(),
                )
                return Examined(file, ruleset.file, (), tuple(reports), first)
        except GameError as error:
            return Examined(file, ruleset.file, (error.diagnostic,))
        except BadRange as mistake:
            raise WrongCall(f"--parameters: {mistake}") from None
        except Refused as refused:
            if not self._ranges:
                return Examined(file, ruleset.file, refused.with_setting)
            raise _wrong_setting(refused) from None


def _ranges(texts: Sequence[str]) -> Ranges:
    from rulegame.building.ranges import BadRange, read_ranges

    try:
        return read_ranges(texts)
    except BadRange as mistake:
        raise WrongCall(f"--parameters: {mistake}") from None


def _wrong_setting(refused: Refused) -> WrongCall:
    problem = next(d for d in refused.diagnostics if d.severity == "error")
    return WrongCall(f"--parameters: with {refused.setting}: {problem.in_one_line}")
