"""What native code does, through `logging`, where `RULEGAME_LOG=native` is in the environment:
what was compiled, what was left to Python, and how often native code bailed out and why.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import cache
from typing import TYPE_CHECKING, Any, Final

from rulegame.native.context import BAIL_OUTS, Reason

if TYPE_CHECKING:
    from logging import Logger

LOG: Final = "RULEGAME_LOG"  # in the environment; "native": on standard error
WORDS: Final = {
    Reason.FAULT: "faults of the rules",
    Reason.DIVISION: "divisions by zero",
    Reason.OVERFLOW: "numbers beyond 64 bits",
    Reason.MEMORY: "lists that are too long",
    Reason.MOVES: "more moves than there is room for",
}

_watched: list[tuple[str, Any]] = []  # games with the contexts of their memories


def is_logged() -> bool:
    """Whether the log is on."""
    return "native" in os.environ.get(LOG, "").split(",")


def log(message: str) -> None:
    """Log a message, if the log is on."""
    if is_logged():
        _logger().info("%s", message)


def watch(title: str, context: Any) -> None:
    """Report at the end of the process how often native code has bailed out in a context."""
    if is_logged():
        _logger()
        _watched.append((title, context))


def report(contexts: Iterable[tuple[str, Any]]) -> list[str]:
    """A line for each game: how often native code bailed out, by reason."""
    found: dict[str, dict[Reason, int]] = {}
    for title, context in contexts:
        counts = found.setdefault(title, dict.fromkeys(Reason, 0))
        for reason in Reason:
            counts[reason] += int(context[BAIL_OUTS + reason])
    lines = []
    for title, counts in found.items():
        total = sum(counts.values())
        listed = ", ".join(f"{n:,} {WORDS[reason]}" for reason, n in counts.items() if n)
        lines.append(f"{title}: {total:,} bail-outs" + (f" ({listed})" if listed else ""))
    return lines


def _report_all() -> None:
    for line in report(_watched):
        log(line)


@cache
def _logger() -> Logger:
    """The logger, with a handler for standard error; the last report comes at the end of this
    process, which may be one of several workers.
    """
    import logging
    from multiprocessing.util import Finalize

    logger = logging.getLogger("rulegame.native")
    handler = logging.StreamHandler()
    handler.setFormatter(logging.Formatter("rulegame: native: %(message)s"))
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
    Finalize(None, _report_all, exitpriority=0)
    return logger
