"""Cells as values: rules that ask of them what they can, held against the plainest way to work them
out, and machine code against both.
"""

from __future__ import annotations

from random import Random
from typing import Final

import pytest

import rulegame
from engine.compiling.test_plainly import check
from engine.native.test_machine_kernel import Comparison

RULESET: Final = """
rulegame: 1
title: Cells
state:
  board: {type: grid of optional player, rows: ROWS, columns: COLUMNS, tiles: TILES}
  marks: {type: grid of int, rows: 2, columns: 3}
  turns: 0
  last: {type: optional cell of board}
  kept: {type: list of cell of board, start: "[cell(board, 1, 1), cell(board, 2, 1)]"}
define:
  mine(c): board[c] == me
  far: cell(board, ROWS, COLUMNS)
  edge(c): row(c) == 1 or column(c) == COLUMNS
  theirs(ray): run(x for x in ray if board[x] == them)
  own: connected(c for c in list(c for c in cells(board) if edge(c)) if mine(c))
operations:
  place:
    choose:
      c: cells(board)
    effects:
      board[c]: me
      last: c
      kept[2]: kept[1]
      kept[1]: c
      turns: turns + 1
  turn_over:
    when: turns > 3
    choose:
      c: list(c for c in cells(board) if board[c] == them)
      d: around(c)
    effects:
      board[x] for x in theirs(ray(c, row(d) - row(c), column(d) - column(c))): me
      board[c]: me
      last: d
      turns: turns + 1
validity:
RULES
end:
  long: {when: turns > 24, result: draw}
ENDS
"""
RULES: Final = (
    "board[c] == none",
    "size(connected(x for x in [c] if board[x] != none or x == c)) < 6",
    "last == none or c != last",
    "count(mine(x) for x in neighbours(c)) <= 2",
    "sum(1 for x in around(c) if board[x] == them) != 3",
    "any(size(run(x for x in ray if board[x] == none)) > 1 for ray in rays(c)) or turns > 9",
    "all(any(board[x] != me for x in line) for line in lines(c, 3))",
    "size(ray(c, turns - 3, 1)) < 2 or row(c) > 1",
    "size(lines(c, mod(turns, 4))) != 5",
    "c in kept or size(connected(x for x in kept if board[x] == none)) != 2",
    "row(c) + column(c) != turns",
    "cell(board, mod(turns, ROWS) + 1, column(c)) != c",
    "board[cell(board, row(c), 1)] != them or c == far",
    "row(run(x for x in rays(c)[turns - 3] if board[x] == none)[1]) != 2 or turns < 3",
    "size(run(i for i in 1..turns if board[far] == none)) < 9",
    "list(x for x in cells(board) if x == c) == [c]",
    "size(run(board[x] for x in cells(board) if board[x] != me)) > 1",
    "size(neighbours(board, row(c), column(c) + 1)) > 1 or turns > 5",
)
ENDS: Final = (
    "any(row(c) == ROWS for c in own)",
    "size(own) > 4",
    "any(all(board[x] == me for x in line) for line in lines(far, 2))",
    "any(all(x == me for x in line) for line in lines(board, 3))",
    "last != none and size(connected(c for c in [last] if mine(c))) == 4",
    "last != none and any(size(run(c for c in ray if mine(c))) > 2 for ray in rays(last))",
    "count(mine(x) for x in around(far)) > 2",
    "max(size(ray) for ray in rays(kept[1])) < 2",
    "any(c == last for c in own) and far in own",
)
SHAPES: Final = ((3, 4), (4, 3), (5, 5), (2, 6), (9, 9), (1, 5))


def written(chance: Random) -> str:
    rules = [f"  v{k}: {{require: '{r}'}}" for k, r in enumerate(chance.sample(RULES, 3))]
    ends = chance.sample(ENDS, chance.randint(1, 3))
    last = [f"  e{k}: {{when: '{end}', result: win}}" for k, end in enumerate(ends)]
    rows, columns = chance.choice(SHAPES)
    text = RULESET.replace("RULES", "\n".join(rules)).replace("ENDS", "\n".join(last))
    if rows == 1:
        text = text.replace("cell(board, 2, 1)", "cell(board, 1, 2)")
    text = text.replace("TILES", chance.choice(["squares", "hexagons"]))
    return text.replace("ROWS", str(rows)).replace("COLUMNS", str(columns))


@pytest.mark.quick(4)
@pytest.mark.parametrize("seed", range(24))
def test_rules_about_cells(seed: int) -> None:
    chance = Random(seed)
    game = rulegame.loads(written(chance))
    for _ in range(3):
        check(game.kernel, chance, 14)
    compared = Comparison(game.kernel)
    for k in range(8):
        compared.play(k % 2, chance, 40)
    assert compared.given_up == 0


def test_every_rule_is_tried() -> None:
    texts = "".join(written(Random(seed)) for seed in range(24))
    shapes = {"ROWS": "", "COLUMNS": ""}
    for rule in (*RULES, *ENDS):
        part = rule
        for name in shapes:
            part = part.partition(name)[0]
        assert part in texts, rule


@pytest.mark.parametrize("name", ["hex", "othello"])
@pytest.mark.parametrize("size", [4, 5, 9])
def test_machine_code_of_well_known_games(name: str, size: int) -> None:
    compared, chance = Comparison(rulegame.load(name, {"size": size}).kernel), Random(name)
    for k in range(4):
        compared.play(k % 2, chance, 120)
    assert compared.given_up == 0
