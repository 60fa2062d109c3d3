"""End rules look only at what a move has changed, where that is enough; what they say is what the
evaluator of single expressions says of the whole state.
"""

from __future__ import annotations

import pickle
from pathlib import Path
from random import Random
from typing import Final

import pytest

from rulegame.compiling import CHANCE, OVER
from rulegame.core import ir
from rulegame.game import Game
from support.games import load

PLACING: Final = """
rulegame: 1
title: Lines
parameters: {size: 4, line: 3}
define:
  theirs(l, p): all(c == p for c in l)
  wins(p): any(theirs(l, p) for l in lines(board, line))
  mark: cross if seat(me) == 1 else nought
state:
  board: {type: grid of optional player, rows: size, columns: size + 1}
  marks: {type: empty | cross | nought, start: empty}
  stones: {type: grid of bool, rows: size, columns: size}
  words: {type: grid of empty | cross | nought, start: empty, rows: size, columns: size}
  turns: 0
operations:
  place:
    choose:
      row: 1..size
      column: 1..size
    effects:
      EFFECTS
validity:
  free:
    require: FREE
end:
  other: {when: turns > 60, result: draw}
  line:
    when: WHEN
    result: win
  full:
    when: turns == 16
    result: draw
"""
ON_BOARD: Final = ("board[row, column] == none", "board[row, column]: me")
ON_WORDS: Final = ("words[row, column] == empty", "words[row, column]: mark")
ON_STONES: Final = ("not stones[row, column]", "stones[row, column]: true")
MOVING: Final = (
    "board[row, column] != me",
    "board[row, column]: me\n      board[mod(row, size) + 1, column]: none",
)

NARROWED: Final = (
    ("any(all(c == me for c in l) for l in lines(board, line))", ON_BOARD),
    ("any(not any(me != c for c in l) for l in lines(board, line))", ON_BOARD),
    ("any(l == [me, me, me] for l in lines(board, 3))", ON_BOARD),
    ("any(count(c == me for c in l) == 3 for l in lines(board, 3))", ON_BOARD),
    ("any(size(l) == count(c for c in l if me == c) for l in lines(board, line))", ON_BOARD),
    ("any(true for l in lines(board, 2) if l[1] == me == l[2])", ON_BOARD),
    ("any(l[1] == me and l[2] == me for l in lines(board, 2))", ON_BOARD),
    ("any(all(c == me for c in l) and seat(me) == 2 for l in lines(board, line))", ON_BOARD),
    ("wins(me)", ON_BOARD),
    ("turns > 30 or wins(me) or wins(them) and turns > 12", ON_BOARD),
    ("any(wins(p) for p in players)", ON_BOARD),
    ("any(theirs(l, p) for l in lines(board, line) for p in players)", ON_BOARD),
    ("any(l[1] != none and all(c == l[1] for c in l) for l in lines(board, line))", ON_BOARD),
    ("any(all(c == mark for c in l) for l in lines(words, line))", ON_WORDS),
    ("any(all(c for c in l) for l in lines(stones, line))", ON_STONES),
    ("wins(me)", MOVING),
    ("any(wins(p) for p in players)", MOVING),
    ("any(all(c == none for c in l) for l in lines(board, 9))", MOVING),
)
WHOLE: Final = (
    ("wins(them)", ON_BOARD),
    ("wins(me) and turns > 5", ON_BOARD),
    ("any(l[1] == me and l[2] == me for l in lines(board, line))", ON_BOARD),
    ("any(count(c == me for c in l) == 2 for l in lines(board, line))", ON_BOARD),
    ("any(count(c == me for c in l if c != none) == 3 for l in lines(board, 4))", ON_BOARD),
    ("any(all(c != them for c in l) for l in lines(board, line))", ON_BOARD),
    ("any(all(c == me for c in l if c != none) for l in lines(board, line))", ON_BOARD),
    ("any(all(c for c in l) and seat(me) == 2 for l in lines(stones, line))", ON_STONES),
    ("any(all(c == me for c in l) and turns > 3 for l in lines(board, line))", ON_BOARD),
    ("any(12 / (count(c == me for c in l) - 3) == 0 for l in lines(board, line))", ON_BOARD),
    ("wins(me)", ("board[row, column] != me", "board[row, column]: them")),
    ("wins(me)", ("true", "board[row, column]: them if turns > 3 else me")),
    ("any(not all(c == me for c in l) for l in lines(board, line))", ON_BOARD),
)


def game_of(folder: Path, when: str, how: tuple[str, str]) -> Game:
    text = PLACING.replace("WHEN", when).replace("FREE", how[0])
    text = text.replace("EFFECTS", how[1] + "\n      turns: turns + 1")
    return load(text)


def is_narrowed(game: Game) -> bool:
    nodes = ir.walk(*game.kernel.program.functions.values())
    calls = {node.function for node in nodes if isinstance(node, ir.Call)}
    return "line_places_through" in calls


def check_games(game: Game, games: int) -> None:
    """Plays at random; each end is as the end rules say, one by one."""
    kernel, chance = game.kernel, Random(7)
    asked = [game.evaluator(rule.when, ()) for rule in game.ruleset.end]
    for _ in range(games):
        cells, options, player = kernel.settle(kernel.start(chance.randrange(2)))
        while options:
            seat = kernel.seat(cells)
            cells = kernel.step(cells, kernel.any_of(cells, options, player, chance.randrange))
            held = [k for k, holds in enumerate(asked) if holds(cells, (), seat, ())]
            over = kernel.player(cells) == OVER
            if kernel.player(cells) != CHANCE:
                assert over == bool(held)
            if over:
                assert kernel.outcome(cells).rule == game.ruleset.end[held[0]].name
            cells, options, player = kernel.settle(cells)


@pytest.mark.parametrize(("when", "how"), NARROWED)
def test_only_what_has_changed_is_looked_at(
    tmp_path: Path, when: str, how: tuple[str, str]
) -> None:
    game = game_of(tmp_path, when, how)
    assert is_narrowed(game)
    check_games(game, 60)


@pytest.mark.parametrize(("when", "how"), WHOLE)
def test_everything_is_looked_at_where_it_matters(
    tmp_path: Path, when: str, how: tuple[str, str]
) -> None:
    game = game_of(tmp_path, when, how)
    assert not is_narrowed(game)
    if "12 /" not in when:
        check_games(game, 60)


STRIP: Final = """
rulegame: 1
title: Strip
state:
  board: {type: grid of optional player, rows: 1, columns: 5BOARD}
  turns: 0
MORE
operations:
  place:
    choose:
      column: 1..5
    EFFECTS
end:
  line:
    when: any(all(c == me for c in l) for l in lines(board, 2))
    result: win
  long: {when: turns == 12, result: draw}
"""
PLAINLY: Final = "effects: {'board[1, column]': me, turns: turns + 1}"
PUT: Final = "put: {effects: {'board[1, column]': me}}"
COUNT: Final = "count: {effects: {turns: turns + 1}}"
OTHER_WAYS: Final = (
    (True, "", "", PLAINLY),
    (True, "", "", f"steps: {{toss: {{roll: {{die: 1..2}}}}, {PUT}, {COUNT}}}"),
    (False, "", "", f"steps: {{{PUT}, toss: {{roll: {{die: 1..2}}}}, {COUNT}}}"),
    (False, "", "", f"steps: {{{PUT.replace('{effects', '{repeat: 1, effects')}, {COUNT}}}"),
    (False, "", "", f"steps: {{{PUT.replace('{effects', '{when: turns >= 0, effects')}, {COUNT}}}"),
    (False, ", start: [[players[1], players[1], none, none, none]]", "", PLAINLY),
    (True, ", start: [[players[1], none, players[1], none, none]]", "", PLAINLY),
    (False, ", seen by: nobody", "", PLAINLY),
    (False, "", "setup: {pick: {choose: {n: 1..5}, effects: {'board[1, n]': me}}}", PLAINLY),
    (False, "", "stuck: {result: pass, effects: {'board[1, 1]': them}}", PLAINLY),
    (True, "", "stuck: {result: pass, effects: {'board[1, 1]': me}}", PLAINLY),
    (False, "", "", "effects: {'board[1, c] for c in column..column': me, turns: turns + 1}"),
)


@pytest.mark.parametrize(("narrowed", "board", "more", "effects"), OTHER_WAYS)
def test_who_else_writes_to_the_board(
    tmp_path: Path, narrowed: bool, board: str, more: str, effects: str
) -> None:
    board = f'{board.split(": ")[0]}: "{board.split(": ")[1]}"' if "start" in board else board
    text = STRIP.replace("BOARD", board).replace("MORE", more).replace("EFFECTS", effects)
    game = load(text)
    assert is_narrowed(game) == narrowed
    check_games(game, 40)


def three_in_a_row(first: int) -> dict[str, object]:
    row = [first] * 3 + [None] * 2
    return {"board": [row, [None] * 5, [None] * 5, [None] * 5]}


@pytest.mark.parametrize("way", ["begun", "pickled", "held"])
def test_a_state_made_by_hand_need_not_be_such_as_a_game_leads_to(tmp_path: Path, way: str) -> None:
    game = game_of(tmp_path, *NARROWED[0])
    before = game.start(0)
    if way == "held":  # who has asked for the rules before
        step = game.kernel.step
        state = game.begin(three_in_a_row(0), 0)
        assert game.kernel.player(step(state.cells, state.options[-1])) == OVER
        return
    state = game.begin(three_in_a_row(0), 0)
    if way == "pickled":
        again = pickle.loads(pickle.dumps(state))
        assert again.game is not game and again == state
        state = again
    outcome = state.play("place 4 4").outcome
    assert outcome is not None and outcome.rule == "line" and outcome.winners == (0,)
    assert before.play("place 1 1").outcome is None
    assert not is_narrowed(state.game)


def test_a_state_made_by_hand_like_others_changes_nothing(tmp_path: Path) -> None:
    game = game_of(tmp_path, *NARROWED[0])
    row = [0, 0, None, 1, 1]
    state = game.begin({"board": [row, [None] * 5, [None] * 5, [None] * 5]}, 0)
    assert state.play("place 2 2").outcome is None
    assert state.play("place 1 3").outcome is not None
    assert is_narrowed(game)
