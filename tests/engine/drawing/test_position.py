"""Pictures of positions: what is in them, and what is not."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import rulegame
from rulegame.bundled import ruleset_names, ruleset_path
from rulegame.drawing.pictures import (
    Bar,
    Die,
    Drawing,
    DrawnBoard,
    Graph,
    Hand,
    Heaps,
    HiddenValue,
    Picture,
    PlainValue,
    Track,
)
from rulegame.drawing.position import draw
from support.games import bundled_game, play, play_at_random


def shape_of(picture: Picture, label: str, owner: int | None = None) -> object:
    [found] = [
        shape
        for shape in picture.shapes
        if shape.caption.label == label and shape.caption.owner == owner
    ]
    return found


def text_of(name: str) -> str:
    path = ruleset_path(name)
    assert path is not None
    return path.read_text("utf-8")


def test_a_score_is_on_its_way_to_the_target() -> None:
    state, past = play(bundled_game("dice_duel"), "die 5", "add", "die 3")
    picture = draw(state, past, (1,))
    assert (picture.turn, picture.number, picture.result) == (1, 2, "")
    score = shape_of(picture, "score", 0)
    assert isinstance(score, Bar)
    assert (score.value, score.start, score.goal, score.changed) == (5, 0, 15, True)
    die = shape_of(picture, "die")
    assert isinstance(die, Die) and (die.piece.text, die.pips) == ("3", 3)
    assert picture.last == ((0, "Add"),)


def test_a_way_may_lead_down() -> None:
    state, past = play(bundled_game("zero_sum_duel"), "subtract 5")
    score = shape_of(draw(state, past, (0,)), "score", 0)
    assert isinstance(score, Bar) and (score.start, score.goal, score.value) == (20, 0, 15)


def test_what_the_last_move_has_changed_is_marked_on_a_board() -> None:
    state, past = play(bundled_game("tic_tac_toe"), "place 1 1", "place 2 3")
    board = shape_of(draw(state, past, (0,)), "board")
    assert isinstance(board, DrawnBoard)
    changed = [(r, c) for r in range(3) for c in range(3) if board.rows[r][c].changed]
    assert changed == [(1, 2)]
    assert board.rows[0][0].seat == 0 and board.rows[1][2].seat == 1


def test_heaps_rows_and_hands() -> None:
    state, past = play(bundled_game("nim"), "take 2 3")
    heaps = shape_of(draw(state, past, (0,)), "heaps")
    assert isinstance(heaps, Heaps) and heaps.counts == (3, 1, 5)
    assert heaps.changed == (False, True, False)
    state, past = play(bundled_game("number_duel"), "pick 2 3 5")
    mine = shape_of(draw(state, past, (0,)), "numbers", 0)
    assert isinstance(mine, Hand) and [piece.text for piece in mine.pieces] == ["2", "3", "5"]
    text = text_of("nine_mens_morris")
    show = text[text.index("    show:") : text.index("    about: Who has a man")]
    state, past = play(rulegame.loads(text.replace(show, "    show: text\n")), "place b6")
    row = shape_of(draw(state, past, (0,)), "board")
    assert isinstance(row, Drawing) and row.lines[1] == " |    X--------d6--------f6    |"
    [row] = row.instead  # where there is no room
    assert isinstance(row, Graph) and row.pieces[3].seat == 0


def test_a_board_of_truths_marks_the_board_before_it() -> None:
    text = text_of("english_draughts")
    for show, marks, form in (("yes", ("kings",), "man"), ("kings", (), "king")):
        game = rulegame.loads(text.replace("show: kings", f"start: true, show: {show}"))
        picture = draw(game.start(), [], (0,))
        boards = [shape for shape in picture.shapes if isinstance(shape, DrawnBoard)]
        assert [board.caption.label for board in boards] == ["board"]
        assert boards[0].marks == marks
        assert boards[0].rows[0][1].form == form
        assert boards[0].rows[0][0].form == ""  # there is no piece


def test_others_numbers_are_not_in_the_picture() -> None:
    game = bundled_game("number_duel")
    state, past = play(game, "pick 2 3 5", "pick 1 4 6")
    other, before = play(game, "pick 7 8 9", "pick 1 4 6")
    for eyes in ((1,), (0, 1)):
        picture = draw(state, past, eyes)
        assert isinstance(shape_of(picture, "numbers", 0), HiddenValue)
        assert picture == draw(other, before, eyes)
    assert draw(state, past, (0,)) != draw(other, before, (0,))
    assert draw(state, past, (0,)).last == ((1, "Pick Action Numbers (secret)"),)


def test_when_the_game_is_over_everything_is_shown() -> None:
    state, past = play(
        bundled_game("number_duel"), "pick 2 3 5", "pick 1 4 6", "add 5", "multiply 6"
    )
    picture = draw(state, past, (0, 1))
    assert (picture.turn, picture.result, picture.winners) == (None, "won", (0,))
    assert isinstance(shape_of(picture, "numbers", 1), Hand)


HIDDEN_DRAW = """
rulegame: 1
title: Drawn
state:
  turns: 0
  each player:
    card: {start: 0, seen by: owner}
    luck: {start: 0, show: yes, seen by: nobody}
operations:
  draw:
    roll: {drawn: 1..6}
    effects: {my.card: drawn, turns: turns + 1}
  lay:
    choose: {k: 1..6}
    effects: {my.luck: k, turns: turns + 1}
end:
  over: {when: turns == 9, result: draw}
"""


def test_what_a_seat_cannot_see_makes_no_difference(tmp_path: Path) -> None:
    """Hidden rolls and choices: neither as dice, nor as the last move, nor as what has changed."""
    file = tmp_path / "drawn.yaml"
    file.write_text(HIDDEN_DRAW, "utf-8")
    game = rulegame.load(str(file))
    for low, high in (("drawn 1", "drawn 6"), ("drawn 2", "drawn 3")):
        one, two = play(game, "draw", low), play(game, "draw", high)
        assert draw(*one, (1,)) == draw(*two, (1,))
        assert draw(*one, (0,)) != draw(*two, (0,))
        assert isinstance(shape_of(draw(*one, (0,)), "card", 0), PlainValue)
    one, two = play(game, "lay 2"), play(game, "lay 5")
    assert draw(*one, (1,)) == draw(*two, (1,))
    assert isinstance(shape_of(draw(*one, (0,)), "luck", 0), HiddenValue)


@pytest.mark.quick(8)
@pytest.mark.parametrize("name", ruleset_names())
def test_every_position_can_be_drawn(name: str) -> None:
    game = bundled_game(name)
    for seed in range(2):
        state, past = play_at_random(game, Random(seed), 12)
        for seat in range(len(game.players)):
            picture = draw(state, past, (seat,))
            assert {shape.caption.label for shape in picture.shapes}


AT_ONCE = """
rulegame: 1
title: Signs
state:
  rounds: 0
  each player:
    won: {start: 0, show: yes}
turn:
  together: true
  effects:
    rounds: rounds + 1
operations:
  show:
    choose: {sign: 1..3}
    effects: {my.won: sign}
end:
  over: {when: rounds == 9, result: draw}
"""


def test_what_waits_until_all_have_chosen_is_not_in_the_picture(tmp_path: Path) -> None:
    file = tmp_path / "signs.yaml"
    file.write_text(AT_ONCE, "utf-8")
    game = rulegame.load(str(file))
    pictures = [draw(*play(game, f"show {sign}"), (1,)) for sign in (1, 2, 3)]
    assert pictures[0] == pictures[1] == pictures[2]
    assert (pictures[0].number, pictures[0].last, pictures[0].turn) == (1, (), 1)
    after = draw(*play(game, "show 1", "show 3"), (0,))
    assert (after.number, after.last) == (2, ((0, "Show 1"), (1, "Show 3")))
    won = shape_of(after, "won", 0)
    assert isinstance(won, PlainValue) and won.piece.changed


LABELS = """
rulegame: 1
title: Labels
state:
  guess: {type: list of int, size: 2, start: 1, show: yes}
  pits: {type: list of int, size: 2, start: 3}
  cards: 0
  total: 0
operations:
  ask:
    choose: {n: 1..3}
    effects:
      guess[1]: n
      pits[1]: pits[1] - 1
      cards: cards + 1
end:
  both: {when: cards == 2 and total == 21, result: win}
  empty: {when: sum(pits) == 0, result: draw}
"""


def test_what_counts_is_told_from_what_is_only_a_number(tmp_path: Path) -> None:
    file = tmp_path / "labels.yaml"
    file.write_text(LABELS, "utf-8")
    picture = draw(*play(rulegame.load(str(file)), "ask 2"), (0,))
    guess, pits = shape_of(picture, "guess"), shape_of(picture, "pits")
    assert isinstance(guess, Track) and guess.pieces[0].text == "2"
    assert isinstance(pits, Heaps) and pits.counts == (2, 3)
    assert isinstance(shape_of(picture, "cards"), PlainValue)  # two conditions are no goal of one
