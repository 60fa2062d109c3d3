"""The outline of a ruleset: what it and its parents declare, and every mention of it, by file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from rulegame.authoring.declarations import declarations, declare
from rulegame.authoring.symbols import DeclaredNames, Occurrence
from rulegame.authoring.testing import uses_in_tests
from rulegame.authoring.uses import uses
from rulegame.diagnostics import Diagnostic, Span
from rulegame.files.disk import identity
from rulegame.keys.ruleset import ITEM
from rulegame.keys.ruleset import Path as KeyPath
from rulegame.source.inheritance import find_parent
from rulegame.source.nodes import Mapping, Node, Scalar, Sequence
from rulegame.source.reading import DISK, Files


class File(NamedTuple):
    """A file of the ruleset, as it is written; `root` is empty if it cannot be read."""

    path: Path
    shown_as: str
    root: Mapping


@dataclass(frozen=True, slots=True)
class Outline:
    """A ruleset: its files (itself, then its parent, and so on), names and mentions."""

    files: tuple[File, ...]
    names: DeclaredNames
    occurrences: tuple[Occurrence, ...]

    @property
    def file(self) -> File:
        """The ruleset itself."""
        return self.files[0]

    def at(self, file: str, line: int, column: int) -> Occurrence | None:
        """The name at a place; the one that begins there, if two meet."""
        found = [
            o for o in self.occurrences if o.span.file == file and covers(o.span, line, column)
        ]
        return max(found, key=lambda o: (o.span.line, o.span.column), default=None)

    def path_of(self, shown_as: str) -> Path | None:
        """The path of one of its files."""
        return next((f.path for f in self.files if f.shown_as == shown_as), None)


def outline(path: Path, files: Files = DISK) -> Outline:
    """The outline of a ruleset, as far as its files can be read."""
    found = chain(path, files)
    names = DeclaredNames()
    for file in reversed(found):
        declare(file.root, names)
    occurrences: list[Occurrence] = []
    for file in found:
        occurrences += [
            Occurrence(d.span, (d.symbol,), declares=True) for d in declarations(file.root)
        ]
        occurrences += uses(names, file.root)
        occurrences += uses_in_tests(names, file.root)
    ordered = sorted(set(occurrences), key=lambda o: (o.span, o.symbols))
    return Outline(found, names, tuple(ordered))


def chain(path: Path, files: Files = DISK) -> tuple[File, ...]:
    """The file and its parents, as far as they can be found and read."""
    found: list[File] = []
    seen: dict[str, Scalar] = {}
    ignored: list[Diagnostic] = []  # whoever checks the ruleset reports them
    folder = identity(path).parent
    step: tuple[Path, str] | None = (path, str(path))
    while step is not None:
        path, shown_as = step
        root, _ = files.read(path, shown_as)
        found.append(
            File(path, shown_as, root if isinstance(root, Mapping) else _nothing(shown_as))
        )
        parent = found[-1].root.get("extends")
        if not isinstance(parent, Scalar) or not isinstance(parent.value, str):
            break
        seen[str(identity(path))] = parent
        step = find_parent(parent, path, shown_as, folder, seen, ignored, files)
    return tuple(found)


def _nothing(shown_as: str) -> Mapping:
    return Mapping(Span.whole(shown_as))


def covers(span: Span, line: int, column: int) -> bool:
    """Whether a cursor at that place touches the span, at its end too."""
    return (span.line, span.column) <= (line, column) <= (span.end_line, span.end_column)


def key_at(root: Mapping, line: int, column: int) -> tuple[KeyPath, Scalar] | None:
    """The key at a place of a file, with the path to it."""

    def search(node: Node, path: KeyPath) -> tuple[KeyPath, Scalar] | None:
        if isinstance(node, Mapping):
            for key, value in node:
                here = (*path, key.text)
                if covers(key.span, line, column):
                    return here, key
                if found := search(value, here):
                    return found
        elif isinstance(node, Sequence):
            for item in node.items:
                if found := search(item, (*path, ITEM)):
                    return found
        return None

    return search(root, ())
