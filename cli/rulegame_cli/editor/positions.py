"""Places in a text as editors count them: lines and columns from 0, columns in units of UTF-16 (or
what else was agreed), and as the engine does: from 1, in characters.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final

from rulegame.source.yaml_text import Source

_BREAK: Final = re.compile("\r\n|\r|\n")  # the engine knows one more, which no editor does
UTF8, UTF16, UTF32 = "utf-8", "utf-16", "utf-32"


class Positions:
    """The places of one text."""

    def __init__(self, text: str, encoding: str = UTF16) -> None:
        self._text = text
        self._encoding = encoding
        self._lines = [0, *(found.end() for found in _BREAK.finditer(text))]
        self._mark = 1 if text.startswith("\ufeff") else 0  # the engine does not count it
        self._source = Source("", text[self._mark :])

    def to_editor(self, line: int, column: int) -> tuple[int, int]:
        """A place of the engine, as the editor counts."""
        starts = self._source.starts
        line = min(max(line, 1), len(starts))
        offset = min(starts[line - 1] + max(column, 1) - 1 + self._mark, len(self._text))
        row = bisect_right(self._lines, offset) - 1
        return row, self._units(self._text[self._lines[row] : offset])

    def to_engine(self, row: int, units: int) -> tuple[int, int]:
        """A place of the editor, as the engine counts; what lies outside is moved inside."""
        if row >= len(self._lines):
            return self._place(len(self._text))
        start = self._lines[max(row, 0)]
        end = self._lines[row + 1] if row + 1 < len(self._lines) else len(self._text)
        line = self._text[start:end].rstrip("\r\n")
        return self._place(start + self._characters(line, units))

    def _place(self, offset: int) -> tuple[int, int]:
        line, column, _ = self._source.place(max(offset - self._mark, 0))
        return line, column

    def _units(self, text: str) -> int:
        if self._encoding == UTF32:
            return len(text)
        if self._encoding == UTF8:
            return len(text.encode(errors="surrogatepass"))
        return len(text) + sum(ord(sign) > 0xFFFF for sign in text)

    def _characters(self, line: str, units: int) -> int:
        """How many characters those units are; one that is cut counts as not yet reached."""
        used = 0
        for count, sign in enumerate(line):
            used += self._units(sign)
            if used > units:
                return count
        return len(line)
