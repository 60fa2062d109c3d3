"""Which lists are certain to have no element twice."""

from __future__ import annotations

import pytest

import rulegame
from rulegame.core import ir
from rulegame.native.compiler import toolchain
from rulegame.native.list_facts import different_lists
from rulegame.native.machine_kernel import MachineKernel

V, W, OTHER = ir.Local("v"), ir.Local("w"), ir.Local("other")
NUMBERS = ir.call("range", ir.Const(1), ir.Const(9))
NEW, ADD = ir.NewList("found"), ir.Append("found", V)
LOOP = ir.For("v", NUMBERS, [ir.If(ir.compare(ir.Load("s", V), ">", ir.Const(0)), [ADD], [])])


def test_a_list_of_some_numbers_of_a_loop() -> None:
    assert different_lists([NEW, LOOP]) == {"found"}
    span = ir.call("span", ir.Const(1), ir.Load("s", ir.Const(3)), ir.Const(1), site=2)
    assert different_lists([NEW, ir.For("v", span, [ADD])]) == {"found"}


def test_one_that_is_begun_anew_in_every_round() -> None:
    assert different_lists([ir.For("w", OTHER, [NEW, LOOP])]) == {"found"}


@pytest.mark.parametrize(
    "body",
    [
        [NEW, LOOP, LOOP],
        [NEW, ir.For("w", OTHER, [LOOP])],
        [NEW, ir.For("v", OTHER, [ADD])],
        [NEW, ir.For("v", NUMBERS, [ir.Append("found", ir.Op("//", (V, ir.Const(2))))])],
        [NEW, ir.For("v", NUMBERS, [ir.Assign("v", ir.Load("s", V)), ADD])],
        [NEW, ir.For("v", NUMBERS, [ir.For("w", OTHER, [ADD])])],
        [NEW, LOOP, ir.Append("found", W)],
        [NEW, LOOP, ir.Assign("found", OTHER)],
        [ir.Assign("found", OTHER), LOOP],
    ],
)
def test_others_may_have_elements_twice(body: ir.Block) -> None:
    assert different_lists(body) == frozenset()


CHOICES = """
rulegame: 1
title: Choices
state:
  heaps: {{type: list of int, start: [2, 1, 2, 0]}}
operations:
  take:
    choose:
      n:
        from: {0}
        within: 0..9
    effects:
      heaps[1]: heaps[1] - 1
end:
  done:
    when: heaps[1] == 0
    result: win
"""


@pytest.mark.skipif(toolchain() is None, reason="llvmlite is not installed")
@pytest.mark.parametrize(
    ("source", "valid"),
    [
        ("list(h for h in 1..size(heaps) if heaps[h] > 0)", ["1", "2", "3"]),
        ("list(heaps[h] for h in 1..size(heaps) if heaps[h] > 0)", ["2", "1"]),
    ],
)
def test_each_choice_is_offered_once_by_both(source: str, valid: list[str]) -> None:
    game = rulegame.loads(CHOICES.format(source))
    kernel = game.kernel
    cells = kernel.start(0)
    words = tuple(kernel.actions[code].words for code in kernel.options(cells))
    assert [str(word[1]) for word in words] == valid
    assert MachineKernel(kernel).options(cells) == words
