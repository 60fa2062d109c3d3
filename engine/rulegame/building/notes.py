"""What a ruleset says beside its rules: the notes of its authors, and all its texts."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

from rulegame.keys.kinds import Entries, Kind, Value
from rulegame.keys.ruleset import RULESET, declared_keys
from rulegame.source.nodes import Mapping, Node, Scalar, mapping_of, text_of, to_plain

APART: Final = ("tests", "claims", "rulebook")
OWN: Final = "each player"


@cache
def _words() -> frozenset[str]:
    """The keys under which nothing is said that changes the game."""
    return frozenset(key.name for key in declared_keys() if not key.is_rule)


@cache
def _of_names() -> frozenset[str]:
    """The keys below which names stand, which may be called like any key."""
    return frozenset(key.name for key in declared_keys() if isinstance(key.value, Entries))


def names_below(key: str, named: bool = False) -> bool:
    """Whether the keys below a key are names; `named` says that it is one itself."""
    return key == OWN or (not named and key in _of_names())


def told(rule: Mapping, file: str) -> str:
    """What the author says about a rule; empty if nothing, or if a variant has changed the rule
    and not what is said about it.
    """
    said = rule.get("about")
    if not isinstance(said, Scalar):
        return ""
    home = said.span.file
    changed = any(part.span.file != home for part in _parts(rule))
    return "" if home != file and changed else text_of(said)


def _parts(node: Node, named: bool = False) -> Iterator[Scalar]:
    """The scalars that make the rule what it is; `named` says that the keys are names."""
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Mapping):
        for key, value in node:
            if named or key.text not in (*_words(), "enabled", "seen by"):
                yield from _parts(value, names_below(key.text, named))


def said(
    node: Mapping, kind: Kind = RULESET, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text that is no rule, with the keys that lead to it."""
    if isinstance(kind, Value):
        return
    for name, value in node:
        here = (*path, name.text)
        key = kind.key(name.text)
        if key is None or key.is_rule:
            inner = key.value if key else kind.of if isinstance(kind, Entries) else None
            if inner is not None and isinstance(value, Mapping) and here[0] not in APART:
                yield from said(value, inner, here)
        elif isinstance(value, Mapping):
            for text_name, text in value:
                yield (*here, text_name.text), str(to_plain(text))
        else:
            yield here, str(to_plain(value))


def names(root: Mapping) -> dict[str, tuple[str, ...]]:
    """The keys of each section, in order; those of `each player` by themselves."""
    sections = {key.text: tuple(value.entries) for key, value in root if isinstance(value, Mapping)}
    own = mapping_of(mapping_of(root.get("state")).get(OWN))
    return {**sections, OWN: tuple(own.entries)} if own.entries else sections
