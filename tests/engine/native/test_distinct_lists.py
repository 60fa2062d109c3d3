"""Which lists have no element twice, and that choices from others are offered once."""

from __future__ import annotations

import pytest

import rulegame
from rulegame.compiling import lower_ruleset
from rulegame.core import ir
from rulegame.native.compiler import toolchain
from rulegame.native.machine_kernel import MachineKernel

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


@pytest.mark.parametrize(
    ("source", "distinct"),
    [
        ("list(h for h in 1..4 if heaps[h] > 0)", [True]),
        ("list(h for h in 1..size(heaps) if h in list(k for k in 0..heaps[2]))", [True, True]),
        ("list(h for h in heaps)", [False]),
        ("list(h - h for h in 1..4)", [False]),
        ("list(h for h in 1..4 for k in 1..2)", [False]),
        ("list(1 for h in 1..4)", [False]),
        ("list(h for h in list(k for k in 1..4 if heaps[k] > 0) if heaps[h] > 1)", [True]),
        ("list(h for h in list(heaps[k] for k in 1..4))", [False]),
    ],
)
def test_lists_that_have_no_element_twice(source: str, distinct: list[bool]) -> None:
    ruleset = rulegame.loads(CHOICES.format(source)).ruleset
    body = lower_ruleset(ruleset)[0].functions["moves_0"].body
    assert [one.distinct for one in ir.walk(*body) if isinstance(one, ir.NewList)] == distinct


@pytest.mark.skipif(toolchain() is None, reason="llvmlite is not installed")
@pytest.mark.parametrize(
    ("source", "valid"),
    [
        ("list(h for h in 1..size(heaps) if heaps[h] > 0)", ["1", "2", "3"]),
        ("list(heaps[h] for h in 1..size(heaps) if heaps[h] > 0)", ["2", "1"]),
        ("list(h for h in heaps for k in 1..2)", ["2", "1", "0"]),
    ],
)
def test_each_choice_is_offered_once_by_both(source: str, valid: list[str]) -> None:
    game = rulegame.loads(CHOICES.format(source))
    kernel = game.kernel
    cells = kernel.start(0)
    words = tuple(kernel.actions[code].words for code in kernel.options(cells))
    assert [str(word[1]) for word in words] == valid
    assert MachineKernel(kernel).options(cells) == words
