"""OpenSpiel's own tests of what games must be like, for ours; and its algorithms beside ours."""

from __future__ import annotations

import unittest
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import rulegame
from fuzz import rulesets_way, secrets_way, together_way
from rulegame.bundled import ruleset_names
from support.rulesets import BIDDING
from support.tiers import library

pytestmark = pytest.mark.full

pyspiel = library("pyspiel")
open_spiel = library("rulegame.adapters.open_spiel")
api = library("open_spiel.integration_tests.api_test")

TOLD = {"sealed_bids": {"min_utility": 0, "max_utility": 34}}  # what nothing else tells


def enforce(base: Any, game: Any, name: str, **states: Any) -> None:
    """Runs one of OpenSpiel's classes of tests for a game; `states` are those it looks at."""

    class Enforced(base):  # type: ignore[misc]
        @classmethod
        def setUpClass(cls) -> None:
            if not states:
                super().setUpClass()

    Enforced.game, Enforced.game_name = game, name
    for key, value in {**states, "game_type": game.get_type()}.items():
        setattr(Enforced, key, value)
    found = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(Enforced).run(found)
    assert found.testsRun
    assert not found.errors + found.failures, (found.errors + found.failures)[0][1]


def check_some_states(game: Any) -> None:
    states = api.sample_some_states.sample_some_states(game, max_states=8)
    enforce(api.EnforceAPIOnPartialTreeBase, game, str(game), some_states=states)


@pytest.mark.parametrize("name", ruleset_names())
def test_bundled_games_are_as_they_must_be(name: str) -> None:
    game = open_spiel.game(name, max_game_length=40, **TOLD.get(name, {}))
    check_some_states(game)


@pytest.mark.parametrize("make", [rulesets_way.make, secrets_way.make, together_way.make])
def test_random_games_are_as_they_must_be(make: Any, tmp_path: Path) -> None:
    checked = 0
    for seed in range(80):
        path = tmp_path / f"game_{seed}.yaml"
        path.write_bytes(make(Random(seed)))
        try:
            if not 0 < len(rulegame.load(path).actions) < 100:
                continue
            game = open_spiel.game(path, max_game_length=12)
            pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
        except (rulegame.RulesetError, rulegame.Unbounded, rulegame.GameError):
            continue
        check_some_states(game)
        checked += 1
        if checked == 4:
            return
    pytest.fail("there were too few of them")


# The numbers that OpenSpiel has for its own games: rolls, decisions, ends; information sets.
SAME = {"kuhn_poker": ((4, 24, 30), 12)}


@pytest.mark.parametrize("name", SAME)
def test_every_state_is_as_it_must_be(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    states, known = SAME[name]
    assert (api.TOTAL_NUM_STATES[name], api.PERFECT_RECALL_NUM_STATES[name]) == (states, known)
    enforce(api.EnforceAPIOnFullTreeBase, open_spiel.game(name), name)


# ---- algorithms


def test_our_solution_cannot_be_exploited() -> None:
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import exploitability

    game = open_spiel.game("kuhn_poker")
    solution = rulegame.solve(rulegame.load("kuhn_poker"), "hidden")
    table = policies.TabularPolicy(game)
    for number, state in enumerate(table.states):
        row = np.zeros(game.num_distinct_actions())
        seat = state.current_player()
        shares = solution.strategy(state.state.view(seat, state.past))
        assert shares is not None
        for move, share in shares.items():
            row[state.kept.game.actions.index(move)] = float(share)
        table.action_probability_array[number] = row
    assert exploitability.exploitability(game, table) < 1e-9


def test_search_finds_what_solving_finds() -> None:
    from open_spiel.python.algorithms import mcts

    game = open_spiel.game("nim", heaps=[2, 3])
    solution = rulegame.solve(rulegame.load("nim", {"heaps": [2, 3]}), "perfect_information")
    state = game.new_initial_state()
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    bot = mcts.MCTSBot(game, 2, 300, evaluator, solve=True, random_state=np.random.RandomState(2))
    while not state.is_terminal():
        best = {str(move) for move in solution.best_moves(state.state)}
        action = bot.step(state)
        assert state.action_to_string(action) in best
        state.apply_action(action)
    assert state.returns() == [float(solution.value or 0), -float(solution.value or 0)]


# ---- golden files


@pytest.mark.parametrize("name", ["zero_sum_duel", "kuhn_poker", "bidding"])
def test_playthroughs_are_written_and_replayed(name: str, tmp_path: Path) -> None:
    from open_spiel.python.algorithms import generate_playthrough

    which: str | Path = name
    if name == "bidding":
        which = tmp_path / "bidding.yaml"
        which.write_text(BIDDING, "utf-8")
    given = {"start": 6} if name == "zero_sum_duel" else {}
    text = open_spiel.playthrough(which, seed=3, **given)
    path = tmp_path / "golden.txt"
    path.write_text(text, "utf-8")
    before, again = generate_playthrough.replay(str(path))
    assert before == again == text
    assert "Returns() = [" in text
    if name == "zero_sum_duel":
        assert 'Apply action "subtract 5"' in open_spiel.playthrough(name, [4, 3, 0], start=6)
