"""The campaign's own parts: which changes are made, that they stay the same, what is told."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from mutation.copying import ROOT
from mutation.mutating import Mutant, applied, mutants
from mutation.reporting import Result, read_equivalents, report
from mutation.sampling import PACKAGES, package_of, sample, sources

ENGINE = ROOT / "engine" / "rulegame"


def changed(line: str) -> set[str]:
    """What becomes of a line in a function."""
    return {mutant.after for mutant in mutants("x.py", f"def f(a, b):\n    {line}\n")}


@pytest.mark.parametrize(
    ("line", "after"),
    [
        ("a[a < b]", {"a[a <= b]", "a[a > b]", "pass"}),
        ("a(b is not None)", {"a(b is None)", "pass"}),
        ("a((b)  # is\n  != a)", {"== a)", "pass"}),
        ("return b - 7", {"return b + 7", "return b - 8", "return b - 6", "return None"}),
        ("return a and b", {"return not (a and b)", "return ((a) or (b))"}),
        ("return not a", {"return (a)", "return None"}),
        ("a += b", {"a -= b", "pass"}),
        ("a.x = max(-b)", {"a.x = min(-b)", "a.x = max((b))", "pass"}),
        ("c = a[b:]", {"c = a[b + 1:]"}),
        ("c = b if a else 0.5", {"c = b if not (a) else 0.5", "c = b if a else 1.0"}),
        ("while a: break", {"while not (a): break", "while a: continue"}),
        ("c: list[a < b] = True", {"c: list[a < b] = False"}),
        ("'a text'", set()),
        ("raise KeyError(a + 1)", {"pass"}),
        ("c = 'a' + b", set()),
        (
            "c = 'é' if a > b else b",
            {
                "c = 'é' if a >= b else b",
                "c = 'é' if a < b else b",
                "c = 'é' if not (a > b) else b",
            },
        ),
    ],
)
def test_changes(line: str, after: set[str]) -> None:
    assert changed(line) == after


def test_texts_and_types_outside_of_functions_are_left_alone() -> None:
    text = '"""Texts."""\nimport x\nPair = tuple[x, 1]\n__slots__ = (1, 2)\n'
    assert not list(mutants("x.py", text))


def test_every_mutant_is_python_and_another_program() -> None:
    for source in ("model/move_texts.py", "solving/stochastic/certificate.py"):
        text = (ENGINE / source).read_text(encoding="utf-8")
        before = ast.dump(ast.parse(text))
        found = list(mutants(source, text))
        assert len(found) > 10 and len({mutant.key for mutant in found}) == len(found)
        for mutant in found[::3]:
            assert ast.dump(ast.parse(applied(text, mutant.change))) != before


def test_lines_that_are_added_elsewhere_leave_the_keys_alone() -> None:
    text = "def f(a):\n    return a < 1\n"
    moved = "def g(b):\n    return b > 2\n\n\n" + text
    before = {mutant.key for mutant in mutants("x.py", text)}
    assert before < {mutant.key for mutant in mutants("x.py", moved)}


def test_the_seed_decides_the_sample() -> None:
    chosen = [mutant.key for mutant in sample(ENGINE, ["saves"], 40, 1)]
    assert chosen == [mutant.key for mutant in sample(ENGINE, ["saves"], 40, 1)]
    assert chosen[:20] == [mutant.key for mutant in sample(ENGINE, ["saves"], 20, 1)]
    assert chosen != [mutant.key for mutant in sample(ENGINE, ["saves"], 40, 2)]


def test_every_source_that_computes_is_there() -> None:
    for source in sources(ENGINE, list(PACKAGES)):
        assert (ENGINE / source).is_file() and package_of(source) in PACKAGES


def test_equivalent_mutants_have_a_reason() -> None:
    for (source, line, mutant), why in read_equivalents().items():
        assert (ENGINE / source).is_file() and line != mutant and len(why) > 10


def test_survivors_are_told_with_their_lines(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    known = tmp_path / "known.toml"
    known.write_text("[[mutant]]\nsource='game/x.py'\nline='a < 2'\nmutant='a > 2'\nwhy='never 2'")
    monkeypatch.setattr("mutation.reporting.EQUIVALENT", known)
    text = "def f(a):\n    g(\n        a < 1\n    )\n    g(\n        a < 2\n    )\n"
    found = [m for m in mutants("game/x.py", text) if m.change.kind == "comparison"]
    assert [mutant.after for mutant in found] == ["a <= 1", "a > 1", "a <= 2", "a > 2"]
    killers = ["a test", None, "time", None]
    told = report(found, dict(map(judged, found, killers)))
    assert "all                4       2         1           1        0" in told
    assert "killed: 66.7%" in told
    assert told.endswith("- a < 1\n  + a > 1\n") and told.count("+ a") == 1


def judged(mutant: Mutant, killer: str | None) -> tuple[str, Result]:
    return mutant.key, Result(mutant.key, killer, 3, 0.5)
