"""What a worker process does: makes an input, runs its checks, and says what they found."""

from __future__ import annotations

import math
import os
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from fuzz.findings import Finding
from fuzz.games import game_of
from fuzz.table import Check

# Imported before anything is measured.
LIBRARIES: Final = ("numpy", "scipy.sparse.csgraph", "scipy.sparse.linalg", "rulegame.solving")
READY: Final = "ready"
PATIENCE: Final = 3  # a check may compute so many times its seconds before its process is ended


class Task(NamedTuple):
    """One input: the way, its seed and number, and the checks that it gets."""

    way: str
    seed: int
    input: int
    checks: tuple[Check, ...]
    timed: bool  # whether a check that takes too long is a finding


class Begun(NamedTuple):
    """A check has begun; what is heard last before a worker dies."""

    check: str
    text: bytes


class Answer(NamedTuple):
    """What came of an input: findings as the name of the check and its message."""

    valid: bool
    findings: tuple[tuple[str, str], ...]
    text: bytes


def work(connection: Connection) -> None:
    """Answer tasks until there are no more."""
    for library in LIBRARIES:
        import_module(library)
    connection.send(READY)
    while (task := connection.recv()) is not None:
        connection.send(answer(task, connection.send))


def answer(task: Task, tell: Callable[[Any], None]) -> Answer:
    place = f"{task.seed}/{task.way}/{task.input}"
    text: bytes = import_module(f"fuzz.{task.way}_way").make(Random(place))
    found = []
    for check in task.checks:
        if check.measures and not task.timed:
            continue
        tell(Begun(check.name, text))
        message = _message(check, text, Random(f"{place}/{check.name}"), task.timed)
        if message is not None:
            found.append((check.name, message))
            break  # what else is said of the same input would only repeat it
    return Answer(not found and game_of(text) is not None, tuple(found), text)


def _message(check: Check, text: bytes, rng: Random, timed: bool) -> str | None:
    """What is wrong, if anything is."""
    begun = time.process_time()
    try:
        with limited(check, timed):
            import_module(f"fuzz.{check.name}_check").check(text, rng)
    except Finding as finding:
        return str(finding)
    except Exception:
        return traceback.format_exc()
    taken = time.process_time() - begun
    if timed and taken > check.seconds:
        return f"took {taken:.1f} s, which is more than {check.seconds:g}"
    return None


@contextmanager
def limited(check: Check, timed: bool) -> Iterator[None]:
    """More memory ends in MemoryError, more computing ends the process, where the system can tell
    how much there is.
    """
    if sys.platform != "linux":
        yield
        return
    import resource

    pages = int(Path("/proc/self/statm").read_text("ascii").split()[0])
    now = pages * os.sysconf("SC_PAGE_SIZE")
    limits = {resource.RLIMIT_AS: now + check.megabytes * 2**20}
    if timed:
        limits[resource.RLIMIT_CPU] = math.ceil(time.process_time() + PATIENCE * check.seconds)
        limits[resource.RLIMIT_CORE] = 0
    hard = {kind: resource.getrlimit(kind)[1] for kind in limits}
    for kind, limit in limits.items():
        resource.setrlimit(kind, (limit, hard[kind]))
    try:
        yield
    finally:
        for kind, most in hard.items():
            resource.setrlimit(kind, (most, most))
