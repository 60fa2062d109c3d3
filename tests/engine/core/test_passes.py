"""Each pass, by functions before and after it: `passes/PASS.ir`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulegame.core import ir
from rulegame.core.passes import LOWERING, PASSES, STAGES, Pass, run_passes
from rulegame.core.printer import print_functions
from rulegame.core.verify import verify
from support.ir_text import read_functions

FOLDER = Path(__file__).with_name("passes")
CASE = re.compile(r"^# (?P<title>.+?)(?: \((?P<facts>metered|unmetered)\))?\n", re.MULTILINE)


def module_of(text: str, metered: bool = True) -> ir.Module:
    functions = {function.name: function for function in read_functions(text)}
    values = ir.StateValue("seat", range(1), 0, 1), ir.StateValue("state", range(1, 9))
    return ir.Module(functions, values, 2, {"take": ir.Operation(0, 1)}, 9, metered)


def cases(one: Pass) -> list[tuple[str, bool, str, str]]:
    """The cases of a pass: a title, whether steps are counted, the functions before and after."""
    parts = CASE.split((FOLDER / f"{one.name}.ir").read_text("utf-8"))[1:]
    found = []
    for title, metered, text in zip(parts[::3], parts[1::3], parts[2::3], strict=True):
        before, _, after = text.partition("---\n")
        found.append((title, metered != "unmetered", before, after))
    return found


ALL = [pytest.param(p, *case, id=f"{p.name}: {case[0]}") for p in PASSES for case in cases(p)]


@pytest.mark.parametrize(("one", "title", "metered", "before", "after"), ALL)
def test_pass(one: Pass, title: str, metered: bool, before: str, after: str) -> None:
    module = module_of(before, metered)
    verify(module)
    found = [one.run(function, module) for function in module.functions.values()]
    verify(module._replace(functions={function.name: function for function in found}))
    assert print_functions(found) == after.strip("\n") + "\n"


@pytest.mark.parametrize("one", PASSES)
def test_every_pass_has_a_case_that_changes_something_and_one_that_does_not(one: Pass) -> None:
    same = [before.strip("\n") == after.strip("\n") for _, _, before, after in cases(one)]
    assert {True, False} == set(same)


def test_stages() -> None:
    assert STAGES[0] == LOWERING and len(set(STAGES)) == len(STAGES) == 1 + len(PASSES)
    text = "def play_0(s, m) -> play:\n    x = s[3]\n    t[:] = s\n    return t\n"
    lowered = run_passes(module_of(text), LOWERING)
    dropped = run_passes(module_of(text), "unused_loads")
    assert print_functions(lowered.functions.values()) == text
    assert "x = s[3]" not in print_functions(dropped.functions.values())
