"""What a file declares: parameters, definitions, values, operations with their choices, rolls and
steps, rules, words. Reads the file as it is written, short forms and gaps included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from rulegame.authoring.symbols import Declaration, DeclaredNames, Kind, Symbol
from rulegame.building.definitions import HEAD
from rulegame.building.players import count_of
from rulegame.building.together import NAME as TOGETHER
from rulegame.language.parsing import SyntaxProblem, parse_expression, parse_type
from rulegame.language.syntax import WordsOf
from rulegame.source.nodes import (
    Entry,
    Mapping,
    Node,
    Scalar,
    is_null,
    items_of,
    mapping_of,
    text_of,
)
from rulegame.source.nodes import Sequence as SequenceNode

NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
SECTIONS: Final[dict[str, Kind]] = {
    "parameters": "parameter",
    "types": "type",
    "validity": "validity rule",
    "end": "end rule",
}


def declare(root: Mapping, names: DeclaredNames) -> None:
    """Adds what a file declares to what its parents do, and removes what it removes."""
    players = root.get("players")
    if isinstance(players, SequenceNode):
        names.players = len(players.items)
    elif (count := count_of(root)) is not None:
        names.players = count.most if count.least != count.most else count.least
    given = mapping_of(root.get("turn")).get("together")
    if given is not None:
        names.together = not (isinstance(given, Scalar) and given.value in (None, False))
    for found in declarations(root):
        if is_null(found.node) and found.symbol.kind != "word":
            names.remove(found.symbol)
        else:
            names.add(found)


def declarations(root: Mapping) -> Iterator[Declaration]:
    """What a file declares, changes or, with null, removes."""
    for section, kind in SECTIONS.items():
        for entry in _entries(root, section):
            yield _declared(kind, entry)
    for entry in _entries(root, "parameters"):
        for item in items_of(mapping_of(entry.value).get("one of")):
            if isinstance(item, Scalar):
                yield Declaration(Symbol("word", item.text), item.span, item)
    for entry in _entries(root, "types"):
        yield from _words_in_order(entry.value)
    for entry in _entries(root, "define"):
        yield from _definition(entry)
    yield from _values(root)
    turn = mapping_of(root.get("turn"))
    for entry in _entries(turn, "let"):
        yield _declared("value of a move", entry)
        yield from words_of_type(mapping_of(entry.value).get("type"))
    for entry in _entries(turn, "roll"):
        yield from _drawn("roll", entry)
    yield from _steps(turn, TOGETHER)
    for section in ("setup", "operations"):
        for entry in _entries(root, section):
            yield from _operation(entry, "setup" if section == "setup" else "operation")


def _entries(node: Mapping, key: str) -> Iterator[Entry]:
    return iter(mapping_of(node.get(key)).entries.values())


def _declared(kind: Kind, entry: Entry, owner: str = "", each_player: bool = False) -> Declaration:
    about = text_of(mapping_of(entry.value).get("about"))
    symbol = Symbol(kind, entry.key.text, owner)
    return Declaration(symbol, entry.key.span, entry.value, about, each_player)


def _definition(entry: Entry) -> Iterator[Declaration]:
    """`free(r, c)` declares itself and its arguments."""
    match = HEAD.fullmatch(entry.key.text)
    if match is None:
        return
    name = match[1]
    arguments = None
    if match[2] is not None:
        found = list(NAME.finditer(entry.key.text, match.start(2), match.end(2)))
        arguments = tuple(argument[0] for argument in found)
        for argument in found:
            symbol = Symbol("argument", argument[0], name)
            yield Declaration(symbol, entry.key.at(*argument.span()), entry.value)
    span = entry.key.at(*match.span(1))
    about = text_of(mapping_of(entry.value).get("about"))
    yield Declaration(Symbol("definition", name), span, entry.value, about, arguments=arguments)


def _values(root: Mapping) -> Iterator[Declaration]:
    for entry in _entries(root, "state"):
        own = entry.key.text == "each player"
        listed = mapping_of(entry.value).entries.values() if own else (entry,)
        for value in listed:
            yield _declared("value", value, each_player=own)
            yield from words_of_type(mapping_of(value.value).get("type"))


def _words_in_order(node: Node) -> Iterator[Declaration]:
    """The words of a declared type: a list, or words with `|` between them."""
    given = mapping_of(node).get("values") if isinstance(node, Mapping) else node
    for item in items_of(given):
        if isinstance(item, Scalar):
            yield Declaration(Symbol("word", item.text), item.span, item)
    yield from words_of_type(given)
    for point in _entries(mapping_of(node), "points"):
        yield Declaration(Symbol("word", point.key.text), point.key.span, point.value)


def words_of_type(node: Node | None) -> Iterator[Declaration]:
    """The words in a type: `red | amber | green`."""
    if not isinstance(node, Scalar) or "|" not in node.text:
        return
    try:
        words = parse_type(node.passage).names
    except SyntaxProblem:
        return
    found = list(NAME.finditer(node.text))[-len(words) :]  # `list of` and `optional` come before
    for word in found:
        yield Declaration(Symbol("word", word[0]), node.at(*word.span()), node)


def _words_to_choose(node: Node) -> Iterator[Declaration]:
    """The words in `rock | paper | scissors`, which is chosen or rolled from."""
    given = mapping_of(node).get("from") if isinstance(node, Mapping) else node
    if not isinstance(given, Scalar) or "|" not in given.text:
        return
    try:
        found = parse_expression(given.passage)
    except SyntaxProblem:
        return
    for word in NAME.finditer(given.text) if isinstance(found, WordsOf) else ():
        yield Declaration(Symbol("word", word[0]), given.at(*word.span()), given)


def _drawn(kind: Kind, entry: Entry, owner: str = "") -> Iterator[Declaration]:
    """A choice or a roll, and the words that it is taken from."""
    yield _declared(kind, entry, owner)
    yield from _words_to_choose(entry.value)


def _operation(entry: Entry, kind: Kind) -> Iterator[Declaration]:
    yield _declared(kind, entry)
    owner, node = entry.key.text, mapping_of(entry.value)
    for choice in _entries(node, "choose"):
        yield from _drawn("choice", choice, owner)
    for value in _entries(node, "let"):
        yield _declared("value of a move", value, owner)
        yield from words_of_type(mapping_of(value.value).get("type"))
    for roll in _entries(node, "roll"):
        yield from _drawn("roll", roll, owner)
    yield from _steps(node, owner)


def _steps(node: Mapping, owner: str) -> Iterator[Declaration]:
    for step in _entries(node, "steps"):
        yield _declared("step", step, owner)
        for roll in _entries(mapping_of(step.value), "roll"):
            yield from _drawn("roll", roll, owner)
