"""`rulegame prove`: the report, the JSON, the exit codes and the wrong calls."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import rulegame as library
from cli.conftest import Call
from rulegame.bundled import ruleset_names
from support.rulesets import RULESETS

COUNTDOWN = (RULESETS / "countdown.yaml").read_text("utf-8").partition("tests:")[0]
CLAIMS = """\
claims:
  always_ends: true
  no_draws: false
  second_player_wins: true
"""

REPORT = """\
{file}: 18 positions
  proved     always_ends
  refuted    no_draws: false (line 31)
             no game ends in a draw
  refuted    second_player_wins (line 32)
             Player 1, who moves first, can force a win
             play: [take 1, take 1, take 3, take 1, take 3]
"""


def written(tmp_path: Path, text: str, name: str = "game.yaml") -> str:
    file = tmp_path / name
    file.write_text(text, "utf-8")
    return str(file)


def test_a_report_for_people(rulegame: Call, tmp_path: Path) -> None:
    file = written(tmp_path, COUNTDOWN + CLAIMS)
    result = rulegame("check", file, "--set", "pile=9")
    assert (result.code, result.err) == (1, "")
    assert result.out == REPORT.format(file=file)


def test_proved_claims_leave_with_0(rulegame: Call, tmp_path: Path) -> None:
    file = written(tmp_path, COUNTDOWN + "claims: {first_player_wins: true, no_draws: true}\n")
    result = rulegame("check", file)
    assert (result.code, result.err) == (0, "")
    proved = "  proved     first_player_wins\n  proved     no_draws\n"
    assert result.out == f"{file}: 42 positions\n{proved}"


def test_without_claims_there_are_warnings(rulegame: Call, tmp_path: Path) -> None:
    text = COUNTDOWN.replace("validity:\n", "validity:\n  not_ten: n != 10\n")
    result = rulegame("check", written(tmp_path, text + "stuck: lose\n"))
    assert result.code == 0
    header, *warnings = result.out.splitlines()
    assert header.endswith("game.yaml: 42 positions, no claims")
    assert warnings == [
        "  warning    the validity rule 'not_ten' never forbids a move (line 20)",
        "  warning    never applies: every player can always move (line 30)",
    ]


def test_a_warning_about_what_is_inherited_names_the_file(rulegame: Call, tmp_path: Path) -> None:
    written(tmp_path, COUNTDOWN + "stuck: lose\n", "parent.yaml")
    variant = "rulegame: 1\nextends: parent.yaml\ntitle: Child\n"
    out = rulegame("check", written(tmp_path, variant)).out
    assert "never applies: every player can always move (parent.yaml, line 29)\n" in out


@pytest.mark.quick(1)
@pytest.mark.parametrize(
    ("claim", "arguments", "expected"),
    [
        ("second_player_wins: true", [], "outcome: {winner: 1}"),
        ("second_player_wins: true", ["--first", "2"], "outcome: {winner: 2}"),
        ("first_player_wins: true", ["--parameters", "pile=5..9"], "outcome: {winner: 2}"),
        (
            "never_stuck: true",
            ["--parameters", "most=2,3", "--first", "2"],
            "outcome: {rule: stuck}",
        ),
    ],
)
def test_what_is_shown_is_a_test(
    rulegame: Call, tmp_path: Path, claim: str, arguments: list[str], expected: str
) -> None:
    """The lines that are printed, put into `tests:` as they stand."""
    text = COUNTDOWN
    if "stuck" in claim:
        text = text.replace("n: 1..most", "n: 2..most")
    result = rulegame("check", written(tmp_path, f"{text}claims: {{{claim}}}\n"), *arguments)
    assert result.code == 1
    lines = re.findall(r"^ +((?:set|first|play): .*)$", result.out, re.M)
    assert any(line.startswith("play: [take") for line in lines)
    entry = "".join(f"    {line}\n" for line in lines)
    test = f"tests:\n  shown:\n{entry}    expect:\n      {expected}\n"
    tested = rulegame("test", written(tmp_path, text + test))
    assert (tested.code, tested.out.splitlines()[-1]) == (0, "1 passed")


def test_json(rulegame: Call, tmp_path: Path) -> None:
    file = written(tmp_path, COUNTDOWN + CLAIMS)
    result = rulegame("check", file, "--json", "--parameters", "pile=3,4", "--first", "2")
    assert (result.code, result.err) == (1, "")
    (one,) = json.loads(result.out)
    assert (one["ruleset"], one["holds"], one["refusal"]) == (file, False, None)
    assert (one["settings"], one["states"]) == (2, [6, 8])
    assert [claim["status"] for claim in one["claims"]] == ["proved", "refuted", "refuted"]
    assert one["claims"][2] == {
        "claim": "second_player_wins",
        "value": True,
        "status": "refuted",
        "for": None,
        "settings": 2,
        "left_out": 0,
        "not_proved_in": 1,
        "detail": "Player 2, who moves first, can force a win",
        "set": {"pile": 3},
        "first": 2,
        "play": ["take 3"],
        "repeat": [],
        "file": file,
        "line": 32,
        "column": 3,
        "end_line": 32,
        "end_column": 21,
    }
    assert (one["warnings"], one["problems"]) == ([], [])


def test_json_of_endless_play_and_of_problems(rulegame: Call) -> None:
    game, broken = json.loads(rulegame("check", "triple_or_nothing", "broken.yaml", "--json").out)
    endless = next(claim for claim in game["claims"] if claim["claim"] == "always_ends")
    assert (endless["play"], endless["repeat"]) == ([], ["double", "subtract_one"])
    assert game["warnings"][0]["kind"] == "needless_operation"
    assert broken["problems"] and not broken["holds"]


def test_several_rulesets(rulegame: Call, tmp_path: Path) -> None:
    file = written(tmp_path, COUNTDOWN + CLAIMS)
    result = rulegame("check", "nim", file, "broken.yaml")
    assert result.code == 1
    assert "error[E" in result.out
    assert result.out.endswith("\n3 rulesets: 7 proved, 2 refuted, 1 with errors\n")


def test_undecided_is_not_proved(rulegame: Call, tmp_path: Path) -> None:
    text = COUNTDOWN + "players: [A, B, C]\nstuck: draw\nclaims: {fair_within: 0.5}\n"
    result = rulegame("check", written(tmp_path, text))
    assert result.code == 1
    assert "  undecided  fair_within: 0.5 (line 31)\n             this game has 3" in result.out


def test_too_large(rulegame: Call, tmp_path: Path) -> None:
    bare = rulegame("check", "countdown.yaml", "--max-states", "20")
    assert (bare.code, bare.err) == (1, "")
    first, second = bare.out.splitlines()
    assert first == "countdown.yaml: too large, no claims"
    assert "more than 20 positions" in second
    claimed = rulegame("check", written(tmp_path, COUNTDOWN + CLAIMS), "--max-states", "20")
    assert (claimed.code, claimed.out.count("undecided")) == (1, 3)
    assert claimed.out.count("more than 20 positions") == 1
    some = rulegame("check", "countdown.yaml", "--max-states", "20", "--parameters", "pile=5,50")
    assert (some.code, "  with pile=50: the game needs more than" in some.out) == (1, True)


def test_rules_that_fail(rulegame: Call) -> None:
    result = rulegame("check", "fault.yaml")
    assert (result.code, result.err) == (1, "")
    assert "error[E5" in result.out


def test_names_cannot_play_tricks(rulegame: Call, tmp_path: Path) -> None:
    text = COUNTDOWN + 'players: ["A\\u00a0", B]\nclaims: {second_player_wins: true}\n'
    out = rulegame("check", written(tmp_path, text, "\x1b[31m.yaml")).out
    assert "/\\x1b[31m.yaml: 42 positions" in out and "\x1b" not in out
    assert "A\\xa0, who moves first" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nime"], "Did you mean 'nim'?"),
        (["nim", "--first", "3"], "--first: expected 1 or 2, not '3'"),
        (["nim", "--max-states", "many"], "--max-states: expected a whole number above 0"),
        (["countdown.yaml", "--parameters", "pile"], "--parameters: 'pile' is not a range"),
        (["countdown.yaml", "--parameters", "pile=9..1"], "the range 9..1 is empty"),
        (["countdown.yaml", "--parameters", "pile=1..9999999"], "more than 1,000,000 values"),
        (
            ["countdown.yaml", "--parameters", "pile=0..3"],
            "with pile=0: 'pile' must be between 1 and 1000, not 0",
        ),
        (
            ["countdown.yaml", "--parameters", "pole=1"],
            "unknown parameter 'pole'; did you mean 'pile'?",
        ),
        (["countdown.yaml", "--parameters", "pile=[1, 2]"], "'pile' must be a whole number"),
        (["countdown.yaml", "--parameters", "pile={a: 1}"], "not a valid value for 'pile'"),
    ],
)
def test_wrong_calls(rulegame: Call, arguments: list[str], message: str) -> None:
    result = rulegame("check", *arguments)
    assert (result.code, result.out) == (2, "")
    assert result.err.startswith("rulegame: ") and message in result.err


def test_a_missing_file_does_not_hide_the_others(rulegame: Call) -> None:
    result = rulegame("check", "nowhere.yaml", "nim", "--set", "heaps=[1, 2]")
    assert result.code == 2
    assert result.out.startswith("nim: ")


# ---- the bundled rulesets

SMALLER = {"number_duel": ["--set", "highest=5", "--set", "target=9"]}
PIGS = ("pig", "three_player_pig")


CLAIMING = [name for name in ruleset_names() if library.load(name).ruleset.claims]


def test_all_but_the_large_games_of_the_gallery_claim_something() -> None:
    assert set(ruleset_names("games", "variants")) <= set(CLAIMING)


@pytest.mark.quick(5)
@pytest.mark.parametrize("name", [name for name in CLAIMING if name not in PIGS])
def test_what_the_bundled_rulesets_claim_is_true(rulegame: Call, name: str) -> None:
    claims = library.load(name).ruleset.claims
    assert {"no_draws", "always_ends", "every_operation_used"} <= {claim.name for claim in claims}
    result = rulegame("check", name, *SMALLER.get(name, []))
    assert result.code == 0
    assert result.out.count("  proved  ") == len(claims)


@pytest.mark.parametrize("name", PIGS)
def test_what_pig_claims_is_true_to_a_lower_target(
    rulegame: Call, tmp_path: Path, name: str
) -> None:
    claims = library.load(name).ruleset.claims
    listed = "".join(f"  {claim.name}: {str(claim.value).lower()}\n" for claim in claims)
    text = f"""\
rulegame: 1
extends: {name}
title: A Short Pig
parameters: {{target: 7}}
operations:
  roll:
    when: my.score + total < target
claims:
{listed}"""
    result = rulegame("check", written(tmp_path, text))
    assert (result.code, result.out.count("  proved  ")) == (0, len(claims))
