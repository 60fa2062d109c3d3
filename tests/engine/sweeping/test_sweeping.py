"""Sweeps: every setting in its place, whoever does the work."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from fractions import Fraction
from multiprocessing import get_context
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import pytest

import rulegame
from rulegame.bundled import rulesets_folder
from rulegame.solving import Result, Solved
from rulegame.sweeping import Setting, sweep
from rulegame.workers import WorkersLost
from waiting import WAIT

P = ParamSpec("P")
T = TypeVar("T")


class InLine(Executor):
    """Does the work when it is asked for the result, in another order than it was handed out."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        self.waiting.append(lambda: future.set_result(fn(*args, **kwargs)))
        if len(self.waiting) == 6:  # all of them have come
            for work in reversed(self.waiting):
                work()
        return future


VARY: dict[str, list[Any]] = {"target": [3, 4, 0], "sides": [2, 3]}


def executors() -> dict[str, Callable[[], Executor]]:
    return {
        "in line": InLine,
        "threads": lambda: ThreadPoolExecutor(2),
        "spawned processes": lambda: ProcessPoolExecutor(2, mp_context=get_context("spawn")),
        "forked processes": lambda: ProcessPoolExecutor(2, mp_context=get_context("fork")),
    }


@pytest.mark.quick(3)
@pytest.mark.parametrize("by", ["solve", "simulate"])
@pytest.mark.parametrize("kind", executors())
def test_whoever_does_the_work(kind: str, by: Any) -> None:
    expected = sweep("dice_duel", VARY, by=by, games=300, seed=4, jobs=1)
    with executors()[kind]() as executor:
        found = sweep("dice_duel", VARY, by=by, games=300, seed=4, executor=executor)
    assert found == expected


class FileGoes(InLine):
    """Deletes a file before the work is done."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self.waiting.append(file.unlink)

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future = super().submit(fn, *args, **kwargs)
        if len(self.waiting) == 3:  # the file, and two settings
            for work in self.waiting:
                work()
        return future


def test_the_file_is_read_once(tmp_path: Path) -> None:
    """All settings are of the same ruleset, whatever becomes of its file meanwhile."""
    file = tmp_path / "duel.yaml"
    file.write_bytes((rulesets_folder() / "dice_duel.yaml").read_bytes())
    found = sweep(file, {"target": [3, 4]}, executor=FileGoes(file))
    assert not file.exists()
    assert found == sweep("dice_duel", {"target": [3, 4]}, jobs=1)


def test_processes_are_the_default() -> None:
    assert sweep("dice_duel", VARY, jobs=2) == sweep("dice_duel", VARY, jobs=1)


def test_every_combination_in_order() -> None:
    found = sweep("dice_duel", VARY, jobs=1)
    assert [setting.values for setting in found] == [
        (("target", target), ("sides", sides)) for target in (3, 4, 0) for sides in (2, 3)
    ]


def test_each_setting_is_what_solve_says() -> None:
    for setting in sweep("dice_duel", {"target": [3, 4, 5]}, parameters={"sides": 4}, jobs=1):
        game = rulegame.load("dice_duel", {**dict(setting.values), "sides": 4})
        solution = rulegame.solve(game, "perfect_information")
        assert setting.solved is not None
        assert setting.solved.value == solution.value
        assert setting.solved.states == len(solution.graph)
        assert setting.advantage == pytest.approx(float(solution.value or 0))


def test_each_setting_is_what_simulate_says() -> None:
    (setting,) = sweep(
        "nim",
        {"heaps": [[2, 2]]},
        by="simulate",
        games=500,
        seed=3,
        players=["perfect", "random"],
        first=1,
        jobs=1,
    )
    game = rulegame.load("nim", {"heaps": [2, 2]})
    assert setting.report == rulegame.simulate(
        game, 500, seed=3, players=["perfect", "random"], first=1
    )


def test_a_setting_without_a_result_has_a_reason_and_the_others_go_on() -> None:
    found = sweep("pig", {"target": [0, 1, 20]}, max_states=2000, jobs=1)
    assert "must be" in found[0].problem
    assert not found[1].problem
    assert "more than 2,000 positions" in found[2].problem
    mixed = sweep("dice_duel", {"target": [0, 3]}, jobs=1)
    assert mixed[0].problem and mixed[0].solved is None
    assert not mixed[1].problem and mixed[1].solved is not None


def test_operations_can_be_switched() -> None:
    (on,) = sweep("double_or_nothing_31", {"target": [31]}, enable=["subtract_one"], jobs=1)
    (off,) = sweep("double_or_nothing_31", {"target": [31]}, jobs=1)
    assert on.solved is not None and off.solved is not None
    assert on.solved.longest_game is None
    assert off.solved.longest_game == 30


def test_a_file_of_another_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "rulegame: 1\nextends: dice_duel\ntitle: Mine\nparameters: {target: 3}\n"
    (tmp_path / "mine.yaml").write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    found = sweep("mine.yaml", {"sides": [2, 3]}, jobs=2)
    assert [s.solved.value for s in found if s.solved] == [Fraction(163, 553), Fraction(9, 77)]


def test_wrong_calls() -> None:
    with pytest.raises(FileNotFoundError):
        sweep("no_such_game", {"x": [1]})
    with pytest.raises(ValueError, match="'solve' or 'simulate'"):
        sweep("nim", {}, by="guess")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="moves first"):
        sweep("nim", {}, first=None)
    with pytest.raises(ValueError, match="more than"):
        sweep("nim", {"a": range(1000), "b": range(10000)})
    with pytest.raises(ValueError, match="1,000,001 settings are more than 1,000,000"):
        sweep("nim", {"a": range(101), "b": range(9901)})
    with pytest.raises(FileNotFoundError):  # as many as are allowed
        sweep("no_such_game", {"a": range(1000), "b": range(1000)})


def solved(value: Fraction | None, lower: float, upper: float) -> Setting:
    return Setting((), solved=Solved(1, value, lower, upper, Result.CHANCE, None, None, None, None))


def test_fairness() -> None:
    assert solved(Fraction(1, 20), 0.05, 0.05).is_fair(0.06) is True
    assert solved(Fraction(0), 0.0, 0.0).is_fair(0) is True
    assert solved(Fraction(-1, 10), -0.1, -0.1).is_fair(0.05) is False
    assert solved(None, 0.01, 0.04).is_fair(0.05) is True
    assert solved(None, 0.04, 0.06).is_fair(0.05) is None
    assert solved(None, -0.2, -0.1).is_fair(0.05) is False
    assert solved(None, 0.2, 0.3).is_fair(0.05) is False
    assert solved(None, 0.05, 0.1).is_fair(0.05) is None  # it may be just as much as allowed
    assert solved(None, -0.1, -0.05).is_fair(0.05) is None
    assert solved(None, -0.05, 0.05).is_fair(0.05) is True
    assert Setting((), problem="no").is_fair(1) is None


class Broken(InLine):
    """Its workers die."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        from concurrent.futures.process import BrokenProcessPool

        future: Future[T] = Future()
        future.set_exception(BrokenProcessPool())
        return future


def test_lost_workers_are_told() -> None:
    with pytest.raises(WorkersLost, match="memory"):
        sweep("nim", {"heaps": [[1], [2]]}, executor=Broken())


def test_a_script_without_a_guard_can_sweep(tmp_path: Path) -> None:
    """Where processes can be copied, a plain script works, too."""
    if sys.platform != "linux":
        pytest.skip("processes are spawned here")
    script = tmp_path / "script.py"
    script.write_text("import rulegame\nprint(len(rulegame.sweep('nim', {'heaps': [[1], [2]]})))\n")
    done = subprocess.run(
        [sys.executable, str(script)], capture_output=True, text=True, timeout=WAIT, check=False
    )
    assert (done.stdout, done.stderr) == ("2\n", "")


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int | None]] = []
    sweep("nim", {"heaps": [[1], [2]]}, jobs=1, progress=lambda *report: told.append(report))
    assert [(done, total) for _, done, total in told] == [(0, 2), (1, 2)]
