"""Random games a second: `rulegame.simulate`, and our states one by one, beside the environments of
PettingZoo.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from pettingzoo.classic import connect_four_v3, tictactoe_v3

import rulegame
from field.measuring import Options, fewest_games, heading, in_turns, rate_row, show
from field.sameness import Played, check

GAMES: Final = {"tic_tac_toe": tictactoe_v3, "connect_four": connect_four_v3}
SAMPLE: Final = 500  # games, to see what they are like


def run(options: Options) -> None:
    """The section."""
    heading(
        "random games a second",
        "PettingZoo",
        about="simulate, and `one by one`: state.moves and state.play from Python, as PettingZoo is"
        " used.",
    )
    for name, module in GAMES.items():
        game, env, reports = rulegame.load(name), module.env(), []

        def simulated(games: int, seed: int, game: Any = game, reports: Any = reports) -> None:
            reports.append(rulegame.simulate(game, games, seed=seed))

        def theirs(games: int, seed: int, env: Any = env) -> None:
            random_games(env, games, seed)

        show(rate_row(name, in_turns(simulated, theirs, options, (fewest_games(name), 10))))
        show(rate_row(f"{name}, one by one", in_turns(stepped(game), theirs, options, (64, 10))))
        check(name, Played.by(reports[-1]), random_games(env, SAMPLE, 1))


def stepped(game: rulegame.Game) -> Callable[[int, int], None]:
    """Random games of ours, through the public interface."""

    def play(games: int, seed: int) -> None:
        rng = Random(seed)
        for _ in range(games):
            state = game.start(first=0)
            while state.outcome is None:
                state = state.play(rng.choice(state.moves))

    return play


def random_games(env: Any, games: int, seed: int) -> Played:
    """Random games of theirs."""
    rng = Random(seed)
    lengths, wins = [], [0, 0]
    env.reset(seed=seed)
    for _ in range(games):
        env.reset()
        length = 0
        agents = list(env.agents)
        while not any(env.terminations.values()):
            observation, *_ = env.last()
            valid = observation["action_mask"].nonzero()[0]
            env.step(int(rng.choice(valid)))
            length += 1
        lengths.append(length)
        for seat, agent in enumerate(agents):
            wins[seat] += env.rewards[agent] > 0
    return Played.of(lengths, *wins)
