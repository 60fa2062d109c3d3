"""A language client: starts `rulegame lsp` and talks to it over its standard input and output."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

from waiting import WAIT


class Refused(Exception):
    """The server answered a request with an error."""


class Client:
    """One conversation. `diagnostics` has what was published last for each file."""

    def __init__(self, folder: Path, encodings: list[str] | None = None) -> None:
        self.folder = folder
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rulegame_cli", "lsp"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        self.errors = ""
        self.diagnostics: dict[str, list[dict[str, Any]]] = {}
        self.published = 0
        self.asked: list[dict[str, Any]] = []  # what the server wanted to know or have
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._versions: dict[str, int] = {}
        self._number = 0
        threading.Thread(target=self._listen, daemon=True).start()
        threading.Thread(target=self._hear_errors, daemon=True).start()
        general = {"positionEncodings": encodings} if encodings else {}
        self.capabilities = self.request(
            "initialize",
            {
                "processId": None,
                "rootUri": folder.as_uri(),
                "workspaceFolders": [{"uri": folder.as_uri(), "name": "games"}],
                "capabilities": {
                    "general": general,
                    "workspace": {"didChangeWatchedFiles": {"dynamicRegistration": True}},
                },
            },
        )["capabilities"]
        self.notify("initialized", {})

    # ---- messages

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: dict[str, Any]) -> None:
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    def notify(self, method: str, params: Any) -> None:
        self.send({"method": method, "params": params})

    def request(self, method: str, params: Any) -> Any:
        """The result; what is published meanwhile is taken in."""
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        while True:
            message = self._next()
            if message.get("id") == self._number and "method" not in message:
                if "error" in message:
                    raise Refused(message["error"]["message"])
                return message.get("result")

    def _next(self) -> dict[str, Any]:
        message = self._messages.get(timeout=WAIT)
        assert message is not None, f"the server is gone: {self.errors}"
        if message.get("method") == "textDocument/publishDiagnostics":
            self.diagnostics[message["params"]["uri"]] = message["params"]["diagnostics"]
            self.published += 1
        elif "method" in message and "id" in message:
            self.asked.append(message)
            self.send({"id": message["id"], "result": None})
        return message

    def _listen(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            size = 0
            while line.strip():
                name, _, value = line.partition(b":")
                size = int(value) if name == b"Content-Length" else size
                line = stream.readline()
            self._messages.put(json.loads(stream.read(size)))
        self._messages.put(None)

    def _hear_errors(self) -> None:
        assert self.process.stderr is not None
        for line in self.process.stderr:
            self.errors += line.decode(errors="replace")

    # ---- files

    def uri(self, name: str) -> str:
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str) -> str:
        """Opens a file, which need not be on the disk."""
        uri = self.uri(name)
        self._versions[uri] = 1
        document = {"uri": uri, "languageId": "yaml", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})
        return uri

    def change(self, uri: str, text: str) -> None:
        self._versions[uri] += 1
        document = {"uri": uri, "version": self._versions[uri]}
        changes = {"textDocument": document, "contentChanges": [{"text": text}]}
        self.notify("textDocument/didChange", changes)

    def close(self, uri: str) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def close_all(self) -> None:
        for uri in self._versions:
            self.close(uri)
        self._versions.clear()

    def problems(self, uri: str) -> list[dict[str, Any]]:
        """What is published next for a file."""
        self.diagnostics.pop(uri, None)
        while uri not in self.diagnostics:
            self._next()
        return self.diagnostics[uri]

    def until(self, condition: Callable[[], bool]) -> None:
        """Takes in what is published until something holds."""
        while not condition():
            self._next()

    def at(self, method: str, uri: str, line: int, character: int, **more: Any) -> Any:
        """Asks about a place, which counts from 0."""
        position = {"line": line, "character": character}
        params = {"textDocument": {"uri": uri}, "position": position, **more}
        return self.request(f"textDocument/{method}", params)

    # ---- the end

    def leave(self) -> int:
        """Says goodbye as the protocol has it; the exit code."""
        self.request("shutdown", None)
        self.notify("exit", None)
        return self.process.wait(WAIT)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
