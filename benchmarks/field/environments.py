"""Random games a second: `rulegame.simulate`, and our states one by one, beside the environments of
PettingZoo.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from pettingzoo.classic import connect_four_v3, tictactoe_v3

import rulegame
from field.measuring import (
    Options,
    fewest_games,
    heading,
    in_turns,
    rate_row,
    seconds_each,
    show,
)
from field.sameness import Played, Simulated, check
from field.versions import Measure, Seconds

GAMES: Final = {"tic_tac_toe": tictactoe_v3, "connect_four": connect_four_v3}
FEWEST: Final = 10  # games in a measurement
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
        ours, theirs = Simulated(name), Environment(module.env())
        least = fewest_games(name), FEWEST
        show(rate_row(name, in_turns(ours.play, theirs.play, options, least)))
        steps = in_turns(stepped(name), theirs.play, options, (FEWEST, FEWEST))
        show(rate_row(f"{name}, one by one", steps))
        theirs.play(SAMPLE, options.rounds)
        check(name, ours.played(), theirs.played)


def stepped(name: str) -> Callable[[int, int], None]:
    """Random games of ours, through the public interface."""
    game = rulegame.load(name)

    def play(games: int, seed: int) -> None:
        rng = Random(seed)
        for _ in range(games):
            state = game.start(first=0)
            while state.outcome is None:
                state = state.play(rng.choice(state.moves))

    return play


class Environment:
    """Random games of theirs, and what the last ones were like."""

    played: Played

    def __init__(self, env: Any) -> None:
        self._env = env

    def play(self, games: int, seed: int) -> None:
        env, rng = self._env, Random(seed)
        lengths, wins = [], [0, 0]
        for _ in range(games):
            env.reset()
            length = 0
            while not any(env.terminations.values()):
                observation, *_ = env.last()
                valid = observation["action_mask"].nonzero()[0]
                env.step(int(rng.choice(valid)))
                length += 1
            lengths.append(length)
            for seat, agent in enumerate(env.possible_agents):
                wins[seat] += env.rewards[agent] > 0
        self.played = Played.of(lengths, *wins)


def measures(options: Options) -> list[Measure]:
    """Our games, to compare versions."""
    found = []
    for name in GAMES:
        found.append(Measure(name, "field.rollouts.measure", (name, {}, options.seconds)))
        found.append(Measure(name, "field.environments.measure_steps", (name, options.seconds)))
    return found


def measure_steps(name: str, seconds: float) -> Seconds:
    return {"a game, one by one": seconds_each(stepped(name), seconds, FEWEST)}
