"""Opponents by how hard they are to beat."""

from __future__ import annotations

from random import Random

import pytest

import rulegame
from rulegame.game import Game
from rulegame.players import UnknownPlayer, make_player


def score(game: Game, better: str, worse: str, games: int) -> float:
    total = 0.0
    for number in range(games):
        seat, rng, state = number % 2, Random(number), game.start()
        players = {seat: make_player(better, game), 1 - seat: make_player(worse, game)}
        while state.outcome is None:
            assert state.player is not None
            state = state.play(players[state.player].choose(state.view(state.player), rng))
        total += 0.5 if state.outcome.draw else seat in state.outcome.winners
    return total / games


def test_each_is_harder_than_the_one_before() -> None:
    game = rulegame.load("nim")
    assert score(game, "medium", "easy", 20) > 0.7
    assert score(game, "hard", "medium", 20) > 0.7


def test_an_easy_opponent_errs() -> None:
    """A win at once is taken about every second time, and whenever chance has it."""
    game = rulegame.load("nim", {"heaps": [5]})
    view = game.start().view(0)
    easy = make_player("easy", game)
    taken = sum(easy.choose(view, Random(n)).text == "take 1 5" for n in range(200))
    assert 80 < taken < 160


@pytest.mark.parametrize("name", ["easy", "medium", "hard"])
def test_nothing_stands_after_the_name(name: str) -> None:
    with pytest.raises(UnknownPlayer, match="takes nothing after its name"):
        make_player(f"{name}:3", rulegame.load("nim"))
