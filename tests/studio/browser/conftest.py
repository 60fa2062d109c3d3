"""A real Chromium, and the studio as a process of its own that it talks to."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from support.tiers import missing
from waiting import WAIT

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NAMES: Final = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
ARGUMENTS: Final = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """For one module: as long as it is there, no other loop of asyncio can run in this process."""
    for package in ("playwright.sync_api", "axe_playwright_python.sync_playwright", "uvicorn"):
        try:
            __import__(package)
        except ImportError:
            missing(f'{package} is not installed: pip install "rulegame[studio-test]"')
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        missing("there is no Chromium; CHROMIUM tells where one is")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=found, args=list(ARGUMENTS))
        chromium.new_context().close()
        yield chromium
        chromium.close()


class StudioProcess:
    """`rulegame studio` on a port of its own, which can be ended and started again."""

    def __init__(self, home: Path, folder: Path) -> None:
        self._home, self._folder = home, folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[str] | None = None

    def start(self) -> None:
        """Start it, and wait until it says that it is open."""
        command = [sys.executable, "-m", "rulegame_cli", "studio", str(self._folder)]
        self._process = subprocess.Popen(
            [*command, "--no-browser", "--port", str(self.port)],
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "RULEGAME_HOME": str(self._home)},
        )
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert self.address in line, line

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it as politely as the signal is."""
        if self._process is None:
            return
        self._process.send_signal(how)
        self._process.wait(WAIT)
        assert self._process.stdout is not None
        self._process.stdout.close()
        self._process = None

    def ask(self, path: str, body: object = None) -> Any:
        """What the studio answers to a program."""
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.address + path, data, {"content-type": "application/json"}
        )
        with urllib.request.urlopen(request, timeout=WAIT) as response:
            return json.load(response)

    def lay(self, game: str, *seats: str, screen: bool = False, **settings: str) -> dict[str, Any]:
        """A new table; a seat is `Ann` for a person, or `computer:hard`. The answer's links."""
        wanted = []
        for seat in seats:
            kind, _, player = seat.partition(":")
            if kind == "computer":
                wanted.append({"kind": kind, "player": player})
            else:
                wanted.append({"kind": "person", "name": seat})
        links = self.ask(
            "/api/tables",
            {"game": game, "set": settings, "seats": wanted, "first": "1", "screen": screen},
        )["links"]
        assert isinstance(links, dict)
        return links


HOSTILE: Final = """
rulegame: 1
title: <img src=x onerror="window.broken=1"> & <script>window.broken=2</script>
summary: "</p><script>window.broken=3</script>"
players: ["<b>One</b>", "&lt;Two"]
parameters:
  pile: {default: 5, min: 1, max: 9, about: "<svg onload='window.broken=4'>"}
state:
  left: {start: pile, about: "\\"><iframe src=javascript:window.broken=5>"}
operations:
  take:
    label: "<a href='javascript:window.broken=6'>Take</a>"
    about: "<style>body{display:none}</style>"
    choose:
      n: 1..3
    effects:
      left: left - n
validity:
  enough:
    require: after.left >= 0
    because: "<script>window.broken=7</script> only {left} left"
end:
  last: {when: left == 0, result: win}
texts:
  turn: "<img src=x onerror='window.broken=8'> {left}"
"""


@pytest.fixture(scope="module")
def studio(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioProcess]:
    """The studio of a module, with a folder in which not every ruleset is right, or harmless."""
    folder = tmp_path_factory.mktemp("my_games")
    (folder / "hostile.yaml").write_text(HOSTILE)
    (folder / "broken.yaml").write_text("rulegame: 1\ntitle: <b>Broken</b>\noperations: 3\n")
    process = StudioProcess(tmp_path_factory.mktemp("studio_home"), folder)
    process.start()
    yield process
    process.end()
