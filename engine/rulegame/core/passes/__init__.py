"""The passes over the intermediate representation, in order. In and out: a module.

Lowering attaches costs and sites of faults to the rules as written. No pass adds, removes or moves
a fault; `metering`, the last one, places the charges.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Final, NamedTuple

from rulegame.core import ir
from rulegame.core.passes.cse import share_values
from rulegame.core.passes.fold import fold_constants
from rulegame.core.passes.incremental_ends import narrow_ends
from rulegame.core.passes.linearize import linearize
from rulegame.core.passes.metering import place_charges
from rulegame.core.passes.substitute_after import substitute_after
from rulegame.core.passes.unused_loads import drop_unused_loads

VERIFY: Final = "RULEGAME_VERIFY_IR"  # in the environment; "on": check every stage
LOWERING: Final = "lowering"  # the stage before the first pass


class Pass(NamedTuple):
    """One optimisation, and what it does."""

    name: str
    about: str
    run: Callable[[ir.Function, ir.Module], ir.Function]


PASSES: Final = (
    Pass("substitute_after", "Substitute what rules read of the state after.", substitute_after),
    Pass("incremental_ends", "Narrow end conditions to what a move changed.", narrow_ends),
    Pass("fold", "Fold constants.", fold_constants),
    Pass("cse", "Compute common subexpressions and loop invariants once.", share_values),
    Pass("linearize", "Place the statements of expressions before their statement.", linearize),
    Pass("unused_loads", "Drop loads of cells that nothing reads.", drop_unused_loads),
    Pass("metering", "Place the charges for steps, where they are needed.", place_charges),
)
STAGES: Final = (LOWERING, *(one.name for one in PASSES))


def run_passes(module: ir.Module, after: str = STAGES[-1]) -> ir.Module:
    """The functions after a stage, by default after the last one."""
    check(module)
    for one in PASSES[: STAGES.index(after)]:
        functions = {name: one.run(f, module) for name, f in module.functions.items()}
        module = module._replace(functions=functions)
        check(module)
    return module


def check(module: ir.Module) -> None:
    """Verify functions, if the environment asks for it."""
    if os.environ.get(VERIFY) == "on":
        from rulegame.core.verify import verify

        verify(module)
