"""Time limits. At the deadline, searches for better bounds stop; work without which there are no
bounds may take a little longer, until progress that it reports raises `OutOfTime`.
"""

from __future__ import annotations

from math import inf
from time import monotonic
from typing import Final

from rulegame.errors import OutOfTime
from rulegame.progress import Progress, silent

__all__ = ["OutOfTime", "deadline_after", "limited", "time_left", "until"]

GRACE: Final = 0.4  # seconds after the deadline,
SHARE: Final = 0.15  # and a part of the limit


def deadline_after(seconds: float | None) -> float:
    """The deadline of a limit that begins now; never without one."""
    return inf if seconds is None else monotonic() + seconds


def until(deadline: float, progress: Progress = silent) -> Progress:
    """Progress that raises `OutOfTime` after the deadline."""
    if deadline == inf:
        return progress

    def report(task: str, done: int, total: int | None) -> None:
        if monotonic() > deadline:
            raise OutOfTime
        progress(task, done, total)

    return report


def limited(seconds: float | None, progress: Progress = silent) -> Progress:
    """Progress of work that is given up a little after a limit that begins now."""
    return until(deadline_after(seconds) + GRACE + SHARE * (seconds or 0.0), progress)


def time_left(deadline: float) -> float | None:
    """The seconds before a deadline; None if there is none."""
    return None if deadline == inf else max(0.0, deadline - monotonic())
