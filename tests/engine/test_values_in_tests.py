"""`expect: {value: …}` in the tests of a ruleset."""

from __future__ import annotations

import pytest

from rulegame.loading import RulesetText
from rulegame.ruletests.running import run_tests

RULES = """
rulegame: 1
title: Values
parameters: {pile: 3}
state: {left: pile, HIDDEN}
operations:
  take: {choose: {n: "1..min([2, left])"}, effects: {left: left - n, KEPT}}
  gamble: {when: left == pile, roll: {coin: 0..1}, effects: {left: 1 - coin}}
end:
  last: {when: left == 0, payoff: "list(2 if p == me else -2 for p in players)"}
tests:
  it: {TEST}
"""


def failures(test: str, hidden: bool = False) -> tuple[str, ...]:
    value = "each player: {h: {start: 0, seen by: owner}}"
    rules = RULES.replace(", HIDDEN", f", {value}" if hidden else "")
    rules = rules.replace(", KEPT", ", my.h: n" if hidden else "")
    tested = run_tests(RulesetText(rules.replace("TEST", test)))
    assert tested.ruleset is not None, tested.diagnostics
    (result,) = tested.results
    return result.failures


@pytest.mark.parametrize(
    "test",
    [
        "expect: {value: 0}",
        "play: [take 1], expect: {value: -2}",
        "play: [gamble], expect: {value: 0/5}",
        "play: [gamble, coin 1], expect: {value: 2}",
        "set: {pile: 2}, expect: {value: 2}",
        "set: {pile: 2}, first: 2, expect: {value: 4/2}",
    ],
)
def test_values_that_hold(test: str) -> None:
    assert failures(test) == ()


def test_a_value_that_does_not_hold() -> None:
    assert failures("expect: {value: 1/2}") == ("the value should be 1/2, but it is 0",)


def test_hidden_information() -> None:
    """At the start, and wherever all know the position; not where somebody can only guess it."""
    assert failures("expect: {value: 0}", hidden=True) == ()
    assert failures("play: [take 1], expect: {value: -2}", hidden=True) == ()
    unknown = "set: {pile: 5}, play: [take 1, take 2, take 1], expect: {value: -2}"
    (failure,) = failures(unknown, hidden=True)
    assert "another position looks the same to Player 1" in failure
