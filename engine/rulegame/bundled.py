"""Where the bundled rulesets and schemas lie: in the installed package, or in the repository
around it.
"""

from __future__ import annotations

import re
from pathlib import Path

from rulegame.files.disk import is_file

_PACKAGE = Path(__file__).resolve().parent
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")


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
    """The folder of the bundled games; their variants are in `variants/` below it."""
    return _folder("rulesets")


def ruleset_path(name: str) -> Path | None:
    """The file of a bundled ruleset, or None if there is none of that name."""
    if not is_name(name):
        return None
    folder = rulesets_folder()
    candidates = (folder / f"{name}.yaml", folder / "variants" / f"{name}.yaml")
    return next((path for path in candidates if is_file(path)), None)


def ruleset_names() -> tuple[str, ...]:
    """The names of the bundled rulesets: games first, then variants, each sorted."""
    folder = rulesets_folder()
    games = sorted(path.stem for path in folder.glob("*.yaml"))
    variants = sorted(path.stem for path in (folder / "variants").glob("*.yaml"))
    return (*games, *variants)
