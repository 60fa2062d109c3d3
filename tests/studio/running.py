"""A studio in a process of its own, and those who connect to it."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import quote

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from waiting import WAIT

Data = dict[str, Any]
OPEN = re.compile(r"Studio running at (http://\S+)")


class Server:
    """`rulegame studio` as it is installed."""

    def __init__(self, folder: Path, home: Path, *options: str, port: int = 0) -> None:
        self.home = home
        environment = {**os.environ, "RULEGAME_HOME": str(home), "PYTHONUNBUFFERED": "1"}
        command = [sys.executable, "-m", "rulegame_cli", "studio", str(folder), "--no-browser"]
        self.process = subprocess.Popen(
            [*command, "--port", str(port), *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env=environment,
        )
        assert self.process.stdout is not None
        found = OPEN.search(self.process.stdout.readline())
        assert found, self.process.stdout.read()
        self.link = found[1]
        self.port = int(re.findall(r":(\d+)", self.link)[0])

    def request(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
    ) -> tuple[int, dict[str, str], bytes]:
        """Whatever the server answers."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=WAIT)
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        try:
            connection.request(method, path, data, headers or {})
            response = connection.getresponse()
            found = {name.lower(): value for name, value in response.getheaders()}
            return response.status, found, response.read()
        finally:
            connection.close()

    def get(self, path: str, headers: dict[str, str] | None = None) -> Data:
        status, _, body = self.request("GET", path, headers=headers)
        assert status == 200, body
        found: Data = json.loads(body)
        return found

    def post(self, path: str, body: object) -> Data:
        status, _, answer = self.request("POST", path, body)
        assert status == 200, answer
        found: Data = json.loads(answer)
        return found

    def table(self, game: str, **wanted: Any) -> Data:
        """The links of a new table."""
        links: Data = self.post("/api/tables", {"game": game, **wanted})["links"]
        return links

    def library(self) -> list[Data]:
        """Every game, read part by part as the page does."""
        games: list[Data] = []
        at: int | None = 0
        while at is not None:
            part = self.get(f"/api/library?from={at}")
            games += part["games"]
            at = part["next"]
        return games

    def game(self, game: str) -> Data:
        return self.get(f"/api/games/{quote(game, safe='')}")

    def sit(self, link: str, **options: Any) -> Client:
        """Connect to a seat, as its page does."""
        return Client(f"ws://127.0.0.1:{self.port}{link.replace('/table/', '/socket/')}", **options)

    def kill(self) -> None:
        """As a machine does that goes down."""
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self._close()

    def stop(self) -> str:
        """As Ctrl-C does."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(WAIT)
            except subprocess.TimeoutExpired:
                self.process.kill()
                raise
        assert self.process.stdout is not None
        said = "" if self.process.stdout.closed else self.process.stdout.read()
        self._close()
        return said

    def _close(self) -> None:
        if self.process.stdout is not None:
            self.process.stdout.close()

    def __enter__(self) -> Server:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()


class Client:
    """A seat, a watcher or a screen; keeps every text that came over the socket."""

    def __init__(self, address: str, **options: Any) -> None:
        self._leaving = ExitStack()
        opened = connect(address, open_timeout=WAIT, max_size=None, compression=None, **options)
        self.socket: ClientConnection = self._leaving.enter_context(opened)
        self.texts: list[str] = []
        self.last: Data = {}  # the last snapshot

    def send(self, **message: Any) -> None:
        self.socket.send(json.dumps(message))

    def next(self, timeout: float = WAIT) -> Data:
        """The next message, whatever it is."""
        text = self.socket.recv(timeout)
        assert isinstance(text, str)
        self.texts.append(text)
        data: Data = json.loads(text)
        self.last = data if data["kind"] == "table" else self.last
        return data

    def until(self, kind: str = "table", **wanted: Any) -> Data:
        """The next message of a kind in which all is as wanted."""
        while True:
            data = self.next()
            if data["kind"] == kind and all(data.get(name) == v for name, v in wanted.items()):
                return data

    def asked(self, after: int | None = None) -> Data:
        """The next snapshot in which this one has to decide, or the game is over; after so many
        moves and rolls, if that is said.
        """
        while True:
            data = self.until()
            there = after is None or len(data["record"]) == after
            if there and (data["over"] or data["moves"] or data["question"]):
                return data

    def move(self, text: str, version: int | None = None) -> Data:
        """Play a move; the snapshot after it."""
        self.send(kind="move", text=text, **({} if version is None else {"version": version}))
        before = len(self.last["record"])
        while len((data := self.until())["record"]) == before:
            pass
        return data

    def over(self) -> Data:
        """How the game ends."""
        while (over := self.until()["over"]) is None:
            pass
        found: Data = over
        return found

    def drain(self, quiet: float = 0.3) -> Data | None:
        """All that is on its way; the last snapshot of it."""
        last = None
        with suppress(TimeoutError, ConnectionClosed):
            while True:
                data = self.next(quiet)
                last = data if data["kind"] == "table" else last
        return last

    def close(self) -> None:
        self._leaving.close()


@contextmanager
def seated(server: Server, *links: str) -> Iterator[list[Client]]:
    """Clients at a table, who leave it again."""
    clients: list[Client] = []
    try:
        for link in links:
            clients.append(server.sit(link))
        yield clients
    finally:
        for client in clients:
            client.close()
