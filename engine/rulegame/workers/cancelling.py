"""Cooperative cancellation, in threads and on other machines.

A running future cannot be stopped from outside. Long work reports its progress regularly; in a
worker, that report raises `Cancelled`.
"""

from __future__ import annotations

import secrets
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final

from rulegame.progress import Progress

POLL_SECONDS: Final = 0.05

_cancelled: set[str] = set()  # cancelled jobs of this process


class Cancelled(Exception):
    """The job was cancelled."""


def new_job() -> str:
    """A unique name for a job."""
    return secrets.token_hex(16)


def cancel(job: str) -> None:
    """Cancel a job: threads of this process that work on it stop at their next report."""
    _cancelled.add(job)


def raise_if_cancelled(job: str) -> Progress:
    """A progress callback for a worker that raises `Cancelled` once the job is cancelled."""
    task = _dask_task()
    looked = 0.0

    def look(doing: str, done: int, total: int | None) -> None:
        nonlocal looked
        now = monotonic()
        if now - looked < POLL_SECONDS:
            return
        looked = now
        if job in _cancelled or (task is not None and _is_released(*task)):
            raise Cancelled

    return look


@contextmanager
def defer_interrupts() -> Iterator[None]:
    """Defer Ctrl-C until the end of the block. Processes started in it never receive it: the
    terminal sends it to all of them, but this process alone decides what happens.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _dask_task() -> tuple[Any, Any] | None:
    """The Dask worker of this thread and its current task; None in any other thread."""
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    try:
        worker = distributed.get_worker()
        return worker, worker.get_current_task()
    except (ValueError, AttributeError):
        return None


def _is_released(worker: Any, key: Any) -> bool:
    """Whether the scheduler no longer needs the task: its client cancelled it, or is gone."""
    task = worker.state.tasks.get(key)
    return task is None or task.state in ("cancelled", "released")
