"""What a ruleset says beside its rules: the notes of its authors, and all its texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulegame.keys.kinds import Kind, Section
from rulegame.keys.ruleset import EXTENDS_KEY, RULESET, entry
from rulegame.source.nodes import Mapping, Node, Scalar, items_of, mapping_of, text_of, to_plain

APART: Final = ("players", "rulebook", "symmetry", "claims", "tests")  # compared as a whole
OWN: Final = "each player"
# An operation that is switched on, or a value that is hidden, does what its author says of it.
UNTOLD: Final = ("enabled", "seen by")


def told(rule: Mapping, section: Section, file: str) -> str:
    """What the author says about a rule; empty if nothing, or if a variant has changed the rule
    and not what is said about it.
    """
    said = rule.get("about")
    if not isinstance(said, Scalar):
        return ""
    home = said.span.file
    changed = any(part.span.file != home for part in _parts(rule, section))
    return "" if home != file and changed else text_of(said)


def _parts(node: Node, kind: Kind) -> Iterator[Scalar]:
    """The scalars that make the rule what it is."""
    if isinstance(node, Scalar):
        yield node
    elif not isinstance(node, Mapping):
        for item in items_of(node):
            yield from _parts(item, kind)
    else:
        for name, value in node:
            place = entry(kind, name.text)
            if place is None:
                continue
            if place.key is None or (place.key.is_rule and place.key.name not in UNTOLD):
                yield from _parts(value, place.kind)


def said(
    node: Mapping, kind: Kind = RULESET, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text and every drawing, with the keys that lead to it."""
    for name, value in node:
        here = (*path, name.text)
        place = entry(kind, name.text)
        if place is None or here[0] in APART or here == (EXTENDS_KEY.name,):
            continue
        if place.key is not None and not place.key.is_rule:
            yield from _leaves(value, here)
        elif isinstance(value, Mapping):
            yield from said(value, place.kind, here)
        elif isinstance(place.kind, Section):
            short = place.kind.key(place.kind.short)
            if short is not None and not short.is_rule:
                yield (*here, short.name), str(to_plain(value))


def _leaves(node: Node, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], str]]:
    if not isinstance(node, Mapping):
        yield path, str(to_plain(node))
        return
    for name, value in node:
        yield from _leaves(value, (*path, name.text))


def names(root: Mapping) -> dict[str, tuple[str, ...]]:
    """The keys of each section, in order; those of `each player` by themselves."""
    sections = {key.text: tuple(value.entries) for key, value in root if isinstance(value, Mapping)}
    own = mapping_of(mapping_of(root.get("state")).get(OWN))
    return {**sections, OWN: tuple(own.entries)} if own.entries else sections
