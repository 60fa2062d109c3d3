"""What a ruleset is made of, as one number: a saved game goes on only under the rules that it was
played by.
"""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from rulegame.lineage import lineage


def fingerprint(path: Path) -> str:
    """SHA-256 over the bytes of a ruleset's file and of all those that it extends; OSError if one
    of them cannot be read.
    """
    digest = sha256()
    for _, data in lineage(path):
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()
