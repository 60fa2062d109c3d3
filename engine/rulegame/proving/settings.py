"""Claims checked with many settings of a ruleset's parameters."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import Executor
from dataclasses import dataclass

from rulegame.building import Document, Settings
from rulegame.building.ranges import Ranges, combinations
from rulegame.diagnostics import Diagnostic, RulesetError
from rulegame.game import Game, GameError
from rulegame.loading import game_of
from rulegame.progress import Progress, silent
from rulegame.proving import MAX_STATES, check
from rulegame.proving.findings import CheckResult, ParameterSetting
from rulegame.workers import executor_for, in_order, processes_for, share_of_memory
from rulegame.workers.packing import pack, unpack_shared


class Refused(RulesetError):
    """A setting that the ruleset does not allow."""

    def __init__(self, setting: ParameterSetting, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(diagnostics)
        self.setting = setting


@dataclass(frozen=True, slots=True)
class CheckTask:
    """One setting to be checked, as it travels."""

    document: bytes
    given: Settings
    chosen: Settings
    first: int
    max_states: int
    max_memory: int | None

    def __str__(self) -> str:
        return str(ParameterSetting(self.chosen.values()))


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
) -> list[tuple[ParameterSetting, CheckResult]]:
    """The report of every combination of the ranges, beside what is given anyway; of the one game
    there is, if there are no ranges. `Refused` for a setting that the ruleset does not allow. An
    executor does the work, or so many processes (None: as many as there are cores).
    """
    settings = list(combinations(ranges))
    workers = 1 if executor is not None else processes_for(len(settings), jobs)
    room, packed = share_of_memory(max_memory, workers), pack(document)
    tasks = [CheckTask(packed, given, chosen, first, max_states, room) for chosen in settings]
    with executor_for(executor, workers) as doer:
        return in_order(
            check_task, tasks, doer, doing="Checking settings", told_as=str, progress=progress
        )


def check_task(task: CheckTask, progress: Progress) -> tuple[ParameterSetting, CheckResult]:
    """Checks one setting."""
    setting = ParameterSetting(task.chosen.values())
    game = _game(unpack_shared(task.document), task.given.beside(task.chosen), setting)
    try:
        report = check(
            game,
            first=task.first,
            max_states=task.max_states,
            max_memory=task.max_memory,
            progress=progress,
        )
    except GameError as error:
        raise _with_setting(error, setting) from None
    return setting, report


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
