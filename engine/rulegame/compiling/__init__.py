"""Rules that run. In: the model. Out: a kernel, which plays: cells and codes go in and come out.

`layout` says where each value stands in the flat tuple of a state, `statements` writes validity,
effects, end rules and chance as Python functions over it, `narrowing` tells what of the end rules a
move cannot have changed, `together` is for turns in which players choose at once, `program` is what
comes of that, and `kernel` the one door to it.
"""

from __future__ import annotations

from rulegame.compiling.checks import Checks, RuleTest
from rulegame.compiling.kernel import CHANCE, OVER, Below, Kernel, Outcome, by_random
from rulegame.compiling.layout import (
    RULES,
    Point,
    points_of,
    shape_of,
    start_cells,
)
from rulegame.compiling.program import Action, Codes, Numbering, Program
from rulegame.compiling.together import writer_of
from rulegame.core import ir
from rulegame.core.passes import STAGES
from rulegame.evaluation.emitting import Sites
from rulegame.evaluation.runtime import Cells, Fault, Meter
from rulegame.language.syntax import Place
from rulegame.model import Ruleset

__all__ = [
    "CHANCE",
    "OVER",
    "Action",
    "Below",
    "Cells",
    "Checks",
    "Codes",
    "Fault",
    "Kernel",
    "Outcome",
    "Point",
    "RuleTest",
    "by_random",
    "compile_ruleset",
    "lower_ruleset",
]


def compile_ruleset(ruleset: Ruleset) -> Kernel:
    """The rules of a ruleset, ready to run."""
    program = _empty_program(ruleset)
    writer_of(program).write()
    return Kernel(program)


def lower_ruleset(ruleset: Ruleset, after: str = STAGES[-1]) -> tuple[ir.Module, list[Place]]:
    """The intermediate representation of a ruleset after a stage, and the places of its sites."""
    program = _empty_program(ruleset)
    return writer_of(program).lower(after), program.sites.places


def _empty_program(ruleset: Ruleset) -> Program:
    """A program without functions."""
    points = points_of(ruleset)
    shape = shape_of(ruleset, points)
    program = Program(
        ruleset=ruleset,
        shape=shape,
        points=points,
        rules=(*RULES, *(rule.name for rule in ruleset.end)),
        sites=Sites(),
        meter=Meter(),
        start=start_cells(ruleset, shape, points),
    )
    _number(program)
    return program


def _number(program: Program) -> None:
    """Codes for all that may be done or rolled."""
    actions, ruleset = program.actions, program.ruleset
    numbers = {operation.name: k for k, operation in enumerate(ruleset.operations)}
    for o in (*ruleset.operations, *ruleset.setup):
        types = [choice.element for choice in o.choices]
        program.operations[o.name] = Numbering(actions, o.name, numbers.get(o.name, 0), types)
    for k, point in enumerate(program.points):
        if point.roll is not None:
            program.rolls[k] = Numbering(actions, point.roll.name, 0, [point.roll.element])
