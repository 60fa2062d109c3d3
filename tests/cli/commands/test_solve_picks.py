"""`rulegame solve` on games with secret picks: the report, the JSON and the refusals."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from cli.conftest import Call

SMALL = [
    "solve",
    "number_duel",
    "--revealed",
    "--set",
    "count=2",
    "--set",
    "highest=5",
    "--set",
    "target=7",
]
FEWER = ["--disable", "subtract", "--disable", "divide"]

REPORT = """\
Number Duel with revealed picks

This is another game: both pick at once, then see each other's picks before play.
Player 1 wins with probability 0.2857142857 with best play.
Value for Player 1, who moves first: -3/7 (-0.4285714286)

Picks of Player 1: probability in an optimal mix, and value for Player 1 against an optimal mix of \
Player 2:
"""


def test_a_report_for_people(rulegame: Call) -> None:
    result = rulegame(*SMALL, *FEWER, "--top", "3")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(REPORT)
    tables = result.out.removeprefix(REPORT)
    assert tables.count("/7 = 0.") == 6
    assert tables.count("  … and 7 more\n") == 2


def test_picks_that_are_not_best(rulegame: Call) -> None:
    out = rulegame(*SMALL, *FEWER, "--all").out
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
    assert "matrix game" in data["method"] and data["kind"]["hidden"]
    for name in ("lower", "upper", "value_decimal", "seconds", "account", "method", "kind"):
        del data[name]
    assert data == {
        "version": 1,
        "at": [],
        "first": 1,
        "seat_values": ["-3/7", "3/7"],
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
        ([], "With best play Player 2, who moves second, wins in 6 moves."),
        (
            ["--first", "2"],
            "With best play Player 1, who moves second, wins in 6 moves.",
        ),
        (
            ["--set", "target=5"],
            "With best play Player 1, who moves first, wins in 3 moves.",
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


def test_the_game_itself_is_the_default(rulegame: Call) -> None:
    """Picks are revealed only on request; the note says how."""
    small = ("solve", "number_duel", "--set", "count=1", "--set", "highest=2", "--set", "target=3")
    data = json.loads(rulegame(*small, "--json").out)
    assert data["hidden"] and "laid_open" not in data
    result = rulegame(
        *[one for one in SMALL if one != "--revealed"], *FEWER, "--max-states", "1_600"
    )
    assert (result.code, result.out) == (1, "")
    assert "number_duel is not solved: " in result.err
    assert "The value for Player 1 is between -1 and 1." in result.err
    assert "rulegame solve number_duel --revealed" in result.err


def test_equal_picks_are_counted(rulegame: Call) -> None:
    out = rulegame(*SMALL, *FEWER).out
    assert "  … and 5 more, all: 0, -1.0000000000\n" in out


def test_the_budget(rulegame: Call) -> None:
    result = rulegame("solve", "number_duel", "--revealed", "--max-states", "1_000")
    assert (result.code, result.out) == (1, "")
    assert "more than 1,000 positions" in result.err
