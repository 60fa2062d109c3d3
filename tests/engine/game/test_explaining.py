"""Why a move is valid or not: every check, with the values of the parts of its expression."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rulegame
from rulegame.game.explanation import position
from support.games import bundled_game


def _at(game: rulegame.Game, *moves: str) -> rulegame.State:
    state = game.start()
    for move in moves:
        state = state.play(game.parse_move(move))
    return state


def test_every_rule_with_its_parts() -> None:
    game = bundled_game("zero_sum_duel")
    state = _at(game, "subtract 5", "subtract 4")
    reason = state.why_not(game.parse_move("subtract 4"))
    assert reason is not None
    choice, repeated, negative = reason.checks
    assert (choice.kind, choice.rule, choice.expression, choice.holds) == (
        "choice",
        "n",
        "numbers",
        True,
    )
    assert choice.values == {"n": 4, "numbers": [1, 2, 3, 4, 5]}
    assert (repeated.expression, repeated.holds) == ("n != last", False)
    assert repeated.values == {"n": 4, "last": 4}
    assert repeated.message == "4 was just used by Player 2."
    assert repeated.span is not None and repeated.span.source.strip() == "require: n != last"
    assert (negative.values, negative.holds) == ({"after.my.score": 11}, True)


def test_a_valid_move() -> None:
    game = bundled_game("zero_sum_duel")
    explanation = rulegame.explain_move(game.start(), game.parse_move("subtract 4"))
    assert explanation.valid and explanation.reason is None
    assert [check.holds for check in explanation.checks] == [True, True, True]
    assert explanation.checks[1].values == {"n": 4, "last": None}


def test_when_and_choices_are_checks() -> None:
    pig = bundled_game("pig")
    (when,) = rulegame.explain_move(pig.start(), pig.parse_move("hold")).checks
    assert (when.kind, when.expression, when.values, when.holds) == (
        "when",
        "total > 0",
        {"total": 0},
        False,
    )
    duel = bundled_game("zero_sum_duel")
    outside = rulegame.explain_move(duel.start(), duel.parse_move("subtract 9")).checks[0]
    assert (outside.holds, outside.message) == (False, "n must be one of 1, 2, 3, 4, 5")


def test_after_a_choice_that_cannot_be_made_nothing_is_looked_at() -> None:
    game = bundled_game("tic_tac_toe")
    row, column, empty = rulegame.explain_move(game.start(), game.parse_move("place 0 9")).checks
    assert (row.holds, column.holds, empty.holds) == (False, None, None)
    assert (column.values, empty.values) == ({}, {})
    assert empty.expression == "board[row, column] == none"


RULES = """
rulegame: 1
title: Rules
players: [Ann, Bob]
parameters: {most: 3}
define:
  half(x): x / 2
state:
  n: 4
  leader: {type: optional player}
  row: {type: list of int, start: [1, 2, 3]}
  cards: {type: set of 1..5}
operations:
  go:
    choose:
      i: 0..4
      k: 0..2
    effects:
      n: n / k
      leader: me
validity:
  guarded: i in 1..size(row) and row[i] <= most
  led: leader == none or leader != me
  halves: not (half(n) + i > 5 or any(r == i for r in row) and false)
  free: size(cards) == 0
  after_it: after.n > 0 and after.leader == me
end:
  over: {when: n == 0, result: win}
"""


def _rules(tmp_path: Path) -> rulegame.Game:
    file = tmp_path / "rules.yaml"
    file.write_text(RULES, encoding="utf-8")
    return rulegame.load(file)


def test_parts_of_many_kinds(tmp_path: Path) -> None:
    game = _rules(tmp_path)
    checks = {
        c.rule: c for c in rulegame.explain_move(game.start(), game.move("go", i=4, k=1)).checks
    }
    assert checks["guarded"].holds is False
    assert checks["guarded"].values == {
        "i": 4,
        "row": [1, 2, 3],
        "size(row)": 3,
        "i in 1..size(row)": False,
        "most": 3,
    }, "row[4] has no value, so it has none here"
    assert checks["led"].values["leader == none"] is True
    assert checks["halves"].values["half(n) + i"] == 6
    assert checks["free"].values == {"cards": [], "size(cards)": 0}
    assert checks["after_it"].values["after.leader"] == "Ann"


def test_division_by_zero_is_a_check(tmp_path: Path) -> None:
    game = _rules(tmp_path)
    explanation = rulegame.explain_move(game.start(), game.move("go", i=1, k=0))
    checks = {check.rule: check for check in explanation.checks}
    assert checks["division_by_zero"].holds is False
    assert checks["after_it"].holds is None
    assert explanation.reason is not None and explanation.reason.rule == "division_by_zero"


def test_nothing_to_check_where_nobody_moves() -> None:
    dice = bundled_game("dice_duel")
    explanation = rulegame.explain_move(dice.start(), dice.parse_move("add"))
    assert explanation.checks == () and not explanation.valid


def test_the_position_in_the_words_of_people(tmp_path: Path) -> None:
    game = _rules(tmp_path)
    after = game.start().play(game.move("go", i=1, k=1))
    assert position(after) == {"n": 4, "leader": "Ann", "row": [1, 2, 3], "cards": []}
    board = bundled_game("tic_tac_toe")
    assert position(_at(board, "place 1 2"))["board"][0] == [None, "Player 1", None]


def test_reasons_are_equal_whatever_state_they_are_about() -> None:
    game = bundled_game("zero_sum_duel")
    move = game.parse_move("subtract 9")
    assert game.start().why_not(move) == _at(game, "subtract 1").why_not(move)


@pytest.mark.parametrize(
    "rule",
    [
        "any(n > d for d in -1..0)",
        "n > -1",
        "n > - ( 1 )",
        "n > (2 - 3) * 1",
        "n > max(-2, 0 - 1)",
        "n > (-1 if true else 0)",
        "n in [-1, 4] or 1 == 2",
        "n > -1 or not true",
    ],
)
def test_what_is_always_the_same_is_left_out(rule: str, tmp_path: Path) -> None:
    file = tmp_path / "rules.yaml"
    text = RULES[: RULES.index("validity:")] + f"validity:\n  v: {rule}\n"
    file.write_text(text + RULES[RULES.index("end:") :], encoding="utf-8")
    game = rulegame.load(file)
    *_, check = rulegame.explain_move(game.start(), game.move("go", i=1, k=1)).checks
    assert check.rule == "v"
    assert [part for part in check.values if not re.search(r"\bn\b", part)] == []


def test_what_the_author_says_of_definitions_and_choices() -> None:
    text = """\
rulegame: 1
title: Game
define:
  free(k): {value: "heaps[k] > 0", about: Whether a heap can be used}
state:
  heaps: {start: [3, 0]}
operations:
  take:
    choose:
      heap: {from: 1..2, about: The heap to take from}
    effects: {"heaps[heap]": "heaps[heap] - 1"}
validity:
  usable: free(heap) and heap < 3
end:
  over: {when: "heaps[1] == 0", result: win}
"""
    game = rulegame.loads(text)
    heap, usable = rulegame.explain_move(game.start(), game.parse_move("take 2")).checks
    assert (heap.about, heap.meanings) == ("The heap to take from", {})
    assert (usable.about, usable.meanings) == ("", {"free(heap)": "Whether a heap can be used"})
    assert usable.values["free(heap)"] is False


LEAKS = """
rulegame: 1
title: Marks
state:
  board: {type: grid of free | white, rows: 2, columns: 2, start: free}
  owner: {type: optional player}
  spot: {type: optional cell of board}
  flag: {type: bool}
  seen: {type: set of 1..5, start: 1..2}
operations:
  take:
    choose: {c: cells(board), p: players}
    effects: {"board[c]": white, owner: p, spot: c, flag: true}
validity:
  fresh:
    require: not (owner == p and spot == c and flag and board[c] == white and 2 in seen)
end: {never: {when: "all(x == white for x in board)", result: win}}
"""


def test_reasons_tell_values_as_people_write_them() -> None:
    state = rulegame.loads(LEAKS).start().play("take 1 2 2")
    assert str(state.why_not("take 1 2 2")) == (
        "fresh: fresh (owner = Player 2, p = Player 2, spot = 1 2, c = 1 2, flag = true, "
        "board[c] = white, seen = [1, 2])"
    )


def test_names_of_a_let_have_no_line_of_their_own() -> None:
    text = """
rulegame: 1
title: Let
state: {left: 5}
operations: {take: {choose: {n: 1..3}, effects: {left: left - n}}}
validity: {odd: "let(twice = 2 * n, twice + left) < 8"}
end: {over: {when: left <= 0, result: win}}
"""
    game = rulegame.loads(text)
    explanation = rulegame.explain_move(game.start(), "take 3")
    (values,) = [check.values for check in explanation.checks if check.kind == "validity"]
    whole = "let(twice = 2 * n, twice + left)"
    assert values == {"n": 3, "2 * n": 6, "left": 5, whole: 11}


def test_a_choice_from_nothing_says_so() -> None:
    game = rulegame.loads(
        """
rulegame: 1
title: Heaps
state: {heaps: {type: list of int, start: "[0, 3]"}}
operations:
  take:
    choose:
      heap: 1..2
      n: 1..heaps[heap]
    effects:
      heaps[heap]: heaps[heap] - n
end: {empty: {when: sum(heaps) == 0, result: win}}
"""
    )
    start = game.start()
    assert str(start.why_not("take 1 1")) == "there is nothing to choose for n"
    assert str(start.why_not("take 2 4")) == "n must be one of 1, 2, 3"
