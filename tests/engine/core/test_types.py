"""Types, bounds and source locations of nodes."""

from __future__ import annotations

import pytest

from rulegame.bundled import ruleset_names
from rulegame.compiling import lower_ruleset
from rulegame.core import ir
from rulegame.core.passes import LOWERING, STAGES
from rulegame.core.rewriting import rewritten
from rulegame.core.verify import InvalidIR, verify
from rulegame.language.types import Bool, Int, List
from rulegame.loading import load_ruleset

DIE = ir.Local("v_die").typed(Int(1, 6))


@pytest.mark.parametrize(
    ("expression", "bounds"),
    [
        (ir.Const(7), (7, 7)),
        (DIE, (1, 6)),
        (ir.add(DIE, ir.Const(2)), (3, 8)),
        (ir.subtract(ir.Const(0), DIE), (-6, -1)),
        (ir.multiply(DIE, DIE), (1, 36)),
        (ir.compare(DIE, "==", ir.Const(2)), (0, 1)),
        (ir.BlockExpr([ir.Assign("x1", DIE)], DIE), (1, 6)),
        (ir.Load("s", ir.Const(3)), ir.ANYTHING),
    ],
)
def test_bounds(expression: ir.Expr, bounds: ir.Bounds) -> None:
    assert expression.bounds == bounds


def test_a_type_is_no_part_of_a_node_and_the_first_one_stays() -> None:
    assert ir.Local("v_die") == DIE and ir.Local("v_die").type is None
    assert DIE.typed(Int(1, 100)).type == Int(1, 6)


@pytest.mark.quick(4)
@pytest.mark.parametrize("stage", [LOWERING, STAGES[-1]])
@pytest.mark.parametrize("name", sorted(ruleset_names()))
def test_names_of_a_ruleset_have_a_type_and_functions_a_source(name: str, stage: str) -> None:
    ruleset, _ = load_ruleset(name)
    assert ruleset is not None
    choices = [choice for operation in ruleset.operations for choice in operation.choices]
    checked = {f"v_{choice.name}" for choice in choices if choice.within is not None}
    for function in lower_ruleset(ruleset, stage)[0].functions.values():
        assert function.source is not None
        for node in ir.walk(function):
            if isinstance(node, ir.Local) and node.name.startswith("v_"):
                # A choice is untyped where it is compared with its declared bounds.
                assert node.type is not None or node.name in checked, (function.name, node)


def test_rewriting_keeps_types_and_sources() -> None:
    ruleset, _ = load_ruleset("nim")
    assert ruleset is not None
    place = ruleset.operations[0].place
    total = ir.add(DIE, ir.Local("x1")).typed(Int(0, 9)).at(place)
    body: ir.Block = [ir.Return(total).at(place)]
    [changed] = rewritten(body, lambda e: ir.Const(1) if e == ir.Local("x1") else e)
    assert isinstance(changed, ir.Return) and changed.source == place
    assert changed.value == ir.Op("+", (DIE, ir.Const(1)))
    assert changed.value.type == Int(0, 9) and changed.value.source == place


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        (ir.Load("s", ir.Const(3)).typed(List(Int())), "not a list of numbers"),
        (ir.Slice("s", ir.Const(1), 2).typed(Bool()), "not true or false"),
        (ir.add(DIE, ir.Const(2)).typed(Int(9, 12)), "not from 9 to 12"),
    ],
)
def test_types_that_are_wrong(value: ir.Expr, problem: str) -> None:
    body: ir.Block = [ir.Assign("v_die", ir.Const(3)), ir.Return(value)]
    given = tuple(map(ir.Local, ("s", "t", "me", "names")))
    function = ir.Function("value", ir.Role.VALUE, given, body)
    state = ir.StateValue("state", range(9))
    with pytest.raises(InvalidIR, match=problem):
        verify(ir.Module({"value": function}, (state,), 2, {}, 0, True))
