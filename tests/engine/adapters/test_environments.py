"""Rulesets as environments of PettingZoo and Gymnasium: the hosts' own tests, and what is shown."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import rulegame
from rulegame.bundled import ruleset_names
from support.rulesets import BIDDING
from support.tiers import library

pytestmark = pytest.mark.full

library("PIL")
zoo = library("rulegame.adapters.pettingzoo")
gym = library("rulegame.adapters.gymnasium")
tests = library("pettingzoo.test")
checker = library("gymnasium.utils.env_checker")

GAMES = ruleset_names("games", "variants")


@pytest.fixture(autouse=True)
def _quiet() -> Any:
    """The hosts warn of observations with masks beside them, which they use themselves."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@pytest.mark.parametrize("name", ruleset_names())
def test_games_pass_the_api_test(name: str) -> None:
    tests.api_test(zoo.env(name, max_moves=60), num_cycles=60)


@pytest.mark.parametrize("name", GAMES)
def test_games_pass_the_other_tests(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    tests.seed_test(lambda: zoo.env(name, max_moves=60), num_cycles=10)
    tests.render_test(lambda render_mode=None: zoo.env(name, render_mode=render_mode))
    tests.api_test(zoo.env(name, observations="dict", max_moves=60), num_cycles=20)


@pytest.mark.parametrize("name", ruleset_names())
def test_one_seat_passes_the_checker(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    checker.check_env(gym.env(name, max_moves=60), skip_render_check=True)


def test_an_invalid_action_is_a_loss() -> None:
    env = zoo.env("zero_sum_duel", start=6)
    env.reset(seed=1)
    env.step(4)
    env.step(4)  # barred: it was just used
    assert env.rewards == {"player_0": 0, "player_1": -1}
    assert all(env.terminations.values())
    one = gym.env("zero_sum_duel", opponent="perfect", start=20)
    one.reset(seed=1)
    mask = one.step(4)[4]["action_mask"]
    assert sorted(set(mask)) == [0, 1]  # it goes on, and what was just used is barred
    _, reward, over, cut, info = one.step(int(np.flatnonzero(mask == 0)[0]))
    assert (reward, over, cut, info["invalid"]) == (-1, True, False, True)


def test_what_is_hidden_is_not_observed() -> None:
    seen = []
    for pick in (0, 50):
        env = zoo.env("number_duel")
        env.reset(seed=1)
        env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[pick]))
        seen.append(env.observe("player_1")["observation"])
        assert env.observe("player_1")["action_mask"].any()
        assert not env.observe("player_0")["action_mask"].any()
    assert (seen[0] == seen[1]).all()


def test_the_seed_decides_what_falls() -> None:
    def totals(seed: int) -> list[Any]:
        env = zoo.raw_env("pig")
        env.reset(seed=seed)
        for _ in range(20):
            env.step(0)
        return [str(move) for _, move in env._episode.past]

    assert totals(1) == totals(1)
    assert totals(1) != totals(2)


def test_games_are_cut_off() -> None:
    env = zoo.env("double_or_nothing_10", max_moves=2)
    env.reset()
    env.step(0)
    assert not any(env.truncations.values())
    env.step(0)
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


def test_opponents_are_played_from_their_own_seat() -> None:
    env = gym.env(rulegame.load("zero_sum_duel", {"start": 6}), seat=1, opponent="perfect")
    _, info = env.reset(seed=3)
    assert env._episode.past[0][0].player == 0
    assert info["action_mask"].sum() == 4
    with pytest.raises(IndexError, match="there is no seat 2"):
        gym.env("pig", seat=2)
    with pytest.raises(TypeError, match="has its parameters already: start"):
        gym.env(rulegame.load("zero_sum_duel"), start=3)
    with pytest.raises(ValueError, match="render_mode is one of human, ansi, rgb_array"):
        zoo.env("pig", render_mode="svg")


def test_all_act_together_where_players_choose_at_once() -> None:
    game = rulegame.loads(BIDDING)
    tests.parallel_api_test(zoo.parallel_env(game), num_cycles=30)
    env = zoo.parallel_env(game)
    seen, _ = env.reset(seed=4)
    assert [seen[agent]["action_mask"].tolist() for agent in env.agents] == [[1, 1, 1]] * 2
    seen, rewards, over, _, _ = env.step({"player_0": 2, "player_1": 0})
    assert [seen[agent]["action_mask"].tolist() for agent in env.agents] == [[1, 1, 0], [0, 1, 1]]
    assert not any(over.values())
    _, rewards, over, _, _ = env.step({"player_0": 2, "player_1": 1})
    assert rewards == {"player_0": -1, "player_1": 0}
    assert all(over.values())
    assert env.agents == []
    with pytest.raises(ValueError, match=r"one player moves after the other: env\(…\) is for it"):
        zoo.parallel_env("pig")


def test_one_after_the_other_they_do_not_see_what_is_chosen() -> None:
    seen = []
    for action in (0, 2):
        env = zoo.env(rulegame.loads(BIDDING))
        env.reset(seed=4)
        env.step(action)
        seen.append(env.observe("player_1")["observation"])
    assert (seen[0] == seen[1]).all()
