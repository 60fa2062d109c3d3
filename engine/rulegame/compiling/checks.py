"""The tests between a move and the list of valid moves, one by one: explanations run them. They are
cut out of the function that lists the moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rulegame.compiling.program import Program
from rulegame.compiling.together import writer_of
from rulegame.core import ir
from rulegame.core.backends.python import compile_functions
from rulegame.core.passes import run_passes
from rulegame.evaluation.evaluator import budgeted, is_metered
from rulegame.evaluation.runtime import Cells
from rulegame.model import Operation

Test = Callable[..., Any]  # of a state, the state after the move, and the choices made before


class RuleTest(NamedTuple):
    """Whether a move keeps a validity rule."""

    rule: str
    holds: Test
    uses_after: bool  # the rule is about the state after the move


@dataclass(slots=True)
class Checks:
    """What the moves of one operation are tested for, in order."""

    when: Test | None = None
    choices: list[Test] = field(default_factory=list)
    rules: list[RuleTest] = field(default_factory=list)
    needs_after: bool = False  # moves whose effects divide by zero are not valid

    def is_available(self, cells: Cells) -> bool:
        """Whether the operation is available in a state."""
        return self.when is None or bool(self.when(cells, ()))

    def values(self, cells: Cells, earlier: Sequence[int]) -> tuple[int, ...]:
        """What the next choice is made from, after the earlier ones."""
        found: tuple[int, ...] = self.choices[len(earlier)](cells, (), *earlier)
        return found


class _Step(NamedTuple):
    """A statement around the offer of a move, and those that stand before it in their block."""

    before: ir.Block
    around: ir.Stmt


def checks_of(program: Program, operation: Operation) -> Checks:
    """The tests of an operation."""
    body = writer_of(program, trusting=False).moves_of(operation).body
    begin = next((k + 1 for k, s in enumerate(body) if isinstance(s, ir.NewOffers)), len(body))
    setting = [s for s in body[:begin] if isinstance(s, ir.Assign)]
    steps = list(_steps(body[begin:]))
    parameters = [ir.Local("s"), ir.Local("t")]
    functions: list[ir.Function] = []
    for step in steps:
        value, choice = _tested(step.around)
        if value is not None:
            tested = [*setting, *step.before, ir.Return(value)]
            name = f"check_{len(functions)}"
            function = ir.Function(name, ir.Role.CHECK, tuple(parameters), tested)
            functions.append(function.at(value.source or operation.place))
        parameters += map(ir.Local, choice)
    return _arranged(steps, _compiled(program, functions))


def _steps(block: ir.Block) -> Iterator[_Step]:
    """From the beginning of a block to the offer in it, if there is one."""
    for k, statement in enumerate(block):
        if any(isinstance(node, ir.Offer) for node in ir.walk(statement)):
            for inner in ir.blocks(statement):
                yield _Step(block[:k], statement)
                yield from _steps(inner)
                return


def _tested(around: ir.Stmt) -> tuple[ir.Expr | None, list[str]]:
    """The test that a statement makes, and the choice that is made there."""
    match around:
        case ir.If(test=test):
            return test, []
        case ir.For(name=name, collection=collection):
            return ir.call("list", collection), [name]
    return None, []


def _compiled(program: Program, functions: Sequence[ir.Function]) -> Iterator[Test]:
    """The functions, each call with a whole budget."""
    by_name = {function.name: function for function in functions}
    sites = len(program.sites.places)
    module = run_passes(program.module._replace(functions=by_name, sites=sites))
    made = compile_functions(module.functions.values(), dict(program.names))
    for name, function in module.functions.items():
        metered = is_metered(ir.called_by(function))
        yield budgeted(made[name], program.meter) if metered else made[name]


def _arranged(steps: Sequence[_Step], tests: Iterator[Test]) -> Checks:
    found = Checks()
    for _, around in steps:
        match around:
            case ir.If(rule=""):
                found.when = next(tests)
            case ir.If(rule=rule):
                found.rules.append(RuleTest(rule, next(tests), found.needs_after))
            case ir.For():
                found.choices.append(next(tests))
            case ir.Attempt():
                found.needs_after = True
    return found
