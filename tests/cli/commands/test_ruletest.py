"""`rulegame test`: what it says, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

from cli.conftest import Call


def test_passed(rulegame: Call) -> None:
    result = rulegame("test", "countdown.yaml")
    assert result.code == 0
    assert result.out == "countdown.yaml: 1 test, passed\n1 passed\n"


def test_a_failure_is_explained(rulegame: Call) -> None:
    result = rulegame("test", "failing.yaml", "countdown.yaml")
    assert result.code == 1
    assert result.out == (
        "failing.yaml: 2 tests, 1 failed\n"
        "  failed  three are left  (failing.yaml:10:3)\n"
        "      left should be 3, but it is 2\n"
        "countdown.yaml: 1 test, passed\n"
        "2 passed, 1 failed\n"
    )


def test_only_some(rulegame: Call) -> None:
    result = rulegame("test", "failing.yaml", "-k", "last", "--verbose")
    assert result.code == 0
    assert result.out == ("failing.yaml: 1 test, passed\n  passed  the last one wins\n1 passed\n")
    none = rulegame("test", "failing.yaml", "-k", "nothing")
    assert (none.code, none.out) == (
        2,
        "failing.yaml: no test named like 'nothing'\n0 passed\n",
    )


def test_without_tests(rulegame: Call) -> None:
    result = rulegame("test", "race.yaml")
    assert (result.code, result.out) == (0, "race.yaml: no test\n0 passed\n")


def test_a_ruleset_with_problems(rulegame: Call) -> None:
    result = rulegame("test", "broken.yaml", "countdown.yaml")
    assert result.code == 1
    assert "broken.yaml:8:14: error[E302]" in result.out
    assert result.out.endswith("1 passed, 1 ruleset with errors\n")


def test_wrong_calls(rulegame: Call) -> None:
    assert rulegame("test").code == 2
    missing = rulegame("test", "countdown.yaml", "nothing")
    assert missing.code == 2
    assert missing.out == "countdown.yaml: 1 test, passed\n1 passed\n"
    assert "No file or bundled game 'nothing'" in missing.err


OTHERWISE = """\
rulegame: 1
title: Flags
players: [Ann, Ben]
state:
  up: {type: bool, start: false}
  holder: {type: optional player}
operations:
  raise: {effects: {up: "true", holder: me}}
end:
  raised: {when: up, winners: me}
tests:
  all is otherwise:
    play: [raise]
    expect:
      values: {up: false, holder: 2}
      outcome: {draw: true, winners: [2]}
"""


def test_values_are_told_as_rulesets_write_them(rulegame: Call, tmp_path: Path) -> None:
    """Players are counted from 1, and `true` is not Python's."""
    file = tmp_path / "flags.yaml"
    file.write_text(OTHERWISE, encoding="utf-8")
    result = rulegame("test", str(file))
    assert result.code == 1
    assert [line.strip() for line in result.out.splitlines() if "should" in line] == [
        "up should be false, but it is true",
        "holder should be 2, but it is 1",
        "the outcome's draw should be true, but it is false",
        "the outcome's winners should be [2], but it is [1]",
    ]


def test_for_programs(rulegame: Call) -> None:
    files = ("countdown.yaml", "failing.yaml", "broken.yaml")
    result = rulegame("test", *files, "--json", "--coverage")
    assert result.code == 1
    good, bad, broken = json.loads(result.out)
    assert all(test["passed"] for test in good["tests"]) and good["coverage"]["items"]
    assert any(test["failures"] and not test["passed"] for test in bad["tests"])
    assert broken["tests"] == [] and broken["problems"][0]["code"] == "E302"


def test_a_move_that_is_not_on_offer_is_not_said_to_be_barred_by_its_choice(
    rulegame: Call, tmp_path: Path
) -> None:
    game = tmp_path / "game.yaml"
    game.write_text(
        "rulegame: 1\ntitle: T\nstate: {left: 9}\n"
        "operations: {take: {choose: {n: 1..2}, effects: {left: left - n}}}\n"
        "validity: {odd: left != n}\nend: {e: {when: left <= 0, result: win}}\n"
        "tests: {t: {expect: {invalid: {take 5: odd}}}}\n",
        encoding="utf-8",
    )
    said = "'take 5' should be barred by odd, but it is not on offer at all: "
    assert said in rulegame("test", str(game)).out
