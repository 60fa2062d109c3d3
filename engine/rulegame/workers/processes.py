"""A pool of worker processes that leaves nothing behind: not after Ctrl-C, not after a kill."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from multiprocessing import active_children, get_context, parent_process
from threading import Thread, active_count
from threading import enumerate as enumerate_threads
from typing import Final

PATIENCE: Final = 5.0  # seconds


@contextmanager
def process_pool(workers: int) -> Iterator[Executor]:
    """Worker processes that end with this block, however it is left."""
    others, threads = set(active_children()), set(enumerate_threads())
    context = get_context(_way_to_start())
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker)
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        # Workers may be in the middle of something long: they are not waited for.
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - others:
            child.terminate()
        # The pool's own threads see that, and end: Python must not leave while they clear up.
        for thread in set(enumerate_threads()) - threads:
            thread.join(PATIENCE)
        raise


def _way_to_start() -> str:
    """A copy of this process starts at once, but only one without threads can be copied safely."""
    return "fork" if sys.platform == "linux" and active_count() == 1 else "spawn"


def _begin_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """A worker whose parent was killed would otherwise wait for work forever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
