"""Check claims with many settings of a ruleset's parameters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from rulegame.building import Document, Settings
from rulegame.building.claims import claims
from rulegame.building.ranges import Ranges, check_count, combinations
from rulegame.codes import VALUE_REFUSED
from rulegame.diagnostics import Diagnostic, RulesetError
from rulegame.game import Game, GameError
from rulegame.loading import RulesetText, game_of, read_ruleset, settings_of
from rulegame.model import Claim
from rulegame.progress import Progress, silent
from rulegame.proving import MAX_STATES, check_some
from rulegame.proving.findings import CheckResult, Overall, ParameterSetting, overall
from rulegame.workers import executor_for, in_order, processes_for, share_of_memory
from rulegame.workers.packing import pack, unpack_shared


class Refused(RulesetError):
    """The ruleset does not allow a setting."""

    def __init__(self, setting: ParameterSetting, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(diagnostics)
        self.setting = setting

    @property
    def with_setting(self) -> tuple[Diagnostic, ...]:
        """The diagnostics, each with the setting that causes it."""
        beside = f" (with {self.setting})" if self.setting.values else ""
        return tuple(d._replace(message=f"{d.message}{beside}") for d in self.diagnostics)


class Planned(NamedTuple):
    """A game to check, and the claims about it."""

    chosen: Settings
    claims: list[Claim]
    may_be_left_out: bool  # only a claim asks for this setting


@dataclass(frozen=True, slots=True)
class CheckTask:
    """One setting to check, as it is sent to a worker."""

    document: bytes
    given: Settings
    planned: Planned
    first: int
    max_states: int
    max_memory: int | None
    warn: bool

    def __str__(self) -> str:
        return str(ParameterSetting(self.planned.chosen.values()))


def check_claims(
    name: str | Path | RulesetText,
    parameters: Mapping[str, Any] | None = None,
    *,
    first: int = 0,
    max_states: int = MAX_STATES,
    max_memory: int | None = None,
    executor: Executor | None = None,
    jobs: int | None = 1,
    progress: Progress = silent,
) -> tuple[Overall, ...]:
    """The verdict on each claim of a ruleset in all of its settings."""
    given = settings_of(parameters, (), ())
    ruleset, problems, document = read_ruleset(name, given)
    if ruleset is None or document is None:
        raise RulesetError(problems)
    reports = check_settings(
        document, given, {}, first=first, max_states=max_states, max_memory=max_memory,
        executor=executor, jobs=jobs, progress=progress, warn=False,
    )  # fmt: skip
    return overall(reports)


def check_settings(
    document: Document,
    given: Settings,
    ranges: Ranges,
    *,
    first: int = 0,
    max_states: int = MAX_STATES,
    max_memory: int | None = None,
    executor: Executor | None = None,
    jobs: int | None = 1,
    progress: Progress = silent,
    warn: bool = True,
) -> list[tuple[ParameterSetting, CheckResult]]:
    """The result of every combination of the ranges beside the given settings, and of the settings
    that claims ask for; a given value replaces theirs. Without either, the result of the one game.
    Raise Refused for a requested setting that the ruleset does not allow. An executor or `jobs`
    processes do the work (None: one process per core).
    """
    settings = plan(claims(document.root.get("claims")), given, ranges)
    workers = 1 if executor is not None else processes_for(len(settings), jobs)
    room, packed = share_of_memory(max_memory, workers), pack(document)
    tasks = [
        CheckTask(packed, given, planned, first, max_states, room, warn) for planned in settings
    ]
    with executor_for(executor, workers) as doer:
        return in_order(
            check_task, tasks, doer, doing="Checking settings", label=str, progress=progress
        )


def check_task(task: CheckTask, progress: Progress) -> tuple[ParameterSetting, CheckResult]:
    """Check one setting."""
    chosen, asked, may_be_left_out = task.planned
    setting = ParameterSetting(chosen.values())
    try:
        game = _game(unpack_shared(task.document), task.given.beside(chosen), setting)
    except Refused as refused:
        if not (may_be_left_out and any(d.code == VALUE_REFUSED for d in refused.diagnostics)):
            raise
        return setting, CheckResult(None, (), (), left_out=tuple(asked))
    budget = task.max_states, task.max_memory
    try:
        return setting, check_some(game, asked, task.first, *budget, progress, warn=task.warn)
    except GameError as error:
        raise _with_setting(error, setting) from None


def plan(claimed: Sequence[Claim], given: Settings, ranges: Ranges) -> list[Planned]:
    """Every requested game, once. A game without claims is checked for warnings."""
    planned: dict[str, Planned] = {}
    for claim in claimed:
        over = {
            name: tuple(settings_of({name: value}, (), ()).parameters[name] for value in some)
            for name, some in claim.over.items()
            if name not in given.parameters and name not in ranges
        }
        check_count({**ranges, **over})
        for chosen in combinations({**ranges, **over}):
            key = str(sorted(ParameterSetting(chosen.values()).texts()))
            planned.setdefault(key, Planned(chosen, [], bool(over))).claims.append(claim)
    if not planned:
        return [Planned(chosen, [], False) for chosen in combinations(ranges)]
    return list(planned.values())


def _game(document: Document, settings: Settings, setting: ParameterSetting) -> Game:
    try:
        return game_of(document, settings)
    except RulesetError as error:
        raise Refused(setting, error.diagnostics) from None


def _with_setting(error: GameError, setting: ParameterSetting) -> GameError:
    if not setting.values:
        return error
    message = f"{error.diagnostic.message} (with {setting})"
    return GameError(error.diagnostic._replace(message=message), error.moves)
