"""Where the bundled rulesets and schemas lie: in the installed package, or in the repository
around it.
"""

from __future__ import annotations

import re
from pathlib import Path

from rulegame.files.disk import is_file

_PACKAGE = Path(__file__).resolve().parent
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

# In the order in which they are listed. The gallery has well-known games to play and to measure
# with, most of them too large to be explored.
GROUPS = ("games", "variants", "gallery")


def _folder(name: str) -> Path:
    """A folder of data: `rulegame/data/` in a wheel, the root of the repository otherwise."""
    installed = _PACKAGE / "data" / name
    return installed if installed.is_dir() else _PACKAGE.parents[1] / name


def is_name(text: str) -> bool:
    """Whether a text names a bundled ruleset, rather than a file."""
    return _NAME.fullmatch(text) is not None


def schema_path(name: str = "ruleset.schema.json") -> Path:
    """The file of a schema."""
    return _folder("schemas") / name


def rulesets_folder() -> Path:
    """The folder of the bundled rulesets; each group but the games has a folder below it."""
    return _folder("rulesets")


def ruleset_path(name: str) -> Path | None:
    """The file of a bundled ruleset, or None if there is none of that name."""
    if not is_name(name):
        return None
    candidates = (_group_folder(group) / f"{name}.yaml" for group in GROUPS)
    return next((path for path in candidates if is_file(path)), None)


def ruleset_paths(group: str) -> tuple[Path, ...]:
    """The files of a group, sorted."""
    return tuple(sorted(_group_folder(group).glob("*.yaml")))


def ruleset_names(*groups: str) -> tuple[str, ...]:
    """The names of the bundled rulesets of these groups, or of all, each group sorted."""
    return tuple(path.stem for group in groups or GROUPS for path in ruleset_paths(group))


def _group_folder(group: str) -> Path:
    folder = rulesets_folder()
    return folder if group == GROUPS[0] else folder / group
