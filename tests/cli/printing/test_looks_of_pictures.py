"""What boards, cards, points and pits look like at a terminal, with and without Unicode."""

from __future__ import annotations

import rulegame
from rulegame.bundled import ruleset_path
from rulegame.drawing.position import draw
from rulegame_cli.printing.pictures import Canvas, picture_text
from support.games import bundled_game, play

ASCII = Canvas(colour=False, unicode=False, encoding="ascii")
PLAIN = Canvas(colour=False)


def lines(name: str, *moves: str, canvas: Canvas = PLAIN) -> list[str]:
    picture = draw(*play(bundled_game(name), *moves), ())
    text = picture_text(picture, canvas)
    assert all(len(line) <= canvas.width for line in text.splitlines())
    return [line[2:-2].rstrip() for line in text.splitlines()[1:-1]]


def test_discs_fall_into_columns_without_row_numbers() -> None:
    drawn = lines("connect_four", "drop 4", "drop 4")
    assert drawn[0].split() == [*"1234567"]
    assert not any(line.strip()[:1].isdigit() for line in drawn[1:])


def test_points_are_called_by_their_names_and_joined_by_lines() -> None:
    drawn = lines("nine_mens_morris", "place a7", "place c4")
    assert drawn[0].startswith(" X───────────d7──────────g7")
    assert drawn[6].startswith(" a4──b4─[O]      e4──f4──g4")
    ascii_drawn = lines("nine_mens_morris", "place a7", "place c4", canvas=ASCII)
    assert ascii_drawn[0].startswith(" X-----------d7----------g7")
    narrow = lines("nine_mens_morris", "place a7", canvas=Canvas(24, colour=False))
    assert any("[X]" in line for line in narrow)


def test_pits_face_one_another() -> None:
    drawn = [line[:32].rstrip() for line in lines("kalah", "sow 3")]
    assert drawn[1:] == [
        "      6   5   4   3   2   1",
        "      4   4   4   4   4   4",
        " 0                            1",
        "      4   4 [ 0][ 5][ 5][ 5]",
        "      1   2   3   4   5   6",
    ]


def test_sides_have_the_signs_of_their_owners() -> None:
    drawn = [line[:36].strip() for line in lines("hex", "place 1 2")]
    assert "┌ X X X X X X X X X X X ┐" in drawn
    assert "1 O .[X]. . . . . . . . . O" in drawn


def test_cards_are_drawn_with_their_suits() -> None:
    game = bundled_game("german_whist", {"ranks": 1})
    state, past = play(game, "card 1", "card 2", "card 4")
    picture = draw(state, past, (0,))
    assert "hand [♣A]" in picture_text(picture, PLAIN)
    assert "shown [♠A]   trump ♠" in picture_text(picture, PLAIN)
    assert "hand [CA]" in picture_text(picture, ASCII)


def test_light_squares_are_blank_and_kings_are_capital_letters() -> None:
    path = ruleset_path("english_draughts")
    assert path is not None
    text = path.read_text("utf-8").replace("show: kings", "start: true, show: kings")
    picture = draw(*play(rulegame.loads(text), "move 6 1 5 2"), ())
    drawn = picture_text(picture, PLAIN)
    assert "1 │     O     O     O     O │" in drawn
    assert "5 │   [ X]   15    14    13 │" in drawn  # free squares have numbers


TALL = """
rulegame: 1
title: Tall
state:
  n: 0
  each player:
%s
operations: {go: {effects: {n: n + 1}}}
end: {over: {when: n == 9, result: win}}
"""


def test_values_stand_side_by_side_where_they_would_fill_the_screen() -> None:
    lists = "".join(f"    l{k}: {{type: list of int, size: 3, show: yes}}\n" for k in range(6))
    picture = draw(rulegame.loads(TALL % lists).start(), (), ())
    for height, columns in ((None, 80), (24, 80), (24, 30), (60, 80)):
        text = picture_text(picture, Canvas(columns, height=height, colour=False))
        count = len(text.splitlines())
        assert all(f"l{k}" in text for k in range(6))
        assert all(len(line) <= columns for line in text.splitlines())
        assert (count <= 17) == (height == 24 and columns == 80)
