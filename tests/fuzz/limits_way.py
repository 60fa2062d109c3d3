"""Games that are too large to be solved in a moment: positions that both players leave at once,
card games, bundled games and their variants.
"""

from __future__ import annotations

from random import Random
from typing import Final

from rulegame.bundled import ruleset_names

NAMES: Final = ruleset_names("games", "gallery", "variants")


def make(rng: Random) -> bytes:
    """The text of a ruleset."""
    return rng.choice([_scattered, _dealt, _tokens, _bundled])(rng).encode()


def _bundled(rng: Random) -> str:
    return f"rulegame: 1\nextends: {rng.choice(NAMES)}\ntitle: Variant\n"


def _scattered(rng: Random) -> str:
    """Both choose at once and a token jumps; some turns end the game."""
    cells, most = rng.choice([15, 50, 150, 400]), rng.randint(2, 3)
    a, b, c, d = (rng.randint(1, cells) for _ in range(4))
    size = rng.choice([1, 9, 1000])
    pay = f"{size} * (mod(at * at, 23) - {rng.randint(0, 22)})"
    luck = rng.randint(2, 6)
    over = f"c == 1 or at == {rng.randrange(cells)}" if rng.random() < 0.7 else f"at == {d % cells}"
    return f"""\
rulegame: 1
title: Scattered
state: {{at: 1, over: false}}
turn:
  together: true
  steps:
    go: {{effects: {{at: "mod(at * {a} + {b} + {c} * k[1] * k[1] + {d} * k[1] * k[2], {cells})"}}}}
    luck: {{roll: {{c: 1..{luck}}}, effects: {{over: "{over}"}}}}
operations:
  jump: {{choose: {{k: 1..{most}}}}}
end:
  over: {{when: over, payoff: ["{pay}", "0 - {pay}"]}}
"""


def _dealt(rng: Random) -> str:
    """Cards are dealt, seen by their owner, and played one by one; the higher one takes."""
    cards, hand = rng.randint(6, 16), rng.randint(2, 5)
    hand = min(hand, cards // 2)
    return f"""\
rulegame: 1
title: Dealt
state:
  deck: {{type: set of 1..{cards}, start: "1..{cards}", seen by: nobody}}
  led: 0
  each player:
    hand: {{type: set of 1..{cards}, seen by: owner}}
    won: 0
setup:
  deal:
    steps:
      cards:
        repeat: {hand}
        roll: {{card: {{from: deck, seen by: owner}}}}
        effects: {{my.hand: "with(my.hand, card)", deck: "without(deck, card)"}}
operations:
  play:
    choose: {{n: my.hand}}
    effects:
      my.hand: without(my.hand, n)
      led: "n if led == 0 else 0"
      my.won: "my.won + (1 if led != 0 and n > led else 0)"
      their.won: "their.won + (1 if led != 0 and n < led else 0)"
end:
  played:
    when: "size(my.hand) + size(their.hand) == 0"
    payoff: "list((1 if p == me else 0 - 1) * (my.won - their.won) for p in players)"
"""


def _tokens(rng: Random) -> str:
    """Tokens on a long track, with dice and payoffs; play may go in circles."""
    track, tokens, sides = rng.randint(10, 200), rng.randint(1, 3), rng.choice([1, 2, 6])
    back = rng.choice([0, 1, 3])
    pay = rng.choice(["sum(my.at)", "7", "1000 * max(my.at)"])
    return f"""\
rulegame: 1
title: Tokens
state:
  each player:
    at: {{type: list of int, size: {tokens}}}
turn:
  roll: {{die: 1..{sides}}}
operations:
  run: {{choose: {{t: 1..{tokens}}}, effects: {{"my.at[t]": "min({track}, my.at[t] + die)"}}}}
  hit:
    choose: {{t: 1..{tokens}}}
    effects: {{"their.at[t]": "max(0, their.at[t] - {back} * die)"}}
end:
  home:
    when: "all(x == {track} for x in my.at)"
    payoff: "list({pay} if p == me else 0 - {pay} for p in players)"
"""
