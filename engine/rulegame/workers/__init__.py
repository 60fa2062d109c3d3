"""Run tasks in processes or on a Dask cluster, and return their results in order.

`packing` serialises shared data, `processes` is a pool on this machine, `cluster` connects to a
Dask scheduler, `cancelling` stops tasks whose results nobody needs.
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
    cancel,
    defer_interrupts,
    new_job,
    raise_if_cancelled,
)
from rulegame.workers.cluster import ClusterExecutor, ClusterLost, is_killed

MAX_CHUNKS: Final = 1024  # each costs milliseconds; more only for very many workers
CHUNKS_PER_WORKER: Final = 8  # so that all workers finish at about the same time
TRIES: Final = 3  # of a chunk that the executor itself cancelled
POLL_SECONDS: Final = 0.2
NAMED: Final = 3  # missing tasks in the message

Task = TypeVar("Task")
Result = TypeVar("Result")
Work = Callable[[Task, Progress], Result]  # a top-level function: it is pickled by name


class WorkersLost(PortableError):
    """Workers ended before their work was done. `missing` names the tasks without a result."""

    def __init__(self, missing: Sequence[str], why: str = "") -> None:
        why = why or "a worker process died, perhaps because memory ran out"
        more = len(missing) - NAMED
        named = ", ".join(missing[:NAMED]) + (f" and {more:,} more" if more > 0 else "")
        super().__init__(f"{why}; missing: {named}")
        self.missing = tuple(missing)


class OtherVersion(PortableError):
    """A worker runs another version of rulegame or Python, so its results may differ."""

    def __init__(self, here: Versions, there: Versions) -> None:
        super().__init__(f"a worker has {there}, but here is {here}")


@dataclass(frozen=True, slots=True)
class Versions:
    """The versions that all workers must share."""

    rulegame: str
    python: str

    def __str__(self) -> str:
        return f"rulegame {self.rulegame} with Python {self.python}"


def versions() -> Versions:
    """The versions of this process."""
    return Versions(rulegame.__version__, f"{sys.version_info.major}.{sys.version_info.minor}")


@dataclass(frozen=True, slots=True)
class Chunk(Generic[Task]):
    """A chunk of tasks, as it is sent to a worker."""

    job: str
    versions: Versions
    work: Callable[[Task, Progress], Any]
    tasks: tuple[Task, ...]


def run_chunk(chunk: Chunk[Any]) -> list[Any]:
    """Run the tasks of a chunk; this is the entry point in a worker."""
    if chunk.versions != versions():
        raise OtherVersion(chunk.versions, versions())
    report = raise_if_cancelled(chunk.job)
    found = []
    for task in chunk.tasks:
        report("", 0, None)
        found.append(chunk.work(task, report))
    return found


def max_chunks(executor: Executor | None) -> int:
    """The number of chunks that are worth their overhead."""
    workers = executor.threads if isinstance(executor, ClusterExecutor) else 0
    return max(MAX_CHUNKS, CHUNKS_PER_WORKER * workers)


def in_order(
    work: Work[Task, Result],
    tasks: Sequence[Task],
    executor: Executor | None,
    *,
    doing: str,
    label: Callable[[Task], str],
    progress: Progress = silent,
) -> list[Result]:
    """The result of each task, in order. Without an executor, this process does the work.

    `doing` labels the progress, `label` names the tasks that are missing if WorkersLost is
    raised. However this call ends, no task continues: queued tasks are cancelled, and running ones
    stop at their next progress report.
    """
    if executor is not None:
        return _Submission(work, tasks, executor, doing, label, progress).results()
    found: list[Result] = []
    for task in tasks:
        if len(tasks) > 1:
            progress(doing, len(found), len(tasks))
        found.append(work(task, progress if len(tasks) == 1 else silent))
    return found


class _Submission(Generic[Task, Result]):
    """Tasks submitted to an executor."""

    def __init__(
        self,
        work: Work[Task, Result],
        tasks: Sequence[Task],
        executor: Executor,
        doing: str,
        label: Callable[[Task], str],
        progress: Progress,
    ) -> None:
        size = -(-len(tasks) // max_chunks(executor)) or 1
        self._job, known = new_job(), versions()
        self._chunks = [
            Chunk(self._job, known, work, tuple(tasks[k : k + size]))
            for k in range(0, len(tasks), size)
        ]
        self._count = len(tasks)
        self._executor, self._doing, self._label = executor, doing, label
        self._progress = progress
        self._futures: list[Future[list[Result]]] = []
        self._lock, self._ended = Lock(), 0

    def results(self) -> list[Result]:
        """All results. After an error, the remaining tasks are cancelled."""
        try:
            with defer_interrupts():
                for chunk in self._chunks:
                    self._futures.append(self._submitted(chunk))
            return [one for place in range(len(self._chunks)) for one in self._result(place)]
        except ClusterLost as loss:
            raise WorkersLost(self._missing, str(loss)) from None
        except (CancelledError, Cancelled):
            raise WorkersLost(self._missing, "the executor has called the work off") from None
        except Exception as error:
            if not (isinstance(error, BrokenExecutor) or is_killed(error)):
                raise
            raise WorkersLost(self._missing) from None
        finally:
            self._cancel()

    def _cancel(self) -> None:
        if not all(future.done() for future in self._futures):
            cancel(self._job)
            if isinstance(self._executor, ClusterExecutor):
                self._executor.cancel()
                return
            for future in self._futures:
                future.cancel()

    def _submitted(self, chunk: Chunk[Task]) -> Future[list[Result]]:
        future = self._executor.submit(run_chunk, chunk)
        future.add_done_callback(lambda _: self._count_ended(len(chunk.tasks)))
        return future

    def _count_ended(self, tasks: int) -> None:
        with self._lock:
            self._ended += tasks

    def _result(self, place: int) -> list[Result]:
        for _ in range(TRIES - 1):
            try:
                return self._awaited(place)
            except Cancelled:  # the cluster moved a running task to another worker
                self._futures[place] = self._submitted(self._chunks[place])
        return self._awaited(place)

    def _awaited(self, place: int) -> list[Result]:
        future = self._futures[place]
        while True:
            self._progress(self._doing, min(self._ended, self._count), self._count)
            ended = wait([future], POLL_SECONDS).done
            if isinstance(self._executor, ClusterExecutor):
                self._executor.attend(cancelled=future.cancelled())
            if ended:
                return future.result()

    @property
    def _missing(self) -> list[str]:
        """The tasks without a result."""
        futures = [*self._futures, *[None] * (len(self._chunks) - len(self._futures))]
        return [
            self._label(task)
            for chunk, future in zip(self._chunks, futures, strict=True)
            if not _has_result(future)
            for task in chunk.tasks
        ]


def _has_result(future: Future[Any] | None) -> bool:
    if future is None or not future.done() or future.cancelled():
        return False
    return future.exception() is None


def processes_for(tasks: int, jobs: int | None) -> int:
    """The number of processes: as many as requested, or one per core, and at most one per task."""
    return min(jobs or os.cpu_count() or 1, tasks)


def share_of_memory(asked: int | None, workers: int) -> int | None:
    """The memory budget of each worker in bytes; None if there is only one, which finds its own."""
    return memory_budget() // workers if asked is None and workers > 1 else asked


@contextmanager
def executor_for(given: Executor | None, workers: int) -> Iterator[Executor | None]:
    """The given executor, or a process pool that ends with the block; None if this process does the
    work.
    """
    if given is not None or workers < 2:
        yield given
        return
    from rulegame.workers.processes import process_pool

    with process_pool(workers) as pool:
        yield pool
