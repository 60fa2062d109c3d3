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
