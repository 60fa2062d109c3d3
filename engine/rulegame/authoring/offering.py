"""Completion inside expressions: the names, functions and words that may follow what is written."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from rulegame.authoring.scopes import RESULTS, SPECIAL, Known
from rulegame.authoring.study import Study
from rulegame.authoring.symbols import DeclaredNames, Symbol
from rulegame.language.functions import FUNCTIONS

ItemKind = Literal["key", "name", "member", "function", "keyword", "file"]


class Item(NamedTuple):
    """Something that may be written; it replaces `replaces` characters before the cursor."""

    label: str
    kind: ItemKind
    detail: str = ""
    about: str = ""
    text: str = ""  # what is inserted, where it is not the label
    replaces: int = 0


KEYWORDS: Final = ("and", "or", "not", "in", "if", "else", "for", "of", "true", "false", "none")
ERAS: Final = {
    "after": "the state that the move would lead to",
    "before": "the state before the move",
}
MEMBER: Final = re.compile(
    r"(?:\b(?P<era>after|before)\s*\.\s*)?(?:\b(?P<whose>my|their)\s*\.\s*)?(?P<part>\w*)$"
)


class Completions:
    """What the names of a ruleset have to offer to someone who writes an expression."""

    def __init__(self, checked: Study) -> None:
        self._study = checked
        self._names: DeclaredNames = checked.outline.names

    def expression(self, typed: str, known: Known) -> Iterator[Item]:
        """What an expression may go on with, after what stands before the cursor."""
        member = MEMBER.search(typed)
        if member is None:
            return
        size = len(member["part"])
        if member["whose"]:
            yield from self.members(member["whose"], size, known)
        elif member["era"]:
            yield from self._of_era(member["era"], size)
        elif not typed[: len(typed) - size].rstrip().endswith(".") or ".." in typed[-size - 4 :]:
            yield from self._plain(size, known)

    def members(self, whose: str, size: int, known: Known) -> Iterator[Item]:
        for symbol in self._names.of("value"):
            if self._names.is_each_player(symbol):
                yield self.name(symbol, size, kind="member")
        if known.texts:
            yield Item("name", "member", "text", "the player's name", replaces=size)

    def _of_era(self, era: str, size: int) -> Iterator[Item]:
        for symbol in self._names.of("value", "definition"):
            yield self.name(symbol, size, kind="member")
        for name, function in FUNCTIONS.items():
            if era in function.eras and not self._names.named(name, "definition"):
                yield Item(name, "function", function.usage, function.about, f"{name}(", size)
        yield Item("my", "keyword", "", "of the player who moves", "my.", size)
        if self._names.players == 2:
            yield Item("their", "keyword", "", "of the opponent", "their.", size)

    def _plain(self, size: int, known: Known) -> Iterator[Item]:
        for symbols in known.locals.values():
            yield self.name(symbols[0], size)
        if known.state:
            for symbol in self._names.of("value"):
                yield self.name(symbol, size)
        for symbol in self._names.of("parameter", "definition", "word", "type"):
            yield self.name(symbol, size)
        for name, function in FUNCTIONS.items():
            own = function.is_shadowable and self._names.named(name, "definition")
            of_after = function.usage.startswith("after.")  # it needs that before it
            if (known.texts or not function.text) and not (own or of_after):
                yield Item(name, "function", function.usage, function.about, f"{name}(", size)
        if not self._names.named("let", "definition"):
            about = "names for parts of an expression; the last part is its value"
            yield Item("let", "function", "let(x = a + b, x * x)", about, "let(", size)
        yield from self._special(size, known)
        yield from (Item(word, "keyword", replaces=size) for word in KEYWORDS)

    def _special(self, size: int, known: Known) -> Iterator[Item]:
        two = self._names.players == 2
        for name, about in SPECIAL.items():
            if (name != "them" or two) and (known.me or name not in ("me", "them")):
                detail = "a list of players" if name == "players" else "a player"
                yield Item(name, "keyword", detail, about, replaces=size)
        if known.me and known.state:
            yield Item("my", "keyword", "", "of the player who moves", "my.", size)
            if two:
                yield Item("their", "keyword", "", "of the opponent", "their.", size)
        for era in known.eras:
            yield Item(era, "keyword", "", ERAS[era], f"{era}.", size)
        if known.results:
            yield from (
                Item(n, "keyword", "a result", a, replaces=size) for n, a in RESULTS.items()
            )

    def name(self, symbol: Symbol, size: int, label: str = "", kind: ItemKind = "name") -> Item:
        text = ""
        declaration = self._names.declaration(symbol)
        if declaration is not None and declaration.arguments is not None:
            text = f"{symbol.name}("
        return Item(
            label or symbol.name, kind, self.detail(symbol), self._names.about(symbol), text, size
        )

    def detail(self, symbol: Symbol) -> str:
        """What kind of thing it is, and its type."""
        type_ = self._study.type_of(symbol)
        what = (
            f"{symbol.kind} of '{symbol.owner}'"
            if symbol.owner and symbol.kind != "loop"
            else symbol.kind
        )
        return f"{what}: {type_}" if type_ else what
