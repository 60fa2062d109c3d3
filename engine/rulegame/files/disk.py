"""The disk, where a name may be anything: a pipe, a device, a file without end, a link to itself.

Everything that the engine and the command line read from files that people name is read here.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

# A pipe without a writer, or a terminal, must not make the program wait.
FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class CannotRead(OSError):
    """There is no file that can be read; says why, to people."""


def read_file(path: Path, most: int) -> bytes:
    """What a file holds, but no more than one byte beyond `most`; `CannotRead` if it is no regular
    file.
    """
    try:
        _must_be_regular(path.stat())  # first: to open a device may do something
        descriptor = os.open(path, FLAGS)
        try:
            _must_be_regular(os.fstat(descriptor))  # it may have been exchanged
            return _read(descriptor, most + 1)
        finally:
            os.close(descriptor)
    except CannotRead:
        raise
    except FileNotFoundError:
        raise CannotRead("there is no such file") from None
    except PermissionError:
        raise CannotRead("permission denied") from None
    except (OSError, ValueError):  # ValueError: a path that no file can have
        raise CannotRead("the system refused to open it") from None


def exists(path: Path) -> bool:
    """Whether there is something of that name; a name that nothing can have names nothing."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Whether there is a file of that name."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether there is a folder of that name."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def identity(path: Path) -> Path:
    """One path for each file, however it is written; as it is, if it leads nowhere."""
    try:
        return path.resolve()
    except (OSError, ValueError, RuntimeError):  # RuntimeError: a link to itself, before 3.13
        return path.absolute()


def _must_be_regular(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "a device or a pipe"
        raise CannotRead(f"it is {kind}, not a file")


def _read(descriptor: int, most: int) -> bytes:
    parts: list[bytes] = []
    while most > 0 and (part := os.read(descriptor, min(most, 2**20))):
        parts.append(part)
        most -= len(part)
    return b"".join(parts)
