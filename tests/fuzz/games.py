"""The game of an input, as all checks get it: loaded once, from a file."""

from __future__ import annotations

import tempfile
from functools import cache, lru_cache
from pathlib import Path

import rulegame


@cache
def _folder() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="rulegame_fuzz_")


def file_of(text: bytes) -> Path:
    """A file with this content."""
    path = Path(_folder().name) / "fuzzed.yaml"
    path.write_bytes(text)
    return path


@lru_cache(maxsize=1)
def game_of(text: bytes) -> rulegame.Game | None:
    """The game; None if the program refuses the ruleset in a way that is documented."""
    try:
        return rulegame.load(file_of(text))
    except rulegame.RulesetError:
        return None
