"""The schema alone, as editors use it: it accepts every bundled ruleset, and refuses what is
misspelt, of the wrong kind, or missing, at every level.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
from jsonschema import Draft7Validator

from rulegame import bundled
from rulegame.keys.json_schema import json_schema, schema_text
from rulegame.keys.kinds import Entries, Kind, Need, Section, Value
from rulegame.keys.ruleset import RULESET
from rulegame.source.nodes import to_plain
from rulegame.source.reading import read_file

SCHEMA: dict[str, Any] = json.loads(bundled.schema_path().read_text("utf-8"))
VALIDATOR = Draft7Validator(SCHEMA)
Steps = tuple[str | int, ...]


def content(name: str) -> Any:
    """A bundled ruleset by the rules of YAML 1.2, as yaml-language-server reads it."""
    path = bundled.ruleset_path(name)
    assert path is not None
    root, problems = read_file(path)
    assert root is not None and problems == ()
    return to_plain(root)


RULESETS = {name: content(name) for name in bundled.ruleset_names("games", "variants")}


def parts(schema: Any, path: Steps = ()) -> Iterator[tuple[Steps, dict[str, Any]]]:
    """Every schema inside a schema, with the path to it."""
    if isinstance(schema, dict):
        yield path, schema
        for key, inner in schema.items():
            if key not in ("examples", "default", "enum", "const"):
                yield from parts(inner, (*path, key))
    elif isinstance(schema, list):
        for number, inner in enumerate(schema):
            yield from parts(inner, (*path, number))


def mappings(value: Any, path: Steps = ()) -> Iterator[tuple[Steps, dict[str, Any]]]:
    """Every mapping of a ruleset, with the path to it."""
    if isinstance(value, dict):
        yield path, value
        for key, inner in value.items():
            yield from mappings(inner, (*path, key))


def at(value: Any, path: Steps) -> Any:
    for step in path:
        value = value[step]
    return value


def needed() -> Iterator[tuple[tuple[str, ...], tuple[str, ...]]]:
    """Where something is needed, and the keys of which one must be there; a `*` is any name."""

    def walk(kind: Kind, path: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Need]]:
        if isinstance(kind, Section):
            yield from ((path, need) for need in kind.needs if path)
        if not isinstance(kind, Value):
            keys = kind.keys if isinstance(kind, Section) else kind.fixed
            for key in keys:
                yield from walk(key.value, (*path, key.name))
        if isinstance(kind, Entries):
            yield from walk(kind.of, (*path, "*"))

    yield from ((path, need.keys) for path, need in walk(RULESET, ()))


def is_valid(value: Any) -> bool:
    return bool(VALIDATOR.is_valid(value))


# ---- what it says


def test_it_is_generated_from_the_declared_keys() -> None:
    if os.environ.get("RULEGAME_UPDATE_GOLDEN"):
        bundled.schema_path().write_text(schema_text(), "utf-8")
    assert bundled.schema_path().read_text("utf-8") == schema_text()
    assert json_schema() == json.loads(bundled.schema_path().read_text("utf-8"))


def test_every_reference_leads_somewhere_and_everything_is_used() -> None:
    used = {
        schema["$ref"].removeprefix("#/definitions/")
        for _, schema in parts(SCHEMA)
        if isinstance(schema.get("$ref"), str)
    }
    needed = {f"#/then/definitions/{name}" for name in SCHEMA["then"]["definitions"]}
    assert used == {*SCHEMA["definitions"], *needed}


def test_the_values_of_a_key_that_has_few_are_listed() -> None:
    for path, schema in parts(SCHEMA):
        for example in schema.get("examples", ()):
            if "$ref" not in schema and "pattern" in schema:
                assert Draft7Validator(schema).is_valid(example), path


# ---- what it accepts and refuses


@pytest.mark.parametrize("name", bundled.ruleset_names())
def test_a_bundled_ruleset_is_valid_under_the_schema_alone(name: str) -> None:
    assert [e.message for e in VALIDATOR.iter_errors(content(name))] == []


@pytest.mark.parametrize("name", RULESETS)
def test_a_misspelt_key_is_refused_at_every_level(name: str) -> None:
    """A key that nobody knows, in every mapping whose keys the language names."""
    tried = 0
    for path, _ in mappings(RULESETS[name]):
        if not closed(path):
            continue
        broken = deepcopy(RULESETS[name])
        at(broken, path)["wehn"] = 1
        assert not is_valid(broken), path
        tried += 1
    assert tried >= 3


def closed(path: Steps) -> bool:
    """Whether the mapping there has keys of the language, rather than names of the game."""
    match path:
        case () | ("turn",) | ("stuck",) | ("stuck", "all") | ("texts",) | ("claims",):
            return True
        case ("parameters" | "validity" | "end" | "operations" | "setup", _):
            return True
        case ("state", value) if value != "each player":
            return True
        case ("state", "each player", _) | ("tests", _) | ("tests", _, "expect"):
            return True
        case ("tests", _, "expect", "outcome") | ("operations" | "setup", _, "texts"):
            return True
        case ("operations" | "setup", _, "choose" | "roll" | "steps", _) | ("turn", "roll", _):
            return True
    return False


@pytest.mark.parametrize("name", RULESETS)
def test_a_value_of_the_wrong_kind_is_refused_everywhere(name: str) -> None:
    """A mapping with a strange key fits nowhere but where names are free; a fraction in a list
    nowhere at all.
    """
    for path, mapping in mappings(RULESETS[name]):
        for key in mapping:
            broken = deepcopy(RULESETS[name])
            at(broken, path)[key] = {"?": [0.5]}
            assert not is_valid(broken), (*path, key)


@pytest.mark.parametrize("name", [n for n in RULESETS if "extends" not in RULESETS[n]])
@pytest.mark.parametrize("key", ["rulegame", "title", "operations", "end"])
def test_a_missing_key_is_refused(name: str, key: str) -> None:
    broken = deepcopy(RULESETS[name])
    del broken[key]
    assert not is_valid(broken)


ENTRY = {
    "players": {"from": 2, "to": 4},
    "types": {"low": {"values": "1..2", "points": {"a": [1, 2]}}},
    "define": {"half": {"value": "1"}},  # one of each kind, with all that it needs
    "parameters": {"x": {"default": 1}},
    "state": {"v": {"type": "int", "start": 1}, "each player": {"w": {"type": "int", "start": 1}}},
    "turn": {
        "let": {"x": {"type": "int", "start": "1"}},
        "roll": {"die": {"from": "1..6"}},
        "steps": {"one": {"effects": {"v": "1"}, "roll": {"die4": {"from": "1..6"}}}},
    },
    "setup": {
        "pick": {
            "let": {"y": {"type": "int", "start": "1"}},
            "choose": {"n": {"from": "1..2"}},
            "roll": {"die5": {"from": "1..6"}},
            "effects": {"v": "n"},
            "steps": {"one": {"effects": {"v": "n"}, "roll": {"die6": {"from": "1..6"}}}},
        }
    },
    "operations": {
        "take": {
            "let": {"z": {"type": "int", "start": "1"}},
            "choose": {"n": {"from": "1..2"}},
            "roll": {"die2": {"from": "1..6"}},
            "effects": {"v": "n"},
            "next": "me",
            "steps": {"one": {"effects": {"v": "n"}, "roll": {"die3": {"from": "1..6"}}}},
        }
    },
    "validity": {"fine": {"require": "n > 0", "must": "n > 1"}},
    "end": {
        "over": {
            "when": "v > 9",
            "result": "win",
            "winners": "me",
            "payoff": [1, 2],
            "everyone": "win",
            "score": 3,
        }
    },
}


@pytest.mark.parametrize(("path", "group"), [*needed()])
def test_what_an_entry_needs_is_needed_under_the_schema_alone(
    path: tuple[str, ...], group: tuple[str, ...]
) -> None:
    """Unless it is a variant, which inherits the rest."""
    whole: dict[str, Any] = {"rulegame": 1, "title": "Whole", **ENTRY}
    assert is_valid(whole)
    broken = deepcopy(whole)
    entry = broken
    for step in path:
        free = [key for key in entry if key != "each player"]
        entry = entry[free[0] if step == "*" else step]
    for name in group:
        del entry[name]
    assert not is_valid(broken)
    assert is_valid({**broken, "extends": "parent.yaml"})


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("rulegame",), 2),
        (("rulegame",), "1"),
        (("title",), ""),
        (("title",), []),
        (("players",), []),
        (("players",), ["Ann", "Ann"]),
        (("players",), [str(k) for k in range(9)]),
        (("parameters", "9lives"), 1),
        (("parameters", "none"), 1),
        (("parameters", "start", "default"), None),
        (("parameters", "start", "min"), "1"),
        (("parameters", "start", "min size"), -1),
        (("parameters", "start", "different"), "yes"),
        (("state", "a b"), 1),
        (("state", "last", "seen by"), "somebody"),
        (("state", "last", "type"), 5),
        (("operations", "two words"), {}),
        (("operations", "subtract"), 5),
        (("operations", "subtract", "enabled"), "on"),
        (("operations", "subtract", "choose"), "n"),
        (("operations", "subtract", "effects"), ["my.score"]),
        (("operations", "subtract", "steps"), {"a": {"repeat": 10_001}}),
        (("validity", "not_repeated", "for"), "subtract"),
        (("validity", "not_repeated", "for"), []),
        (("stuck",), "resign"),
        (("stuck", "result"), "resign"),
        (("end", "zero", "when"), 1.5),
        (("claims", "always_ends"), "yes"),
        (("claims", "fair_within"), -1),
        (("tests", "x"), {"first": 0}),
        (("tests", "x"), {"play": "subtract 5"}),
        (("tests", "x"), {"expect": {"outcome": "draw"}}),
        (("tests", "x"), {"expect": {"outcome": {"winner": 9}}}),
        (("tests", "x"), None),
    ],
)
def test_a_wrong_value_is_refused(path: Steps, value: Any) -> None:
    broken = deepcopy(RULESETS["zero_sum_duel"])
    *way, last = path
    at(broken, tuple(way))[last] = value
    assert not is_valid(broken)
