"""Each pass, by functions before and after it: `passes/PASS.ir`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulegame.core.passes import LOWERING, PASSES, STAGES, Pass, run_passes
from rulegame.core.passes.facts import Facts
from rulegame.core.printer import print_functions
from support.ir_text import read_functions

FOLDER = Path(__file__).with_name("passes")
CASE = re.compile(r"^# (?P<title>.+?)(?: \((?P<facts>metered|unmetered)\))?\n", re.MULTILINE)


def cases(one: Pass) -> list[tuple[str, Facts, str, str]]:
    """The cases of a pass: a title, the facts, and the functions before and after."""
    parts = CASE.split((FOLDER / f"{one.name}.ir").read_text("utf-8"))[1:]
    found = []
    for title, metered, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        before, _, after = text.partition("---\n")
        found.append((title, Facts(9, {"take": 1}, 9, metered != "unmetered"), before, after))
    return found


ALL = [pytest.param(p, *case, id=f"{p.name}: {case[0]}") for p in PASSES for case in cases(p)]


@pytest.mark.parametrize(("one", "title", "facts", "before", "after"), ALL)
def test_pass(one: Pass, title: str, facts: Facts, before: str, after: str) -> None:
    found = [one.run(function, facts) for function in read_functions(before)]
    assert print_functions(found) == after.strip("\n") + "\n"


@pytest.mark.parametrize("one", PASSES)
def test_every_pass_has_a_case_that_changes_something_and_one_that_does_not(one: Pass) -> None:
    same = [before.strip("\n") == after.strip("\n") for _, _, before, after in cases(one)]
    assert {True, False} == set(same)


def test_stages() -> None:
    assert STAGES[0] == LOWERING and len(set(STAGES)) == len(STAGES) == 1 + len(PASSES)
    text = "def play_0(s, m) -> play:\n    x = s[3]\n    t[:] = s\n    return t\n"
    facts = Facts(9, {}, 0)
    [lowered] = run_passes(read_functions(text), facts, LOWERING)
    [dropped] = run_passes(read_functions(text), facts, "unused_loads")
    assert print_functions([lowered]) == text
    assert "x = s[3]" not in print_functions([dropped])
