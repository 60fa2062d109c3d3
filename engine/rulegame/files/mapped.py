"""Large arrays, in memory as long as there is room for them, and in temporary files beyond.

The files have no names (on Windows, they go when they are closed): whatever ends the program, they
are gone with it. Their room on the disk is taken before it is written to, so that a full disk is an
error here, and not the end of the process in the middle of a loop. They lie where the system has
temporary files, unless that is itself in memory, as far as the system tells: then they would take
what they are to save.
"""

from __future__ import annotations

import errno
import mmap
import os
import tempfile
import weakref
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import DTypeLike, NDArray

SMALL: Final = 1 << 16  # bytes that are never worth a file
FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
PIECE: Final = 1 << 20
IN_MEMORY: Final = {"tmpfs", "ramfs"}  # kinds of file systems
LASTING: Final = "/var/tmp"  # where temporary files are expected to outlive a restart
MOUNTS: Final = Path("/proc/self/mounts")

Shape = int | tuple[int, ...]


class DiskFull(Exception):
    """There is no room for a temporary file; the message says where, and how much is missing, or
    that it would be in memory itself.
    """


class ArrayRoom:
    """So many bytes of memory for arrays; without a number, as many as one likes."""

    def __init__(self, most: int | None = None) -> None:
        self.most = most
        self.held = 0  # bytes of the arrays that are in memory
        self._files: weakref.WeakKeyDictionary[mmap.mmap, IO[bytes]] = weakref.WeakKeyDictionary()

    def __reduce__(self) -> tuple[Any, ...]:
        return ArrayRoom, (self.most,)

    def zeros(self, shape: Shape, kind: DTypeLike) -> NDArray[Any]:
        """A new array of zeros, which takes its room as long as it lives."""
        made = self.growing(shape, kind)
        if self.most is not None and not is_mapped(made):
            weakref.finalize(made, self._release, made.nbytes).atexit = False
        return made

    def growing(self, shape: Shape, kind: DTypeLike) -> NDArray[Any]:
        """The same for one that is to be `grown`, and `dropped` in the end."""
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        if not self._has(size):
            return self._in_file(_new_file(), size, shape, kind)
        self.held += size
        return np.zeros(shape, kind)

    def dropped(self, array: NDArray[Any]) -> None:
        """One that was growing is not used any more."""
        if not is_mapped(array):
            self._release(array.nbytes)

    def filled(self, shape: Shape, value: float, kind: DTypeLike) -> NDArray[Any]:
        made = self.zeros(shape, kind)
        if value:
            made[...] = value
        return made

    def grown(self, array: NDArray[Any], length: int, share: float = 1.0) -> NDArray[Any]:
        """The same array with another length, what is new being zeros, or anything; the one before
        is not used any more. Only a share of the memory may be taken by then.
        """
        shape = (length, *array.shape[1:])
        size = int(np.prod(shape)) * array.dtype.itemsize
        below = _mapping(array)
        if below is not None:
            return self._in_file(self._files[below], size, shape, array.dtype)
        if self._has(size - array.nbytes, share):
            self.held += size - array.nbytes
            array.resize(shape, refcheck=False)
            return array
        made = self._in_file(_new_file(), size, shape, array.dtype)
        made[: min(len(array), length)] = array[:length]
        self.dropped(array)
        return made

    def _has(self, more: int, share: float = 1.0) -> bool:
        return self.most is None or more < SMALL or self.held + more <= self.most * share

    def _release(self, size: int) -> None:
        self.held = max(0, self.held - size)

    def _in_file(self, file: IO[bytes], size: int, shape: Shape, kind: DTypeLike) -> NDArray[Any]:
        before = os.fstat(file.fileno()).st_size
        try:
            if size > before:
                _take(file, before, size)
        except OSError as error:
            if error.errno not in FULL:
                raise
            raise DiskFull(
                f"no room for {size:,} bytes of temporary files in {_folder()}: "
                f"{error.strerror} (set TMPDIR to use another folder)"
            ) from None
        mapping = mmap.mmap(file.fileno(), max(size, 1))
        self._files[mapping] = file
        return np.frombuffer(mapping, kind, int(np.prod(shape))).reshape(shape)


def _new_file() -> IO[bytes]:
    return tempfile.TemporaryFile(prefix="rulegame-", dir=_folder())


def _folder() -> str:
    """Where temporary files are on a disk."""
    usual = tempfile.gettempdir()
    for folder in (usual, LASTING):
        if os.access(folder, os.W_OK | os.X_OK) and not is_in_memory(folder):
            return folder
    raise DiskFull(
        f"no disk for temporary files: {usual} is in memory (set TMPDIR to use another folder)"
    )


def is_in_memory(folder: str) -> bool:
    """Whether what is written to a folder stays in memory, as far as the system tells."""
    try:
        lines = MOUNTS.read_text("utf-8", "replace").splitlines()
    except OSError:
        return False
    place, depth, kind = Path(folder).resolve(), -1, ""
    for _, point, found, *_ in map(str.split, lines):
        mounted = Path(point.replace("\\040", " "))  # as a space is written there
        # Of several at one place, the last one covers the others.
        if place.is_relative_to(mounted) and len(mounted.parts) >= depth:
            depth, kind = len(mounted.parts), found
    return kind in IN_MEMORY


def _take(file: IO[bytes], before: int, size: int) -> None:
    """Takes room on the disk, filled with zeros."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), before, size - before)
        return
    file.seek(before)
    while before < size:
        before += file.write(bytes(min(PIECE, size - before)))
    file.flush()


def _mapping(array: NDArray[Any]) -> mmap.mmap | None:
    """What an array in a file stands on; None for one in memory."""
    below: Any = array
    while isinstance(below, np.ndarray):
        below = below.base
    if isinstance(below, memoryview):
        below = below.obj
    return below if isinstance(below, mmap.mmap) else None


def is_mapped(array: NDArray[Any]) -> bool:
    """Whether an array is in a file."""
    return _mapping(array) is not None
