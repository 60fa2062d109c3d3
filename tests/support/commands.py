"""Calls of the command line, in this process and in one of their own."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import pytest

from rulegame_cli.main import main
from support.rulesets import RULESETS
from waiting import WAIT


@dataclass(frozen=True, slots=True)
class Result:
    """Exit code and output of a call."""

    code: int | str | None
    out: str
    err: str


def call(
    *arguments: str,
    typed: str = "",
    folder: Path = RULESETS,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Result:
    """Run `rulegame ARGUMENTS` in a folder, with this text on its standard input."""
    out, err = _stream(), _stream()
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, value in environment.items():
            patch.setenv(name, value)
        patch.setattr("sys.argv", ["rulegame", *arguments])
        patch.setattr("sys.stdin", io.StringIO(typed))
        patch.setattr("sys.stdout", out)
        patch.setattr("sys.stderr", err)
        with pytest.raises(SystemExit) as left:
            main()
    return Result(left.value.code, _text(out), _text(err))


def run_process(
    *arguments: str, typed: bytes = b"", **environment: str
) -> tuple[int, bytes, bytes]:
    """Exit code, output and errors of `rulegame ARGUMENTS` as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-m", "rulegame_cli", *arguments],
        input=typed,
        capture_output=True,
        cwd=RULESETS,
        env={**os.environ, **environment},
        timeout=WAIT,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def _stream() -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(), "utf-8", newline="", write_through=True)


def _text(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode("utf-8")
