"""Worker processes, as the server sees them: each is asked one thing at a time, and one that does
not answer in time, or dies, is ended and replaced.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from heapq import heappop, heappush
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
        self._queue: list[tuple[bool, int, asyncio.Future[None]]] = []
        self._served: asyncio.Future[None] | None = None
        self._number = 0
        self.generation = 0  # how often it was started
        self.known: dict[str, int] = {}  # tables that it follows, with the entries it has seen

    async def ask(self, request: Mapping[str, Any], seconds: float, urgent: bool = True) -> Reply:
        """The answer to a request; `WorkerLost` if there is none in time. Urgent requests go first,
        in their order, then the others in theirs.
        """
        self._number += 1
        number, turn = self._number, asyncio.get_running_loop().create_future()
        heappush(self._queue, (not urgent, number, turn))
        self._serve_next()
        try:
            await turn
            return await self._ask({"id": number, **request}, seconds)
        finally:
            turn.cancel()  # nobody waits for it any more
            if self._served is turn:
                self._served = None
                self._serve_next()

    def _serve_next(self) -> None:
        while self._served is None and self._queue:
            *_, turn = heappop(self._queue)
            if not turn.done():
                self._served = turn
                turn.set_result(None)

    @property
    def waiting(self) -> int:
        """How many requests there are, with that which is being answered."""
        return len(self._queue) + (self._served is not None)

    async def _ask(self, request: Mapping[str, Any], seconds: float) -> Reply:
        process = await self._running()
        line = json.dumps(request).encode() + b"\n"
        try:
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(line)
            answer = await asyncio.wait_for(self._read(process, line), seconds)
            found = json.loads(answer)
            if found["id"] != request["id"]:
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
    """Workers that are all alike. A table has one request at a time in the queue of one of them, so
    that all tables get their turn.
    """

    def __init__(self, count: int, folder: str, niceness: int = 0) -> None:
        self.workers = [Worker(folder, niceness) for _ in range(count)]

    def least(self, table: str = "") -> Worker:
        """The worker that follows the table, unless another has a much shorter queue."""
        return min(self.workers, key=lambda worker: worker.waiting - 2 * (table in worker.known))

    async def ask(self, request: Mapping[str, Any], seconds: float, urgent: bool = True) -> Reply:
        """Ask any of them."""
        return await self.least().ask(request, seconds, urgent)

    async def end(self) -> None:
        """End all of them."""
        await asyncio.gather(*(worker.end() for worker in self.workers))
