"""What a ruleset is made of, as one number: a saved game goes on only under the rules that it was
played by.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from rulegame import bundled
from rulegame.limits import LIMITS
from rulegame.nodes import Mapping, Scalar
from rulegame.reading import read_bytes


def fingerprint(path: Path) -> str:
    """SHA-256 over the bytes of a ruleset's file and of all those that it extends; OSError if one
    of them cannot be read.
    """
    digest = sha256()
    current: Path | None = path
    for _ in range(LIMITS.parents + 1):
        if current is None:
            break
        data = current.read_bytes()
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
        current = _parent(current, data)
    return digest.hexdigest()


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
