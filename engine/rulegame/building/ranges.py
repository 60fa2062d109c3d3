"""Ranges of parameters as calls name them: `start=5..40`, `start=5..40..5`, `misere=true,false`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, Final

from rulegame.building.settings import Settings
from rulegame.diagnostics import Span
from rulegame.source.nodes import Node, Scalar, items_of, to_plain
from rulegame.source.reading import read_value

MOST_SETTINGS: Final = 10_000
_NUMBER: Final = "(-?[0-9]{1,18})"
RANGE: Final = re.compile(rf"{_NUMBER}\.\.{_NUMBER}(?:\.\.{_NUMBER})?")

Ranges = Mapping[str, tuple[Node, ...]]


class BadRange(ValueError):
    """A range of a parameter that cannot be understood, or too many settings."""


def read_ranges(texts: Sequence[str]) -> Ranges:
    """The values of each parameter: numbers, words, lists, and ranges of whole numbers."""
    ranges: dict[str, tuple[Node, ...]] = {}
    for text in texts:
        name, equals, values = (part.strip() for part in text.partition("="))
        if not (name and equals and values):
            raise BadRange(f"'{text}' is not a range: write name=5..40 or name=5,10,20")
        if name in ranges:
            raise BadRange(f"'{name}' is given twice: write {name}=5..40,50")
        ranges[name] = _values(name, values)
    count = prod(len(values) for values in ranges.values())
    if count > MOST_SETTINGS:
        raise BadRange(f"these are {count:,} settings: more than {MOST_SETTINGS:,} are too many")
    return ranges


def combinations(ranges: Ranges) -> Iterator[Settings]:
    """Every combination of the values; a single one, without parameters, if there are no ranges."""
    for values in product(*ranges.values()):
        yield Settings(dict(zip(ranges, values, strict=True)))


def plain_values(ranges: Ranges) -> dict[str, list[Any]]:
    """The values as Python has them."""
    return {name: [to_plain(node) for node in nodes] for name, nodes in ranges.items()}


def _values(name: str, text: str) -> tuple[Node, ...]:
    node, problems = read_value(f"[{text}]", name)
    if node is None or problems:
        raise BadRange(f"'{text}' is not a list of values for '{name}'")
    found: list[Node] = []
    for item in items_of(node):
        found += _numbers(name, item) if isinstance(item, Scalar) else [item]
        if len(found) > MOST_SETTINGS:
            raise BadRange(f"'{name}' has more than {MOST_SETTINGS:,} values")
    if not found:
        raise BadRange(f"'{text}' has no values for '{name}'")
    return tuple(found)


def _numbers(name: str, item: Scalar) -> Sequence[Node]:
    """The numbers of a range such as 5..40, or 5..40..5; anything else is one value."""
    ends = RANGE.fullmatch(item.text)
    if ends is None and ".." in item.text:
        raise BadRange(f"'{item.text}' is not a range of whole numbers: write {name}=5..40")
    if ends is None:
        return [item]
    low, high, step = (int(number or 1) for number in ends.groups())
    if step < 1:
        raise BadRange(f"the step of {item.text} must be above 0")
    if high < low:
        raise BadRange(f"there is no number in {item.text}: write {name}={high}..{low}")
    if (high - low) // step >= MOST_SETTINGS:
        raise BadRange(f"'{name}' has more than {MOST_SETTINGS:,} values")
    return [_number(name, number) for number in range(low, high + 1, step)]


def _number(name: str, number: int) -> Scalar:
    text = str(number)
    return Scalar(Span(name, 1, 1, 1, len(text) + 1, text), number, text)
