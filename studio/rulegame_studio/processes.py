"""Worker processes, as the server sees them: each is asked one thing at a time, and one that does
not answer in time, or dies, is ended and replaced.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

LONGEST_LINE: Final = 64 * 2**20  # bytes of an answer
Reply = dict[str, Any]


class WorkerLost(Exception):
    """The worker has died or was ended; what it held is on disk."""


class Worker:
    """One process, started when it is first asked something."""

    def __init__(self, folder: str, niceness: int = 0) -> None:
        self._folder = folder
        self._niceness = niceness  # how much it lets others go first
        self._process: asyncio.subprocess.Process | None = None
        self._turn = asyncio.Lock()
        self._number = 0
        self.generation = 0  # how often it was started
        self.waiting = 0
        self.known: dict[str, int] = {}  # tables that it follows, with the entries it has seen

    async def ask(self, request: Mapping[str, Any], seconds: float) -> Reply:
        """The answer to a request; `WorkerLost` if there is none in time."""
        self.waiting += 1
        try:
            async with self._turn:
                return await self._ask(request, seconds)
        finally:
            self.waiting -= 1

    async def _ask(self, request: Mapping[str, Any], seconds: float) -> Reply:
        process = await self._running()
        self._number += 1
        line = json.dumps({"id": self._number, **request}).encode() + b"\n"
        try:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(line)
            answer = await asyncio.wait_for(self._read(process, line), seconds)
            found = json.loads(answer)
            if found["id"] != self._number:
                raise ValueError("the answer to something else")
        except (TimeoutError, OSError, ValueError, EOFError):
            await self.end()
            raise WorkerLost from None
        except asyncio.CancelledError:
            await self.end()
            raise
        reply: Reply = found["reply"]
        return reply

    async def _read(self, process: asyncio.subprocess.Process, line: bytes) -> bytes:
        assert process.stdin is not None and process.stdout is not None
        await process.stdin.drain()
        answer = await process.stdout.readline()
        if not answer.endswith(b"\n"):
            raise EOFError
        return answer

    async def _running(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self.generation += 1
            self.known.clear()
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "rulegame_studio.worker",
                self._folder,
                str(self._niceness),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
                start_new_session=True,  # Ctrl-C at the terminal is for the server alone
            )
        return self._process

    async def end(self) -> None:
        """Kill it, whatever it does."""
        process, self._process = self._process, None
        if process is not None and process.returncode is None:
            with suppress(ProcessLookupError):
                process.kill()
            await process.wait()


class Pool:
    """Workers that are all alike. Each serves its queue in order, and a table has one request in
    it at a time, so that all tables get their turn.
    """

    def __init__(self, count: int, folder: str, niceness: int = 0) -> None:
        self.workers = [Worker(folder, niceness) for _ in range(count)]

    def least(self, table: str = "") -> Worker:
        """The worker with the shortest queue; of several, one that follows the table."""
        return min(self.workers, key=lambda worker: (worker.waiting, table not in worker.known))

    async def ask(self, request: Mapping[str, Any], seconds: float) -> Reply:
        """Ask any of them."""
        return await self.least().ask(request, seconds)

    async def end(self) -> None:
        """End all of them."""
        await asyncio.gather(*(worker.end() for worker in self.workers))
