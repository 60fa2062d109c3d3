"""Worker processes that hang, die or talk nonsense are ended and replaced."""

from __future__ import annotations

import asyncio
import json
import os
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import pytest

from rulegame_studio.connections import Peer
from rulegame_studio.keys import TableKeys
from rulegame_studio.lobby import Lobby, Seating
from rulegame_studio.processes import Pool, Worker, WorkerLost
from waiting import WAIT

ASKED = {"op": "card", "game": "nim"}


def test_a_worker_that_hangs_or_dies_is_replaced(tmp_path: Path) -> None:
    async def story() -> None:
        worker = Worker(str(tmp_path))
        assert (await worker.ask(ASKED, WAIT))["title"] == "Nim"
        for harm in (signal.SIGSTOP, signal.SIGKILL):
            process = worker._process
            assert process is not None
            os.kill(process.pid, harm)
            with pytest.raises(WorkerLost):
                await worker.ask(ASKED, 1)
            assert process.returncode is not None
            assert (await worker.ask(ASKED, WAIT))["title"] == "Nim"
        assert worker.generation == 3
        await worker.end()

    asyncio.run(story())


def test_a_worker_ends_with_its_server(tmp_path: Path) -> None:
    async def story() -> int:
        worker = Worker(str(tmp_path))
        await worker.ask(ASKED, WAIT)
        process = worker._process
        assert process is not None and process.stdin is not None
        process.stdin.close()  # as when the server is killed
        return await asyncio.wait_for(process.wait(), WAIT)

    assert asyncio.run(story()) == 0


def test_what_a_ruleset_is_about_to_eat_is_limited(tmp_path: Path) -> None:
    """A worker has no more memory than it needs: see `limits`."""

    async def story() -> str:
        worker = Worker(str(tmp_path))
        await worker.ask(ASKED, WAIT)
        process = worker._process
        assert process is not None
        limits = Path(f"/proc/{process.pid}/limits")
        text = limits.read_text() if limits.exists() else ""
        await worker.end()
        return text

    text = asyncio.run(story())
    if not text:
        pytest.skip("this system does not tell the limits of processes")
    (line,) = [line for line in text.splitlines() if line.startswith("Max address space")]
    assert line.split()[3] == str(3 * 2**30)


class Queue(Worker):
    """A worker that notes what it is asked."""

    def __init__(self) -> None:
        super().__init__("")
        self.asked: list[str] = []

    async def _ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        self.asked.append(request["op"])
        await asyncio.sleep(0.001)
        return {}


def test_urgent_requests_go_first_and_all_others_in_turn() -> None:
    """Two tables that think in slices, and three short requests meanwhile."""

    async def story() -> list[str]:
        worker = Queue()

        async def think(table: str) -> None:
            for _ in range(3):
                await worker.ask({"op": table}, 1, urgent=False)

        async def ask(request: str) -> None:
            await asyncio.sleep(0)
            await worker.ask({"op": request}, 1)

        await asyncio.gather(think("A"), think("B"), ask("1"), ask("2"), ask("3"))
        return worker.asked

    assert asyncio.run(story()) == ["A", "1", "2", "3", "B", "A", "B", "A", "B"]


def test_who_no_longer_waits_is_passed_over() -> None:
    async def story() -> list[str]:
        worker = Queue()
        tasks = [asyncio.create_task(worker.ask({"op": name}, 1)) for name in "abc"]
        await asyncio.sleep(0)
        tasks[1].cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert worker.waiting == 0
        return worker.asked

    assert asyncio.run(story()) == ["a", "c"]


def test_a_table_stays_with_its_worker_unless_that_is_busy() -> None:
    async def story() -> list[int]:
        pool, found = Pool(0, ""), []
        pool.workers = [Queue(), Queue()]
        found.append(pool.workers.index(pool.least("table")))
        pool.workers[1].known["table"] = 5
        for _ in range(4):
            found.append(pool.workers.index(pool.least("table")))
            work = pool.workers[1].ask({"op": "work"}, 1)
            asyncio.get_running_loop().create_task(work)
            await asyncio.sleep(0)
        return found

    assert asyncio.run(story()) == [0, 1, 1, 0, 0]


class SlowWorker:
    """Rates one position and hangs at the next."""

    def __init__(self) -> None:
        self.asked = 0

    async def ask(self, request: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        self.asked += 1
        if self.asked > 1:
            raise WorkerLost
        return {"ratings": [{"chance": [0.25, 0.75]}]}


class Listener:
    audience, ready = "watch", None

    def __init__(self) -> None:
        self.heard: list[dict[str, Any]] = []

    def tell(self, text: str) -> None:
        self.heard.append(json.loads(text))


def test_a_review_that_runs_out_of_time_shows_what_it_has(tmp_path: Path) -> None:
    async def story() -> list[dict[str, Any]]:
        lobby, peer = Lobby(str(tmp_path)), Listener()
        worker = cast(Worker, SlowWorker())
        seating = Seating("table", TableKeys.made(["human"], shared=False), worker)
        seating.peers.append(cast(Peer, peer))
        await lobby._rate(seating, cast(Peer, peer), worker, {"table": "table"}, [0, 1, 2])
        return peer.heard

    part, end = asyncio.run(story())
    assert (part["at"], part["ratings"], part["over"]) == ([0], [{"chance": [0.25, 0.75]}], False)
    assert end["over"] and end["about"].startswith("1 of 3 positions")
