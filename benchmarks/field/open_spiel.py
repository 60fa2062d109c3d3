"""OpenSpiel's side: its games, its random rollouts in C++, and its bot.

What Python can reach of the rollouts is `RandomRolloutEvaluator` inside `MCTSBot`. A search of one
simulation evaluates the root, and with n rollouts an evaluation is n random games from there: the
loop is all in C++. Such a search begins where somebody decides. Where a game begins with a deal,
every deal is searched equally often, and OpenSpiel's games are counted without it.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pyspiel

from field.sameness import Played

UCT_C = 2.0  # OpenSpiel's own default, in its examples
MEGABYTES = 4000
NO_LIMIT = 2_000_000_000  # of simulations


def first_decisions(game: Any) -> list[Any]:
    """The states in which somebody decides first; all of them are equally likely."""
    return list(_decisions(game.new_initial_state()))


def _decisions(state: Any) -> Iterator[Any]:
    if not state.is_chance_node():
        yield state
        return
    for action, _ in state.chance_outcomes():
        yield from _decisions(state.child(action))


class Rollouts:
    """Random games in C++."""

    payoff: tuple[float, int]  # the first player's mean over the last games, and how many they were

    def __init__(self, name: str) -> None:
        self.game = pyspiel.load_game(name)
        self._starts = first_decisions(self.game)

    def play(self, games: int, seed: int) -> None:
        """So many games or a few more: equally many of each deal."""
        each = -(-games // len(self._starts))
        total = 0.0
        for number, start in enumerate(self._starts):
            evaluator = pyspiel.RandomRolloutEvaluator(each, seed * len(self._starts) + number)
            bot = pyspiel.MCTSBot(self.game, evaluator, UCT_C, 1, MEGABYTES, False, seed, False)
            total += bot.mcts_search(start).total_reward
        self.payoff = total / len(self._starts), each * len(self._starts)

    @property
    def deals(self) -> int:
        return len(self._starts)


def played_from_python(name: str, games: int, automatic: frozenset[int]) -> Played:
    """Random games step by step, to see what they are like; `automatic` are actions that are no
    step of ours.
    """
    game, rng = pyspiel.load_game(name), Random(1)
    lengths, wins = [], [0, 0]
    for _ in range(games):
        state, steps = game.new_initial_state(), 0
        while not state.is_terminal():
            action = _random_action(state, rng)
            steps += action not in automatic
            state.apply_action(action)
        lengths.append(steps)
        first, second = state.returns()
        wins[0] += first > second
        wins[1] += second > first
    return Played.of(lengths, *wins)


def _random_action(state: Any, rng: Random) -> int:
    if state.is_chance_node():
        actions, weights = zip(*state.chance_outcomes(), strict=True)
        return int(rng.choices(actions, weights)[0])
    return int(rng.choice(state.legal_actions()))


def search_bot(game: Any, seed: int, *, simulations: int = NO_LIMIT, seconds: float = -1.0) -> Any:
    """OpenSpiel's search in C++, with its solver, for so many simulations or so much time."""
    return pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(1, seed),
        UCT_C,
        simulations,
        MEGABYTES,
        True,
        seed,
        False,
        max_wall_clock_time=seconds,
    )
