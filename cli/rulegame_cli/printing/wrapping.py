"""Lines that are wider than a terminal, broken between words instead of within them."""

from __future__ import annotations

import re
from typing import Final
from unicodedata import combining, east_asian_width

PIECES: Final = re.compile(r"(?:\x1b\[[0-9;?]*[A-Za-z])+|[ \t]+|[^ \t\x1b]+|\x1b")
LEAST: Final = 8  # columns; on fewer nothing can be read anyway
HANGING: Final = 2  # columns by which a line that goes on stands further in, if it is indented


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
    """The text with line breaks between words. What goes on from an indented line is indented a
    little more, so that rows stay apart. `column` is where the text begins.
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
    indent = min(indent + HANGING, width // 2) if indent else 0
    out: list[str] = []
    blanks = ""  # before the next word, if that stands on the same line
    started = column > 0  # whether there is a word on it
    for piece in pieces:
        if piece.startswith("\x1b"):
            out += [blanks, piece]
            column, blanks = column + len(blanks), ""
        elif piece.isspace():
            blanks += piece.replace("\t", " ")
        else:
            wide = columns_of(piece)
            if column + len(blanks) + wide > width:
                out.append("\n" * started)
                column, blanks = 0, " " * min(indent, max(0, width - wide))
            out += [blanks, piece]
            column += len(blanks) + wide
            blanks, started = "", True
    if column + len(blanks) <= width:
        out.append(blanks)
    return "".join(out)
