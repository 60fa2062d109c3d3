"""Which checks each way in gets, and what a check may take."""

from __future__ import annotations

from typing import Final, NamedTuple


class Check(NamedTuple):
    """The module `<name>_check`, the seconds that it may compute, the megabytes that it may add."""

    name: str
    seconds: float
    megabytes: int


LOADING: Final = Check("loading", 5, 200)
PLAYING: Final = Check("playing", 20, 500)
SAVES: Final = Check("saves", 20, 500)
RUNNING: Final = Check("running", 30, 1000)
HIDDEN: Final = Check("hidden", 30, 500)

# The module `<way>_way` makes the inputs.
WAYS: Final[dict[str, tuple[Check, ...]]] = {
    "bytes": (LOADING, PLAYING),
    "trees": (LOADING, PLAYING, SAVES, HIDDEN),
    "rulesets": (LOADING, PLAYING, SAVES, RUNNING, HIDDEN),
    "secrets": (LOADING, PLAYING, SAVES, HIDDEN),
    "together": (LOADING, PLAYING, SAVES, RUNNING, HIDDEN),
}
