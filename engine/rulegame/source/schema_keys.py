"""The keys of a ruleset by their path, from the JSON schema: what may stand there, and what it is.

A path is the keys from the root of a file; `ITEM` stands for any item of a list.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, Final, NamedTuple

from rulegame.source.structure import EXPRESSION, schema

ITEM: Final = "[]"
Path = tuple[str, ...]
SHORT_EXPRESSIONS: Final = (
    "choice", "definition", "move_value", "roll", "state_value", "validity_rule",
)  # fmt: skip


class Part(NamedTuple):
    """One place of a ruleset, as the schema knows it."""

    schema: dict[str, Any]
    definition: str = ""  # the name under `definitions`, if it has one

    @property
    def description(self) -> str:
        return str(self.schema.get("description", ""))

    @property
    def keys(self) -> dict[str, str]:
        """The keys that may stand here, with what they mean; none where names are free."""
        known: dict[str, Any] = self.schema.get("properties", {})
        return {name: str(part.get("description", "")) for name, part in known.items()}

    @property
    def is_mapping(self) -> bool:
        return "properties" in self.schema or isinstance(
            self.schema.get("additionalProperties"), dict
        )

    @property
    def is_expression(self) -> bool:
        """Whether a scalar here is an expression, be it in a short form."""
        return self.schema.get("title") == EXPRESSION or self.definition in SHORT_EXPRESSIONS

    @property
    def is_text(self) -> bool:
        """Whether a scalar here is a text with braces."""
        return self.definition == "text"

    @property
    def is_type(self) -> bool:
        return self.schema.get("title") == "a type"

    @property
    def values(self) -> tuple[str, ...]:
        """The values that are known beforehand."""
        if self.schema.get("type") in ("boolean", ["boolean", "null"]):
            return ("true", "false")
        listed = self.schema.get("enum") or self.schema.get("examples", ())
        closed = "enum" in self.schema or "pattern" in self.schema
        if "const" in self.schema:
            return (str(self.schema["const"]),)
        return tuple(v for v in listed if isinstance(v, str)) if closed else ()


@cache
def _whole() -> dict[str, Any]:
    return schema()


@lru_cache(maxsize=4096)
def part_at(path: Path) -> Part | None:
    """What the schema says of the place with that path; None if nothing may stand there."""
    part = Part(_whole())
    for key in path:
        inner = part.schema.get("items") if key == ITEM else _entry(part.schema, key)
        if not isinstance(inner, dict):
            return None
        part = _resolved(inner)
    return part


def _entry(within: dict[str, Any], key: str) -> Any:
    known: dict[str, Any] = within.get("properties", {})
    return known.get(key, within.get("additionalProperties"))


def _resolved(part: dict[str, Any]) -> Part:
    """The part with what it refers to; what stands beside the reference counts."""
    name = part.get("$ref", "")
    if not name:
        return Part(part)
    definition = name.removeprefix("#/definitions/")
    rest = {key: value for key, value in part.items() if key != "$ref"}
    return Part({**_whole()["definitions"][definition], **rest}, definition)
