"""A small game in which all choose at once, and something is rolled before they do."""

from typing import Final

BIDDING: Final = """
rulegame: 1
title: Bidding
state:
  left: {type: set of 1..3, start: "1..3"}
  each player:
    hand: {type: set of 1..3, start: "1..3"}
    score: 0
turn:
  together: true
  roll: {prize: left}
  effects:
    left: without(left, prize)
    score of p for p in players if card of p > card of next(p): score of p + prize
operations:
  bid:
    choose: {card: my.hand}
    effects: {my.hand: "without(my.hand, card)"}
end:
  done:
    when: size(left) == 0
    winners: list(p for p in players if score of p == max(score))
"""
