"""`--watch`, as a real process that a person ends with Ctrl-C."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Queue
from threading import Thread

import pytest

from cli.commands.test_coverage import GAME, PLAYED
from rulegame_cli.calling.watching import stamps
from waiting import WAIT

Lines = Queue[str]
Start = Callable[..., "Watcher"]


class Watcher:
    """A process, and the lines that it has printed so far."""

    def __init__(self, *arguments: str, folder: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rulegame_cli", *arguments, "--watch"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
        )
        self._lines: Lines = Queue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line)

    def round(self) -> str:
        """What is printed until it waits again."""
        printed = ""
        while "press Ctrl-C to stop" not in printed:
            printed += self._lines.get(timeout=WAIT)
        return printed


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    started: list[Watcher] = []

    def watcher(*arguments: str) -> Watcher:
        started.append(Watcher(*arguments, folder=tmp_path))
        return started[-1]

    yield watcher
    for one in started:
        one.process.kill()
        one.process.wait()


def write(file: Path, text: str) -> None:
    """Save as editors do: another file takes the place of the old one."""
    part = file.with_suffix(".part")
    part.write_text(text, "utf-8")
    part.replace(file)


def test_validating_again_after_each_change(start: Start, tmp_path: Path) -> None:
    game = tmp_path / "down.yaml"
    write(game, GAME)
    watcher = start("validate", "down.yaml")
    first = watcher.round()
    assert "down.yaml: valid" in first and "watching 1 file;" in first
    write(game, GAME.replace("left - n", "lefd - n"))
    assert "did you mean 'left'?" in watcher.round()
    game.unlink()
    assert "No file or bundled game 'down.yaml'" in watcher.round()
    write(game, GAME)
    assert "down.yaml: valid" in watcher.round()
    watcher.process.send_signal(signal.SIGINT)
    assert watcher.process.wait(timeout=WAIT) == 130


def test_a_parent_is_watched_too(start: Start, tmp_path: Path) -> None:
    write(tmp_path / "down.yaml", GAME)
    write(tmp_path / "v.yaml", "rulegame: 1\nextends: down.yaml\ntitle: V\n" + PLAYED)
    watcher = start("test", "v.yaml")
    first = watcher.round()
    assert "2 passed" in first and "watching 2 files;" in first
    write(tmp_path / "down.yaml", GAME.replace("result: win", "result: lose"))
    assert "1 passed, 1 failed" in watcher.round()


def test_a_folder_stands_for_the_rulesets_in_it(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("rulegame: 1\n", "utf-8")
    before = stamps([str(tmp_path)])
    assert list(before) == [tmp_path / "a.yaml"]
    (tmp_path / "b.yaml").write_text("rulegame: 1\n", "utf-8")
    assert list(stamps([str(tmp_path)])) == [tmp_path / "a.yaml", tmp_path / "b.yaml"]
