"""The text of a YAML file: which characters it may hold, and where those of a scalar are written.

Knows text and places only; `reading` and `yaml_errors` build on it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import repeat
from typing import Final

from rulegame.diagnostics import Span
from rulegame.edits import BREAK

Place = tuple[int, int, str]  # line, column, source line
Stretch = tuple[int, int]  # offset in the source, number of characters

# Control characters, line breaks that editors do not show, byte order marks, lone surrogates,
# non-characters, and whatever changes the direction of text: a file must be what it looks like.
FORBIDDEN: Final = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069"
    "\ud800-\udfff\ufeff\ufffe\uffff]"
)
REPLACEMENT: Final = "\ufffd"
BLANKS: Final = " \t\r\n\x85"

_BREAK = BREAK.pattern
_FOLD = rf"(?P<fold>[ \t]*(?:{_BREAK}[ \t]*)+)"
WORD: Final = re.compile(f"[^{BLANKS}]+")
LINE: Final = re.compile(f"[^{BLANKS}](?:[^\r\n\x85]*[^{BLANKS}])?")  # without blanks around it
PROPERTIES: Final = re.compile(
    rf"(?:[ \t]|{_BREAK}|#[^\r\n\x85]*|&[0-9A-Za-z_-]+|!(?:<[^>\r\n]*>)?[^{BLANKS}]*)*"
)


def _words(but: str = "") -> str:
    one = f"[^{BLANKS}{but}]+"
    return rf"{one}(?:[ \t]+{one})*|[ \t]+"


# What the content of a scalar is written as, by its style; each match is one stretch.
STRETCHES: Final = {
    "": re.compile(f"{_FOLD}|{_words()}"),
    "'": re.compile(f"{_FOLD}|(?P<escape>'')|{_words(chr(39))}"),
    '"': re.compile(
        rf"{_FOLD}|(?P<join>\\{_BREAK}[ \t]*(?:{_BREAK}[ \t]*)*)"
        rf"|(?P<escape>\\(?:x..|u.{{4}}|U.{{8}}|.))|{_words(chr(92) * 2)}"
    ),
}


def _indent(blanks: str) -> int:
    return len(blanks) - len(blanks.rstrip(" \t"))


def shown(text: str, most: int = 40) -> str:
    """A ruleset's own text for use in a message: short, on one line, without control characters."""
    cut = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(c if c.isprintable() else f"\\u{ord(c):04X}" for c in cut)


class Source:
    """The text of a file, in which forbidden characters are replaced, and its lines."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        # A replaced character keeps every place, and cannot play tricks in an excerpt.
        self.text = FORBIDDEN.sub(REPLACEMENT, text)
        self.lines = BREAK.split(self.text)
        self.starts = [0, *(found.end() for found in BREAK.finditer(self.text))]

    def place(self, offset: int) -> Place:
        line = bisect_right(self.starts, offset)
        return line, offset - self.starts[line - 1] + 1, self.lines[line - 1]

    def offset(self, place: Place) -> int:
        return self.starts[place[0] - 1] + place[1] - 1

    def span(self, start: int, end: int | None = None) -> Span:
        """From one offset up to another; of one character if there is no other."""
        line, column, source = self.place(start)
        if end is None:
            return Span(self.file, line, column, line, column + 1, source)
        end_line, end_column, _ = self.place(end)
        return Span(self.file, line, column, end_line, end_column, source)

    def line_end(self, offset: int) -> int:
        line = bisect_right(self.starts, offset) - 1
        return self.starts[line] + len(self.lines[line])

    def after_properties(self, start: int) -> int:
        """Where a node itself begins, behind its anchor and its tag."""
        found = PROPERTIES.match(self.text, start)
        return start if found is None else found.end()

    def flow_places(self, start: int, end: int, style: str, value: str) -> tuple[Place, ...]:
        """The place of each character of a quoted scalar, or of a plain one on several lines."""
        return self._places(self._flow_stretches(start, end, style), start, len(value))

    def block_places(self, start: int, end: int, value: str) -> tuple[Place, ...]:
        """The place of each character of a literal or folded scalar."""
        return self._places(self._block_stretches(start, end, value), start, len(value))

    def _places(self, stretches: Iterator[Stretch], start: int, length: int) -> tuple[Place, ...]:
        found: list[Place] = []
        line = bisect_right(self.starts, start)
        for offset, count in stretches:
            while line < len(self.starts) and self.starts[line] <= offset:
                line += 1
            column = offset - self.starts[line - 1] + 1
            source = self.lines[line - 1]
            if count == 1:
                found.append((line, column, source))
            else:
                columns = range(column, column + count)
                found.extend(zip(repeat(line), columns, repeat(source), strict=False))
        return tuple(found[:length])

    def _flow_stretches(self, start: int, end: int, style: str) -> Iterator[Stretch]:
        for found in STRETCHES[style].finditer(self.text, start, end):
            kind = found.lastgroup
            if kind is None:
                yield found.start(), found.end() - found.start()
            elif kind == "escape":
                yield found.start(), 1
            else:  # one line break is a blank, or nothing if escaped; each further one is itself
                further = len(BREAK.findall(found[0])) - 1
                yield from repeat(
                    (found.start(), 1), further if kind == "join" else max(further, 1)
                )

    def _block_stretches(self, start: int, end: int, value: str) -> Iterator[Stretch]:
        """Each line without the blanks around it stands in the value as it stands in the source."""
        done, behind = 0, start  # so much of the value; so far in the source
        for line in LINE.finditer(self.text, start, end):
            word = WORD.search(value, done)
            if word is None:  # what is left are comments below the scalar
                break
            before = value[done : word.start()]
            indent = min(_indent(before), _indent(self.text[behind : line.start()]))
            yield from self._held(behind, len(before) - indent)
            yield line.start() - indent, indent + line.end() - line.start()
            done, behind = word.start() + line.end() - line.start(), line.end()
        yield from self._held(behind, len(value) - done)

    def _held(self, offset: int, count: int) -> Iterator[Stretch]:
        """Blanks and line breaks behind an offset; those of later lines stay at its line's end."""
        if count <= 0:
            return
        line_end = self.line_end(offset)
        visible = min(count, line_end - offset)
        if visible:
            yield offset, visible
        yield from repeat((line_end, 1), count - visible)
