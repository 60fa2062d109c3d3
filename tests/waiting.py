"""How long tests wait for other processes: far longer than anything takes on a busy machine."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

WAIT: Final = 180.0  # seconds


def wait_for(condition: Callable[[], object]) -> None:
    """Until a condition holds."""
    until = time.monotonic() + WAIT
    while not condition():
        assert time.monotonic() < until
        time.sleep(0.05)
