"""Atomic writes: after a crash, a file has its old content or all of the new one."""

from __future__ import annotations

import errno
import os
from contextlib import suppress
from pathlib import Path
from typing import Final

LOST: Final = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ESTALE}  # the data was not written


def rewrite(path: Path, data: bytes) -> None:
    """Replace the content of an existing file and keep its permissions; PermissionError if they
    forbid writing, even where the folder would allow it.
    """
    mode = path.stat().st_mode & 0o777
    if not mode & 0o222 or not os.access(path, os.W_OK):  # also for root
        raise PermissionError(errno.EACCES, "it is write-protected", str(path))
    write_whole(path, data, mode=mode, exactly=True)


def write_whole(
    path: Path, data: bytes, *, new: bool = False, mode: int = 0o666, exactly: bool = False
) -> None:
    """Write a file atomically. A `new` file must not exist yet: FileExistsError, even if another
    process has just created it. With `exactly`, ignore the umask.
    """
    beside = path.with_name(f".rulegame-{os.getpid()}.new")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    beside.unlink(missing_ok=True)  # left by a killed process with the same id
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
    """Write all data, in several calls if necessary."""
    while data:
        data = data[os.write(descriptor, data) :]


def settle(descriptor: int) -> None:
    """Flush a file to the disk, so that it survives a power failure. Some file systems report a
    full disk only here; errors of file systems that cannot sync are ignored.
    """
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno in LOST:
            raise


def _place(beside: Path, path: Path) -> None:
    try:
        os.link(beside, path)  # a link never overwrites
    except FileExistsError:
        raise
    except OSError:  # a file system without links
        if path.exists() or path.is_symlink():
            raise FileExistsError(f"'{path}' already exists") from None
        beside.replace(path)
