"""The section `claims`: what a ruleset promises, and with which values of its parameters."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from math import prod
from typing import Final, NamedTuple

from rulegame.building.ranges import BadRange, Room, check_count, listed
from rulegame.model import Claim
from rulegame.source.nodes import Mapping as MappingNode
from rulegame.source.nodes import Node, Scalar, items_of, mapping_of, to_plain

FOR: Final = "for"
MOST_SETTINGS: Final = 10_000  # of all claims of a file: each value is looked at to validate it
AMOUNT: Final = re.compile(r"-?\d+(/[1-9]\d*)?")  # a number as a claim may have it


class ClaimBlock(NamedTuple):
    """Claims that stand together, and the values that they are for."""

    node: MappingNode
    over: dict[str, tuple[Node, ...]]
    mistakes: tuple[tuple[Node, BadRange], ...]


def claims(node: Node | None) -> tuple[Claim, ...]:
    """What a ruleset claims, in the order of the file."""
    return tuple(claim for block in blocks(node) for claim in _claims(block))


def blocks(node: Node | None) -> Iterator[ClaimBlock]:
    """The one mapping of claims, or each of a list. All together are for no more settings than one
    of them may be for.
    """
    left = MOST_SETTINGS
    for part in tuple(map(mapping_of, items_of(node))) or (mapping_of(node),):
        block = _block(part, Room(MOST_SETTINGS, left))
        left -= prod(map(len, block.over.values()), start=bool(block.over))
        yield block


def _block(node: MappingNode, room: Room) -> ClaimBlock:
    over: dict[str, tuple[Node, ...]] = {}
    mistakes: list[tuple[Node, BadRange]] = []
    for key, values in mapping_of(node.get(FOR)):
        try:
            over[key.text] = listed(key.text, values, room)
            check_count(over, room)
        except BadRange as bad:
            mistakes.append((values, bad))
            over.pop(key.text, None)
    return ClaimBlock(node, over, tuple(mistakes))


def _claims(block: ClaimBlock) -> Iterator[Claim]:
    over = {name: tuple(map(to_plain, values)) for name, values in block.over.items()}
    as_written = to_plain(mapping_of(block.node.get(FOR)))
    for key, node in block.node:
        value = node.value if isinstance(node, Scalar) and key.text != FOR else None
        written = str(value).replace(" ", "")
        if isinstance(value, (bool, int, float)) or AMOUNT.fullmatch(written):
            known = value if isinstance(value, bool) else Fraction(written)
            yield Claim(key.text, known, key.span, over, as_written)
