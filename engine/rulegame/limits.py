"""One table of the limits that keep a stranger's ruleset from hanging the process or filling its
memory.

Imports nothing. The language reference prints this table; nothing else in the code holds a limit
of its own.
"""

from typing import Final, NamedTuple


class Limits(NamedTuple):
    """The numbers in force; each field's comment in `MEANINGS` is what people read."""

    file_bytes: int = 262_144
    nodes: int = 10_000
    letters: int = 262_144
    depth: int = 40
    key_length: int = 200
    parents: int = 8
    expression_length: int = 2_000
    expression_depth: int = 40
    expression_parts: int = 10_000
    ruleset_parts: int = 50_000
    nesting: int = 80
    loops: int = 8
    choices: int = 8
    rolls: int = 20
    operations: int = 500
    expression_cost: int = 4_000_000
    problems: int = 100
    suggestions: int = 500_000
    players: int = 8
    cells: int = 4_096
    collection: int = 100_000
    moves: int = 100_000
    steps: int = 60_000_000
    repeat: int = 10_000
    set_width: int = 512
    chosen_set: int = 62
    integer: int = 2**63 - 1


LIMITS: Final = Limits()

MEANINGS: Final[dict[str, str]] = {
    "file_bytes": "bytes in one ruleset file",
    "nodes": "keys and values in one file, aliases counted as often as they are used",
    "letters": "characters of keys and values in one file, aliases counted in the same way",
    "depth": "levels of nesting in YAML",
    "key_length": "characters in a key",
    "parents": "rulesets that a variant extends, one after the other",
    "expression_length": "characters in an expression",
    "expression_depth": "levels of nesting in an expression",
    "expression_parts": "parts of an expression, with definitions expanded",
    "ruleset_parts": "parts of all expressions of a ruleset, written out for each operation",
    "nesting": "levels of nesting in an expression, with definitions expanded",
    "loops": "loops inside one another in an expression or an effect",
    "choices": "choices of an operation",
    "rolls": "rolls of a turn, or of an operation",
    "operations": "operations",
    "expression_cost": "steps that one evaluation of an expression may take",
    "problems": "problems reported for one file",
    "suggestions": "characters compared to suggest names for unknown ones",
    "players": "players",
    "cells": "single values in a state (a list of ten counts as ten)",
    "collection": "elements of a range, a list or a choice",
    "moves": "moves in one state, before validity",
    "steps": "steps that a move takes, or finding the moves of a state, or the texts of a question",
    "repeat": "repetitions of a step",
    "set_width": "numbers between the least and the greatest element of a set",
    "chosen_set": "those of a set that is chosen",
    "integer": "the largest integer; the smallest is its negative",
}

assert set(MEANINGS) == set(Limits._fields)
