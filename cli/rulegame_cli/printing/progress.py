"""A line on standard error that says what a command is doing, once that takes a while."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import TYPE_CHECKING, Final

from rulegame_cli.printing.terminal import columns, stays_put

if TYPE_CHECKING:
    from rulegame.progress import Progress

DELAY: Final = 0.6  # seconds before the line appears
EVERY: Final = 0.2  # seconds between two looks at it
BAR: Final = 24  # characters


class _Line:
    """What was last told, and a thread that shows it: the work itself only stores three values."""

    def __init__(self) -> None:
        self._told: tuple[str, int, int | None] = ("", 0, None)
        self._over = Event()
        self._thread = Thread(target=self._watch, daemon=True)
        self._shown = ""

    def tell(self, task: str, done: int, total: int | None) -> None:
        self._told = task, done, total

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._over.set()
        self._thread.join()
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()

    def _watch(self) -> None:
        if self._over.wait(DELAY):
            return
        while True:
            room = columns(sys.stderr) - 1  # a line that wraps cannot be wiped
            text = progress_text(*self._told)[:room]
            if text != self._shown:
                sys.stderr.write(f"\r{text}\x1b[K")
                sys.stderr.flush()
                self._shown = text
            if self._over.wait(EVERY):
                return


def progress_text(task: str, done: int, total: int | None) -> str:
    """One line that fits on a narrow terminal."""
    if not total:
        return f"{task}: {done:,}" if done else task
    done = min(done, total)
    filled = BAR * done // total
    return f"{task} [{'#' * filled}{'.' * (BAR - filled)}] {100 * done // total}%"


class _PlainLine(_Line):
    """For those who hear the screen read out: each task is said once, and nothing is taken back."""

    def stop(self) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        if self._over.wait(DELAY):
            return
        while True:
            task = self._told[0]
            if task != self._shown:
                sys.stderr.write(f"{task}\n")
                sys.stderr.flush()
                self._shown = task
            if self._over.wait(EVERY):
                return


@contextmanager
def working(plain: bool = False) -> Iterator[Progress]:
    """What is told inside is shown, if someone sits at the terminal; without moving the cursor if
    it is to be plain, or if the terminal cannot do that.
    """
    if not sys.stderr.isatty():
        from rulegame.progress import silent

        yield silent
        return
    line = _PlainLine() if plain or stays_put() else _Line()
    line.start()
    try:
        yield line.tell
    finally:
        line.stop()
