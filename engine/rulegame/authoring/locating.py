"""Where a cursor is in a ruleset that is being typed: the path of keys to it, told by indentation
alone, because a file is seldom right at the very place where someone writes.
"""

from __future__ import annotations

import re
from typing import Final, Literal, NamedTuple

from rulegame.edits import BREAK
from rulegame.keys.ruleset import ITEM, Path

_KEY: Final = re.compile(
    r"""(?P<key>"[^"]*"|'[^']*'|[^\s"'#{}\[\],&*!|>%@`-][^#]*?|-[^\s#][^#]*?)\s*:(?=\s|$)"""
)
_DASHES: Final = re.compile(r"(?:-\s+)*(?:-$)?")
_BLOCK: Final = re.compile(r":\s+(?:&\S+\s+)?[|>][-+0-9]*\s*(?:#.*)?$")
_MOST_LINES: Final = 20_000  # looked at above the cursor


class Where(NamedTuple):
    """A place in a file: the path to it, whether a key or a value is being written there, and what
    of it stands before the cursor.
    """

    path: Path
    at: Literal["key", "value"]
    typed: str
    quoted: bool = False
    flow: bool = False


class _Line(NamedTuple):
    """A line: its indentation, the columns of its dashes, and the rest."""

    indent: int
    dashes: tuple[int, ...]
    content: str
    at: int  # the column of the content


def locate(text: str, line: int, column: int) -> Where | None:
    """Where the cursor is (lines and columns count from 1); None in a comment."""
    lines = BREAK.split(text)
    if not 1 <= line <= len(lines):
        return None
    before = lines[line - 1][: max(column - 1, 0)]
    current = _read(before)
    path, in_block = _above(lines[max(0, line - 1 - _MOST_LINES) : line - 1], current)
    if in_block:
        return Where(path, "value", before.lstrip())
    if _in_comment(current.content):
        return None
    path = (*path, *(ITEM for _ in current.dashes))
    key = _KEY.match(current.content)
    if key is None and current.content[:1] not in ("{", "["):
        quoted = current.content[:1] in ("'", '"')
        typed = current.content[1:] if quoted else current.content
        return Where(path, "value" if current.dashes else "key", typed, quoted)
    if key is None:
        return _in_flow(path, current.content)
    rest = current.content[key.end() :].lstrip()
    return _in_flow((*path, _plain(key["key"])), rest)


def _read(text: str) -> _Line:
    indent = len(text) - len(text.lstrip(" "))
    dashes = _DASHES.match(text, indent)
    assert dashes is not None
    found = tuple(indent + m.start() for m in re.finditer("-", dashes[0]))
    return _Line(indent, found, text[dashes.end() :], dashes.end())


def _above(lines: list[str], current: _Line) -> tuple[Path, bool]:
    """The keys that the line stands under, and whether it is part of a text on several lines."""
    limit = current.dashes[0] + 1 if current.dashes else current.indent
    is_item = bool(current.dashes)
    path: list[str] = []
    in_block = False
    for text in reversed(lines):
        if not text.strip() or text.lstrip().startswith("#"):
            continue
        if limit <= 0:
            break
        above = _read(text)
        if (
            above.dashes
            and above.dashes[0] < limit
            and not (is_item and above.dashes[0] == limit - 1)
        ):
            # an item of a list, of which the line is a part
            key = _KEY.match(above.content)
            if key is not None and above.at < limit:
                path[:0] = [_plain(key["key"])]
            path[:0] = [ITEM] * len(above.dashes)
            limit, is_item = above.dashes[0] + 1, True
        elif not above.dashes and above.indent < limit:
            key = _KEY.match(above.content)
            if key is None:
                continue
            if _BLOCK.search(text) and above.indent < max(current.indent, 1):
                path, in_block = [], True
            path[:0] = [_plain(key["key"])]
            limit, is_item = above.indent, False
    return tuple(path), in_block


def _in_flow(path: Path, rest: str) -> Where:
    """The place in what follows a key: a scalar, or `{…}` and `[…]` that may be open."""
    if rest[:1] not in ("{", "["):
        quoted = rest[:1] in ("'", '"')
        return Where(path, "value", rest[1:] if quoted else rest, quoted)
    open_: list[tuple[str, str | None]] = []  # the bracket, and the key that is being given a value
    start, quote = 0, ""
    for at, sign in enumerate(rest):
        token = rest[start:at].strip()
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'" and not token:
            quote = sign
        elif sign in "{[" and not token:
            open_.append((sign, None))
            start = at + 1
        elif sign in "}]" and open_:
            if not _inside_expression(token, sign):
                open_.pop()
                start = at + 1
        elif sign == "," and open_ and not _inside_expression(token, sign):
            open_[-1] = (open_[-1][0], None)
            start = at + 1
        elif (
            sign == ":"
            and open_
            and open_[-1] == ("{", None)
            and rest[at + 1 : at + 2] in ("", " ")
        ):
            open_[-1] = ("{", _plain(token))
            start = at + 1
    inner = [ITEM if bracket == "[" else key for bracket, key in open_]
    typed = rest[start:].lstrip()
    is_key = bool(open_) and open_[-1] == ("{", None)
    quoted = typed[:1] in ("'", '"')
    where = (*path, *(part for part in inner if part is not None))
    typed = typed[1:] if quoted else typed
    return Where(where, "key" if is_key else "value", typed, quoted, flow=bool(open_))


def _inside_expression(token: str, sign: str) -> bool:
    """Whether a bracket closes one inside the scalar: YAML ends a plain scalar there all the same,
    but people mean `board[1, 2]`.
    """
    return sign == "]" and token.count("[") > token.count("]")


def _in_comment(content: str) -> bool:
    """Whether a '#' outside of quotation marks begins a comment before the cursor."""
    quote = ""
    for at, sign in enumerate(content):
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'" and content[:at].rstrip()[-1:] in ("", ":", ",", "{", "[", "-"):
            quote = sign
        elif sign == "#" and (at == 0 or content[at - 1] in " \t"):
            return True
    return False


def _plain(key: str) -> str:
    return key.strip().strip("\"'")
