"""What people write out of habit from other languages, and what the hint offers instead."""

from __future__ import annotations

import pytest

from rulegame.diagnostics import Diagnostic
from rulegame.loading import RulesetText, load_ruleset

GAME = """\
rulegame: 1
title: Traps
state: {left: 9}
operations:
  take:
    choose: {n: 1..3}
    effects: {left: left - n}
end: {over: {when: left <= 0, result: win}}
"""


def problems(old: str, new: str) -> tuple[Diagnostic, ...]:
    assert old in GAME
    return load_ruleset(RulesetText(GAME.replace(old, new)))[1]


@pytest.mark.parametrize(
    ("call", "right"),
    [
        ("range(1, 4)", "1..3"),
        ("range(5)", "0..4"),
        ("range(1, left)", "1..left - 1"),
        ("range(1, left + 1)", "1..left"),
        ("between(1, 4)", "1..4"),
    ],
)
def test_the_end_of_a_range(call: str, right: str) -> None:
    found = problems("n: 1..3", f'n: "{call}"')[0]
    assert found.code == "E305"
    assert [edit.text for one in found.suggestions for edit in one.edits] == [right]


def test_merge_keys_are_named() -> None:
    found = problems("    choose", "    <<: {about: Take some}\n    choose")
    assert [(one.code, one.message) for one in found] == [
        ("E201", "merge keys ('<<') are not supported")
    ]
    found = problems("  take:", "  <<: {skip: {effects: {left: 0}}}\n  take:")
    assert found[0].message == "merge keys ('<<') are not supported"


SECRET = """\
rulegame: 1
title: Show
state: {n: 0, shown: 0}
turn: {roll: {drawn: {from: 1..9, seen by: owner}}}
operations:
  show:
    effects:
      shown: drawn
      n: n + 1
end: {over: {when: n == 4, result: draw}}
"""


@pytest.mark.parametrize(
    ("comment", "codes"),
    [
        ("", ["E435"]),
        ("  # allow E435", []),
        ("  # allow E428, E435", []),
        ("  # allow E428", ["E435"]),
        ("  # allow E435 here", ["E435"]),
        ("  # disallow E435", ["E435"]),
    ],
)
def test_a_comment_allows_a_warning_of_its_line(comment: str, codes: list[str]) -> None:
    text = SECRET.replace("shown: drawn", f"shown: drawn{comment}")
    ruleset, found = load_ruleset(RulesetText(text))
    assert ruleset is not None and [problem.code for problem in found] == codes


def test_a_comment_on_another_line_allows_nothing() -> None:
    _, found = load_ruleset(RulesetText(SECRET.replace("n: n + 1", "n: n + 1  # allow E435")))
    assert [problem.code for problem in found] == ["E435"]


def test_errors_cannot_be_allowed() -> None:
    text = SECRET.replace("shown: drawn", "shown: drwn  # allow E302")
    assert [problem.code for problem in load_ruleset(RulesetText(text))[1]] == ["E302"]
