"""A row in the registry is all that a built-in function needs: a new one works everywhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

import rulegame
from fuzz.constructs import all_constructs
from fuzz.typed_expressions import Expressions, Place
from rulegame.authoring.completion import complete
from rulegame.authoring.explaining import explain
from rulegame.authoring.files import OpenFiles
from rulegame.authoring.signatures import signature_help
from rulegame.authoring.study import study
from rulegame.compiling import Fault
from rulegame.core import ir
from rulegame.language.arguments import number_at
from rulegame.language.built_in import Function, Intrinsic, Reference
from rulegame.language.functions import FUNCTIONS
from rulegame.language.typed import Call, Typed
from rulegame.language.types import Int, Type
from rulegame.native.compiler import toolchain
from rulegame.rulebook import render
from support.reference import table_of_functions

GAME = """\
rulegame: 1
title: Clamped
state: {left: 9, most: 9}
operations:
  take:
    choose: {n: 1..4}
    effects: {left: "clamp(left - n, 0, most)", most: most - 1}
end:
  empty: {when: "clamp(left - most, 0, 9) > 4 or left == 0", result: win}
"""


def clamp_type(arguments: Sequence[Typed]) -> Type:
    _, low, high = (number_at(arguments, k) for k in range(3))
    return Int(low.low, high.high)


def has_room(call: Call) -> bool:
    _, low, high = call.arguments
    return (
        isinstance(low.type, Int) and isinstance(high.type, Int) and low.type.high <= high.type.low
    )


def clamp(n: int, low: int, high: int, site: int) -> int:
    if low > high:
        raise Fault("E502", site, "nothing is between")
    return max(low, min(n, high))


def clamp_natively(w: Any, n: ir.Expr, low: ir.Expr, high: ir.Expr) -> Any:
    room = ir.Op("+", (ir.Op("-", (high, low)), ir.Const(1)))
    w.index(ir.Const(1), room)
    return w.max_(low, ir.call("min", n, high))


CLAMP = Function(
    "clamp",
    "clamp(n, low, high)",
    "the number n, or the nearest one in low..high",
    clamp_type,
    min_args=3,
    max_args=3,
    fails=True,
    is_sure=has_room,
    intrinsics=(
        Intrinsic(
            "f_clamp",
            "iii -> i!",
            Reference(f"{__name__}:clamp"),
            Reference(f"{__name__}:clamp_natively"),
        ),
    ),
    phrase="{0}, kept between {1} and {2}",
    samples=("int: clamp({int}, {few}, 9)",),
)


@pytest.fixture(autouse=True)
def registered() -> Iterator[None]:
    with FUNCTIONS.adding(CLAMP):
        yield


def test_it_is_unknown_outside_of_the_registry() -> None:
    assert rulegame.validate_text(GAME) == ()
    with FUNCTIONS.adding():
        del FUNCTIONS["clamp"]
        assert {problem.code for problem in rulegame.validate_text(GAME)} == {"E305"}
    assert rulegame.validate_text(GAME) == ()


@pytest.mark.parametrize(
    ("wrong", "code", "hint"),
    [
        ("clamp(left, 0)", "E304", "write clamp(n, low, high)"),
        ("clamp(left, me, 9)", "E303", "write clamp(n, low, high)"),
        ("clam(left, 0, 9)", "E305", "did you mean 'clamp'?"),
    ],
)
def test_calls_are_checked(wrong: str, code: str, hint: str) -> None:
    (problem,) = rulegame.validate_text(GAME.replace("clamp(left - n, 0, most)", wrong))
    assert (problem.code, problem.hint) == (code, hint)


def test_python_computes_it() -> None:
    state = rulegame.loads(GAME).start()
    for n, left in ((4, 5), (4, 1), (4, 0)):
        state = state.play(f"take {n}")
        assert state["left"] == left
    assert state.outcome is not None


def test_it_fails_where_it_says() -> None:
    state = rulegame.loads(GAME.replace("most: 9", "most: -1")).start()
    with pytest.raises(rulegame.GameError) as error:
        state.play("take 1")
    assert error.value.diagnostic.code == "E502"
    assert error.value.diagnostic.span.line == 7


@pytest.mark.skipif(toolchain() is None, reason="llvmlite is not installed")
def test_machine_code_computes_the_same() -> None:
    from rulegame.native.machine_kernel import MachineKernel

    kernel = rulegame.loads(GAME).kernel
    machine, cells, rng = MachineKernel(kernel), kernel.start(0), Random(3)
    while options := kernel.options(cells):
        code = rng.choice(options)
        after = kernel.step(cells, code)
        assert machine.step(cells, kernel.actions[code].words) == after
        cells = after
    failing = rulegame.loads(GAME.replace("most: 9", "most: -1")).kernel
    given = failing.start(0), failing.actions[failing.options(failing.start(0))[0]].words
    assert MachineKernel(failing).step(*given) is None


def test_the_rulebook_has_words_for_it() -> None:
    text = render(rulegame.write_rulebook(rulegame.loads(GAME)), "text")
    assert "kept between 0 and" in text and "clamp" not in text


def test_the_editor_knows_it() -> None:
    path = Path("clamped.yaml").absolute()
    files = OpenFiles({path: GAME})
    checked = study(path, files)
    column = GAME.splitlines()[6].index("clamp") + 1
    hover = explain(checked, 7, column + 1)
    assert hover is not None and "the nearest one in low..high" in hover.text
    (offered,) = (
        item for item in complete(checked, GAME, 7, column + 3, files) if item.label == "clamp"
    )
    assert (offered.kind, offered.detail) == ("function", CLAMP.usage)
    help_ = signature_help(checked, GAME, 7, column + len("clamp(left - n, 0"))
    assert help_ is not None and help_.argument == 1


def test_random_expressions_have_it() -> None:
    made = [Expressions(Random(seed), Place(2)).number() for seed in range(200)]
    calls = [text for text in made if "clamp(" in text]
    assert calls and "function clamp" in all_constructs()


def test_the_reference_page_has_it() -> None:
    assert f"| `{CLAMP.usage}` | {CLAMP.about} |" in table_of_functions(text=False)


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_what_a_row_refers_to_exists(name: str) -> None:
    row = FUNCTIONS[name]
    references = [row.lowered, row.phrase]
    references += [part for one in row.intrinsics for part in (one.python, one.native)]
    for reference in references:
        if isinstance(reference, Reference):
            assert callable(reference.load())
    assert row.lowered or row.intrinsics or (row.loops and row.loops.only), "it has no code"
