"""The ruleset format as a whole: its sections in order, and the place of every key.

A path is the keys from the root of a file; `ITEM` stands for any item of a list.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from typing import Final, NamedTuple

from rulegame.keys.checks import CLAIMS_KEY, SYMMETRY_KEY, TESTS_KEY
from rulegame.keys.declarations import (
    DEFINE_KEY,
    PARAMETERS_KEY,
    PLAYERS_KEY,
    STATE_KEY,
    TYPES_KEY,
)
from rulegame.keys.ends import END_KEY, PAYOFF_UNIT_KEY, STUCK_KEY, VALIDITY_KEY
from rulegame.keys.kinds import Entries, Key, Kind, Need, Section, Value, scalar_of
from rulegame.keys.moves import OPERATIONS_KEY, SETUP_KEY, TURN_KEY
from rulegame.keys.texts import RULEBOOK_KEY, TEXTS_KEY
from rulegame.keys.values import EXPRESSION, LINE, TEXT, TYPE

ITEM: Final = "[]"
Path = tuple[str, ...]

RULEGAME_KEY: Final = Key(
    "rulegame",
    Value("1", ("integer",), {"const": 1}),
    "The version of the language.",
    "rulegame: 1",
    default=1,
    essential=True,
    is_rule=False,
)

EXTENDS_KEY: Final = Key(
    "extends",
    Value("the name of a bundled ruleset, or a path", ("string",), {"minLength": 1}),
    "The ruleset that this one is a variant of: the name of a bundled one, or a path relative "
    "to this file.",
    "extends: ./my_game.yaml",
    values=("./my_game.yaml",),
    essential=True,
    inherited=False,
    is_rule=False,
)

TITLE_KEY: Final = Key(
    "title",
    LINE,
    "The name of the game.",
    "title: Countdown",
    values=("Countdown",),
    is_rule=False,
)

SUMMARY_KEY: Final = Key(
    "summary",
    LINE,
    "One or two sentences: what the game is about.",
    "summary: Whoever takes the last one wins.",
    is_rule=False,
)

RULESET: Final = Section(
    "a ruleset",
    "A turn-based game, or a variant of one, for rulegame.",
    (
        RULEGAME_KEY,
        EXTENDS_KEY,
        TITLE_KEY,
        SUMMARY_KEY,
        PLAYERS_KEY,
        PARAMETERS_KEY,
        TYPES_KEY,
        DEFINE_KEY,
        STATE_KEY,
        SETUP_KEY,
        TURN_KEY,
        OPERATIONS_KEY,
        VALIDITY_KEY,
        STUCK_KEY,
        PAYOFF_UNIT_KEY,
        END_KEY,
        TEXTS_KEY,
        RULEBOOK_KEY,
        SYMMETRY_KEY,
        CLAIMS_KEY,
        TESTS_KEY,
    ),
    needs=(Need(("rulegame",)), Need(("title",)), Need(("operations",)), Need(("end",))),
    nullable=False,
)


class Place(NamedTuple):
    """One place of a ruleset: the kind of value there, and the key that it is the value of."""

    kind: Kind
    key: Key | None = None

    @property
    def description(self) -> str:
        if self.key is not None:
            return self.key.description
        return self.kind.about if isinstance(self.kind, Section) else ""

    @property
    def owner(self) -> str:
        """What messages call the thing that has keys here."""
        return self.kind.title if self.key is None else f"'{self.key.name}'"

    @property
    def keys(self) -> tuple[Key, ...]:
        """The keys that may stand here; names that the author chooses are none."""
        match self.kind:
            case Section(keys=keys) | Entries(fixed=keys):
                return keys
        return ()

    @property
    def is_mapping(self) -> bool:
        return not isinstance(self.kind, Value)

    @property
    def is_expression(self) -> bool:
        """Whether a scalar here is an expression, be it in a short form."""
        scalar = scalar_of(self.kind)
        return scalar is not None and scalar.title == EXPRESSION.title

    @property
    def is_text(self) -> bool:
        """Whether a scalar here is a text with braces."""
        return self.kind is TEXT

    @property
    def is_type(self) -> bool:
        return self.kind is TYPE

    @property
    def values(self) -> tuple[str, ...]:
        """The values that are known beforehand."""
        scalar = scalar_of(self.kind)
        if scalar is None:
            return ()
        if scalar.types == ("boolean",):
            return ("true", "false")
        if "const" in scalar.rules:
            return (str(scalar.rules["const"]),)
        if "enum" in scalar.rules:
            return tuple(scalar.rules["enum"])
        known = scalar.rules.get("examples") or (self.key.values if self.key else ())
        return tuple(v for v in known if isinstance(v, str)) if "pattern" in scalar.rules else ()


@lru_cache(maxsize=4096)
def place_at(path: Path) -> Place | None:
    """The place with that path; None if nothing may stand there."""
    place = Place(RULESET)
    for step in path:
        inner = _item(place) if step == ITEM else entry(place.kind, step)
        if inner is None:
            return None
        place = inner
    return place


def section_at(*path: str) -> Section:
    """The section with that path."""
    place = place_at(path)
    assert place is not None and isinstance(place.kind, Section)
    return place.kind


def entry(kind: Kind, name: str) -> Place | None:
    """The place of an entry of a mapping; None if there can be none of that name."""
    if isinstance(kind, Value):
        return None
    if (key := kind.key(name)) is not None:
        return Place(key.value, key)
    return Place(kind.of) if isinstance(kind, Entries) else None


def _item(place: Place) -> Place | None:
    if isinstance(place.kind, Section) and place.kind.listed:
        return place
    scalar = scalar_of(place.kind)
    if scalar is None:
        return None
    item = scalar if scalar.nested else scalar.items
    return None if item is None else Place(item)


def sections(place: Place | None = None) -> Iterator[Place]:
    """Every place that has keys of the language, in the order of the sections."""
    here = Place(RULESET) if place is None else place
    if here.keys:
        yield here
    for key in here.keys:
        yield from sections(Place(key.value, key))
    if isinstance(here.kind, Entries):
        yield from sections(Place(here.kind.of))


def declared_keys() -> Iterator[Key]:
    """Every key of the language, once for each place that it belongs to."""
    for place in sections():
        yield from place.keys


@cache
def owners() -> dict[str, list[str]]:
    """Each key of the language, with what it may stand in."""
    found: dict[str, list[str]] = {}
    for place in sections():
        for key in place.keys:
            where = found.setdefault(key.name, [])
            if place.owner not in where:
                where.append(place.owner)
    return found


@cache
def spaced_keys() -> tuple[str, ...]:
    """The keys with a blank in them."""
    return tuple(sorted(name for name in owners() if " " in name))


@cache
def essential_keys() -> frozenset[str]:
    """The keys without which the rest of a ruleset cannot be judged."""
    return frozenset(key.name for key in declared_keys() if key.essential)
