"""Formatting: the text of a ruleset in, the same ruleset in the style of the bundled ones out.

Sections and keys come in the order of the schema, where that order means nothing to the game; names
that an author gave stay in theirs. Comments stay with what they stand above or behind. What a
scalar says is never touched, and what comes out is read again before it is handed over.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import yaml

from rulegame.diagnostics import Diagnostic, has_errors
from rulegame.edits import BREAK
from rulegame.keys.kinds import Section
from rulegame.keys.ruleset import ITEM, Path, place_at
from rulegame.source import nodes
from rulegame.source.reading import LOADER, read_bytes

STEP: Final = "  "
WIDTH: Final = 120  # the longest line on which a list or mapping in brackets stays
KEPT: Final = ("claims", "texts", "expect")  # lists of their author's, in their order
HEAD: Final = ("rulegame", "extends", "title", "summary", "players")  # no blank lines between them


class NotFormatted(Exception):
    """The text cannot be formatted: `problems` says why, if it is the text's own fault."""

    def __init__(self, message: str, problems: Sequence[Diagnostic] = ()) -> None:
        super().__init__(message)
        self.problems = tuple(problems)


@dataclass(slots=True)
class _Piece:
    """A node with what surrounds it: `text` of a scalar as it is written, entries of the rest."""

    kind: str  # "scalar", "block" (a scalar with | or >), "mapping" or "list"
    line: int
    column: int
    end_line: int
    text: str = ""
    lines: list[str] = field(default_factory=list)  # of a block scalar, without indentation
    anchor: str = ""
    flow: bool = False
    entries: list[_Entry] = field(default_factory=list)
    tail: list[str] = field(default_factory=list)  # comments behind the last entry


@dataclass(slots=True)
class _Entry:
    """A key with its value, or an item of a list."""

    key: str
    value: _Piece
    line: int
    column: int
    above: list[str] = field(default_factory=list)  # comments and blank lines
    behind: str = ""  # a comment at the end of its (first) line

    @property
    def name(self) -> str:
        return self.key.strip("'\"")


@dataclass(slots=True)
class _Comment:
    line: int
    column: int
    text: str
    alone: bool


def format_text(text: str, file: str = "") -> str:
    """The text in the style of the bundled rulesets; `NotFormatted` if it cannot be read.

    Lines end as the first one does.
    """
    ending = BREAK.search(text)
    before = _read(text, file)
    root = _pieces(text)
    if root.kind != "mapping":
        raise NotFormatted("a ruleset is a mapping of keys to values")
    comments = _comments(text)
    head = _Attaching(text, comments).document(root)
    _order(root, ())
    lines = [*head, *_Writing().document(root)]
    formatted = "\n".join(lines) + "\n"
    _compare(before, formatted, comments)
    return formatted.replace("\n", "\r\n") if ending and ending[0] == "\r\n" else formatted


def _compare(before: nodes.Node, formatted: str, comments: list[_Comment]) -> None:
    """Refuses a formatted text that says something else, or has not the very same comments."""
    after, problems = read_bytes(formatted.encode(errors="surrogateescape"), "")
    if after is None or has_errors(problems):
        raise NotFormatted("formatting would make this file unreadable")
    if changed := _changed(before, after, ()):
        line = changed.span.line
        raise NotFormatted(f"formatting would change the meaning of line {line}")
    left = Counter(comment.text for comment in _comments(formatted))
    for comment in comments:
        if not left[comment.text]:
            raise NotFormatted(f"formatting would lose the comment in line {comment.line + 1}")
        left[comment.text] -= 1
    if left.total():
        raise NotFormatted("formatting would change the comments of this file")


def _read(text: str, file: str) -> nodes.Node:
    root, problems = read_bytes(text.encode(errors="surrogateescape"), file)
    if root is None or has_errors(problems):
        raise NotFormatted("the file cannot be read", problems)
    return root


def _changed(before: nodes.Node, after: nodes.Node, path: Path) -> nodes.Node | None:
    """The first place that says something else than it did, as deep inside as can be told."""
    if _plain(before, path) == _plain(after, path):
        return None
    pairs: list[tuple[nodes.Node, nodes.Node, str]] = []
    if isinstance(before, nodes.Sequence) and isinstance(after, nodes.Sequence):
        pairs = [(old, new, ITEM) for old, new in zip(before.items, after.items, strict=False)]
    elif isinstance(before, nodes.Mapping) and isinstance(after, nodes.Mapping):
        theirs = after.entries
        common = [(name, old) for name, old in before.entries.items() if name in theirs]
        pairs = [(old.value, theirs[name].value, name) for name, old in common]
    parts = (_changed(old, new, (*path, name)) for old, new, name in pairs)
    return next((place for place in parts if place is not None), before)


def _plain(node: nodes.Node, path: Path) -> Any:
    """What a node says, with the order of its keys where that means something."""
    if isinstance(node, nodes.Scalar):
        return (node.text, node.quoted and node.value)
    if isinstance(node, nodes.Sequence):
        return [_plain(item, (*path, ITEM)) for item in node.items]
    inner = [(name, _plain(entry.value, (*path, name))) for name, entry in node.entries.items()]
    return ("unordered", sorted(inner, key=lambda pair: pair[0])) if _known(path) else inner


# ---- pieces out of events


def _pieces(text: str) -> _Piece:
    source = BREAK.split(text.removeprefix("\ufeff"))
    loader = LOADER(text)
    try:
        events = iter(loader.get_event, None)
        for event in events:
            if isinstance(event, yaml.NodeEvent):
                return _piece(event, events, source)
    finally:
        loader.dispose()
    raise NotFormatted("nothing to format")


def _piece(event: Any, events: Iterator[Any], source: list[str]) -> _Piece:
    start, end = event.start_mark, event.end_mark
    if isinstance(event, yaml.AliasEvent) or (
        isinstance(event, yaml.ScalarEvent) and event.style not in ("|", ">")
    ):
        written = _between(source, start, end)
        return _Piece("scalar", start.line, start.column, end.line, written)
    if isinstance(event, yaml.ScalarEvent):
        return _block_scalar(event, source)
    anchor = f"&{event.anchor}" if event.anchor else ""
    mapping = isinstance(event, yaml.MappingStartEvent)
    piece = _Piece("mapping" if mapping else "list", start.line, start.column, end.line)
    piece.anchor, piece.flow = anchor, bool(event.flow_style)
    for inner in events:
        if isinstance(inner, yaml.CollectionEndEvent):
            piece.end_line = inner.end_mark.line  # type: ignore[union-attr]
            break
        key = ""
        line, column = inner.start_mark.line, inner.start_mark.column
        if mapping:
            key = _between(source, inner.start_mark, inner.end_mark).replace("\n", " ")
            inner = next(events)
        piece.entries.append(_Entry(key, _piece(inner, events, source), line, column))
    if not piece.flow:  # the events say where the next thing begins
        piece.end_line = piece.entries[-1].value.end_line if piece.entries else start.line
    return piece


def _between(source: list[str], start: Any, end: Any) -> str:
    """What is written between two marks, without the indentation of further lines."""
    if start.line == end.line:
        return source[start.line][start.column : end.column] if source else ""
    lines = [source[start.line][start.column :], *source[start.line + 1 : end.line]]
    lines.append(source[end.line][: end.column] if end.line < len(source) else "")
    return "\n".join(line.strip() for line in lines).rstrip("\n")


def _block_scalar(event: Any, source: list[str]) -> _Piece:
    line = event.start_mark.line
    header = _header(source[line][event.start_mark.column :])
    body = source[line + 1 : event.end_mark.line + 1]
    if event.end_mark.column == 0 and len(body) > event.end_mark.line - line - 1:
        body = body[: event.end_mark.line - line - 1]
    indents = [len(text) - len(text.lstrip(" ")) for text in body if text.strip()]
    explicit = re.search(r"[|>][-+]?([1-9])", header)
    indent = min(indents, default=0)
    if explicit:
        first = next((k for k in indents), 0)
        content = event.value.split("\n", 1)[0]
        indent = first - (len(content) - len(content.lstrip(" ")))
        header = header[: explicit.start(1)] + str(len(STEP)) + header[explicit.end(1) :]
    if event.value and not event.value.endswith("\n") and "-" not in header:
        header = header.rstrip("+") + "-"  # the file ends here, without a last line break
    piece = _Piece("block", line, event.start_mark.column, line, header)
    while body and not _keeps_blanks(piece) and not body[-1].strip():
        body.pop()
    piece.end_line = line + len(body)
    piece.lines = [text[indent:] for text in body]
    return piece


# ---- comments


def _comments(text: str) -> list[_Comment]:
    """All comments: what begins with a # that stands in no token, or behind a | or >."""
    source = BREAK.split(text.removeprefix("\ufeff"))
    taken = _tokens(text, source)
    found: list[_Comment] = []
    for number, line in enumerate(source):
        for match in re.finditer("#", line):
            at = match.start()
            if any(low <= at < high for low, high in taken.get(number, ())):
                continue
            found.append(_Comment(number, at, line[at:].rstrip(), not line[:at].strip()))
            break
    return found


def _tokens(text: str, source: list[str]) -> dict[int, list[tuple[int, int]]]:
    """Which columns of which lines belong to tokens."""
    taken: dict[int, list[tuple[int, int]]] = {}
    loader = LOADER(text)
    try:
        for token in iter(loader.get_token, None):
            start, end = token.start_mark, token.end_mark
            for number in range(start.line, min(end.line + 1, len(source))):
                low = start.column if number == start.line else 0
                high = end.column if number == end.line else len(source[number])
                if number == start.line and getattr(token, "style", None) in ("|", ">"):
                    high = low + len(_header(source[number][low:]))
                taken.setdefault(number, []).append((low, high))
    finally:
        loader.dispose()
    return taken


def _header(line: str) -> str:
    """How a block scalar begins, without the comment behind it."""
    return line.partition("#")[0].rstrip()


class _Attaching:
    """Gives each comment to the entry that it stands above, behind, or at the end of."""

    def __init__(self, text: str, comments: list[_Comment]) -> None:
        self._source = BREAK.split(text.removeprefix("\ufeff"))
        self._comments = comments
        self._at = 0

    def document(self, root: _Piece) -> list[str]:
        """Attaches all comments below the first key; those above it are handed back."""
        first = root.entries[0].line if root.entries else len(self._source)
        head = _single(_trimmed(self._above(first)))
        self._entries(root, len(self._source))
        root.tail += [comment.text for comment in self._comments[self._at :]]
        return head

    def _entries(self, piece: _Piece, until: int) -> None:
        """The comments of the entries of a mapping or list; `until` is where the rest begins."""
        for k, entry in enumerate(piece.entries):
            follows = piece.entries[k + 1].line if k + 1 < len(piece.entries) else until
            entry.above += self._above(entry.line)
            self._behind(entry, follows)
            if entry.value.kind in ("mapping", "list"):
                self._entries(entry.value, follows)
                if not entry.value.entries:  # empty brackets have no room for comments
                    entry.above += entry.value.tail
                    entry.value.tail.clear()
                self._behind(entry, follows)
        if piece.flow:
            piece.tail += self._taken(lambda comment: comment.line < piece.end_line)
        elif piece.entries and piece.entries[0].column:
            column = piece.entries[0].column - (0 if piece.kind == "mapping" else len(STEP))
            piece.tail += self._taken(lambda c: c.alone and c.line < until and c.column >= column)

    def _taken(self, belongs: Callable[[_Comment], bool]) -> Iterator[str]:
        while self._at < len(self._comments) and belongs(self._comments[self._at]):
            yield self._comments[self._at].text
            self._at += 1

    def _above(self, line: int) -> list[str]:
        """The comments before a line, and where blank lines stand between them."""
        found: list[str] = []
        while self._at < len(self._comments) and self._comments[self._at].line < line:
            comment = self._comments[self._at]
            if self._is_blank(comment.line - 1):
                found.append("")
            found.append(comment.text)
            self._at += 1
        if self._is_blank(line - 1):
            found.append("")
        return found

    def _is_blank(self, line: int) -> bool:
        return 0 <= line < len(self._source) and not self._source[line].strip()

    def _behind(self, entry: _Entry, follows: int) -> None:
        """A comment at the end of a line belongs to the last entry on it."""
        if self._at == len(self._comments) or self._comments[self._at].line >= follows:
            return
        comment = self._comments[self._at]
        inner = entry.value.kind in ("mapping", "list")
        last = entry.line if inner and not entry.value.flow else entry.value.end_line
        if not comment.alone and comment.line in (entry.line, last) and not entry.behind:
            if inner and entry.value.flow and comment.line < entry.value.end_line:
                return
            if inner and not entry.value.flow and entry.value.entries[0].line <= comment.line:
                return  # it stands behind the first entry inside: `- key: value  # here`
            entry.behind = comment.text
            self._at += 1


# ---- order


def _known(path: Path) -> bool:
    """Whether a mapping has only keys of the language, whose order means nothing."""
    place = place_at(path)
    named = [key for key in path if key != ITEM]
    if place is None or not isinstance(place.kind, Section) or (named and named[-1] in KEPT):
        return False
    return bool(place.keys)


def _order(piece: _Piece, path: Path) -> None:
    if piece.kind == "mapping" and _known(path) and not _has_anchors(piece):
        place = place_at(path)
        places = {key.name: k for k, key in enumerate(place.keys)} if place else {}
        piece.entries.sort(key=lambda entry: places.get(entry.name, len(places)))
    for entry in piece.entries:
        _order(entry.value, (*path, entry.name if piece.kind == "mapping" else ITEM))


def _has_anchors(piece: _Piece) -> bool:
    """Whether something inside is repeated elsewhere, or repeats: that must not change places."""
    marks = piece.anchor or (piece.kind in ("scalar", "block") and piece.text[:1] in ("&", "*"))
    return bool(marks) or any(_has_anchors(entry.value) for entry in piece.entries)


# ---- lines


class _Writing:
    """The lines of pieces, two spaces deeper at each level."""

    def document(self, root: _Piece) -> Iterator[str]:
        yield from (root.anchor,) if root.anchor else ()
        before: _Entry | None = None
        for entry in root.entries:
            together = before is not None and before.name in HEAD and entry.name in HEAD
            if before is not None and not together and not _keeps_blanks(before.value):
                yield ""
            yield from _single(_trimmed(entry.above))
            yield from self._entry(entry, "", f"{entry.key}:")
            before = entry
        yield from ("", *root.tail) if root.tail else ()

    def _entries(self, piece: _Piece, indent: str) -> Iterator[str]:
        before: _Entry | None = None
        for entry in piece.entries:
            self._raise_comments(entry, indent)
            above = _single(entry.above)
            if before is None or _keeps_blanks(before.value):
                above = _trimmed(above)
            yield from (indent + text if text else "" for text in above)
            yield from self._entry(entry, indent, f"{entry.key}:" if entry.key else "-")
            before = entry
        yield from (indent + text for text in piece.tail)

    def _raise_comments(self, item: _Entry, indent: str) -> None:
        """An item of several lines begins behind its dash: comments there go above the dash."""
        if item.key or not item.value.entries or self._short(item, indent, "-") is not None:
            return
        first = item.value.entries[0]
        self._raise_comments(first, indent + STEP)
        item.above += [*filter(None, (item.behind,)), *_trimmed(first.above)]
        item.behind, first.above = "", []

    def _entry(self, entry: _Entry, indent: str, lead: str) -> Iterator[str]:
        value = entry.value
        behind = f"  {entry.behind}" if entry.behind else ""
        if value.kind == "scalar":
            first, *rest = value.text.split("\n")
            if not rest:
                yield f"{indent}{lead} {first}".rstrip() + behind
                return
            yield f"{indent}{lead} {first}".rstrip()
            yield from (f"{indent}{STEP}{line}" if line else "" for line in rest[:-1])
            yield f"{indent}{STEP}{rest[-1]}" + behind
        elif value.kind == "block":
            yield f"{indent}{lead} {value.text}" + behind
            yield from (f"{indent}{STEP}{line}" if line else "" for line in value.lines)
        elif (short := self._short(entry, indent, lead)) is not None:
            yield short + behind
        elif lead == "-" and not value.anchor:
            lines = list(self._entries(value, indent + STEP))
            yield f"{indent}- {lines[0].lstrip()}"
            yield from lines[1:]
        else:
            yield " ".join(filter(None, (f"{indent}{lead}", value.anchor))) + behind
            yield from self._entries(value, indent + STEP)

    def _short(self, entry: _Entry, indent: str, lead: str) -> str | None:
        """The entry on one line, if its value is in brackets and short enough."""
        value = entry.value
        if value.entries and (not value.flow or _has_comments(value) or _has_blank_lines(value)):
            return None
        line = f"{indent}{lead} {_inline(value)}"
        return line if not value.entries or len(line) <= WIDTH else None


def _keeps_blanks(piece: _Piece) -> bool:
    """Whether blank lines behind a piece would belong to its last text, a scalar with `|+`."""
    if piece.kind == "block":
        return "+" in piece.text
    return bool(piece.entries) and _keeps_blanks(piece.entries[-1].value)


def _has_comments(piece: _Piece) -> bool:
    return bool(piece.tail) or any(
        any(entry.above) or entry.behind or _has_comments(entry.value) for entry in piece.entries
    )


def _has_blank_lines(piece: _Piece) -> bool:
    """Whether a scalar inside has a line break in what it says, which one line cannot show."""
    return any("\n\n" in e.value.text or _has_blank_lines(e.value) for e in piece.entries)


def _inline(piece: _Piece) -> str:
    """A list or mapping in brackets; scalars of several lines are joined as YAML joins them."""
    if piece.kind == "scalar":
        text = re.sub(r"(?<!\\)((?:\\\\)*)\\\n", r"\1", piece.text)  # an escaped line break
        return text.replace("\n", " ")
    anchor = f"{piece.anchor} " if piece.anchor else ""
    if piece.kind == "list":
        return f"{anchor}[{', '.join(_inline_item(entry) for entry in piece.entries)}]"
    return f"{anchor}{{{', '.join(_inline_item(entry) for entry in piece.entries)}}}"


def _inline_item(entry: _Entry) -> str:
    value = _inline(entry.value)
    return f"{entry.key}: {value}".rstrip() if entry.key and value else entry.key or value


def _trimmed(above: list[str]) -> list[str]:
    """Without blank lines at the beginning."""
    first = next((k for k, text in enumerate(above) if text), len(above))
    return above[first:]


def _single(above: list[str]) -> list[str]:
    """With no two blank lines in a row."""
    return [text for k, text in enumerate(above) if text or k == 0 or above[k - 1]]
