"""Moves as the page of a table gets them."""

from __future__ import annotations

from rulegame import loads
from rulegame.drawing.position import draw_view
from rulegame_studio.offering import Offers


def test_choices_come_with_their_value_and_as_they_are_drawn() -> None:
    game = loads(
        """
rulegame: 1
title: Cards
state:
  board: {type: grid of optional player, rows: 2, columns: 2, show: {columns: letters}}
  each player:
    hand: {type: set of 1..52, start: "[1, 15]", seen by: owner, show: cards}
operations:
  play:
    choose: {card: my.hand, at: cells(board)}
    effects: {my.hand: "without(my.hand, card)", "board[at]": me}
end: {over: {when: size(my.hand) == 0, result: draw}}
"""
    )
    state = game.start()
    offers = Offers(state, 0, ("Ann", "Bob"), draw_view(state.view(0))).as_data()
    assert offers[-1]["choices"] == [("card", "15", "♥2"), ("at", "b2", "b2")]
