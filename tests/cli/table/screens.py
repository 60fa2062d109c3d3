"""A game at a terminal whose screen can be looked at: what stands there, not what was sent."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import MappingProxyType
from typing import Any

from support.rulesets import RULESETS
from support.tiers import installed
from waiting import WAIT

pexpect = installed("pexpect")
pyte = installed("pyte")

UNICODE = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PYTHONUTF8": "1"}
ASCII = {"LANG": "C", "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONIOENCODING": "ascii"}
ASCII |= {"PYTHONCOERCECLOCALE": "0"}


class Seated:
    """A child at a terminal of some size, and its screen."""

    def __init__(
        self, arguments: tuple[str, ...], columns: int, rows: int, environment: dict[str, str]
    ) -> None:
        kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "PAGER", "LESS")}
        self.screen: Any = pyte.HistoryScreen(columns, rows, history=5000, ratio=0.5)
        self._stream: Any = pyte.Stream(self.screen)
        self.child: Any = pexpect.spawn(
            sys.executable,
            ["-m", "rulegame_cli", *arguments],
            cwd=str(RULESETS),
            env={**kept, "TERM": "xterm-256color", **UNICODE, **environment},
            encoding="utf-8",
            timeout=WAIT,
            dimensions=(rows, columns),
        )

    @property
    def lines(self) -> list[str]:
        """The screen, from top to bottom, without what is empty at the end."""
        lines = [line.rstrip() for line in self.screen.display]
        while lines and not lines[-1]:
            lines.pop()
        return lines

    @property
    def asking(self) -> list[str]:
        """The lines up to the cursor, which stands behind a prompt; none if it begins a line."""
        lines = [line.rstrip() for line in self.screen.display[: self.screen.cursor.y + 1]]
        return lines[-3:] if self.screen.cursor.x else []

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def scrollback(self) -> str:
        """What has gone from the screen at the top."""
        return "\n".join(
            "".join(line[k].data for k in range(self.screen.columns)).rstrip()
            for line in self.screen.history.top
        )

    @property
    def everything(self) -> str:
        return f"{self.scrollback}\n{self.text}"

    def wait_for(self, text: str) -> None:
        """Until a text stands on the screen."""
        end = time.monotonic() + WAIT
        while text not in self.text:
            assert time.monotonic() < end, f"{text!r} does not appear in\n{self.text}"
            self.read()

    def wait_for_line(self, end: str) -> None:
        """Until the last line that is not empty ends like that: a prompt."""
        late = time.monotonic() + WAIT
        while not self.lines or not self.lines[-1].endswith(end.rstrip()):
            assert time.monotonic() < late, f"{end!r} does not end\n{self.text}"
            self.read()

    def read(self) -> None:
        """What the program prints next, if anything soon."""
        try:
            self._stream.feed(self.child.read_nonblocking(4096, timeout=0.2))
        except pexpect.TIMEOUT:
            pass
        except pexpect.EOF:
            raise AssertionError(f"the program has ended:\n{self.text}") from None

    def type(self, line: str, at: str) -> None:
        """A line at a prompt that ends like that."""
        self.wait_for_line(at)
        self.child.sendline(line)
        answered = ""
        while "\n" not in answered:
            try:
                answered += (more := self.child.read_nonblocking(4096, timeout=WAIT))
            except pexpect.EOF:
                return
            self._stream.feed(more)

    def finish(self) -> int:
        """To the end; the exit code."""
        while True:
            try:
                self._stream.feed(self.child.read_nonblocking(4096, timeout=WAIT))
            except pexpect.EOF:
                break
        self.child.close()
        assert self.child.signalstatus is None
        return int(self.child.exitstatus)

    def colours(self) -> set[str]:
        """The colours on the screen."""
        return {
            self.screen.buffer[row][column].fg
            for row in range(self.screen.lines)
            for column in range(self.screen.columns)
        }


@contextmanager
def seated(
    *arguments: str,
    columns: int = 80,
    rows: int = 40,
    home: Path | None = None,
    environment: Mapping[str, str] = MappingProxyType({}),
) -> Iterator[Seated]:
    """A session, ended whatever happens."""
    given = {**environment, **({} if home is None else {"RULEGAME_HOME": str(home)})}
    made = Seated(arguments, columns, rows, given)
    try:
        yield made
    finally:
        made.child.close(force=True)


ENVIRONMENT = {"TERM": "xterm-256color", "LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PAGER": "cat"}


class Screen:
    """A child at a terminal, and everything that it has printed."""

    def __init__(self, arguments: tuple[str, ...], environment: dict[str, str]) -> None:
        kept = {k: v for k, v in os.environ.items() if k != "NO_COLOR"}
        self.child: Any = pexpect.spawn(
            sys.executable,
            ["-m", "rulegame_cli", *arguments],
            cwd=str(RULESETS),
            env={**kept, **ENVIRONMENT, **environment},
            encoding="utf-8",
            timeout=WAIT,
        )
        self._log = io.StringIO()
        self.child.logfile_read = self._log

    @property
    def printed(self) -> str:
        return self._log.getvalue().replace("\r\n", "\n")

    def answer(self, prompt: str, line: str) -> None:
        self.child.expect_exact(prompt)
        self.child.sendline(line)

    def finish(self) -> int:
        self.child.expect(pexpect.EOF)
        self.child.close()
        assert self.child.signalstatus is None
        return int(self.child.exitstatus)


@contextmanager
def screen(*arguments: str, **environment: str) -> Iterator[Screen]:
    made = Screen(arguments, environment)
    try:
        yield made
    finally:
        made.child.close(force=True)
