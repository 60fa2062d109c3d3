"""What a check has to say about an input."""

from __future__ import annotations

from typing import NamedTuple


class Finding(Exception):
    """Raised by a check: what is wrong with what the program made of an input."""


class Found(NamedTuple):
    """A finding and where it comes from; `input` is what `--only` takes to see it again."""

    way: str
    seed: int
    input: int
    check: str
    message: str
    text: bytes
