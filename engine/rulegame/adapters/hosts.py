"""The libraries that games are made for: each is an extra, and says so where it is missing."""

from __future__ import annotations


def missing(host: str, extra: str) -> ModuleNotFoundError:
    """What is told to someone who has not installed a library that games are to be made for."""
    return ModuleNotFoundError(f'{host} is not installed: pip install "rulegame[{extra}]"')
