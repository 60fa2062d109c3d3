"""Compiled functions leave out what need not be worked out, and nothing else: moves and ends are
those of `plain_rules`, and what fails there fails here.
"""

from __future__ import annotations

import ast
from random import Random
from typing import Final

import pytest

import rulegame
from engine.compiling.plain_rules import ended, moves
from rulegame.compiling import CHANCE, OVER, Fault, Kernel
from rulegame.core.backends.python import python_function
from rulegame.game import Game
from support.games import load

RULESET: Final = """
rulegame: 1
title: Plainly
define:
  total(p): sum(pits of p)
  heavy(p): total(p) > 9 and any(cell == p for cell in board)
  on(r, c): r in 1..4 and c in 1..4
  free(r, c): on(r, c) and board[r, c] == none
  open_around(r, c): count(free(r + i, c + j) for i in -1..1 for j in -1..1)
  low(p): min(x for x in pits of p)
state:
  board: {type: grid of optional player, rows: 4, columns: 4}
  turns: 0
  last: {type: optional int}
  each player:
    pits: {type: list of int, start: "[3, 2, 1, 0, 2, 4]"}
    hand: {type: set of 1..6, start: "[1, 3, 5]"}
operations:
  place:
    choose:
      row: 1..4
      column: 1..4
    effects:
      board[row, column]: me
      my.pits[1]: total(me) - total(them) + open_around(row, column)
      their.pits[2]: open_around(row, column) if total(me) > 3 else total(me)
      turns: turns + 1
  go:
    when: turns > 0
    choose:
      a: 1..6
      b: 1..6
      c: [3, 1, 2, 1]
    effects:
      my.pits[a]: my.pits[b] - c
      turns: turns + 1
      last: b
validity:
RULES
end:
  first: {when: turns > 20, result: draw}
ENDS
"""
PLACING: Final = (
    "board[row, column] == none",
    "open_around(row, column) >= 3",
    "count(x for x in board if x == me) < 5",
    "size(list(x for x in board if x != none)) <= 9",
    "not any(p > 90 for p in my.pits) or row == 1",
    "inside(board, row + 1, column) and board[row + 1, column] != them",
    "1 <= row - 1 and row + 2 <= 5 and rows(board)[row + 1][column] == none",
    "low(me) < 3 or heavy(them)",
    "sum(1 for x in neighbours(board, row, column) if x == them) == 0",
    "board[row + 1, column] != me",
    "12 / (column - turns) > -20",
    "0 < turns < 12 / (turns - 1) + low(me) or turns == 0",
    "row in turns..12 / (turns - 4) + low(me) or turns < 4",
    "size(list(x for x in rows(board)[row + 1 - turns] if x == none)) > 0 or turns > 3",
)
GOING: Final = (
    "abs(a - b) <= 1",
    "a == b + 1",
    "b == a or turns > 4",
    "b - a == 2 and my.pits[b] > 0",
    "a in my.hand",
    "my.pits[a] > 0",
    "total(me) > total(them)",
    "my.pits[a] >= c",
    "my.pits[b + 1] > 0",
    "max(x for x in 1..6 if x == a) == 3 or count(x == a for x in my.pits) > 1",
    "b in a..a + 2",
    "sum(x * x for x in 1..6 if x == mod(turns, 6) + 1) > 3",
    "all(x != last for x in 1..6 if x == b)",
)
ENDS: Final = (
    "any(heavy(p) for p in players)",
    "count(x == me for x in board) == 4 and total(me) > 2",
    "total(me) > 25 or total(them) > 25",
    "any(all(x == me for x in l) for l in lines(board, 3))",
    "count(l == [me, me] for l in lines(board, 2)) > 2",
    "size(list(x for x in 1..4 for y in 1..4 if board[x, y] == me)) >= 6",
    "any(x == me for x in rows(board)[mod(turns, 4) + 1]) and heavy(me) and low(me) < 0",
    "any(me in columns(board)[x] for x in 1..4 if x == turns - 6)",
    "size(my.hand) < 3",
    "my.pits[turns / 2] == 1",
)


def written(chance: Random) -> str:
    rules = [*chance.sample(PLACING, chance.randint(1, 3)), *chance.sample(GOING, 2)]
    chance.shuffle(rules)
    keys = ["must" if chance.random() < 0.3 else "require" for _ in rules]
    written = enumerate(zip(keys, rules, strict=True))
    validity = [f"  v{k}:\n    {key}: {rule}" for k, (key, rule) in written]
    ends = enumerate(chance.sample(ENDS, chance.randint(1, 3)))
    last = [f"  e{k}:\n    when: {end}\n    result: win" for k, end in ends]
    return RULESET.replace("RULES", "\n".join(validity)).replace("ENDS", "\n".join(last))


def check(kernel: Kernel, chance: Random, steps: int) -> int:
    """Plays at random; whether it went wrong."""
    cells = kernel.start(chance.randrange(kernel.seats))
    for _ in range(steps):
        expected, failure = None, None
        try:
            expected = moves(kernel, cells)
        except Fault as fault:
            failure = fault.code
        if failure is not None:
            with pytest.raises(Fault) as caught:
                kernel.options(cells)
            assert caught.value.code == failure
            return 1
        codes = kernel.options(cells)
        actions = [kernel.actions[code] for code in codes]
        assert {(a.name, *a.words[1:]) for a in actions} == expected
        if not codes:
            return 0
        seat, before = kernel.seat(cells), cells
        try:
            cells = kernel.step(cells, chance.choice(codes))
        except Fault:
            return 1
        held = ended(kernel, cells, seat)
        assert kernel.player(cells) in ((OVER,) if held else (CHANCE, *range(kernel.seats))), before
        if held:
            assert kernel.outcome(cells).rule == held
            return 0
    return 0


@pytest.mark.full
def test_rulesets_of_many_rules() -> None:
    chance = Random(5)
    failed = 0
    for _ in range(40):
        kernel = load(written(chance)).kernel
        failed += sum(check(kernel, chance, 12) for _ in range(4))
    assert 10 < failed < 150


@pytest.mark.parametrize(
    ("name", "settings", "steps"),
    [
        ("breakthrough", {"rows": 5, "columns": 4}, 30),
        ("english_draughts", {"size": 6}, 30),
        ("nine_mens_morris", {"men": 3}, 20),
        ("gomoku", {"size": 6, "line": 4}, 30),
        ("hex", {"size": 4}, 16),
        ("othello", {"size": 4}, 12),
    ],
)
def test_well_known_games(name: str, settings: dict[str, int], steps: int) -> None:
    kernel = rulegame.load(name, settings).kernel
    for seed in range(3):
        assert not check(kernel, Random(seed), steps)


def functions(game: Game) -> str:
    made = map(python_function, game.kernel.program.functions.values())
    return "\n".join(ast.unparse(ast.fix_missing_locations(one)) for one in made)


def test_what_need_not_be_worked_out_is_left_out() -> None:
    rules = "\n".join(
        f"  v{k}:\n    require: {rule}" for k, rule in enumerate((PLACING[7], GOING[0], PLACING[5]))
    )
    ends = f"  e:\n    when: {ENDS[5]}\n    result: win"
    text = functions(load(RULESET.replace("RULES", rules).replace("ENDS", ends)))
    assert "is_kept1" in text  # a rule that depends on no choice
    assert "range(max(1, " in text  # a choice that another one leaves little of
    assert ">= 6:\n" in text  # counting that ends with the sixth
    assert "index(v_row" not in text  # what `inside` has made sure of
