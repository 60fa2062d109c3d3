"""The constructs of the language, as far as its schema and its tables list them, and those that a
ruleset is made of: so that it can be measured what random rulesets cover.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, get_args

import yaml

from rulegame.bundled import schema_path
from rulegame.language import typed
from rulegame.language.functions import FUNCTIONS
from rulegame.language.typed import Typed, Write, owner_key
from rulegame.language.types import (
    RESULTS,
    Bool,
    Cell,
    Grid,
    Int,
    List,
    Optional,
    PlayerType,
    Set,
    Type,
    Word,
)
from rulegame.model import Effects, Roll, Ruleset
from rulegame.model.analysis import rule_expressions

# Examples in a ruleset, which `rulegame test` plays: they are no part of the rules.
LEFT_OUT: Final = ("tests",)
SINGLE: Final = (Int, Bool, PlayerType, Word, Cell)


def all_constructs() -> set[str]:
    """Everything that random rulesets must have in them."""
    found = {f"key {key}" for key in _keys_of_schema()}
    for function in FUNCTIONS.values():
        found.add(f"function {function.name}")
        if function.loops:
            found.add(f"function {function.name}, a loop")
    found |= {
        f"expression {part.__name__}" for part in get_args(Typed) if part is not typed.TextLiteral
    }
    found |= {f"operator {sign}" for sign in ("+", "-", "*", "/", "minus", "and", "or")}
    found |= {f"relation {sign}" for sign in ("==", "!=", "<", "<=", ">", ">=", "in")}
    found |= {f"comparison of {n}" for n in ("Int", "Bool", "PlayerType", "Word", "Optional", "Set",
                                             "List", "Grid", "Cell")}  # fmt: skip
    found |= {"seat me", "seat first", "era now", "era after", "era before", "a chain"}
    found |= {f"value of {whose}" for whose in ("me", "them", "another", "everyone")}
    singles = [one.__name__ for one in SINGLE] + [f"Optional {one.__name__}" for one in SINGLE]
    found |= {f"type {one}" for one in (*singles, "Set", "Set of many cells")}
    found |= {f"type {rows} {one}" for one in singles for rows in ("List", "Grid")}
    found |= {f"write {what}" for what in ("whole", "whole List", "whole Set", "whole Grid",
                                           "element", "cell", "by cell", "of me", "of them",
                                           "of another",
                                           "of everyone", "of a list", "loop",
                                           "condition")}  # fmt: skip
    rolled = ("Int", "Bool", "PlayerType", "Word", "Optional", "Cell")
    found |= {f"choice of {one}" for one in (*rolled, "Set")} | {f"roll of {one}" for one in rolled}
    found |= {f"players {count}" for count in (1, 2, 3, 4)}
    found |= {f"result {word}" for word in RESULTS}
    found |= {f"definition {what}" for what in ("plain", "with arguments")}
    return found | {
        "winners a player",
        "winners a list",
        "two rolls of a turn",
        "two setups",
        "words to choose",
        "words to roll",
        "a drawn board",
        "a roll that is kept in passing",
    }


def constructs_of(text: bytes, ruleset: Ruleset) -> set[str]:
    """What a valid ruleset has in it."""
    tree = yaml.safe_load(text)
    found = {f"key {key}" for key in _keys_of(tree, _schema(), "ruleset")}
    for name in re.findall(r"\b([a-z_]+)\(", text.decode()):
        if name in FUNCTIONS:
            found.add(f"function {name}")
    found |= {"era before"} if b"before.t" in text else set()
    found |= {"words to choose"} if b": big | small" in text else set()
    found |= {"a drawn board"} if b"start: |" in text else set()
    found |= {"words to roll"} if b": heads | tails" in text else set()
    for expression in _expressions(ruleset):
        for part in typed.every_part(expression):
            found.update(_of_part(part))
    found |= {f"type {_type_name(v.variable.type)}" for v in ruleset.state.values()}
    for operation in (*ruleset.setup, *ruleset.operations):
        found |= {f"choice of {type(c.element).__name__}" for c in operation.choices}
        found |= {f"roll of {type(r.element).__name__}" for r in operation.rolls}
        for step in operation.steps:
            found.update(_of_writes(step))
    found |= {f"roll of {type(r.element).__name__}" for r in ruleset.turn.rolls}
    found |= {"two rolls of a turn"} if len(ruleset.turn.rolls) > 1 else set()
    found |= {"two setups"} if len(ruleset.setup) > 1 else set()
    found |= {"a roll that is kept in passing"} if _keeps_rolls(ruleset) else set()
    found.add(f"players {len(ruleset.players)}")
    for name in tree.get("define", {}):
        found.add("definition with arguments" if "(" in name else "definition plain")
    return found | set(_of_verdicts(ruleset))


def _keeps_rolls(ruleset: Ruleset) -> bool:
    rolls = {roll.name for roll in ruleset.turn.rolls}
    effects = ruleset.stuck.effects
    values = [] if effects is None else [write.value for write in effects.writes]
    return any(isinstance(value, typed.Local) and value.name in rolls for value in values)


def _expressions(ruleset: Ruleset) -> Iterator[Typed]:
    yield from rule_expressions(ruleset)
    yield from (value.start for value in ruleset.state.values() if value.start is not None)


# ---- keys


@cache
def _schema() -> dict[str, Any]:
    schema: dict[str, Any] = json.loads(schema_path().read_text("utf-8"))
    return schema


def _resolved(schema: Mapping[str, Any], name: str) -> tuple[Mapping[str, Any], str]:
    """What a reference stands for, and what keys there are named after."""
    if "$ref" not in schema:
        return schema, name
    name = schema["$ref"].rpartition("/")[2]
    return _schema()["definitions"][name], name


def _keys_of_schema() -> set[str]:
    found: set[str] = set()
    waiting: list[tuple[Mapping[str, Any], str]] = [(_schema(), "ruleset")]
    while waiting:
        schema, name = waiting.pop()
        for key, inner in schema.get("properties", {}).items():
            if key not in LEFT_OUT and f"{name}.{key}" not in found:
                found.add(f"{name}.{key}")
                waiting.append(_resolved(inner, key))
        more = schema.get("additionalProperties")
        if isinstance(more, dict):
            waiting.append(_resolved(more, name))
    return found


def _keys_of(tree: Any, schema: Mapping[str, Any], name: str) -> Iterator[str]:
    if not isinstance(tree, dict):
        return
    known, more = schema.get("properties", {}), schema.get("additionalProperties")
    for key, value in tree.items():
        if key in known:
            yield f"{name}.{key}"
            yield from _keys_of(value, *_resolved(known[key], key))
        elif isinstance(more, dict):
            yield from _keys_of(value, *_resolved(more, name))


# ---- expressions, types, effects


def _of_part(part: Typed) -> Iterator[str]:
    yield f"expression {type(part).__name__}"
    match part:
        case typed.Arithmetic(operator=operator, operands=operands):
            yield f"operator {operator}" if len(operands) > 1 else "operator minus"
        case typed.BoolOp(operator=operator):
            yield f"operator {operator}"
        case typed.Membership():
            yield "relation in"
        case typed.Compare(operands=operands, relations=relations):
            yield from (f"relation {relation}" for relation in relations)
            yield from (f"comparison of {type(one.type).__name__}" for one in operands)
            if len(relations) > 1:
                yield "a chain"
        case typed.Seat(which=which):
            yield f"seat {which}"
        case typed.Aggregate(function=name):
            yield f"function {name}, a loop"
        case typed.Value(variable=variable, owner=owner, era=era):
            yield f"era {era}"
            if variable.each_player:
                yield f"value of {_whose(owner)}"


def _whose(owner: Typed | None) -> str:
    if owner is None:
        return "everyone"
    key = owner_key(owner)
    return key if key in ("me", "them") else "another"


def _type_name(type_: Type) -> str:
    match type_:
        case List(of=of) | Grid(of=of) | Optional(of=of):
            return f"{type(type_).__name__} {_type_name(of)}"
        case Set(is_wide=True):
            return "Set of many cells"
    return type(type_).__name__


def _of_writes(step: Effects | Roll) -> Iterator[str]:
    for write in step.writes if isinstance(step, Effects) else ():
        yield from _of_write(write)


def _of_write(write: Write) -> Iterator[str]:
    if write.indices:
        by_cell = isinstance(write.indices[0].type, Cell)
        one = "by cell" if by_cell else "cell" if len(write.indices) > 1 else "element"
        yield f"write {one}"
    elif isinstance(write.variable.type, (List, Set, Grid)):
        yield f"write whole {type(write.variable.type).__name__}"
    else:
        yield "write whole"
    if write.variable.each_player:
        everyone = isinstance(write.owner, typed.Local) and bool(write.loops)
        yield "write of everyone" if everyone else f"write of {_whose(write.owner)}"
        if write.place.written == write.variable.name:
            yield "write of a list"
    if write.loops:
        yield "write loop"
    if any(loop.condition is not None for loop in write.loops):
        yield "write condition"


def _of_verdicts(ruleset: Ruleset) -> Iterator[str]:
    stuck = ruleset.stuck
    for verdict in (stuck.verdict, stuck.all_verdict, *(rule.verdict for rule in ruleset.end)):
        if verdict.winners is not None:
            alone = isinstance(verdict.winners.type, PlayerType)
            yield "winners a player" if alone else "winners a list"
        if verdict.result is not None:
            for part in typed.every_part(verdict.result):
                if isinstance(part, typed.Constant) and isinstance(part.type, Word):
                    yield f"result {ruleset.words[part.code]}"


def covering(texts: Mapping[int, tuple[bytes, Ruleset]]) -> list[int]:
    """Numbers of rulesets that together have all that any of them has: few, so that the suite can
    try each.
    """
    left = {number: constructs_of(*one) & all_constructs() for number, one in texts.items()}
    missing, chosen = set[str]().union(*left.values()), list[int]()
    while missing:
        best = max(left, key=lambda number: len(left[number] & missing))
        chosen.append(best)
        missing -= left.pop(best)
    return sorted(chosen)
