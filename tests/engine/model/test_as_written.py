"""The model says its rules as they were written, with their places."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

from rulegame.building import context
from rulegame.diagnostics import Passage
from rulegame.language.parsing import parse_expression, parse_target
from rulegame.language.syntax import Expression, Number
from rulegame.loading import read_ruleset, read_settings
from rulegame.model import Effects, Roll, Ruleset
from rulegame.model.facts import facts

TEXT = """\
rulegame: 1
title: Written
parameters:
  goal: {default: 16, min: 1}
  sides: {default: [1, 2], min size: 1, max size: 6, different: true}
define:
  twice(x): x + x
state:
  marks: {type: list of int, size: 3}
  each player:
    score: 0x10
turn:
  roll: {die: {from: sides, weight: 2}}
operations:
  later: {enabled: false, effects: {my.score: 1}}
  add:
    about: Adds it up.
    when: >
      my.score
      < goal
    choose: {n: [1, -2, twice(3)]}
    steps:
      throw: {roll: {coin: 0..1}}
      count: {when: coin == 1, effects: {my.score: my.score + n}}
validity:
  ahead: {require: after.my.score > 0, for: [later]}
  small: n < 9
stuck: pass
end:
  over: {when: my.score >= goal, payoff: [1, -1]}
claims: {always_ends: false, fair_within: 0.25}
tests:
  one: {set: {goal: 3}, first: 2, play: [die 1, add 1], expect: {player: 1, printed: "a\\nb\\n"}}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "written.yaml").write_text(TEXT, "utf-8")
    return tmp_path


def ruleset_of(file: Path) -> Ruleset:
    ruleset, problems, _ = read_ruleset(file)
    assert ruleset is not None, problems
    return ruleset


def test_expressions_are_kept_as_passages(folder: Path) -> None:
    ruleset = ruleset_of(folder / "written.yaml")
    add = ruleset.operations[0]
    assert add.sources["when"].written == "my.score < goal"
    assert add.sources["when"].passage.at(9, 10)[1:3] == (20, 7)  # in the second line of the block
    assert add.choices[0].sources["from"].passage.text == "[1, -2, twice(3)]"
    assert ruleset.state["score"].sources["start"].passage.text == "16"
    assert set(ruleset.state["marks"].sources) == {"type", "size"}
    assert ruleset.turn.rolls[0].sources["weight"].passage.text == "2"
    assert ruleset.end[0].sources["payoff"].passage.text == "[1, -1]"
    assert ruleset.stuck.sources["result"].passage.text == "pass"
    assert ruleset.definitions["twice"].body.place.passage.text == "x + x"


def test_expressions_keep_their_syntax_trees(folder: Path) -> None:
    ruleset = ruleset_of(folder / "written.yaml")
    add = ruleset.operations[0]
    when, start = add.sources["when"], ruleset.state["score"].sources["start"]
    assert when.tree == parse_expression(when.passage)
    assert isinstance(start.tree, Number) and start.tree.value == 16  # YAML has it as 0x10
    assert ruleset.state["marks"].sources["type"].tree is None
    count = add.steps[-1]
    assert isinstance(count, Effects)
    (assignment,) = count.assignments
    assert assignment.target == parse_target(count.writes[0].place.passage)
    assert assignment.value == parse_expression(count.writes[0].source.passage)


def test_each_expression_is_parsed_once(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`small` and `unless` are about two operations, `within` asks what is written."""
    parsed: list[str] = []

    def parse(passage: Passage) -> Expression:
        parsed.append(passage.text)
        return parse_expression(passage)

    changed = TEXT.replace("stuck: pass", "stuck: {result: pass, unless: 'size(after.marks) < 99'}")
    changed = changed.replace("[1, -2, twice(3)]}", "{from: marks, within: 0 .. 3}}")
    (folder / "written.yaml").write_text(changed.replace("enabled: false, ", ""), "utf-8")
    document = read_ruleset(folder / "written.yaml").document
    assert document is not None
    monkeypatch.setattr(context, "parse_expression", parse)
    ruleset, problems = document.build()
    assert ruleset is not None, problems
    facts(ruleset)
    for text in ("n < 9", "after.my.score > 0", "size(after.marks) < 99", "0 .. 3", "my.score + n"):
        assert parsed.count(text) == 1, text


def test_steps_know_their_names_and_effects_their_source(folder: Path) -> None:
    add = ruleset_of(folder / "written.yaml").operations[0]
    throw, count = add.steps
    assert isinstance(throw, Roll) and isinstance(count, Effects)
    assert (throw.step, count.step, add.step_names) == ("throw", "count", ("throw", "count"))
    (write,) = count.writes
    assert (write.place.written, write.source.written) == ("my.score", "my.score + n")


def test_names_keep_the_order_of_the_file(folder: Path) -> None:
    ruleset = ruleset_of(folder / "written.yaml")
    assert [operation.name for operation in ruleset.listed] == ["later", "add"]
    assert [rule.name for rule in ruleset.validity] == ["small", "ahead"]  # in which they are asked
    assert ruleset.names["validity"] == ("ahead", "small")
    assert ruleset.validity[1].listed == ("later",)


def test_claims_and_tests_are_values(folder: Path) -> None:
    ruleset = ruleset_of(folder / "written.yaml")
    claimed = {claim.name: claim.value for claim in ruleset.claims}
    assert claimed == {"always_ends": False, "fair_within": Fraction(1, 4)}
    test = ruleset.tests["one"]
    assert (test.span.line, test.settings, test.first) == (33, {"set": {"goal": 3}}, 2)
    assert (test.play, test.typed) == (("die 1", "add 1"), None)
    assert (test.expect.player, test.expect.printed, test.expect.valid) == (1, ("a", "b"), None)


def test_a_parameter_knows_its_default_and_what_it_may_be(folder: Path) -> None:
    settings = read_settings(["goal=20"])
    ruleset = read_ruleset(folder / "written.yaml", settings).ruleset
    assert ruleset is not None
    goal, sides = ruleset.parameters["goal"], ruleset.parameters["sides"]
    assert (goal.value, goal.default, goal.low, goal.high) == (20, 16, 1, None)
    assert (sides.default, sides.least, sides.most, sides.different) == ((1, 2), 1, 6, True)


def test_other_games_are_built_from_the_document(folder: Path) -> None:
    document = read_ruleset(folder / "written.yaml").document
    assert document is not None
    other, problems = document.build(read_settings(["goal=5"], ["later"]))
    assert other is not None and not problems
    assert other.parameters["goal"].value == 5
    assert [operation.name for operation in other.operations] == ["later", "add"]
    assert document.as_data()["operations"]["add"]["about"] == "Adds it up."


def test_what_is_said_of_a_rule_is_told_until_a_variant_changes_it(folder: Path) -> None:
    (folder / "same.yaml").write_text(
        "rulegame: 1\nextends: written.yaml\ntitle: Same\noperations: {add: {label: Plus}}\n"
    )
    (folder / "other.yaml").write_text(
        "rulegame: 1\nextends: written.yaml\ntitle: Other\noperations: {add: {choose: {n: 1..2}}}\n"
    )
    told = {
        name: ruleset_of(folder / f"{name}.yaml").operations[0].told
        for name in ("written", "same", "other")
    }
    assert told == {"written": "Adds it up.", "same": "Adds it up.", "other": ""}
    assert ruleset_of(folder / "same.yaml").extends == "written.yaml"
