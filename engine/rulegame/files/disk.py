"""Read files whose names people give: a name may be a pipe, a device, an endless file or a link to
itself.

The engine and the command line read all such files here.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Final

# Do not block on a pipe without a writer, or on a terminal.
FLAGS: Final = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


class CannotRead(OSError):
    """A file cannot be read; the message says why."""


def read_file(path: Path, most: int) -> bytes:
    """The contents of a regular file, up to one byte more than `most`; otherwise raise
    CannotRead.
    """
    try:
        _must_be_regular(path.stat())  # first: opening a device may have effects
        descriptor = os.open(path, FLAGS)
        try:
            _must_be_regular(os.fstat(descriptor))  # it may have been replaced
            return _read(descriptor, most + 1)
        finally:
            os.close(descriptor)
    except CannotRead:
        raise
    except FileNotFoundError:
        raise CannotRead("there is no such file") from None
    except PermissionError:
        raise CannotRead("permission denied") from None
    except (OSError, ValueError):  # ValueError: an impossible path
        raise CannotRead("the system refused to open it") from None


def exists(path: Path) -> bool:
    """Whether a path exists; False for an impossible name."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def is_file(path: Path) -> bool:
    """Whether a path is a file; False for an impossible name."""
    try:
        return path.is_file()
    except (OSError, ValueError):
        return False


def is_folder(path: Path) -> bool:
    """Whether a path is a folder; False for an impossible name."""
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def identity(path: Path) -> Path:
    """The canonical path of a file; the absolute path if links cannot be resolved."""
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
