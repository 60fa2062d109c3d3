"""Games for tests: loaded from text, and played for some moves."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

import rulegame
from rulegame.game import CHANCE, Game, Move, State

Past = list[tuple[State, Move]]
_BUNDLED: Final[dict[str, Game]] = {}


def load(text: str, **parameters: Any) -> Game:
    """The game of a ruleset given as text."""
    return rulegame.loads(text, parameters)


def bundled_game(name: str, parameters: Mapping[str, Any] | None = None) -> Game:
    """The game of a bundled ruleset, loaded once for all tests that only play and show it."""
    key = f"{name} {parameters}"
    if key not in _BUNDLED:
        _BUNDLED[key] = rulegame.load(name, parameters)
    return _BUNDLED[key]


def play(game: Game, *moves: str, first: int = 0) -> tuple[State, Past]:
    """The state after some moves, and the states and moves before it."""
    state, past = game.start(first), Past()
    for text in moves:
        move = state.meant(text)
        past.append((state, move))
        state = state.play(move)
    return state, past


def play_at_random(game: Game, rng: Random, most: int = 60) -> tuple[State, Past]:
    """The state after at most so many random moves and rolls, and what came before it."""
    state, past = game.start(), Past()
    while state.outcome is None and len(past) < most:
        move = state.roll(rng.randrange) if state.player == CHANCE else rng.choice(state.moves)
        past.append((state, move))
        state = state.play(move)
    return state, past


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
