"""Nodes of trees: frozen, told apart by their kind, rebuilt, pickled."""

from __future__ import annotations

import pickle

import pytest

from rulegame.diagnostics import Passage, Span
from rulegame.language import syntax, typed
from rulegame.language.syntax import Place
from rulegame.language.trees import Tree, parts, rebuilt
from rulegame.language.types import Bool, Int

HERE = Place(Passage(Span("a.yaml", 1, 1, 1, 2, "n"), "n"))
N = syntax.Name(HERE, "n")


def test_nodes_of_two_kinds_are_never_equal() -> None:
    assert syntax.Minus(HERE, N) == syntax.Minus(HERE, N)
    assert syntax.Minus(HERE, N) != syntax.Not(HERE, N)
    assert len({syntax.Minus(HERE, N), syntax.Not(HERE, N), syntax.Minus(HERE, N)}) == 2


def test_a_node_is_frozen() -> None:
    with pytest.raises(AttributeError, match="Name is frozen"):
        N.name = "m"  # type: ignore[misc]
    with pytest.raises(AttributeError, match="Name is frozen"):
        del N.name
    with pytest.raises(AttributeError):
        N.other = 1


def test_fields_have_defaults_and_can_be_replaced() -> None:
    assert (N.era, N.replace(era="after").era, N.replace(era="after").name) == ("now", "after", "n")
    with pytest.raises(TypeError):
        syntax.Name(HERE)  # type: ignore[call-arg]


def test_a_node_comes_back_from_a_pickle() -> None:
    copy = pickle.loads(pickle.dumps(syntax.Minus(HERE, N)))
    assert copy == syntax.Minus(HERE, N) and isinstance(copy.operand, syntax.Name)


def test_the_parts_of_an_aggregate_are_its_body_and_what_its_loops_go_over() -> None:
    one, two = typed.Constant(Int(), 1), typed.Constant(Int(), 2)
    yes = typed.Constant(Bool(), 1)
    loop = typed.Loop("v", Int(), two, yes, HERE)
    whole = typed.Aggregate(Int(), "sum", one, (loop,), HERE)
    assert parts(whole) == [one, loop]
    assert typed.parts(whole) == [one, two, yes]


def test_a_rebuilt_tree_has_other_nodes_at_any_depth() -> None:
    local, five = typed.Local(Int(), "v"), typed.Constant(Int(), 5)
    row = typed.ListLiteral(Int(), (local, typed.Arithmetic(Int(), "-", (local,), HERE)))
    other = rebuilt(row, lambda node: five if node == local else None)
    assert other == typed.ListLiteral(Int(), (five, typed.Arithmetic(Int(), "-", (five,), HERE)))


@pytest.mark.parametrize(
    "name",
    ["Arithmetic", "BoolOp", "Call", "Compare", "Element", "IfElse", "Let", "ListLiteral", "Loop",
     "Not", "Range", "TextLiteral"],
)  # fmt: skip
def test_both_trees_call_a_construct_by_the_same_name(name: str) -> None:
    assert issubclass(getattr(syntax, name), Tree) and issubclass(getattr(typed, name), Tree)
