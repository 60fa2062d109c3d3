"""Boards drawn in the tests of a ruleset."""

from __future__ import annotations

import pytest

from rulegame.loading import RulesetText, validate_text
from rulegame.ruletests.running import run_tests

RULES = """
rulegame: 1
title: Drawn
state:
  board:
    type: grid of optional player
    rows: 2
    columns: 3
    show: {symbols: {none: ., "players[1]": X, "players[2]": OO}}
  each player:
    mine: {type: grid of bool, rows: 1, columns: 2, show: {symbols: {true: T, false: F}}}
operations:
  place: {choose: {c: cells(board)}, effects: {"board[c]": me, "my.mine[1, 1]": true}}
validity: {free: "board[c] == none"}
end: {full: {when: "all(x != none for x in board)", result: win}}
tests:
  drawn:
    given:
      board: |
        X .  .
        . OO .
      mine: [F T, [[false, true]]]
    play: [place 1 2, place 2 1]
    expect:
      values:
        board: |
          X  X  .
          OO OO .
        mine: [T T, T T]
"""


def failures(rules: str) -> tuple[str, ...]:
    tested = run_tests(RulesetText(rules))
    assert tested.ruleset is not None, tested.diagnostics
    (result,) = tested.results
    return result.failures


def test_drawings_give_and_expect_boards() -> None:
    assert failures(RULES) == ()


def test_a_failure_draws_both_boards() -> None:
    (failure,) = failures(RULES.replace("OO OO .", ".  OO X"))
    assert failure.splitlines() == [
        "board should be",
        "X  X  .",
        ".  OO X",
        "but it is",
        "X  X  .",
        "OO OO .",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("OO OO .", "OO OO", "'board' must be a drawing of 2 rows with 3 symbols each"),
        ("          OO OO .\n", "", "'board' must be a drawing of 2 rows with 3 symbols each"),
        ("OO OO .", "OO OO Z", "'board' must be drawn with . X OO, not Z"),
        ("[T T, T T]", "[T T]", "'mine' must be a list of 2, one for each player"),
        (
            ", show: {symbols: {true: T, false: F}}}",
            "}",
            "'mine' must be a list of rows; a drawing needs 'show: symbols'",
        ),
    ],
)
def test_drawings_that_do_not_fit(old: str, new: str, message: str) -> None:
    problems = validate_text(RULES.replace(old, new))
    assert {problem.code for problem in problems} == {"E422"}
    assert message in {problem.message for problem in problems}
