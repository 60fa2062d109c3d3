"""Calls of the command line inside this process."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from rulegame_cli.main import main

RULESETS = Path(__file__).parent / "rulesets"


@dataclass(frozen=True, slots=True)
class Result:
    """What a call printed, and its exit code."""

    code: int | str | None
    out: str
    err: str


Call = Callable[..., Result]


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
