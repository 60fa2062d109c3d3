"""Which lists are certain to have no element twice."""

from __future__ import annotations

import ast
from textwrap import indent

import pytest

import rulegame
from rulegame.native.compiler import toolchain
from rulegame.native.list_facts import different_lists
from rulegame.native.machine_kernel import MachineKernel

LOOP = "for v in range(1, 9):\n    if s[v] > 0:\n        found.append(v)\n"


def facts(body: str) -> frozenset[str]:
    (definition,) = ast.parse("def moves_0(s):\n" + indent(body, "    ")).body
    assert isinstance(definition, ast.FunctionDef)
    return different_lists(definition)


def test_a_list_of_some_numbers_of_a_loop() -> None:
    assert facts(f"found = []\n{LOOP}") == {"found"}
    assert facts("found = []\nfor v in span(1, s[3], 1, 2):\n    found.append(v)") == {"found"}


def test_one_that_is_begun_anew_in_every_round() -> None:
    body = indent(f"found = []\n{LOOP}", "    ")
    assert facts(f"for w in other:\n{body}") == {"found"}


@pytest.mark.parametrize(
    "body",
    [
        f"found = []\n{LOOP}{LOOP}",
        "found = []\nfor w in other:\n" + indent(LOOP, "    "),
        "found = []\nfor v in other:\n    found.append(v)",
        "found = []\nfor v in range(1, 9):\n    found.append(v // 2)",
        "found = []\nfor v in range(1, 9):\n    v = s[v]\n    found.append(v)",
        "found = []\nfor v in range(1, 9):\n    for w in other:\n        found.append(v)",
        f"found = []\n{LOOP}found += other",
        f"found = list(other)\n{LOOP}",
    ],
)
def test_others_may_have_elements_twice(body: str) -> None:
    assert facts(body) == frozenset()


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
