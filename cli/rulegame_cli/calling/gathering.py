"""The rulesets that a call names: a folder stands for those in it, at any depth, `-` for what comes
in by standard input.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from rulegame.files import disk
from rulegame_cli.calling.usage_errors import WrongCall

if TYPE_CHECKING:
    from rulegame.loading import RulesetText

SUFFIXES: Final = (".yaml", ".yml")
MARK: Final = re.compile(rb"^(\xef\xbb\xbf)?['\"]?rulegame['\"]?[ \t]*:", re.MULTILINE)
# The same line with a slip in it: `rulgame: 1`, `rulegame 1`; and any other key at the top.
NEAR_MARK: Final = re.compile(
    r"^\ufeff?['\"]?([A-Za-z_-]{5,12})['\"]?[ \t]*[:=]?[ \t]*['\"]?v?\d", re.MULTILINE
)
TOP_KEY: Final = re.compile(r"^\ufeff?['\"]?([a-z]+)['\"]?[ \t]*:(?=\s|$)", re.MULTILINE)
ANYBODYS: Final = frozenset(("title", "summary"))  # which files of all kinds have
SNIFFED: Final = 65536  # bytes in which the key that makes a file a ruleset is looked for
STANDARD_INPUT: Final = "-"


def gather(names: Sequence[str]) -> list[str]:
    """The names, with the rulesets of each folder in its place; WrongCall if one has none."""
    found: dict[str, None] = {}
    for name in names:
        if name == STANDARD_INPUT or not disk.is_folder(Path(name)):
            found[name] = None
            continue
        inside = list(_inside(Path(name)))
        if not inside:
            raise WrongCall(f"No rulesets in folder '{name}'.")
        found |= dict.fromkeys(inside)
    return list(found)


def ruleset_of(name: str) -> str | RulesetText:
    """What the engine loads under a name."""
    if name != STANDARD_INPUT:
        return name
    from rulegame.loading import RulesetText

    return RulesetText(standard_input(), STANDARD_INPUT)


def standard_input() -> str:
    """All of it, up to the size of a ruleset."""
    return _all_of(sys.stdin)


@lru_cache(maxsize=1)
def _all_of(stream: TextIO) -> str:
    """Read once, though several steps may ask for it."""
    from rulegame.limits import LIMITS

    return stream.read(LIMITS.file_bytes + 1)


def _inside(folder: Path) -> Iterator[str]:
    for at, inner, files in os.walk(folder):
        inner[:] = sorted(name for name in inner if not name.startswith("."))
        for name in sorted(files):
            path = Path(at, name)
            if path.suffix in SUFFIXES and path.is_file() and _is_ruleset(path):
                yield str(path)


def _is_ruleset(path: Path) -> bool:
    """Whether a file has the key that every ruleset has; one that cannot be read may have it."""
    try:
        data = disk.read_file(path, SNIFFED)
    except disk.CannotRead:
        return True
    return MARK.search(data) is not None or _is_meant_as_ruleset(data.decode(errors="replace"))


def _is_meant_as_ruleset(text: str) -> bool:
    """Whether a file without that key is a ruleset all the same, and the key is what is wrong."""
    from difflib import SequenceMatcher

    sections = _sections().intersection(TOP_KEY.findall(text))
    if len(sections) > 1 and sections - ANYBODYS:
        return True
    keys = (key.lower().replace("_", "").replace("-", "") for key in NEAR_MARK.findall(text))
    return any(SequenceMatcher(None, key, "rulegame").ratio() > 0.85 for key in keys)


@lru_cache(maxsize=1)
def _sections() -> frozenset[str]:
    """What may stand at the top of a ruleset."""
    from rulegame.keys.ruleset import RULESET

    return frozenset(key.name for key in RULESET.keys)
