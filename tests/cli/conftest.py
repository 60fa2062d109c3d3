"""Calls of the command line inside this process, and long ones as processes of their own."""

from __future__ import annotations

import os
import re
import select
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest

from support.commands import Result, call
from support.rulesets import RULESETS
from waiting import WAIT

Call = Callable[..., Result]


class AtWork:
    """A command whose standard error is a terminal: when it shows its progress, it has begun."""

    def __init__(self, *arguments: str) -> None:
        self._terminal, theirs = os.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rulegame_cli", *arguments],
            cwd=RULESETS,
            stdout=subprocess.PIPE,
            stderr=theirs,
        )
        os.close(theirs)
        self.told = b""

    def wait_for(self, pattern: bytes) -> None:
        """Read the progress until it matches a pattern."""
        deadline = monotonic() + WAIT
        while not re.search(pattern, self.told):
            left = deadline - monotonic()
            ready = left > 0 and select.select([self._terminal], [], [], left)[0]
            assert ready, f"no {pattern!r} in {self.told[-1000:]!r}"
            self.told += os.read(self._terminal, 1000)

    def finish(self) -> tuple[int, bytes]:
        """The exit code, and what was printed on standard output; `told` is whole then."""
        out, _ = self.process.communicate(timeout=WAIT)
        try:
            while more := os.read(self._terminal, 1000):
                self.told += more
        except OSError:  # all is read, and the other end is closed
            pass
        os.close(self._terminal)
        return self.process.returncode, out


@pytest.fixture
def rulegame(monkeypatch: pytest.MonkeyPatch) -> Call:
    """`rulegame("validate", "x.yaml")`, in the folder of the test rulesets."""

    def run(*arguments: str, typed: str = "") -> Result:
        monkeypatch.chdir(RULESETS)
        return call(*arguments, typed=typed)

    return run


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of saved games, empty at first."""
    monkeypatch.setenv("RULEGAME_HOME", str(tmp_path / "home"))
    return tmp_path / "home" / "games"
