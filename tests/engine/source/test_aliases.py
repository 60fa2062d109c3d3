"""Errors in values that aliases repeat: at the alias, if the value is right where it is written."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from rulegame.loading import load_ruleset

RULES = """\
rulegame: 1
title: Aliases
state:
  hand: {type: optional int, show: {symbols: SYMBOLS}}
  left: {type: set of 0..1, start: 0..1, show: {as: cards, symbols: *s}}
operations:
  go: {effects: {hand: 1}}
end: {e: {when: hand == 1, result: win}}
"""
SEQUENCE = """\
rulegame: 1
title: Aliases
state: {n: 0, each player: {score: 0}}
operations:
  one:
    when: &w n < 3
    effects: &e
      n: n + 1
      my.score: my.score + 1
  two:
    when: *w
    effects: *e
end:
  over: {when: n == 3, result: win}
  payed: {when: n == 4, payoff: [1, &m my.score]}
turn:
  first: *m
"""
BLOCK = """\
rulegame: 1
title: Aliases
state: {n: 0}
operations:
  one: &one
    choose: {k: 1..3}
    effects: {n: n + k}
  two:
    choose: {j: 1..3}
    effects: {n: n + j}
validity: {small: {require: n < 3, for: [one]}}
setup:
  start: *one
end: {over: {when: n > 3, result: win}}
texts: {turn: &t "{n}", prompt: *t, chosen: "{k}"}
claims: *one
"""


def problems(folder: Path, text: str) -> list[tuple[str, int, int, bool]]:
    """The code and place of each, and whether it is said to come from an alias."""
    file = folder / "aliases.yaml"
    file.write_text(text, "utf-8")
    return [
        (d.code, d.span.line, d.span.column, d.message.startswith("in the value of '*"))
        for d in load_ruleset(file)[1]
    ]


@pytest.mark.parametrize(
    ("symbols", "found"),
    [
        ("&s {none: ., 1: A}", [("E455", 5, 69, True)]),
        ("&s {0: ., 1: A}", []),
        ("&s {7: ., red: A}", [("E302", 4, 56, False)]),
    ],
)
def test_only_the_alias_is_wrong_or_the_anchor_too(
    tmp_path: Path, symbols: str, found: list[tuple[str, int, int, bool]]
) -> None:
    assert problems(tmp_path, RULES.replace("SYMBOLS", symbols)) == found


def test_aliases_of_expressions_and_blocks(tmp_path: Path) -> None:
    assert ("E307", 17, 10, True) in problems(tmp_path, SEQUENCE)
    assert all(code[0] != "E307" or code[3] for code in problems(tmp_path, SEQUENCE))


def test_each_alias_of_a_value_is_told(tmp_path: Path) -> None:
    text = RULES.replace("SYMBOLS", "&s {none: ., 1: A}")
    second = "  right: {type: set of 0..1, start: 0..1, show: {as: cards, symbols: *s}}\n"
    found = problems(tmp_path, text.replace("operations:", second + "operations:"))
    assert found == [("E455", 5, 69, True), ("E455", 6, 70, True)]


def test_an_alias_beside_a_slip(tmp_path: Path) -> None:
    text = RULES.replace("SYMBOLS", "&s {none: ., 1: A}").replace("title: ", "title:")
    assert problems(tmp_path, text) == [("E104", 2, 6, False), ("E455", 5, 69, True)]


def test_a_game_with_aliases_can_be_pickled(tmp_path: Path) -> None:
    file = tmp_path / "aliases.yaml"
    file.write_text(RULES.replace("SYMBOLS", "&s {0: ., 1: A}"), "utf-8")
    ruleset, _ = load_ruleset(file)
    assert pickle.loads(pickle.dumps(ruleset)) == ruleset


def test_what_an_alias_repeats_in_the_wrong_place(tmp_path: Path) -> None:
    found = problems(tmp_path, BLOCK)
    assert found and all(line == 16 for code, line, _, alias in found if code == "E201")
    assert not any(line in (6, 7) for _, line, _, _ in found)
