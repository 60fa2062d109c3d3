"""Large arrays: in memory while they fit, then in temporary files.

The files have no names (on Windows, they are deleted when they are closed), so they disappear with
the program however it ends. Disk space is allocated before it is written, so that a full disk
raises an error here instead of killing the process in the middle of a loop. Files go to the
system's temporary folder unless that is in memory itself.
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

SMALL: Final = 1 << 16  # bytes; smaller arrays stay in memory
FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
PIECE: Final = 1 << 20
IN_MEMORY: Final = {"tmpfs", "ramfs"}  # file systems
LASTING: Final = "/var/tmp"  # temporary files here survive a restart
MOUNTS: Final = Path("/proc/self/mounts")

Shape = int | tuple[int, ...]


class DiskFull(Exception):
    """There is no room for a temporary file, or only in memory; the message says where."""


class ArrayRoom:
    """A memory budget in bytes for arrays; unlimited without a number."""

    def __init__(self, most: int | None = None) -> None:
        self.most = most
        self.held = 0  # bytes of the arrays in memory
        self._files: weakref.WeakKeyDictionary[mmap.mmap, IO[bytes]] = weakref.WeakKeyDictionary()

    def __reduce__(self) -> tuple[Any, ...]:
        return ArrayRoom, (self.most,)

    def zeros(self, shape: Shape, kind: DTypeLike) -> NDArray[Any]:
        """A new array of zeros, counted against the budget while it lives."""
        made = self.growing(shape, kind)
        if self.most is not None and not is_mapped(made):
            weakref.finalize(made, self._release, made.nbytes).atexit = False
        return made

    def growing(self, shape: Shape, kind: DTypeLike) -> NDArray[Any]:
        """The same for an array that will be `grown`, and `dropped` in the end."""
        size = int(np.prod(shape)) * np.dtype(kind).itemsize
        if not self._has(size):
            return self._in_file(_new_file(), size, shape, kind)
        self.held += size
        return np.zeros(shape, kind)

    def dropped(self, array: NDArray[Any]) -> None:
        """Release an array that was growing."""
        if not is_mapped(array):
            self._release(array.nbytes)

    def filled(self, shape: Shape, value: float, kind: DTypeLike) -> NDArray[Any]:
        made = self.zeros(shape, kind)
        if value:
            made[...] = value
        return made

    def grown(self, array: NDArray[Any], length: int, share: float = 1.0) -> NDArray[Any]:
        """The array with another length; new elements are zero or arbitrary. The old array must not
        be used any more. `share`: the part of the budget that may be used.
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
    """A folder for temporary files that is on a disk."""
    usual = tempfile.gettempdir()
    for folder in (usual, LASTING):
        if os.access(folder, os.W_OK | os.X_OK) and not is_in_memory(folder):
            return folder
    raise DiskFull(
        f"no disk for temporary files: {usual} is in memory (set TMPDIR to use another folder)"
    )


def is_in_memory(folder: str) -> bool:
    """Whether a folder is on a file system in memory, as far as the system tells."""
    try:
        lines = MOUNTS.read_text("utf-8", "replace").splitlines()
    except OSError:
        return False
    place, depth, kind = Path(folder).resolve(), -1, ""
    for _, point, found, *_ in map(str.split, lines):
        mounted = Path(point.replace("\\040", " "))  # an escaped space
        # The last mount at a path hides earlier ones.
        if place.is_relative_to(mounted) and len(mounted.parts) >= depth:
            depth, kind = len(mounted.parts), found
    return kind in IN_MEMORY


def _take(file: IO[bytes], before: int, size: int) -> None:
    """Allocate disk space, filled with zeros."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(file.fileno(), before, size - before)
        return
    file.seek(before)
    while before < size:
        before += file.write(bytes(min(PIECE, size - before)))
    file.flush()


def _mapping(array: NDArray[Any]) -> mmap.mmap | None:
    """The memory map below an array; None for an array in memory."""
    below: Any = array
    while isinstance(below, np.ndarray):
        below = below.base
    if isinstance(below, memoryview):
        below = below.obj
    return below if isinstance(below, mmap.mmap) else None


def is_mapped(array: NDArray[Any]) -> bool:
    """Whether an array is in a file."""
    return _mapping(array) is not None
