"""A ruleset in which three players bid at once, for the tests of several packages."""

from typing import Final

HEAD: Final = "rulegame: 1\ntitle: Game\n"
BIDS: Final = """\
players: [A, B, C]
state:
  round: 0
  each player: {chips: 5, taken: 0}
turn:
  together: true
  effects:
    round: round + 1
    "taken of p for p in players if all(n of p > n of q for q in players if q != p)": taken of p + 1
operations:
  bid:
    choose: {n: 0..my.chips}
    effects: {my.chips: my.chips - n}
stuck: draw
end:
  three: {when: round == 3, payoff: taken}
"""
