"""The structure of a ruleset: which keys it has and what kinds of values, by the JSON schema.

Takes located nodes, returns diagnostics in our own words; what expressions mean is for later
stages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from rulegame.diagnostics import Diagnostic, Span, Suggestion, meant, nearest
from rulegame.keys.ruleset import ITEM, RULESET, Place, owners, place_at, spaced_keys
from rulegame.limits import LIMITS
from rulegame.source.nodes import Mapping, Node, Scalar, Sequence, is_null, to_plain
from rulegame.source.phrases import NodePlace, is_empty, kind_of, problem, shown
from rulegame.source.requirements import missing_at_top, requirements, without_companions
from rulegame.source.split_expressions import closing, is_piece, rows, runs, split, split_mapping
from rulegame.source.validation import validator

if TYPE_CHECKING:
    from jsonschema import ValidationError

EMPTY: Final = "write a value or remove the key; null removes something only in a variant"


def check_file(root: Node, file: str) -> tuple[Diagnostic, ...]:
    """What is wrong with one file as it is written, be it a whole ruleset or a variant."""
    if not isinstance(root, Mapping):
        message = f"a ruleset is a mapping, not {kind_of(root)}"
        return (Diagnostic("E203", message, root.span, "start with: rulegame: 1"),)
    if not root.entries:
        return (missing_at_top(root, "rulegame")._replace(span=Span.whole(file)),)
    return _first_of(_File(root).problems())


def check_merged(root: Mapping) -> tuple[Diagnostic, ...]:
    """What is missing in a ruleset whose variants are merged and whose short forms are written
    out.
    """
    return _first_of(requirements(root))


def check_companions(root: Mapping) -> tuple[Diagnostic, ...]:
    """The keys of a merged ruleset that mean nothing without another. It is built all the same."""
    return _first_of(without_companions(root))


def _first_of(problems: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """Each problem once, and no more than people are shown."""
    seen: set[tuple[Diagnostic, bool]] = set()

    def fresh() -> Iterator[Diagnostic]:
        for one in problems:
            key = one, one.is_repeated
            if key not in seen:
                seen.add(key)
                yield one

    return tuple(islice(fresh(), LIMITS.problems))


class _File:
    """The check of one file; what YAML has torn apart is reported once, and not judged further."""

    def __init__(self, root: Mapping) -> None:
        self.root = root
        self.torn: set[int] = set()  # keys that are pieces of something else, by identity
        self.wrong: set[int] = set()  # values that have their diagnostic already

    def problems(self) -> Iterator[Diagnostic]:
        """Every problem, in order. Words for them are imported with the first one."""
        if (swallowed := self._swallowed()) is not None:
            yield swallowed
            return
        yield from self._tears(self.root)
        yield from _taken_in(self.root)
        said: tuple[Suggestion, ...] = ()
        of: Scalar | None = None
        for error in validator().iter_errors(to_plain(self.root)):
            place = self._place(error.absolute_path)
            of_names = error.validator == "pattern" and isinstance(place.node, Mapping)
            if of_names or error.validator in ("additionalProperties", "required", "not"):
                yield from self._of_mapping(error, place)
            elif id(place.node) not in self.wrong:
                from rulegame.source.wrong_values import wrong_value

                self.wrong.add(id(place.node))
                found = wrong_value(error, place)
                if not place.item or (found.suggestions, place.key) != (said, of):
                    yield found  # once for a list that is wrong altogether
                said, of = found.suggestions, place.key
        if "extends" not in self.root.entries:
            yield from self._empty_entries(self.root)

    def _swallowed(self) -> Diagnostic | None:
        """A section that is indented too far: what is its own stands beside it."""
        for section, value in self.root:
            for key, inner in value if isinstance(value, Mapping) and not value.flow else ():
                if RULESET.key(key.text) and is_empty(inner):
                    message = f"'{key.text}' has no value"
                    hint = f"it is inside '{section.text}': check the indentation"
                    return Diagnostic("E203", message, key.span, hint)
        return None

    def _place(self, path: Iterable[str | int]) -> NodePlace:
        place = NodePlace(self.root)
        for step in path:
            if isinstance(place.node, Mapping):
                entry = place.node.entries[str(step)]
                place = NodePlace(entry.value, entry.key)
            elif isinstance(place.node, Sequence):
                place = NodePlace(place.node.items[int(step)], place.key, item=True)
        return place

    def _of_mapping(self, error: ValidationError, place: NodePlace) -> Iterator[Diagnostic]:
        assert isinstance(place.node, Mapping) and isinstance(error.schema, dict)
        if error.validator == "required":
            wanted: Any = error.validator_value
            known = [key.name for key in RULESET.keys]
            others = [nearest(key, known) for key in place.node.entries if key not in known]
            for name in wanted:
                if name not in place.node.entries and name not in others:
                    yield missing_at_top(self.root, name)
        elif error.validator == "additionalProperties":
            steps = (ITEM if isinstance(step, int) else step for step in error.absolute_path)
            declared = place_at(tuple(steps))
            assert declared is not None
            yield from self._unknown_keys(place, place.node, declared)
        else:
            from rulegame.source.unknown_keys import wrong_name

            key = place.node.entries[str(error.instance)].key
            if id(key) not in self.torn:
                yield wrong_name(key, error)

    def _empty_entries(self, node: Node) -> Iterator[Diagnostic]:
        """Where nothing is inherited, a value that was left empty is a slip."""
        if id(node) in self.wrong:
            return
        if isinstance(node, Sequence):
            for item in node.items:
                yield from self._empty_entries(item)
        elif isinstance(node, Mapping):
            for key, value in node:
                if not is_null(value):
                    yield from self._empty_entries(value)
                elif id(key) not in self.torn and id(value) not in self.wrong:
                    yield Diagnostic("E203", f"'{shown(key.text)}' has no value", key.span, EMPTY)

    # What YAML has torn apart

    def _tears(self, node: Node) -> Iterator[Diagnostic]:
        """Flow collections in which a comma inside parentheses has split an expression."""
        if isinstance(node, Scalar):
            return
        if node.flow:
            yield from self._split_at_commas(node)
        inner = node.items if isinstance(node, Sequence) else (value for _, value in node)
        for child in inner:
            yield from self._tears(child)

    def _split_at_commas(self, node: Mapping | Sequence) -> Iterator[Diagnostic]:
        listed = rows(node)
        start = 0
        while start < len(listed):
            end = closing(listed, start)
            if end > start:
                self.torn.update(id(row[0]) for row in listed[start : end + 1] if is_null(row[-1]))
                self.torn.update(id(row[0]) for row in listed[start + 1 : end + 1])
                yield split(listed[start], listed[end])
            start = max(start, end) + 1

    def _unknown_keys(
        self, place: NodePlace, node: Mapping, declared: Place
    ) -> Iterator[Diagnostic]:
        from rulegame.source.unknown_keys import is_each_player, unknown_key

        names = {key.name for key in declared.keys}
        if "seen by" in names and place.key is not None:
            if is_each_player(place.key):
                return  # the schema complains of the name
            if nearest(place.key.text, ["each player"]):
                message = f"'{shown(place.key.text)}' is a value and cannot contain keys"
                yield problem("E201", message, place.key, meant("each player"))
                return
        known = [key.name for key in declared.keys if key.name != "before"]
        entries = [entry for entry in node.entries.values() if id(entry.key) not in self.torn]
        unknown = [entry for entry in entries if entry.key.text not in names]
        is_bare = len(unknown) == len(entries) and all(is_empty(e.value) for e in unknown)
        unknown = unknown[: LIMITS.problems]
        pieces = {id(entry) for entry in unknown if is_piece(entry, node, known)}
        self.torn.update(id(entry.key) for entry in unknown if id(entry) in pieces)
        if is_bare and pieces:
            self.wrong.add(id(node))
            yield split_mapping(place, node, declared)
            return
        for entry in unknown:
            if id(entry) not in pieces:
                self.wrong.add(id(entry.value))
                yield unknown_key(entry.key, known, declared.owner, node)
        for first, last in runs(entries, pieces, node.flow):
            yield split((first.key, first.value), (last.key, last.value))


@cache
def _inner_key() -> re.Pattern[str]:
    """A key inside a line, as it looks when the line goes on with the text above it."""
    return re.compile(rf"(?<=\S\s)({'|'.join(spaced_keys())}|[a-z]+):(?=\S)")


def _taken_in(node: Node) -> Iterator[Diagnostic]:
    """Lines that were to be keys, but go on with the text above them."""
    if isinstance(node, Mapping):
        for _, value in node:
            yield from _taken_in(value)
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _taken_in(item)
    elif not node.quoted and node.span.end_line > node.span.line:
        for found in _inner_key().finditer(node.text):
            span = node.at(found.start(1), found.end(1) + 1)
            before = node.at(found.start() - 2, found.start() - 1)
            if span.line == before.line or found[1] not in owners():
                continue
            message = f"'{found[1]}:' is part of the text that begins in line {node.span.line}"
            hint = "if it is a key, indent it less and put a space after ':'"
            yield Diagnostic("E216", message, span, hint, "warning")
