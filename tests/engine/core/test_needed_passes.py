"""Without optimisations, functions compute the same."""

from __future__ import annotations

from random import Random

import pytest

import rulegame
from rulegame.bundled import ruleset_names
from rulegame.compiling import lower_ruleset
from rulegame.core.backends.python import compile_functions
from rulegame.core.passes import LOWERING, run_passes


@pytest.mark.quick(4)
@pytest.mark.parametrize("name", ruleset_names())
def test_moves_are_the_same_without_optimisations(name: str) -> None:
    game = rulegame.load(name)
    kernel, rng = game.kernel, Random(1)
    lowered, _ = lower_ruleset(game.ruleset, LOWERING)
    plain = run_passes(lowered, optimise=False)
    assert plain.functions != kernel.program.functions
    names = dict(kernel.program.names)
    moves = compile_functions(plain.functions.values(), names, kernel.program.operations)["moves_0"]
    cells, options, _ = kernel.settle(kernel.start(0))
    for _ in range(30):
        if not options:
            break
        if kernel.number(cells) == 0:
            assert moves(cells) == kernel.options(cells)
        cells, options, _ = kernel.settle(kernel.step(cells, rng.choice(options)))
