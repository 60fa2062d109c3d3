"""A thousand games against random play, beside the best that could have been done against it."""

from __future__ import annotations

from random import Random

import pytest

import rulegame
from engine.players.rating import best_response, score_against
from rulegame import Move, Player, View
from rulegame.players import make_player


class Remembering:
    """Asks a player once for each state: a thousand games, but far fewer searches. The player's
    random numbers depend on the state alone.
    """

    def __init__(self, player: Player) -> None:
        self._player = player
        self._known: dict[tuple[int | None, ...], Move] = {}

    def choose(self, view: View, rng: Random) -> Move:
        known = self._known.get(view.cells)
        if known is None:
            known = self._player.choose(view, Random(repr(view.cells)))
            self._known[view.cells] = known
        return known


@pytest.mark.quick(2)
@pytest.mark.parametrize(
    ("name", "spec"),
    [
        ("tic_tac_toe", "search:500"),
        ("double_or_nothing_10", "search:400"),
        ("zero_sum_sprint", "search:1000"),
        ("zero_sum_duel", "search:1000"),
        ("double_or_nothing_31", "search:1000"),
        ("nim", "search:1000"),
        ("dice_duel", "search:60"),
    ],
)
def test_search_scores_nearly_what_is_possible_against_random_play(name: str, spec: str) -> None:
    game = rulegame.load(name)
    graph = rulegame.explore(game)
    possible = (best_response(graph, 0) + best_response(graph, 1)) / 2
    player = Remembering(make_player(spec, game))
    score = score_against(player, make_player("random", game), game, 1000, seed=1)
    assert possible - 0.03 <= score <= possible + 0.03  # above it only by luck
