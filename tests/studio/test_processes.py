"""Worker processes that hang, die or talk nonsense are ended and replaced."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from rulegame_studio.processes import Worker, WorkerLost
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
