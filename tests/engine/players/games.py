"""Small rulesets in which something is hidden, and games played at random."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import rulegame
from rulegame import CHANCE, Game, Move, State

Past = list[tuple[State, Move]]

# Two throws in secret, one after the other, until one beats the other; each throw is an operation
# of its own.
THROWS = """
rulegame: 1
title: Throws
players: [Ann, Bob]
state:
  round: 1
  each player:
    hand: {type: optional rock | paper | scissors, seen by: owner}
    wins: 0
operations:
  rock:
    secret: true
    effects: {my.hand: rock}
  paper:
    secret: true
    effects: {my.hand: paper}
  scissors:
    secret: true
    effects: {my.hand: scissors}
  show:
    when: all(hand of p != none for p in players)
    effects:
      wins of (me): wins of (me) + (1 if beats(hand of (me), hand of (them)) else 0)
      wins of (them): wins of (them) + (1 if beats(hand of (them), hand of (me)) else 0)
      hand of p for p in players: none
      round: round + 1
    next: me
validity:
  shown_first:
    require: any(hand of p == none for p in players)
    for: [rock, paper, scissors]
define:
  beats(a, b): >-
    (a == rock and b == scissors) or (a == scissors and b == paper) or (a == paper and b == rock)
end:
  two_wins:
    when: any(wins of p == 2 for p in players)
    winners: list(p for p in players if wins of p == 2)
  long: {when: round > 5, result: draw}
"""

# A card is dealt to each by dice that only its owner sees, and one lies face down; no operation is
# called secret. Then all choose in secret whether they stay, and the highest that stayed wins.
CARDS = """
rulegame: 1
title: Cards
players: [Ann, Bob, Cy]
state:
  dealt: 0
  laid: false
  face_down: {start: 0, seen by: nobody}
  each player:
    card: {start: 0, seen by: owner}
    stays: {type: optional bool, seen by: owner}
    shown: false
operations:
  deal:
    when: my.card == 0
    roll:
      drawn: 1..6
    effects:
      my.card: drawn
      dealt: dealt + 1
  lay:
    when: dealt == 3 and not laid
    roll:
      below: 1..4
    effects:
      face_down: below
      laid: true
  stay:
    when: laid and my.stays == none
    choose:
      will: [true, false]
    effects:
      my.stays: will
      my.shown: true
stuck: draw
define:
  strength(p): 0 if stays of p != true else face_down if card of p == 1 else card of p
  strongest: max(strength(p) for p in players)
end:
  all_chose:
    when: all(shown of p for p in players)
    winners: list(p for p in players if strength(p) > 0 and strength(p) == strongest)
"""


def load(tmp_path: Path, text: str, **parameters: Any) -> Game:
    file = tmp_path / "game.yaml"
    file.write_text(text, "utf-8")
    return rulegame.load(str(file), parameters)


def random_game(game: Game, rng: Random, first: int = 0, most: int = 60) -> tuple[Past, State]:
    """A game at random: what happened, and where it came to."""
    state: State = game.start(first)
    past: Past = []
    while state.outcome is None and len(past) < most:
        move = state.roll(rng.randrange) if state.player == CHANCE else rng.choice(state.moves)
        past.append((state, move))
        state = state.play(move)
    return past, state


def retold(past: Past, state: State, seat: int, rng: Random) -> tuple[Past, State] | None:
    """Another game that looks the same to a seat, but in which others have chosen something else in
    secret; None if none is found.
    """
    view = state.view(seat, past)
    seen = view.past
    for _ in range(100):
        other: Past = []
        now = past[0][0] if past else state
        for (_, move), glimpse in zip(past, seen, strict=True):
            if now.outcome is not None:
                break
            chosen = move if glimpse.move is not rulegame.HIDDEN else rng.choice(now.moves)
            if chosen not in now.moves:
                break
            other.append((now, chosen))
            now = now.play(chosen)
        if len(other) == len(past) and now != state and now.view(seat, other) == view:
            return other, now
    return None
