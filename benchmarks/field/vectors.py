"""Steps a second: many games at once (`adapters.vector`) beside PettingZoo's environments."""

from __future__ import annotations

from random import Random
from typing import Any, Final

import numpy as np

from field.environments import GAMES
from field.measuring import Options, heading, in_turns, rate_row, seconds_each, show
from field.versions import Measure, Seconds
from rulegame.adapters.vector import vector_env

AT_ONCE: Final = 1024
FEWEST: Final = 100 * AT_ONCE  # steps in a measurement
REQUIRED: Final = 10.0  # times the steps of PettingZoo


def run(options: Options) -> None:
    """The section."""
    heading(
        "steps a second at random",
        "PettingZoo",
        about=f"vector_env of {AT_ONCE} games: observations, masks, a valid action in each, step.",
    )
    for name, module in GAMES.items():
        ours, theirs = Games(name), Steps(module.env())
        rates = in_turns(ours.play, theirs.play, options, (FEWEST, 100))
        show(rate_row(name, rates, REQUIRED))


def measures(options: Options) -> list[Measure]:
    """The same steps, to compare versions."""
    return [Measure(name, "field.vectors.measure", (name, options.seconds)) for name in GAMES]


def measure(name: str, seconds: float) -> Seconds:
    return {"a step": seconds_each(Games(name).play, seconds, FEWEST)}


class Games:
    """Random steps of ours."""

    def __init__(self, name: str) -> None:
        self._env = vector_env(name, AT_ONCE, autoreset_mode="SameStep")

    def play(self, steps: int, seed: int) -> None:
        rng = np.random.default_rng(seed)
        _, infos = self._env.reset(seed=seed)
        for _ in range(-(-steps // AT_ONCE)):
            mask = infos["action_mask"]
            drawn = rng.random(mask.shape, np.float32)
            *_, infos = self._env.step((drawn * mask).argmax(axis=1))


class Steps:
    """Random steps of theirs."""

    def __init__(self, env: Any) -> None:
        self._env = env

    def play(self, steps: int, seed: int) -> None:
        env, rng = self._env, Random(seed)
        env.reset(seed=seed)
        for _ in range(steps):
            if any(env.terminations.values()):
                env.reset()
            observation, *_ = env.last()
            env.step(int(rng.choice(observation["action_mask"].nonzero()[0])))
