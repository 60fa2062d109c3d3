"""Where the studio reads and writes: the rulesets of its folder and the bundled ones, the saves,
and a folder of its own for what nobody else may read.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from rulegame import bundled
from rulegame.files import disk
from rulegame.files.atomic import write_whole
from rulegame.limits import LIMITS as RULE_LIMITS
from rulegame.playing.saving import SUFFIX, games_folder
from rulegame.source.reading import Files, Result
from rulegame_studio.limits import LIMITS

TABLE: Final = re.compile(r"[0-9]{8}-[0-9]{6}-[0-9a-f]{6,32}")
MARK: Final = re.compile(rb"^(\xef\xbb\xbf)?['\"]?rulegame['\"]?[ \t]*:", re.MULTILINE)
SUFFIXES: Final = (".yaml", ".yml")
PREFIX: Final = "folder/"
SMALL: Final = 2**20  # bytes of the studio's own files


class NoSuchGame(ValueError):
    """There is no game of that name here."""


class Library(Files):
    """The rulesets that the studio may read: those in its folder, or one of them, and the bundled
    ones. Whatever leads out of there, by a link or by dots, does not exist.
    """

    def __init__(self, given: str) -> None:
        path = Path(given) if given else None
        self.only = disk.identity(path) if path is not None and disk.is_file(path) else None
        where = None if path is None else path.parent if self.only else path
        self.folder = None if where is None else disk.identity(where)
        self._bundled = disk.identity(bundled.rulesets_folder())

    def allows(self, path: Path) -> bool:
        """Whether a file lies where the studio may read."""
        real = disk.identity(path)
        inside = self.folder is not None and real.is_relative_to(self.folder)
        return inside or real.is_relative_to(self._bundled)

    def exists(self, path: Path) -> bool:
        return self.allows(path) and super().exists(path)

    def text(self, path: Path) -> str | None:
        return super().text(path) if self.allows(path) else None

    def read(self, path: Path, shown_as: str) -> Result:
        if not self.allows(path):
            return super().read(self._bundled / "no such file", shown_as)
        return super().read(path, shown_as)

    # ---- games by their ids

    def ids(self) -> Iterator[tuple[str, str]]:
        """Every game with its group: the folder's last, as there may be many."""
        groups = {"games": "bundled", "gallery": "gallery", "variants": "variants"}
        for group, told in groups.items():
            yield from ((path.stem, told) for path in bundled.ruleset_paths(group))
        for path in self._own():
            assert self.folder is not None
            yield f"{PREFIX}{path.relative_to(self.folder).as_posix()}", "folder"

    def _own(self) -> list[Path]:
        """The rulesets of the folder, at any depth."""
        if self.only is not None:
            return [self.only]
        found: list[Path] = []
        for at, inner, files in os.walk(self.folder) if self.folder else ():
            inner[:] = sorted(name for name in inner if not name.startswith("."))
            for name in sorted(files):
                path = Path(at, name)
                if path.suffix in SUFFIXES and self.allows(path) and _is_ruleset(path):
                    found.append(path)
                if len(found) >= LIMITS.files:
                    return found
        return found

    def path_of(self, game: str) -> Path:
        """The file of a game; `NoSuchGame` if it has none here."""
        found = self._path_of(game)
        if found is None or not self.exists(found) or not disk.is_file(found):
            raise NoSuchGame(f"no game '{game[:200]}' here")
        return found

    def _path_of(self, game: str) -> Path | None:
        if not game.startswith(PREFIX):
            return bundled.ruleset_path(game)
        relative = Path(game.removeprefix(PREFIX))
        if self.folder is None or relative.is_absolute() or ".." in relative.parts:
            return None
        path = self.folder / relative
        only = self.only is None or disk.identity(path) == self.only
        return path if path.suffix in SUFFIXES and only else None

    def id_of(self, ruleset: str) -> str | None:
        """The id of the ruleset that a save names; None if it is not here."""
        if bundled.ruleset_path(ruleset) is not None:
            return ruleset
        real = disk.identity(Path(ruleset))
        if self.folder is None or not real.is_relative_to(self.folder):
            return None
        return f"{PREFIX}{real.relative_to(self.folder).as_posix()}"


def broken_card(game: str, problem: str) -> dict[str, Any]:
    """The card of a game that cannot be played."""
    nothing = {"summary": "", "players": [], "hides": False, "at_once": False, "fairness": None}
    return {"title": game.rpartition("/")[2], **nothing, "problem": f"not valid: {problem}"}


def _is_ruleset(path: Path) -> bool:
    try:
        return MARK.search(disk.read_file(path, RULE_LIMITS.file_bytes)) is not None
    except OSError:
        return False


# ---- what is private


def private_folder() -> Path:
    """Where the keys of seats are kept, beside the saves; nobody else may look into it."""
    folder = games_folder().parent / "studio"
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with suppress(OSError):
        folder.chmod(0o700)
    return folder


def save_path(table: str) -> Path:
    """The save of a table."""
    if not TABLE.fullmatch(table):
        raise ValueError("no such table")
    folder = games_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{table}{SUFFIX}"


def read_private(name: str) -> dict[str, Any] | None:
    """A file of the studio's own; None if there is none that can be used."""
    try:
        data = json.loads(disk.read_file(private_folder() / name, SMALL))
    except (OSError, ValueError, RecursionError):
        return None
    return data if isinstance(data, dict) else None


def write_private(name: str, data: dict[str, Any]) -> None:
    """Write such a file as a whole."""
    write_whole(private_folder() / name, json.dumps(data).encode(), mode=0o600, exactly=True)


def forget_private(name: str) -> None:
    """Delete such a file."""
    with suppress(OSError):
        (private_folder() / name).unlink(missing_ok=True)


def private_tables() -> list[str]:
    """Every table whose keys are known, the newest first."""
    found = (path.stem for path in private_folder().glob("*.json"))
    return sorted((name for name in found if TABLE.fullmatch(name)), reverse=True)


def delete_table(table: str) -> None:
    """Delete the save of a table, its keys and what seats have chosen ahead."""
    with suppress(OSError):
        save_path(table).unlink(missing_ok=True)
    for name in (f"{table}.json", f"{table}.held"):
        forget_private(name)
