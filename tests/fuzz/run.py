"""Runs inputs in a worker process, which is replaced when it hangs or dies."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, Final

from fuzz.findings import Found
from fuzz.table import WAYS, Check
from fuzz.worker import READY, Answer, Begun, Task, work

PATIENCE: Final = 3  # a check gets so many times its seconds before its process is ended
STARTING: Final = 300  # seconds in which a worker must be ready, and all that is not timed be done


@dataclass
class Counts:
    """What a run has tried and found."""

    inputs: dict[str, int] = field(default_factory=dict)
    valid: dict[str, int] = field(default_factory=dict)
    findings: list[Found] = field(default_factory=list)

    def table(self) -> str:
        """For people, a line for each way."""
        lines = []
        for way, count in self.inputs.items():
            wrong = sum(found.way == way for found in self.findings)
            lines.append(f"{way}: {count} inputs, {self.valid[way]} valid, {wrong} findings\n")
        return "".join(lines)


class Worker:
    """A process that answers tasks, one after the other."""

    def __init__(self) -> None:
        self._process: Any = None
        self._connection: Connection | None = None

    def ask(self, task: Task) -> Answer:
        """The answer; a process that has none in time, or dies, is a finding as well."""
        connection = self._connection or self._begin()
        limit = PATIENCE * sum(check.seconds for check in task.checks) if task.timed else STARTING
        connection.send(task)
        begun, until = Begun("way", b""), time.monotonic() + limit
        while connection.poll(max(0, until - time.monotonic())):
            try:
                heard = connection.recv()
            except EOFError:
                self.end()
                return Answer(False, ((begun.check, "the process died"),), begun.text)
            if isinstance(heard, Answer):
                return heard
            begun = heard
        self.end()
        return Answer(False, ((begun.check, f"no answer within {limit:g} s"),), begun.text)

    def _begin(self) -> Connection:
        context = get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(target=work, args=(other,), daemon=True)
        self._process.start()
        other.close()
        if not self._connection.poll(STARTING) or self._connection.recv() != READY:
            raise RuntimeError("the worker process does not start")
        return self._connection

    def end(self) -> None:
        """Nothing is left of it."""
        if self._process is not None:
            self._process.kill()
            self._process.join()
            self._process = self._connection = None


@contextmanager
def _worker() -> Iterator[Worker]:
    worker = Worker()
    try:
        yield worker
    finally:
        worker.end()


def fuzz(
    numbers: Mapping[str, Iterable[int]],
    seed: int,
    *,
    seconds: float | None = None,
    timed: bool = True,
    ways: Mapping[str, tuple[Check, ...]] = WAYS,
    tell: Callable[[Found], None] = lambda found: None,
    counts: Counts | None = None,
) -> Counts:
    """Try the inputs of these numbers, by way, until there are no more or the time is over; every
    way gets the same share of it. `counts` is kept up to date.
    """
    counts = Counts() if counts is None else counts
    waiting = {way: iter(those) for way, those in numbers.items()}
    used = dict.fromkeys(waiting, 0.0)
    counts.inputs.update(dict.fromkeys(waiting, 0))
    counts.valid.update(dict.fromkeys(waiting, 0))
    begun = time.monotonic()
    with _worker() as worker:
        while used and (seconds is None or time.monotonic() - begun < seconds):
            way = min(used, key=lambda name: used[name])
            number = next(waiting[way], None)
            if number is None:
                del used[way]
                continue
            before = time.monotonic()
            answer = worker.ask(Task(way, seed, number, ways[way], timed))
            used[way] += time.monotonic() - before
            counts.inputs[way] += 1
            counts.valid[way] += answer.valid
            for check, message in answer.findings:
                counts.findings.append(Found(way, seed, number, check, message, answer.text))
                tell(counts.findings[-1])
    return counts
