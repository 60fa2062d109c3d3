"""What is missing in a ruleset whose variants are merged, and what cannot stand side by side."""

from __future__ import annotations

from collections.abc import Iterator

from rulegame.diagnostics import Diagnostic
from rulegame.keys.kinds import Entries, Kind, Need, Section, Value
from rulegame.keys.ruleset import RULESET
from rulegame.source.nodes import Mapping, Node, Scalar
from rulegame.source.phrases import shown
from rulegame.wording import joined


def requirements(root: Mapping) -> Iterator[Diagnostic]:
    """Every key that is missing, and every one that excludes another."""
    for need in RULESET.needs:
        [name] = need.keys
        value = root.get(name)
        without = name == "operations" and isinstance(value, Mapping) and not value.entries
        if value is None or without:
            yield missing_at_top(root, name)
    turn = root.get("turn")
    at_once = isinstance(turn, Mapping) and "together" in turn.entries
    for section, key, node in _sections(root):
        for need in section.needs:
            waived = at_once and need.unless in node.entries
            if not waived and not any(name in node.entries for name in need.keys):
                yield _missing(section, need, key)
        yield from _excluded(section, node)


def without_companions(root: Mapping) -> Iterator[Diagnostic]:
    """Every key that means nothing without another, which is not there."""
    for section, _, node in _sections(root):
        for name, other in section.requires:
            if name in node.entries and other not in node.entries:
                key = section.key(other)
                hint = "" if key is None else f"for example: {key.line}"
                place = node.entries[name].key.span
                yield Diagnostic("E202", f"'{name}' needs '{other}'", place, hint)


Found = tuple[Section, Scalar, Mapping]


def _sections(root: Mapping) -> Iterator[Found]:
    """Every mapping with keys of the language below the root, with the key that it is under."""
    for key in RULESET.keys:
        if (entry := root.entries.get(key.name)) is not None:
            yield from _within(key.value, entry.key, entry.value)


def _within(kind: Kind, key: Scalar, node: Node) -> Iterator[Found]:
    if isinstance(kind, Value) or not isinstance(node, Mapping):
        return
    if isinstance(kind, Section):
        yield kind, key, node
    for name, entry in node.entries.items():
        inner = kind.key(name)
        if inner is not None:
            yield from _within(inner.value, entry.key, entry.value)
        elif isinstance(kind, Entries):
            yield from _within(kind.of, entry.key, entry.value)


def _missing(section: Section, need: Need, key: Scalar) -> Diagnostic:
    wanted = joined([f"'{name}'" for name in need.keys], "or")
    first = section.key(need.keys[0])
    hint = "" if first is None else f"for example: {first.line}"
    return Diagnostic("E202", f"'{shown(key.text)}' needs {wanted}", key.span, hint)


def _excluded(section: Section, node: Mapping) -> Iterator[Diagnostic]:
    for one, others in section.excludes:
        for other in others:
            if one in node.entries and other in node.entries:
                message = f"'{other}' cannot be combined with '{one}'"
                hint = f"remove one of them; in a variant, remove an inherited one with {one}: null"
                yield Diagnostic("E201", message, node.entries[other].key.span, hint)


def missing_at_top(root: Mapping, name: str) -> Diagnostic:
    """A section that every ruleset needs."""
    first = root.entries.get("rulegame") or next(iter(root.entries.values()), None)
    span = root.span if first is None else first.key.span
    key = RULESET.key(name)
    hint = "" if key is None else f"for example: {key.line}"
    return Diagnostic("E202", f"the ruleset needs '{name}'", span, hint)
