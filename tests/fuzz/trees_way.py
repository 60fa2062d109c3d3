"""Inputs that are YAML trees: valid rulesets, bundled and random, with nodes swapped, repeated,
left out, of another type, and with expressions changed word by word.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any, Final

import yaml

from fuzz import rulesets_way
from fuzz.samples import rulesets, sound
from rulegame.source.nodes import to_plain
from rulegame.source.reading import read_text

Slot = tuple[Any, Any]  # a mapping or list, and the key or index of a value in it

RANDOM: Final = 0.4  # of the rulesets, which have keys that bundled ones lack
TOKEN: Final = re.compile(r"\s+|[A-Za-z_]\w*|\d+|\.\.|[<>=!]=|\W")
VALUES: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, -1, 3, 62, 63, 1000, 100_000, 2**62, 2**63 - 1, -(2**63), 10**30, 0.5,
    "", "none", "me", "them", "win", "lose", "draw", "pass", "players", "all", "owner", "nobody",
    [], [1, 2], {}, {"a": 1}, "list of int", "set of 1..62", "grid of int", "0..1", "x", "1..0",
)  # fmt: skip
WORDS: Final = (
    "and", "or", "not", "if", "else", "for", "in", "sum", "count", "any", "all", "min", "max",
    "list", "with", "without", "subsets", "mod", "lines", "rows", "columns", "after", "my", "their",
    "me", "them", "players", "none", "true", "first", "last", "size", "abs", "position", "x",
    "+", "-", "*", "/", "==", "<", ">=", "..", "(", ")", "[", "]", ",", ".", "0", "1", "2", "9",
    "1000000", "9223372036854775807",
)  # fmt: skip
FRAMES: Final = (
    "({})", "-({})", "not ({})", "sum({} for x in 1..3)", "count(x for x in 1..9 if {})",
    "any({} for x in players)", "list({} for x in 1..2)", "({}) if me == 1 else ({})", "({})[1]",
    "({}) * ({})", "max({}, 1)", "min(x for x in 1..2 if x > {})", "({}) / 0", "mod({}, 0)",
    "subsets({}, 2)", "1..({})", "after.({})", "all({} for x in 1..left for y in x..9)",
)  # fmt: skip


def make(rng: Random) -> bytes:
    """One input; many are valid."""
    if rng.random() < RANDOM:
        tree = yaml.safe_load(rulesets_way.make(rng))
    else:
        tree = copy.deepcopy(rng.choice(_trees(sound())))
    for _ in range(rng.choice([1, 1, 1, 2, 3, 8])):
        slots = list(_slots(tree))
        if slots:
            _change(rng, *rng.choice(slots), slots)
    return yaml.safe_dump(tree, sort_keys=False, allow_unicode=True, width=1_000).encode()


@cache
def _trees(texts: tuple[str, ...]) -> tuple[dict[str, Any], ...]:
    read = [read_text(text, "sample") for text in texts]
    found = [to_plain(root) for root, problems in read if root is not None and not problems]
    return tuple(tree for tree in found if isinstance(tree, dict))


@cache
def _by_key() -> dict[Any, tuple[Any, ...]]:
    """Values of all rulesets by the key that they stand under: where one fits, others may."""
    found: dict[Any, list[Any]] = {}
    for tree in _trees(rulesets()):
        for holder, key in _slots(tree):
            found.setdefault(key, []).append(holder[key])
    return {key: tuple(values) for key, values in found.items()}


def _slots(tree: Any) -> Iterator[Slot]:
    if isinstance(tree, dict | list):
        for key in list(tree) if isinstance(tree, dict) else range(len(tree)):
            yield tree, key
            yield from _slots(tree[key])


def _change(rng: Random, holder: Any, key: Any, slots: list[Slot]) -> None:
    value = holder[key]
    deed = rng.randrange(8)
    if deed == 0:
        del holder[key]
    elif deed == 1:
        holder[key] = copy.deepcopy(rng.choice(_by_key().get(key, VALUES)))
    elif deed == 2:
        other, there = rng.choice(slots)
        if rng.random() < 0.5 or _holds(value, other):
            holder[key] = copy.deepcopy(other[there])
        elif not _holds(other[there], holder):
            holder[key], other[there] = other[there], value
    elif deed == 3:
        holder[key] = copy.deepcopy(rng.choice(VALUES))
    elif deed == 4:
        _repeat(rng, holder, key)
    elif isinstance(value, str):
        holder[key] = _expression(rng, value)
    elif isinstance(value, int):
        holder[key] = rng.choice([value + 1, value - 1, -value, value * 1000, str(value)])


def _holds(tree: Any, part: Any) -> bool:
    """Whether a part lies inside of a tree, which must not come to hold itself."""
    return tree is part or any(holder is part for holder, _ in _slots(tree))


def _repeat(rng: Random, holder: Any, key: Any) -> None:
    """The same once more, under another name; or a key with another name."""
    value = copy.deepcopy(holder[key])
    if isinstance(holder, list):
        holder.insert(rng.randrange(len(holder) + 1), value)
    else:
        others = list(_by_key())
        holder[rng.choice([f"{key}2", rng.choice(others), "each player", key])] = value


def _expression(rng: Random, text: str) -> str:
    if rng.random() < 0.2:
        return rng.choice(FRAMES).replace("{}", text)
    tokens = TOKEN.findall(text) or [""]
    for _ in range(rng.choice([1, 1, 2])):
        at = rng.randrange(len(tokens))
        other = rng.choice([rng.choice(tokens), rng.choice(WORDS)])
        tokens[at : at + rng.randrange(3)] = rng.choice([[], [other], [" ", other, " "]])
        tokens = tokens or [""]
    return "".join(tokens)
