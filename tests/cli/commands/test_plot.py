"""`--plot FILE` draws what simulate, sweep and solve found."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rulegame import extras
from support.commands import call
from support.tiers import library

CALLS = [
    ["simulate", "nim", "--games", "50", "--seed", "1"],
    ["sweep", "zero_sum_duel", "--vary", "start=5..7", "--jobs", "1"],
    ["solve", "zero_sum_duel", "--set", "start=6"],
]


@pytest.mark.parametrize("arguments", CALLS, ids=lambda arguments: arguments[0])
def test_a_result_is_drawn_beside_what_is_printed(arguments: list[str], tmp_path: Path) -> None:
    library("matplotlib")
    printed = call(*arguments, folder=tmp_path).out
    for name in ("a.svg", "b.svg", "c.PNG"):
        done = call(*arguments, "--plot", name, folder=tmp_path)
        assert (done.code, done.err) == (0, "")
        assert done.out.splitlines()[:3] == printed.splitlines()[:3]
    assert (tmp_path / "a.svg").read_bytes() == (tmp_path / "b.svg").read_bytes()
    assert (tmp_path / "a.svg").read_text("utf-8").startswith("<?xml")
    assert (tmp_path / "c.PNG").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("arguments", CALLS, ids=lambda arguments: arguments[0])
@pytest.mark.parametrize(
    "name", ["a.pdf", "a", "no/a.svg", "x" * 300 + ".svg"], ids=lambda name: name[:9]
)
def test_what_cannot_be_drawn_is_told_in_a_line(
    arguments: list[str], name: str, tmp_path: Path
) -> None:
    done = call(*arguments, "--plot", name, folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err.startswith("rulegame: --plot: ") and done.err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("arguments", CALLS, ids=lambda arguments: arguments[0])
def test_without_matplotlib_it_says_what_to_install(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    done = call(*arguments, "--plot", "a.svg", folder=tmp_path)
    assert (done.code, done.out) == (2, "")
    assert done.err == f"rulegame: {extras.missing('plots')}\n"
