"""Machine code beside the functions of Python, question by question: the same options, chances and
states, and where Python has a fault, none of its own.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np
import pytest

import rulegame
from fuzz.rulesets_way import make
from rulegame.bundled import ruleset_names
from rulegame.compiling import CHANCE, OVER, Cells, Fault, Kernel
from rulegame.native.compiler import toolchain
from rulegame.native.context import Unsupported
from rulegame.native.machine_kernel import MachineKernel

pytestmark = pytest.mark.skipif(toolchain() is None, reason="llvmlite is not installed")

NOTHING: Any = object()


def answer(question: Any, *given: Any) -> Any:
    """What Python says; NOTHING if the rules fail."""
    try:
        return question(*given)
    except Fault:
        return NOTHING


class Comparison:
    """One game, asked both ways."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel, self.machine = kernel, MachineKernel(kernel)
        self.given_up = 0  # where machine code leaves to Python what Python can do

    def same(self, machine: Any, python: Any, what: object) -> None:
        if python is NOTHING:
            assert machine is None, f"Python fails, machine code does not: {what}"
        elif machine is None:
            self.given_up += 1
        else:
            assert machine == python, what

    def options(self, cells: Cells) -> tuple[int, ...] | None:
        """The options of a state, by their codes; None if there are none to be had."""
        kernel = self.kernel
        codes = answer(kernel.options, cells)
        words = NOTHING
        if codes is not NOTHING:
            words = tuple(kernel.actions[code].words for code in codes)
        self.same(self.machine.options(cells), words, cells)
        if codes is NOTHING:
            return None
        if kernel.player(cells) == CHANCE:
            self.same(self.machine.weights(cells), kernel.weights(cells), cells)
        found: tuple[int, ...] = codes
        return found

    def after(self, cells: Cells, code: int) -> Cells | None:
        """The state after an option."""
        after = answer(self.kernel.step, cells, code)
        words = self.kernel.actions[code].words
        self.same(self.machine.step(cells, words), after, (cells, words))
        return None if after is NOTHING else after

    def past(self, cells: Cells) -> Cells | None:
        """The state after a player was stuck."""
        after = answer(self.kernel.get_past, cells)
        self.same(self.machine.get_past(cells), after, cells)
        return None if after is NOTHING else after

    def play(self, first: int, rng: Random, steps: int) -> None:
        """One game at random."""
        cells: Cells | None = self.kernel.start(first)
        for _ in range(steps):
            if cells is None or self.kernel.player(cells) == OVER:
                return
            options = self.options(cells)
            if options is None:
                return
            cells = self.after(cells, rng.choice(options)) if options else self.past(cells)


def comparison(game: rulegame.Game) -> Comparison:
    try:
        return Comparison(game.kernel)
    except Unsupported as reason:
        if "count earlier positions" not in str(reason):
            raise
        pytest.skip("left to Python")


@pytest.mark.quick(5)
@pytest.mark.parametrize("name", ruleset_names())
def test_bundled_rulesets(name: str) -> None:
    game = rulegame.load(name)
    compared, rng = comparison(game), Random(name)
    for k in range(6):
        compared.play(k % len(game.players), rng, 150)
    assert compared.given_up == 0


@pytest.mark.quick(5)
@pytest.mark.parametrize("seed", range(40))
def test_random_rulesets(seed: int) -> None:
    try:
        game = rulegame.loads(make(Random(seed)).decode())
    except rulegame.RulesetError:
        pytest.skip("not a valid ruleset")
    compared, rng = comparison(game), Random(seed)
    for k in range(12):
        compared.play(k % len(game.players), rng, 60)
    assert compared.given_up == 0


# ---- numbers at the ends of what there is

ENDS = [0, 1, -1, 2, 7, -13, 2**31, 2**32 + 5, 2**62, -(2**62), 2**63 - 1, -(2**63 - 1)]
ARITHMETIC = {
    "sum": "a + b",
    "difference": "a - b",
    "product": "a * b",
    "quotient": "a / b",
    "remainder": "mod(a, b)",
    "negation": "0 - a",
    "distance": "abs(a - b)",
    "sum beyond": "a + b - b + a - a",
    "product of sums": "(a + 1) * (b - 1)",
    "halves": "(a + b) / 2",
    "remainder of a sum": "mod(a + b, 10)",
    "list": "sum([a, b, a]) - a",
    "least": "min(a, b, 0 - a)",
    "greatest": "max(list(x + 1 for x in [a, b]))",
    "ranged": "count(i for i in a..b)",
    "compared": "1 if a + b > a - b else 0",
    "among": "1 if a + a in [b + b, 0] else 0",
    "indexed": "[3, 4, 5][a]",
}
CALCULATING = """\
rulegame: 1
title: Calculating
state: {{a: 0, b: 0, last: 0, kept: {{type: optional int}}}}
operations:
  reckon: {{effects: {{last: "{0}"}}}}
  keep: {{effects: {{kept: "{0} if a != b else none"}}}}
validity: {{allowed: "after.last != 12345678"}}
end:
  never: {{when: last == 1234567, result: win}}
"""


@pytest.mark.parametrize("name", ARITHMETIC)
def test_arithmetic(name: str) -> None:
    """Exact wherever Python is exact, or left to Python: never other digits."""
    kernel = rulegame.loads(CALCULATING.format(ARITHMETIC[name])).kernel
    compared = Comparison(kernel)
    start = list(kernel.start(0))
    at_a, at_b = kernel.places("a")[0], kernel.places("b")[0]
    for a in ENDS:
        for b in ENDS:
            start[at_a], start[at_b] = a, b
            for code in compared.options(tuple(start)) or ():
                compared.after(tuple(start), code)


def test_sums_within_64_bits_are_not_left_to_python() -> None:
    kernel = rulegame.loads(CALCULATING.format("a + b")).kernel
    compared = Comparison(kernel)
    start = list(kernel.start(0))
    start[kernel.places("a")[0]] = 2**62
    start[kernel.places("b")[0]] = -(2**62) - 5
    for code in compared.options(tuple(start)) or ():
        compared.after(tuple(start), code)
    assert compared.given_up == 0


SETS = """\
rulegame: 1
title: Sets
state:
  left: {type: set of -3..58, start: "[-3, 0, 5, 57, 58]"}
  few: {type: set of 1..5, start: "[2, 4]"}
  n: 0
operations:
  take: {choose: {s: "subsets(left, 2)"}, effects: {n: "n + size(s)", left: "without(left, n - 3)"}}
  put: {choose: {k: "-4..6"}, effects: {few: "with(few, k)", n: n + 1}}
  all: {choose: {s: "subsets(few, n)"}, effects: {n: n + 1}}
  drop: {choose: {k: left}, effects: {left: "without(left, k)", n: "n + (1 if k in few else 2)"}}
end:
  over: {when: n > 7, result: draw}
"""


def test_sets() -> None:
    game = rulegame.loads(SETS)
    compared = Comparison(game.kernel)
    for seed in range(30):
        compared.play(0, Random(seed), 20)
    assert compared.given_up == 0


BUDGETS = {
    "a long loop": "sum(i for i in 1..n)",
    "loops in one another": "count(1 for i in 1..n for j in 1..n if i == j)",
    "a long list": "size(list(i for i in 1..n))",
}


@pytest.mark.parametrize("name", BUDGETS)
@pytest.mark.parametrize("n", [3, 1000, 4000, 99_999, 100_001])
def test_budgets(name: str, n: int) -> None:
    """What takes too long for Python is left to it to say so; nothing else is."""
    text = CALCULATING.format(BUDGETS[name].replace("n)", "a)").replace("1..n", "1..a"))
    kernel = rulegame.loads(text).kernel
    compared = Comparison(kernel)
    start = list(kernel.start(0))
    start[kernel.places("a")[0]] = n
    for code in compared.options(tuple(start)) or ():
        compared.after(tuple(start), code)
    assert compared.given_up == 0


def test_every_thread_has_memory_of_its_own() -> None:
    machine = MachineKernel(rulegame.load("nim").kernel)
    one, other = machine.memory(), machine.memory()
    assert not np.shares_memory(one.options, other.options)
    assert one.context[1] != other.context[1]
