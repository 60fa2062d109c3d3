"""Files that are there as a whole or not at all, whenever the program is ended."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

LOST: Final = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ESTALE}  # what was written is not there


def rewrite(path: Path, data: bytes) -> None:
    """Writes a file that is there anew, with the rights that it has; PermissionError if they do not
    allow it, though the folder would.
    """
    mode = path.stat().st_mode & 0o777
    if not mode & 0o222 or not os.access(path, os.W_OK):  # who may do everything is told as well
        raise PermissionError(errno.EACCES, "it is write-protected", str(path))
    write_whole(path, data, mode=mode, exactly=True)


def write_whole(
    path: Path, data: bytes, *, new: bool = False, mode: int = 0o666, exactly: bool = False
) -> None:
    """Writes a file; a reader finds the old one or the whole new one. A `new` file replaces none:
    FileExistsError, even if the other has appeared in the meantime. Its mode is `exactly` that, or
    less where the system's mask says so.
    """
    beside = path.with_name(f".rulegame-{os.getpid()}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    beside.unlink(missing_ok=True)  # of a process that was killed and had the same number
    try:
        descriptor = os.open(beside, flags, mode)
        try:
            write_all(descriptor, data)
            if exactly:
                beside.chmod(mode)
            settle(descriptor)
        finally:
            os.close(descriptor)
        if new:
            _place(beside, path)
        else:
            beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def write_all(descriptor: int, data: bytes) -> None:
    """All of it, however little the system takes at once."""
    while data:
        data = data[os.write(descriptor, data) :]


def settle(descriptor: int) -> None:
    """Let what was written outlast a power failure. Some file systems find out only here that there
    is no room for it; others cannot do it at all, which is no harm.
    """
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno in LOST:
            raise


def _place(beside: Path, path: Path) -> None:
    try:
        os.link(beside, path)  # which never overwrites
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists() or path.is_symlink():
            raise FileExistsError(f"'{path}' already exists") from None
        beside.replace(path)
