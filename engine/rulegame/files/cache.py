"""The cache: results that are slow to compute and can be recomputed at any time.

Entries are files in one folder that must belong to this user alone, because some are unpickled. If
the folder, an entry or the disk is damaged, callers see a missing entry. When the folder is too
large, the least recently used entries are deleted.
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
# The names of our files; the last one is from version 0.1.
ENTRY: Final = re.compile(r"([a-z_]+)-[0-9a-f]{32}|expressions\.lark")
FRESH: Final = 3600  # seconds in which an entry counts as just used
MOST_KEPT: Final = 2 * 2**30  # bytes in total
DIGEST: Final = sha256().digest_size  # bytes of checksum before the data


class CacheEntry(NamedTuple):
    """A file in the cache."""

    kind: str  # what it contains
    path: Path
    size: int
    used: float = 0.0  # about when it was last used, in seconds since 1970


def cache_place() -> Path:
    """The path of the cache folder, which may not exist."""
    from platformdirs import user_cache_path

    return user_cache_path("rulegame", appauthor=False)


def cache_problem() -> str:
    """Why the cache cannot be used, as a message; empty if it can. Create the folder if
    necessary.
    """
    folder = cache_place()
    if str(folder).startswith("~"):
        return "no home folder"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        status = folder.stat()
    except OSError as error:
        return f"cannot create the folder: {error.strerror}"
    if hasattr(os, "getuid"):  # elsewhere, a user's folders belong to the user
        if status.st_uid != os.getuid():
            return "the folder belongs to another user"
        if status.st_mode & OTHERS_MAY_WRITE:
            return "other users can write to the folder"
    return ""


def load_entry(kind: str, key: bytes) -> bytes | None:
    """The data of an entry; None if it is missing or damaged."""
    found = load_view(kind, key)
    return None if found is None else bytes(found)


def load_view(kind: str, key: bytes) -> memoryview | None:
    """The same without a copy, for large entries. Mark the entry as used."""
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
    """Store an entry; return whether that succeeded. A full or read-only disk is not an error."""
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
    """Delete the least recently used entries if the cache is too large, but not the new one."""
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
    """The files of the cache, by name. Other files in the folder are ignored."""
    try:
        found = sorted(cache_place().iterdir())
    except OSError:
        return
    for path in found:
        named = ENTRY.fullmatch(path.name)
        try:
            status = path.lstat()
        except OSError:
            continue  # it was just deleted
        if named is not None and not stat.S_ISDIR(status.st_mode):
            yield CacheEntry(named[1] or "grammar", path, status.st_size, status.st_mtime)


def clear_cache() -> list[CacheEntry]:
    """Delete all entries; return those that could not be deleted."""
    kept = []
    for entry in cache_entries():
        try:
            entry.path.unlink(missing_ok=True)
        except OSError:
            kept.append(entry)
    return kept
