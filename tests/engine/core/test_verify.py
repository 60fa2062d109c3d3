"""The verifier refuses what no backend could translate, and accepts what lowering makes."""

from __future__ import annotations

import inspect
import os
from collections.abc import Iterable

import pytest

from rulegame.core import ir
from rulegame.core.intrinsics import intrinsics
from rulegame.core.passes import VERIFY
from rulegame.core.verify import InvalidIR, verify
from rulegame.evaluation.evaluator import RUNTIME
from rulegame.evaluation.runtime import Meter
from rulegame.native.functions import method_of
from support.ir_text import read_functions

STATE = ir.StateValue("state", range(6))
OPERATIONS = {"take": ir.Operation(0, 1), "pass": ir.Operation(1, 0)}
PYTHON = {"range", "list", "len", "sum", "any", "all", "abs", "min", "max"}
AFTER = "def after_take(s, me, v_n) -> after:\n    t[:] = s\n    t[4] = v_n\n    return t\n"


def check(text: str) -> None:
    functions = {function.name: function for function in read_functions(text)}
    verify(ir.Module(functions, (STATE,), 2, OPERATIONS, 3, True))


def function(head: str, lines: Iterable[str]) -> str:
    return "".join([f"{head}\n", *(f"    {line}\n" for line in lines)])


def play(*lines: str) -> str:
    return function("def play_0(s, m) -> play:", lines)


def moves(*lines: str) -> str:
    return AFTER + function("def moves_0(s) -> moves:", lines)


GOOD = {
    "both branches set a name": play(
        "t[:] = s", "if s[3] == 1:", "    x = 1", "else:", "    x = 2", "t[4] = x", "return t"
    ),
    "a branch that returns sets none": play(
        "t[:] = s", "if s[3] == 1:", "    return t", "else:", "    x = 2", "t[4] = x", "return t"
    ),
    "a name may be a number, then a list": play(
        "t[:] = s", "x = 1", "t[4] = x", "x = s[0:+3]", "t[0:+3] = x", "return t"
    ),
    "an element of a list of lists": play(
        "t[:] = s", "for line in line_places(3, 3, 3):", "    for c in line:", "        t[c] = 1",
        "return t",
    ),
    "set wherever a flag is raised": play(
        "t[:] = s", "holds = False", "if s[3] == 1:", "    x = 1", "    holds = True",
        "if holds:", "    t[4] = x", "return t",
    ),
    "a flag in a loop": play(
        "t[:] = s", "for k in range(0, 3):", "    holds = False", "    if s[3] == k:",
        "        x = 1", "        holds = True", "    if holds:", "        t[4] = x", "return t",
    ),
    "a move after its state": moves(
        "moves = new_list()", "with attempt('take', 0, 3):", "    if t[4] == 1:",
        "        offer('take', 3)", "return moves",
    ),
    "all players at once": play(
        "joint_writes = new_list()", "t[:] = s", "defer_joint(0, 4, 1, site=2)", "commit_joint()",
        "return t",
    ),
}  # fmt: skip
BAD = {
    "x is not set": play("t[:] = s", "t[4] = x", "return t"),
    "one branch only": play("t[:] = s", "if s[3] == 1:", "    x = 1", "t[4] = x", "return t"),
    "set in a loop that may not run": play(
        "t[:] = s", "for k in range(0, s[3]):", "    x = k", "t[4] = x", "return t"
    ),
    "the name of a loop behind it": play(
        "t[:] = s", "for k in range(0, s[3]):", "    t[4] = k", "t[4] = k", "return t"
    ),
    "changed by the round before": play(
        "t[:] = s", "x = 1", "for k in range(0, 3):", "    t[4] = x", "    x = [k]", "return t"
    ),
    "a flag that is raised without it, too": play(
        "t[:] = s",
        "holds = False",
        "if s[3] == 1:",
        "    x = 1",
        "    holds = True",
        "else:",
        "    holds = True",
        "if holds:",
        "    t[4] = x",
        "return t",
    ),
    "a flag of another kind": play(
        "t[:] = s",
        "holds = s[3] == 2",
        "if s[3] == 1:",
        "    x = 1",
        "    holds = True",
        "if holds:",
        "    t[4] = x",
        "return t",
    ),
    "a flag from the round before": play(
        "t[:] = s",
        "holds = False",
        "for k in range(0, 3):",
        "    if holds:",
        "        t[4] = x",
        "    if s[3] == k:",
        "        holds = True",
        "return t",
    ),
    "where a flag is lowered": play(
        "t[:] = s",
        "holds = False",
        "if s[3] == 1:",
        "    x = 1",
        "    holds = True",
        "if not holds:",
        "    t[4] = x",
        "return t",
    ),
    "no return": play("t[:] = s", "if s[3] == 1:", "    return t"),
    "behind a return": play("t[:] = s", "return t", "t[4] = 1"),
    "behind a fault": play("t[:] = s", "astray(site=1)", "t[4] = 1", "return t"),
    "a state that is not made": play("t[4] = 1", "return t"),
    "a cell behind the last": play("t[:] = s", "t[6] = 1", "return t"),
    "a cell before the first": play("t[:] = s", "t[4] = s[-1]", "return t"),
    "a list that is too long": play("t[:] = s", "t[4:+3] = [1, 2, 3]", "return t"),
    "a number for a list": play("t[:] = s", "t[3:+2] = s[3]", "return t"),
    "a list for a number": play("t[:] = s", "t[4] = s[3:+2]", "return t"),
    "a list of lists for a list": play("t[:] = s", "t[3:+2] = [[1], [2]]", "return t"),
    "a list of both": play("t[:] = s", "x = [1, [2]]", "return t"),
    "a comparison of a list": play("t[:] = s", "if s[3:+2] < 2:", "    return t", "return t"),
    "a site that is not there": play("t[:] = s", "t[4] = div(s[3], 2, site=3)", "return t"),
    "a fault without a site": play("t[:] = s", "t[4] = div(s[3], 2)", "return t"),
    "a site without a fault": play("t[:] = s", "t[4] = abs(s[3], site=1)", "return t"),
    "too few arguments": play("t[:] = s", "t[4] = div(s[3], site=1)", "return t"),
    "no such function": play("t[:] = s", "t[4] = root(s[3])", "return t"),
    "a break outside of loops": play("t[:] = s", "break", "return t"),
    "moves in a move": play("t[:] = s", "moves = new_list()", "return moves"),
    "a move that is no list": moves("offer('take', 3)", "return operations()"),
    "a move without its choice": moves("moves = new_list()", "offer('take')", "return moves"),
    "an operation that is not there": moves("return operations('steal')"),
    "an attempt of too few": moves(
        "moves = new_list()", "with attempt('take', 0):", "    offer('take', 1)", "return moves"
    ),
    "writes that are not begun": play("t[:] = s", "defer(4, 1)", "commit(site=1)", "return t"),
    "the wrong parameters": "def over(s) -> over:\n    return True\n",
    "a number for a truth": "def over(t, me) -> over:\n    return [1]\n",
}


@pytest.mark.parametrize("name", GOOD)
def test_valid_functions(name: str) -> None:
    check(GOOD[name])


@pytest.mark.parametrize("name", BAD)
def test_invalid_functions(name: str) -> None:
    with pytest.raises(InvalidIR):
        check(BAD[name])


def test_a_problem_names_the_function_and_the_statement() -> None:
    with pytest.raises(InvalidIR, match=r"play_0: t\[4\] = x: x is not set"):
        check(BAD["x is not set"])


def test_tests_verify_what_they_compile() -> None:
    assert os.environ[VERIFY] == "on"


def test_every_intrinsic_is_there_with_so_many_arguments() -> None:
    """`list` and `over` have other names in Python, and text functions are made for each game."""
    known = intrinsics()
    for name, function in {**RUNTIME, **{n: getattr(Meter, n) for n in ("charge", "span")}}.items():
        signature = known.get(name)
        if signature is None:
            continue
        parameters = inspect.signature(function).parameters
        given = [p for p in parameters if p != "self"]
        assert ("site" in given) == signature.fails, name
        if any(one.kind is one.VAR_POSITIONAL for one in parameters.values()):
            assert "*" in signature.arguments, name
            continue
        needed = signature.arguments.replace("?", "").replace("*", "")
        assert len([p for p in given if p != "site"]) == len(needed), name


def test_machine_code_knows_the_same_intrinsics() -> None:
    known = intrinsics()
    python_only = {n for n, one in known.items() if "t" in one.result or n == "texts_of"}
    python_only |= {"remember", "occurrences"}
    elsewhere = {"over", "next_mover", "flood", "waiting"}  # statements and functions of the module
    assert {n for n in known if method_of(n) is not None} == set(known) - python_only - elsewhere
    assert set(known) >= PYTHON
