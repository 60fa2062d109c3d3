"""How often native code bails out, and why: `RULEGAME_LOG=native`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rulegame
from rulegame.native.compiler import toolchain
from rulegame.native.context import BAIL_OUTS, Reason
from rulegame.native.log import LOG, report
from rulegame.native.machine_kernel import MachineKernel

pytestmark = pytest.mark.skipif(toolchain() is None, reason="llvmlite is not installed")

RULES = """
rulegame: 1
title: Numbers
state:
  n: {0}
  row: {{type: list of int, start: [1, 2, 3]}}
operations:
  square: {{effects: {{n: n * n}}}}
  divide: {{effects: {{n: 12 / n}}}}
  look: {{effects: {{n: "row[n]"}}}}
validity:
  known: {{for: [divide], require: after.n < 100}}
end:
  done: {{when: n == 12, result: win}}
"""


def counted(start: int, operation: str) -> dict[Reason, int]:
    """The bail-outs of one move, which Python is then asked for."""
    game = rulegame.loads(RULES.format(start))
    machine = MachineKernel(game.kernel)
    number = [one.name for one in game.ruleset.operations].index(operation)
    before = list(machine._own.context)
    assert machine.step(game.kernel.start(0), (number,)) is None
    after = machine._own.context
    return {r: int(after[BAIL_OUTS + r]) - int(before[BAIL_OUTS + r]) for r in Reason}


@pytest.mark.parametrize(
    ("start", "operation", "reason"),
    [
        (10**12, "square", Reason.OVERFLOW),
        (0, "divide", Reason.DIVISION),
        (4, "look", Reason.FAULT),
    ],
)
def test_a_bail_out_is_counted_once_with_its_reason(
    start: int, operation: str, reason: Reason, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LOG, "native")
    assert counted(start, operation) == {**dict.fromkeys(Reason, 0), reason: 1}


def test_a_move_that_would_divide_by_zero_is_answered_without_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(LOG, "native")
    game = rulegame.loads(RULES.format(0))
    machine = MachineKernel(game.kernel)
    assert machine.options(game.kernel.start(0)) == ((0,), (2,))
    assert not any(machine._own.context[BAIL_OUTS : BAIL_OUTS + len(Reason)])


def test_a_report_adds_up_the_memories_of_each_game() -> None:
    one, other = [0] * 24, [0] * 24
    one[BAIL_OUTS + Reason.FAULT], other[BAIL_OUTS + Reason.OVERFLOW] = 1000, 2
    assert report([("A", one), ("A", other), ("B", [0] * 24)]) == [
        "A: 1,002 bail-outs (1,000 faults of the rules, 2 numbers beyond 64 bits)",
        "B: 0 bail-outs",
    ]


@pytest.mark.full
def test_what_is_logged(tmp_path: Path) -> None:
    path = tmp_path / "numbers.yaml"
    path.write_text(RULES.format(2).replace("n == 12", "n > 1000 or n == 0"), "utf-8")
    code = "import sys, rulegame; rulegame.simulate(rulegame.load(sys.argv[1]), 50_000, seed=1)"

    def logged(**environment: str) -> str:
        call = [sys.executable, "-c", code, str(path)]
        done = subprocess.run(call, env={**os.environ, **environment}, capture_output=True)
        return done.stderr.decode()

    text = logged(RULEGAME_LOG="native")
    assert "rulegame: native: Numbers: compiled in " in text
    assert "(playing)" in text and "rulegame: native: Numbers: 0 bail-outs" not in text
    assert "rulegame: native:" not in logged()
