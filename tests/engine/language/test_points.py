"""Boards of named points: neighbours, lines, rays and connected points."""

from __future__ import annotations

import pickle
from random import Random

import pytest

import rulegame
from engine.compiling.test_plainly import check
from fuzz import running_check
from rulegame.drawing.pictures import Graph
from rulegame.drawing.position import draw
from support.games import load, play

NET = """\
rulegame: 1
title: Net
types:
  spot:
    points: {a: [1, 1], b: [2, 1], c: [3, 1], d: [1, 2], e: [2, 2], f: [3, 2], g: [2, 3]}
    lines:
      - [a, b, c]
      - [d, e, f]
      - [b, e, g]
      - [a, d]
      - [c, f]
state:
  board: {type: list of optional player, indexed by: spot}
  beside: 0
  groups: 0
  turns: 0
  last: {type: optional spot}
operations:
  place:
    choose: {p: spot}
    effects:
      board[p]: me
      last: p
      turns: turns + 1
      beside: size(neighbours(p)) * 100 + size(lines(p, 3)) * 10 + size(rays(p))
  walk:
    choose:
      s: list(p for p in spot if board[p] == me)
      t: neighbours(s)
    effects:
      board[s]: none
      board[t]: me
      turns: turns + 1
      groups: >-
        10 * size(connected(q for q in [s] if board[q] == me))
        + count(q for q in around(t) if board[q] == none)
      last: t
validity:
  empty: board[p] == none
  free: board[t] == none
  reach: any(size(run(x for x in r if board[x] == none)) > 0 for r in rays(s))
end:
  line:
    when: any(all(x == me for x in row) for row in lines(board, 3))
    result: win
  long: {when: turns > 12, result: draw}
"""


def test_what_lies_beside_and_in_line_with_points() -> None:
    expected = {"a": 212, "b": 323, "c": 212, "d": 212, "e": 424, "f": 212, "g": 111}
    game = load(NET)
    for point, beside in expected.items():
        assert play(game, f"place {point}")[0]["beside"] == beside


def test_points_are_connected_along_lines() -> None:
    state, _ = play(load(NET), "place a", "place g", "place d", "place c", "walk d e")
    assert state["groups"] == 20 + 2  # a and d; beside e lie b and f, but not d or g
    assert state["last"] == "e"
    state = load(NET).begin({"board": [0, None, 0, 0, 1, 0, None]})
    assert [m.text for m in state.moves if m.operation == "walk"] == ["walk a b", "walk c b"]


def test_a_line_of_points_wins() -> None:
    state, _ = play(load(NET), "place b", "place a", "place e", "place c", "place g")
    assert state.outcome is not None and state.outcome.rule == "line"


@pytest.mark.parametrize("seed", range(2))
def test_every_way_of_running_the_rules_agrees(seed: int) -> None:
    running_check.check(NET.encode(), Random(seed))


@pytest.mark.parametrize("seed", range(4))
def test_the_plainest_reading_of_the_rules_agrees(seed: int) -> None:
    assert not check(load(NET).kernel, Random(seed), 30)


def test_a_game_survives_pickling() -> None:
    game = pickle.loads(pickle.dumps(load(NET)))
    assert play(game, "place e")[0]["beside"] == 424


def test_the_board_is_drawn_with_its_lines() -> None:
    state, past = play(load(NET), "place b")
    [board] = [s for s in draw(state, past, ()).shapes if isinstance(s, Graph)]
    assert board.names == tuple("abcdefg")
    assert board.points[:4] == ((0, 0), (1, 0), (2, 0), (0, 1))
    assert (1, 4) in board.lines and (0, 2) not in board.lines
    assert board.pieces[1].seat == 0


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("- [a, d]", "- [a, z]", "E302 unknown point 'z'"),
        ("g: [2, 3]", "g: [3, 2]", "E455 two points lie at the same place"),
        ("g: [2, 3]", "g: [2]", "E204"),
        ("lines(p, 3)", "lines(p, turns)", "E303"),
        ("    points:", "    values: [x, y]\n    points:", "E201"),
        ("neighbours(p)", "row(p)", "E303"),
        ("[s] if board[q]", "[turns] if board[q]", "E303"),
    ],
)
def test_mistakes(old: str, new: str, expected: str) -> None:
    assert old in NET
    found = [f"{d.code} {d.message}" for d in rulegame.validate_text(NET.replace(old, new))]
    assert any(one.startswith(expected) for one in found), found
