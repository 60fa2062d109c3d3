"""The passes over the intermediate representation, in order. In and out: a module.

Lowering attaches costs and sites of faults to the rules as written. No pass adds, removes or moves
a fault; `metering`, the last one, places the charges.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from typing import Final, NamedTuple

from rulegame.core import ir
from rulegame.core.intrinsics import HEAVY

VERIFY: Final = "RULEGAME_VERIFY_IR"  # in the environment; "on": check every stage
LOWERING: Final = "lowering"  # the stage before the first pass

Kind = type[ir.Node] | str | tuple[type[ir.Node], object]


class Pass(NamedTuple):
    """One optimisation, and what it does. It has something to do where a function `has` one of
    these kinds of nodes, or calls one of these intrinsics (`_contents`); it may add others for
    later passes. Backends need what some passes do.
    """

    name: str
    about: str
    run: Callable[[ir.Function, ir.Module], ir.Function]
    has: frozenset[Kind]
    adds: frozenset[Kind] = frozenset()
    is_needed: bool = False


def _pass(
    name: str,
    about: str,
    function: str,
    *has: Kind,
    adds: Iterable[Kind] = (),
    is_needed: bool = False,
) -> Pass:
    """A pass by the name of its function; its module is imported where it has something to do."""

    @cache
    def load() -> Callable[[ir.Function, ir.Module], ir.Function]:
        found: Callable[[ir.Function, ir.Module], ir.Function]
        found = getattr(import_module(f"{__name__}.{name}"), function)
        return found

    def run(one: ir.Function, module: ir.Module) -> ir.Function:
        return load()(one, module)

    return Pass(name, about, run, frozenset(has), frozenset(adds), is_needed)


PASSES: Final = (
    _pass(
        "substitute_after",
        "Substitute what rules read of the state after a move.",
        "substitute_after",
        (ir.CopyState, "u"),
        adds=((ir.Compare, ir.BlockExpr),),
        is_needed=True,
    ),
    _pass(
        "incremental_ends",
        "Narrow end conditions to what a move changed.",
        "narrow_ends",
        ir.Incremental,
        is_needed=True,
    ),
    _pass(
        "fuse_lists",
        "Visit and count the elements of lists without making them.",
        "fuse_lists",
        ir.NewList,
        adds=((ir.Compare, ir.BlockExpr),),
    ),
    _pass(
        "stop_counting",
        "End counts as soon as they decide a comparison.",
        "stop_counting",
        (ir.Compare, ir.BlockExpr),
    ),
    _pass("flood_order", "Visit connected cells in any order.", "relax_order", "flood"),
    _pass("early_tests", "Test validity rules before later choices.", "test_early", ir.Offer),
    _pass(
        "narrow_ranges",
        "Narrow ranges to the numbers that pass the first tests.",
        "narrow_ranges",
        "range",
        adds=(ir.BlockExpr,),
    ),
    _pass("hoist_loads", "Load cells before the loops over choices.", "hoist_loads", ir.Offer),
    _pass(
        "forward_stores",
        "Read what was written to a cell from the variable that was written.",
        "forward_stores",
        (ir.Load, "t"),
    ),
    _pass("bounds", "Drop checks of indices that cannot fail.", "drop_checks", "index"),
    _pass("fold", "Fold constants.", "fold_constants", ir.Const),
    _pass(
        "cse",
        "Compute common subexpressions and loop invariants once.",
        "share_values",
        ir.BlockExpr,
        *HEAVY,
        adds=(ir.Assign, ir.BlockExpr),
    ),
    _pass(
        "linearize",
        "Place the statements of expressions before their statement.",
        "linearize",
        ir.BlockExpr,
        adds=(ir.Assign,),
        is_needed=True,
    ),
    _pass(
        "unused_loads", "Drop loads of cells that nothing reads.", "drop_unused_loads", ir.Assign
    ),
    _pass(
        "metering",
        "Place the charges for steps, where they are needed.",
        "place_charges",
        "span",
        is_needed=True,
    ),
)
STAGES: Final = (LOWERING, *(one.name for one in PASSES))


def run_passes(module: ir.Module, after: str = STAGES[-1], optimise: bool = True) -> ir.Module:
    """The functions after a stage, by default after the last one; without optimisations only the
    passes run that backends need.
    """
    is_checked = os.environ.get(VERIFY) == "on"
    if is_checked:
        verify_late(module)
    contents = {name: _contents(function) for name, function in module.functions.items()}
    for one in PASSES[: STAGES.index(after)]:
        if not (optimise or one.is_needed):
            continue
        functions = dict(module.functions)
        for name, function in module.functions.items():
            if not one.has.isdisjoint(contents[name]):
                functions[name] = one.run(function, module)
                contents[name] |= one.adds
        before, module = module, module._replace(functions=functions)
        if is_checked:
            verify_late(module, before)
    return module


def _contents(function: ir.Function) -> set[Kind]:
    """The kinds of the nodes of a function; of calls the intrinsic, too, of loads and copies the
    state, of comparisons the kind of the first operand.
    """
    found: set[Kind] = set()
    for node in ir.walk(function):
        kind = type(node)
        found.add(kind)
        if isinstance(node, ir.Call):
            found.add(node.function)
        elif isinstance(node, ir.Compare):
            found.add((kind, type(node.operands[0])))
        elif isinstance(node, (ir.Load, ir.CopyState)):
            found.add((kind, node.state))
    return found


def verify_late(module: ir.Module, before: ir.Module | None = None) -> None:
    """Verify functions, of a pass those it changed; what that needs is imported only now."""
    from rulegame.core.verify import verify

    verify(module, before)
