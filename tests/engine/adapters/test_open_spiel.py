"""Rulesets as games of OpenSpiel: its own tests, and its algorithms beside ours."""

from __future__ import annotations

import pickle
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import rulegame
from rulegame.bundled import ruleset_names
from support.rulesets import BIDDING
from support.tiers import library

pytestmark = pytest.mark.full

pyspiel = library("pyspiel")
open_spiel = library("rulegame.adapters.open_spiel")

PICKING = """
rulegame: 1
title: Picking
parameters:
  sides: {default: 3, min: 2, max: 9}
state:
  shown: {type: optional int}
  each player:
    card: {start: 0, seen by: owner}
operations:
  draw:
    when: my.card == 0
    roll: {mine: 1..sides}
    effects: {my.card: mine}
  guess:
    when: my.card > 0
    choose: {n: {from: 1..sides}}
    effects: {shown: n}
end:
  guessed: {when: shown != none and shown == their.card, result: win}
  wrong: {when: shown != none, result: lose}
"""


def play(game: Any, *actions: int) -> Any:
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


TOLD = {"sealed_bids": "(min_utility=0,max_utility=34)"}  # what nothing else tells


@pytest.mark.parametrize("name", ruleset_names())
def test_games_pass_the_hosts_own_test(name: str) -> None:
    game = pyspiel.load_game(f"rulegame_{name}{TOLD.get(name, '')}")
    if game.max_game_length() == 1000 and name not in TOLD:  # they are long, or endless
        game = pyspiel.load_game(f"rulegame_{name}(max_game_length=60)")
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)


def test_a_file_is_a_game_with_its_parameters(tmp_path: Path) -> None:
    path = tmp_path / "picking.yaml"
    path.write_text(PICKING, "utf-8")
    game = open_spiel.game(path, sides=4)
    assert game.num_distinct_actions() == 1 + 4
    assert game.max_chance_outcomes() == 4
    assert game.get_parameters()["sides"] == 4
    kind = game.get_type()
    assert kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert kind.utility == pyspiel.GameType.Utility.ZERO_SUM
    assert (game.min_utility(), game.max_utility()) == (-1, 1)
    assert game.max_game_length() == 3
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


def test_two_files_of_one_name_are_two_games(tmp_path: Path) -> None:
    sides = []
    for number in (2, 5):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "g.yaml").write_text(PICKING.replace("default: 3", f"default: {number}"), "utf-8")
        sides.append(open_spiel.game(folder / "g.yaml").max_chance_outcomes())
    assert sides == [2, 5]


def test_lists_are_parameters_too() -> None:
    game = open_spiel.game("zero_sum_duel", numbers=[2, 3], start=7)
    state = game.new_initial_state()
    texts = [state.action_to_string(action) for action in state.legal_actions()]
    assert texts == ["subtract 2", "subtract 3"]
    again = pyspiel.load_game(str(game))
    assert str(again) == str(game)


def test_what_is_hidden_is_not_in_what_a_player_sees(tmp_path: Path) -> None:
    path = tmp_path / "picking.yaml"
    path.write_text(PICKING, "utf-8")
    game = open_spiel.game(path)
    one, other = play(game, 0, 0, 0, 1), play(game, 0, 2, 0, 1)
    assert str(one) != str(other)
    assert one.information_state_string(1) == other.information_state_string(1)
    assert one.information_state_tensor(1) == other.information_state_tensor(1)
    assert one.observation_string(1) == other.observation_string(1)
    assert one.observation_tensor(1) == other.observation_tensor(1)
    assert one.information_state_string(0) != other.information_state_string(0)
    assert one.information_state_tensor(0) != other.information_state_tensor(0)
    assert one.observation_tensor(0) != other.observation_tensor(0)


def test_what_everybody_sees_holds_nothing_private(tmp_path: Path) -> None:
    from open_spiel.python import observation

    path = tmp_path / "picking.yaml"
    path.write_text(PICKING, "utf-8")
    game = open_spiel.game(path)
    kinds = pyspiel.PrivateInfoType
    public = observation.make_observation(game, pyspiel.IIGObservationType(True, False, kinds.NONE))
    found = set()
    for actions in ((0, 0, 0, 1), (0, 2, 0, 1), (0, 2, 0, 0)):
        state = play(game, *actions)
        for player in range(2):
            public.set_from(state, player)
            found.add((public.string_from(state, player), tuple(public.tensor)))
    assert len(found) == 1
    public.set_from(play(game, 0, 0, 0, 1, 2), 0)
    assert (public.string_from(play(game, 0, 0, 0, 1, 2), 0), tuple(public.tensor)) not in found
    alone = pyspiel.IIGObservationType(False, False, kinds.SINGLE_PLAYER)
    everything = pyspiel.IIGObservationType(True, False, kinds.ALL_PLAYERS)
    for kind in (alone, everything):
        nothing = observation.make_observation(game, kind)
        assert (nothing.tensor, nothing.string_from(state, 0)) == (None, None)


def test_games_that_may_be_endless_are_cut() -> None:
    game = pyspiel.load_game("rulegame_double_or_nothing_10(max_game_length=3)")
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == [0, 0]
    assert state.move_number() == 3


GROWING = """
rulegame: 1
title: Growing
state:
  each player: {coins: 0}
operations:
  save: {choose: {n: 1..9}, effects: {my.coins: my.coins + n}}
  stop: {effects: {their.coins: their.coins - 1}}
end:
  far: {when: my.coins > 100000, payoff: coins}
"""


ROLLED = [
    # as many rolls before the first move as there are moves
    """\
setup: {deal: {roll: {d: 1..2}, effects: {my.v: d}}}
operations: {show: {effects: {shown: shown + 1}}}
""",
    # a roll after the last move
    "operations: {show: {roll: {d: 1..2}, effects: {my.v: d, shown: shown + 1}}}\n",
]


@pytest.mark.parametrize("rules", ROLLED)
def test_games_of_known_length_end_by_themselves(rules: str, tmp_path: Path) -> None:
    path = tmp_path / "rolled.yaml"
    path.write_text(
        "rulegame: 1\ntitle: Rolled\nstate: {shown: 0, each player: {v: 0}}\n"
        + rules
        + 'end: {all: {when: shown == 2, payoff: "[v[1] - v[2], v[2] - v[1]]"}}\n'
    )
    state, mine = open_spiel.game(path).new_initial_state(), rulegame.load(path).start()
    while not mine.is_over:
        assert not state.is_terminal()
        action = state.legal_actions()[-1 if state.history() else 0]
        mine = mine.play(state.action_to_string(state.current_player(), action))
        state.apply_action(action)
    assert state.is_terminal()
    assert mine.outcome is not None
    assert state.returns() == list(map(float, mine.outcome.payoffs))


def test_payoffs_without_bounds_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "growing.yaml"
    path.write_text(GROWING, "utf-8")
    with pytest.raises(rulegame.Unbounded, match="nothing says how much 'far' can pay"):
        open_spiel.game(path)
    game = open_spiel.game(path, min_utility=-5, max_utility=100_009)
    assert (game.min_utility(), game.max_utility()) == (-5, 100_009)
    state = open_spiel.game(path, min_utility=-5, max_utility=9).new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    assert state.returns() == [0, 0]
    rich = state.state.game.begin({"coins": [100_000, 0]}).play("save 9")
    state._line = open_spiel._Line(rich)
    with pytest.raises(ValueError, match="is not between min_utility and max_utility"):
        state.returns()


def test_cfr_comes_to_the_value_of_kuhn_poker() -> None:
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    game = pyspiel.load_game("rulegame_kuhn_poker")
    solver = cfr.CFRPlusSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    value = expected_game_score.policy_value(game.new_initial_state(), [policy, policy])
    assert value[0] == pytest.approx(-1 / 18, abs=1e-3)
    assert exploitability.exploitability(game, policy) < 2e-3


def test_values_of_states_agree() -> None:
    from open_spiel.python.algorithms import value_iteration

    game = pyspiel.load_game("rulegame_nim(heaps=1;2;3)")
    values = value_iteration.value_iteration(game, depth_limit=-1, threshold=1e-6)
    ours = rulegame.load("nim", {"heaps": [1, 2, 3]})
    solution = rulegame.solve(ours)
    assert len(values) == len(rulegame.explore(ours))
    assert values[str(game.new_initial_state())] == float(solution.value or Fraction(9))


def histories(state: Any) -> int:
    """How many plays there are from a state on."""
    if state.is_terminal():
        return 1
    if not state.is_simultaneous_node():
        actions = [a for a, _ in state.chance_outcomes()] if state.is_chance_node() else None
        return sum(histories(state.child(a)) for a in actions or state.legal_actions())
    found = 0
    for one in state.legal_actions(0):
        for other in state.legal_actions(1):
            twin = state.clone()
            twin.apply_actions([one, other])
            found += histories(twin)
    return found


SOME = """
rulegame: 1
title: Some
state:
  turns: 0
  each player: {score: 0}
turn:
  together: list(p for p in players if seat(p) != mod(turns, 3) + 1)
  effects: {turns: turns + 1}
operations:
  add: {choose: {n: 1..2}, effects: {my.score: my.score + n}}
end:
  done: {when: turns == 3, payoff: score}
players: [A, B, C]
stuck: draw
"""


def test_players_who_choose_at_once(tmp_path: Path) -> None:
    path = tmp_path / "bidding.yaml"
    path.write_text(BIDDING, "utf-8")
    game = open_spiel.game(path)
    kind = game.get_type()
    assert kind.dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    assert kind.information == pyspiel.GameType.Information.PERFECT_INFORMATION
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    assert histories(game.new_initial_state()) == 6 * 6 * 6


def test_some_players_who_choose_at_once(tmp_path: Path) -> None:
    path = tmp_path / "some.yaml"
    path.write_text(SOME, "utf-8")
    game = open_spiel.game(path)
    state = game.new_initial_state()
    assert state.is_simultaneous_node()
    assert [state.legal_actions(seat) for seat in range(3)] == [[2], [0, 1], [0, 1]]
    state.apply_actions([2, 1, 0])
    assert [state.legal_actions(seat) for seat in range(3)] == [[0, 1], [2], [0, 1]]
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    assert (game.min_utility(), game.max_utility()) == (2, 4)


SHOWN = "import pickle, sys; print(*map(str, pickle.load(sys.stdin.buffer)), sep='\\n')"


@pytest.mark.parametrize("name", ["nim", "rock_paper_scissors", "picking"])
def test_games_and_states_can_be_sent_to_another_process(name: str, tmp_path: Path) -> None:
    """OpenSpiel's AlphaZero sends games to the processes that play."""
    file = tmp_path / "my picking.yaml"
    file.write_text(PICKING, encoding="utf-8")
    game = open_spiel.game(file, sides=4) if name == "picking" else open_spiel.game(name)
    state, sent = game.new_initial_state(), [game]
    while not state.is_terminal() and len(sent) < 8:
        if state.is_simultaneous_node():
            state.apply_actions([state.legal_actions(seat)[-1] for seat in range(2)])
        else:
            state.apply_action(state.legal_actions()[-1])
        sent.append(state.clone())
    result = subprocess.run(
        [sys.executable, "-c", SHOWN], input=pickle.dumps(sent), capture_output=True, check=True
    )
    assert result.stdout.decode().splitlines() == [
        line for one in sent for line in str(one).splitlines()
    ]
    assert pickle.loads(pickle.dumps(game)) == game
    copy = pickle.loads(pickle.dumps(state))
    assert (copy.history(), copy.returns()) == (state.history(), state.returns())
