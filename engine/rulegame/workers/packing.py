"""What travels to workers: rulesets as their meaning, small enough for pipes and networks."""

from __future__ import annotations

import pickle
from functools import lru_cache
from typing import Any
from zlib import compress, decompress


def pack(value: object) -> bytes:
    """A value as bytes. Where it arrives, no file is needed."""
    return compress(pickle.dumps(value))


def unpack(packed: bytes) -> Any:
    """The value again."""
    return pickle.loads(decompress(packed))


@lru_cache(maxsize=2)
def unpack_shared(packed: bytes) -> Any:
    """The same for all tasks of a worker: for values that nobody changes."""
    return unpack(packed)
