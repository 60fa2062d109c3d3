"""A real Dask cluster of several processes, some of which are killed in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import rulegame
from cli.conftest import Call
from rulegame.workers import WorkersLost, cluster
from rulegame.workers.cluster import NoCluster, connect, is_address
from support.tiers import library
from waiting import WAIT, wait_for

distributed = library("distributed")
pytestmark = [
    pytest.mark.full,
    pytest.mark.skipif(sys.platform == "win32", reason="processes are killed"),
]

MARKER = "rulegame-9.9.9.dist-info"


class Cluster:
    """A scheduler and its workers, each a process of its own, in a folder without any ruleset."""

    def __init__(self, folder: Path) -> None:
        self._folder, self.workers = folder, list[subprocess.Popen[bytes]]()
        file = folder / "scheduler.json"
        options = ["--host", "127.0.0.1", "--port", "0", "--no-show", "--no-dashboard"]
        self.scheduler = self._started("dask_scheduler", *options, "--scheduler-file", str(file))
        wait_for(lambda: file.exists() and file.read_text().endswith("}"))
        self.address = str(json.loads(file.read_text())["address"])

    def hire(self, count: int = 1, **environment: str) -> None:
        """Starts workers, and waits until they are there."""
        options = ["--nthreads", "1", "--no-nanny", "--no-dashboard"]
        for _ in range(count):
            self.workers.append(self._started("dask_worker", self.address, *options, **environment))
        with distributed.Client(self.address, set_as_default=False) as client:
            living = sum(worker.poll() is None for worker in self.workers)
            client.wait_for_workers(living, timeout=WAIT)

    def dismiss(self, number: int = -1) -> None:
        """Kills a worker, which cannot say good-bye."""
        worker = self.workers.pop(number)
        worker.kill()
        worker.wait()

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()

    def _started(self, module: str, *options: str, **environment: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *options],
            cwd=self._folder,
            env={**os.environ, **environment},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    """Three workers, of which two are killed."""
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.hire(3)
        yield made
    finally:
        made.end()


class Killer:
    """Kills a worker when some of the work is done, and some of it is under way."""

    def __init__(self, hired: Cluster) -> None:
        self._cluster, self.killed = hired, False

    def __call__(self, doing: str, done: int, total: int | None) -> None:
        if not self.killed and total is not None and 0 < done < total:
            self._cluster.dismiss()
            self.killed = True


def test_a_killed_worker_changes_nothing(three: Cluster) -> None:
    vary: dict[str, list[Any]] = {"target": list(range(4, 9)), "sides": [3, 4]}
    swept = rulegame.sweep("dice_duel", vary, jobs=1)
    game = rulegame.load("zero_sum_duel")
    players = ["search:40", "greedy"]
    report = rulegame.simulate(game, 16, seed=7, players=players, first=None)
    with connect(three.address) as executor:
        killer = Killer(three)
        found = rulegame.sweep("dice_duel", vary, executor=executor, progress=killer)
        assert killer.killed
        assert found == swept
        assert repr(found) == repr(swept)
        killer = Killer(three)
        again = rulegame.simulate(
            game, 16, seed=7, players=players, first=None, executor=executor, progress=killer
        )
        assert killer.killed
        assert again == report
        assert repr(again) == repr(report)


def test_the_executor_of_a_client(three: Cluster) -> None:
    """Anything that is an executor will do, with whatever workers there are."""
    game = rulegame.loads(
        "rulegame: 1\ntitle: T\nstate: {left: 9}\n"
        "operations:\n  take: {choose: {n: 1..3}, effects: {left: left - n}}\n"
        "end:\n  last: {when: left <= 0, result: win}\n"
    )
    with distributed.Client(three.address, set_as_default=False) as client:
        executor = client.get_executor()
        for players, games in ((["random"], 5000), (["perfect", "random"], 500)):
            report = rulegame.simulate(game, games, seed=2, players=players, executor=executor)
            assert report == rulegame.simulate(game, games, seed=2, players=players)
        rating = rulegame.rate(game, ["random", "greedy", "perfect"], 40, seed=2, executor=executor)
    assert rating == rulegame.rate(game, ["random", "greedy", "perfect"], 40, seed=2, jobs=1)


def call(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "rulegame_cli", *arguments]


@pytest.mark.parametrize(
    "command",
    [
        ("sweep", "dice_duel", "--vary", "target=3..5", "--format", "csv"),
        ("check", "zero_sum_duel", "--parameters", "start=5..8", "--json"),
        ("simulate", "pig", "--games", "300", "--seed", "5", "--json"),
        ("rate", "nim", "--games", "10", "--seed", "5", "--players", "random,greedy", "--json"),
    ],
    ids=lambda command: str(command[0]),
)
def test_commands_print_the_same(three: Cluster, rulegame: Call, command: tuple[str, ...]) -> None:
    here = rulegame(*command)
    assert here.err == ""
    assert rulegame(*command, "--scheduler", three.address) == here


# How many tasks a worker is at; it travels by its text, since workers do not have this module.
busy = eval("lambda dask_worker: len(dask_worker.active_threads)", {"__name__": "__main__"})


def test_ctrl_c_leaves_nothing_running(three: Cluster) -> None:
    long = ("simulate", "english_draughts", "--games", "90", "--players", "search:1500")
    with distributed.Client(three.address, set_as_default=False) as client:
        child = subprocess.Popen(
            call(*long, "--scheduler", three.address),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        wait_for(lambda: any(client.run(busy).values()))
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=WAIT) == (b"", b"")
        assert child.returncode == 130
        wait_for(lambda: not any(client.run(busy).values()))
        assert not any(client.processing().values())


# ---- clusters that cannot be worked with


def test_addresses() -> None:
    for good in ("tcp://10.0.0.5:8786", "10.0.0.5:8786", "tls://head.example:1", "tcp://[::1]:9"):
        assert is_address(good), good
    for bad in ("", "8786", "head", "http://x:80", "tcp://x", "tcp://x:99999", "tcp://a b:1", "x:"):
        assert not is_address(bad), bad


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("--scheduler", "head"), "--scheduler: expected an address"),
        (("--scheduler", "tcp://127.0.0.1:1", "--jobs", "2"), "--jobs and --scheduler"),
    ],
)
def test_wrong_calls(rulegame: Call, arguments: tuple[str, ...], expected: str) -> None:
    result = rulegame("simulate", "nim", "--games", "5", *arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith(f"rulegame: {expected}") and result.err.count("\n") == 1


def test_clusters_that_are_not_what_is_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No answer, no workers, workers of another version, none left, and no scheduler left."""
    for limit in ("ANSWERS_WITHIN", "WORKERS_WITHIN", "WITHOUT_WORKERS"):
        monkeypatch.setattr(cluster, limit, 0.5)
    with pytest.raises(NoCluster, match="cannot reach the scheduler"), connect("tcp://127.0.0.1:1"):
        pass
    monkeypatch.setattr(cluster, "ANSWERS_WITHIN", 20.0)
    lonely = Cluster(tmp_path)
    try:
        with pytest.raises(NoCluster, match="has no workers: start some"), connect(lonely.address):
            pass
        (tmp_path / "other" / MARKER).mkdir(parents=True)
        (tmp_path / "other" / MARKER / "METADATA").write_text(
            "Metadata-Version: 2.1\nName: rulegame\nVersion: 9.9.9\n"
        )
        lonely.hire(PYTHONPATH=str(tmp_path / "other"))
        other = pytest.raises(NoCluster, match=r"has rulegame 9\.9\.9: rulegame ")
        with other, connect(lonely.address):
            pass
        lonely.dismiss()
        lonely.hire()
        vary = {"target": list(range(40, 90))}
        with connect(lonely.address) as executor:
            killer = Killer(lonely)
            with pytest.raises(WorkersLost, match=r"has had no workers .* missing: target="):
                rulegame.sweep("dice_duel", vary, executor=executor, progress=killer)
            lonely.hire()

            def kill_scheduler(doing: str, done: int, total: int | None) -> None:
                lonely.scheduler.kill()

            with pytest.raises(WorkersLost, match=r"lost the scheduler .*missing: target=40"):
                rulegame.sweep("dice_duel", vary, executor=executor, progress=kill_scheduler)
    finally:
        lonely.end()
