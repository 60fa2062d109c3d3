"""What the rules of a game mean, as one number: a saved game goes on under all rules that mean the
same, however they are written and whatever is said about them.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import Any, Final

from rulegame.language.equivalence import AS_WRITTEN
from rulegame.language.types import Set, Type
from rulegame.model import Ruleset
from rulegame.model.facts import UNREAD, facts

# Which names come first decides what is asked, rolled and tried first.
ORDERED: Final = ("setup", "turn", "operations", "end")


def meaning(ruleset: Ruleset) -> str:
    """SHA-256 over every part of every rule that is in the game. The values of the parameters are
    not in it, and neither are operations that are switched off.
    """
    found = {key: fact.meaning for key, fact in facts(ruleset).items() if _is_played(key, ruleset)}
    rules = {key: part for key, part in found.items() if key[0] != "definitions"}
    if not any(_is_as_written(part) for part in rules.values()):
        found = rules  # in which the definitions are written out
    order = [key for key in found if key[0] in ORDERED and "effect on " not in key[2]]
    said = (sorted(found.items(), key=lambda item: item[0]), order, list(_sets(ruleset)))
    return sha256(repr(said).encode()).hexdigest()


def _is_played(key: tuple[str, str, str], ruleset: Ruleset) -> bool:
    section, name, part = key
    if section == "operations":
        return part != "enabled" and ruleset.operation(name) is not None
    return section != "parameters"


def _is_as_written(part: Any) -> bool:
    if not isinstance(part, tuple):
        return False
    return part[:1] in ((AS_WRITTEN,), (UNREAD,)) or any(_is_as_written(inner) for inner in part)


def _sets(ruleset: Ruleset) -> Iterator[tuple[str, int, int]]:
    """What a set may hold is written in its type."""
    for name, value in sorted(ruleset.state.items()):
        type_: Type | None = value.variable.type
        while type_ is not None and not isinstance(type_, Set):
            type_ = getattr(type_, "of", None)
        if type_ is not None:
            yield name, type_.low, type_.high
