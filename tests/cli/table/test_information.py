"""`list`, `show`, `explain`, `--version` and `--help`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rulegame as library
from cli.conftest import Call
from rulegame.bundled import ruleset_names
from rulegame.codes import CODES
from rulegame_cli.printing import error_pages


def test_version(rulegame: Call) -> None:
    assert rulegame("--version").out == f"rulegame {library.__version__}\n"


def test_help_names_every_command(rulegame: Call) -> None:
    result = rulegame("--help")
    assert result.code == 0
    for command in ("play", "validate", "test", "list", "show", "explain"):
        assert f"  {command} " in result.out


def test_a_bare_call_is_a_wrong_call(rulegame: Call) -> None:
    result = rulegame()
    assert result.code == 2
    assert "Usage: rulegame" in result.out + result.err


def test_list_has_every_bundled_ruleset(rulegame: Call) -> None:
    result = rulegame("list")
    assert result.code == 0
    listed = [line.split()[0] for line in result.out.splitlines() if line.startswith("  ")]
    assert set(ruleset_names()) <= set(listed)
    assert "has problems" not in result.out
    assert "  zero_sum_duel         Zero Sum Duel\n" in result.out


def test_show_knows_names_from_keys(rulegame: Call, tmp_path: Path) -> None:
    """A value, a choice or an operation may be called like a key whose text is no rule."""
    file = tmp_path / "odd.yaml"
    file.write_text(
        """
rulegame: 1
title: Odd
state: {text: 0, start: 3}
operations:
  key: {effects: {start: start + 1}}
  roll: {label: Add, choose: {note: 1..3}, effects: {text: text + note}}
end: {label: {when: text > 3, result: win}}
""",
        "utf-8",
    )
    shown = rulegame("show", str(file)).out
    assert "State\n  text: 0\n  start: 3\n" in shown
    assert "  key: Key, on\n    effects:\n      start: start + 1\n" in shown
    assert "  roll: Add, on\n    choose:\n      note: 1..3\n" in shown
    assert "      text: text + note\n" in shown
    assert "End\n  label:\n    when: text > 3\n    result: win\n" in shown


def test_show(rulegame: Call) -> None:
    arguments = ("--set", "goal=12", "--set", "faces=[1, 2]", "--enable", "double")
    result = rulegame("show", "race.yaml", *arguments, "--disable", "keep")
    assert (result.code, result.err) == (0, "")
    assert result.out == (
        "Race\n"
        "\n"
        "Kind: 2 players, perfect information, chance, win, loss or draw, constant sum\n"
        "Players: Player 1, Player 2\n"
        "\n"
        "Parameters (--set NAME=VALUE)\n"
        "  goal   12      1 to 100                               The score that wins\n"
        "  faces  [1, 2]  1 to 6 different numbers, each 1 to 6\n"
        "\n"
        "State\n"
        "  each player:\n"
        "    score: 0\n"
        "\n"
        "Turn\n"
        "  roll:\n"
        "    die: faces\n"
        "\n"
        "Operations (--enable NAME, --disable NAME)\n"
        "  add: Add, key A, on\n"
        "    Add the die to your score\n"
        "    effects:\n"
        "      my.score: my.score + die\n"
        "  keep: Keep, key K, off\n"
        "    effects:\n"
        "      my.score: my.score\n"
        "  double: Double, on\n"
        "    effects:\n"
        "      my.score: my.score * 2\n"
        "\n"
        "End\n"
        "  there:\n"
        "    when: my.score >= goal\n"
        "    result: win\n"
    )


def test_show_every_bundled_ruleset(rulegame: Call) -> None:
    for name in ruleset_names():
        assert rulegame("show", name).code == 0


def test_show_of_what_cannot_be_shown(rulegame: Call) -> None:
    assert "error[E302]" in (broken := rulegame("show", "broken.yaml")).out
    assert broken.code == 1
    assert rulegame("show", "nothing").code == 2


def test_explain(rulegame: Call) -> None:
    result = rulegame("explain", "e302")
    assert result.code == 0
    assert result.out == (error_pages.pages_folder() / "E302.md").read_text("utf-8")
    listed = rulegame("explain").out.splitlines()
    assert "E302: unknown name" in listed
    assert len(listed) == len(CODES)


def test_a_retired_code_is_explained_but_not_listed(
    rulegame: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(CODES, "E302", CODES["E302"]._replace(retired=True))
    assert rulegame("explain", "E302").out.startswith("# E302: ")
    assert "E302" not in rulegame("explain").out


@pytest.mark.parametrize(
    ("code", "hint"),
    [
        ("E302x", "Did you mean E302?"),
        ("302", "Did you mean E302?"),
        ("E4100", "Did you mean E410?"),
        ("../E302", "Did you mean E302?"),
        ("readme", "`rulegame explain` lists all codes."),
        ("E" + "9" * 5000, "`rulegame explain` lists all codes."),
        ("E999", "`rulegame explain` lists all codes."),
    ],
)
def test_explain_an_unknown_code(rulegame: Call, code: str, hint: str) -> None:
    result = rulegame("explain", code)
    assert result.code == 2
    assert result.err.endswith(f". {hint}\n")


def test_list_for_programs(rulegame: Call) -> None:
    listed = json.loads(rulegame("list", "--json").out)
    assert {one["name"] for one in listed} == set(ruleset_names())
    assert all(one["valid"] and one["title"] and len(one["players"]) >= 1 for one in listed)


def test_show_for_programs(rulegame: Call) -> None:
    shown = json.loads(rulegame("show", "zero_sum_duel", "--json", "--set", "numbers=1,2").out)
    assert shown["title"] == "Zero Sum Duel"
    assert [(p["name"], p["value"]) for p in shown["parameters"]] == [
        ("start", 20),
        ("numbers", [1, 2]),
    ]
    assert shown["ruleset"]["end"]["zero"]["when"] == "my.score == 0"
    broken = rulegame("show", "broken.yaml", "--json")
    assert (broken.code, broken.out) == (1, "") and "E302" in broken.err
