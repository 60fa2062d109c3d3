"""Work that is spread: in its order, told what is missing, and never gone on with for nobody."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context
from threading import Event

import pytest

import rulegame
from rulegame.building import Settings
from rulegame.building.ranges import read_ranges
from rulegame.loading import RulesetText, read_document
from rulegame.progress import Progress
from rulegame.proving.settings import Refused, check_settings
from rulegame.workers import MAX_CHUNKS, OtherVersion, Versions, WorkersLost, in_order
from waiting import WAIT


def forked(processes: int = 2) -> Executor:
    return ProcessPoolExecutor(processes, mp_context=get_context("fork"))


EXECUTORS: dict[str, Callable[[], Executor]] = {
    "threads": lambda: ThreadPoolExecutor(3),
    "processes": forked,
}
needs_fork = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked")


def squared(number: int, progress: Progress) -> int:
    time.sleep(0.001 * (number % 3))
    if number == -1:
        raise ValueError("minus one")
    if number == -9:
        os.kill(os.getpid(), signal.SIGKILL)
    return number * number


def squares(numbers: list[int], executor: Executor | None) -> list[int]:
    return in_order(squared, numbers, executor, doing="Squaring", label=lambda n: f"n={n}")


@needs_fork
@pytest.mark.parametrize("kind", EXECUTORS)
def test_results_have_the_order_of_the_tasks(kind: str) -> None:
    numbers = list(range(2 * MAX_CHUNKS + 77))  # several go together
    with EXECUTORS[kind]() as executor:
        assert squares(numbers, executor) == [n * n for n in numbers]
        assert squares([], executor) == []
        with pytest.raises(ValueError, match="minus one"):
            squares([1, 2, -1, 4], executor)
        assert squares([5], executor) == [25]  # which can still be used


@needs_fork
def test_a_process_that_dies_is_told_with_what_is_missing() -> None:
    with forked(1) as executor, pytest.raises(WorkersLost) as loss:
        squares([*range(20), -9, 77], executor)
    assert "n=-9" in loss.value.missing and "n=77" in loss.value.missing
    assert "n=0" not in loss.value.missing
    assert "a worker process died" in str(loss.value)
    assert "missing: n=" in str(loss.value)


def test_what_is_missing_is_listed_shortly() -> None:
    loss = WorkersLost([f"start={n}" for n in range(1000)], "gone")
    assert str(loss) == "gone; missing: start=0, start=1, start=2 and 997 more"


begun, ended = Event(), Event()


def endless(number: int, progress: Progress) -> int:
    begun.set()
    try:
        while True:
            progress("", 0, None)
            time.sleep(0.01)
    finally:
        ended.set()


def test_threads_stop_when_nobody_waits() -> None:
    def impatient(doing: str, done: int, total: int | None) -> None:
        if begun.is_set():
            raise KeyboardInterrupt

    with ThreadPoolExecutor(1) as executor:
        with pytest.raises(KeyboardInterrupt):
            in_order(endless, [1, 2], executor, doing="x", label=str, progress=impatient)
        assert ended.wait(WAIT)


def test_progress_counts_tasks() -> None:
    told: list[tuple[int, int | None]] = []
    with ThreadPoolExecutor(1) as executor:
        in_order(
            squared, [1, 2, 3], executor, doing="x", label=str,
            progress=lambda _, done, total: told.append((done, total)),
        )  # fmt: skip
    assert told == sorted(told)
    assert {total for _, total in told} == {3}


def test_workers_of_another_version_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    from rulegame import workers

    here = iter([Versions("0.1.0", "3.11"), Versions("0.2.0", "3.12"), Versions("0.2.0", "3.12")])
    monkeypatch.setattr(workers, "versions", lambda: next(here))
    with ThreadPoolExecutor(1) as executor, pytest.raises(OtherVersion) as refusal:
        squares([1], executor)
    assert str(refusal.value) == (
        "a worker has rulegame 0.2.0 with Python 3.12, but here is rulegame 0.1.0 with Python 3.11"
    )


# ---- what is spread

RULES = """\
rulegame: 1
title: Halving
parameters: {start: {default: 9, min: 2, max: 99}}
state: {left: start}
operations:
  take: {choose: {n: 1..3}, effects: {left: left - n}}
validity:
  enough: {require: after.left >= 0}
end:
  last: {when: left == 0, result: win}
claims: {first_player_wins: true, no_draws: true}
"""
FAULTY = RULES.replace("left - n}", "left * 9223372036854775807 if left == 5 else left - n}")


@needs_fork
@pytest.mark.parametrize("kind", EXECUTORS)
@pytest.mark.parametrize(
    ("players", "games", "first"),
    [
        (["random"], 70_000, None),
        (["perfect", "random"], 2_000, 1),
        (["greedy", "search:20"], 12, None),
    ],
    ids=str,
)
def test_simulated_games(kind: str, players: list[str], games: int, first: int | None) -> None:
    game = rulegame.loads(RULES)
    alone = rulegame.simulate(game, games, seed=3, players=players, first=first)
    with EXECUTORS[kind]() as executor:
        spread = rulegame.simulate(
            game, games, seed=3, players=players, first=first, executor=executor
        )
    assert spread == alone
    assert repr(spread) == repr(alone)


def test_faults_are_those_of_the_first_game_that_fails() -> None:
    game = rulegame.loads(FAULTY)
    with pytest.raises(rulegame.GameError) as alone:
        rulegame.simulate(game, 5_000, seed=3)
    with ThreadPoolExecutor(2) as executor, pytest.raises(rulegame.GameError) as spread:
        rulegame.simulate(game, 5_000, seed=3, executor=executor)
    assert (str(spread.value), spread.value.moves) == (str(alone.value), alone.value.moves)


@needs_fork
@pytest.mark.parametrize("kind", EXECUTORS)
def test_checked_settings(kind: str) -> None:
    document = read_document(RulesetText(RULES))
    assert document is not None
    ranges = read_ranges(["start=2..9"])
    alone = check_settings(document, Settings(), ranges)
    assert {report.holds for _, report in alone} == {True, False}
    with EXECUTORS[kind]() as executor:
        assert check_settings(document, Settings(), ranges, executor=executor) == alone
        with pytest.raises(Refused) as refused:
            check_settings(document, Settings(), read_ranges(["start=2,100"]), executor=executor)
    assert str(refused.value.setting) == "start=100"
    assert check_settings(document, Settings(), ranges, jobs=2) == alone
