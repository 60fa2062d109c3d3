"""The validator of the JSON schema: jsonschema with faster references and the language's own
integers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from rulegame.keys.json_schema import Schema, json_schema

if TYPE_CHECKING:
    from jsonschema import ValidationError
    from jsonschema.protocols import Validator


@cache
def validator() -> Validator:
    from jsonschema import Draft7Validator, validators  # slow to import

    types = Draft7Validator.TYPE_CHECKER.redefine("integer", _is_integer)
    whole = json_schema(conditions=False)  # they are judged when variants are merged
    keywords: Any = {
        "additionalProperties": _in_order(Draft7Validator.VALIDATORS["additionalProperties"]),
        "$ref": _reference(whole["definitions"]),
        "uniqueItems": _unique_items,
        "pattern": _pattern,
    }
    extend: Any = validators.extend
    found: Validator = extend(Draft7Validator, keywords, type_checker=types)(whole)
    return found


def _reference(definitions: Schema) -> Callable[..., Iterator[ValidationError]]:
    """`$ref` by a look-up of our own: much faster, and a title beside it counts for messages."""
    resolved: dict[int, Schema] = {}

    def follow(
        validator: Any, name: str, instance: object, part: Schema
    ) -> Iterator[ValidationError]:
        if id(part) not in resolved:
            rest = {key: value for key, value in part.items() if key != "$ref"}
            resolved[id(part)] = {**definitions[name.removeprefix("#/definitions/")], **rest}
        yield from validator.descend(instance, resolved[id(part)])

    return follow


def _in_order(check: Callable[..., Any]) -> Callable[..., Iterator[ValidationError]]:
    """The library goes through the values of other keys in the order of a set, which changes from
    one process to the next: only so many problems are shown.
    """

    def ordered(
        validator: Any, rule: object, instance: object, part: Schema
    ) -> Iterator[ValidationError]:
        if not isinstance(rule, dict) or not isinstance(instance, dict):
            yield from check(validator, rule, instance, part) or ()
            return
        named, patterns = part.get("properties", {}), part.get("patternProperties", {})
        for key, value in instance.items():
            if key not in named and not any(re.search(p, key) for p in patterns):
                yield from validator.descend(value, rule, path=key)

    return ordered


def _is_integer(_: object, value: object) -> bool:
    """For JSON Schema 1.0 is an integer too; here it is not."""
    return isinstance(value, int) and not isinstance(value, bool)


def _unique_items(
    _: Validator, unique: bool, items: object, __: Schema
) -> Iterator[ValidationError]:
    """The library compares each with each if they are of several kinds: too slow for long lists."""
    from jsonschema import ValidationError

    seen: set[object] = set()
    for k, item in enumerate(items if isinstance(items, list) else ()):
        if isinstance(item, str) and item in seen:
            yield ValidationError("", path=(k,))
        seen.add(item if isinstance(item, str) else k)


def _pattern(_: Validator, pattern: str, value: object, __: Schema) -> Iterator[ValidationError]:
    """As in ECMAScript, `$` is the end, not a line break before it."""
    from jsonschema import ValidationError

    if isinstance(value, str) and re.fullmatch(pattern, value) is None:
        yield ValidationError("")
