"""A game that loads can be played, by the library and in conversation: it may fail only in the ways
that are documented.
"""

from __future__ import annotations

from random import Random
from typing import Final

import rulegame
from fuzz.games import game_of
from rulegame.playing.conversation import converse

PLAYS: Final = 3
STEPS: Final = 60
NONSENSE: Final = ("", "xyzzy", "1", "0", "-1", "9" * 30, "1 2 3", "\x1b[2J", "none", "{me}", "²")


def check(text: bytes, rng: Random) -> None:
    """A few random plays, and a conversation with some nonsense in it."""
    game = game_of(text)
    if game is None:
        return
    for _ in range(PLAYS):
        try:
            _play(game, rng)
            _talk(game, rng)
        except rulegame.GameError as error:
            str(error)


def _play(game: rulegame.Game, rng: Random) -> None:
    state = game.start(rng.randrange(len(game.players)))
    for _ in range(STEPS):
        repr(state)
        for seat in range(len(game.players)):
            repr(state.view(seat))
        if state.outcome is not None:
            return
        if state.player == rulegame.CHANCE:
            assert sum(share for _, share in state.chances) == 1
        move = rng.choice(state.moves)
        assert game.parse_move(move.text) == move
        state = state.play(move)


def _talk(game: rulegame.Game, rng: Random) -> None:
    conversation = converse(game, roll=lambda state: rng.choice(state.moves))
    try:
        asked = next(conversation)
        for _ in range(STEPS):
            moves = asked.state.moves
            typed = rng.choice(moves).text if rng.random() < 0.7 else rng.choice(NONSENSE)
            asked = conversation.send(typed)
    except StopIteration:
        pass
