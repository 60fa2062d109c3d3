"""The files that a ruleset is made of: its own, and those that it extends, one after the other, and
a number for all of them: a saved game goes on only under the rules that it was played by.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from rulegame import bundled
from rulegame.files import disk
from rulegame.limits import LIMITS
from rulegame.source.nodes import Mapping, Scalar
from rulegame.source.reading import read_bytes


def lineage(path: Path) -> Iterator[tuple[Path, bytes]]:
    """Each file with its content, as far as they can be followed; `CannotRead`, an OSError,
    if one of them cannot be read.
    """
    current: Path | None = path
    for _ in range(LIMITS.parents + 1):
        if current is None:
            return
        data = disk.read_file(current, LIMITS.file_bytes)
        yield current, data
        current = _parent(current, data)


def _parent(path: Path, data: bytes) -> Path | None:
    # Most rulesets extend nothing, and need not be read again; an escape could spell the key.
    if b"extends" not in data and b"\\" not in data:
        return None
    root, _ = read_bytes(data, str(path))
    parent = root.get("extends") if isinstance(root, Mapping) else None
    if not isinstance(parent, Scalar) or not isinstance(parent.value, str):
        return None
    if bundled.is_name(parent.text):
        return bundled.ruleset_path(parent.text)
    return path.parent / parent.text


def fingerprint(path: Path) -> str:
    """SHA-256 over the bytes of a ruleset's file and of all those that it extends; OSError if one
    of them cannot be read.
    """
    digest = sha256()
    for _, data in lineage(path):
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()
