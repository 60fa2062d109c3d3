"""The files of an editor: some are open, with text that is not on the disk yet."""

from __future__ import annotations

from pathlib import Path

from rulegame.files.disk import identity
from rulegame.source.reading import Files, Result, read_bytes, read_file


class OpenFiles(Files):
    """Open files by their path; all others are read from the disk. What was read of an open file is
    kept until it changes.
    """

    def __init__(self, texts: dict[Path, str] | None = None) -> None:
        self._texts: dict[Path, str] = {}
        self._read: dict[tuple[Path, str], Result] = {}
        for path, text in (texts or {}).items():
            self.put(path, text)

    def put(self, path: Path, text: str) -> None:
        """Opens a file, or changes it."""
        key = identity(path)
        self._texts[key] = text
        self._read = {known: result for known, result in self._read.items() if known[0] != key}

    def close(self, path: Path) -> None:
        """From now on the file is what is on the disk."""
        key = identity(path)
        self._texts.pop(key, None)
        self._read = {known: result for known, result in self._read.items() if known[0] != key}

    def text(self, path: Path) -> str | None:
        known = self._texts.get(identity(path))
        return super().text(path) if known is None else known

    def with_texts(self, texts: dict[Path, str]) -> OpenFiles:
        """The same files, some of them with another text."""
        return OpenFiles({**self._texts, **texts})

    @property
    def paths(self) -> tuple[Path, ...]:
        """The open files."""
        return tuple(self._texts)

    def exists(self, path: Path) -> bool:
        return identity(path) in self._texts or super().exists(path)

    def read(self, path: Path, shown_as: str) -> Result:
        key = identity(path)
        text = self._texts.get(key)
        if text is None:
            return read_file(path, shown_as)
        if (key, shown_as) not in self._read:
            data = text.encode(errors="surrogatepass")  # which reading then complains about
            self._read[key, shown_as] = read_bytes(data, shown_as)
        return self._read[key, shown_as]
