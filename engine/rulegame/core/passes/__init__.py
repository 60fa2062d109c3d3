"""The passes over the intermediate representation, in order. In and out: functions.

Lowering attaches costs and sites of faults to the rules as written. No pass adds, removes or moves
a fault; `metering`, the last one, places the charges.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Final, NamedTuple

from rulegame.core import ir
from rulegame.core.passes.facts import Facts
from rulegame.core.passes.metering import place_charges
from rulegame.core.passes.unused_loads import drop_unused_loads

VERIFY: Final = "RULEGAME_VERIFY_IR"  # in the environment; "on": check every stage
LOWERING: Final = "lowering"  # the stage before the first pass


class Pass(NamedTuple):
    """One optimisation, and what it does."""

    name: str
    about: str
    run: Callable[[ir.Function, Facts], ir.Function]


PASSES: Final = (
    Pass("unused_loads", "Drop loads of cells that nothing reads.", drop_unused_loads),
    Pass("metering", "Place the charges for steps, where they are needed.", place_charges),
)
STAGES: Final = (LOWERING, *(one.name for one in PASSES))


def run_passes(
    functions: Iterable[ir.Function], facts: Facts, after: str = STAGES[-1]
) -> list[ir.Function]:
    """The functions after a stage, by default after the last one."""
    found = list(functions)
    check(found, facts)
    for one in PASSES[: STAGES.index(after)]:
        found = [one.run(function, facts) for function in found]
        check(found, facts)
    return found


def check(functions: Iterable[ir.Function], facts: Facts) -> None:
    """Verify functions, if the environment asks for it."""
    if os.environ.get(VERIFY) == "on":
        from rulegame.core.verify import Bounds, verify

        verify(functions, Bounds(facts.size, facts.sites, facts.operations))
