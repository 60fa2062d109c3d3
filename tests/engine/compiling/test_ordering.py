"""Validity rules that need only the first choices are asked before the others are gone through,
unless something would have gone wrong meanwhile.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from rulegame.core import ir
from rulegame.game import Game, GameError
from rulegame.loading import load_ruleset, make_game

GAME: Final = """
rulegame: 1
title: Order
state:
  board: {type: list of int, start: "[0, 1, 2, 0, 1, 2]"}
  left: {start: 9}
operations:
  go:
    choose:
      a: 1..6
      b: {from: "FROM", within: 0..9}
    effects: {left: left - 1}
validity:
RULES
end:
  done: {when: left == 0, result: win}
"""


def game_of(folder: Path, collection: str, *rules: str) -> Game:
    written = "\n".join(f"  r{k}:\n    require: {rule}" for k, rule in enumerate(rules))
    path = folder / "order.yaml"
    path.write_text(GAME.replace("FROM", collection).replace("RULES", written), "utf-8")
    model, found = load_ruleset(path)
    assert model is not None, found
    return make_game(model)


def is_early(game: Game) -> bool:
    """Whether something is asked between the loops."""
    [outer] = [n for n in game.kernel.program.functions["moves_0"].body if isinstance(n, ir.For)]
    return any(isinstance(statement, ir.If) for statement in outer.body)


@pytest.mark.parametrize(
    ("early", "collection", "rules"),
    [
        (True, "1..3", ["board[a] == 1"]),
        (True, "1..a", ["board[a] != 1"]),
        (True, "1..3", ["b < 3", "board[a] == 1 or a == left"]),
        (True, "list(x for x in [a - 1, a + 1] if x in 1..6)", ["board[a] == 1"]),
        (False, "1..3", ["12 / (board[a] + b) > 4", "a > 3"]),
        (False, "1..3", ["any(x == a for x in 1..9 if board[mod(x, 6) + 1] > 0 for y in 1..9)"]),
    ],
)
def test_the_moves_are_the_same(
    tmp_path: Path, early: bool, collection: str, rules: list[str]
) -> None:
    game = game_of(tmp_path, collection, *rules)
    assert is_early(game) == early
    state = game.start()
    texts = {f"go {a} {b}" for a in range(1, 7) for b in range(10)}
    assert {str(move) for move in state.moves} == {t for t in texts if not state.why_not(t)}


@pytest.mark.parametrize(
    ("code", "collection", "rules"),
    [
        ("E503", "1..3", ["12 / (a - b) > 0 or a < 2", "a > 3"]),  # a rule before it divides
        ("E503", "1..12 / (a - 1)", ["a > 3"]),  # what is chosen from is none
        ("E502", "1..board[a + 1]", ["a < 3"]),
        ("E510", "1..a + 6", ["a < 3"]),  # what is chosen is out of bounds
        ("E506", "1..left * 20000", ["a < 3"]),
        ("E502", "1..3", ["board[a + b] > 0", "a < 3"]),
        ("E502", "1..3", ["board[a + 1] == 1", "a < 3"]),
    ],
)
def test_what_goes_wrong_goes_wrong_all_the_same(
    tmp_path: Path, code: str, collection: str, rules: list[str]
) -> None:
    game = game_of(tmp_path, collection, *rules)
    with pytest.raises(GameError) as caught:
        game.start()
    assert caught.value.diagnostic.code == code


def test_many_rules_do_not_stand_inside_one_another(tmp_path: Path) -> None:
    rules = [f"board[a] != {k + 3}" for k in range(60)] + [f"b != {k + 30}" for k in range(60)]
    assert len(game_of(tmp_path, "1..3", *rules).start().moves) == 18
