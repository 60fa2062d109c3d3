"""`rulegame export`: what it prints and writes, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import pytest

from cli.conftest import Call


def run(rulegame: Call, *arguments: str) -> tuple[object, str, str]:
    result = rulegame("export", *arguments)
    return result.code, result.out, result.err


def test_it_prints_or_writes(tmp_path: Path, rulegame: Call) -> None:
    call = ["nim", "--set", "heaps=1,1", "--to", "efg"]
    code, printed, said = run(rulegame, *call)
    assert (code, said) == (0, "")
    assert printed.startswith('EFG 2 R "Nim" { "Player 1" "Player 2" }\n')
    file = tmp_path / "nim.efg"
    assert run(rulegame, *call, "--output", str(file)) == (0, "", "")
    assert file.read_text("utf-8") == printed


def test_refusals_are_no_data(tmp_path: Path, rulegame: Call) -> None:
    file = tmp_path / "pig.efg"
    code, printed, said = run(
        rulegame, "pig", "--set", "target=3", "--to", "efg", "--output", str(file)
    )
    assert (code, printed) == (1, "")
    assert said.startswith("Cannot export pig as efg: play can go on forever")
    assert not file.exists()
    code, printed, said = run(rulegame, "tic_tac_toe", "--to", "csv", "--max-states", "10")
    assert (code, printed) == (1, "")
    assert "more than 10 positions" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nim"], "--to is required, e.g. --to dot"),
        (
            ["nim", "--to", "pdf"],
            "--to: expected efg, nfg, prism, dot, graphml, csv or parquet, not 'pdf'",
        ),
        (["nim", "--to", "csv", "--max-states", "x"], "--max-states"),
        (["nim", "--to", "csv", "--first", "3"], "--first"),
    ],
)
def test_wrong_calls(arguments: list[str], said: str, rulegame: Call) -> None:
    code, printed, problem = run(rulegame, *arguments)
    assert (code, printed) == (2, "")
    assert said in problem


def test_models_say_who_plays(rulegame: Call) -> None:
    code, printed, _ = run(
        rulegame, "zero_sum_duel", "--set", "start=6", "--to", "prism", "--seats", "random"
    )
    assert code == 0
    assert "\ndtmc\n" in printed
    for call, wrong in {
        ("prism", "--seats", "greedy"): "--seats: expected free, random, perfect, not 'greedy'",
        (
            "prism",
            "--seats",
            "free,free,free",
        ): "expected 1 player or 2 separated by commas, not 3",
        ("csv", "--seats", "random"): "--seats works only with --to prism, not with csv",
        ("parquet",): "--to parquet needs --output FILE",
    }.items():
        code, printed, said = run(rulegame, "nim", "--to", *call)
        assert (code, printed) == (2, "")
        assert wrong in said
