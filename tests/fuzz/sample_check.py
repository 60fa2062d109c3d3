"""For the test of the program itself: does what the input says."""

from __future__ import annotations

import os
import time
from random import Random

from fuzz.findings import Finding


def check(text: bytes, rng: Random) -> None:
    """Fail in the way that is asked for."""
    if text == b"finding":
        raise Finding("something is wrong")
    if text == b"exception":
        raise KeyError(text)
    if text == b"memory":
        bytearray(2**40)
    if text == b"death":
        os._exit(3)
    if text == b"recursion":
        check(text, rng)
    if text == b"hang":
        time.sleep(1_000)
    while text == b"long":
        pass
