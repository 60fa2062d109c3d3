"""`rulegame solve --explain`: the rule, the table, the JSON."""

from __future__ import annotations

import json

import pytest

from cli.conftest import Call


def test_a_rule_and_a_table(rulegame: Call) -> None:
    heaps = ("--set", "heaps=[2, 3]")
    result = rulegame("solve", "nim", *heaps, "--explain", "--top", "1")
    assert (result.code, result.err) == (0, "")
    scope = ", in all 11 positions reachable with these settings."
    assert (
        f"""
The player to move loses exactly when nim-sum(heaps) = 0{scope}

The player to move, by heaps[1] (down) and heaps[2] (across):
    0 1 2 3
  0   W W W
  1 W L W W
  2 W W L W
  W: wins, L: loses
"""
        in result.out
    )


def test_a_table_of_one_value_goes_on_in_further_lines(rulegame: Call) -> None:
    out = rulegame("solve", "double_or_nothing_31", "--explain").out
    assert "  number  1  2  3  4" in out
    assert "Player 2 wins by playing add_one at every turn." in out
    assert all(len(line) <= 80 for line in out.splitlines() if line.startswith("  number"))


def test_nothing_simple(rulegame: Call) -> None:
    assert "\nNo simple rule found.\n" in rulegame("solve", "double_or_nothing_10", "--explain").out


def test_games_that_hide_something(rulegame: Call) -> None:
    out = rulegame("solve", "kuhn_poker", "--explain").out
    assert "No simple rule found.\nRules are searched for games of one or two players" in out


def test_data(rulegame: Call) -> None:
    data = json.loads(rulegame("solve", "zero_sum_duel", "--explain", "--json").out)
    assert data["explanation"]["strategy"] == "Player 1 wins by playing subtract 5 at every turn."
    assert "explanation" not in json.loads(rulegame("solve", "zero_sum_duel", "--json").out)


@pytest.mark.parametrize("more", [("--against", "random")])
def test_what_it_cannot_be_combined_with(rulegame: Call, more: tuple[str, ...]) -> None:
    assert rulegame("solve", "nim", "--explain", *more).code == 2
