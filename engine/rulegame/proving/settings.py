"""Claims checked with many settings of a ruleset's parameters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod

from rulegame.building import Document, Settings
from rulegame.building.ranges import Ranges, combinations
from rulegame.diagnostics import Diagnostic, RulesetError
from rulegame.game import Game, GameError
from rulegame.loading import game_of
from rulegame.progress import Progress, silent
from rulegame.proving import MAX_STATES, check
from rulegame.proving.findings import CheckResult, ParameterSetting


class Refused(RulesetError):
    """A setting that the ruleset does not allow."""

    def __init__(self, setting: ParameterSetting, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__(diagnostics)
        self.setting = setting


def check_settings(
    document: Document,
    given: Settings,
    ranges: Ranges,
    *,
    first: int = 0,
    max_states: int = MAX_STATES,
    max_memory: int | None = None,
    progress: Progress = silent,
) -> Iterator[tuple[ParameterSetting, CheckResult]]:
    """The report of every combination of the ranges, beside what is given anyway; of the one game
    there is, if there are no ranges. `Refused` for a setting that the ruleset does not allow.
    """
    count = prod(len(values) for values in ranges.values())
    for done, chosen in enumerate(combinations(ranges)):
        if count > 1:
            progress("Checking settings", done, count)
        setting = ParameterSetting(chosen.values())
        game = _game(document, given.beside(chosen), setting)
        try:
            report = check(
                game,
                first=first,
                max_states=max_states,
                max_memory=max_memory,
                progress=progress if count == 1 else silent,
            )
        except GameError as error:
            raise _with_setting(error, setting) from None
        yield setting, report


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
