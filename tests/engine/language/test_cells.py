"""Cells of boards: what they are called, boards that are drawn, how values are shown, and names
that older rulesets have.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import rulegame
from rulegame.authoring.files import OpenFiles
from rulegame.authoring.renaming import rename
from rulegame.authoring.study import study
from rulegame.comparing import compare
from rulegame.edits import apply_edits
from rulegame.language.cells import cell_text, cells_around, cells_beside, lines, ray, read_cell
from rulegame.language.types import Cell, Grid, Naming
from rulegame.loading import load_ruleset
from rulegame.model import Display

CALLED: list[tuple[Naming, str, list[str]]] = [
    ("numbers", "3 2", ["3 2", "3,2", "3 , 2", "3   2"]),
    ("letters", "b3", ["b3", "B3", "b 3"]),
    ("letters upward", "b1", ["b1", "B1"]),
    ("row letters", "c2", ["c2", "C2"]),
]


@pytest.mark.parametrize(("naming", "text", "typed"), CALLED)
def test_names_of_cells(naming: Naming, text: str, typed: list[str]) -> None:
    of = Cell("board", 3, 4, naming=naming)
    assert cell_text(of, 9) == text
    assert [read_cell(of, one) for one in typed] == [9] * len(typed)
    assert [read_cell(of, cell_text(of, k)) for k in range(12)] == list(range(12))


@pytest.mark.parametrize("text", ["", "3", "4 1", "1 5", "0 1", "-1 2", "1 2 3", "b3", "¹ 2"])
def test_what_is_no_cell(text: str) -> None:
    assert read_cell(Cell("board", 3, 4), text) is None


@pytest.mark.parametrize("text", ["", "b", "3", "b4", "e1", "3b", "bb1", "b0", "é1", "b1x"])
def test_what_is_no_cell_with_letters(text: str) -> None:
    assert read_cell(Cell("board", 3, 4, naming="letters"), text) is None


def test_neighbours_know_one_another() -> None:
    for hexagons in (False, True):
        for table in (cells_beside(4, 5, hexagons), cells_around(4, 5, hexagons)):
            assert all(cell in table[other] for cell, near in enumerate(table) for other in near)
            assert all(list(near) == sorted(near) for near in table)  # machine code relies on it
    assert max(map(len, cells_beside(4, 5, True))) == 6
    assert len(lines(3, 3, True, 3)) == 7  # rows, columns, and the one long diagonal
    assert ray(2, 9, 0, 0, 1) == tuple(range(1, 9))


PLACING = """\
rulegame: 1
title: Placing
state:
  board:
    type: grid of optional player
    start: |
      . X .
      O..
    show:
      symbols: {none: ".", "players[1]": X, "players[2]": O}
      columns: letters
  last: {type: optional cell of board}
  each player:
    home:
      type: cell of board
      start: cell(board, seat(me), 1)
      show: {symbols: {"cell(board, 1, 1)": A}}
    score: {start: 0, show: {as: bar, to: 9}}
    life: {start: 20, show: bar}
  die: {start: 1, show: pips}
operations:
  place:
    choose:
      cell: cells(board)
      other: neighbours(cell)
    effects:
      board[cell]: me
      last: other
validity:
  empty:
    require: board[cell] == none
    because: "there is a stone at {cell}, {row(cell)}-{column(cell)}"
end:
  full: {when: all(c != none for c in board), result: draw}
"""


def test_a_drawn_board_and_its_cells() -> None:
    game = rulegame.loads(PLACING)
    state = game.start()
    assert state["board"] == [[None, 0, None], [1, None, None]]
    assert (state["last"], state["home"]) == (None, [(1, 1), (2, 1)])
    assert "place a1 b1" in map(str, state.moves)
    after = state.play("place C2 b2")
    assert after["last"] == (2, 2)
    assert after["board"][1][2] == 0
    refused = after.why_not("place c2 c1")
    assert refused is not None
    assert refused.message == "there is a stone at c2, 2-3"
    assert refused.values["cell"] == "c2"


def test_every_choice_of_a_cell_has_a_number() -> None:
    game = rulegame.loads(PLACING)
    assert len(game.actions) == 6 * 6
    assert str(game.actions[7]) == "place b1 b1"


def test_how_values_are_shown() -> None:
    ruleset = rulegame.loads(PLACING).ruleset
    board = ruleset.state["board"]
    symbols = {-(2**63): ".", 0: "X", 1: "O"}
    assert board.show == Display("", None, symbols, declared=True)
    assert isinstance(board.variable.type, Grid)
    assert board.variable.type.naming == "letters"
    assert ruleset.state["score"].show == Display("bar", 9, {}, declared=True)
    assert ruleset.state["life"].show == Display("bar", 20, {}, declared=True)
    assert ruleset.state["die"].show == Display("pips", None, {}, declared=True)
    assert ruleset.state["last"].show == Display()


def test_other_names_of_cells_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text(PLACING, "utf-8")
    (tmp_path / "b.yaml").write_text(PLACING.replace("      columns: letters\n", ""), "utf-8")
    models = [load_ruleset(tmp_path / name)[0] for name in ("a.yaml", "b.yaml")]
    assert models[0] is not None
    assert models[1] is not None
    assert "names of cells" in str(compare(models[0], models[1]))


def test_a_board_is_renamed_in_types_too(tmp_path: Path) -> None:
    path = tmp_path / "placing.yaml"
    path.write_text(PLACING, "utf-8")
    edits = rename(study(path), 4, 3, "field", OpenFiles())
    text = apply_edits(PLACING, edits)
    assert "board" not in text
    assert rulegame.loads(text).start()["field"][0][1] == 0


OLDER = """\
rulegame: 1
title: Older
parameters: {row: 2, ray: 3}
define:
  cells(n): n + 1
  run: ray * 2
  cell(a, b): a * 10 + b
  connected(x): x > row
state:
  column: 3
  rays: {type: list of int, start: "[1, 2, 3]"}
  show: 0
  tiles: {type: chip | slot, start: chip}
operations:
  take:
    choose: {lines: 1..3, around: 1..cells(row)}
    effects:
      column: column - lines
      rays[lines]: cell(lines, around) + run
      show: show + around
      tiles: slot if connected(around) else chip
end:
  done: {when: column < 0, result: win}
"""


def test_names_of_older_rulesets_mean_what_they_meant() -> None:
    state = rulegame.loads(OLDER).start().play("take 2 3")
    found: dict[str, Any] = {name: state[name] for name in ("column", "rays", "show", "tiles")}
    assert found == {"column": 1, "rays": [1, 29, 3], "show": 3, "tiles": "slot"}
