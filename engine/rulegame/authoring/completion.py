"""Completion: what may be written at a place of a ruleset."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from rulegame import bundled
from rulegame.authoring.files import OpenFiles
from rulegame.authoring.locating import Where, locate
from rulegame.authoring.offering import MEMBER, Completions, Item
from rulegame.authoring.scopes import Known, known_at
from rulegame.authoring.study import Study
from rulegame.authoring.symbols import DeclaredNames, Kind, Symbol
from rulegame.authoring.uses import section_of
from rulegame.edits import BREAK
from rulegame.keys.moves import EFFECTS
from rulegame.keys.ruleset import ITEM, Place, place_at
from rulegame.keys.values import BEFORE_KEY
from rulegame.source.nodes import Mapping, Node

TEXT_TAGS: Final = {
    "if": "{if condition}…{end}: printed only if it holds",
    "elif": "another condition, after {if}",
    "else": "{else}: otherwise",
    "for": "{for p in players}…{end}: once for each",
    "end": "{end} of an {if} or a {for}",
}
TYPES: Final = ("int", "bool", "player", "optional", "list of", "set of", "grid of", "cell of")
_WORD: Final = re.compile(r"\w*$")
_TAG: Final = re.compile(r"\{(?!\{)([^{}]*)$")


def complete(checked: Study, text: str, line: int, column: int, files: OpenFiles) -> list[Item]:
    """What may be written at a place; `checked` may be of an earlier text, if the present one
    cannot be read.
    """
    where = locate(text, line, column)
    if where is None:
        return []
    written = BREAK.split(text)[line - 1]
    found = _Completion(checked, where, files, line, written)
    items = found.keys() if where.at == "key" else found.values()
    unique = {item.label: item for item in items}
    return list(unique.values())


class _Completion:
    def __init__(
        self, checked: Study, where: Where, files: OpenFiles, line: int, written: str
    ) -> None:
        self._study = checked
        self._line, self._written = line, written
        self._names: DeclaredNames = checked.outline.names
        self._where = where
        self._files = files
        self._offers = Completions(checked)
        self._part: Place | None = place_at(where.path)

    # ---- keys

    def _present_keys(self, path: Iterable[str]) -> frozenset[str]:
        """The keys that a mapping has already; of those that the study has on the line of the
        cursor, the ones that are still there.
        """
        node: Node | None = self._study.outline.file.root
        for key in path:
            node = node.get(key) if isinstance(node, Mapping) else None
        entries = node.entries if isinstance(node, Mapping) else {}
        return frozenset(
            name
            for name, entry in entries.items()
            if entry.key.span.line != self._line or name in self._written
        )

    def keys(self) -> Iterator[Item]:
        part, path = self._part, self._where.path
        if part is None:
            return
        if not part.is_mapping and part.kind is not EFFECTS:
            yield from self.values()  # a scalar on a line of its own
            return
        present = self._present_keys(path)
        behind = "" if self._where.flow and self._where.quoted else ": "
        typed = self._where.typed
        for key in part.keys:
            if key.name not in present or key.name == typed:
                about = key.description
                yield Item(key.name, "key", "", about, key.name + behind, len(typed))
        for symbol in self._free_keys():
            if symbol.name not in present:
                detail = self._offers.detail(symbol)
                about = self._names.about(symbol)
                yield Item(symbol.name, "name", detail, about, symbol.name + behind, len(typed))
        if part.kind is EFFECTS:
            yield from self._targets()
        if path[:1] == ("tests",) and path[-1:] == ("invalid",):
            yield from self._moves()

    def _free_keys(self) -> list[Symbol]:
        """Names that are known where names are free: those of a parent, and those that tests
        use.
        """
        path = self._where.path
        if path[:1] == ("tests",):
            kinds: dict[str, Kind] = {"set": "parameter", "given": "value", "values": "value"}
            kind = kinds.get(path[-1])
            return self._names.of(kind) if kind is not None else []
        if path[:1] == ("claims",):
            return self._names.of("parameter") if path[-1] == "for" else []
        kind, owner = section_of(path)
        found = self._names.of(kind, owner=owner) if kind is not None else []
        if path == ("state", "each player"):
            return [s for s in found if self._names.is_each_player(s)]
        return found

    def _targets(self) -> Iterator[Item]:
        """What an effect may write to."""
        member = MEMBER.search(self._where.typed)
        if member is not None and member["whose"]:
            yield from self._offers.members(member["whose"], len(member["part"]), Known())
            return
        typed, path = len(_word(self._where.typed)), self._where.path
        if path[:1] in (("operations",), ("setup",)) and len(path) > 1:
            for symbol in self._names.of("value of a move", owner=path[1]):
                yield self._offers.name(symbol, typed)
        for symbol in self._names.of("value"):
            if self._names.is_each_player(symbol):
                yield self._offers.name(symbol, typed, f"my.{symbol.name}")
            else:
                yield self._offers.name(symbol, typed)

    # ---- values

    def values(self) -> Iterator[Item]:
        part, path, typed = self._part, self._where.path, self._where.typed
        if part is None or not path:
            return
        if path == ("extends",):
            yield from self._parents()
        elif path[0] == "tests":
            yield from self._in_test()
        elif path[0] == "claims" and "for" in path:
            yield from self._listed("word")
        elif part.is_text:
            tag = _TAG.search(typed)
            if tag is not None:
                yield from self._in_tag(tag[1])
        elif part.is_type:
            yield from self._type()
        elif path[-1] == "indexed by":
            yield from self._listed("type")
            yield Item("cell of", "keyword", "the cells of a board", replaces=len(_word(typed)))
        elif path[-1] == "before" and part.key is BEFORE_KEY:
            yield from self._siblings()
        elif path[:1] == ("validity",) and path[-2:] in (("for", ITEM), ("instead of", ITEM)):
            yield from self._listed("operation", "setup")
        elif path[:2] == ("turn", "ask"):
            yield from self._listed("choice")
            yield Item("operation", "keyword", "", "which operation", replaces=len(_word(typed)))
        elif path[0] == "parameters" and path[2:] in ((), ("default",)):
            yield from self._listed("word")
            yield from (Item(w, "keyword", replaces=len(_word(typed))) for w in ("true", "false"))
        elif part.values:
            typed_word = len(_word(typed))
            yield from (Item(v, "keyword", replaces=typed_word) for v in part.values)
        elif part.is_expression:
            yield from self._offers.expression(typed, known_at(self._names, path))

    def _in_tag(self, tag: str) -> Iterator[Item]:
        """Inside the braces of a text."""
        known = known_at(self._names, self._where.path, text=True)
        if _WORD.sub("", tag).strip() == "":
            for word, about in TEXT_TAGS.items():
                yield Item(word, "keyword", "", about, replaces=len(_word(tag)))
        yield from self._offers.expression(tag, known)

    def _in_test(self) -> Iterator[Item]:
        path = self._where.path
        typed = len(_word(self._where.typed))
        last = path[-2] if path[-1] == ITEM else path[-1]
        if last in ("play", "valid") and " " not in self._where.typed:
            yield from self._moves()
        elif last in ("enable", "disable"):
            yield from self._listed("operation")
        elif path[-2:-1] == ("invalid",):
            yield from self._listed("validity rule")
        elif path[-2:] == ("outcome", "rule"):
            yield from self._listed("end rule")
            yield from (Item(name, "keyword", replaces=typed) for name in ("stuck", "all_stuck"))
        elif self._part is not None and self._part.values:
            yield from (Item(v, "keyword", replaces=typed) for v in self._part.values)
        elif {"given", "values", "set"} & set(path) or last in ("play", "valid"):
            yield from self._listed("word")

    def _moves(self) -> Iterator[Item]:
        """Operations and rolls, as moves are written."""
        typed = len(_word(self._where.typed))
        for symbol in self._names.of("operation", "setup"):
            choices = [c.name.upper() for c in self._names.of("choice", owner=symbol.name)]
            usage = " ".join([symbol.name, *choices])
            yield Item(symbol.name, "name", usage, self._names.about(symbol), replaces=typed)
        for symbol in self._names.of("roll"):
            yield self._offers.name(symbol, typed)

    def _siblings(self) -> Iterator[Item]:
        """The entries of the section that an entry may come before."""
        path = self._where.path
        kind, owner = section_of(path[:-2])
        symbols = self._names.of(kind, owner=owner) if kind is not None else []
        typed = len(_word(self._where.typed))
        yield from (self._offers.name(s, typed) for s in symbols if s.name != path[-2])

    def _parents(self) -> Iterator[Item]:
        typed = len(self._where.typed)
        for name in bundled.ruleset_names():
            yield Item(name, "file", "a bundled ruleset", replaces=typed)
        folder = self._study.path.parent
        found = {p for p in self._files.paths if p.parent == folder}
        try:
            found |= {p for p in folder.iterdir() if p.suffix in (".yaml", ".yml")}
        except OSError:
            found = set()
        for path in sorted(found)[:200]:
            if path.name != self._study.path.name:
                yield Item(path.name, "file", "beside this file", replaces=typed)

    def _type(self) -> Iterator[Item]:
        typed = len(_word(self._where.typed))
        if re.search(r"\bcell of \w*$", self._where.typed):
            yield from self._listed("value")
        elif ".." in self._where.typed or "set of" in self._where.typed:
            yield from self._offers.expression(
                self._where.typed, known_at(self._names, self._where.path)
            )
        else:
            yield from (Item(name, "keyword", "a type", replaces=typed) for name in TYPES)
            yield from self._listed("type")

    def _listed(self, *kinds: Kind) -> Iterator[Item]:
        typed = len(_word(self._where.typed))
        yield from (self._offers.name(symbol, typed) for symbol in self._names.of(*kinds))


def _word(typed: str) -> str:
    found = _WORD.search(typed)
    return found[0] if found else ""
