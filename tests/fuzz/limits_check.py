"""Nothing uses more processor time than three times its budget: solving with a time limit, looking
ahead, hints, and the moves of computers.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Final

import rulegame
from fuzz.findings import Finding
from fuzz.games import game_of
from fuzz.saves_check import played_session, written_save
from rulegame import CHANCE, CannotSolve, Game, Move, State, View
from rulegame.players import make_player
from rulegame.players.advice import advise
from rulegame.players.budget import Budget
from rulegame.playing.saves import Header
from rulegame_studio.rules import Rulesets
from rulegame_studio.thinking import Thinker

QUESTIONS: Final = (
    "solve", "solve", "depth", "against", "hint", "search", "easy", "medium", "review"
)  # fmt: skip
SECONDS: Final = 2.0  # the budget
TIMES: Final = 3
MOST_STATES: Final = 20_000
STEPS: Final = 30


def check(text: bytes, rng: Random) -> None:
    """Ask two questions, each within a budget."""
    game = game_of(text)
    if game is None:
        return
    for what in rng.sample(QUESTIONS, 2):
        question = _question(game, what, rng)
        began = time.process_time()
        with suppress(CannotSolve, rulegame.TooLarge, rulegame.GameError):
            question()
        taken = time.process_time() - began
        if taken > TIMES * SECONDS:
            raise Finding(f"{what}: {taken:.1f} s, with a budget of {SECONDS:g} s")


def _question(game: Game, what: str, rng: Random) -> Callable[[], object]:
    seed = rng.randrange(2**32)
    if what == "solve":
        return lambda: _solve(game)
    if what == "depth":
        return lambda: rulegame.solve(game, "lookahead", max_time=SECONDS)
    if what == "against":
        return lambda: (
            len(game.players) > 1
            and rulegame.exploit(game, "greedy", seed % len(game.players), max_time=SECONDS)
        )
    if what == "review":
        return _review(game, rng)
    view = _view(game, rng)
    if view is None:
        return lambda: None
    if what == "hint":
        return lambda: advise(view, Random(seed), budget=Budget(seconds=SECONDS))
    player = make_player(f"search:{SECONDS:g}s" if what == "search" else what, game)
    return lambda: player.choose(view, Random(seed))


class _OneGame(Rulesets):
    """The rulesets of a studio in which one game is played."""

    def __init__(self, game: Game) -> None:
        self._game = game

    def game_of(self, header: Header) -> Game:
        return self._game


def _review(game: Game, rng: Random) -> Callable[[], object]:
    """The ratings of a random game, as the studio computes them."""
    state, entries = played_session(game, 0, rng)
    save = written_save(game, 0, entries, state.outcome).decode()
    thinker = Thinker(_OneGame(game))
    job = {"table": "fuzz", "since": 0, "save": save, "seat": 0, "seconds": SECONDS}

    def rate() -> object:
        rated = thinker.review(job)["order"]
        return thinker.rate({**job, "at": rated}) if rated else None

    return rate


def _solve(game: Game) -> object:
    most = 10**6 if game.kind.is_open else MOST_STATES
    return rulegame.solve(game, max_states=most, max_time=SECONDS, keep=False)


def _view(game: Game, rng: Random) -> View | None:
    """A decision in a random game."""
    state = game.start(rng.randrange(len(game.players)))
    past: list[tuple[State, Move]] = []
    left = rng.randrange(STEPS)
    while state.outcome is None and (left > 0 or state.player == CHANCE):
        move = rng.choice(state.moves)
        past.append((state, move))
        state, left = state.play(move), left - 1
    return None if state.player in (None, CHANCE) else state.view(state.player or 0, past)
