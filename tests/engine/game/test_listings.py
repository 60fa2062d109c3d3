"""Texts beside a picture: what lists the position once more is left out, all other words stay."""

from __future__ import annotations

from pathlib import Path

import pytest

import rulegame
from rulegame.drawing.pictures import Drawing, Track
from rulegame.drawing.position import draw
from rulegame.playing.conversation import Ask, converse
from support.games import bundled_game

RULES = """
rulegame: 1
title: Cups
players: [Ann, Bob]
parameters:
  deep: 3
state:
  water: {{type: list of int, start: 1, size: 3, {show}about: What is in each cup}}
  broken: {{type: list of bool, size: 3}}
  each player:
    score: 0
operations:
  pour:
    choose: {{cup: 1..3}}
    effects: {{"water[cup]": "water[cup] + 1"}}
end:
  full: {{when: "water[1] == deep", result: win}}
texts:
  turn: |-
    {turn}
"""


def said(folder: Path, turn: str, drawn: bool, show: str = "") -> str:
    """What stands before the first question."""
    file = folder / "cups.yaml"
    lines = turn.replace("\n", "\n    ")
    file.write_text(RULES.format(turn=lines, show=show), "utf-8")
    game = rulegame.load(file)
    talk = converse(game, roll=lambda state: state.moves[0], drawn=drawn)
    ask = next(talk)
    assert isinstance(ask, Ask)
    return ask.recap.removesuffix(ask.menu)


@pytest.mark.parametrize(
    "line",
    [
        "{for w in water} {w}{end}",
        "{for k in 1..3}Cup {k}: {water[k]}\n{end}",
        "{for k in 1..3}{if broken[k]}broken, {end}{water[k]} {end}",
        "{for k in 1..3}{if water[k] == 0}.{else}o{end}{end}\n{for k in 1..3}{mod(k, 10)}{end}",
        "{for p in players}{name of p} has {score of p}\n{end}",
    ],
)
def test_lines_that_list_the_position_are_left_to_the_picture(tmp_path: Path, line: str) -> None:
    turn = f"{{my.name}}, pour.\n{line}"
    whole = said(tmp_path, turn, drawn=False)
    assert whole.startswith("Ann, pour.\n") and len(whole.splitlines()) > 1
    assert said(tmp_path, turn, drawn=True) == "Ann, pour.\n"


@pytest.mark.parametrize(
    "line",
    [
        "{my.score} points, {water} in the cups",  # no loop: the author's own words
        "{for k in 1..3}Cup {k}: {water[k]} of {deep}\n{end}",
        "{for k in 1..3}{water[k]} {end}, {sum(water)} in all",
        "{for k in 1..3}{if water[k] > 1}nearly full{else}{water[k]}{end} {end}",
        "{for k in 1..3}{water[k] * 2} {end}",
        "{for k in 1..turn} {water[1]}{end}",
        "{for k in 1..3}*{end}",
    ],
)
def test_lines_that_say_anything_else_stay(tmp_path: Path, line: str) -> None:
    turn = f"{{my.name}}, pour.\n{line}"
    assert said(tmp_path, turn, drawn=True) == said(tmp_path, turn, drawn=False)


def test_what_stands_under_a_condition_is_looked_at_line_by_line(tmp_path: Path) -> None:
    turn = "{if again}{else}{my.name}, pour.\n{for w in water} {w}{end}\n{end}"
    assert said(tmp_path, turn, drawn=False) == "Ann, pour.\n 1 1 1\n"
    assert said(tmp_path, turn, drawn=True) == "Ann, pour.\n"


def test_the_default_text_lists_nothing_beside_a_picture() -> None:
    def first(drawn: bool) -> str:
        game = bundled_game("goofspiel")
        return next(converse(game, roll=lambda state: state.roll(lambda n: 0), drawn=drawn)).recap

    assert "Prizes: 1, 2" in first(drawn=False)
    assert "Player 1's turn.\n" in first(drawn=True) and "Prizes" not in first(drawn=True)


def test_a_drawing_of_the_ruleset_is_taken_into_the_picture(tmp_path: Path) -> None:
    turn = "{my.name}, pour.\n{for w in water}-{w}{end}-\n"
    assert said(tmp_path, turn, drawn=True, show="show: text, ") == "Ann, pour.\n"
    game = rulegame.load(tmp_path / "cups.yaml")
    [drawing] = [s for s in draw(game.start(), (), (0,)).shapes if isinstance(s, Drawing)]
    assert drawing.lines == ("-1-1-1-",)
    assert [type(shape) for shape in drawing.instead] == [Track]


def test_a_value_that_no_line_lists_is_drawn_by_its_type(tmp_path: Path) -> None:
    said(tmp_path, "{my.name}, pour.", drawn=True, show="show: text, ")
    shapes = draw(rulegame.load(tmp_path / "cups.yaml").start(), (), (0,)).shapes
    assert shapes[0].caption.label == "water" and not isinstance(shapes[0], Drawing)


def test_a_line_is_not_torn_apart(tmp_path: Path) -> None:
    turn = "{my.name}, pour{if my.score > 0} from{for w in water} {w}{end}{end}.\n 1 2 3\n"
    turn += "{for w in water} {w}{end}\n"
    assert said(tmp_path, turn, drawn=False, show="show: text, ") == "Ann, pour.\n 1 2 3\n 1 1 1\n"
    assert said(tmp_path, turn, drawn=True, show="show: text, ") == "Ann, pour.\n"
    game = rulegame.load(tmp_path / "cups.yaml")
    [drawing] = [s for s in draw(game.start(), (), (0,)).shapes if isinstance(s, Drawing)]
    assert drawing.lines == (" 1 2 3", " 1 1 1"), "the numbers of columns belong to the row"


def test_a_value_that_words_tell_is_left_to_them(tmp_path: Path) -> None:
    turn = "{my.name}, pour{if my.score == 0} into{for w in water} {w}{end}{end}.\n"
    assert said(tmp_path, turn, drawn=True, show="show: text, ") == "Ann, pour into 1 1 1.\n"
    shapes = draw(rulegame.load(tmp_path / "cups.yaml").start(), (), (0,)).shapes
    assert "water" not in [shape.caption.label for shape in shapes]
