"""Solve or simulate a game with many settings: which of them are fair?

Settings are independent. Each is a `Task` of plain values that an executor can send to another
process or machine, and its result is a `Setting`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from rulegame.building.ranges import MOST_SETTINGS
from rulegame.diagnostics import RulesetError
from rulegame.errors import CannotSolve, TooLarge
from rulegame.extras import require
from rulegame.game import Game, GameError
from rulegame.loading import RulesetText, find, game_of, load, read_document, settings_of
from rulegame.memory import MAX_STATES
from rulegame.progress import Progress, silent
from rulegame.shown import Plotted, Shown, Tabled
from rulegame.simulation import MAX_MOVES, Report, simulate
from rulegame.wording import as_written
from rulegame.workers import executor_for, in_order, processes_for, share_of_memory
from rulegame.workers.packing import pack, unpack_shared

if TYPE_CHECKING:
    from rulegame.solving import Solved

Method = Literal["solve", "simulate"]
DOING: Final = "Sweeping"


@dataclass(frozen=True, slots=True)
class Task:
    """One setting and how to evaluate it, as plain values."""

    ruleset: str | RulesetText  # its file, or its text
    document: bytes | None  # the parsed ruleset, packed; None if it has errors
    values: tuple[tuple[str, Any], ...]  # the varied parameters
    parameters: tuple[tuple[str, Any], ...] = ()  # the fixed parameters
    enable: tuple[str, ...] = ()
    disable: tuple[str, ...] = ()
    by: Method = "solve"
    first: int | None = 0
    games: int = 10_000
    seed: int = 0
    players: tuple[str, ...] = ("random",)
    max_moves: int = MAX_MOVES
    max_states: int = MAX_STATES
    max_memory: int | None = None


@dataclass(frozen=True, slots=True)
class Setting:
    """The result of one setting: `solved`, `report`, or the problem that prevented both."""

    values: tuple[tuple[str, Any], ...]
    solved: Solved | None = None
    report: Report | None = None
    problem: str = ""

    @property
    def advantage(self) -> float | None:
        """The value of moving first: 1 for a certain win, -1 for a certain loss, 0 for a fair
        game.
        """
        if self.solved is not None:
            known = self.solved.value
            return (self.solved.lower + self.solved.upper) / 2 if known is None else float(known)
        if self.report is not None and self.report.advantage is not None:
            return self.report.advantage.value
        return None

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Bounds of the advantage: certain if the setting was solved, a 95 % interval if it was
        simulated.
        """
        if self.solved is not None:
            return self.solved.lower, self.solved.upper
        if self.report is not None and self.report.advantage is not None:
            return self.report.advantage.interval
        return None

    def is_fair(self, within: float) -> bool | None:
        """Whether the advantage is at most `within`; None if the bounds do not decide it."""
        if self.bounds is None:
            return None
        if self.solved is not None and self.solved.value is not None:
            return abs(self.solved.value) <= Fraction(within)
        low, high = self.bounds
        if -within <= low and high <= within:
            return True
        return False if low > within or high < -within else None


class SweepResult(Shown, Tabled, Plotted, tuple[Setting, ...]):
    """All settings of a sweep, in the order of the values."""

    __slots__ = ()


def sweep(
    name: str | Path | RulesetText,
    vary: Mapping[str, Sequence[Any]],
    *,
    parameters: Mapping[str, Any] | None = None,
    enable: Sequence[str] = (),
    disable: Sequence[str] = (),
    by: Method = "solve",
    first: int | None = 0,
    games: int = 10_000,
    seed: int = 0,
    players: Sequence[str] = ("random",),
    max_moves: int = MAX_MOVES,
    max_states: int = MAX_STATES,
    max_memory: int | None = None,
    executor: Executor | None = None,
    jobs: int | None = None,
    progress: Progress = silent,
) -> SweepResult:
    """Solve or simulate every combination of the values.

    The result has the order of the values, whichever executor does the work. Without an executor,
    `jobs` processes do it (by default one per core), so a script that calls this needs `if __name__
    == "__main__":`; with one job, this process does it. Raise WorkersLost if workers die.
    """
    if by == "solve":
        require("solve")
    settings = _counted(vary, by, first)
    found = name if isinstance(name, RulesetText) else str(find(name)[0].absolute())
    document = read_document(name)
    workers = 1 if executor is not None else processes_for(settings, jobs)
    alike = Task(
        found,
        None if document is None else pack(document),
        (),
        tuple((parameters or {}).items()),
        tuple(enable),
        tuple(disable),
        by,
        first,
        games,
        seed,
        tuple(players),
        max_moves,
        max_states,
        share_of_memory(max_memory, workers),
    )
    if document is None:  # report the errors here, where the file is
        executor, workers = None, 1
    with executor_for(executor, workers) as doer:
        tasks = _tasks(alike, vary)
        done = in_order(run_task, tasks, doer, doing=DOING, label=label, progress=progress)
    return SweepResult(done)


def _tasks(alike: Task, vary: Mapping[str, Sequence[Any]]) -> list[Task]:
    every = product(*vary.values())
    return [replace(alike, values=tuple(zip(vary, values, strict=True))) for values in every]


def _counted(vary: Mapping[str, Sequence[Any]], by: str, first: int | None) -> int:
    """The number of settings; ValueError if they cannot be swept."""
    if by not in ("solve", "simulate"):
        raise ValueError(f"by must be 'solve' or 'simulate', not {by!r}")
    if by == "solve" and first is None:
        raise ValueError("solving needs a seat that moves first")
    settings = prod(len(values) for values in vary.values())
    if settings > MOST_SETTINGS:
        raise ValueError(f"{settings:,} settings are more than {MOST_SETTINGS:,}")
    return settings


def label(task: Task) -> str:
    """A setting as written on the command line."""
    return ", ".join(f"{name}={as_written(value)}" for name, value in task.values)


def run_task(task: Task, progress: Progress) -> Setting:
    """Solve or simulate one setting; an error becomes its problem."""
    from rulegame.players import PlayerFailed, UnknownPlayer

    try:
        game = _game(task)
        if task.by == "solve":
            return Setting(task.values, solved=_solved(game, task, progress))
        return Setting(task.values, report=_simulated(game, task, progress))
    except RulesetError as error:
        problem = "; ".join(d.in_one_line for d in error.diagnostics)
    except GameError as error:
        story = error.diagnostic.hint or f"after {', '.join(error.moves)}"
        problem = f"{error.diagnostic.message}; {story}"
    except (CannotSolve, TooLarge, UnknownPlayer, PlayerFailed, ValueError) as refusal:
        problem = str(refusal)
    except MemoryError:
        problem = "out of memory"
    return Setting(task.values, problem=problem)


def _game(task: Task) -> Game:
    parameters = {**dict(task.parameters), **dict(task.values)}
    if task.document is None:  # so that errors name the file
        return load(task.ruleset, parameters, enable=task.enable, disable=task.disable)
    return game_of(unpack_shared(task.document), settings_of(parameters, task.enable, task.disable))


def _solved(game: Game, task: Task, progress: Progress) -> Solved:
    from rulegame.solving import solve

    assert task.first is not None
    found = solve(
        game,
        "perfect_information",
        first=task.first,
        max_states=task.max_states,
        max_memory=task.max_memory,
        progress=progress,
        keep=False,  # there are many, and each is needed once
    )
    return found.summary


def _simulated(game: Game, task: Task, progress: Progress) -> Report:
    return simulate(
        game,
        task.games,
        seed=task.seed,
        players=task.players,
        first=task.first,
        max_moves=task.max_moves,
        max_states=task.max_states,
        max_memory=task.max_memory,
        progress=progress,
    )
