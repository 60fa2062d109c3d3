"""Work that nobody waits for any more: how it hears of that, in a thread or on another machine.

A future that runs cannot be stopped from outside. What takes long tells its progress again and
again; in a worker, that is where it is broken off.
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

LOOK_EVERY: Final = 0.05  # seconds

_called_off: set[str] = set()  # jobs of this process; threads that still work for them look here


class Cancelled(Exception):
    """The work was called off."""


def new_job() -> str:
    """A name that no other job has, here or elsewhere."""
    return secrets.token_hex(16)


def call_off(job: str) -> None:
    """Nobody waits for a job any more: threads of this process that are at it hear of it."""
    _called_off.add(job)


def unless_cancelled(job: str) -> Progress:
    """To be told of progress in a worker: `Cancelled` if the job was called off."""
    task = _dask_task()
    looked = 0.0

    def look(doing: str, done: int, total: int | None) -> None:
        nonlocal looked
        now = monotonic()
        if now - looked < LOOK_EVERY:
            return
        looked = now
        if job in _called_off or (task is not None and _is_released(*task)):
            raise Cancelled

    return look


@contextmanager
def interrupts_held() -> Iterator[None]:
    """Ctrl-C waits until the end of the block. Processes that are started in it never hear of it:
    a terminal sends it to all of them, but this process alone decides what then happens.
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
    """The worker of a Dask cluster that this thread works for, and what it does; None if it is no
    such thread.
    """
    distributed = sys.modules.get("distributed")
    if distributed is None:
        return None
    try:
        worker = distributed.get_worker()
        return worker, worker.get_current_task()
    except (ValueError, AttributeError):
        return None


def _is_released(worker: Any, key: Any) -> bool:
    """Whether the scheduler wants the task no more: its client has cancelled it, or is gone."""
    task = worker.state.tasks.get(key)
    return task is None or task.state in ("cancelled", "released")
