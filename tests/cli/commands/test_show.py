"""`rulegame show`: the sections of the rules, and with --ir their intermediate representation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cli.conftest import Call
from rulegame.core.passes import STAGES
from rulegame.keys.ruleset import RULESET as FORMAT

RULESET = """
rulegame: 1
title: Dice
state:
  each player:
    score: 0
turn:
  roll: {die: 1..6}
operations:
  add: {effects: {my.score: my.score + die}}
  skip: {effects: {}}
validity:
  enough: {for: [add], require: die > 2}
end:
  done: {when: my.score >= 20, result: win}
"""


@pytest.fixture
def dice(tmp_path: Path) -> str:
    path = tmp_path / "dice.yaml"
    path.write_text(RULESET, "utf-8")
    return str(path)


def test_cells_and_functions(rulegame: Call, dice: str) -> None:
    result = rulegame("show", dice, "--ir")
    assert (result.code, result.err) == (0, "")
    head, *functions = result.out.split("\n\n")
    assert head.splitlines() == [
        "# s[0]     seat                    0 to 1",
        "# s[1]     point",
        "# s[2]     passes, or the outcome",
        "# s[3]     roll die",
        "# s[4:+2]  score",
    ]
    moves = next(text for text in functions if text.startswith("def moves_0(s) -> moves:"))
    assert '    if v_die > 2:  # enough\n        offer("add")\n    offer("skip")\n' in moves
    effects = next(text for text in functions if text.startswith("def after_add("))
    assert "fit(x1, site=0)  # dice.yaml:10" in effects


def test_after_a_pass(rulegame: Call, dice: str) -> None:
    def stuck(*more: str) -> str:
        text = rulegame("show", dice, "--ir", *more).out
        return text.partition("def stuck")[2]

    assert "v_die" in stuck("--after", "lowering")
    assert "v_die" not in stuck("--after", "unused_loads")
    assert stuck("--after", STAGES[-1]) == stuck()


def test_for_programs(rulegame: Call, dice: str) -> None:
    data = json.loads(rulegame("show", dice, "--ir", "--json", "--after", "lowering").out)
    assert data["after"] == "lowering"
    assert data["cells"][-1] == {
        "name": "score",
        "first": 4,
        "size": 2,
        "min": None,
        "max": None,
    }
    assert data["functions"]["stuck"].startswith("def stuck(s) -> stuck:\n    me = s[0]\n")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (
            ("--ir", "--after", "unused_load"),
            "--after: unknown pass 'unused_load'. Did you mean 'unused_loads'? ",
        ),
        (("--ir", "--after", "q"), f"The stages are, in order: {', '.join(STAGES)}."),
        (("--after", "metering"), "--after needs --ir"),
    ],
)
def test_wrong_calls(rulegame: Call, dice: str, options: tuple[str, ...], problem: str) -> None:
    result = rulegame("show", dice, *options)
    assert (result.code, result.out) == (2, "") and problem in result.err


def test_settings_are_compiled_in(rulegame: Call) -> None:
    text = rulegame("show", "nim", "--ir", "--set", "heaps=[1, 2]").out
    assert "# s[3:+2]" in text or "# s[4:+2]" in text


def test_control_characters_of_names_are_not_printed(rulegame: Call, tmp_path: Path) -> None:
    path = tmp_path / "odd\x1b[31m.yaml"
    path.write_text(RULESET, "utf-8")
    assert "\x1b" not in rulegame("show", str(path), "--ir").out


WHOLE = """\
rulegame: 1
title: Whole
players: [Ann, Bob]
parameters: {goal: {default: 5, min: 1, max: 9}}
types: {colour: [red, green]}
define: {half: goal / 2}
state:
  left: {type: int, start: goal, show: no}
  last: {type: int, show: {as: bar, to: goal}}
  light: {type: colour, start: red}
setup: {deal: {roll: {n: 1..3}, effects: {left: left + n}}}
turn: {next: next(me)}
operations: {take: {choose: {n: 1..2}, effects: {left: left - n, last: half}}}
validity: {enough: left >= n}
stuck: lose
payoff unit: 1/2
end: {empty: {when: left == 0, payoff: "[1, -1]"}}
"""


def test_every_section_of_the_rules_is_shown(rulegame: Call, tmp_path: Path) -> None:
    path = tmp_path / "whole.yaml"
    path.write_text(WHOLE, encoding="utf-8")
    lines = rulegame("show", str(path)).out.splitlines()
    for key in FORMAT.keys:
        assert not key.is_rule or any(line.startswith(key.noun.capitalize()) for line in lines), key
    assert "Payoff unit: 1/2" in lines
    assert "  left: goal" in lines or "    start: goal" in lines
    assert not [line for line in lines if "show" in line or "bar" in line]
