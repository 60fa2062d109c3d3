"""Work spread over processes or machines. In: a function, tasks that can be pickled, an executor of
`concurrent.futures`. Out: what came of each task, in the order of the tasks.

`packing` makes small what travels; `processes` are workers on this machine, `cluster` those of a
Dask scheduler; `cancelling` is how work that has begun hears that nobody waits for it any more.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, wait
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final, Generic, TypeVar

import rulegame
from rulegame.diagnostics import PortableError
from rulegame.memory import memory_budget
from rulegame.progress import Progress, silent
from rulegame.workers.cancelling import (
    Cancelled,
    call_off,
    interrupts_held,
    new_job,
    unless_cancelled,
)
from rulegame.workers.cluster import ClusterExecutor, ClusterLost, is_killed

MOST_PARCELS: Final = 1024  # unless there are very many workers: each costs some milliseconds
PER_WORKER: Final = 8  # parcels, so that none has to wait long for the last of the others
TRIES: Final = 3  # of a parcel that an executor itself has called off
LOOK_EVERY: Final = 0.2  # seconds
NAMED: Final = 3  # of the tasks that are missing

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[[Task, Progress], Result]  # of the top level of a module: it travels by its name


class WorkersLost(PortableError):
    """Workers ended before their work was done; `missing` are the tasks without a result."""

    def __init__(self, missing: Sequence[str], why: str = "") -> None:
        why = why or "a worker process died, perhaps because memory ran out"
        more = len(missing) - NAMED
        named = ", ".join(missing[:NAMED]) + (f" and {more:,} more" if more > 0 else "")
        super().__init__(f"{why}; missing: {named}")
        self.missing = tuple(missing)


class OtherVersion(PortableError):
    """A worker has another rulegame, or another Python: what it would find may differ."""

    def __init__(self, here: Versions, there: Versions) -> None:
        super().__init__(f"a worker has {there}, but here is {here}")


@dataclass(frozen=True, slots=True)
class Versions:
    """What has to be the same everywhere."""

    rulegame: str
    python: str

    def __str__(self) -> str:
        return f"rulegame {self.rulegame} with Python {self.python}"


def versions() -> Versions:
    """Those of this process."""
    return Versions(rulegame.__version__, f"{sys.version_info.major}.{sys.version_info.minor}")


@dataclass(frozen=True, slots=True)
class Parcel(Generic[Task]):
    """Some tasks, one after another, as they travel."""

    job: str
    versions: Versions
    work: Callable[[Task, Progress], Any]
    tasks: tuple[Task, ...]


def do_parcel(parcel: Parcel[Any]) -> list[Any]:
    """Does the tasks of a parcel: this is what runs in a worker."""
    if parcel.versions != versions():
        raise OtherVersion(parcel.versions, versions())
    going_on = unless_cancelled(parcel.job)
    found = []
    for task in parcel.tasks:
        going_on("", 0, None)
        found.append(parcel.work(task, going_on))
    return found


def most_parcels(executor: Executor | None) -> int:
    """Into how many parcels work is worth being cut."""
    workers = executor.threads if isinstance(executor, ClusterExecutor) else 0
    return max(MOST_PARCELS, PER_WORKER * workers)


def in_order(
    work: Work[Task, Result],
    tasks: Sequence[Task],
    executor: Executor | None,
    *,
    doing: str,
    told_as: Callable[[Task], str],
    progress: Progress = silent,
) -> list[Result]:
    """What comes of each task, in order, whoever does it and whenever; without an executor, this
    process does. `doing` is told with the progress, and `told_as` says which tasks are missing:
    `WorkersLost`. However this is left, no task goes on: those that wait are called off, and those
    that have begun hear of it when they tell their progress.
    """
    if executor is not None:
        return _Spread(work, tasks, executor, doing, told_as, progress).results()
    found: list[Result] = []
    for task in tasks:
        if len(tasks) > 1:
            progress(doing, len(found), len(tasks))
        found.append(work(task, progress if len(tasks) == 1 else silent))
    return found


class _Spread(Generic[Task, Result]):
    """Tasks on their way through an executor."""

    def __init__(
        self,
        work: Work[Task, Result],
        tasks: Sequence[Task],
        executor: Executor,
        doing: str,
        told_as: Callable[[Task], str],
        progress: Progress,
    ) -> None:
        size = -(-len(tasks) // most_parcels(executor)) or 1
        self._job, known = new_job(), versions()
        self._parcels = [
            Parcel(self._job, known, work, tuple(tasks[k : k + size]))
            for k in range(0, len(tasks), size)
        ]
        self._count = len(tasks)
        self._executor, self._doing, self._told_as = executor, doing, told_as
        self._progress = progress
        self._futures: list[Future[list[Result]]] = []
        self._lock, self._ended = Lock(), 0

    def results(self) -> list[Result]:
        """All of them; whatever is under way is called off if there is an error."""
        try:
            with interrupts_held():
                for parcel in self._parcels:
                    self._futures.append(self._submitted(parcel))
            return [one for place in range(len(self._parcels)) for one in self._result(place)]
        except ClusterLost as loss:
            raise WorkersLost(self._missing, str(loss)) from None
        except (CancelledError, Cancelled):
            raise WorkersLost(self._missing, "the executor has called the work off") from None
        except Exception as error:
            if not (isinstance(error, BrokenExecutor) or is_killed(error)):
                raise
            raise WorkersLost(self._missing) from None
        finally:
            self._call_off()

    def _call_off(self) -> None:
        if not all(future.done() for future in self._futures):
            call_off(self._job)
            if isinstance(self._executor, ClusterExecutor):
                self._executor.call_off()
                return
            for future in self._futures:
                future.cancel()

    def _submitted(self, parcel: Parcel[Task]) -> Future[list[Result]]:
        future = self._executor.submit(do_parcel, parcel)
        future.add_done_callback(lambda _: self._count_ended(len(parcel.tasks)))
        return future

    def _count_ended(self, tasks: int) -> None:
        with self._lock:
            self._ended += tasks

    def _result(self, place: int) -> list[Result]:
        for _ in range(TRIES - 1):
            try:
                return self._awaited(place)
            except Cancelled:  # a cluster took it from a worker that was already at it
                self._futures[place] = self._submitted(self._parcels[place])
        return self._awaited(place)

    def _awaited(self, place: int) -> list[Result]:
        future = self._futures[place]
        while True:
            self._progress(self._doing, min(self._ended, self._count), self._count)
            ended = wait([future], LOOK_EVERY).done
            if isinstance(self._executor, ClusterExecutor):
                self._executor.attend(called_off=future.cancelled())
            if ended:
                return future.result()

    @property
    def _missing(self) -> list[str]:
        """The tasks that have no result."""
        futures = [*self._futures, *[None] * (len(self._parcels) - len(self._futures))]
        return [
            self._told_as(task)
            for parcel, future in zip(self._parcels, futures, strict=True)
            if not _has_result(future)
            for task in parcel.tasks
        ]


def _has_result(future: Future[Any] | None) -> bool:
    if future is None or not future.done() or future.cancelled():
        return False
    return future.exception() is None


def processes_for(tasks: int, jobs: int | None) -> int:
    """How many work side by side: as many as are asked for, or as there are cores, and no more than
    there are tasks.
    """
    return min(jobs or os.cpu_count() or 1, tasks)


def share_of_memory(asked: int | None, workers: int) -> int | None:
    """The bytes that each of them may take; None if it is alone, and may find out itself."""
    return memory_budget() // workers if asked is None and workers > 1 else asked


@contextmanager
def executor_for(given: Executor | None, workers: int) -> Iterator[Executor | None]:
    """The executor that is given, or so many processes that end with the block; None if there is
    to be only one: then this process does the work.
    """
    if given is not None or workers < 2:
        yield given
        return
    from rulegame.workers.processes import process_pool

    with process_pool(workers) as pool:
        yield pool
