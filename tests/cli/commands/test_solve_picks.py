"""`rulegame solve` on games with secret picks: the report, the JSON and the refusals."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from cli.conftest import Call

SMALL = ["solve", "number_duel", "--set", "count=2", "--set", "highest=5", "--set", "target=7"]
FEWER = ["--disable", "subtract", "--disable", "divide"]

REPORT = """\
Number Duel with revealed picks
1,510 positions, 2,706 moves
Shortest game: 4 moves
Longest game: 6 moves

100 pairs of picks: 10 of Player 1, who moves first, times 10 of Player 2.
This solves a version in which both players pick at once and then reveal their picks.
To solve the game with hidden picks, use --hidden.

No single pick decides the game: best play mixes picks at random.
Value for Player 1, who moves first: -3/7 (-0.4285714286)
Player 1 wins with probability 0.2857142857 with best play.

Picks of Player 1: how often in a best mix, and the value against the best mix of Player 2:
"""


def test_a_report_for_people(rulegame: Call) -> None:
    result = rulegame(*SMALL, *FEWER, "--top", "3")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(REPORT)
    tables = result.out.removeprefix(REPORT)
    assert tables.count("/7 = 0.") == 6
    assert tables.count("  … and 7 more\n") == 2


def test_picks_that_are_not_best(rulegame: Call) -> None:
    out = rulegame(*SMALL, *FEWER).out
    assert "  pick 4 5               0  -1.0000000000\n" in out


def test_json(rulegame: Call) -> None:
    data = json.loads(rulegame(*SMALL, *FEWER, "--json", "--top", "2").out)
    strategies = data.pop("strategies")
    assert len(data.pop("options")) == len(data.pop("replies")) == 2
    assert data.pop("best_moves") == [part["move"] for part in strategies["first"]]
    for side in ("first", "second"):
        shares = [Fraction(part["probability"]) for part in strategies[side]]
        assert sum(shares) == 1 and shares == sorted(shares, reverse=True)
    assert data["lower"] <= data["value_decimal"] <= data["upper"]
    del data["lower"], data["upper"], data["value_decimal"], data["seconds"], data["account"]
    assert data == {
        "laid_open": True,
        "states": 1510,
        "moves": 2706,
        "value": "-3/7",
        "exact": True,
        "result": "mixed",
        "win_probability": "2/7",
        "distance": None,
        "shortest_game": 4,
        "longest_game": 6,
        "pairs": 100,
    }


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ([], "With best play Player 2, who moves second, wins in 6 moves, whatever"),
        (
            ["--first", "2"],
            "With best play Player 1, who moves second, wins in 6 moves, whatever",
        ),
        (
            ["--set", "target=5"],
            "With best play Player 1, who moves first, wins in 3 moves, what",
        ),
        ([*FEWER, "--first", "2"], "Value for Player 2, who moves first: -3/7 (-0.4285714286)"),
    ],
    ids=str,
)
def test_verdicts(rulegame: Call, arguments: list[str], line: str) -> None:
    result = rulegame(*SMALL, *arguments)
    assert result.code == 0
    assert line in result.out


@pytest.mark.parametrize("line", ["secret: false", "texts: {}"])
def test_what_cannot_be_laid_open_is_solved_as_it_is(
    rulegame: Call, tmp_path: Path, line: str
) -> None:
    file = tmp_path / "open.yaml"
    file.write_text(
        "rulegame: 1\ntitle: Open\n"
        "state: {shown: false, each player: {pick: {type: int, seen by: owner}}}\n"
        "setup:\n  choose:\n    choose: {n: 1..3}\n    effects: {my.pick: n}\n"
        f"    {line}\n"
        "operations: {show: {effects: {shown: true}}}\n"
        "end: {over: {when: shown, result: win}}\n",
        "utf-8",
    )
    result = rulegame("solve", str(file))
    assert (result.code, result.err) == (0, "")
    assert "With best play Player 1, who moves first, wins with probability 1." in result.out
    assert "Best strategy for Player 2, first choice:" in result.out


def test_the_budget(rulegame: Call) -> None:
    result = rulegame("solve", "number_duel", "--max-states", "1_000")
    assert (result.code, result.out) == (1, "")
    assert "more than 1,000 positions" in result.err
