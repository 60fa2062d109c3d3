"""Pictures as SVG: well formed, whole in themselves, and without what may not be seen."""

from __future__ import annotations

import re
from random import Random
from xml.etree import ElementTree

import pytest

import rulegame
from rulegame.bundled import ruleset_names
from rulegame.drawing.position import draw, draw_view
from rulegame.drawing.svg import picture_svg
from support.games import bundled_game, play_at_random

TEXT = "{http://www.w3.org/2000/svg}text"
HOSTILE = """
rulegame: 1
title: "<script>alert(1)</script> & \\"co\\""
players: ["<b>Ann</b>", "]]>"]
state:
  left: 5
  who: {type: optional player}
operations:
  take: {choose: {n: 1..3}, effects: {left: left - n, who: me}}
validity:
  enough: {require: after.left >= 0}
end:
  done: {when: left == 0, result: win}
"""


def words(svg: str) -> list[str]:
    return ["".join(one.itertext()) for one in ElementTree.fromstring(svg).iter(TEXT)]


@pytest.mark.quick(8)
@pytest.mark.parametrize("name", ruleset_names())
def test_every_bundled_game_can_be_drawn(name: str) -> None:
    game = bundled_game(name)
    for moves in (0, 1, 5, 60):
        state, past = play_at_random(game, Random(moves), moves)
        for eyes in ((), tuple(range(len(game.players)))):
            svg = picture_svg(draw(state, past, eyes))
            assert words(svg)[0].startswith(game.ruleset.title)
            assert set(re.findall(r"\w+://[^\s\"'<]+", svg)) == {"http://www.w3.org/2000/svg"}
            assert not re.search(r"href|url\(|<script|<image|<style| id=", svg)


def test_pieces_stand_on_the_board() -> None:
    state = bundled_game("tic_tac_toe").start().play("place 2 2").play("place 1 1")
    svg = picture_svg(draw(state, (), ()))
    assert words(svg).count("X") == 2  # beside the name, and on the board
    assert words(svg).count("O") == 2
    assert svg.count("<circle") == 4


def test_what_a_ruleset_says_is_text() -> None:
    game = rulegame.loads(HOSTILE)
    svg = picture_svg(draw(game.start().play("take 1"), (), ()))
    found = words(svg)
    assert found[0].startswith('<script>alert(1)</script> & "co"')
    assert "<b>Ann</b>" in found and "]]>" in found
    assert "<script" not in svg


def test_names_cannot_make_it_something_else() -> None:
    state = rulegame.loads(HOSTILE).start()
    found = words(picture_svg(draw(state, (), (), ["\x1b[31m\0", "\ud800 </svg>"])))
    assert "\\x1b[31m\\x00" in found and "\\ud800 </svg>" in found


def test_long_names_and_lists_stay_small() -> None:
    text = HOSTILE.replace("<b>Ann</b>", "A" * 60).replace(
        "  left: 5\n", f"  left: 5\n  row: {{start: {[3] * 300}, show: yes}}\n"
    )
    svg = picture_svg(draw(rulegame.loads(text).start(), (), ()))
    assert max(map(len, words(svg))) < 100
    assert float(ElementTree.fromstring(svg).attrib["width"]) < 1000
    assert "… and 60 more" in words(svg)


def test_a_view_shows_only_what_its_seat_may_see() -> None:
    """The pictures of one seat are the same, whatever others hold."""
    game = bundled_game("kuhn_poker")
    for seat in (0, 1):
        seen: dict[str, set[str]] = {}
        for first in ("1", "2", "3"):
            for second in ("1", "2", "3"):
                if first != second:
                    cards, past, state = (first, second), [], game.start()
                    for card in cards:
                        move = state.meant(f"card {card}")
                        past.append((state, move))
                        state = state.play(move)
                    svg = picture_svg(draw_view(state.view(seat, past)))
                    seen.setdefault(cards[seat], set()).add(svg)
        assert all(len(pictures) == 1 for pictures in seen.values())
        assert len({svg for pictures in seen.values() for svg in pictures}) == 3


def test_a_view_hides_what_is_hidden_when_the_game_is_over_too() -> None:
    game = bundled_game("kuhn_poker")
    state, past = play_at_random(game, Random(1), 60)
    assert state.is_over
    assert "hidden" in words(picture_svg(draw_view(state.view(0, past))))
    assert "hidden" not in words(picture_svg(draw(state, past, (0,))))
