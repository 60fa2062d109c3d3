"""Small slips in rulesets that are right: one wrong letter in a key, a name or an expression,
and where it shows.

Reads a ruleset with the engine's own reader only to know what each word is: a key of the language,
a name that is declared there, or a word inside an expression or a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from rulegame.source.nodes import Mapping, Node, Scalar, Sequence
from rulegame.source.reading import read_bytes

Kind = Literal["key", "declaration", "name", "free"]

# Paths of keys that are names given by the author; a `*` is any key. The last column tells what
# becomes of a misspelling: it shows where the name is used, or nowhere (nothing has to use it).
DECLARED: Final[tuple[tuple[tuple[str, ...], Kind], ...]] = (
    (("parameters", "*"), "declaration"),
    (("define", "*"), "declaration"),
    (("state", "each player", "*"), "declaration"),
    (("state", "each player"), "key"),
    (("state", "*"), "declaration"),
    (("*", "*", "choose", "*"), "declaration"),
    (("turn", "roll", "*"), "declaration"),
    (("*", "*", "roll", "*"), "declaration"),
    (("*", "*", "steps", "*", "roll", "*"), "declaration"),
    (("*", "*", "steps", "*"), "free"),
    (("setup", "*"), "free"),
    (("operations", "*"), "free"),
    (("validity", "*"), "free"),
    (("end", "*"), "free"),
    (("tests", "*", "set", "*"), "name"),
    (("tests", "*", "given", "*"), "name"),
    (("tests", "*", "expect", "values", "*"), "name"),
    (("tests", "*", "expect", "invalid", "*"), "name"),
    (("tests", "*"), "free"),
)
EXPRESSIONS: Final = frozenset(
    ["require", "when", "unless", "from", "weight", "start", "size", "rows", "columns", "result",
     "winners", "payoff", "next", "repeat", "while"]
)  # fmt: skip
TEXTS: Final = frozenset(["note", "because", "text", "menu", "option", "prompt"])
REFERENCES: Final[tuple[tuple[str, ...], ...]] = (
    ("turn", "ask", "*"),
    ("validity", "*", "for", "*"),
    ("tests", "*", "play", "*"),
    ("tests", "*", "expect", "valid", "*"),
    ("tests", "*", "expect", "invalid", "*"),
    ("tests", "*", "expect", "outcome", "rule"),
    ("tests", "*", "enable", "*"),
    ("tests", "*", "disable", "*"),
)
WORD: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
QUOTED: Final = re.compile(r"\"[^\"]*\"|'[^']*'")
BRACES: Final = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True, slots=True)
class Spot:
    """A word of a ruleset: what it is, its place in the file, and the lines of the value around
    it.
    """

    kind: Kind
    word: str
    offset: int
    line: int
    lines: range


@dataclass(frozen=True, slots=True)
class Slip:
    """A ruleset with one word misspelt."""

    spot: Spot
    written: str
    text: str

    def __str__(self) -> str:
        return f"line {self.spot.line}: {self.spot.kind} '{self.spot.word}' as '{self.written}'"


def spots(text: str) -> list[Spot]:
    """Every word of a ruleset in which a slip matters."""
    root, problems = read_bytes(text.encode(), "ruleset")
    assert root is not None
    assert not problems
    starts = [0]
    for line in text.split("\n"):
        starts.append(starts[-1] + len(line) + 1)
    found = {spot.offset: spot for spot in _walk(root, (), starts)}  # an alias is read twice
    return [found[offset] for offset in sorted(found)]


def slips(text: str, spot: Spot) -> Iterator[Slip]:
    """The word with one letter left out, doubled, or exchanged with the next one."""
    word = spot.word
    for k in range(len(word)):
        for written in (
            word[:k] + word[k + 1 :],
            word[: k + 1] + word[k:],
            word[:k] + word[k + 1 : k + 2] + word[k] + word[k + 2 :],
        ):
            if written != word and re.fullmatch(r"[A-Za-z][A-Za-z0-9_ ]*", written):
                end = spot.offset + len(word)
                yield Slip(spot, written, text[: spot.offset] + written + text[end:])


def _walk(node: Node, path: tuple[str, ...], starts: list[int]) -> Iterator[Spot]:
    if isinstance(node, Scalar):
        yield from _in_value(node, path, starts)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _walk(item, (*path, "*"), starts)
    else:
        assert isinstance(node, Mapping)
        for key, value in node:
            inner = (*path, key.text)
            yield from _in_key(key, inner, starts)
            yield from _walk(value, inner, starts)


def _in_key(key: Scalar, path: tuple[str, ...], starts: list[int]) -> Iterator[Spot]:
    if "effects" in path[:-1] and path[-2] == "effects":
        yield from _words(key, 0, len(key.text), "name", starts)
        return
    kind: Kind = next((kind for pattern, kind in DECLARED if _matches(path, pattern)), "key")
    if kind == "name":
        yield from list(_words(key, 0, len(key.text), "name", starts))[:1]
    elif path[0] == "define" and len(path) == 2:
        yield from list(_words(key, 0, len(key.text), "declaration", starts))[:1]
    elif not key.quoted:
        yield _spot(key, 0, len(key.text), kind, starts)


def _in_value(node: Scalar, path: tuple[str, ...], starts: list[int]) -> Iterator[Spot]:
    if not isinstance(node.value, str):
        return
    key = path[-1]
    if any(_matches(path, pattern) for pattern in REFERENCES):
        yield from list(_words(node, 0, len(node.text), "name", starts))[:1]
    elif _is_text(path):
        for braces in BRACES.finditer(node.text):
            yield from _words(node, braces.start(1), braces.end(1), "name", starts)
    elif key in EXPRESSIONS or _is_short_form(path):
        yield from _words(node, 0, len(node.text), "name", starts)


def _is_text(path: tuple[str, ...]) -> bool:
    if path[0] == "tests":
        return False
    in_texts = len(path) > 1 and path[-2] in ("texts", "rulebook")
    return in_texts or path[-1] in TEXTS or _matches(path, ("validity", "*", "stuck"))


def _is_short_form(path: tuple[str, ...]) -> bool:
    """An expression that stands directly behind a name."""
    if path[0] == "tests" or path[-1] in ("about", "type", "label", "key", "doing", "seen by"):
        return False
    under = path[-2] if len(path) > 1 else ""
    if under in ("effects", "choose", "roll", "define", "state", "each player", "validity"):
        return True
    return path == ("stuck",)


def _matches(path: tuple[str, ...], pattern: tuple[str, ...]) -> bool:
    return len(path) == len(pattern) and all(
        want in ("*", have) for have, want in zip(path, pattern, strict=True)
    )


def _words(node: Scalar, start: int, end: int, kind: Kind, starts: list[int]) -> Iterator[Spot]:
    """The words in a stretch of an expression, without those in quotation marks."""
    quoted = [m.span() for m in QUOTED.finditer(node.text, start, end)]
    for found in WORD.finditer(node.text, start, end):
        if not any(a <= found.start() < b for a, b in quoted):
            yield _spot(node, found.start(), found.end(), kind, starts)


def _spot(node: Scalar, start: int, end: int, kind: Kind, starts: list[int]) -> Spot:
    span = node.at(start, end)
    lines = range(node.span.line, node.span.end_line + 1)
    offset = starts[span.line - 1] + span.column - 1
    return Spot(kind, node.text[start:end], offset, span.line, lines)
