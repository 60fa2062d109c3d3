"""A pool of worker processes that always ends with its parent, also after Ctrl-C or a kill."""

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
    context = get_context(_start_method())
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_begin_worker)
    try:
        yield pool
        pool.shutdown()
    except BaseException:
        # Do not wait for workers: they may be busy for a long time.
        pool.shutdown(wait=False, cancel_futures=True)
        for child in set(active_children()) - others:
            child.terminate()
        # The pool's own threads notice and end. Python must not exit while they clean up.
        for thread in set(enumerate_threads()) - threads:
            thread.join(PATIENCE)
        raise


def _start_method() -> str:
    """The start method: fork is fast, but only safe without other threads."""
    return "fork" if sys.platform == "linux" and active_count() == 1 else "spawn"


def _begin_worker() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_leave_with_parent, daemon=True).start()


def _leave_with_parent() -> None:
    """End this worker when its parent is killed; otherwise it would wait forever."""
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
