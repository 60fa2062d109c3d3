"""Pictures as lines: they fit on every screen, and show what the picture says."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from rich.cells import cell_len

import rulegame
from rulegame.bundled import ruleset_names
from rulegame.drawing.pictures import Picture
from rulegame.drawing.position import draw
from rulegame.drawing.svg import picture_svg
from rulegame_cli.printing.pictures import Canvas, picture_text
from support.games import bundled_game, play_at_random

ASCII = Canvas(80, colour=False, unicode=False, encoding="ascii")


def position(name: str, moves: int, seed: int = 5, seat: int = 0) -> Picture:
    """A position of a game that is played at random."""
    state, past = play_at_random(bundled_game(name), Random(seed), moves)
    return draw(state, past, (seat,))


@pytest.mark.quick(6)
@pytest.mark.parametrize("name", ruleset_names())
def test_a_picture_fits_on_every_screen(name: str) -> None:
    for moves in (0, 7, 60):
        picture = position(name, moves)
        for width in (20, 31, 40, 80, 200):
            drawn = picture_text(picture, Canvas(width, colour=False))
            assert drawn and all(cell_len(line) <= width for line in drawn.splitlines())
            letters = picture_text(picture, Canvas(width, False, False, "ascii"))
            assert letters.isascii()
            assert all(len(line) <= width for line in letters.splitlines())


@pytest.mark.quick(8)
@pytest.mark.parametrize("name", ruleset_names())
def test_colour_changes_no_letter(name: str) -> None:
    picture = position(name, 6)
    plain = picture_text(picture, Canvas(80, colour=False))
    coloured = picture_text(picture, Canvas(80, colour=True))
    assert coloured != plain
    stripped = re.sub(r"\x1b\[[0-9;]*m", "", coloured)
    assert [x.rstrip() for x in stripped.splitlines()] == plain.splitlines()


def test_what_a_ruleset_says_plays_no_tricks(tmp_path: Path) -> None:
    file = tmp_path / "tricks.yaml"
    text = 'rulegame: 1\ntitle: "A[bold]B"\nstate: {x: {start: 3}}\n'
    text += "operations: {down: {effects: {x: x - 1}}}\nend: {over: {when: x == 0, result: win}}\n"
    file.write_text(text, "utf-8")
    game = rulegame.load(str(file))
    picture = draw(game.start(), [], (0,), ("Ann\x1b[2J", "Bob\u202e:smile:"))
    drawn = picture_text(picture, Canvas(80, colour=False))
    assert not {"\x1b", "\u202e"} & set(drawn) and "A[bold]B" in drawn
    assert r"Ann\x1b[2J" in drawn and r"Bob\u202e:smile:" in drawn


SHOWN = """
rulegame: 1
title: Shown
state:
  board:
    type: grid of optional player
    rows: 3
    columns: 4
    tiles: hexagons
    show: {symbols: {none: "-", "players[1]": B, "players[2]": W}, columns: letters}
  life: {start: 7, show: {as: bar, to: 10}}
  card: {start: 3, show: cards}
  each player:
    eyes: {start: 5, show: pips}
operations:
  place:
    choose: {at: cells(board)}
    effects:
      board[at]: me
      life: life - 1
end:
  over: {when: life == 0, result: win}
"""


DICE = """
rulegame: 1
title: Dice
state:
  board: {type: grid of free | white, rows: 1, columns: 2, start: free}
  dice: {type: list of int, size: 3, start: "[1, 5, 6]", show: pips}
  each player:
    own: {type: list of int, size: 2, start: "[2, 0]", show: pips}
operations: {go: {effects: {"dice[1]": 2}}}
end: {over: {when: "dice[1] == 2", result: win}}
"""


def test_lists_of_dice_have_faces_and_players_without_pieces_no_signs() -> None:
    picture = draw(rulegame.loads(DICE).start(), [], (0,))
    drawn = picture_text(picture, Canvas(80, colour=False))
    assert "⚀ 1  ⚄ 5  ⚅ 6" in drawn
    assert "Player 2  ⚁ 2    0" in drawn
    assert "X" not in drawn and "O" not in drawn
    assert "1  5  6" in picture_text(picture, ASCII)
    assert picture_svg(picture).count('r="2.3"') == 1 + 5 + 6 + 2 + 2


def test_values_are_drawn_as_the_ruleset_says(tmp_path: Path) -> None:
    file = tmp_path / "shown.yaml"
    file.write_text(SHOWN, "utf-8")
    game = rulegame.load(str(file))
    state = game.start()
    after = state.play("place b2")
    drawn = picture_text(draw(after, [(state, state.meant("place b2"))], (0,)), ASCII)
    assert drawn.splitlines() == [
        "+- Shown, turn 2 ---------------------------------+",
        "|     a b c d         B Player 1  eyes 5          |",
        "|   +---------+     > W Player 2  eyes 5          |",
        "| 1 | - - - - |     life  6 ######.... 10         |",
        "| 2  | -[B]- - |    card [3]                      |",
        "| 3   | - - - - |   last move: Player 1, Place b2 |",
        "|     +---------+                                 |",
        "+-------------------------------------------------+",
    ]
