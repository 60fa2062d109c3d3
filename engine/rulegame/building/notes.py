"""What a ruleset says beside its rules: the notes of its authors, and all its texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rulegame.source.nodes import Mapping, Node, Scalar, mapping_of, text_of, to_plain

# Keys under which nothing is said that changes the game.
BESIDE_RULES: Final = (
    "about", "because", "doing", "key", "label", "menu", "note", "option", "prompt", "text",
    "texts", "within",
)  # fmt: skip
SAYS_NOTHING: Final = (*BESIDE_RULES, "enabled", "seen by", "stuck")  # of what a rule is
APART: Final = ("tests", "claims", "rulebook")
OWN: Final = "each player"
# What stands below these are names, which may be called like any key.
OF_NAMES: Final = (
    "choose", "define", "effects", "end", "operations", "parameters", "roll", "setup", "state",
    "steps", "validity",
)  # fmt: skip


def names_below(key: str, named: bool = False) -> bool:
    """Whether the keys below a key are names; `named` says that it is one itself."""
    return key == OWN or (not named and key in OF_NAMES)


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
            if named or key.text not in SAYS_NOTHING:
                yield from _parts(value, names_below(key.text, named))


def said(
    node: Mapping, path: tuple[str, ...] = (), named: bool = False
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every text that is no rule, with the keys that lead to it."""
    for key, value in node:
        here = (*path, key.text)
        is_text = key.text in BESIDE_RULES or (here[0] == "validity" and key.text == "stuck")
        if named or not is_text:
            if isinstance(value, Mapping) and here[0] not in APART:
                yield from said(value, here, names_below(key.text, named))
        elif key.text == "texts":
            for name, text in mapping_of(value):
                yield (*here, name.text), str(to_plain(text))
        else:
            yield here, str(to_plain(value))


def names(root: Mapping) -> dict[str, tuple[str, ...]]:
    """The keys of each section, in order; those of `each player` by themselves."""
    sections = {key.text: tuple(value.entries) for key, value in root if isinstance(value, Mapping)}
    own = mapping_of(mapping_of(root.get("state")).get(OWN))
    return {**sections, OWN: tuple(own.entries)} if own.entries else sections
