"""Evaluates single typed expressions: parameters' sizes while a ruleset is built, texts and
reasons while it is played.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final, TypeVar

from rulegame.core import ir
from rulegame.core.backends.python import compile_functions
from rulegame.core.passes import run_passes
from rulegame.evaluation import runtime, wide_sets
from rulegame.evaluation.emitting import Emitter, Layout, Sites, local_name
from rulegame.evaluation.repetition import occurrences, remember
from rulegame.language.costs import work
from rulegame.language.functions import FUNCTIONS
from rulegame.language.syntax import Era
from rulegame.language.typed import Typed
from rulegame.limits import LIMITS

T = TypeVar("T")
Code = int | bool | str | tuple[Any, ...]
METERED: Final = frozenset({"span", "through", "charge"})  # what spends steps of the meter

RUNTIME: Mapping[str, Any] = {
    name: value
    for name, value in vars(runtime).items()
    if callable(value) and not name.startswith("_")
} | {
    **{name: value for name, value in vars(wide_sets).items() if name.startswith("wide_")},
    "remember": remember,
    "occurrences": occurrences,
}


def namespace(meter: runtime.Meter, **more: Any) -> dict[str, Any]:
    """The names that generated code may use; nothing else is reachable from it."""
    allowed = {f.__name__: f for f in (range, tuple, list, len, sum, any, all, abs, min, max)}
    built_in = {name: one.python.load() for name, one in FUNCTIONS.intrinsics.items()}
    metered = {name: getattr(meter, name) for name in METERED}
    return {"__builtins__": {}, **allowed, **RUNTIME, **built_in, **metered, **more}


def is_metered(called: Iterable[str]) -> bool:
    """Whether some of these intrinsics spend steps that are counted."""
    return not METERED.isdisjoint(called)


def budgeted(made: Callable[..., T], meter: runtime.Meter) -> Callable[..., T]:
    """The function with a whole budget for every call."""

    def called(*arguments: Any) -> T:
        meter.reset()
        try:
            return made(*arguments)
        except runtime.OverBudget as fault:
            raise meter.find_costliest(lambda: made(*arguments)) or fault from None

    return called


def compile_stateless(
    expression: Typed,
    players: int,
    sites: Sites | None = None,
    names: Mapping[str, Any] | None = None,
    locals_: tuple[str, ...] = (),
) -> Callable[..., Code]:
    """The same as `compile_expression`, of an expression that needs no state, for a few calls."""
    layout = Layout({}, players, None)
    sites = Sites() if sites is None else sites
    return compile_expression(
        expression, layout, sites, {}, None, names or {}, locals_, optimise=False
    )


def compile_expression(
    expression: Typed,
    layout: Layout,
    sites: Sites,
    states: Mapping[Era, ir.State],
    meter: runtime.Meter | None,
    names: Mapping[str, Any],
    locals_: tuple[str, ...] = (),
    optimise: bool = True,
) -> Callable[..., Code]:
    """A function of (state, other state, me, players' names, locals …). All its steps are counted
    by the meter, which the caller resets; without one, each call has a budget of its own.
    """
    emitter = Emitter(layout, sites, {"now": "s", "after": "t", "before": "t", **states})
    emitter.strict = meter is not None or work(expression) > LIMITS.steps
    result = emitter.root(expression)
    body = [*emitter.block, ir.Return(result)]
    values = ("names", *map(local_name, locals_))
    parameters = (ir.Local("s"), ir.Local("t"), layout.me, *map(ir.Local, values))
    definition = ir.Function("value", ir.Role.VALUE, parameters, body)
    definition.at(next((node.source for node in ir.walk(definition) if node.source), None))
    cells = ir.StateValue("state", range(layout.size))
    module = ir.Module({"value": definition}, (cells,), layout.players, {}, len(sites.places), True)
    definition = run_passes(module, optimise=optimise).functions["value"]
    counting = runtime.Meter() if meter is None else meter
    made: Callable[..., Code]
    made = compile_functions([definition], namespace(counting, **names))["value"]
    if meter is None and is_metered(ir.called_by(definition)):
        return budgeted(made, counting)
    return made
