"""`rulegame validate`: exit codes and formats."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Call
from support.rulesets import RULESETS

COUNTDOWN = RULESETS / "countdown.yaml"

BROKEN = """\
broken.yaml:8:14: error[E302] unknown name 'scroe'
    8 |       score: scroe - 1
      |              ^^^^^
   hint: did you mean 'score'?
   see: rulegame explain E302

"""


def test_valid(rulegame: Call) -> None:
    result = rulegame("validate", "countdown.yaml", "race.yaml")
    assert (result.code, result.err) == (0, "")
    assert result.out == "countdown.yaml: valid\nrace.yaml: valid\n"


def test_bundled_by_name(rulegame: Call) -> None:
    result = rulegame("validate", "zero_sum_duel")
    assert (result.code, result.out) == (0, "zero_sum_duel: valid\n")


def test_problems(rulegame: Call) -> None:
    result = rulegame("validate", "broken.yaml", "race.yaml")
    assert result.code == 1
    assert result.out.startswith(BROKEN)
    assert result.out.endswith("\nrace.yaml: valid\n2 problems in 1 file\n")


def test_json(rulegame: Call) -> None:
    result = rulegame("validate", "broken.yaml", "--format", "json")
    assert result.code == 1
    first = json.loads(result.out)[0]
    assert (first["file"], first["line"], first["column"]) == ("broken.yaml", 8, 14)
    assert rulegame("validate", "race.yaml", "--format", "json").out == "[]\n"


def test_github(rulegame: Call) -> None:
    result = rulegame("validate", "broken.yaml", "--format", "github")
    assert result.code == 1
    assert result.out.startswith("::error file=broken.yaml,line=8,col=14,endColumn=19,title=E302::")


def test_sarif(rulegame: Call) -> None:
    result = rulegame("validate", "broken.yaml", "--format", "sarif")
    assert result.code == 1
    assert [r["ruleId"] for r in json.loads(result.out)["runs"][0]["results"]] == ["E302", "E303"]


def test_the_other_files_are_checked_when_one_does_not_exist(rulegame: Call) -> None:
    result = rulegame("validate", "zero_sum_dule", "broken.yaml", "no/such/dice_deul.yaml")
    assert result.code == 2
    assert result.out.startswith(BROKEN)
    assert result.err == (
        "rulegame: No file or bundled game 'zero_sum_dule'. Did you mean 'zero_sum_duel'?\n"
        "rulegame: No file or bundled game 'no/such/dice_deul.yaml'. Did you mean 'dice_duel'?\n"
    )


def test_a_file_name_that_plays_tricks(rulegame: Call) -> None:
    result = rulegame("validate", "\x1b[2J")
    assert result.code == 2
    assert r"'\x1b[2J'" in result.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("validate",),
        ("validate", "race.yaml", "--format", "xml"),
        ("validate", "race.yaml", "--colour"),
        ("validate", "race.yaml", "--set", "goal"),
        ("validate", "race.yaml", "--set"),
        ("valdate", "race.yaml"),
    ],
)
def test_wrong_calls(rulegame: Call, arguments: tuple[str, ...]) -> None:
    result = rulegame(*arguments)
    assert result.code == 2
    assert result.out == ""
    assert result.err


def test_settings_are_checked(rulegame: Call) -> None:
    good = rulegame("validate", "race.yaml", "--set", "goal=9", "--enable", "double")
    assert good.code == 0
    too_much = rulegame("validate", "race.yaml", "--set", "goal=101")
    assert too_much.code == 2
    assert "--set goal:1:1: error[E402]" in too_much.out
    unknown = rulegame("validate", "race.yaml", "--disable", "dubble")
    assert unknown.code == 2
    assert "did you mean 'double'?" in unknown.out


@pytest.mark.parametrize(
    "first", ["rulgame: 1\n", "Rulegame: 1\n", "rulegame 1\n", "rulegame = 1\n", ""]
)
def test_a_folder_has_rulesets_whose_mark_is_wrong(
    rulegame: Call, tmp_path: Path, first: str
) -> None:
    (tmp_path / "right.yaml").write_bytes(COUNTDOWN.read_bytes())
    wrong = COUNTDOWN.read_text("utf-8").replace("rulegame: 1\n", first, 1)
    (tmp_path / "wrong.yaml").write_text(wrong, "utf-8")
    result = rulegame("validate", str(tmp_path))
    assert result.code == 1 and f"{tmp_path / 'wrong.yaml'}:" in result.out
    (tmp_path / "wrong.yaml").write_text(first or "title: T\nend: {}\n", "utf-8")
    assert rulegame("validate", str(tmp_path)).code == 1


@pytest.mark.parametrize(
    "text",
    [
        "name: CI\non: [push]\njobs:\n  title: T\n  state: {}\n  operations: {}\n",
        "title: A page\nsummary: What it is about\n",
        "rules: 3\ngame: 1\nrule_name: flood\nruleset: 1\n",
        "state: open\nversion: 1\n",
        "- rulegame: 1\n",
        "# rulegame: 1\n",
        "",
    ],
)
def test_other_files_of_a_folder_are_passed_over(rulegame: Call, tmp_path: Path, text: str) -> None:
    (tmp_path / "right.yaml").write_bytes(COUNTDOWN.read_bytes())
    (tmp_path / "other.yaml").write_text(text, "utf-8")
    result = rulegame("validate", str(tmp_path))
    assert (result.code, result.out) == (0, f"{tmp_path / 'right.yaml'}: valid\n")


def test_a_folder_without_rulesets_is_a_wrong_call(rulegame: Call, tmp_path: Path) -> None:
    result = rulegame("validate", str(tmp_path))
    assert (result.code, result.out) == (2, "")
    assert "No rulesets in folder" in result.err


@pytest.mark.parametrize("command", ["validate", "show", "solve", "check", "simulate", "play"])
@pytest.mark.parametrize(
    "setting", ["target=abc", "target=9999999999", "nope=1", "target=1,2", "target", "target=[1"]
)
def test_a_wrong_setting_is_a_wrong_call(rulegame: Call, command: str, setting: str) -> None:
    result = rulegame(command, "double_or_nothing_31", "--set", setting)
    assert result.code == 2
    assert setting.partition("=")[0] in result.out + result.err


def test_a_list_can_be_set_without_brackets(rulegame: Call) -> None:
    for text in ("1,2,3", "[1, 2, 3]", "1, 2, 3"):
        result = rulegame("show", "zero_sum_duel", "--set", f"numbers={text}")
        assert result.code == 0 and "numbers  [1, 2, 3]" in result.out
    result = rulegame("show", "zero_sum_duel", "--set", "numbers=7")
    assert "numbers  [7]" in result.out
    assert rulegame("show", "zero_sum_duel", "--set", "numbers=1,x").code == 2


@pytest.mark.parametrize("command", ["validate", "test", "check"])
def test_folders_and_standard_input(rulegame: Call, command: str, tmp_path: Path) -> None:
    text = COUNTDOWN.read_text("utf-8")
    (tmp_path / "a.yaml").write_text(text, "utf-8")
    (tmp_path / "other.yaml").write_text("services: {}\n", "utf-8")
    result = rulegame(command, str(tmp_path))
    assert result.code == 0 and "a.yaml" in result.out and "other.yaml" not in result.out
    assert rulegame(command, "-", typed=text).code == 0
    broken = rulegame(command, "-", typed=text.replace("left:", "lefd:", 1))
    assert broken.code == 1 and "\n-:" in f"\n{broken.out}"
