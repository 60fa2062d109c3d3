"""Calls of the command line inside this process, and long ones as processes of their own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulegame_cli.main import main
from waiting import WAIT

RULESETS = Path(__file__).parent / "rulesets"


@dataclass(frozen=True, slots=True)
class Result:
    """What a call printed, and its exit code."""

    code: int | str | None
    out: str
    err: str


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

    def wait_for(self, *tasks: bytes) -> None:
        """Until the progress of one of these is shown."""
        while not any(task in self.told for task in tasks):
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
def rulegame(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Call:
    """`rulegame("validate", "x.yaml")`, in the folder of the test rulesets."""

    def call(*arguments: str, typed: str = "") -> Result:
        monkeypatch.chdir(RULESETS)
        monkeypatch.setattr("sys.argv", ["rulegame", *arguments])
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        with pytest.raises(SystemExit) as left:
            main()
        captured = capsys.readouterr()
        return Result(left.value.code, captured.out, captured.err)

    return call
