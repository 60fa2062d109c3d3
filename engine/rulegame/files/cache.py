"""What is kept between calls because it takes long to make and can be made again at any time.

Entries lie in one folder, which must be this user's alone, since some are unpickled. Whatever is
wrong with the folder, an entry or the disk, a caller only finds that there is no entry. Where they
take too much together, those go that nobody has asked for the longest.
"""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from time import time
from typing import Final, NamedTuple

from rulegame.files.atomic import write_whole

OTHERS_MAY_WRITE: Final = stat.S_IWGRP | stat.S_IWOTH
# The name of a file that was made here; the last one is of version 0.1.
ENTRY: Final = re.compile(r"([a-z_]+)-[0-9a-f]{32}|expressions\.lark")
FRESH: Final = 3600  # seconds in which an entry counts as asked for just now
MOST_KEPT: Final = 2 * 2**30  # bytes of all entries together
DIGEST: Final = sha256().digest_size  # bytes before the data, by which damage is noticed


class CacheEntry(NamedTuple):
    """A file in the cache."""

    kind: str  # what it holds
    path: Path
    size: int
    used: float = 0.0  # when it was last asked for, about, in seconds since 1970


def cache_place() -> Path:
    """Where the folder is, or would be."""
    from platformdirs import user_cache_path

    return user_cache_path("rulegame", appauthor=False)


def cache_problem() -> str:
    """Why nothing is kept, for people; empty if things are. The folder is made if need be."""
    folder = cache_place()
    if str(folder).startswith("~"):
        return "no home folder"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = folder.stat()
    except OSError as error:
        return f"cannot create the folder: {error.strerror}"
    if hasattr(os, "getuid"):  # where there are no such owners, a user's folders are the user's
        if status.st_uid != os.getuid():
            return "the folder belongs to another user"
        if status.st_mode & OTHERS_MAY_WRITE:
            return "other users can write to the folder"
    return ""


def load_entry(kind: str, key: bytes) -> bytes | None:
    """What was kept under a key; None if it is not there, or not as it was written."""
    found = load_view(kind, key)
    return None if found is None else bytes(found)


def load_view(kind: str, key: bytes) -> memoryview | None:
    """The same for large ones: not copied once more, and asked for just now."""
    if cache_problem():
        return None
    path = _path(kind, key)
    try:
        data = memoryview(path.read_bytes())
    except OSError:
        return None
    if sha256(data[DIGEST:]).digest() != data[:DIGEST]:
        return None
    with suppress(OSError):
        if time() - path.stat().st_mtime > FRESH:
            os.utime(path)
    return data[DIGEST:]


def store_entry(kind: str, key: bytes, *content: bytes | memoryview) -> bool:
    """Whether it could be kept: a full disk, or one that cannot be written to, is no error."""
    if cache_problem():
        return False
    digest = sha256()
    for part in content:
        digest.update(part)
    try:
        write_whole(_path(kind, key), b"".join((digest.digest(), *content)), mode=0o600)
    except OSError:
        return False
    _drop_oldest(_path(kind, key))
    return True


def _drop_oldest(new: Path) -> None:
    """Makes room, if need be, for what was just kept."""
    entries = list(cache_entries())
    too_much = sum(entry.size for entry in entries) - MOST_KEPT
    if too_much <= 0:
        return
    for entry in sorted(entries, key=lambda entry: entry.used):
        if entry.path == new:
            continue
        with suppress(OSError):
            entry.path.unlink()
            too_much -= entry.size
        if too_much <= 0:
            return


def _path(kind: str, key: bytes) -> Path:
    return cache_place() / f"{kind}-{sha256(key).hexdigest()[:32]}"


def cache_entries() -> Iterator[CacheEntry]:
    """The files that were made here, by name; whatever else lies in the folder is not ours."""
    try:
        found = sorted(cache_place().iterdir())
    except OSError:
        return
    for path in found:
        named = ENTRY.fullmatch(path.name)
        try:
            status = path.lstat()
        except OSError:
            continue  # it was there a moment ago
        if named is not None and not stat.S_ISDIR(status.st_mode):
            yield CacheEntry(named[1] or "grammar", path, status.st_size, status.st_mtime)


def clear_cache() -> list[CacheEntry]:
    """Deletes the files that were made here; those that could not be."""
    kept = []
    for entry in cache_entries():
        try:
            entry.path.unlink(missing_ok=True)
        except OSError:
            kept.append(entry)
    return kept
