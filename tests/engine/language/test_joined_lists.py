"""`joined` and `reversed`: in Python and as machine code."""

from __future__ import annotations

from random import Random

import pytest

import rulegame
from engine.native.test_machine_kernel import Comparison
from rulegame.loading import RulesetText, load_ruleset
from rulegame.native.compiler import toolchain

GAME = """\
rulegame: 1
title: Joined
state:
  hand: {type: list of int, start: "joined([1, 2], [3], [])"}
  row: {type: list of int, start: "reversed(4..6)"}
  left: {type: set of 1..9, start: 1..4}
  who: {type: list of player, start: players}
  flags: {type: list of bool, size: 2}
  board: {type: grid of int, rows: 2, columns: 2}
  n: 0
operations:
  add:
    choose:
      x: joined(hand, row)
      y: "reversed(joined(left, list(k for k in 1..n if k < 4), board))"
    effects:
      n: "n + sum(joined(hand, row)) + size(joined(hand, [x])) + reversed(hand)[1]"
      hand[1]: "joined(hand, row, left)[4]"
      flags[2]: "joined(flags, [n > 2])[3]"
      board[1, 1]: "size(reversed(list(k for k in 1..y if k > 1))) + y"
  pass_on:
    choose: {p: "reversed(joined(who, [me]))"}
    effects:
      n: "n + seat(p) + size(joined(1..n, left)) + joined([3], reversed(1..n))[2 if n > 0 else 1]"
      who[1]: "joined([p], who)[1]"
      left: "without(left, lowest(left, 1)[1]) if size(left) > 1 else left"
end:
  over: {when: n > 160, result: win if any(reversed(flags)) else lose}
"""


def test_values() -> None:
    start = rulegame.loads(GAME).start()
    assert list(start["hand"]) == [1, 2, 3] and list(start["row"]) == [6, 5, 4]
    after = start.play("add 6 0")
    assert after["n"] == 21 + 4 + 3
    assert list(after["hand"]) == [6, 2, 3] and list(after["flags"]) == [False, False]
    assert [str(move) for move in start.moves if move.operation == "pass_on"] == [
        "pass_on 1",
        "pass_on 2",
    ]


@pytest.mark.skipif(toolchain() is None, reason="llvmlite is not installed")
def test_machine_code_gives_the_same() -> None:
    compared = Comparison(rulegame.loads(GAME).kernel)
    for seed in range(20):
        compared.play(seed % 2, Random(seed), 60)
    assert compared.given_up == 0


def problem(expression: str) -> tuple[str, str, str]:
    text = GAME.replace("x: joined(hand, row)", f'x: "{expression}"')
    found = load_ruleset(RulesetText(text))[1][0]
    return found.code, found.message, found.hint


def test_what_cannot_be_joined() -> None:
    code, message, hint = problem("hand + row")
    assert (code, message) == ("E303", "'+' does not join lists")
    assert hint.startswith("joined(hand, row) has the elements of both; a stored list has a fixed")
    assert problem("hand + 1")[2].startswith("a stored list has a fixed length")
    assert problem("joined(hand, who)")[1] == (
        "'joined' needs a collection of numbers here, not a list of players"
    )
    assert problem("joined(hand, 3)")[0] == "E303"
    assert "whose elements are no collections" in problem("reversed(rows(board))")[1]
    assert problem("concat(hand, row)")[2] == "write 'joined(hand, row)'"
    assert problem("reverse(hand)")[2] == "write 'reversed(hand)'"
