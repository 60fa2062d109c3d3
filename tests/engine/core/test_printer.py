"""The intermediate representation as text: nothing is lost, and it reads well."""

from __future__ import annotations

import pytest

from rulegame.bundled import ruleset_names
from rulegame.compiling import lower_ruleset
from rulegame.core import ir
from rulegame.core.passes import LOWERING, STAGES
from rulegame.core.printer import expression_text, print_function, print_functions
from rulegame.core.rewriting import rewritten
from rulegame.loading import load_ruleset
from support.ir_text import read_functions

A, B, C = ir.Local("a"), ir.Local("b"), ir.Local("c")


@pytest.mark.quick(12)
@pytest.mark.parametrize("stage", [LOWERING, STAGES[-1]])
@pytest.mark.parametrize("name", sorted(ruleset_names()))
def test_what_is_printed_can_be_read_back(name: str, stage: str) -> None:
    ruleset, _ = load_ruleset(name)
    assert ruleset is not None
    lowered = lower_ruleset(ruleset, stage)[0].functions.values()
    functions = [f.replace(body=rewritten(f.body, _without_rule)) for f in lowered]
    assert read_functions(print_functions(lowered)) == functions


def _without_rule(node: ir.Node) -> ir.Node:
    """Names of validity rules are comments."""
    return node.replace(rule="") if isinstance(node, ir.If) else node


@pytest.mark.parametrize(
    ("expression", "text"),
    [
        (ir.subtract(A, ir.subtract(B, C)), "a - (b - c)"),
        (ir.subtract(ir.subtract(A, B), C), "a - b - c"),
        (ir.multiply(ir.add(A, B), C), "(a + b) * c"),
        (ir.add(ir.multiply(A, B), C), "a * b + c"),
        (ir.invert(ir.compare(A, "==", B)), "not a == b"),
        (ir.compare(ir.Select(A, B, C), "==", B), "(b if a else c) == b"),
        (ir.BoolOp("and", (ir.BoolOp("or", (A, B)), C)), "(a or b) and c"),
        (ir.BoolOp("or", (ir.BoolOp("or", (A, B)), C)), "(a or b) or c"),
        (ir.Op("neg", (ir.add(A, B),)), "-(a + b)"),
        (ir.multiply(ir.Const(-3), A), "-3 * a"),
        (ir.Const(-(2**63)), "none"),
        (ir.Slice("s", ir.add(A, ir.Const(4)), 9, view=True), "view(s[a + 4:+9])"),
        (ir.call("div", A, B, site=3), "div(a, b, site=3)"),
        (ir.Item(ir.call("list", A), ir.Const(0)), "list(a)[0]"),
    ],
)
def test_expressions(expression: ir.Expr, text: str) -> None:
    assert expression_text(expression) == text
    [function] = read_functions(f"def f() -> value:\n    return {text}\n")
    assert function.body == [ir.Return(expression)]


def test_places_stand_behind_the_lines_that_may_fail() -> None:
    inside: ir.Block = [ir.Do(ir.call("astray", site=1))]
    body: ir.Block = [ir.If(ir.compare(A, "==", ir.call("div", A, B, site=0)), inside, [])]
    text = print_function(ir.Function("f", ir.Role.VALUE, (A, B), body), "line {}".format)
    assert text == (
        "def f(a, b) -> value:\n"
        "    if a == div(a, b, site=0):  # line 0\n"
        "        astray(site=1)  # line 1\n"
    )
