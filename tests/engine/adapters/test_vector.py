"""Many games as one environment of Gymnasium."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rulegame
from support.tiers import library

pytestmark = pytest.mark.full

vector = library("rulegame.adapters.vector")
wrappers = library("gymnasium.wrappers.vector")
MODES = library("gymnasium.vector").AutoresetMode


def choose(infos: dict[str, Any], rng: np.random.Generator) -> Any:
    """A valid action in each game."""
    mask = infos["action_mask"]
    return (rng.random(mask.shape) * mask).argmax(axis=1)


def test_it_is_an_environment_of_many() -> None:
    env = vector.vector_env("pig", 6, target=20)
    assert env.observation_space.shape == (6, *env.single_observation_space.shape)
    assert env.action_space.shape == (6,)
    counted = wrappers.RecordEpisodeStatistics(env)
    observations, infos = counted.reset(seed=3)
    assert observations in env.observation_space
    rng, ends = np.random.default_rng(1), 0
    for _ in range(200):
        observations, rewards, over, cut, infos = counted.step(choose(infos, rng))
        assert observations in env.observation_space
        assert (rewards == infos["rewards"].max(axis=1)).all()  # who ends this game wins it
        assert not cut.any()
        ends += int(over.sum())
    assert ends > 10
    assert counted.episode_count == ends


def test_seeds_decide() -> None:
    def seen(seed: Any, rows: int = 4) -> list[Any]:
        env = vector.vector_env("pig", rows)
        env.reset(seed=seed)
        return [env.step(np.zeros(rows, np.int64))[0].tolist() for _ in range(20)]

    assert seen(5) == seen(5) == seen([5, 6, 7, 8])
    assert seen(5) != seen(6)
    assert [row[1] for row in seen(5)] == [row[0] for row in seen(6, rows=1)]
    env = vector.vector_env("pig", 2)
    with pytest.raises(ValueError, match="expected 2 seeds, not 3"):
        env.reset(seed=[1, 2, 3])


def test_what_has_ended_begins_again() -> None:
    def step(env: Any, *actions: int) -> Any:
        return env.step(np.array(actions))

    short = {"start": 3, "numbers": [1, 2, 3]}
    env = vector.vector_env("zero_sum_duel", 2, **short)  # in the next step
    first, _ = env.reset(seed=1)
    _, rewards, over, _, infos = step(env, 2, 0)
    assert (rewards.tolist(), over.tolist()) == ([1, 0], [True, False])
    assert infos["rewards"].tolist() == [[1, -1], [0, 0]]
    assert infos["action_mask"].tolist()[0] == [0, 0, 0]
    seen, rewards, over, _, infos = step(env, 0, 2)
    assert (rewards.tolist(), over.tolist()) == ([0, 1], [False, True])
    assert seen[0].tolist() == first[0].tolist()
    same = vector.vector_env("zero_sum_duel", 2, autoreset_mode=MODES.SAME_STEP, **short)
    same.reset(seed=1)
    seen, rewards, over, _, infos = step(same, 2, 0)
    assert (rewards.tolist(), over.tolist()) == ([1, 0], [True, False])
    assert seen[0].tolist() == first[0].tolist()
    assert infos["_final_obs"].tolist() == [True, False]
    assert infos["final_obs"][0].tolist() != first[0].tolist()
    by_hand = vector.vector_env("zero_sum_duel", 2, autoreset_mode=MODES.DISABLED, **short)
    by_hand.reset(seed=1)
    step(by_hand, 2, 0)
    with pytest.raises(ValueError, match=r"game 0 is over: reset\(options={'reset_mask': …}\)"):
        step(by_hand, 0, 2)
    seen, _ = by_hand.reset(options={"reset_mask": np.array([True, False])})
    assert seen[0].tolist() == first[0].tolist()
    assert step(by_hand, 0, 2)[2].tolist() == [False, True]
    for wrong in ([True, False], np.array([1, 0]), np.array([True]), np.array([False, False])):
        with pytest.raises((TypeError, ValueError), match="options"):
            by_hand.reset(options={"reset_mask": wrong})


def test_an_invalid_action_loses_and_a_long_game_is_cut() -> None:
    env = vector.vector_env("zero_sum_duel", 1, start=6)
    env.reset(seed=1)
    env.step(np.array([4]))
    _, rewards, over, cut, infos = env.step(np.array([4]))  # barred: it was just used
    assert (rewards.tolist(), over.tolist(), cut.tolist()) == ([-1], [True], [False])
    assert infos["rewards"].tolist() == [[0, -1]]
    assert infos["invalid"].tolist() == [True]
    long = vector.vector_env("double_or_nothing_10", 1, max_moves=2)
    long.reset(seed=1)
    assert not long.step(np.array([0]))[3].any()
    assert long.step(np.array([0]))[3].all()


def test_one_seat_against_chance() -> None:
    env = vector.vector_env("zero_sum_duel", 64, seat=1, start=12)
    _, infos = env.reset(seed=2)
    rng, wins = np.random.default_rng(2), set()
    assert (infos["player"] == 1).all()
    for _ in range(30):
        _, rewards, over, _, infos = env.step(choose(infos, rng))
        assert (infos["player"] == 1).all()
        wins |= set(rewards[over].tolist())
    assert wins == {-1.0, 1.0}


def test_what_is_hidden_is_not_observed() -> None:
    env = vector.vector_env("number_duel", 2)
    _, infos = env.reset(seed=[1, 1])
    valid = np.flatnonzero(infos["action_mask"][0])
    seen, *_, infos = env.step(np.array([valid[0], valid[50]]))
    assert infos["player"].tolist() == [1, 1]
    assert seen[0].tolist() == seen[1].tolist()


def test_wrong_calls() -> None:
    env = vector.vector_env(rulegame.load("nim"), 2)
    with pytest.raises(RuntimeError, match="no game has begun: call reset first"):
        env.step(np.zeros(2, np.int64))
    with pytest.raises(ValueError, match="the first reset is that of all rows"):
        env.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(TypeError, match="has its parameters already: heaps"):
        vector.vector_env(rulegame.load("nim"), 2, heaps=[1])
    with pytest.raises(rulegame.RulesetNotFound):
        vector.vector_env("no_such_game", 2)
