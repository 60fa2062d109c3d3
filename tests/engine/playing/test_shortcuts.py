"""Moves as people write them, and what is no shortcut."""

from __future__ import annotations

import pytest

import rulegame
from rulegame.game import CHANCE, State
from rulegame.playing.questions import OPERATION, Question, offered_moves
from rulegame.playing.session import Step
from rulegame.playing.telling import label_text, told_texts
from support.games import bundled_game, play

PROMOTING = """
rulegame: 1
title: Promoting
state:
  board:
    {type: grid of optional player, rows: 6, columns: 6, show: {columns: letters, rows: upward}}
operations:
  move:
    choose: {here: cells(board), there: cells(board), rank: knight | queen}
    effects:
      board[here]: none
      board[there]: me
  drop:
    choose: {cell: cells(board)}
    effects:
      board[cell]: me
validity:
  free: {require: "board[cell] == none", for: [drop], because: "{cell} is taken"}
end:
  full: {when: all(x != none for x in board), result: draw}
"""
NET = """
rulegame: 1
title: Net
state:
  net: {type: list of optional player, size: 3, show: {names: [a1, b1, c1]}}
operations:
  put: {choose: {p: 1..3}, effects: {"net[p]": me}}
  swap: {choose: {p: 1..3, q: 1..3}, effects: {"net[p]": "net[q]", "net[q]": "net[p]"}}
end:
  full: {when: "all(x != none for x in net)", result: draw}
"""


def question(state: State, about: str = OPERATION, drawn: bool = False) -> Question:
    assert state.player is not None and state.player != CHANCE
    moves = offered_moves(state, state.player)
    names = state.game.players
    return Question(state.game, state, about, moves, names, moves, (), drawn)


def meaning(state: State, line: str) -> str | None:
    move = question(state).read_shortcut(line).move
    return None if move is None else move.text


HIDDEN = ["first_peg 1", "second_peg 1", "third_peg 1", "fourth_peg 1"]


@pytest.mark.parametrize(
    ("game", "moves", "line", "text"),
    [
        ("hex", [], "c5", "place 5 3"),
        ("hex", [], "3,5", "place 3 5"),
        ("hex", [], "C 5", None),
        ("hex", [], "l1", None),
        ("gomoku", [], "o15", "place 15 15"),
        ("gomoku", [], "3-5", "place 3 5"),
        ("english_draughts", [], "a6b5", "move 6 1 5 2"),
        ("english_draughts", [], "a6-b5", "move 6 1 5 2"),
        ("english_draughts", [], "a6 b5", "move 6 1 5 2"),
        ("english_draughts", [], "6 1 5 2", "move 6 1 5 2"),
        ("english_draughts", [], "a6xc4", "jump 6 1 4 3"),
        ("english_draughts", [], "a6-d3", None),
        ("english_draughts", [], "9-13", "move 6 7 5 8"),
        ("english_draughts", [], "9x18", "jump 6 7 4 5"),
        ("english_draughts", [], "9-14", "move 6 7 5 6"),
        ("english_draughts", [], "9-33", None),
        ("breakthrough", [], "c2-b3", "move 2 3 2"),
        ("breakthrough", [], "c2 b", "move 2 3 2"),
        ("breakthrough", [], "c2 b4", None),
        ("breakthrough", ["move 2 3 2"], "h7g6", "move 7 8 7"),
        ("nine_mens_morris", [], "g1", "place g1"),
        ("connect_four", [], "d", "drop 4"),
        ("connect_four", [], "h", None),
        ("mastermind", HIDDEN, "1122", "guess 1 1 2 2"),
        ("mastermind", HIDDEN, "1,1,2,2", "guess 1 1 2 2"),
        ("mastermind", HIDDEN, "112", None),
        ("mastermind", HIDDEN, "1172", None),
        ("tic_tac_toe", [], "23", None),
        ("tic_tac_toe", [], "b3", "place 3 2"),
        ("zero_sum_duel", [], "5", None),
        ("number_duel", ["pick 1 2 3", "pick 1 2 3"], "1", None),
    ],
)  # fmt: skip
def test_shortcuts(game: str, moves: list[str], line: str, text: str | None) -> None:
    state, _ = play(bundled_game(game), *moves)
    assert meaning(state, line) == text


@pytest.mark.parametrize(
    ("line", "text"),
    [
        ("a5 a6 queen", "move a5 a6 queen"),
        ("a5-a6 Queen", "move a5 a6 queen"),
        ("a5a6queen", None),
        ("a5", "drop a5"),
        ("a7", None),
        ("1 2", None),
    ],
)
def test_a_board_with_letters_and_several_operations(line: str, text: str | None) -> None:
    assert meaning(rulegame.loads(PROMOTING).start(), line) == text


def test_points_are_called_by_their_names_or_numbers() -> None:
    state = rulegame.loads(NET).start()
    assert meaning(state, "b1") == "put 2" and meaning(state, "3") == "put 3"
    assert meaning(state, "a1-c1") == "swap 1 3" and meaning(state, "1-3") == "swap 1 3"
    assert meaning(state, "4") is None


@pytest.mark.parametrize("line", ["♥2", "2♥", "h2", "2H", " 2h "])
def test_cards_are_called_by_suit_and_rank(line: str) -> None:
    game = bundled_game("german_whist", {"ranks": 2})
    state, _ = play(game, "card 1", "card 5", "card 4", "card 8", "card 7")
    [first] = [move for move in state.moves if move.text == "lead 1"]
    for suit_first in ("♣K", "k♣", "CK", "kc"):
        assert meaning(state, suit_first) == first.text
    assert meaning(state, line) is None  # nobody holds it


def test_a_shortcut_to_an_invalid_move_is_that_move() -> None:
    """It does not mean another one that happens to be valid."""
    state, _ = play(rulegame.loads(PROMOTING), "drop a5")
    assert meaning(state, "a5") == "drop a5"
    assert meaning(state, "a5") not in {move.text for move in state.moves}
    state, _ = play(bundled_game("english_draughts"))
    assert meaning(state, "a6xc4") not in {move.text for move in state.moves}


def test_cards_are_told_as_they_are_drawn_and_kept_as_numbers() -> None:
    game = bundled_game("german_whist", {"ranks": 2})
    state, past = play(game, "card 1", "card 5", "card 4", "card 8", "card 7")
    steps = [Step(before, move) for before, move in past]
    assert told_texts(steps, game.players)[-1] == "card ♠K"
    assert told_texts(steps, game.players)[0] == "card (secret)"
    assert [move.text for move in state.moves] == ["lead 1", "lead 5"]
    assert label_text(game, state.moves[0], game.players) == "Lead ♣K"


def test_a_cell_answers_the_question_for_its_row_and_its_column() -> None:
    state = rulegame.load("breakthrough").start()
    option = question(state, "row", drawn=True).read_shortcut("c2").option
    assert option is not None and option.answer == 2 and option.valid
    assert {move.text for move in option.moves} == {"move 2 3 2", "move 2 3 3", "move 2 3 4"}
    option = question(state, "row", drawn=True).read_shortcut("c4").option
    assert option is not None and not option.valid  # it is refused, and means no other cell
    assert question(state, "row", drawn=True).cell == "a2"
    assert (
        question(state, "row").cell == ""
        and question(state, "row").read_shortcut("c2").option is None
    )


def test_a_column_and_a_cell_are_answers_by_their_letters() -> None:
    state = rulegame.load("breakthrough").start()
    option = question(state, "column", drawn=True).read_shortcut("c").option
    assert option is not None and option.answer == 3
    [entry] = question(state, "column", drawn=True).entries(
        [one for one in question(state, "column", drawn=True).options if one.answer == 3]
    )
    assert entry == "c"


def test_the_row_and_the_column_of_a_cell_are_told_as_one_word() -> None:
    state = rulegame.load("english_draughts").start()
    [move] = [one for one in state.moves if one.text == "move 6 1 5 2"]
    assert label_text(state.game, move, state.game.players) == "Move a6 b5"
