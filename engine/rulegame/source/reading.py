"""Reading: bytes in, located nodes and diagnostics out.

Works on YAML events, so that size, depth, aliases, tags and duplicate keys are judged before
anything is built. No input, however hostile, ends in an exception.
"""

from __future__ import annotations

import codecs
import math
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final, cast

import yaml

from rulegame.codes import BAD_ALIAS, INVISIBLE_CHARACTER, NOT_YAML, TOO_MANY_NODES
from rulegame.diagnostics import (
    AliasedFile,
    Diagnostic,
    Edit,
    Related,
    Span,
    Style,
    Suggestion,
    in_file_order,
)
from rulegame.files import disk
from rulegame.limits import LIMITS
from rulegame.source.nodes import Entry, Mapping, Node, Plain, Scalar, Sequence
from rulegame.source.yaml_text import BLANKS, FORBIDDEN, WORD, Place, Source, shown

Result = tuple[Node | None, tuple[Diagnostic, ...]]


def _explaining() -> Any:
    """The explanations of what is wrong; right files are read without them."""
    from rulegame.source import yaml_errors as yaml_syntax

    return yaml_syntax


def _loader() -> Any:
    """The loader whose events are read: libyaml's, or one that accepts the same."""
    if hasattr(yaml, "CBaseLoader"):
        return yaml.CBaseLoader
    from rulegame.source.pure_loader import PureLoader

    return PureLoader


LOADER: Any = _loader()

OTHER_MARKS: Final = (
    codecs.BOM_UTF32_LE,
    codecs.BOM_UTF32_BE,
    codecs.BOM_UTF16_LE,
    codecs.BOM_UTF16_BE,
)
SAVE_AS_UTF8: Final = "save the file as UTF-8"
TOO_MANY: Final = f"more than {LIMITS.nodes:,} keys and values"
TOO_LONG: Final = f"more than {LIMITS.letters:,} characters"
TOO_DEEP: Final = f"nested more than {LIMITS.depth} levels deep"


class Files:
    """Where the text of rulesets comes from: the disk. An editor has some of it in memory."""

    def exists(self, path: Path) -> bool:
        """Whether there is such a file."""
        return disk.exists(path)

    def text(self, path: Path) -> str | None:
        """The text of a file; None if there is none that can be read."""
        try:
            data = disk.read_file(path, LIMITS.file_bytes)
            return None if len(data) > LIMITS.file_bytes else data.decode()
        except (OSError, ValueError):
            return None

    def read(self, path: Path, shown_as: str) -> Result:
        """The nodes of a file, which people know as `shown_as`."""
        return read_file(path, shown_as)


DISK: Final = Files()


def read_file(path: Path, shown_as: str | None = None) -> Result:
    """The nodes of a file; `shown_as` is what people know it by."""
    file = str(path) if shown_as is None else shown_as
    try:
        return read_bytes(disk.read_file(path, LIMITS.file_bytes), file)
    except disk.CannotRead as problem:
        message = f"cannot read {shown(file, 200)}: {problem}"
        return None, (Diagnostic("E101", message, Span.whole(file)),)


def read_bytes(data: bytes, file: str) -> Result:
    """The nodes of a file's content."""
    if len(data) > LIMITS.file_bytes:
        return _too_large("file", file)
    if data.startswith(OTHER_MARKS):
        message = "the file is not UTF-8 but UTF-16 or UTF-32"
        return None, (Diagnostic("E103", message, Span.whole(file), SAVE_AS_UTF8),)
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        return read_text(data.decode(), file)
    except UnicodeDecodeError as error:
        source = Source(file, data.decode(errors="replace"))
        span = source.span(len(data[: error.start].decode()))
        message = f"the file is not UTF-8: invalid byte 0x{data[error.start]:02X}"
        return None, (Diagnostic("E103", message, span, SAVE_AS_UTF8),)


def read_value(text: str, file: str) -> Result:
    """The node of a single value, such as `[1, 2, 3]`, from a command line."""
    if len(text.encode(errors="replace")) > LIMITS.file_bytes:
        return _too_large("value", file)
    return read_text(text, file)


def _too_large(what: str, file: str) -> Result:
    message = f"the {what} is larger than {LIMITS.file_bytes:,} bytes"
    return None, (Diagnostic("E102", message, Span.whole(file)),)


def read_text(text: str, file: str) -> Result:
    """The nodes of a text."""
    source = Source(file, text)
    reading = _Reading(source)
    if found := FORBIDDEN.search(text):
        reading.forbid_written(found[0], source.span(found.start()))
    root: Node | None = None
    try:
        reading.directives()
        root = reading.document()
    except _Stop as stop:
        # A forbidden character, or what is wrong in the same line, may be its cause.
        known = {p.span.line for p in reading.problems}
        caused = INVISIBLE_CHARACTER in reading.said or stop.problem.span.line in known
        repeated = stop.problem.code == TOO_MANY_NODES and BAD_ALIAS in reading.said
        may_be_caused = stop.problem.code in (NOT_YAML, INVISIBLE_CHARACTER)
        if not repeated and not (may_be_caused and caused):
            reading.problems.append(stop.problem)
    return root, in_file_order(reading.problems)[: LIMITS.problems]


# ── Plain scalars ─────────────────────────────────────────────────────────────────────────────────

WORDS: Final[dict[str, Plain]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
INTEGER: Final = re.compile("([-+]?)(?:([0-9]+)|0o([0-7]+)|0x([0-9a-fA-F]+))")
FLOAT: Final = re.compile(r"[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
NOT_FINITE: Final = re.compile(r"[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
DIGITS: Final = 30  # more than any number within the limits has, in base 8 too


class _BadNumber(Exception):
    """A number that the language cannot hold."""


def resolve(text: str) -> Plain:
    """The value of a plain scalar by the core schema of YAML 1.2."""
    if text in WORDS:
        return WORDS[text]
    if NOT_FINITE.fullmatch(text):
        raise _BadNumber(f"{text} is not a finite number")
    found = INTEGER.fullmatch(text)
    if found and (found[2] or not found[1]):
        return _integer(found)
    if FLOAT.fullmatch(text):
        number = float(text)
        if not math.isfinite(number):
            raise _BadNumber(f"the number {shown(text)} is too large")
        return number
    return text


def _integer(found: re.Match[str]) -> int:
    base = 10 if found[2] else 8 if found[3] else 16
    digits = (found[2] or found[3] or found[4]).lstrip("0") or "0"
    # int() refuses thousands of digits, so they are counted first.
    number = int(digits, base) if len(digits) <= DIGITS else LIMITS.integer + 1
    if number > LIMITS.integer:
        raise _BadNumber(f"the number {shown(found[0])} is too large")
    return -number if found[1] == "-" else number


# ── Nodes out of events ───────────────────────────────────────────────────────────────────────────


class _Stop(Exception):
    """A problem after which nothing more can be read."""

    def __init__(self, problem: Diagnostic) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(slots=True)
class _Anchor:
    """What an alias repeats; there is no node yet while it is being read."""

    node: Node | None = None
    size: int = 1
    letters: int = 0
    height: int = 0


@dataclass(slots=True)
class _Open:
    """A sequence or mapping that is being read."""

    start: int
    end: int
    mapping: bool
    flow: bool
    counted: int  # nodes before this one
    lettered: int  # characters before this one
    anchor: _Anchor
    height: int = 1
    items: list[Node] = field(default_factory=list)
    entries: dict[str, Entry] = field(default_factory=dict)
    key: Scalar | None = None  # None for a bad key, whose value is dropped
    at_value: bool = False


class _Reading:
    """The state of reading one document."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.problems: list[Diagnostic] = []
        self.said: set[str] = set()  # codes of what is said once for each file
        self.nodes = 0
        self.letters = 0
        self.documents = 0
        self.open: list[_Open] = []
        self.anchors: dict[str, _Anchor] = {}
        self.root: Node | None = None

    def report(
        self, code: str, message: str, span: Span, hint: str = "", *related: Related
    ) -> None:
        if len(self.problems) < LIMITS.problems:
            self.problems.append(Diagnostic(code, message, span, hint, related=related))

    def report_once(self, code: str, message: str, span: Span, hint: str = "") -> None:
        if code not in self.said:
            self.said.add(code)
            self.report(code, message, span, hint)

    def forbid(self, character: str, span: Span) -> None:
        message = f"the invisible character U+{ord(character):04X} is not allowed"
        hint = f"if this is a text, {SAVE_AS_UTF8}" if character == "\0" else "remove it"
        self.report_once("E111", message, span, hint)

    def forbid_written(self, character: str, span: Span) -> None:
        """The same for one that stands in the file itself, where it can be taken out."""
        self.forbid(character, span)
        if character != "\0":
            taken_out = Suggestion("", (Edit(span, ""),))
            self.problems[-1] = self.problems[-1]._replace(suggestions=(taken_out,))

    def directives(self) -> None:
        """Judge the `%` lines above the document: the parsers differ in what they accept."""
        for line, start in zip(self.source.lines, self.source.starts, strict=True):
            bare = line.lstrip(" \t")
            if not line.startswith("%"):
                if bare and not bare.startswith("#"):
                    return
                continue
            span = self.source.span(start, start + len(line))
            if re.match(r"%TAG(?:[ \t]|$)", line):
                self.report("E107", "tags are not part of the language", span, "remove this line")
            elif not re.fullmatch(r"%YAML +1\.[12] *(?: #.*)?", line):
                message = f"'{shown(line)}' is not a directive of YAML 1.2"
                raise _Stop(Diagnostic("E104", message, span, "remove this line"))

    def document(self) -> Node | None:
        loader = LOADER(self.source.text)
        try:
            while loader.check_event() and self._take(loader.get_event()):
                pass
        except yaml.MarkedYAMLError as error:
            raise _Stop(_explaining().syntax_problem(self.source, error)) from None
        except (ValueError, OverflowError):  # from chr(), where the pure parser meets "\UFFFFFFFF"
            raise _Stop(_explaining().bad_escape(self.source, loader.get_mark().index)) from None
        finally:
            loader.dispose()
        if self.root is None and self.documents <= 1:
            message = "the file is empty"
            raise _Stop(Diagnostic("E110", message, Span.whole(self.source.file)))
        return self.root

    def _take(self, event: Any) -> bool:
        """One event; False if the rest is of no interest."""
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._begin(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end(event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self.documents += 1
            if self.documents > 1:
                start: int = event.start_mark.index  # type: ignore[union-attr]
                span = self.source.span(start)
                hint = "a file holds one ruleset: remove the line '---' or everything below it"
                self.report("E108", "a second YAML document starts here", span, hint)
                return False
        return True

    def _count(self, offset: int, size: int = 1) -> None:
        self.nodes += size
        if self.nodes > LIMITS.nodes:
            raise _Stop(Diagnostic("E114", TOO_MANY, self.source.span(offset)))

    def _start(self, event: Any) -> int:
        """Count a node and judge its tag; where it begins behind tag and anchor."""
        start: int = event.start_mark.index
        self._count(start)
        if event.tag is not None:
            tag = self.source.text.find("!", start)
            word = WORD.match(self.source.text, tag)
            span = self.source.span(tag, word.end() if word else None)
            hint = _explaining().REMOVE_TAG
            if word and word[0][1:2].islower() and not getattr(event, "value", ""):
                hint = f"write 'not {shown(word[0][1:])}' for a condition; {hint}"
            self.report("E107", "tags are not part of the language", span, hint)
        if event.tag is None and event.anchor is None:
            return start
        return self.source.after_properties(start)

    def _anchor(self, name: str | None, node: Node | None = None, letters: int = 0) -> _Anchor:
        anchor = _Anchor(node, letters=letters)
        if name is not None:
            self.anchors[name] = anchor
        return anchor

    def _scalar(self, event: Any) -> None:
        text, end = event.value, event.end_mark.index
        style: Any = event.style or ""  # None or "" for a plain scalar, by parser
        if not (text or style or self.open or event.tag or event.anchor):
            return  # a document that is only `---`
        start = min(self._start(event), end)
        places: tuple[Place, ...] = ()
        if style in ("|", ">"):
            start, end, places = self._block(start, end, text)
        elif style:
            places = self.source.flow_places(start + 1, end - 1, style, text)
        elif not text:
            start = end = self._nothing_at(end)
        elif text != self.source.text[start:end]:
            places = self.source.flow_places(start, end, style, text)
        span = self.source.span(start, end)
        value = text if style else self._value(text, span)
        plain: Style = "flow" if self.open and self.open[-1].flow else "plain"
        scalar = Scalar(span, value, text, style or plain, places)
        if style == '"':
            self._judge_escapes(scalar)
        self.letters += len(text)
        self._anchor(event.anchor, scalar, len(text))
        self._add(scalar, span, end)

    def _nothing_at(self, offset: int) -> int:
        """Where to show an empty value: behind its key, not where the next thing begins."""
        while offset and self.source.text[offset - 1] in BLANKS:
            offset -= 1
        return offset

    def _block(self, start: int, end: int, text: str) -> tuple[int, int, tuple[Place, ...]]:
        """Where the content of a block scalar starts and ends, and the place of each character."""
        places = self.source.block_places(self.source.line_end(start), end, text)
        behind = len(text.rstrip(BLANKS))
        if not behind:
            return start, start + 1, places
        first = places[len(text) - len(text.lstrip(BLANKS))]
        return self.source.offset(first), self.source.offset(places[behind - 1]) + 1, places

    def _value(self, text: str, span: Span) -> Plain:
        try:
            return resolve(text)
        except _BadNumber as bad:
            if self.open and self.open[-1].mapping and not self.open[-1].at_value:
                return text  # a key is known by its text alone
            hint = f"whole numbers go up to {LIMITS.integer}"
            self.report("E112", str(bad), span, hint)
            return None

    def _judge_escapes(self, scalar: Scalar) -> None:
        """An escape must not bring in what may not be written, such as terminal controls."""
        for found in FORBIDDEN.finditer(scalar.text):
            if "\ud800" <= found[0] <= "\udfff":  # libyaml goes no further than this either
                offset = self.source.offset(scalar.places[found.start()])
                raise _Stop(_explaining().bad_escape(self.source, offset))
            self.forbid(found[0], scalar.at(found.start(), found.end()))

    def _alias(self, event: Any) -> None:
        start, end, name = event.start_mark.index, event.end_mark.index, shown(event.anchor)
        span = self.source.span(start, end)
        anchor = self.anchors.get(event.anchor)
        if anchor is None:
            hint = "put text that begins with '*' in quotes"
            self.report("E106", f"undefined alias '*{name}': no anchor '&{name}' above", span, hint)
        elif anchor.node is None:
            self.report("E106", f"'*{name}' refers to itself", span)
        elif self.nodes + anchor.size > LIMITS.nodes:
            self.report_once("E106", f"'*{name}' expands to {TOO_MANY}", span)
        elif self.letters + anchor.letters > LIMITS.letters:
            self.report_once("E106", f"'*{name}' expands to {TOO_LONG}", span)
        elif len(self.open) + anchor.height > LIMITS.depth:
            self.report("E109", f"with '*{name}' expanded, this is {TOO_DEEP}", span)
        else:
            self._count(start, anchor.size)
            self.letters += anchor.letters
            self._add(self._repeated(anchor.node, span, name), span, end, anchor.height)
            return
        self._count(start)
        self._add(Scalar(span, None, ""), span, end, sound=False)

    def _repeated(self, node: Node, span: Span, name: str) -> Node:
        """What an alias stands for; as a value, with places that know the alias."""
        around = self.open[-1] if self.open else None
        if around is None or (around.mapping and not around.at_value):
            return node
        file = AliasedFile(span.file)
        file.alias, file.place = name, span
        return _in_file(node, file)

    def _begin(self, event: Any) -> None:
        start = self._start(event)
        if len(self.open) == LIMITS.depth:
            raise _Stop(Diagnostic("E109", f"this is {TOO_DEEP}", self.source.span(start)))
        mapping = isinstance(event, yaml.MappingStartEvent)
        anchor = self._anchor(event.anchor)
        flow = bool(event.flow_style)
        self.open.append(_Open(start, start, mapping, flow, self.nodes - 1, self.letters, anchor))

    def _end(self, event: Any) -> None:
        done = self.open.pop()
        end = event.end_mark.index if done.flow else done.end  # a block ends with its last child
        span = self.source.span(done.start, end)
        node: Node = Sequence(span, tuple(done.items), done.flow)
        if done.mapping:
            node = Mapping(span, done.entries, done.flow)
        done.anchor.node = node
        done.anchor.size = self.nodes - done.counted
        done.anchor.letters = self.letters - done.lettered
        done.anchor.height = done.height
        self._add(node, span, end, done.height)

    def _add(self, node: Node, span: Span, end: int, height: int = 0, sound: bool = True) -> None:
        """Put a node into the collection around it; `span` is where it is used, up to `end`."""
        if not self.open:
            self.root = node
            return
        parent = self.open[-1]
        parent.end = end
        parent.height = max(parent.height, height + 1)
        if not parent.mapping:
            parent.items.append(node)
        elif not parent.at_value:
            parent.key = self._key(node, span, parent) if sound else None
            parent.at_value = True
        else:
            if parent.key is not None:
                parent.entries[parent.key.text] = Entry(parent.key, node)
            parent.at_value = False

    def _torn(self, parent: _Open, node: Scalar) -> Diagnostic | None:
        """A second key that is only a piece of an expression with a comma in it."""
        if len(self.problems) >= LIMITS.problems:
            return None  # nobody is told of more
        at = self.source.starts[node.span.line - 1] + node.span.column - 1
        found: Diagnostic | None = _explaining().torn_apart(self.source, parent.start, at)
        return found

    def _key(self, node: Node, span: Span, parent: _Open) -> Scalar | None:
        if not isinstance(node, Scalar):
            kind = "mapping" if isinstance(node, Mapping) else "list"
            hint = "put text that begins with '{' or '[' in quotes"
            self.report("E113", f"a key must be text, not a {kind}", span, hint)
        elif node.value is None:
            self.report("E113", "a key must be text, not empty", span, "put it in quotes")
        elif len(node.text) > LIMITS.key_length:
            self.report("E113", f"a key of more than {LIMITS.key_length} characters", span)
        elif (first := parent.entries.get(node.text)) is not None:
            if parent.flow and (torn := self._torn(parent, node)) is not None:
                self.problems.append(torn)
                return None
            related = Related("first defined here", first.key.span)
            message = f"duplicate key '{shown(node.text)}'"
            self.report("E105", message, span, "", related)
        else:
            return node
        return None


def _in_file(node: Node, file: str) -> Node:
    """The node with places in a file of another name."""
    span = node.span._replace(file=file)
    if isinstance(node, Scalar):
        return node._replace(span=span)
    if isinstance(node, Sequence):
        return node._replace(span=span, items=tuple(_in_file(item, file) for item in node.items))
    entries = {
        name: Entry(cast(Scalar, _in_file(entry.key, file)), _in_file(entry.value, file))
        for name, entry in node.entries.items()
    }
    return replace(node, span=span, entries=entries)
