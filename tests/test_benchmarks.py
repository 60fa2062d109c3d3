"""Benchmarks compare two versions: `--before PYTHON`."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest

ROOT: Final = Path(__file__).resolve().parents[1]
BENCHMARKS: Final = ROOT / "benchmarks"


@pytest.fixture
def versions(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    return import_module("field.versions")


@pytest.mark.parametrize(
    ("old", "new", "verdict"),
    [
        ([1.0, 1.1, 0.9, 1.0], [1.0, 1.05, 0.95], "within"),
        ([1.0, 1.1, 0.9, 1.0], [2.0, 2.1, 1.9], "BELOW"),
        ([1.0, 1.1, 0.9, 1.0], [0.5, 0.6, 0.4], "above"),
        ([1.0, 1.1], [1.05], "within"),
    ],
)
def test_verdict(versions: Any, old: list[float], new: list[float], verdict: str) -> None:
    assert versions.Ratios.of(old, new).verdict == verdict


@pytest.mark.skipif(sys.platform == "win32", reason="the old version is a shell script")
def test_slower_version_is_reported(
    versions: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "calls"
    old = tmp_path / "python"
    old.write_text(f"""#!/bin/sh\necho "$3" >> "{log}"\necho '{{"wall": 1.0}}'\n""", "utf-8")
    old.chmod(0o700)
    measure = versions.Measure("planted", "json.loads", ('{"wall": 2.0}',))
    versions.compare_versions("start-up", str(old), [measure], 2)
    (line,) = [line for line in capsys.readouterr().out.splitlines() if "planted" in line]
    assert " ".join(line.split()) == "planted, wall 2 s 1 s 0.5 1 to 1 BELOW"
    calls = log.read_text("utf-8").splitlines()
    assert calls == ["field.versions.identity", *["json.loads"] * 4]  # one of them fills caches


@pytest.mark.parametrize("section", ["rollouts", "solving", "cold", "plain_c"])
def test_measures_exist(versions: Any, section: str) -> None:
    options = import_module("field.measuring").Options(1.0, 1, 1, 1.0, False)
    for measure in import_module(f"field.{section}").measures(options):
        module, _, name = measure.function.rpartition(".")
        assert callable(getattr(import_module(module), name))


@pytest.mark.full
def test_play_speed_compares_versions() -> None:
    command = [sys.executable, str(BENCHMARKS / "play_speed.py"), "--games", "20"]
    before = ["--rounds", "1", "--before", sys.executable]
    done = subprocess.run([*command, *before], stdout=subprocess.PIPE, text=True, check=True)
    for name in ("zero_sum_duel", "dice_duel"):
        (line,) = [text for text in done.stdout.splitlines() if text.startswith(name)]
        assert line.split()[-1] in ("within", "above", "BELOW")
