"""How long tests wait for other processes: far longer than anything takes on a busy machine."""

from __future__ import annotations

from typing import Final

WAIT: Final = 180.0  # seconds
