"""How much memory may be used: a share of what is free, unless somebody says how much."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

SHARE: Final = 4  # a quarter of what is free,
MOST: Final = 2 * 2**30  # but no more than this,
LEAST: Final = 64 * 2**20  # and no less
UNKNOWN: Final = 4 * 2**30  # taken to be free where the system does not tell
MAX_STATES: Final = 5_000_000  # that are explored for a solution, unless the caller says otherwise
GROUPS: Final = Path("/sys/fs/cgroup")


def memory_budget(asked: int | None = None) -> int:
    """The bytes that may be used: as many as were asked for, or a share of what is free."""
    if asked is not None:
        return asked
    return max(LEAST, min(free_memory() // SHARE, MOST))


def free_memory() -> int:
    """The bytes that this process could still use, as far as the system tells."""
    return max(0, min(_limits(), default=UNKNOWN))


def _limits() -> Iterator[int]:
    for found in (_system(), _group(), _address_space()):
        if found is not None:
            yield found


def _system() -> int | None:
    """What the machine has left."""
    for line in _lines(Path("/proc/meminfo")):
        if line.startswith("MemAvailable:"):
            return int(line.split()[1]) * 1024
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    except (AttributeError, ValueError, OSError):  # a system without it, or without these names
        return None


def _group() -> int | None:
    """What the container or group of processes has left, in either version of such groups."""
    own = next((line[3:] for line in _lines(Path("/proc/self/cgroup")) if line[:3] == "0::"), "/")
    folders = (GROUPS / own.strip().lstrip("/"), GROUPS, GROUPS / "memory")
    names = (("memory.max", "memory.current"), ("memory.limit_in_bytes", "memory.usage_in_bytes"))
    for folder in folders:
        for limit, used in names:
            most, now = _number(folder / limit), _number(folder / used)
            if most is not None and now is not None:
                return most - now
    return None


def _address_space() -> int | None:
    """What `ulimit -v` leaves."""
    try:
        import resource
    except ImportError:
        return None
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    if limit == resource.RLIM_INFINITY:
        return None
    pages = next(iter(_lines(Path("/proc/self/statm"))), "0").split()
    return limit - int(pages[0]) * resource.getpagesize()


def _number(path: Path) -> int | None:
    text = next(iter(_lines(path)), "").strip()
    return int(text) if text.isdigit() else None


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("ascii", "replace").splitlines()
    except OSError:
        return []
