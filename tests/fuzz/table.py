"""Which checks each way in gets, and what a check may take."""

from __future__ import annotations

import os
from typing import Final, NamedTuple


class Check(NamedTuple):
    """The module `<name>_check`, the seconds that it may compute, the megabytes that it may add. A
    check that measures time is left out where time does not count.
    """

    name: str
    seconds: float
    megabytes: int
    measures: bool = False


LOADING: Final = Check("loading", 5, 200)
PLAYING: Final = Check("playing", 20, 500)
SAVES: Final = Check("saves", 20, 500)
RUNNING: Final = Check("running", 30, 1000)
HIDDEN: Final = Check("hidden", 30, 500)
SOLVING: Final = Check("solving", 60, 1500)
MIXED: Final = Check("mixed", 90, 1500)
COMMANDS: Final = Check("commands", 60, 1500)
OLDER: Final = "RULEGAME_FUZZ_BEFORE"  # in the environment: the interpreter of --before
BEFORE: Final = Check("before", 120, 2500)  # instead of all others, with --before
LIMITS: Final = Check("limits", 120, 2500, measures=True)

# The module `<way>_way` makes the inputs.
WAYS: Final[dict[str, tuple[Check, ...]]] = {
    "bytes": (LOADING, PLAYING),
    "trees": (LOADING, PLAYING, SAVES, HIDDEN),
    "rulesets": (LOADING, PLAYING, SAVES, RUNNING, HIDDEN),
    "secrets": (LOADING, PLAYING, SAVES, HIDDEN),
    "payoffs": (LOADING, SOLVING, COMMANDS),
    "stages": (LOADING, MIXED, COMMANDS),
    "bluffs": (LOADING, MIXED, COMMANDS),
    "limits": (LOADING, LIMITS),
    "together": (LOADING, PLAYING, SAVES, RUNNING, HIDDEN),
}


def is_compared() -> bool:
    """Whether rulesets are for an older version, too, and must not use what it does not have."""
    return OLDER in os.environ
