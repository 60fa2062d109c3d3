"""`--watch` in a real process: what is printed after each save, and how it ends."""

from __future__ import annotations

import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

WAIT = 60.0  # seconds; far more than anything takes
GAME = """\
rulegame: 1
title: Count
state:
  left: 3
operations:
  take:
    effects:
      left: left - 1
end:
  gone:
    when: left == 0
    result: win
tests:
  it ends:
    play: [take, take, take]
    expect:
      outcome: {winner: 1, rule: gone}
"""
VARIANT = "rulegame: 1\nextends: ./parent.yaml\ntitle: More\nstate:\n  left: 5\n"


class Watching:
    """A command with --watch, whose lines are read as they come."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "rulegame_cli", *arguments, "--watch"],
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        self.seen = ""
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.decode())
        self._lines.put(None)

    def until(self, text: str) -> str:
        """What is printed until a line with that text."""
        printed = ""
        while text not in printed:
            line = self._lines.get(timeout=WAIT)
            assert line is not None, f"it has ended: {self.seen}"
            printed += line
            self.seen += line
        return printed


@pytest.fixture
def processes() -> Iterator[list[Watching]]:
    started: list[Watching] = []
    yield started
    for one in started:
        one.process.kill()
        one.process.wait()


def save(path: Path, text: str) -> None:
    """As editors do: a new file takes the place of the old one."""
    fresh = path.with_suffix(".new")
    fresh.write_text(text, "utf-8")
    fresh.replace(path)


def test_validate_runs_again_when_a_file_is_saved(
    tmp_path: Path, processes: list[Watching]
) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, "utf-8")
    processes.append(watching := Watching(tmp_path, "validate", "game.yaml"))
    assert "error" not in watching.until("watching; Ctrl-C ends")
    save(path, GAME.replace("left == 0", "lefft == 0"))
    assert "──── game.yaml changed ────" in watching.until("E302")
    path.write_text(GAME, "utf-8")  # written in place, too
    assert "error" not in watching.until("watching; Ctrl-C ends").partition("changed")[2]


def test_a_change_of_the_parent_counts(tmp_path: Path, processes: list[Watching]) -> None:
    (tmp_path / "parent.yaml").write_text(GAME, "utf-8")
    (tmp_path / "more.yaml").write_text(VARIANT, "utf-8")
    processes.append(watching := Watching(tmp_path, "validate", "more.yaml"))
    watching.until("watching; Ctrl-C ends")
    save(tmp_path / "parent.yaml", GAME.replace("result: win", "result: wine"))
    assert "parent.yaml changed" in watching.until("did you mean 'win'?")


def test_files_that_appear_and_disappear(tmp_path: Path, processes: list[Watching]) -> None:
    processes.append(watching := Watching(tmp_path, "validate", "more.yaml"))
    assert "there is no file or bundled game" in watching.until("watching; Ctrl-C ends")
    save(tmp_path / "more.yaml", VARIANT)
    assert "more.yaml changed" in watching.until("E210")
    save(tmp_path / "parent.yaml", GAME)
    watching.until("parent.yaml changed")
    assert "error" not in watching.until("watching; Ctrl-C ends")
    (tmp_path / "parent.yaml").unlink()
    watching.until("E210")


def test_tests_run_again_and_ctrl_c_ends(tmp_path: Path, processes: list[Watching]) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(GAME, "utf-8")
    processes.append(watching := Watching(tmp_path, "test", "game.yaml"))
    assert "1 passed" in watching.until("watching; Ctrl-C ends")
    save(path, GAME.replace("winner: 1", "winner: 2"))
    assert "1 failed" in watching.until("watching; Ctrl-C ends")
    watching.process.send_signal(signal.SIGINT)
    assert watching.process.wait(WAIT) == 130
    assert "Traceback" not in watching.seen


def test_a_wrong_call_is_not_repeated(tmp_path: Path) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "rulegame_cli", "validate", "nim", "--format", "x", "--watch"],
        capture_output=True,
        timeout=WAIT,
    )
    assert result.returncode == 2
