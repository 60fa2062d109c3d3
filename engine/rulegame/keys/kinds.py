"""The terms in which the ruleset format is declared: keys, and the kinds of values they have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal, NamedTuple

JsonType = Literal["string", "integer", "number", "boolean", "array"]
UNSET: Final = object()
NO_RULES: Final[Mapping[str, Any]] = {}


class Value(NamedTuple):
    """A value that is not a mapping. `title` names it in messages; `types` and `rules` are those of
    JSON schema. With a `definition` the schema has it once, under that name.
    """

    title: str
    types: tuple[JsonType, ...]
    rules: Mapping[str, Any] = NO_RULES
    items: Value | None = None
    nested: bool = False  # its items are values of the same kind
    nullable: bool = False
    definition: str = ""


class Names(NamedTuple):
    """The names that a mapping may have; `noun` is what messages call the thing that is named."""

    definition: str
    noun: str


class Need(NamedTuple):
    """One of these keys must be there, unless all players choose at once and `unless` is there."""

    keys: tuple[str, ...]
    unless: str = ""


class Requirement(NamedTuple):
    """A key that has a meaning only beside another."""

    key: str
    other: str


class Exclusion(NamedTuple):
    """A key that cannot stand beside any of the others."""

    key: str
    others: tuple[str, ...]


class Section(NamedTuple):
    """A mapping whose keys belong to the language.

    `short` is the key that a value which is no mapping stands for; it is written out when variants
    are merged, if it `expands`. `other` is another kind of value that may stand in its place.
    """

    title: str
    about: str
    keys: tuple[Key, ...]
    short: str = ""
    expands: bool = True
    needs: tuple[Need, ...] = ()
    requires: tuple[Requirement, ...] = ()
    excludes: tuple[Exclusion, ...] = ()
    other: Value | None = None
    listed: bool = False  # several of them may stand in a list
    nullable: bool = True
    definition: str = ""

    def key(self, name: str) -> Key | None:
        """The key of that name, if it belongs here."""
        return next((key for key in self.keys if key.name == name), None)


class Entries(NamedTuple):
    """A mapping from names that the author chooses, with `fixed` keys of the language beside
    them.
    """

    title: str
    of: Kind
    names: Names | None = None
    fixed: tuple[Key, ...] = ()
    other: Value | None = None
    nullable: bool = True
    definition: str = ""

    def key(self, name: str) -> Key | None:
        """The key of the language with that name."""
        return next((key for key in self.fixed if key.name == name), None)


Kind = Value | Section | Entries


class Key(NamedTuple):
    """A key of the language: its value, its meaning, and an example of it, or of an entry below it.
    `values` are examples of the value alone, which editors offer.
    """

    name: str
    value: Kind
    about: str
    example: str = ""
    more: tuple[str, ...] = ()  # further examples
    values: tuple[Any, ...] = ()
    default: Any = UNSET
    essential: bool = False  # if it is misspelt, the rest of a ruleset cannot be judged
    inherited: bool = True  # a variant has what its parent has there
    is_rule: bool = True  # whether the game depends on it: not so texts, drawings, tests
    heading: str = ""  # what people call it, where its name is no noun

    @property
    def noun(self) -> str:
        """What people call it."""
        return self.heading or self.name

    @property
    def description(self) -> str:
        """Its meaning with its examples, in Markdown."""
        examples = ", ".join(f"`{one}`" for one in (self.example, *self.more) if one)
        return f"{self.about} Example: {examples}." if examples else self.about

    @property
    def line(self) -> str:
        """The example as a line of a ruleset: the key with its value."""
        own = self.example.startswith(f"{self.name}:")
        return self.example if own else f"{self.name}: {{{self.example}}}"


def scalar_of(kind: Kind) -> Value | None:
    """The value that may stand in place of a mapping, or the value itself."""
    if isinstance(kind, Value):
        return kind
    if isinstance(kind, Section) and (short := kind.key(kind.short)) is not None:
        return scalar_of(short.value)
    return kind.other
