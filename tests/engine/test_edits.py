"""What stands in a file decides how something else is written in its place: exactly, or not."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulegame.diagnostics import Diagnostic, Edit, Span, did_you_mean
from rulegame.edits import apply_edits
from rulegame.loading import load_ruleset, read_settings, validate_text

RULES = """\
rulegame: 1
title: T
state:
  left: 21
  light: {type: red | green, start: red}
  heaps: {type: list of int, size: 3}
  each player: {gold: 1}
"""
REST = """\
operations:
  take: {effects: {left: left - 1}}
"""
END = """\
end:
  e: {when: left <= 0, result: win}
"""


def fixed(text: str) -> str:
    """A ruleset after the fixes of its problems, which stand in different lines."""
    return apply_edits(text, [edit for problem in validate_text(text) for edit in problem.fix])


# What stands in a ruleset, and what stands there after its one problem is fixed; None if no edit
# would be exactly right.
VALIDITY: list[tuple[str, str | None]] = [
    ("lefd > 0", "left > 0"),
    ("'lefd > 0'", "'left > 0'"),
    ('"lefd > 0"', '"left > 0"'),
    ('"lef\\u0064 > 0"', None),
    ('"\\u006Ceft > 0 and lefd > 0"', '"\\u006Ceft > 0 and left > 0"'),
    ("|\n    left > 0\n    and lefd > 1", "|\n    left > 0\n    and left > 1"),
    (">-\n    left > 0\n    and lefd > 1", ">-\n    left > 0\n    and left > 1"),
    ("left > 0\n    and lefd > 1", "left > 0\n    and left > 1"),
    ('"left > 0\n    and lefd > 1"', '"left > 0\n    and left > 1"'),
    ("{require: lefd > 0}", "{require: left > 0}"),
    ("{require: left % 2 == 0}", '{require: "mod(left, 2) == 0"}'),
    ("left % 2 == 0", "mod(left, 2) == 0"),
    ("{require: me == 1}", '{require: "me == players[1]"}'),
    ("'light == “green”'", "'light == green'"),
    ('light == "green"', "light == green"),
    ("left&&left > 1 == true", "left and left > 1 == true"),
    ("!left", None),
    ("left > 0 and !(left == 1) == true", "left > 0 and (not (left == 1)) == true"),
    ("left == 10 * int(left / 2)", "left == 10 * (left / 2)"),
    ("left == 10 + int(left / 2)", "left == 10 + left / 2"),
    ("left == 3 / left ** 2", "left == 3 / (left * left)"),
    ("left == 3 * left % 2", None),
    ("left + 1 == 3 + left % 2", "left + 1 == 3 + mod(left, 2)"),
    ("max(heaps) == pow(left + 1, 2)", "max(heaps) == (left + 1) * (left + 1)"),
    ("after.lefd > 0", "after.left > 0"),
    ("after.my.gldo > 0", "after.my.gold > 0"),
    ("gldo of me > 0", "gold of me > 0"),
    ("siez(heaps) > 0", "size(heaps) > 0"),
    ("after.my.left > 0", "after.left > 0"),
]


@pytest.mark.parametrize(("before", "after"), VALIDITY)
def test_an_expression_is_rewritten_in_its_own_style(before: str, after: str | None) -> None:
    text = f"{RULES}validity:\n  v: {{}}\n{REST}{END}"
    wrong = text.replace("{}", before)
    right = wrong if after is None else text.replace("{}", after)
    assert fixed(wrong) == right


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The {lefd}, é 😀 {lefd}", "The {left}, é 😀 {left}"),
        ('"\\t{lefd}"', '"\\t{left}"'),
        ("'It''s {lefd}'", "'It''s {left}'"),
        ('"{if left > 1}a{elseif left > 2}b{end}"', '"{if left > 1}a{elif left > 2}b{end}"'),
        ('"{if !left}a{end}"', '"{if not left}a{end}"'),
        ("|\n    One\n    {lefd}", "|\n    One\n    {left}"),
    ],
)
def test_a_text_is_rewritten_in_its_own_style(before: str, after: str) -> None:
    text = f"{RULES}texts:\n  welcome: %s\n{REST}{END}"
    assert fixed(text % before) == text % after


OTHERS = {
    "opertions:\n  take: {effects: {left: left - 1}}\n": (
        "operations:\n  take: {effects: {left: left - 1}}\n"
    ),
    "operations:\n  take: {efects: {left: left - 1}}\n": REST,
    'operations:\n  take: {effects: {left: left - 1}, "abuot": x}\n': (
        'operations:\n  take: {effects: {left: left - 1}, "about": x}\n'
    ),
    "operations:\n  take: {effects: {left: max(left - 1, 0)}}\n": (
        'operations:\n  take: {effects: {left: "max(left - 1, 0)"}}\n'
    ),
    "operations:\n  take: {effects: {left: -= 2}}\n": (
        "operations:\n  take: {effects: {left: left - 2}}\n"
    ),
    "operations:\n  take: {effects: {left: -= left + 1}}\n": (
        "operations:\n  take: {effects: {left: left - (left + 1)}}\n"
    ),
    "operations:\n  take:\n    effects:\n      left:left - 1\n": (
        "operations:\n  take:\n    effects:\n      left: left - 1\n"
    ),
    "operations:\n  take:\n    effects:\n      left left - 1\n": (
        "operations:\n  take:\n    effects:\n      left: left - 1\n"
    ),
    "operations:\n  take:\n   effects:\n      left: left - 1\n": (
        "operations:\n  take:\n   effects:\n      left: left - 1\n"
    ),
    "turn: {ask: operation}\noperations:\n  take: {effects: {left: left - 1}}\n": (
        f"turn: {{ask: [operation]}}\n{REST}"
    ),
    "turn:\n  ask: operation[1]\noperations:\n  take: {effects: {left: left - 1}}\n": (
        f"turn:\n  ask: operation[1]\n{REST}"
    ),
    "players: Ann and Bob\noperations:\n  take: {effects: {left: left - 1}}\n": (
        f"players: [Ann, Bob]\n{REST}"
    ),
    "stuck: skip\noperations:\n  take: {effects: {left: left - 1}}\n": f"stuck: pass\n{REST}",
}


@pytest.mark.parametrize(("before", "after"), list(OTHERS.items()))
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_keys_and_values_are_rewritten(before: str, after: str, newline: str, mark: str) -> None:
    text = mark + (RULES + before + END).replace("\n", newline)
    assert fixed(text) == mark + (RULES + after + END).replace("\n", newline)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{when: left <= 0, result: player 2 wins}", '{when: left <= 0, winners: "players[2]"}'),
        ("\n    when: left <= 0\n    result: draws", "\n    when: left <= 0\n    result: draw"),
        (
            "\n    when: left <= 0\n    result:\n      player 2 wins",
            "\n    when: left <= 0\n    winners:\n      players[2]",
        ),
        (
            "{when: left <= 0, winners: [1, 2]}",
            '{when: left <= 0, winners: "[players[1], players[2]]"}',
        ),
    ],
)
def test_a_result_in_words_becomes_one_of_the_language(before: str, after: str) -> None:
    text = f"{RULES}{REST}end:\n  e: %s\n"
    assert fixed(text % before) == text % after


def test_a_key_that_stands_there_already_is_not_written_again() -> None:
    text = RULES + "operations:\n  take: {effects: {left: 1}, efects: {left: 2}}\n" + END
    [problem] = validate_text(text)
    assert problem.hint == "did you mean 'effects'?" and problem.offers("effects")
    assert problem.fix == ()


def test_two_names_that_are_just_as_near_are_a_choice() -> None:
    hint = did_you_mean("lift", ["left", "loft"])
    assert sorted(hint.offers) == ["left", "loft"]
    text = f"{RULES}define: {{loft: 1}}\nvalidity: {{v: lift > 0}}\n{REST}{END}"
    [problem] = validate_text(text)
    assert sorted(s.text for s in problem.suggestions) == ["left", "loft"]
    assert all(s.edits for s in problem.suggestions) and problem.fix == ()


def test_a_setting_of_a_call_is_no_file(tmp_path: Path) -> None:
    text = f"{RULES}parameters: {{pile: {{default: small, one of: [small, large]}}}}\n{REST}{END}"
    file = tmp_path / "game.yaml"
    file.write_text(text, "utf-8")
    for given in ("pile=smal", "pil=small"):
        _, problems = load_ruleset(file, read_settings([given]))
        wrong = [p for p in problems if p.severity == "error"]
        assert wrong and all(p.suggestions and not p.fix for p in wrong)


def test_a_problem_of_a_parent_is_fixed_in_the_parent(tmp_path: Path) -> None:
    parent, child = tmp_path / "parent.yaml", tmp_path / "child.yaml"
    parent.write_text(f"{RULES}validity: {{v: lefd > 0}}\n{REST}{END}", "utf-8")
    child.write_text("rulegame: 1\nextends: parent.yaml\ntitle: C\n", "utf-8")
    problem: Diagnostic
    [problem] = load_ruleset(child)[1]
    assert {edit.span.file for edit in problem.fix} == {str(parent)}
    parent.write_text(apply_edits(parent.read_text("utf-8"), problem.fix), "utf-8")
    assert load_ruleset(child)[1] == ()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{left} are left  # é", '"{left} are left"  # é'),
        ("[left] of {left}", '"[left] of {left}"'),
        ('{left} say "hi"', "'{left} say \"hi\"'"),
        ("{left} are left,", '"{left} are left,"'),
    ],
)
def test_a_text_that_yaml_cannot_read_is_quoted(before: str, after: str) -> None:
    text = f"{RULES}texts:\n  welcome: %s\n{REST}{END}"
    assert fixed(text % before) == text % after
    in_brackets = f"{RULES}texts: {{\n  welcome: %s,\n  begin: x}}\n{REST}{END}" % before
    assert fixed(in_brackets) == in_brackets


def test_a_value_is_no_function() -> None:
    text = f"{RULES}validity: {{v: left() > 0}}\n{REST}{END}"
    assert fixed(text) == text.replace("left()", "left")


def test_an_invisible_character_is_taken_out() -> None:
    text = f"{RULES}{REST}{END}".replace("title: T", "title: \u202eT")
    assert fixed(text) == text.replace("\u202e", "")
    escaped = f"{RULES}{REST}{END}".replace("title: T", 'title: "\\u202eT"')
    assert fixed(escaped) == escaped


def test_edits_are_applied_from_the_end() -> None:
    edits = [Edit(Span("", 1, 1, 1, 2), "bb"), Edit(Span("", 2, 1, 2, 1), "c")]
    assert apply_edits("a\r\nd", edits) == "bb\r\ncd"
