"""The state graph: the same states and moves as playing through the public interface."""

from __future__ import annotations

from fractions import Fraction
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import rulegame
from rulegame.bundled import ruleset_names
from rulegame.compiling import OVER
from rulegame.exploring import StateGraph
from rulegame.exploring import expansion as expanding
from rulegame.exploring.expansion import ASK, GROUP, Expansion
from support.backends import BACKENDS, MACHINE_CODE, PYTHON, use_backend
from support.games import load

SMALL: dict[str, dict[str, Any]] = {
    "dice_duel": {"target": 7},
    "double_or_nothing_10": {},
    "double_or_nothing_31": {},
    "nim": {"heaps": [2, 3]},
    "number_duel": {"count": 1, "highest": 3, "target": 5},
    "pig": {"target": 7},
    "tic_tac_toe": {"line": 2},
    "zero_sum_duel": {"start": 8},
    "dice_duel_multiply": {"target": 5},
    "misere_nim": {},
    "three_player_pig": {"target": 4, "sides": 3},
    "triple_or_nothing": {},
    "zero_sum_sprint": {},
}

PASSING = """\
rulegame: 1
title: Passing
state: {left: 5}
operations:
  take:
    choose: {n: "[2, 3]"}
    effects: {left: left - n}
validity: {enough: after.left >= 0}
stuck: {result: pass, all: lose}
end:
  none_left: {when: left == 0, result: win}
"""


def reachable(start: rulegame.State) -> list[rulegame.State]:
    """Every state, by playing; in the order in which they are met."""
    seen = {start: None}
    queue = [start]
    for state in queue:
        for move in state.moves:
            after = state.play(move)
            if after not in seen:
                seen[after] = None
                queue.append(after)
    return queue


def check_against_play(graph: StateGraph, first: int) -> None:
    states = reachable(graph.game.start(first))
    assert len(graph) == len(states)
    assert graph.edges == sum(len(state.moves) for state in states)
    for number, state in enumerate(states):
        assert graph.number(state) == number
        assert graph.state(number) == state
        following = [(move, graph.state(target)) for move, target in graph.following(number)]
        assert following == [(move, state.play(move)) for move in state.moves]
        if state.outcome is not None:
            assert graph.owner[number] == OVER
            assert graph.outcomes[graph.outcome[number]] == state.outcome
        else:
            assert graph.owner[number] == state.player
            assert graph.outcome[number] == -1
        if state.player == rulegame.CHANCE:
            chances = [(graph.number(state.play(m)), share) for m, share in state.chances]
            assert graph.chances(number) == chances


def test_every_bundled_ruleset_is_explored() -> None:
    assert set(SMALL) == set(ruleset_names("games", "variants"))


@pytest.fixture(params=["Python", "machine code", "in turns"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """How states are expanded: each way must find the same."""
    use_backend(monkeypatch, PYTHON if request.param == "Python" else MACHINE_CODE)
    monkeypatch.setattr(expanding, "EDGES", GROUP + 50)  # of one call of machine code
    monkeypatch.setattr(expanding, "OPTIONS", 2)  # of a state, to begin with
    if request.param == "in turns":
        _take_turns(monkeypatch)
    return str(request.param)


def _take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every other time, machine code leaves a state to Python."""
    run, calls = Expansion.run, count()

    def running(expansion: Expansion) -> int:
        if expansion.p[0] < expansion.p[1] and next(calls) % 2:
            return ASK
        return run(expansion)

    monkeypatch.setattr(Expansion, "run", running)


@pytest.mark.quick(6)
@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("name", SMALL)
def test_the_graph_is_what_can_be_played(name: str, first: int, way: str) -> None:
    check_against_play(rulegame.explore(rulegame.load(name, SMALL[name]), first=first), first)


def test_tic_tac_toe_has_as_many_positions_as_every_book_says() -> None:
    graph = rulegame.explore(rulegame.load("tic_tac_toe"))
    assert len(graph) == 5478
    check_against_play(graph, 0)


def test_passes_and_stuck_players_are_not_states(way: str) -> None:
    graph = rulegame.explore(load(PASSING))
    check_against_play(graph, 0)
    assert {outcome.rule for outcome in graph.outcomes} == {"none_left", "all_stuck"}


def test_weights_of_a_roll_are_in_proportion(way: str) -> None:
    text = """\
rulegame: 1
title: Weighted
state: {n: 0}
turn:
  roll:
    card: {from: 1..3, weight: card}
operations:
  take: {effects: {n: n + card}}
end:
  enough: {when: n > 2, result: win}
"""
    graph = rulegame.explore(load(text))
    check_against_play(graph, 0)
    assert [chance for _, chance in graph.chances(0)] == [
        Fraction(1, 6),
        Fraction(1, 3),
        Fraction(1, 2),
    ]


def test_weights_beyond_all_measure_are_refused() -> None:
    text = """\
rulegame: 1
title: Heavy
state: {n: 0}
turn:
  roll:
    card: {from: 1..3, weight: 9223372036854775807 - card}
operations:
  take: {effects: {n: n + card}}
end:
  enough: {when: n > 2, result: win}
"""
    with pytest.raises(rulegame.TooLarge, match="do not fit in 63 bits"):
        rulegame.explore(load(text))


def test_a_budget_says_how_far_it_got() -> None:
    with pytest.raises(rulegame.TooLarge, match="more than 1,000 positions") as refusal:
        rulegame.explore(rulegame.load("tic_tac_toe"), max_states=1000)
    assert refusal.value.states == 1000
    assert 0 < refusal.value.expanded < 1000
    assert len(rulegame.explore(rulegame.load("tic_tac_toe"), max_states=5478)) == 5478


def test_a_budget_allows_as_many_states_as_it_says(way: str) -> None:
    game = rulegame.load("nim", {"heaps": [2, 3]})
    states = len(rulegame.explore(game))
    assert len(rulegame.explore(game, max_states=states)) == states
    with pytest.raises(rulegame.TooLarge, match=f"{states - 1} positions"):
        rulegame.explore(game, max_states=states - 1)


def test_a_budget_of_memory() -> None:
    with pytest.raises(rulegame.TooLarge, match="bytes"):
        rulegame.explore(rulegame.load("pig"), max_memory=10_000_000)


def test_progress_is_told() -> None:
    told: list[tuple[str, int, int | None]] = []
    graph = rulegame.explore(
        rulegame.load("tic_tac_toe"), progress=lambda *report: told.append(report)
    )
    assert told
    assert all(task and 0 < done <= len(graph) for task, done, _ in told)


ROLL_AFTER_A_PASS = """\
rulegame: 1
title: Only the Second
state: {n: 0}
operations:
  flip:
    when: seat(me) == 2
    roll: {coin: 1..2}
    effects: {n: n + coin}
    next: me
stuck: pass
end:
  enough: {when: n >= 4, result: win}
"""


def test_a_move_ends_a_row_of_passes_even_while_its_roll_is_due() -> None:
    played = load(ROLL_AFTER_A_PASS)
    passed, not_passed = played.start(0), played.start(1)
    assert passed != not_passed
    assert passed.play(passed.moves[0]) == not_passed.play(not_passed.moves[0])


LONG_PASSES = """\
rulegame: 1
title: Long Passes
state: {n: 9000, k: 0, m: 0}
operations:
  go:
    when: seat(me) == 2
    choose: {c: 1..9}
    effects: {k: k * 9 + c}
stuck:
  result: pass
  effects: {m: sum(1 for i in 1..n)}
end:
  far: {when: k > 3000, result: win}
"""


@pytest.mark.quick(1)
@pytest.mark.parametrize("backend", BACKENDS)
def test_what_stuck_players_cost_is_counted_for_each_state(
    backend: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Together they take more steps than one move may."""
    use_backend(monkeypatch, backend)
    assert len(rulegame.explore(load(LONG_PASSES))) > 3000


FAILING = """\
rulegame: 1
title: Failing
parameters: {{last: 7}}
state:
  x: {{type: list of int, size: 3}}
  n: 0
operations:
  up:
    choose: {{i: 1..3}}
    {roll}
    effects:
      x[i]: x[i] + 1
      n: n + 1
stuck: {{unless: after.n != 5, result: pass, effects: {{n: n + 1}}}}
end:
  over: {{when: n >= 12, result: draw}}
  bad: {{when: "10 / (n - last + x[2]) > 100", result: win}}
"""


def _shortest_to_a_fault(game: rulegame.Game) -> int:
    """How many moves lead to the first failure, by playing everything."""
    layer, length = {game.start()}, 0
    while layer:
        length += 1
        following = set()
        for state in layer:
            for move in state.moves:
                try:
                    following.add(state.play(move))
                except rulegame.GameError:
                    return length
        layer = following
    raise AssertionError("nothing fails")


@pytest.mark.parametrize("backend", BACKENDS)
@pytest.mark.parametrize("roll", ["", "roll: {die: 1..2}"])
def test_where_the_rules_fail_a_shortest_play_leads_there(
    backend: str, roll: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    use_backend(monkeypatch, backend)
    path = tmp_path / "failing.yaml"
    path.write_text(FAILING.format(roll=roll), "utf-8")
    game = rulegame.load(path, {"last": 8})
    with pytest.raises(rulegame.GameError) as failed:
        rulegame.explore(game)
    moves = failed.value.moves
    assert len(moves) == _shortest_to_a_fault(game)
    state = game.start()
    for text in moves[:-1]:
        state = state.play(text)
    with pytest.raises(rulegame.GameError) as again:
        state.play(moves[-1])
    found = failed.value.diagnostic
    assert again.value.diagnostic == found._replace(hint="")
    assert found.hint == f"this comes up after {', '.join(moves)}, with last = 8"


def test_where_the_rules_fail_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "failing.yaml"
    text = FAILING.format(roll="").replace("after.n != 5", "10 / n > 1")
    path.write_text(text, "utf-8")
    game = rulegame.load(path)
    with pytest.raises(rulegame.GameError) as failed:
        rulegame.explore(game)
    assert failed.value.moves == ()
    assert failed.value.diagnostic.hint == "this comes up before the first move"
