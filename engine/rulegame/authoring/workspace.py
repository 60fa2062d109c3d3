"""A workspace: the rulesets that someone has open in an editor, and those in the folders around."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

from rulegame.authoring.files import OpenFiles
from rulegame.authoring.renaming import is_not_bundled
from rulegame.authoring.study import Study, study
from rulegame.diagnostics import Diagnostic
from rulegame.edits import BREAK
from rulegame.files.disk import identity, read_file
from rulegame.limits import LIMITS
from rulegame.loading import check_ruleset
from rulegame.source.reading import read_text

_RULESET: Final = re.compile(
    r"^(?:\ufeff)?[\"']?rulegame[\"']?\s*:|\$schema=\S*ruleset\.schema\.json", re.M
)
MOST_FILES: Final = 2_000  # looked at in the folders of a workspace
MOST_FOLDERS: Final = 5_000
MOST_LINES: Final = 8  # that are left out to read the others
MOST_LETTERS: Final = 200_000  # of a file that is read again and again
SUFFIXES: Final = (".yaml", ".yml")


class Workspace:
    """Open rulesets by their path. What was found out about one is kept until a file changes."""

    def __init__(self, folders: tuple[Path, ...] = ()) -> None:
        self.files = OpenFiles()
        self.folders = tuple(identity(folder) for folder in folders)
        self._rulesets: set[Path] = (
            set()
        )  # a file that was once a ruleset is one until it is closed
        self._studies: dict[Path, Study] = {}
        self._readable: dict[Path, Study] = {}
        self._legible: dict[Path, Study] = {}

    def put(self, path: Path, text: str) -> None:
        """Opens a file, or changes its text."""
        self.files.put(path, text)
        if _RULESET.search(text):
            self._rulesets.add(identity(path))
        self.forget()

    def close(self, path: Path) -> None:
        self.files.close(path)
        self._rulesets.discard(identity(path))
        self._readable.pop(identity(path), None)
        self.forget()

    def forget(self) -> None:
        """Some file has changed, perhaps on the disk: find everything out anew when it is asked."""
        self._studies.clear()
        self._legible.clear()

    def is_ruleset(self, path: Path) -> bool:
        """Whether an open file is a ruleset: editors hand over every YAML file."""
        return identity(path) in self._rulesets

    def study(self, path: Path) -> Study:
        """All that is known of a ruleset as it stands now."""
        key = identity(path)
        if key not in self._studies:
            found = study(key, self.files)
            self._studies[key] = found
            if found.outline.file.root.entries:
                self._readable[key] = found
        return self._studies[key]

    def readable(self, path: Path, line: int) -> Study:
        """The same; if the text cannot be read as YAML now, of the latest text that could be, or of
        the text without that line.
        """
        found, key = self.study(path), identity(path)
        if found.outline.file.root.entries:
            return found
        if key not in self._readable:
            lines = BREAK.split(self.files.text(path) or "")
            lines[line - 1 : line] = [""]
            self._readable[key] = study(key, self.files.with_texts({key: "\n".join(lines)}))
        return self._readable[key]

    def legible(self, path: Path) -> Study:
        """The same for a file as a whole: of the text without the lines that cannot be read as
        YAML, which are empty in it.
        """
        found, key = self.study(path), identity(path)
        if found.outline.file.root.entries:
            return found
        if key not in self._legible:
            text = without_unreadable_lines(self.files.text(path) or "")
            self._legible[key] = study(key, self.files.with_texts({key: text}))
        return self._legible[key]

    def diagnostics(self, path: Path) -> dict[Path, tuple[Diagnostic, ...]]:
        """What is wrong with a ruleset, by file: a problem may lie in a parent."""
        found = self.study(path)
        problems: dict[Path, list[Diagnostic]] = {identity(path): []}
        for diagnostic in found.diagnostics:
            place = found.outline.path_of(diagnostic.span.file)
            problems.setdefault(identity(place or path), []).append(diagnostic)
        return {file: tuple(listed) for file, listed in problems.items()}

    def diagnostics_of(self, path: Path, text: str) -> tuple[Diagnostic, ...]:
        """What would be wrong with a ruleset if its file had another text."""
        return check_ruleset(path, str(path), files=self.files.with_texts({path: text}))[1]

    def depending_on(self, path: Path) -> list[Path]:
        """The open rulesets that a change of a file concerns: itself, its variants, and those whose
        parent was not found.
        """
        key = identity(path)
        found = []
        for ruleset in sorted(self._rulesets):
            files = self.study(ruleset).outline.files
            lost = files[-1].root.get("extends") is not None
            if key == ruleset or lost or key in {identity(f.path) for f in files}:
                found.append(ruleset)
        return found

    # ---- what renaming asks

    def is_editable(self, path: Path) -> bool:
        """Whether a rename may change a file: it is open, or lies in the workspace."""
        key = identity(path)
        if key in self.files.paths:
            return True
        homes = self.folders or tuple(p.parent for p in self._rulesets)
        return is_not_bundled(key) and any(key.is_relative_to(home) for home in homes)

    def rulesets(self) -> Iterator[Study]:
        """All variants in the workspace, and whatever is open."""
        for path in sorted(self._rulesets | set(self._variants())):
            yield self.study(path)

    def _variants(self) -> Iterator[Path]:
        """The files on the disk that extend others."""
        seen = 0
        for folder in self.folders or tuple({p.parent for p in self._rulesets}):
            for at, inner, files in islice(os.walk(folder), MOST_FOLDERS):
                inner[:] = sorted(d for d in inner if not d.startswith(".") and d != "node_modules")
                for name in sorted(files):
                    if not name.endswith(SUFFIXES):
                        continue
                    seen += 1
                    if seen > MOST_FILES:
                        return
                    path = Path(at, name)
                    if _extends_another(path) and is_not_bundled(path):
                        yield identity(path)
                if not self.folders:
                    break  # a single file was opened: only what lies beside it


def without_unreadable_lines(text: str) -> str:
    """A text whose lines that keep it from being read are empty; a few of them, at most."""
    for _ in range(MOST_LINES):
        root, problems = read_text(text.removeprefix("\ufeff"), "")
        if root is not None or not problems or len(text) > MOST_LETTERS:
            break
        line = problems[0].span.line
        breaks = BREAK.findall(text)
        lines = BREAK.split(text)
        lines[line - 1] = ""
        text = "".join(f"{one}{end}" for one, end in zip(lines, [*breaks, ""], strict=True))
    return text


def _extends_another(path: Path) -> bool:
    try:
        data = read_file(path, LIMITS.file_bytes)
        text = data.decode()
    except (OSError, ValueError):
        return False
    is_whole = len(data) <= LIMITS.file_bytes
    return is_whole and "extends" in text and _RULESET.search(text) is not None
