"""Ranges of parameters as calls and claims name them: `5..40`, `5..40..5`, `true,false`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from math import prod
from typing import Any, Final, NamedTuple

from rulegame.building.settings import Settings
from rulegame.source.nodes import Node, Scalar, to_plain
from rulegame.source.nodes import Sequence as SequenceNode
from rulegame.source.reading import read_value

MOST_SETTINGS: Final = 1_000_000  # of one call
_NUMBER: Final = "(-?[0-9]{1,18})"
RANGE: Final = re.compile(rf"{_NUMBER}\.\.{_NUMBER}(?:\.\.{_NUMBER})?")

Ranges = Mapping[str, tuple[Node, ...]]


class Room(NamedTuple):
    """How many settings there may be, and for how many there is room beside others."""

    most: int = MOST_SETTINGS
    left: int = MOST_SETTINGS


OF_A_CALL: Final = Room()


class BadRange(ValueError):
    """A range of a parameter that cannot be understood, or too many settings; `instead` is what
    could be written after the name of the parameter.
    """

    def __init__(self, problem: str, name: str = "", instead: str = "") -> None:
        super().__init__(f"{problem}: write {name}={instead}" if instead else problem)
        self.problem = problem
        self.instead = instead


def read_ranges(texts: Sequence[str]) -> Ranges:
    """The values of each parameter: numbers, words, lists, and ranges of whole numbers."""
    ranges: dict[str, tuple[Node, ...]] = {}
    for text in texts:
        name, equals, values = (part.strip() for part in text.partition("="))
        if not (name and equals and values):
            raise BadRange(f"'{text}' is not a range: write name=5..40 or name=5,10,20")
        if name in ranges:
            raise BadRange(f"duplicate parameter '{name}'", name, "5..40,50")
        ranges[name] = _values(name, values)
    check_count(ranges)
    return ranges


def check_count(ranges: Mapping[str, Sequence[Any]], room: Room = OF_A_CALL) -> None:
    """BadRange if these are more settings than there is room for."""
    count = prod(len(values) for values in ranges.values())
    if count > room.left:
        raise _too_many(f"{count:,} settings", room)


def _too_many(problem: str, room: Room) -> BadRange:
    others = room.most - room.left
    beside = f", beside {others:,} others" if others else ""
    return BadRange(f"{problem}{beside}: the limit is {room.most:,}")


def _too_many_values(name: str, count: int, room: Room) -> BadRange:
    if room.left == room.most:
        return BadRange(f"'{name}' has more than {room.most:,} values")
    return _too_many(f"'{name}' has {count:,} values", room)


def combinations(ranges: Ranges) -> Iterator[Settings]:
    """Every combination of the values; a single one, without parameters, if there are no ranges."""
    for values in product(*ranges.values()):
        yield Settings(dict(zip(ranges, values, strict=True)))


def plain_values(ranges: Ranges) -> dict[str, list[Any]]:
    """The values as Python has them."""
    return {name: [to_plain(node) for node in nodes] for name, nodes in ranges.items()}


def listed(name: str, node: Node, room: Room = OF_A_CALL) -> tuple[Node, ...]:
    """The values of a parameter as a file lists them: one, a range, or several in brackets. Those
    of a range stand where it stands.
    """
    found: list[Node] = []
    for item in node.items if isinstance(node, SequenceNode) else (node,):
        found += _numbers(name, item, room) if isinstance(item, Scalar) else [item]
        if len(found) > room.left:
            raise _too_many_values(name, len(found), room)
    return tuple(found)


def _values(name: str, text: str) -> tuple[Node, ...]:
    node, problems = read_value(f"[{text}]", name)
    if node is None or problems:
        raise BadRange(f"'{text}' is not a list of values for '{name}'")
    found = listed(name, node)
    if not found:
        raise BadRange(f"'{text}' has no values for '{name}'")
    return found


def _numbers(name: str, item: Scalar, room: Room) -> Sequence[Node]:
    """The numbers of a range such as 5..40, or 5..40..5; anything else is one value."""
    ends = RANGE.fullmatch(item.text)
    if ends is None and ".." in item.text:
        raise BadRange(f"'{item.text}' is not a range of whole numbers", name, "5..40")
    if ends is None:
        return [item]
    low, high, step = (int(number or 1) for number in ends.groups())
    if step < 1:
        raise BadRange(f"the step of {item.text} must be above 0")
    if high < low:
        raise BadRange(f"the range {item.text} is empty", name, f"{high}..{low}")
    if (count := (high - low) // step + 1) > room.left:
        raise _too_many_values(name, count, room)
    return [Scalar(item.span, number, str(number)) for number in range(low, high + 1, step)]
