"""Runs tests against a mutant: in a process that has imported all but the project, forked for each.

A mutant is killed by a test that fails, by an import that fails, or by more time or memory than the
tests can need.
"""

from __future__ import annotations

import importlib
import json
import os
import resource
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from mutation.copying import environment
from mutation.mutating import Mutant, applied

# What the project and its tests import of others, so that a fork need not.
IMPORTED: Final = (
    "hypothesis",
    "jsonschema",
    "lark",
    "numpy",
    "platformdirs",
    "scipy.sparse.csgraph",
    "scipy.sparse.linalg",
    "typer.testing",
    "yaml",
    "multiprocessing",
    "concurrent.futures",
)
MEMORY: Final = 6 << 30  # bytes of address space
PATIENCE: Final = 8  # of the clock, for each second of the processor: others may use it too


class Verdict(NamedTuple):
    """What came of running tests: what killed the mutant, or None."""

    killer: str | None
    seconds: float


class Selection:
    """A plugin for pytest: runs some tests only, in an order, and keeps the first that fails."""

    def __init__(self, names: Sequence[str]) -> None:
        self._order = {name: place for place, name in enumerate(names)}
        self.failed: str | None = None

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self._order),
            key=lambda item: self._order[item.nodeid],
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and self.failed is None:
            self.failed = report.nodeid


class Runner:
    """Makes mutants in a copy, one after the other, and runs tests against them."""

    def __init__(self, folder: Path, tree: Path) -> None:
        self._folder, self._tree = folder, tree
        for name in IMPORTED:
            importlib.import_module(name)
        self._warm()

    def _warm(self) -> None:
        """Compiles the sources as they are; a mutant's is compiled when it is imported."""
        import compileall

        compileall.compile_dir(self._tree / "engine", quiet=2)
        compileall.compile_dir(self._tree / "cli", quiet=2)

    def test(self, mutant: Mutant, names: Sequence[str], seconds: float) -> Verdict:
        """Runs the tests in their order until one fails; they take so many seconds otherwise."""
        file = self._tree / "engine" / "rulegame" / mutant.source
        text, times = file.read_text(encoding="utf-8"), file.stat()
        file.write_text(applied(text, mutant.change), encoding="utf-8")
        # Compiled files are known by their time in seconds: so this one is not taken.
        os.utime(file, (times.st_atime, times.st_mtime - 1000))
        try:
            return self.run(names, seconds)
        finally:
            file.write_text(text, encoding="utf-8")
            os.utime(file, ns=(times.st_atime_ns, times.st_mtime_ns))

    def run(self, names: Sequence[str], seconds: float) -> Verdict:
        """Runs tests against the copy as it is."""
        answer = self._folder / "answer.json"
        answer.unlink(missing_ok=True)
        began = time.monotonic()
        limit = int(6 + 2 * seconds)
        child = os.fork()
        if child == 0:
            self._be_child(names, limit, answer)
        killer = self._wait(child, began + 60 + PATIENCE * limit)
        if killer is None:
            killer = json.loads(answer.read_text(encoding="utf-8"))
        return Verdict(killer, round(time.monotonic() - began, 2))

    def _wait(self, child: int, end: float) -> str | None:
        """How a child ended that did not answer; None if it did."""
        while True:
            done, status = os.waitpid(child, os.WNOHANG)
            if done:
                break
            if time.monotonic() > end:
                os.killpg(child, signal.SIGKILL)
                os.waitpid(child, 0)
                return "time"
            time.sleep(0.02)
        if os.WIFSIGNALED(status):
            number = os.WTERMSIG(status)
            slow = number in (signal.SIGXCPU, signal.SIGKILL)
            return "time" if slow else signal.Signals(number).name
        return None

    def _be_child(self, names: Sequence[str], limit: int, answer: Path) -> None:
        os.setsid()
        resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 5))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.environ.update(environment(self._folder, self._tree))
        os.chdir(self._tree)
        sys.path[:0] = os.environ["PYTHONPATH"].split(os.pathsep)
        sys.dont_write_bytecode = True
        with (self._folder / "output.txt").open("w") as output, Path(os.devnull).open() as nothing:
            os.dup2(nothing.fileno(), 0)
            os.dup2(output.fileno(), 1)
            os.dup2(output.fileno(), 2)
        selection = Selection(names)
        files = sorted({name.split("::")[0] for name in names})
        options = ["-x", "-q", "--full", "--color=no", "-p", "no:cacheprovider", "-n0"]
        try:
            code = int(pytest.main([*options, *files], plugins=[selection]))
            silent = code in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
            killer = selection.failed or (None if silent else f"pytest ended with {code}")
        except BaseException as error:
            killer = type(error).__name__
        answer.write_text(json.dumps(killer), encoding="utf-8")
        os._exit(0)
