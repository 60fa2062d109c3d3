"""For the test of the program itself: inputs that say what is to be wrong."""

from __future__ import annotations

from random import Random
from typing import Final

WRONGS: Final = (
    b"nothing", b"finding", b"exception", b"memory", b"death", b"recursion", b"hang", b"long",
)  # fmt: skip


def make(rng: Random) -> bytes:
    """One of them."""
    return rng.choice(WRONGS)
