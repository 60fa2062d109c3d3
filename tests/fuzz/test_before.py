"""`python tests/fuzz --before PYTHON` notices differences between two versions."""

from __future__ import annotations

import sys
from pathlib import Path
from random import Random
from typing import Final

import pytest

from fuzz import before_check
from fuzz.findings import Finding
from fuzz.questions import Answers
from fuzz.table import OLDER

FUZZ: Final = Path(__file__).parent
TEXT: Final = b"rulegame: 1\nextends: zero_sum_duel\ntitle: Variant\n"


def older(folder: Path, change: str) -> str:
    """An interpreter that runs the questions with a change."""
    program = f"import sys; sys.path.insert(0, {str(FUZZ)!r}); import questions as q; {change}"
    file = folder / "older.py"
    file.write_text(f"{program}\nq.main()\n", "utf-8")
    script = folder / "python"
    script.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{file}"\n', "utf-8")
    script.chmod(0o700)
    return str(script)


def test_same_version_has_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OLDER, sys.executable)
    before_check.check(TEXT, Random(1))
    before_check.check(b"rulegame: 1\ntitle: [", Random(1))


@pytest.mark.skipif(sys.platform == "win32", reason="the older version is a shell script")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("q.GAMES = 100", "simulate: "),
        ("q.MOST_STATES = 10**5", "explore: "),
        ("q._state = lambda state: 1", r"play 0: \[0\] "),
        ("q.answer = lambda text, seed: {}[0]", "exception: "),
        ("q.answer = lambda text, seed: sys.exit(3)", "died .*: 3"),
    ],
)
def test_difference_is_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: str, message: str
) -> None:
    monkeypatch.setenv(OLDER, older(tmp_path, change))
    for _ in range(2):  # the second time after a restart, if it died
        with pytest.raises(Finding, match=message):
            before_check.check(TEXT, Random(1))


def test_intended_difference_is_no_finding(monkeypatch: pytest.MonkeyPatch) -> None:
    old: Answers = {"solve": {"refused": "TooLarge"}}
    new: Answers = {"solve": {"bounds": []}}
    assert len(before_check.differences(old, new)) == 1
    refused = before_check.Intended("more games are solved", "^solve refused$", "Large", "null")
    solved = before_check.Intended("more games are solved", "^solve bounds$", "null", "")
    monkeypatch.setattr(before_check, "INTENDED", (refused, solved))
    assert not before_check.differences(old, new)
    assert before_check.differences(new, old)


def test_another_difference_beside_an_intended_one(monkeypatch: pytest.MonkeyPatch) -> None:
    old: Answers = {"play 0": [{"views": [[1, None]], "cells": [1, 2]}]}
    shown: Answers = {"play 0": [{"views": [[1, 3]], "cells": [1, 2]}]}
    wrong: Answers = {"play 0": [{"views": [[1, 3]], "cells": [1, 4]}]}
    seen = before_check.Intended("all see more", r"^play \d+ \[\d+\] views ", "^null$", r"\d")
    monkeypatch.setattr(before_check, "INTENDED", (seen,))
    assert not before_check.differences(old, shown)
    assert before_check.differences(shown, old)
    [found] = before_check.differences(old, wrong)
    assert found == "play 0: [0] cells [1] 2 before, now 4"
