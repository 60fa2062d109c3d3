"""Rules that run. In: the model. Out: a program: validity, effects, end rules and chance as Python
functions over a flat tuple of integers.

`layout` says where each value stands, `statements` writes the functions, `program` is what comes of
it.
"""

from __future__ import annotations

from typing import Any

from rulegame.compiling.layout import (
    PASSES,
    POINT,
    RULES,
    SEAT,
    Point,
    points_of,
    shape_of,
    start_cells,
    turn_start,
    verdicts,
)
from rulegame.compiling.program import Program
from rulegame.compiling.statements import Writer
from rulegame.evaluation.emitting import Sites
from rulegame.evaluation.runtime import Meter
from rulegame.model import Ruleset

__all__ = [
    "PASSES",
    "POINT",
    "SEAT",
    "Point",
    "Program",
    "compile_ruleset",
    "turn_start",
    "verdicts",
]


def compile_ruleset(ruleset: Ruleset, tables: dict[str, Any]) -> Program:
    """The program of a ruleset; `tables` maps operations to what turns choices into moves."""
    points = points_of(ruleset)
    shape = shape_of(ruleset, points)
    program = Program(
        ruleset=ruleset,
        shape=shape,
        points=points,
        rules=(*RULES, *(rule.name for rule in ruleset.end)),
        sites=Sites(),
        meter=Meter(),
        start=start_cells(ruleset, shape),
    )
    Writer(program, tables).write()
    return program
