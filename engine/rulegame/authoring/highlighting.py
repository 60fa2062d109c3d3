"""The words of a ruleset by what they are: names, functions, numbers and the words of the language
in expressions and in the braces of texts. What does not hold together yet is told word by word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rulegame.authoring.scopes import Known, known_at, resolve, resolve_call
from rulegame.authoring.study import Study
from rulegame.authoring.symbols import DeclaredNames
from rulegame.diagnostics import Passage, Span
from rulegame.keys.moves import EFFECTS
from rulegame.keys.ruleset import ITEM, Path, Place, place_at
from rulegame.source.nodes import Mapping, Node, Scalar, Sequence

KEYWORDS: Final = frozenset(
    ["after", "and", "before", "elif", "else", "end", "false", "for", "if", "in", "my", "none",
     "not", "of", "or", "their", "true"]
)  # fmt: skip
TYPE_WORDS: Final = frozenset(
    ["bool", "cell", "grid", "int", "list", "of", "optional", "player", "set"]
)
TAGS: Final = re.compile(r"\{\{|\{([^{}]*)(?:\}|$)")
WORDS: Final = re.compile(
    r"""(?P<string>"[^"\n]*"|'[^'\n]*')|(?P<number>[0-9]+)|(?P<word>[A-Za-z]\w*)(?P<call>\s*\()?
        |(?P<operator>[=!<>]=|\.\.|[-+*/<>|])""",
    re.VERBOSE,
)


class Token(NamedTuple):
    """A word in a line. Its kind is that of a symbol, or "keyword", "type", "number", "string" or
    "operator".
    """

    span: Span
    kind: str
    declares: bool = False


def tokens(checked: Study) -> list[Token]:
    """The words of the ruleset's own file, in order; no two share a letter."""
    file = checked.outline.file
    found: dict[tuple[int, int], Token] = {}
    for one in checked.outline.occurrences:
        if one.span.file == file.shown_as:
            token = Token(one.span, one.symbols[0].kind, one.declares)
            found.setdefault((one.span.line, one.span.column), token)
    for word in _in_node(checked.outline.names, (), file.root):
        found.setdefault((word.span.line, word.span.column), word)
    kept: list[Token] = []
    for (line, column), token in sorted(found.items()):
        before = kept[-1].span if kept else None
        apart = before is None or (before.line, before.end_column) <= (line, column)
        if apart and token.span.end_line == line and token.span.end_column > column:
            kept.append(token)
    return kept


def _in_node(names: DeclaredNames, path: Path, node: Node) -> Iterator[Token]:
    place = place_at(path)
    if place is None or path[:1] == ("tests",):
        return
    match node:
        case Mapping():
            for key, value in node:
                if place.kind is EFFECTS:
                    yield from _words(names, key.passage, known_at(names, path))
                yield from _in_node(names, (*path, key.text), value)
        case Sequence():
            for item in node.items:
                inner = path if place.is_expression else (*path, ITEM)
                yield from _in_node(names, inner, item)
        case Scalar():
            yield from _in_scalar(names, path, place, node)


def _in_scalar(names: DeclaredNames, path: Path, place: Place, node: Scalar) -> Iterator[Token]:
    if place.is_text:
        known = known_at(names, path, text=True)
        for tag in TAGS.finditer(node.text):
            if tag[1] is not None:
                yield from _words(names, node.passage, known, *tag.span(1))
    elif place.is_type:
        yield from _words(names, node.passage, known_at(names, path), of_type=True)
    elif place.is_expression or path[:1] == ("stuck",):
        yield from _words(names, node.passage, known_at(names, path))


def _words(
    names: DeclaredNames,
    passage: Passage,
    known: Known,
    start: int = 0,
    end: int | None = None,
    of_type: bool = False,
) -> Iterator[Token]:
    """The words in a stretch of a passage, each for itself."""
    stop = len(passage.text) if end is None else end
    for found in WORDS.finditer(passage.text, start, stop):
        kind = found.lastgroup if found.lastgroup != "call" else "word"
        first, last = found.span(kind or 0)
        word = passage.text[first:last]
        if kind == "word" and of_type and word in TYPE_WORDS:
            kind = "type"
        elif kind == "word":
            kind = _kind(names, known, word, bool(found["call"]))
        if kind:
            yield Token(passage.at(first, last), kind)


def _kind(names: DeclaredNames, known: Known, word: str, called: bool) -> str:
    """What a word is; empty if it means nothing."""
    if word in KEYWORDS:
        return "keyword"
    symbols = resolve_call(names, word) if called else resolve(names, known, word)
    return symbols[0].kind if symbols else ""
