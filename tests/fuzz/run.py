"""Runs inputs in a worker process, which is replaced when it hangs or dies."""

from __future__ import annotations

import signal
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

WAIT: Final = 1200  # seconds for anything: other processes may keep this one from computing


@dataclass
class Counts:
    """What a run has tried and found."""

    inputs: dict[str, int] = field(default_factory=dict)
    valid: dict[str, int] = field(default_factory=dict)
    findings: list[Found] = field(default_factory=list)

    def table(self) -> str:
        """For people, a line for each way and one for all."""
        lines = []
        for way, count in self.inputs.items():
            wrong = sum(found.way == way for found in self.findings)
            lines.append(f"{way}: {count} inputs, {self.valid[way]} valid, {wrong} findings\n")
        inputs, valid = sum(self.inputs.values()), sum(self.valid.values())
        total = f"all: {inputs} inputs, {valid} valid, {len(self.findings)} findings\n"
        return "".join([*lines, total])


class Worker:
    """A process that answers tasks, one after the other."""

    def __init__(self, wait: float) -> None:
        self._wait = wait
        self._process: Any = None
        self._connection: Connection | None = None

    def ask(self, task: Task) -> Answer:
        """The answer; a process that has none in time, or dies, is a finding as well."""
        connection = self._connection or self._begin()
        connection.send(task)
        begun, until = Begun("way", b""), time.monotonic() + self._wait
        while connection.poll(max(0, until - time.monotonic())):
            try:
                heard = connection.recv()
            except EOFError:
                message = f"the process died: {self.end()}"
                return Answer(False, ((begun.check, message),), begun.text)
            if isinstance(heard, Answer):
                return heard
            begun = heard
        self.end()
        return Answer(False, ((begun.check, f"no answer within {self._wait:g} s"),), begun.text)

    def _begin(self) -> Connection:
        context = get_context("spawn")
        self._connection, other = context.Pipe()
        self._process = context.Process(target=work, args=(other,), daemon=True)
        self._process.start()
        other.close()
        if not self._connection.poll(WAIT) or self._connection.recv() != READY:
            raise RuntimeError("the worker process does not start")
        return self._connection

    def end(self) -> str:
        """Nothing is left of it; how it ended, if it did so by itself."""
        if self._process is None:
            return ""
        self._process.join(1)
        code = self._process.exitcode
        self._process.kill()
        self._process.join()
        self._process = self._connection = None
        return _ending(code)


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        return "it took too long" if -code == signal.SIGXCPU else signal.Signals(-code).name
    return f"exit code {code}"


@contextmanager
def _worker(wait: float) -> Iterator[Worker]:
    worker = Worker(wait)
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
    wait: float = WAIT,
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
    with _worker(wait) as worker:
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
