"""What has happened, in a picture: where the game was won, what was captured, earlier values."""

from __future__ import annotations

from typing import Any

import pytest

import rulegame
from rulegame.drawing.pictures import DrawnBoard, Graph, History, Picture
from rulegame.drawing.position import draw
from support.games import bundled_game, play


def won(picture: Picture) -> list[tuple[int, int]]:
    [board] = [shape for shape in picture.shapes if isinstance(shape, DrawnBoard)]
    rows = enumerate(board.rows)
    return [(r + 1, k + 1) for r, row in rows for k, piece in enumerate(row) if piece.won]


def drawn(name: str, settings: dict[str, Any], *moves: str, eyes: tuple[int, ...] = ()) -> Picture:
    return draw(*play(bundled_game(name, settings), *moves), eyes)


@pytest.mark.parametrize(
    ("name", "settings", "moves", "places"),
    [
        ("tic_tac_toe", {}, "1 1|2 1|1 2|2 2|1 3", [(1, 1), (1, 2), (1, 3)]),
        ("hex", {"size": 3}, "2 2|1 1|1 3|2 1|3 1", [(1, 3), (2, 2), (3, 1)]),
        ("hex", {"size": 3}, "2 2|1 1|3 3|2 1|1 3|3 2|3 1", [(1, 3), (2, 2), (3, 1)]),
    ],
)
def test_the_pieces_that_have_won_are_marked(
    name: str, settings: dict[str, Any], moves: str, places: list[tuple[int, int]]
) -> None:
    made = [f"place {cell}" for cell in moves.split("|")]
    picture = drawn(name, settings, *made)
    assert picture.result == "won" and won(picture) == places
    assert won(drawn(name, settings, *made[:-1])) == []


def test_a_draw_and_a_game_won_without_pieces_mark_nothing() -> None:
    moves = [f"drop {column}" for column in (1, 2, 3, 1, 2, 3)]
    picture = drawn("connect_four", {"rows": 2, "columns": 3, "line": 3}, *moves)
    assert picture.result == "draw" and won(picture) == []
    moves = ["place a7", "place b6", "place d7", "place d6", "place g7", "take d6"]
    picture = drawn("nine_mens_morris", {"men": 3}, *moves)
    [board] = [shape for shape in picture.shapes if isinstance(shape, Graph)]
    assert picture.result == "won" and not any(piece.won for piece in board.pieces)


def test_captured_pieces_are_counted() -> None:
    moves = ["place a7", "place b6", "place d7", "place d6", "place g7", "take b6"]
    assert drawn("nine_mens_morris", {}, *moves[:5]).captured == (0, 0)
    assert drawn("nine_mens_morris", {}, *moves).captured == (1, 0)
    moves = ["move 6 1 5 2", "move 3 4 4 3", "jump 5 2 3 4"]
    assert drawn("english_draughts", {}, *moves).captured == (1, 0)
    game = bundled_game("othello")
    state, past = play(game, *(move.text for move in game.start().moves[:1]))
    assert draw(state, past, ()).captured == (0, 0)  # discs are turned over


CODE = ["first_peg 1", "second_peg 1", "third_peg 2", "fourth_peg 3"]


def test_earlier_guesses_stay_in_view_with_their_answers() -> None:
    picture = drawn("mastermind", {}, *CODE, "guess 1 2 1 1", "guess 1 1 2 2", eyes=(0,))
    [history] = [shape for shape in picture.shapes if isinstance(shape, History)]
    rows = [
        (
            row.move,
            "".join(piece.text for piece in row.pieces),
            [(label, piece.text) for label, piece in row.results],
        )
        for row in history.rows
    ]
    assert rows == [
        (1, "1211", [("black", "1"), ("white", "2")]),
        (2, "1122", [("black", "3"), ("white", "0")]),
    ]


def test_a_hidden_code_makes_no_difference_to_the_history() -> None:
    """Of two codes with the same answers to a guess."""
    other = ["first_peg 1", "second_peg 1", "third_peg 2", "fourth_peg 4"]
    pictures = [
        drawn("mastermind", {}, *code, "guess 1 1 2 2", eyes=(0,)) for code in (CODE, other)
    ]
    assert pictures[0] == pictures[1]


SECRET = """
rulegame: 1
title: Secret
state:
  turns: 0
  each player:
    word: {start: 0, seen by: owner, show: {history: true}}
operations:
  think:
    choose: {n: 1..9}
    effects: {my.word: n, turns: turns + 1}
end: {over: {when: turns == 9, result: draw}}
"""


def test_a_history_shows_a_seat_only_what_it_saw() -> None:
    game = rulegame.loads(SECRET)
    one, two = (play(game, f"think {n}", "think 5") for n in (3, 4))
    assert draw(*one, (1,)) == draw(*two, (1,))
    assert draw(*one, (0,)) != draw(*two, (0,))


def test_chess_pieces_are_drawn_by_their_letters() -> None:
    text = """
rulegame: 1
title: Kings
state:
  board:
    type: grid of optional white | black
    start: |
      K .
      . k
    show: {as: chess, symbols: {none: ".", white: K, black: k}}
operations: {go: {effects: {"board[1, 2]": white}}}
end: {over: {when: "board[1, 2] == black", result: draw}}
"""
    picture = drawn_text(text)
    [board] = [shape for shape in picture.shapes if isinstance(shape, DrawnBoard)]
    assert [[piece.form for piece in row] for row in board.rows] == [["chess", ""], ["", "chess"]]


def drawn_text(text: str) -> Picture:
    return draw(rulegame.loads(text).start(), (), ())


def test_a_history_of_single_values_lists_the_moves() -> None:
    """As for tricks: who has played which cards, and who took them."""
    deal = ("card 1", "card 5", "card 2", "card 8", "card 7")
    game = rulegame.load("german_whist", {"ranks": 2})
    state, past = play(game, *deal, "lead 1", "follow 2", "drawn 3", "next_card 4")
    pictures = [draw(state, past, eyes) for eyes in ((0,), (1,), (0, 1))]
    for picture in pictures:
        [history] = [shape for shape in picture.shapes if isinstance(shape, History)]
        [row] = history.rows
        assert [(move.seat, move.text) for move in row.moves] == [(0, "Lead ♣K"), (1, "Follow ♣A")]
        assert [piece.seat for piece in row.pieces] == [1]
        assert row.results == ()


def test_a_history_stands_in_place_of_its_value_and_of_its_results() -> None:
    labels = [
        shape.caption.label
        for shape in drawn("mastermind", {}, *CODE, "guess 1 2 1 1", eyes=(0,)).shapes
    ]
    assert labels.count("guess") == 1 and "black" not in labels and "white" not in labels
    labels = [shape.caption.label for shape in drawn("mastermind", {}, *CODE, eyes=(0,)).shapes]
    assert labels.count("guess") == 1 and "black" in labels and "white" in labels
