"""A Dask cluster as an executor.

`distributed` is imported when an address is given. Dask reassigns the tasks of workers that die.
Where it would wait forever, this module raises an error: a scheduler that is gone, a cluster
without workers.
"""

from __future__ import annotations

import logging
import platform
import re
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor, Future
from contextlib import contextmanager
from importlib import metadata
from time import monotonic
from typing import Any, Final, ParamSpec, TypeVar

from rulegame.extras import require

ADDRESS: Final = re.compile(
    r"(?:(?:tcp|tls|ucx|ws|wss)://)?(?:\[[0-9A-Fa-f:.%]+\]|[^\s:/\[\]]+):\d+"
)
ANSWERS_WITHIN: Final = 10.0  # seconds
WORKERS_WITHIN: Final = 10.0
CLOSES_WITHIN: Final = 3.0
POLL_SECONDS: Final = 2.0
WITHOUT_WORKERS: Final = 60.0  # seconds to wait for new workers

P = ParamSpec("P")
T = TypeVar("T")


class NoCluster(Exception):
    """The cluster cannot be used; the message says why."""


class ClusterLost(Exception):
    """The connection to a cluster was lost."""


class ClusterExecutor(Executor):
    """The workers of a Dask scheduler."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        self._inner: Executor = client.get_executor(pure=False)
        self._looked = self._seen = monotonic()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        return self._inner.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._inner.shutdown(wait=wait and not cancel_futures)

    def cancel(self) -> None:
        """Cancel all submitted tasks in one message; one message for each would take seconds."""
        self._inner.shutdown(wait=False)
        self._inner = self._client.get_executor(pure=False)

    @property
    def threads(self) -> int:
        """The number of tasks that the cluster can run at once."""
        return sum(self._client.nthreads().values())

    def attend(self, cancelled: bool) -> None:
        """Raise ClusterLost if waiting is pointless, or if the cluster cancelled a task itself
        (`cancelled`).
        """
        now, gone = monotonic(), ClusterLost(f"lost the scheduler at {self._address}")
        if cancelled or self._client.status == "closed":
            raise gone
        if now - self._looked < POLL_SECONDS:
            return
        self._looked = now
        try:
            if self.threads:
                self._seen = monotonic()
        except (OSError, TimeoutError):
            raise gone from None
        if now - self._seen > WITHOUT_WORKERS:
            waited = f"for {WITHOUT_WORKERS:.0f} seconds"
            raise ClusterLost(f"the cluster at {self._address} has had no workers {waited}")


def is_killed(error: Exception) -> bool:
    """Whether Dask gave a task up because its workers died repeatedly."""
    distributed = sys.modules.get("distributed")
    return distributed is not None and isinstance(error, distributed.scheduler.KilledWorker)


def is_address(text: str) -> bool:
    """Whether a text has the form of a scheduler's address, such as tcp://10.0.0.5:8786."""
    return ADDRESS.fullmatch(text) is not None and int(text.rpartition(":")[2]) < 65536


@contextmanager
def connect(address: str) -> Iterator[ClusterExecutor]:
    """Connect to a scheduler for the duration of the block; cancel unfinished work at its end.
    Raise NoCluster if the cluster cannot be used.
    """
    require("cluster")
    import distributed

    _silence()
    client = _client(distributed, address)
    try:
        _check_workers(client, address)
        executor = ClusterExecutor(client, address)
        try:
            yield executor
        finally:
            executor.shutdown(wait=False)
    finally:
        client.close(timeout=CLOSES_WITHIN)


def _client(distributed: Any, address: str) -> Any:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # `_check_workers` compares versions
            return distributed.Client(address, timeout=ANSWERS_WITHIN, set_as_default=False)
    except Exception as error:  # anything may listen at that address
        timed_out = isinstance(error, (OSError, TimeoutError))  # Dask's message is too long
        told = "" if timed_out else f"{type(error).__name__}: {error}"
        why = " ".join(told.split()) or f"no answer within {ANSWERS_WITHIN:.0f} seconds"
        raise NoCluster(f"cannot reach the scheduler at {address}: {why}") from None


def _check_workers(client: Any, address: str) -> None:
    """Raise NoCluster if there is no worker, or one with another version."""
    from rulegame import __version__

    try:
        client.wait_for_workers(1, timeout=WORKERS_WITHIN)
    except TimeoutError:
        raise NoCluster(
            f"the scheduler at {address} has no workers: start some with `dask worker {address}`"
        ) from None
    pythons = {w: _minor(v) for w, v in client.run(platform.python_version).items()}
    _compare("Python", _minor(platform.python_version()), pythons)
    _compare("rulegame", __version__, client.run(metadata.version, "rulegame", on_error="return"))


def _minor(version: str) -> str:
    """The minor version: 3.12 of 3.12.7."""
    return ".".join(version.split(".")[:2])


def _compare(what: str, here: str, there: Mapping[str, object]) -> None:
    for worker, found in there.items():
        if found == here:
            continue
        missing = isinstance(found, Exception)
        has = f"does not have {what}" if missing else f"has {what} {found}"
        raise NoCluster(f"the worker {worker} {has}: {what} {here} is needed, as here")


def _silence() -> None:
    """Disable Dask's own log messages: errors are reported in one line here. Its threads may still
    log after the end, so this lasts.
    """
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).disabled = True
