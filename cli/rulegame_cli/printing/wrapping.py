"""Lines that are wider than a terminal, broken between words instead of within them."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import combining, east_asian_width

PIECES: Final = re.compile(r"(?:\x1b\[[0-9;?]*[A-Za-z])+|[ \t]+|[^ \t\x1b]+|\x1b")
LEAST: Final = 8  # columns; on fewer nothing can be read anyway


def columns_of(text: str) -> int:
    """How many columns a text takes that has no colour and no line breaks in it."""
    if text.isascii():
        return len(text)
    return sum(map(_columns, text))


def _columns(character: str) -> int:
    if combining(character) or character in "\u200b\u200c\u200d\ufe0e\ufe0f":
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def wrapped(text: str, width: int, column: int = 0) -> str:
    """The text with line breaks between words; what stands at the beginning of a line stays before
    all of it. `column` is where the text begins.
    """
    if width < LEAST:
        return text
    first, *others = text.split("\n")
    lines = [_wrapped_line(first, width, column)]
    lines += [_wrapped_line(line, width, 0) for line in others]
    return "\n".join(lines)


def _wrapped_line(line: str, width: int, column: int) -> str:
    if len(line) + column <= width and columns_of(line) + column <= width:
        return line
    pieces = PIECES.findall(line)
    bare = line.lstrip(" ")
    indent = len(line) - len(bare) if not column else 0
    indent = indent if indent <= width // 2 else 0
    out: list[str] = []
    blanks = ""  # before the next word, if that stands on the same line
    for piece in pieces:
        if piece.startswith("\x1b"):
            out += [blanks, piece]
            column, blanks = column + len(blanks), ""
        elif piece.isspace():
            blanks += piece.replace("\t", " ")
        else:
            wide = columns_of(piece)
            if column + len(blanks) + wide > width and column > indent:
                out.append("\n" + " " * indent)
                column, blanks = indent, ""
            out += [blanks, piece]
            column += len(blanks) + wide
            blanks = ""
    if column + len(blanks) <= width:
        out.append(blanks)
    return "".join(out)
