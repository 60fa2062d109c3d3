"""A Dask cluster as an executor, by the address of its scheduler.

`distributed` is imported when an address is given. Dask makes good for workers that end:
what they did is done again by others. What it would wait for without end is told instead: a
scheduler that is gone, a cluster without workers.
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
LOOK_EVERY: Final = 2.0
WITHOUT_WORKERS: Final = 60.0  # seconds that new workers are waited for when all have gone

P = ParamSpec("P")
T = TypeVar("T")


class NoCluster(Exception):
    """Why a cluster cannot be worked with."""


class ClusterLost(Exception):
    """A cluster that was worked with is there no more."""


class ClusterExecutor(Executor):
    """The workers of a scheduler."""

    def __init__(self, client: Any, address: str) -> None:
        self._client, self._address = client, address
        self._inner: Executor = client.get_executor(pure=False)
        self._looked = self._seen = monotonic()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        return self._inner.submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        self._inner.shutdown(wait=wait and not cancel_futures)

    def call_off(self) -> None:
        """All that was submitted so far, in one message: one for each takes seconds."""
        self._inner.shutdown(wait=False)
        self._inner = self._client.get_executor(pure=False)

    @property
    def threads(self) -> int:
        """How many tasks the cluster can do at a time, now."""
        return sum(self._client.nthreads().values())

    def attend(self, called_off: bool) -> None:
        """`ClusterLost` if waiting leads to nothing, and if the cluster has `called_off` work that
        nobody here did.
        """
        now, gone = monotonic(), ClusterLost(f"lost the scheduler at {self._address}")
        if called_off or self._client.status == "closed":
            raise gone
        if now - self._looked < LOOK_EVERY:
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
    """Whether Dask has given a task up, because workers that did it have ended again and again."""
    distributed = sys.modules.get("distributed")
    return distributed is not None and isinstance(error, distributed.scheduler.KilledWorker)


def is_address(text: str) -> bool:
    """Whether a scheduler may be there: tcp://10.0.0.5:8786."""
    return ADDRESS.fullmatch(text) is not None and int(text.rpartition(":")[2]) < 65536


@contextmanager
def connect(address: str) -> Iterator[ClusterExecutor]:
    """The cluster of a scheduler, for as long as the block lasts; what it has not done by then is
    called off. `NoCluster` if it cannot be worked with.
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
            warnings.simplefilter("ignore")  # of other versions: those that matter are looked at
            return distributed.Client(address, timeout=ANSWERS_WITHIN, set_as_default=False)
    except Exception as error:  # whatever may listen there, it is no scheduler
        timed_out = isinstance(error, (OSError, TimeoutError))  # Dask says it at length
        told = "" if timed_out else f"{type(error).__name__}: {error}"
        why = " ".join(told.split()) or f"no answer within {ANSWERS_WITHIN:.0f} seconds"
        raise NoCluster(f"cannot reach the scheduler at {address}: {why}") from None


def _check_workers(client: Any, address: str) -> None:
    """`NoCluster` if there is no worker, or one with another version."""
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
    """3.12 of 3.12.7."""
    return ".".join(version.split(".")[:2])


def _compare(what: str, here: str, there: Mapping[str, object]) -> None:
    for worker, found in there.items():
        if found == here:
            continue
        missing = isinstance(found, Exception)
        has = f"does not have {what}" if missing else f"has {what} {found}"
        raise NoCluster(f"the worker {worker} {has}: {what} {here} is needed, as here")


def _silence() -> None:
    """Dask's own words are for those who run the cluster; what they mean here is told in a line.
    Its threads may still speak when all is over, so this lasts.
    """
    for name in list(logging.root.manager.loggerDict):
        if name.partition(".")[0] == "distributed":
            logging.getLogger(name).disabled = True
