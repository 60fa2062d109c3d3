"""Machine code is made once and kept; what is kept is not trusted blindly; and nothing needs it."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import warnings
from pathlib import Path
from typing import Any

import pytest

import rulegame
from rulegame.exploring import explorer
from rulegame.files.cache import cache_place
from rulegame.native import assembly, compiler, module
from rulegame.native.compiler import KIND, MachineCode, SlowerWarning, toolchain
from rulegame.native.machine_kernel import MachineKernel
from rulegame.native.module import graph_module
from waiting import WAIT

needs_llvm = pytest.mark.skipif(toolchain() is None, reason="llvmlite is not installed")

ADDING = """
define i64 @added(i64 %a, i64 %b) {
entry:
  %c = add i64 %a, %b
  ret i64 %c
}
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder of this test's own. Searches of earlier tests may still be compiling."""
    for thread in threading.enumerate():
        if thread is not threading.current_thread() and not thread.daemon:
            thread.join(WAIT)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    return cache_place()


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Texts that were compiled, not found."""
    found: list[str] = []
    llvm = toolchain()
    parse = llvm.parse_assembly

    def parsing(text: str, *more: Any) -> Any:
        if text:
            found.append(text)
        return parse(text, *more)

    monkeypatch.setattr(llvm, "parse_assembly", parsing)
    return found


def kept(cache: Path) -> list[Path]:
    return sorted(cache.glob(f"{KIND}-*"))


@needs_llvm
def test_what_was_made_is_kept(cache: Path, made: list[str]) -> None:
    for _ in range(2):
        assert MachineCode(ADDING).function("added", "ii")(40, 2) == 42
    assert made == [ADDING]
    assert len(kept(cache)) == 1
    assert MachineCode(ADDING.replace("add i64", "sub i64")).function("added", "ii")(40, 2) == 38
    assert len(kept(cache)) == 2


@needs_llvm
def test_what_is_damaged_is_made_anew(cache: Path, made: list[str]) -> None:
    MachineCode(ADDING)
    (file,) = kept(cache)
    data = bytearray(file.read_bytes())
    for damaged in (b"", data[:40], bytes(data[:-8]) + b"\xcc" * 8, b"\x7fELF" * 100):
        file.write_bytes(damaged)
        assert MachineCode(ADDING).function("added", "ii")(1, 2) == 3
    assert len(made) == 5


@needs_llvm
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such rights")
def test_what_others_could_have_put_there_is_not_run(cache: Path, made: list[str]) -> None:
    MachineCode(ADDING)
    cache.chmod(0o777)
    assert MachineCode(ADDING).function("added", "ii")(1, 2) == 3
    assert made == [ADDING, ADDING]


@needs_llvm
def test_a_disk_that_cannot_be_written_to_is_no_error(
    cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compiler, "store_entry", lambda *entry: False)
    assert MachineCode(ADDING).function("added", "ii")(1, 2) == 3
    assert kept(cache) == []


@pytest.mark.full
@needs_llvm
def test_the_text_does_not_depend_on_the_process() -> None:
    """Otherwise nothing would ever be found again."""
    code = (
        "import hashlib, rulegame; from rulegame.native.module import GameModule, graph_module\n"
        "text = GameModule(rulegame.load('kalah').kernel, ['expanding']).text + graph_module()\n"
        "print(hashlib.sha256(text.encode()).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            timeout=WAIT,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(digests) == 1


@needs_llvm
def test_a_function_outlives_what_it_was_made_with() -> None:
    function = MachineCode(graph_module() + ADDING).function("added", "ii")
    assert function(3, 4) == 7


# ---- without it


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were no llvmlite."""
    monkeypatch.setattr(compiler, "toolchain", lambda: None)
    monkeypatch.setattr(explorer, "FIRST_EDGES", 10)


def test_without_it_everything_works_and_says_once_that_it_is_slower(without: None) -> None:
    game = rulegame.load("nim")
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("default")
        assert len(rulegame.explore(game)) == 232
        assert len(rulegame.explore(game)) == 232
        assert rulegame.perft(game, 3) == 810
    assert [one.category for one in told] == [SlowerWarning]
    assert "llvmlite" in str(told[0].message)


@needs_llvm
def test_reports_are_the_same_without_it(monkeypatch: pytest.MonkeyPatch) -> None:
    game = rulegame.load("connect_four")
    by_machine = rulegame.simulate(game, 3000, seed=5)
    monkeypatch.setattr(compiler, "toolchain", lambda: None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert rulegame.simulate(game, 3000, seed=5) == by_machine


def test_it_can_be_switched_off() -> None:
    calls = [sys.executable, "-m", "rulegame_cli", "solve", "tic_tac_toe", "--set", "size=3"]
    done = subprocess.run(
        calls,
        env={**os.environ, compiler.SWITCH: "off"},
        capture_output=True,
        timeout=WAIT,
        check=True,
    )
    assert done.stderr == b""
    assert b"5,478 positions" in done.stdout


@needs_llvm
def test_machine_code_is_made_from_trusted_functions_only() -> None:
    """Cells that no play leads to make the rules forget what they took for granted."""
    game = rulegame.load("tic_tac_toe")
    kernel = game.kernel
    kernel.machines["asking"] = MachineKernel(kernel)
    cells = list(kernel.start(0))
    for place in kernel.places("board")[:3]:
        cells[place] = 0  # a line that is there before anybody has moved
    kernel.admit(tuple(cells))
    assert kernel.machines == {}
    machine = MachineKernel(kernel)
    for code in kernel.options(tuple(cells)):
        words = kernel.actions[code].words
        assert machine.step(tuple(cells), words) == kernel.step(tuple(cells), code)


def test_rules_that_are_too_large_are_left_to_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_LETTERS", 10_000)
    monkeypatch.setattr(explorer, "FIRST_EDGES", 10)
    game = rulegame.load("nim")
    with pytest.warns(SlowerWarning, match="too large for machine code"):
        assert len(rulegame.explore(game)) == 232
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert len(rulegame.explore(game)) == 232  # it is said once


LISTS = """\
rulegame: 1
title: Lists
state: {{n: 0}}
operations:
  add: {{effects: {{n: "{}"}}}}
end:
  over: {{when: n > 9, result: win}}
"""


def test_memory_on_the_stack_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many lists a rule makes."""
    monkeypatch.setattr(explorer, "FIRST_EDGES", 0)
    monkeypatch.setattr(assembly, "MOST_WORDS", 500)

    def explored(lists: int) -> int:
        some = (f"size(sorted(list(x + {k} for x in 1..3 if x > n - {k})))" for k in range(lists))
        return len(rulegame.explore(rulegame.loads(LISTS.format(" + ".join(["9", *some])))))

    with warnings.catch_warnings():
        warnings.simplefilter("error", SlowerWarning)
        assert explored(1) == 2
    with pytest.warns(SlowerWarning, match="too large for machine code"):
        assert explored(30) == 2
