"""Best response to a given player, held against every history played by hand."""

from __future__ import annotations

from fractions import Fraction
from random import Random
from typing import Any

import pytest

import rulegame
from engine.solving.plain_answers import best_answer
from support.games import bundled_game


def alike(view: rulegame.View) -> dict[rulegame.Move, Fraction]:
    return {move: Fraction(1, len(view.moves)) for move in view.moves}


@pytest.mark.parametrize(
    ("name", "setting"),
    [("kuhn_poker", {}), ("liars_dice", {"sides": 2}), ("nim", {"heaps": [1, 2]})],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_against_moves_at_random(name: str, setting: dict[str, Any], seat: int) -> None:
    game = bundled_game(name, setting)
    found = rulegame.best_response(game, seat)
    assert found == best_answer(game, 0, seat, alike, seat)
    assert found == rulegame.best_response(game, seat, alike)


def test_against_a_best_strategy_only_the_value_is_left() -> None:
    game = bundled_game("kuhn_poker")
    solution = rulegame.solve(game, "hidden")

    def strategy(view: rulegame.View) -> Any:
        return solution.strategy(view)

    assert rulegame.best_response(game, 0, strategy) == Fraction(-1, 18)
    assert rulegame.best_response(game, 1, strategy) == Fraction(1, 18)


def test_against_a_player() -> None:
    """One that has no chance in it."""
    game = bundled_game("nim", {"heaps": [1, 2]})
    perfect = rulegame.make_player("perfect", game)
    assert rulegame.best_response(game, 1, lambda v: {perfect.choose(v, Random(0)): 1}) == -1
    with pytest.raises(ValueError, match="do not add up to 1"):
        rulegame.best_response(game, 1, lambda v: {v.moves[0]: Fraction(1, 2)})
