"""Serialise rulesets compactly for pipes and networks."""

from __future__ import annotations

import pickle
from functools import lru_cache
from typing import Any
from zlib import compress, decompress


def pack(value: object) -> bytes:
    """A value as bytes. The receiver needs no file."""
    return compress(pickle.dumps(value))


def unpack(packed: bytes) -> Any:
    """The value of packed bytes."""
    return pickle.loads(decompress(packed))


@lru_cache(maxsize=2)
def unpack_shared(packed: bytes) -> Any:
    """The same, cached: for values that all tasks of a worker share and nobody changes."""
    return unpack(packed)
