"""Single keys of a terminal, without a line break after them."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

NAMED: Final = {
    b"\r": "enter", b"\n": "enter", b"\x7f": "backspace", b"\x08": "backspace",
    b"\x1b": "escape", b"\x1b[A": "up", b"\x1b[B": "down", b"\x1b[C": "right", b"\x1b[D": "left",
    b"\x1bOA": "up", b"\x1bOB": "down", b"\x1bOC": "right", b"\x1bOD": "left",
    b"\x1b[H": "home", b"\x1b[F": "end", b"\x1b[5~": "page up", b"\x1b[6~": "page down",
}  # fmt: skip
ON_WINDOWS: Final = {"H": "up", "P": "down", "M": "right", "K": "left", "G": "home", "O": "end"}
SOON: Final = 0.05  # seconds in which the rest of what a key sends is there

ReadKey = Callable[[], str]


@contextmanager
def reading_keys() -> Iterator[ReadKey]:
    """A function that gives the name of a key, or what it types; KeyboardInterrupt and EOFError as
    for lines. The terminal is as before afterwards.
    """
    if os.name == "nt":
        yield _on_windows
        return
    import termios
    import tty

    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield lambda: _key(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _key(terminal: int) -> str:
    import select

    typed = os.read(terminal, 1)
    if typed in (b"", b"\x04"):
        raise EOFError
    if typed == b"\x1b":
        while typed not in NAMED or typed == b"\x1b":
            if not select.select([terminal], [], [], SOON)[0] or len(typed) > 6:
                break
            typed += os.read(terminal, 1)
        return NAMED.get(typed, "")
    while typed[0] >= 0xC0 and len(typed) < 4 and _is_open(typed):
        typed += os.read(terminal, 1)
    return NAMED.get(typed, typed.decode("utf-8", "replace"))


def _is_open(typed: bytes) -> bool:
    """Whether there is more of a character to come."""
    try:
        typed.decode("utf-8")
    except UnicodeDecodeError as problem:
        return problem.reason == "unexpected end of data"
    return False


def _on_windows() -> str:
    msvcrt: Any = __import__("msvcrt")
    key: str = msvcrt.getwch()
    if key in ("\x00", "\xe0"):
        return ON_WINDOWS.get(msvcrt.getwch(), "")
    if key == "\x03":
        raise KeyboardInterrupt
    if key in ("\x04", "\x1a"):
        raise EOFError
    return NAMED.get(key.encode("utf-8"), key)
