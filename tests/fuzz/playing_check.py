"""A game that loads can be played, by the library and in conversation: it may fail only in the ways
that are documented. Copies of it play and read the same.
"""

from __future__ import annotations

import copy
import pickle
from contextlib import suppress
from random import Random
from typing import Any, Final

import rulegame
from fuzz.findings import Finding
from fuzz.games import game_of
from rulegame.playing.conversation import converse
from rulegame.rulebook import render, write_rulebook

PLAYS: Final = 3
COPIED: Final = 0.1  # of the games: copies compile the rules again
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
    if rng.random() < COPIED:
        with suppress(rulegame.GameError):
            _copy(game, rng)


def _pickled(one: Any) -> Any:
    return pickle.loads(pickle.dumps(one))


def _rulebook(game: rulegame.Game) -> str:
    try:
        return render(write_rulebook(game), "text")
    except rulegame.GameError as error:
        return str(error)


def _copy(game: rulegame.Game, rng: Random) -> None:
    state = game.start(rng.randrange(len(game.players)))
    past = []
    for _ in range(rng.randrange(STEPS)):
        if state.outcome is not None:
            break
        move = rng.choice(state.moves)
        past.append((state, move))
        state = state.play(move)
    views = [state.view(seat, past) for seat in range(len(game.players))]
    whole: tuple[Any, ...] = (state, state.moves, state.outcome, *views)
    for copied in (_pickled, copy.deepcopy):
        again, others = copied((game, whole))
        if again.ruleset != game.ruleset or _rulebook(again) != _rulebook(game):
            raise Finding(f"{copied.__name__} of the game: {_rulebook(again)}")
        for one, other in zip(whole, others, strict=True):
            if other != one or repr(other) != repr(one):
                raise Finding(f"{copied.__name__} of {one!r}: {other!r}")
        for one, other in zip(views, others[-len(views) :], strict=True):
            if (other.moves, other.past, other.trail) != (one.moves, one.past, one.trail):
                raise Finding(f"{copied.__name__} of {one!r}")


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
