"""The JSON schema of a ruleset, generated from the declared keys: schemas/ruleset.schema.json."""

from __future__ import annotations

import json
from typing import Any, Final

from rulegame.keys.kinds import UNSET, Entries, Key, Kind, Need, Section, Value, scalar_of
from rulegame.keys.ruleset import RULESET
from rulegame.keys.values import EXPRESSION, NAME_RULES, TEXT

Schema = dict[str, Any]
LINE: Final = 100


def json_schema(*, conditions: bool = True) -> Schema:
    """The schema; without `conditions` it does not say which keys entries need, which is judged
    when variants are merged.
    """
    generator = _Generator()
    body = generator.section(RULESET)
    definitions = {name: generator.definitions[name] for name in sorted(generator.definitions)}
    whole = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "$id": "urn:rulegame:schema:ruleset:1",
        "title": body.pop("title"),
        "description": body.pop("description"),
        "type": "object",
        "required": ["rulegame"],
    }
    needed = [need.keys[0] for need in RULESET.needs if need.keys[0] not in whole["required"]]
    whole["if"] = {"not": {"required": ["extends"]}}
    whole["then"] = {"required": needed, **(_Conditions().whole() if conditions else {})}
    return {**whole, **body, "definitions": definitions}


def schema_text() -> str:
    """The content of schemas/ruleset.schema.json."""
    return _text(json_schema(), 0) + "\n"


def _text(value: Any, indent: int, before: int = 0) -> str:
    """JSON on one line, if it fits behind what stands before it."""
    line = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or indent + before + len(line) < LINE:
        return line
    blanks = " " * (indent + 2)
    if isinstance(value, dict):
        keys = {json.dumps(key): item for key, item in value.items()}
        rows = [f"{k}: {_text(item, indent + 2, len(k) + 2)}" for k, item in keys.items()]
        begin, end = "{", "}"
    else:
        rows = [_text(item, indent + 2) for item in value]
        begin, end = "[", "]"
    return f"{begin}\n{blanks}" + f",\n{blanks}".join(rows) + f"\n{' ' * indent}{end}"


class _Generator:
    """Collects the definitions that the schema refers to."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}

    def of(self, kind: Kind) -> Schema:
        """A kind of value, or a reference to it."""
        if not kind.definition:
            return self._body(kind)
        if kind.definition not in self.definitions:
            self.definitions[kind.definition] = {}  # it may refer to itself
            self.definitions[kind.definition] = self._body(kind)
        return {"$ref": f"#/definitions/{kind.definition}"}

    def _body(self, kind: Kind) -> Schema:
        if isinstance(kind, Value):
            return {"title": kind.title, **self._value(kind, (), kind.nullable)}
        return self.section(kind) if isinstance(kind, Section) else self._entries(kind)

    def _value(self, value: Value | None, types: tuple[str, ...], nullable: bool) -> Schema:
        """Types and rules of a value that may be of these types, too."""
        listed = [*types, *(value.types if value else ()), *(["null"] if nullable else [])]
        found: Schema = {"type": listed if len(listed) > 1 else listed[0]}
        if value is None:
            return found
        found |= value.rules
        if "enum" in found:
            if types:
                words = found.pop("enum")
                found |= {"pattern": f"^({'|'.join(words)})$", "examples": words}
            elif nullable:
                found["enum"] = [*found["enum"], None]
        if value.nested:
            found["items"] = {"$ref": f"#/definitions/{value.definition}"}
        elif value.items is not None:
            found["items"] = self.of(value.items)
        return found

    def section(self, section: Section) -> Schema:
        found: Schema = {"title": section.title}
        if section.about:
            found["description"] = section.about
        found |= self._value(scalar_of(section), ("object",), section.nullable)
        short = section.key(section.short)
        if short is not None and short.values and not short.value.definition:
            found["examples"] = [*short.values]
        if section.listed:
            ref = f"#/definitions/{section.definition}"
            title = section.title.partition(",")[0]
            items = {"title": title, "$ref": ref, "type": "object"}
            found |= {"type": ["object", "array"], "minItems": 1, "items": items}
        found["additionalProperties"] = False
        found["properties"] = {key.name: self._key(key) for key in section.keys}
        return found

    def _entries(self, entries: Entries) -> Schema:
        found: Schema = {"title": entries.title}
        found |= self._value(entries.other, ("object",), entries.nullable)
        if entries.names is not None:
            name = entries.names.definition
            self.definitions[name] = NAME_RULES[name]
            ref = f"#/definitions/{name}"
            found["propertyNames"] = {"title": entries.names.noun, "$ref": ref}
        if entries.fixed:
            found["properties"] = {key.name: self._key(key) for key in entries.fixed}
        found["additionalProperties"] = self.of(entries.of)
        return found

    def _key(self, key: Key) -> Schema:
        found: Schema = {"description": key.description}
        if key.default is not UNSET:
            found["default"] = key.default
        value = self.of(key.value)
        if examples := key.values or _example_value(key):
            value.pop("examples", None)
            found["examples"] = [*examples]
        return {**value, **found} if "$ref" not in value else {**found, **value}


def _example_value(key: Key) -> tuple[Any, ...]:
    """The value in the example of an expression or a text."""
    if key.value not in (EXPRESSION, TEXT) or not key.example.startswith(f"{key.name}: "):
        return ()
    text = key.example.removeprefix(f"{key.name}: ")
    return (int(text) if text.isdigit() else text.strip('"'),)


class _Conditions:
    """What entries need, as `if`, `then` and `else`; nothing is needed in a variant."""

    def __init__(self) -> None:
        self._definitions: dict[str, Schema] = {}
        self._at_once = False

    def whole(self) -> Schema:
        properties = self._properties(RULESET.keys)
        operations = {"properties": {"operations": properties.pop("operations")}}
        self._at_once = True
        at_once = {
            "properties": self._properties(k for k in RULESET.keys if k.name == "operations")
        }
        return {
            "properties": properties,
            "if": {"required": ["turn"], "properties": {"turn": {"required": ["together"]}}},
            "then": at_once,
            "else": operations,
            "definitions": {name: self._definitions[name] for name in sorted(self._definitions)},
        }

    def _properties(self, keys: Any) -> Schema:
        found = {key.name: self._of(key.value) for key in keys}
        return {name: needs for name, needs in found.items() if needs}

    def _of(self, kind: Kind) -> Schema:
        """What a value needs; empty if it is nothing."""
        if isinstance(kind, Value):
            return {}
        found = self._entries(kind) if isinstance(kind, Entries) else self._section(kind)
        if not found or not kind.definition:
            return found
        own = isinstance(kind, Section) and any(need.unless for need in kind.needs)
        name = f"{kind.definition}_at_once" if own and self._at_once else kind.definition
        self._definitions[name] = found
        return {"$ref": f"#/then/definitions/{name}"}

    def _entries(self, entries: Entries) -> Schema:
        found: Schema = {}
        if properties := self._properties(entries.fixed):
            found["properties"] = properties
        if inner := self._of(entries.of):
            found["additionalProperties"] = inner
        return found

    def _section(self, section: Section) -> Schema:
        found: Schema = {}
        if section.needs:
            found |= {"if": {"type": "object"}, "then": self._required(section)}
        if section.requires:
            found["dependencies"] = {one.key: [one.other] for one in section.requires}
        if properties := self._properties(section.keys):
            found["properties"] = properties
        return found

    def _required(self, section: Section) -> Schema:
        alone = [need.keys[0] for need in section.needs if len(need.keys) == 1]
        found: Schema = {"required": alone} if alone else {}
        for need in section.needs:
            if len(need.keys) > 1:
                found |= self._one_of(need, section)
        return found

    def _one_of(self, need: Need, section: Section) -> Schema:
        """One of several keys; an editor names one that is missing."""
        named = section.short if section.short in need.keys else need.keys[0]
        found: Schema = {"required": [named]}
        waived = [need.unless] if need.unless and self._at_once else []
        for name in (*waived, *reversed([key for key in need.keys if key != named])):
            found = {"if": {"required": [name]}, "else": found}
        return found
