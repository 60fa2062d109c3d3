"""Evaluates single typed expressions: parameters' sizes while a ruleset is built, texts and
reasons while it is played.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from rulegame import runtime
from rulegame.expressions.emitting import Emitter, Layout, Sites, local_name
from rulegame.expressions.syntax import Era
from rulegame.expressions.typed import Constant, Typed

Code = int | bool | str | tuple[Any, ...]

RUNTIME: Mapping[str, Any] = {
    name: value
    for name, value in vars(runtime).items()
    if callable(value) and not name.startswith("_")
}


def namespace(meter: runtime.Meter, **more: Any) -> dict[str, Any]:
    """The names that generated code may use; nothing else is reachable from it."""
    allowed = {f.__name__: f for f in (range, tuple, list, len, sum, any, all, abs, min, max)}
    return {"__builtins__": {}, **allowed, **RUNTIME, "span": meter.span, **more}


def function(name: str, parameters: list[str], body: list[ast.stmt]) -> ast.FunctionDef:
    """A function definition around generated statements."""
    arguments = ast.arguments([], [ast.arg(p) for p in parameters], None, [], [], None, [])
    return ast.FunctionDef(name, arguments, body or [ast.Pass()], [])


def run_module(functions: list[ast.FunctionDef], names: dict[str, Any]) -> dict[str, Any]:
    """Compiles the functions and gives them back by name."""
    module = ast.Module(list(functions), [])
    ast.fix_missing_locations(module)
    exec(compile(module, "<ruleset>", "exec"), names)  # our own nodes only: see `emitting`
    return names


def evaluate(expression: Typed, players: int, me: int = 0) -> Code:
    """The value of an expression that needs no state."""
    if isinstance(expression, Constant):
        return expression.code
    layout = Layout({}, players, None)
    made = compile_expression(expression, layout, Sites(), {}, runtime.Meter(), {})
    return made((), (), me, ())


def compile_expression(
    expression: Typed,
    layout: Layout,
    sites: Sites,
    states: Mapping[Era, str],
    meter: runtime.Meter,
    names: Mapping[str, Any],
    locals_: tuple[str, ...] = (),
) -> Callable[..., Code]:
    """A function of (state, other state, me, players' names, locals …)."""
    emitter = Emitter(layout, sites, {"now": "s", "after": "t", "before": "t", **states})
    result = emitter.emit(expression)
    body = [*emitter.block, ast.Return(result)]
    parameters = ["s", "t", "me", "names", *(local_name(name) for name in locals_)]
    made = run_module([function("value", parameters, body)], namespace(meter, **names))["value"]
    assert callable(made)
    return made  # type: ignore[no-any-return]
